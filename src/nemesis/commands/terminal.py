"""A person at the terminal in a seat of a session: shows what the seat may know, asks for an action, tells what happens."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nemesis.observe.event import ACTS, DEALT, ENDS, SHOWS, STARTS, Event
from nemesis.observe.view import NOT_YET, View
from nemesis.play.session import Legal, Session, span
from nemesis.rules.betting import CALL, FOLD

_ALWAYS = "f fold · c check or call"
_RAISES = "r smallest raise · r 300 raise to 300 · p raise by the pot · a all-in"


class LeftTable(Exception):
    """The person got up."""


class Terminal:
    """Plays what a person types for one seat."""

    def __init__(
        self,
        session: Session,
        seat: int,
        names: Sequence[str],
        ask: Callable[[str], str],
        say: Callable[[str], None] = print,
        hints: bool = False,
    ) -> None:
        self.session = session
        self.seat = seat
        self.names = names
        self.ask = ask
        self.say = say
        self.hints = hints
        self.total = 0
        self.hands = 0

    def play(self) -> None:
        """Play until the match is over; `LeftTable` when the person leaves."""
        while True:
            for event in self.session.told:
                if event.me == self.seat:
                    self._tell(event)
            if self.session.finished:
                self._say_the_end()
                return
            self.say(self._spot(self.session.view, self.session.legal))
            self.session.act(self._answer())

    def _say_the_end(self) -> None:
        stacks = self.session.game.stacks
        if self.session.freeze_out and self.total == -stacks[self.seat]:
            self.say("\nyou have no chips left")
        elif self.session.freeze_out and self.total == sum(stacks) - stacks[self.seat]:
            self.say("\nyou have won every chip")

    def _answer(self) -> int:
        """Ask until the answer is an action."""
        view, legal = self.session.view, self.session.legal
        while True:
            try:
                typed = self.ask("your action (? for help): ").strip().lower()
            except (EOFError, KeyboardInterrupt):
                raise LeftTable from None
            action = read_action(typed, view, legal)
            if isinstance(action, int):
                return action
            self.say(f"  {action}")

    def _tell(self, event: Event) -> None:
        """Say what happened, other than our own actions."""
        if event.kind == ENDS:
            self.total += event.payoff
            self.hands += 1
        if line := self._line(event):
            self.say(line)

    def _line(self, event: Event) -> str:
        game, mine = self.session.game, event.seat == self.seat
        if event.kind == STARTS:
            return f"\nhand {event.hand + 1} · button: {self.names[event.seat]}"
        if event.kind == ACTS and not mine:
            return f"  {self.names[event.seat]} {_deed(event)}"
        if event.kind == DEALT:
            return f"  board: {' '.join(game.card_name(card) for card in event.board[: event.board_count])}"
        if event.kind == SHOWS:
            cards = " ".join(game.card_name(card) for card in event.hole if card != NOT_YET)
            return f"  {self.names[event.seat]} {'show' if mine else 'shows'} {cards}"
        if event.kind == ENDS:
            return f"  this hand: {event.payoff:+d} chips · in all {self.total:+d}"
        return ""

    def _spot(self, view: View, legal: Legal) -> str:
        game = self.session.game
        board = " ".join(game.card_name(card) for card in view.board_cards)
        parts = [
            f"you hold {' '.join(game.card_name(card) for card in view.hole_cards)}",
            f"board {board}" if board else "",
            f"pot {view.pot}",
            f"behind {view.stack}",
            f"win probability against a random hand {view.win:.3f}" if self.hints else "",
        ]
        offers = [f"{view.to_call} to call" if view.to_call else "checking is free"]
        if legal.most:
            chips = f"{view.min_to}–{view.max_to}" if view.max_to > view.min_to else f"{view.max_to}"
            offers.append(f"raise to {chips}" if view.bet else f"bet {chips}")
        return f"  {' · '.join(filter(None, parts))}\n  {', '.join(offers)}"


def _deed(event: Event) -> str:
    """What somebody else did, as the end of a sentence."""
    if event.action == FOLD:
        return "folds"
    if event.action == CALL:
        return f"calls {event.amount}" if event.amount else "checks"
    bets = event.to == event.amount and not event.to_call
    return f"bets {event.to}" if bets else f"raises to {event.to}"


def read_action(typed: str, view: View, legal: Legal) -> int | str:
    """The action that an answer means, or the sentence to show when it means none."""
    word, _, amount = typed.partition(" ")
    if word in ("q", "quit", "leave"):
        raise LeftTable
    if word in ("f", "fold"):
        return FOLD if legal.to_call else "checking is free, so there is nothing to fold to; c checks"
    if word in ("c", "call", "check", "k"):
        return CALL
    if word not in ("r", "raise", "b", "bet", "p", "pot", "a", "all-in"):
        one = "r raise" if legal.least == legal.most else _RAISES
        return " · ".join([_ALWAYS, *([one] if legal.most else []), "q leave"])
    if not legal.most:
        return "no raise is allowed now; c calls, f folds" if legal.to_call else "no bet is allowed now; c checks"
    if word in ("p", "pot"):
        return int(min(max(view.bet + view.pot + view.to_call, legal.least), legal.most))
    if word in ("a", "all-in"):
        return legal.most
    if not amount:
        return legal.least
    chips = int(amount) if amount.isascii() and amount.isdigit() and len(amount) < 20 else 0
    if not view.min_to <= chips <= view.max_to:
        return f"a raise must be to {span(view.min_to, view.max_to)}, not {amount!r}"
    return max(legal.least, chips)
