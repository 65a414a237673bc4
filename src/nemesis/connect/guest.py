"""An agent at a table that somebody else runs.

The other side deals, keeps the chips and decides what an action became; the guest is told of it and asked when its turn
comes. `begin` says where it sits in a new hand, `know` which cards are known by now, `take` what whoever is to act has done,
the guest included. Before an action is taken, the cards that it turns up must be known.

The hand goes through the one loop, on a bank of one row with only the known cards in it, so the agent is shown what it
would be shown at a table of our own. With the same seed it rolls the same dice there, too: a match over a wire and the same
match in one process are alike hand for hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from nemesis.observe.view import View
from nemesis.play.guard import Guard, checked_action
from nemesis.play.known_cards import KnownCards
from nemesis.play.live import in_python
from nemesis.play.loop import NO_ACTION, Lineups, advance, begin_match
from nemesis.play.match import Arena, Player, drain_log
from nemesis.respond.agent import Agent
from nemesis.rules.betting import CALL, FOLD, RAISE
from nemesis.rules.deal import empty_bank
from nemesis.rules.game import Game
from nemesis.runtime.compiled import entry

_ENDLESS = 1 << 62
_NOBODY = -1


class NotAllowed(ValueError):
    """An action that the rules do not allow, with the reason."""


class Absent(Agent):
    """Keeps a seat whose player is elsewhere."""

    facts = ()

    def __init__(self, name: str) -> None:
        self.name = name


class Guest:
    """One agent, and the hands that it is told of."""

    def __init__(self, game: Game, player: Player, guard: Guard, seed: int = 0) -> None:
        """Get ready, so that nothing is compiled during play; `guard` is called to call the agent (`play.guard`)."""
        self.game = game
        self.seat = _NOBODY
        self.turn = _NOBODY
        """The seat that must act; below 0 when no hand is under way."""
        self.seats: tuple[int, ...] = ()
        """The seats by position, in this hand or the last one."""
        self.agent = in_python(player.make(game))
        self._agents: list[Agent] = []
        self._guard = guard
        self._arena = arena = Arena(game, [self.agent, Absent("somebody")], seed, empty_bank(game, 1))
        self._known = KnownCards(game, arena.dealer)
        self._hears = bool(self.agent.hears)
        self._sized = game.structure != "limit"
        match, hand = arena.desk.match, arena.desk.hand
        self._number, self._button, self._first_row, self._rows = (
            match[name] for name in ("hand", "button", "first_row", "rows")
        )
        self._street, self._live, self._payoff = (hand[name] for name in ("street", "live", "payoff"))
        self.view = View(arena.desk.views)
        """What whoever is to act may know; only the guest's own cards are in it."""
        self._advance = entry(advance, arena.rules, arena.desk, arena.seating, arena.bank, NO_ACTION)
        self._begin_match = entry(begin_match, arena.rules, arena.desk, arena.seating, self._lineup(0), 0)

    def sit(self, seat: int) -> None:
        """A match begins at this seat."""
        arena, me = self._arena, self.agent
        self.seat, self.turn = seat, _NOBODY
        self._agents = [me if at == seat else arena.agents[1] for at in range(self.game.seats)]
        arena.desk.match["rows"] = 0
        self._begin_match(arena.rules, arena.desk, arena.seating, self._lineup(seat), 0)
        self._guard(me, me.sit, self.game, seat)

    def _lineup(self, seat: int) -> Lineups:
        others = np.ones((1, self.game.seats), np.int64)
        others[0, seat] = 0
        return self._arena.lineups(others, np.zeros(1, np.int64), _ENDLESS, False)

    @property
    def playing(self) -> bool:
        """Whether a hand is under way."""
        return self.turn >= 0

    @property
    def asked(self) -> bool:
        """Whether it is the guest's turn."""
        return self.turn == self.seat

    @property
    def before(self) -> int:
        """Chips that whoever is to act has put in on earlier streets; 0 where raises have no sizes, which need not know."""
        return self.view.spent - self.view.wager if self._sized else 0

    @property
    def street(self) -> int:
        """The street of this hand, or of the last one."""
        return int(self._street.item())

    @property
    def payoffs(self) -> tuple[int, ...]:
        """What every position won in the hand that has ended."""
        return tuple(self._payoff[0, : self.game.seats].tolist())

    @property
    def showdown(self) -> tuple[int, ...]:
        """The positions that have to show their cards when the hand has ended; none if all but one folded."""
        live = self._live.item()
        return tuple(p for p in range(self.game.seats) if live >> p & 1) if live & (live - 1) else ()

    def know(self, holes: Mapping[int, Sequence[int]], board: Sequence[int]) -> None:
        """The cards that are known by now: hands by position, the guest's among them, and the board."""
        self._known.fill(self._arena.bank, holes, board)

    def begin(self, position: int) -> None:
        """A hand begins with the guest in that position; its cards are known."""
        count = self.game.seats
        self.seats = tuple((self.seat - position + at) % count for at in range(count))
        self._button[0] = self.seats[-1]
        self._first_row[0], self._rows[0] = self._number[0], 1
        self._play_on(NO_ACTION)

    def take(self, action: int) -> None:
        """Whoever is to act folds (0), checks or calls (1) or raises to that many chips on this street."""
        if action != CALL:
            view = self.view
            if action == FOLD and not view.to_call:
                raise NotAllowed("a fold where checking is free")
            if action >= RAISE and not max(RAISE, view.min_to) <= action <= max(RAISE, view.max_to):
                raise NotAllowed(f"a raise to {action} where {_raises(view)}")
        self._play_on(action)

    def choose(self) -> int:
        """What the agent wants to do, as the rules allow it: 0, 1, or the number of chips to raise to."""
        agent, view = self.agent, self.view
        action = checked_action(agent, self._guard(agent, agent.act, view))
        if action <= FOLD:
            return FOLD if view.to_call else CALL
        if action < RAISE or not view.max_to:
            return CALL
        return int(max(RAISE, min(max(action, view.min_to), view.max_to)))

    def _play_on(self, action: int) -> None:
        arena = self._arena
        self.turn = self._advance(arena.rules, arena.desk, arena.seating, arena.bank, action)
        if self._hears:
            drain_log(arena.desk, arena.events, self._agents, self._guard)


def _raises(view: View) -> str:
    if not view.max_to:
        return "no raise is allowed"
    return f"it must be to {view.min_to}" + ("" if view.min_to == view.max_to else f" … {view.max_to}")
