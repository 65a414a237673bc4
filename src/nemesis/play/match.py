"""Matches: agents at a table, the deals they get, and the chips they end with.

`play_lineups` plays many matches of the same players in any seats. If all of them are compiled, one kernel plays them all;
if a Python agent sits at the table, the same loop (`play.loop.advance`) stops for its decisions. Either way match `i`
gets the same deals and the same random choices, so the two ways play the same hands.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.event import Event
from nemesis.observe.view import View
from nemesis.play.loop import (
    DRAIN,
    FINISHED,
    NEEDS_DEALS,
    NO_ACTION,
    NOBODY,
    PYTHON_WATCHER,
    Desk,
    Lineups,
    Seating,
    advance,
    new_desk,
    play_matches,
    seat_agents,
    start_match,
)
from nemesis.respond.agent import Agent, AgentError, CompiledAgent
from nemesis.rules.deal import CHUNK, Bank, deal_key, deal_tables, empty_bank, fill_bank, plan_deals
from nemesis.rules.game import MAX_SEATS, Game
from nemesis.runtime.chance import stream_key
from nemesis.runtime.compiled import entry

FREEZE_OUT_STRIDE = 1 << 20
BANK_ROWS = 1024
DEFAULT_TIME_LIMIT = 10.0
_TICKS = 4

Guard = Callable[..., Any]


@dataclass(frozen=True)
class Player:
    """Somebody who can sit down: a label and how to make the agent for a game (picklable, for workers)."""

    label: str
    make: Callable[[Game], Agent]


@dataclass(frozen=True)
class Played:
    """What came out: chips won and hands that brought some by (match, seat), and hands played by match."""

    won: NDArray[np.int64]
    took: NDArray[np.int64]
    hands: NDArray[np.int64]


def play_lineups(
    game: Game,
    agents: Sequence[Agent],
    seats: NDArray[np.int64],
    numbers: NDArray[np.int64],
    *,
    hands: int,
    seed: int,
    freeze_out: bool = False,
    until_out: NDArray[np.int64] | None = None,
    time_limit: float = DEFAULT_TIME_LIMIT,
    advanced: Callable[[int], None] = lambda hands: None,
) -> Played:
    """Play one match per row of `seats` (agent indices by seat) on the deals of match number `numbers[row]`.

    Rows with the same number get the same deals. A match is `hands` long; in a freeze-out it ends when one seat has
    every chip, or after `hands` hands. Who asks only how one seat fares names it for each row, `until_out`: nothing can
    bring a seat back that has lost everything, so the match ends there too, and the other seats' chips mean little.
    """
    if seats.shape[1] != game.seats:
        raise ValueError(f"{game.name} has {game.seats} seats, but the lineup names {seats.shape[1]}")
    arena = Arena(game, agents, seed)
    lineups = arena.lineups(seats, numbers, hands, freeze_out, until_out)
    won, took = np.zeros(seats.shape, np.int64), np.zeros(seats.shape, np.int64)
    played = np.zeros(len(seats), np.int64)
    if all(isinstance(agent, CompiledAgent) for agent in agents):
        play_matches(
            arena.rules, arena.plan, arena.tables, arena.key, lineups, hands, freeze_out,
            arena.desk, arena.seating, arena.bank, won, took, played,
        )  # fmt: skip
    else:
        for match in range(len(seats)):
            at_table = [agents[index] for index in seats[match]]
            arena.play_with_python(lineups, match, at_table, hands, freeze_out, time_limit)
            won[match] = arena.desk.match["won"][0, : game.seats]
            took[match] = arena.desk.match["took"][0, : game.seats]
            played[match] = arena.desk.match["hand"][0]
            advanced(int(played[match]))
    return Played(won, took, played)


class Arena:
    """The arrays that playing needs, made once for many matches."""

    def __init__(
        self, game: Game, agents: Sequence[Agent], seed: int, bank: Bank | None = None, taping: bool = False
    ) -> None:
        facts = frozenset[str]().union(*(agent.facts for agent in agents))
        self.game = game
        self.agents = agents
        self.seed = seed
        self.rules = rules_by_players(game)
        self.plan = plan_deals(game, facts)
        self.tables = deal_tables(game, facts)
        self.key = deal_key(game, seed)
        self.desk: Desk = new_desk(taping)
        self.tape: list[int] = []
        self.events: list[Event] = []
        self.rows = 0 if bank is None else len(bank.ranks)
        self.bank: Bank = empty_bank(game, BANK_ROWS) if bank is None else bank
        compiled = [agent for agent in agents if isinstance(agent, CompiledAgent)]
        most = max((agent.template.size for agent in compiled), default=0)
        self.seating = Seating(
            acts=np.zeros(MAX_SEATS, np.int64),
            watches=np.zeros(MAX_SEATS, np.int64),
            hears=np.zeros(MAX_SEATS, np.int64),
            offsets=np.zeros(MAX_SEATS, np.int64),
            sizes=np.zeros(MAX_SEATS, np.int64),
            memory=np.zeros(MAX_SEATS * max(1, most)),
        )

    def lineups(
        self,
        seats: NDArray[np.int64],
        numbers: NDArray[np.int64],
        hands: int,
        freeze_out: bool,
        until_out: NDArray[np.int64] | None = None,
    ) -> Lineups:
        """The arrays of many matches that the loop reads."""
        addresses = [_addresses(agent) for agent in self.agents]
        templates = [agent.template if isinstance(agent, CompiledAgent) else np.zeros(0) for agent in self.agents]
        sizes = np.array([template.size for template in templates], np.int64)
        stride = FREEZE_OUT_STRIDE if freeze_out else hands
        different, which = np.unique(numbers, return_inverse=True)
        keys = np.array([stream_key(self.seed, 1, int(number)) for number in different], np.int64)[which]
        return Lineups(
            np.ascontiguousarray(seats, np.int64),
            np.asarray(numbers, np.int64) * stride,
            keys,
            np.full(len(seats), NOBODY, np.int64) if until_out is None else np.asarray(until_out, np.int64),
            np.array([act for act, _ in addresses], np.int64),
            np.array([watch for _, watch in addresses], np.int64),
            np.array([sum(1 << kind for kind in agent.hears) for agent in self.agents], np.int64),
            np.cumsum(sizes) - sizes,
            sizes,
            np.concatenate([*templates, np.zeros(1)]),
        )

    def play_with_python(
        self,
        lineups: Lineups,
        match: int,
        agents: Sequence[Agent],
        hands: int,
        freeze_out: bool,
        time_limit: float,
    ) -> None:
        """Play one match in which Python agents sit, through the same loop."""
        seat_agents(lineups, match, self.seating)
        start_match(self.rules, self.desk, self.seating, hands, freeze_out, lineups.keys[match], self.rows)
        self.desk.match["awaited"] = lineups.awaited[match]
        record, view, rows, answer = self.desk.match[0], View(self.desk.views), 0, NO_ACTION
        listening = bool((self.seating.watches[: self.game.seats] == PYTHON_WATCHER).any())
        play_on = entry(advance, self.rules, self.desk, self.seating, self.bank, answer)
        with guarded(time_limit) as guard:
            for seat, agent in enumerate(agents):
                if not isinstance(agent, CompiledAgent):
                    guard(agent, agent.sit, self.game, seat)
            while True:
                seat = play_on(self.rules, self.desk, self.seating, self.bank, answer)
                answer = NO_ACTION
                if listening:
                    drain_log(self.desk, self.events, agents, guard)
                if self.desk.tape.size:
                    self._collect_tape()
                if seat >= 0:
                    answer = guard(agents[seat], agents[seat].act, view)
                    if type(answer) is not int or answer < 0:
                        answer = checked_action(agents[seat], answer)
                elif seat == NEEDS_DEALS:
                    if rows + CHUNK > BANK_ROWS:
                        record["first_row"], rows = record["hand"], 0
                    number = int(lineups.deals[match] + record["hand"])
                    fill_bank(self.plan, self.tables, self.key, number, rows, CHUNK, self.bank)
                    rows += CHUNK
                    record["rows"] = rows
                elif seat == FINISHED:
                    return
                elif seat != DRAIN:
                    raise RuntimeError(f"the loop returned {seat}, which nobody understands")

    def _collect_tape(self) -> None:
        record = self.desk.match[0]
        self.tape += self.desk.tape[: record["taped"]].tolist()
        record["taped"] = 0


def any_slow(players: Sequence[Player], game: Game) -> bool:
    """Whether a Python agent is among them, which makes hands a hundred times slower."""
    return any(not isinstance(player.make(game), CompiledAgent) for player in players)


def _addresses(agent: Agent) -> tuple[int, int]:
    if isinstance(agent, CompiledAgent):
        return agent.addresses
    return 0, PYTHON_WATCHER if agent.hears else 0


def rules_by_players(game: Game) -> NDArray[np.void]:
    """The compiled rules for every number of players up to the game's seats, at that index."""
    full = game.compiled()
    rows = [full] * (game.seats + 1)
    for players in range(2, game.seats):
        rows[players] = game.seated(players).compiled()
    return np.concatenate(rows)


