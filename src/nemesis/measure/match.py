"""Matches: agents at a table, the deals they get, and the chips they end with.

`play_lineups` plays many matches of the same players in any seats. If all of them are compiled, one kernel plays them all;
if a Python agent sits at the table, the same loop (`measure.loop.advance`) stops for its decisions. Either way match `i`
gets the same deals and the same random choices, so the two ways play the same hands.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.loop import (
    DRAIN,
    FINISHED,
    NEEDS_DEALS,
    NO_ACTION,
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
from nemesis.observe.event import Event
from nemesis.observe.view import View
from nemesis.respond.agent import Agent, AgentError, CompiledAgent, watches
from nemesis.rules.chance import stream_key
from nemesis.rules.deal import CHUNK, Bank, deal_key, deal_tables, empty_bank, fill_bank, plan_deals
from nemesis.rules.game import MAX_SEATS, Game

FREEZE_OUT_STRIDE = 1 << 20
BANK_ROWS = 1024
DEFAULT_TIME_LIMIT = 10.0


@dataclass(frozen=True)
class Player:
    """Somebody who can sit down: a label and how to make the agent for a game (picklable, for workers)."""

    label: str
    make: Callable[[Game], Agent]


@dataclass(frozen=True)
class Played:
    """What came out: chips won by (match, seat) and hands played by match."""

    won: NDArray[np.int64]
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
    time_limit: float = DEFAULT_TIME_LIMIT,
    advanced: Callable[[int], None] = lambda hands: None,
) -> Played:
    """Play one match per row of `seats` (agent indices by seat) on the deals of match number `numbers[row]`.

    Rows with the same number get the same deals. A match is `hands` long; in a freeze-out it ends when one seat has
    every chip, or after `hands` hands.
    """
    if seats.shape[1] != game.seats:
        raise ValueError(f"{game.name} has {game.seats} seats, but the lineup names {seats.shape[1]}")
    facts = frozenset[str]().union(*(agent.facts for agent in agents))
    arena = _Arena(game, agents, facts, seed)
    lineups = arena.lineups(seats, numbers, hands, freeze_out)
    won = np.zeros(seats.shape, np.int64)
    played = np.zeros(len(seats), np.int64)
    if all(isinstance(agent, CompiledAgent) for agent in agents):
        play_matches(
            arena.rules, arena.plan, arena.tables, arena.key, lineups, hands, freeze_out,
            arena.desk, arena.seating, arena.bank, won, played,
        )  # fmt: skip
    else:
        for match in range(len(seats)):
            at_table = [agents[index] for index in seats[match]]
            arena.play_with_python(lineups, match, at_table, hands, freeze_out, time_limit)
            won[match] = arena.desk.match["won"][0, : game.seats]
            played[match] = arena.desk.match["hand"][0]
            advanced(int(played[match]))
    return Played(won, played)


class _Arena:
    """The arrays that playing needs, made once for many matches."""

    def __init__(self, game: Game, agents: Sequence[Agent], facts: frozenset[str], seed: int) -> None:
        self.game = game
        self.agents = agents
        self.seed = seed
        self.rules = rules_by_players(game)
        self.plan = plan_deals(game, facts)
        self.tables = deal_tables(game, facts)
        self.key = deal_key(game, seed)
        self.desk: Desk = new_desk()
        self.bank: Bank = empty_bank(game, BANK_ROWS)
        compiled = [agent for agent in agents if isinstance(agent, CompiledAgent)]
        most = max((agent.template.size for agent in compiled), default=0)
        self.seating = Seating(
            *(np.zeros(MAX_SEATS, np.int64) for _ in range(4)), memory=np.zeros(MAX_SEATS * max(1, most))
        )

    def lineups(
        self, seats: NDArray[np.int64], numbers: NDArray[np.int64], hands: int, freeze_out: bool
    ) -> Lineups:
        """The arrays of many matches that the loop reads."""
        addresses = [_addresses(agent) for agent in self.agents]
        templates = [
            agent.template if isinstance(agent, CompiledAgent) else np.zeros(0) for agent in self.agents
        ]
        sizes = np.array([template.size for template in templates], np.int64)
        stride = FREEZE_OUT_STRIDE if freeze_out else hands
        keys = [stream_key(self.seed, 1, int(number)) for number in numbers]
        return Lineups(
            np.ascontiguousarray(seats, np.int64),
            np.asarray(numbers, np.int64) * stride,
            np.array(keys, np.int64),
            np.array([act for act, _ in addresses], np.int64),
            np.array([watch for _, watch in addresses], np.int64),
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
        start_match(self.rules, self.desk, self.seating, hands, freeze_out, lineups.keys[match], 0)
        for seat, agent in enumerate(agents):
            if not isinstance(agent, CompiledAgent):
                with _blamed(agent):
                    agent.sit(self.game, seat)
        record, rows = self.desk.match[0], 0
        view = View(self.desk.views)
        listening = bool((self.seating.watches[: self.game.seats] == PYTHON_WATCHER).any())
        answer = NO_ACTION
        with time_limited(time_limit) as ask:
            while True:
                seat = advance(self.rules, self.desk, self.seating, self.bank, answer)
                answer = NO_ACTION
                if listening:
                    drain_log(self.desk, agents)
                if seat >= 0:
                    answer = ask(agents[seat], view)
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


def _addresses(agent: Agent) -> tuple[int, int]:
    if isinstance(agent, CompiledAgent):
        return agent.addresses
    return 0, PYTHON_WATCHER if watches(agent) else 0


def rules_by_players(game: Game) -> NDArray[np.void]:
    """The compiled rules for every number of players up to the game's seats, at that index."""
    full = game.compiled()
    rows = [full] * (game.seats + 1)
    for players in range(2, game.seats):
        rows[players] = game.seated(players).compiled()
    return np.concatenate(rows)


