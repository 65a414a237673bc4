"""A person at the terminal: shows what a seat may know, asks for an action, tells what happens."""

from __future__ import annotations

from collections.abc import Callable

from nemesis.observe.event import ACTS, DEALT, ENDS, SHOWS, STARTS, Event
from nemesis.observe.view import NOT_YET, View
from nemesis.respond.agent import Agent
from nemesis.rules.betting import CALL, FOLD, RAISE
from nemesis.rules.game import Game

HELP = "f fold · c check or call · r smallest raise · r 300 raise to 300 · p raise by the pot · a all-in · q leave"


class LeftTable(BaseException):
    """The person got up. Not an error of an agent, so not an Exception."""


class Human(Agent):
    """Plays what a person types."""

    name = "you"

    def __init__(
        self,
        game: Game,
        opponents: tuple[str, ...] = (),
        ask: Callable[[str], str] = input,
        say: Callable[[str], None] = print,
        hints: bool = False,
    ) -> None:
        self.game = game
        self.opponents = opponents
        self.ask = ask
        self.say = say
        self.hints = hints
        self.seat = 0
        self.total = 0
        self.hands = 0

    def sit(self, game: Game, seat: int) -> None:
        """Remember where we sit."""
        self.game, self.seat = game, seat

    def act(self, view: View) -> int:
        """Show the spot and ask until the answer is an action."""
        self.say(self._spot(view))
        while True:
            try:
                answer = self.ask("your action (? for help): ").strip().lower()
            except (EOFError, KeyboardInterrupt):
                raise LeftTable from None
            action = read_action(answer, view)
            if isinstance(action, int):
                return action
            self.say(action)

    def watch(self, event: Event) -> None:
        """Tell what happened, other than our own actions."""
        line = self._line(event)
        if line:
            self.say(line)
        if event.kind == ENDS:
            self.total += event.payoff
            self.hands += 1

    def _spot(self, view: View) -> str:
        cards = " ".join(self.game.card_name(card) for card in view.hole_cards)
        board = " ".join(self.game.card_name(card) for card in view.board_cards)
        parts = [
            f"you hold {cards}",
            f"board {board}" if board else "",
            f"pot {view.pot}",
            f"behind {view.stack}",
        ]
        if self.hints:
            parts.append(f"win probability against a random hand {view.win:.3f}")
        price = f"{view.to_call} to call" if view.to_call else "checking is free"
        raises = ""
        if view.can_raise:
            raises = f", raise to {view.min_to}" + (f"–{view.max_to}" if view.max_to > view.min_to else "")
        return "  " + " · ".join(filter(None, parts)) + f"\n  {price}{raises}"

    def _who(self, seat: int) -> str:
        if seat == self.seat:
            return "you"
        others = [other for other in range(self.game.seats) if other != self.seat]
        index = others.index(seat)
        return self.opponents[index] if index < len(self.opponents) else f"seat {seat}"

    def _line(self, event: Event) -> str:
        if event.kind == STARTS:
            return f"\nhand {event.hand + 1} · button: {self._who(event.seat)}"
        if event.kind == ACTS and event.seat != self.seat:
            what = {FOLD: "folds", CALL: f"calls {event.amount}" if event.amount else "checks"}
            return f"  {self._who(event.seat)} {what.get(event.action, f'raises to {event.to}')}"
        if event.kind == DEALT:
            board = " ".join(self.game.card_name(card) for card in event.board[: event.board_count])
            return f"  board: {board}"
        if event.kind == SHOWS:
            cards = " ".join(self.game.card_name(card) for card in event.hole if card != NOT_YET)
            return f"  {self._who(event.seat)} shows {cards}"
        if event.kind == ENDS:
            return f"  this hand: {event.payoff:+d} chips · in all {self.total + event.payoff:+d}"
        return ""


def read_action(answer: str, view: View) -> int | str:
    """The action that an answer means, or the sentence to show when it means none."""
    word, _, amount = answer.partition(" ")
    if word in ("q", "quit", "leave"):
        raise LeftTable
    if word in ("f", "fold"):
        return FOLD
    if word in ("c", "call", "check", "k", ""):
        return CALL if word else HELP
    if word in ("r", "raise", "b", "bet", "p", "pot", "a", "all-in"):
        if not view.can_raise:
            return "no raise is allowed now; c calls, f folds"
        if word in ("p", "pot"):
            return int(min(max(view.bet + view.pot + view.to_call, view.min_to), view.max_to))
        if word in ("a", "all-in"):
            return int(max(RAISE, view.max_to))
        if not amount:
            return int(max(RAISE, view.min_to))
        if not amount.isdigit() or not view.min_to <= int(amount) <= view.max_to:
            return f"a raise must be to a number from {view.min_to} to {view.max_to}, not {amount!r}"
        return int(max(RAISE, int(amount)))
    return HELP