def drain_log(desk: Desk, events: list[Event], agents: Sequence[Agent], guard: Guard) -> None:
    """Tell Python agents the events that are waiting for them; `events` reads the rows of the log."""
    record = desk.match[0]
    for i in range(int(record["logged"])):
        if i == len(events):
            events.append(Event(desk.log[i : i + 1]))
        event = events[i]
        agent = agents[event.me]
        guard(agent, agent.watch, event)
    record["logged"] = 0


class _OutOfTime(BaseException):
    """Raised inside an agent that thinks too long; a BaseException so that an agent's `except Exception` misses it."""


@contextmanager
def guarded(seconds: float) -> Iterator[Guard]:
    """Gives `guard(agent, method, *arguments)`, which calls the method and turns what goes wrong into an AgentError.

    That includes taking longer than `seconds`. A timer ticks `_TICKS` times per limit and gives up on a call that has seen
    so many ticks and one more, so nothing is paid per call. It needs a POSIX timer and the main thread; elsewhere, and
    with 0 seconds, there is no limit.
    """
    calls = ticks = ticked = 0
    thinking = False

    def tick(signum: int, frame: object) -> None:
        nonlocal ticks, ticked
        ticks = ticks + 1 if thinking and ticked == calls else 0
        ticked = calls
        if ticks > _TICKS:
            raise _OutOfTime

    def guard(agent: Agent, method: Callable[..., Any], *arguments: Any) -> Any:
        nonlocal calls, thinking
        calls += 1
        thinking = True
        try:
            return method(*arguments)
        except _OutOfTime:
            raise AgentError(f"agent {agent.name} did not answer within {seconds:g} s") from None
        except Exception as error:
            raise AgentError(f"agent {agent.name} raised {type(error).__name__}: {error}") from error
        finally:
            thinking = False

    if seconds <= 0 or threading.current_thread() is not threading.main_thread() or not hasattr(signal, "SIGALRM"):
        yield guard
        return
    before = signal.signal(signal.SIGALRM, tick)
    signal.setitimer(signal.ITIMER_REAL, seconds / _TICKS, seconds / _TICKS)
    try:
        yield guard
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def checked_action(agent: Agent, action: object) -> int:
    """The action as an int, or an AgentError that says what an action is."""
    if isinstance(action, (int, np.integer)) and not isinstance(action, bool) and action >= 0:
        return int(action)
    raise AgentError(
        f"agent {agent.name} answered {action!r}; an action is 0 (fold), 1 (check or call) or a whole number of chips "
        "from 2 on to raise to"
    )