def drain_log(desk: Desk, agents: Sequence[Agent]) -> None:
    """Tell Python agents the events that are waiting for them."""
    record = desk.match[0]
    for i in range(int(record["logged"])):
        event = Event(desk.log[i : i + 1])
        agent = agents[event.me]
        with _blamed(agent):
            agent.watch(event)
    record["logged"] = 0


class _OutOfTime(BaseException):
    """Raised inside an agent that thinks too long; a BaseException so that an agent's `except Exception` misses it."""


@contextmanager
def time_limited(seconds: float) -> Iterator[Callable[[Agent, View], int]]:
    """Gives `ask(agent, view)`, which returns a checked action or raises AgentError, also when time is up.

    The limit needs a POSIX alarm and the main thread; elsewhere agents are asked without one.
    """
    limited = seconds > 0 and threading.current_thread() is threading.main_thread() and hasattr(signal, "SIGALRM")

    def ring(signum: int, frame: object) -> None:
        raise _OutOfTime

    def ask(agent: Agent, view: View) -> int:
        try:
            if limited:
                signal.setitimer(signal.ITIMER_REAL, seconds)
            action = agent.act(view)
        except _OutOfTime:
            raise AgentError(f"agent {agent.name} did not answer within {seconds:g} s") from None
        except Exception as error:
            raise AgentError(_blame(agent, error)) from error
        finally:
            if limited:
                signal.setitimer(signal.ITIMER_REAL, 0)
        if type(action) is int and action >= 0:
            return action
        return checked_action(agent, action)

    before = signal.signal(signal.SIGALRM, ring) if limited else None
    try:
        yield ask
    finally:
        if limited:
            signal.signal(signal.SIGALRM, before)


def checked_action(agent: Agent, action: object) -> int:
    """The action as an int, or an AgentError that says what an action is."""
    if isinstance(action, (int, np.integer)) and not isinstance(action, bool) and action >= 0:
        return int(action)
    raise AgentError(
        f"agent {agent.name} answered {action!r}; an action is 0 (fold), 1 (check or call) or a whole number of chips "
        "from 2 on to raise to"
    )


@contextmanager
def _blamed(agent: Agent) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        raise AgentError(_blame(agent, error)) from error


def _blame(agent: Agent, error: Exception) -> str:
    return f"agent {agent.name} raised {type(error).__name__}: {error}"

