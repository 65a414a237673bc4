"""A session whose cards come from outside: a client of another server, a table that somebody watches.

Agents sit where their cards are known; everybody else sits in an open seat, and what they do is given by `act`. The
outside also says what the seed decides elsewhere: the cards that each agent holds when a hand begins (`deal`), the board
street by street (`board`), and the cards that are shown at the end (`show`). `needs` says what the table waits for.

An agent's views and events come from its own cards and what everyone saw, and are to the bit those that the loop
would have given it at a table of its own: the very loop runs here on a bank of one row, of which only what is
known is filled. Compiled agents are called through their Python face, for the loop must stop whenever a card is turned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.event import SHOWS
from nemesis.observe.view import NOT_YET, View
from nemesis.play.guard import Guard
from nemesis.play.known_cards import KnownCards
from nemesis.play.loop import NO_ACTION
from nemesis.play.match import Player
from nemesis.play.session import OpenSeat, Session, SessionError
from nemesis.respond.agent import Agent, CompiledAgent, Uncompiled
from nemesis.rules.betting import begin, settle, step
from nemesis.rules.game import MAX_SEATS

Cards = Sequence[int]


class LiveSession(Session):
    """A match whose cards are told."""

    cards = "told"
    _needs = ""
    _held = NO_ACTION
    """The action that waits for cards."""
    _after: NDArray[np.void]
    """The hand after that action."""
    _holes: dict[int, tuple[int, ...]]
    """The cards that are known, by position."""
    _board: list[int]
    _shown: bool

    @property
    def needs(self) -> str:
        """What the table waits for: `cards`, an `action`, the `board`, the `showdown`, or `nothing` after the match."""
        return "action" if self.turn is not None else self._needs or "nothing"

    @property
    def view(self) -> View:
        """What the seat to act may know; a seat whose cards nobody told sees none."""
        view = super().view
        if self.turn is not None and not self.hole(self.turn):
            view.record["hole"], view.record["win"], view.record["strength"] = NOT_YET, np.nan, np.nan
        return view

    @property
    def board_needed(self) -> int:
        """How many board cards are to be told next."""
        return self._board_then() - len(self._board) if self.needs == "board" else 0

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats that are dealt into this hand, by position; the last has the button."""
        return tuple(self._order)

    def hole(self, seat: int) -> tuple[int, ...]:
        """The cards that a seat holds in this hand; () if they are not known."""
        return self._holes.get(self._order.index(seat), ()) if seat in self._order else ()

    def deal(self, cards: Mapping[int, Cards]) -> None:
        """A hand begins: tell the cards of every agent in it, by seat. Cards of open seats may be told too."""
        self._expect("cards")
        holes = self._read_holes(cards)
        agents = [seat for seat in self._order if seat not in self.open]
        if missing := [seat for seat in agents if seat not in cards]:
            raise SessionError(f"the agent in seat {missing[0]} cannot play without its cards")
        self._check_cards(holes, [])
        self._note({"deal": _pairs(cards)})
        self._holes = holes
        self._use_row()
        self._play_on(NO_ACTION)

    def board(self, cards: Cards) -> None:
        """Cards are turned on the board: all of a street, or of several if nobody can bet any more."""
        self._expect("board")
        if not cards or len(cards) > self.board_needed:
            raise SessionError(f"{len(cards)} cards are told, but {self.board_needed} come to the board now")
        board = [*self._board, *cards]
        self._check_cards(self._holes, board)
        self._note({"board": list(map(int, cards))})
        self._board = list(map(int, board))
        self._play_on(self._held)

    def show(self, cards: Mapping[int, Cards], payoffs: Mapping[int, int] | None = None) -> None:
        """The showdown: tell the cards that were shown, by seat. If somebody did not show, tell what every seat won."""
        self._expect("showdown")
        holes = {**self._holes, **self._read_holes(cards)}
        for position, known in self._holes.items():
            if holes[position] != known:
                raise SessionError(f"seat {self._order[position]} was dealt other cards than it shows")
        self._check_cards(holes, self._board)
        live = int(self._after["live"][0])
        if folded := [seat for seat in cards if not live >> self._order.index(seat) & 1]:
            raise SessionError(f"seat {folded[0]} has folded, so it cannot show cards")
        hidden = [self._order[p] for p in range(len(self._order)) if live >> p & 1 and p not in holes]
        if hidden and payoffs is None:
            raise SessionError(f"seat {hidden[0]} did not show its cards, so the payoffs must be told")
        computed = self._payoffs(holes)
        if payoffs is not None and {**dict.fromkeys(self._order, 0), **payoffs} != computed:
            raise SessionError(f"by the cards shown the seats win {computed}, not {dict(payoffs)}")
        self._note({"show": _pairs(cards), "payoffs": None if payoffs is None else _pairs(payoffs)})
        self._holes, self._shown = holes, True
        self._play_on(self._held)

    def _seated(self, player: Player | OpenSeat) -> Agent:
        return in_python(super()._seated(player))

    def _start(self) -> None:
        self._known = KnownCards(self.game, self._arena.dealer)
        self._deal()
        super()._start()

    def _deal(self) -> bool:
        self._holes = {}
        self._board = []
        self._shown = False
        self._needs = "cards"
        return False

    def _end_hand(self) -> None:
        self._needs = ""
        super()._end_hand()

    def _has_cards_for(self, answer: int) -> bool:
        """Take the action on a copy of the hand, and see what it turns up."""
        self._needs = ""
        if not self._order or (answer == NO_ACTION and self._arena.desk.match[0]["playing"]):
            return True
        self._held = answer
        rules = self._arena.rules[len(self._order) : len(self._order) + 1]
        self._after = self._arena.desk.hand.copy()
        if answer == NO_ACTION:
            begin(rules, self._arena.desk.stacks, self._after)
        else:
            step(rules, self._after, answer)
        if len(self._board) < self._board_then():
            self._needs = "board"
        elif self._showdown and not self._shown:
            self._needs = "showdown"
        else:
            self._known.fill(self._arena.bank, self._holes, self._board)
        return not self._needs

    @property
    def _showdown(self) -> bool:
        live = int(self._after["live"][0])
        return bool(self._after["over"][0]) and live & (live - 1) != 0

    def _board_then(self) -> int:
        """How many cards the board has after the action that waits."""
        if self._after["over"][0] and not self._showdown:
            return len(self._board)
        return sum(self.game.board_cards[: int(self._after["street"][0]) + 1])

    def _payoffs(self, holes: Mapping[int, tuple[int, ...]]) -> dict[int, int]:
        """What every seat in the hand wins if nobody can beat the known hands with cards that were not shown."""
        ranks = np.zeros(MAX_SEATS, np.int32)
        ranks[list(holes)] = 1 + self._known.evaluated(holes, self._board).ranks[0]
        after = self._after.copy()
        settle(after, ranks)
        return {seat: int(after["payoff"][0, position]) for position, seat in enumerate(self._order)}

    def _drain(self, guard: Guard) -> None:
        """Nobody is told of cards that were not shown."""
        desk = self._arena.desk
        waiting = desk.log[: desk.match[0]["logged"]]
        told = waiting[(waiting["kind"] != SHOWS) | np.isin(waiting["position"], list(self._holes))]
        desk.log[: len(told)] = told
        desk.match[0]["logged"] = len(told)
        super()._drain(guard)

    def _read_holes(self, cards: Mapping[int, Cards]) -> dict[int, tuple[int, ...]]:
        """Cards by seat as cards by position."""
        for seat, hole in cards.items():
            if seat not in self._order:
                raise SessionError(f"seat {seat} is not in this hand; seats {sorted(self._order)} are")
            if len(hole) != self.game.hole_cards:
                raise SessionError(f"seat {seat} is told to hold {len(hole)} cards, not {self.game.hole_cards}")
        return {self._order.index(seat): tuple(map(int, hole)) for seat, hole in sorted(cards.items())}

    def _check_cards(self, holes: Mapping[int, Cards], board: Cards) -> None:
        dealt = [*board, *(card for cards in holes.values() for card in cards)]
        for card in dealt:
            if not 0 <= card < self.game.ranks * self.game.suits:
                raise SessionError(f"{card} is not a card of a deck of {self.game.ranks * self.game.suits}")
            if dealt.count(card) > 1:
                raise SessionError(f"the card {self.game.card_name(card)} is dealt twice")

    def _repeat(self, step: Any) -> None:
        if not isinstance(step, Mapping):
            super()._repeat(step)
        elif "deal" in step:
            self.deal(dict(step["deal"]))
        elif "board" in step:
            self.board(step["board"])
        else:
            self.show(dict(step["show"]), None if step["payoffs"] is None else dict(step["payoffs"]))

    def _reached(self) -> dict[str, Any]:
        return {**super()._reached(), "needs": self.needs}


def in_python(agent: Agent) -> Agent:
    """The agent as a Python seat: a compiled one through its Python face, with a memory of its own."""
    if not isinstance(agent, CompiledAgent):
        return agent
    own = object.__new__(type(agent))
    vars(own).update(vars(agent))
    return Uncompiled(own)


def _pairs(by_seat: Mapping[int, Any]) -> list[list[Any]]:
    """Cards or chips by seat, as JSON keeps them: its keys would be text."""
    return [[seat, list(map(int, told)) if isinstance(told, Sequence) else int(told)] for seat, told in by_seat.items()]
