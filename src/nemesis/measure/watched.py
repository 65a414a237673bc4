"""Players under observation: the statistics of compiled agents, counted while they play at full speed.

`watched` wraps an agent so that it plays exactly as before and keeps a page of counts about itself
(`observe.statistics`) in its memory; `play_watched` plays matches through the house's one loop and collects the pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.statistics import COUNTS, HEARS, PAGE, Statistics, from_page, note_event
from nemesis.play.loop import new_outcomes
from nemesis.play.match import Arena, Played
from nemesis.respond.agent import ACT, WATCH, Agent, CompiledAgent, Memory, call_act, call_watch
from nemesis.rules.game import Game
from nemesis.runtime.borrowed import borrowed
from nemesis.runtime.compiled import njit
from nemesis.runtime.memory import CELL, REST, Layout


class Places(NamedTuple):
    """The memory: the kernels of the player inside and the events it hears, the page of counts, and its own memory."""

    act: int = CELL
    watch: int = CELL
    hears: int = CELL
    page: int = PAGE
    own: int = REST


LAYOUT = Layout(Places)
AT = LAYOUT.at


@dataclass(frozen=True, eq=False)
class Watched:
    """What came out, and by match and seat a page of counts (`observe.statistics.COUNTS`)."""

    played: Played
    counts: NDArray[np.float64]


@njit(ACT, error_model="numpy")
def _act(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    return call_act(np.int64(memory[AT.act]), view, borrowed(memory, AT.own, memory.size - AT.own), chance)


@njit(WATCH, error_model="numpy")
def _count(event: NDArray[np.void], memory: Memory) -> None:
    """Count, then let the agent itself watch. Writes `memory`."""
    e = event[0]
    note_event(borrowed(memory, AT.page, PAGE), e)
    if (np.int64(memory[AT.hears]) >> e.kind) & 1:
        call_watch(np.int64(memory[AT.watch]), event, borrowed(memory, AT.own, memory.size - AT.own))


def watched(agent: Agent) -> CompiledAgent:
    """The same player with a page of counts about itself, to play in this process."""
    if not isinstance(agent, CompiledAgent):
        raise TypeError(
            f"agent {agent.name} is written in Python; record its hands and use statistics_of_hands instead"
        )
    # An address fits a float exactly: it is below 2**53.
    hears = {*HEARS, *agent.hears}
    act, watch = agent.addresses
    memory = LAYOUT.template(
        act=act, watch=watch, hears=sum(1 << kind for kind in agent.hears),
        own=agent.template if agent.template.size else np.zeros(1),
    )  # fmt: skip
    return CompiledAgent(agent.name, _act, _count, memory, agent.facts, hears)


def play_watched(
    game: Game,
    agents: Sequence[Agent],
    seats: NDArray[np.int64],
    numbers: NDArray[np.int64],
    *,
    hands: int,
    seed: int,
) -> Watched:
    """As `play_lineups`, with a page of counts for every seat of every match."""
    arena = Arena(game, [watched(agent) for agent in agents], seed)
    outcomes = new_outcomes(seats.shape, AT.page, len(COUNTS))
    played = arena.play(arena.lineups(seats, numbers, hands, False), outcomes)
    return Watched(played, outcomes.pages)


def statistics_of_agents(agents: Sequence[Agent], seats: NDArray[np.int64], found: Watched) -> list[Statistics]:
    """Every agent's statistics over all of its matches."""
    return [from_page(agent.name, found.counts[seats == at].sum(axis=0)) for at, agent in enumerate(agents)]
