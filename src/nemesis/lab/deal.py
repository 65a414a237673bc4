"""A hand as it is told at a table: who did what, street by street, what was turned up and what was shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from nemesis.lab.shapes.felt import action_colour
from nemesis.observe.event import ACTS, DEALT, SHOWS, Event
from nemesis.observe.view import NOT_YET, View
from nemesis.rules.betting import CALL, FOLD
from nemesis.rules.game import STREETS, Game

NOBODY = -1


class Line(NamedTuple):
    """Something that happened in a hand, in words; `action` is fold, call, raise, or empty."""

    street: int
    seat: int
    text: str
    action: str = ""
    pots: float = 0.0
    cards: tuple[int, ...] = ()
    """What was turned up or shown."""


class Choice(NamedTuple):
    """One decision of the visitor: what could be known, and what was done."""

    view: View
    action: int


@dataclass
class Deal:
    """A hand as the visitor saw it."""

    number: int
    button: int
    hole: tuple[int, ...] = ()
    board: tuple[int, ...] = ()
    lines: list[Line] = field(default_factory=list)
    tags: dict[int, Line] = field(default_factory=dict)
    """The last action of each seat on this street."""
    folded: set[int] = field(default_factory=set)
    shown: dict[int, tuple[int, ...]] = field(default_factory=dict)
    choices: list[Choice] = field(default_factory=list)
    pot: int = 0
    payoffs: tuple[int, ...] = ()
    """By seat, when the hand is over."""
    started: tuple[int, ...] = ()
    """Chips by seat when the hand began."""

    def tell(self, event: Event, game: Game, names: Sequence[str], you: int = NOBODY) -> None:
        """Write an action, board cards or a shown hand down; `you` is the seat that is spoken to."""
        if event.kind == ACTS:
            line = _action(event, names[event.seat], event.seat == you)
            self.lines.append(line)
            self.tags[event.seat] = line
            if event.action == FOLD:
                self.folded.add(event.seat)
        elif event.kind == DEALT:
            known, self.board = len(self.board), tuple(event.board[: event.board_count])
            self.tags.clear()
            street = STREETS[event.street] if game.is_holdem else f"round {event.street + 1}"
            self.lines.append(Line(event.street, NOBODY, street, cards=self.board[known:]))
        elif event.kind == SHOWS:
            self.shown[event.seat] = tuple(card for card in event.hole if card != NOT_YET)
            shows = "show" if event.seat == you else "shows"
            words = f"{names[event.seat]} {shows}"
            self.lines.append(Line(event.street, event.seat, words, cards=self.shown[event.seat]))

    def tag(self, seat: int, name: str) -> tuple[str, str]:
        """What a seat did last on this street, without its name, and the colour of that."""
        did = self.tags.get(seat)
        return (did.text.removeprefix(f"{name} "), action_colour(did.action, did.pots)) if did else ("", "")


def _action(event: Event, name: str, mine: bool) -> Line:
    if event.action == FOLD:
        return Line(event.street, event.seat, f"{name} {'fold' if mine else 'folds'}", "fold")
    if event.action == CALL:
        if event.amount:
            return Line(event.street, event.seat, f"{name} {'call' if mine else 'calls'} {event.amount:,}", "call")
        return Line(event.street, event.seat, f"{name} {'check' if mine else 'checks'}", "call")
    bets = event.to == event.amount and not event.to_call
    verb = ("bet" if mine else "bets") if bets else ("raise to" if mine else "raises to")
    pots = (event.amount - event.to_call) / max(1, event.pot + event.to_call)
    return Line(event.street, event.seat, f"{name} {verb} {event.to:,}", "raise", pots)
