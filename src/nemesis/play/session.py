"""A match that waits for people and other programs.

A `Session` plays a table in the one loop and stops where an *open* seat must act: `turn` is that seat, `view` what it may
know, `legal` what it may do, and `act` plays on to the next such place. `told` holds the events that the last call brought
to open seats, `hands` the hands that are finished.

A session has no thread and no state outside itself, so any number can go on side by side. Agents are made for it by its
players. What happens depends only on the game, the players, the seed and the actions given, so those are what `save` keeps,
as plain JSON, and `restore` plays them again. Agents must not roll dice of their own for that (see `View.chance`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np

from nemesis.observe.columns import new_columns
from nemesis.observe.event import Event
from nemesis.observe.hand import Hand
from nemesis.observe.tape import finished_hands
from nemesis.observe.view import View
from nemesis.play.guard import Guard, checked_action, guarded
from nemesis.play.loop import DRAIN, FINISHED, NEEDS_DEALS, NO_ACTION, advance, begin_match
from nemesis.play.match import DEFAULT_TIME_LIMIT, Arena, Player, drain_log
from nemesis.respond.agent import Agent, AgentError, CompiledAgent
from nemesis.rules.betting import FOLD, RAISE
from nemesis.rules.deal import empty_bank, fill_bank
from nemesis.rules.game import Game
from nemesis.runtime.compiled import entry

VERSION = 1
_ENDLESS = 1 << 62
_ACTIONS = 64
_WAITS = {"action": "an action", "cards": "hole cards", "board": "board cards", "showdown": "the showdown"}
_SAVED = ("session", "cards", "game", "players", "seed", "hands", "freeze_out", "given", "reached")


class SessionError(ValueError):
    """A call that does not fit what the table waits for, or a saved session that cannot be restored."""


@dataclass(frozen=True)
class OpenSeat:
    """A seat for somebody outside: a person, a program, a player at another table."""

    label: str = "open"


class Legal(NamedTuple):
    """What the seat to act may do: call for `to_call` chips (0 is a check), raise to `least` … `most` (0 if it may not)."""

    to_call: int
    least: int
    most: int

    def refuse(self, action: object) -> str:
        """Why this action is not one of them, as the end of a sentence; empty if it is."""
        if not isinstance(action, (int, np.integer)) or isinstance(action, bool) or action < FOLD:
            return f"{action!r} is no action: 0 folds, 1 checks or calls, a number from 2 on raises to that many chips"
        if action == FOLD and not self.to_call:
            return "a fold is not needed where checking is free; 1 checks"
        if action >= RAISE and not self.most:
            return f"{action} would be a raise, and none is allowed now"
        if action >= RAISE and not self.least <= action <= self.most:
            return f"a raise to {action} is not allowed; it must be to {span(self.least, self.most)}"
        return ""


def span(least: int, most: int) -> str:
    """The amounts that a raise may be to, in words."""
    return str(least) if least == most else f"a number from {least} to {most}"


class _Open(Agent):
    """Sits in an open seat and keeps copies of what the seat is told."""

    def __init__(self, label: str, told: list[Event]) -> None:
        self.name = label
        self.told = told

    def watch(self, event: Event) -> None:
        self.told.append(Event(event.record.copy()))


class Session:
    """One match with open seats, played as far as it goes without them."""

    cards = "dealt"
    """Whether cards are dealt from the seed or told from outside."""

    def __init__(
        self,
        game: Game,
        players: Sequence[Player | OpenSeat],
        *,
        seed: int = 0,
        hands: int | None = None,
        freeze_out: bool | None = None,
        time_limit: float = DEFAULT_TIME_LIMIT,
    ) -> None:
        """Start a table of `hands` hands, or without end; stacks are carried over if the game says so or `freeze_out`."""
        if len(players) != game.seats:
            raise SessionError(f"{game.name} has {game.seats} seats, but {len(players)} players are named")
        if hands is not None and hands < 1:
            raise SessionError(f"cannot play {hands} hands; play at least 1")
        self.open = tuple(seat for seat, player in enumerate(players) if isinstance(player, OpenSeat))
        if hands is None and not self.open and self.cards == "dealt":
            raise SessionError("a session without open seats would never stop; say how many hands to play")
        self.game = game
        self.players = tuple(players)
        self.seed = seed
        self.most_hands = hands
        self.freeze_out = game.freeze_out if freeze_out is None else freeze_out
        self.time_limit = time_limit
        self.turn: int | None = None
        self.hands: list[Hand] = []
        self._failure = ""
        self._told: list[Event] = []
        self._given: list[Any] = []
        self._order: list[int] = []  # seats by position, of the hand in play
        self._agents = [self._seated(player) for player in players]
        self._arena = Arena(game, self._agents, seed, empty_bank(game, 1))
        self._arena.desk = self._arena.desk._replace(columns=new_columns(2, _ACTIONS))
        self._start()

    @property
    def told(self) -> tuple[Event, ...]:
        """The events that the last call brought to open seats; `event.me` is the seat that is told."""
        return tuple(self._told)

    @property
    def finished(self) -> bool:
        """Whether the match is over."""
        return self.needs == "nothing"

    @property
    def needs(self) -> str:
        """What the table waits for: an `action`, or `nothing` when the match is over."""
        return "nothing" if self.turn is None else "action"

    @property
    def view(self) -> View:
        """What the seat to act may know, to keep."""
        self._expect("action")
        return View(self._arena.desk.views.copy())

    @property
    def legal(self) -> Legal:
        """What the seat to act may do."""
        view = self.view
        if not view.can_raise:
            return Legal(view.to_call, 0, 0)
        return Legal(view.to_call, max(RAISE, view.min_to), max(RAISE, view.max_to))

    @property
    def won(self) -> tuple[int, ...]:
        """Chips won so far, by seat."""
        return tuple(self._arena.desk.match["won"][0, : self.game.seats].tolist())

    def hole(self, seat: int) -> tuple[int, ...]:
        """The cards that a seat holds in this hand; () if it is not in it."""
        if seat not in self._order or self.finished:
            return ()
        return tuple(self._arena.bank.holes[0, self._order.index(seat)].tolist())

    def act(self, action: int) -> None:
        """Let the open seat whose turn it is fold (0), check or call (1), or raise to so many chips; play on."""
        self._expect("action")
        if fault := self.legal.refuse(action):
            raise SessionError(f"seat {self.turn}: {fault}")
        self._note(int(action))
        self._play_on(int(action))

    def save(self) -> dict[str, Any]:
        """All that it takes to restore this session, as plain JSON."""
        return {
            "session": VERSION,
            "cards": self.cards,
            "game": {key: list(value) if isinstance(value, tuple) else value for key, value in vars(self.game).items()},
            "players": [{"open" if isinstance(p, OpenSeat) else "agent": p.label} for p in self.players],
            "seed": self.seed,
            "hands": self.most_hands,
            "freeze_out": self.freeze_out,
            "given": list(self._given),
            "reached": self._reached(),
        }

    @classmethod
    def restore(
        cls, saved: Mapping[str, Any], player: Callable[[str], Player], time_limit: float = DEFAULT_TIME_LIMIT
    ) -> Self:
        """The session as it was saved; `player` finds the agents' players by their labels."""
        if not isinstance(saved, Mapping) or saved.get("session") != VERSION:
            raise SessionError(f"this is not a saved session of version {VERSION}")
        if missing := [key for key in _SAVED if key not in saved]:
            raise SessionError(f"the saved session lacks {', '.join(missing)}")
        if saved["cards"] != cls.cards:
            raise SessionError(f"the saved session has cards {saved['cards']}, this one wants cards {cls.cards}")
        try:
            fields: dict[str, Any] = {
                key: tuple(value) if isinstance(value, list) else value for key, value in saved["game"].items()
            }
            seats = [next(iter(seat.items())) for seat in saved["players"]]
            game, given = Game(**fields), list(saved["given"])
            players = [OpenSeat(label) if kind == "open" else player(label) for kind, label in seats]
        except (TypeError, AttributeError, StopIteration) as error:
            raise SessionError(f"the saved session cannot be read: {error}") from None
        session = cls(
            game, players, seed=saved["seed"], hands=saved["hands"], freeze_out=saved["freeze_out"],
            time_limit=time_limit,
        )  # fmt: skip
        for step in given:
            session._repeat(step)
        if session._reached() != saved["reached"]:
            raise SessionError(
                f"the saved session had reached {saved['reached']}, but its actions now lead to {session._reached()}; "
                "were the agents changed, or do they roll dice of their own?"
            )
        return session

    def _seated(self, player: Player | OpenSeat) -> Agent:
        """Who sits there for the loop."""
        if isinstance(player, OpenSeat):
            return _Open(player.label, self._told)
        return player.make(self.game)

    def _start(self) -> None:
        arena, hands = self._arena, self.most_hands or _ENDLESS
        lineups = arena.lineups(np.arange(self.game.seats)[None, :], np.zeros(1, np.int64), hands, self.freeze_out)
        arena.desk.match["rows"] = 0
        begin_match(arena.rules, arena.desk, arena.seating, lineups, 0)
        self._advance = entry(advance, arena.rules, arena.desk, arena.seating, arena.bank, NO_ACTION)
        with self._guarded() as guard:
            for seat, agent in enumerate(self._agents):
                if not isinstance(agent, CompiledAgent):
                    guard(agent, agent.sit, self.game, seat)
        self._play_on(NO_ACTION)

    def _play_on(self, answer: int) -> None:
        """Play until an open seat must act, cards are missing or the match is over."""
        arena = self._arena
        record, view = arena.desk.match[0], View(arena.desk.views)
        self.turn = None
        with self._guarded() as guard:
            while self._has_cards_for(answer):
                seat = self._advance(arena.rules, arena.desk, arena.seating, arena.bank, answer)
                answer = NO_ACTION
                self._drain(guard)
                if seat in self.open:
                    self.turn = seat
                    return
                if seat >= 0:
                    agent = self._agents[seat]
                    answer = checked_action(agent, guard(agent, agent.act, view))
                elif seat == DRAIN:
                    arena.make_room()
                elif seat in (NEEDS_DEALS, FINISHED):
                    self._end_hand()
                    if seat == FINISHED or (self.open and not record["chips"][list(self.open)].any()):
                        return
                    self._begin_hand()
                    if not self._deal():
                        return

    @contextmanager
    def _guarded(self) -> Iterator[Guard]:
        try:
            with guarded(self.time_limit, self._agents) as guard:
                yield guard
        except AgentError as error:
            self._failure = str(error)
            raise

    def _has_cards_for(self, answer: int) -> bool:
        """Whether the cards are known that this action, or the start of the hand, turns up."""
        return True

    def _deal(self) -> bool:
        """Put the hand's cards into the only row of the bank; False if they are not known yet."""
        arena = self._arena
        dealer = arena.dealer
        fill_bank(dealer.plan, dealer.tables, dealer.key, int(arena.desk.match[0]["hand"]), 0, 1, arena.bank)
        self._use_row()
        return True

    def _use_row(self) -> None:
        record = self._arena.desk.match[0]
        record["first_row"], record["rows"] = record["hand"], 1

    def _drain(self, guard: Guard) -> None:
        drain_log(self._arena.desk, self._arena.events, self._agents, guard)

    def _begin_hand(self) -> None:
        desk = self._arena.desk
        players = int((desk.match["chips"][0, : self.game.seats] > 0).sum())
        self._order = desk.match["seat_at"][0, :players].tolist()

    def _end_hand(self) -> None:
        """Write the hand that has just ended down, if one has."""
        if not self._order:
            return
        tape = self._arena.take_tape()
        told = tape if self.cards == "dealt" else dataclasses.replace(tape, seed=None)
        self.hands += [hand for hand, _ in finished_hands(told)]
        self._order = []

    def _expect(self, wanted: str) -> None:
        if self.needs != wanted:
            over = f"the match is over: {self._failure}" if self._failure else "the match is over"
            now = over if self.finished else f"it waits for {_WAITS[self.needs]}"
            raise SessionError(f"the table does not wait for {_WAITS[wanted]}; {now}")

    def _note(self, step: Any) -> None:
        """Remember what was given from outside; what was told before is over."""
        self._given.append(step)
        self._told.clear()

    def _repeat(self, step: Any) -> None:
        self.act(step)

    def _reached(self) -> dict[str, Any]:
        return {"hand": int(self._arena.desk.match[0]["hand"]), "turn": self.turn, "won": list(self.won)}
