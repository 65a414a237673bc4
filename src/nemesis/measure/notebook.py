"""What players did, written down while they play at full speed.

`noting` wraps a compiled agent: it plays exactly as before and keeps a notebook of its own *informative* actions (all but
checks that cost nothing) in its memory: how many of each kind on each street, and the first so many in order. Memories
are lost when a match ends, so `play_noting` plays the matches through the house's one loop and copies every seat's
notebook out after each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.loop import Desk, Lineups, Seating, call_act, call_watch, play_matches
from nemesis.measure.match import Arena, Played
from nemesis.observe.event import ACTS
from nemesis.respond.agent import ACT, WATCH, Agent, CompiledAgent, Memory
from nemesis.rules.betting import CALL
from nemesis.rules.compiled import borrowed, njit
from nemesis.rules.deal import Bank, Tables
from nemesis.rules.game import MAX_STREETS, Game

KINDS = 3 * MAX_STREETS
"""An informative action is written as `street * 3 + action`."""

_ACT, _WATCH, _HEARS, _ROOM, _SEEN, _COUNTS = range(6)
_CODES = _COUNTS + KINDS


@dataclass(frozen=True, eq=False)
class Notes:
    """By match and seat: how many actions of each kind, how many in all, and the first ones in order (-1 after the last)."""

    played: Played
    counts: NDArray[np.int64]
    seen: NDArray[np.int64]
    actions: NDArray[np.int64]


@njit(ACT, error_model="numpy")
def _act(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    start = _CODES + np.int64(memory[_ROOM])
    return call_act(np.int64(memory[_ACT]), view, borrowed(memory, start, memory.size - start), chance)


@njit(WATCH, error_model="numpy")
def _note(event: NDArray[np.void], memory: Memory) -> None:
    """Write the seat's own informative actions down, then let the agent itself watch. Writes `memory`."""
    e = event[0]
    room = np.int64(memory[_ROOM])
    if e.kind == ACTS and e.seat == e.me and (e.to_call > 0 or e.action != CALL):
        kind = e.street * 3 + e.action
        memory[_COUNTS + kind] += 1
        seen = np.int64(memory[_SEEN])
        memory[_SEEN] = seen + 1
        if seen < room:
            memory[_CODES + seen] = kind
    if (np.int64(memory[_HEARS]) >> e.kind) & 1:
        start = _CODES + room
        call_watch(np.int64(memory[_WATCH]), event, borrowed(memory, start, memory.size - start))


def noting(agent: Agent, actions: int = 0) -> CompiledAgent:
    """The same player with a notebook with room for its first `actions` informative actions, to play in this process."""
    if not isinstance(agent, CompiledAgent):
        raise TypeError(f"agent {agent.name} is written in Python; notebooks are for compiled agents")
    # An address fits a float exactly: it is below 2**53.
    hears = {ACTS, *agent.hears}
    head = np.array([*agent.addresses, sum(1 << kind for kind in agent.hears), actions, 0.0])
    own = agent.template if agent.template.size else np.zeros(1)
    memory = np.concatenate([head, np.zeros(KINDS), np.full(actions, -1.0), own])
    return CompiledAgent(agent.name, _act, _note, memory, agent.facts, hears)


def play_noting(
    game: Game,
    agents: Sequence[Agent],
    seats: NDArray[np.int64],
    numbers: NDArray[np.int64],
    *,
    hands: int,
    seed: int,
    freeze_out: bool = False,
    actions: int = 0,
) -> Notes:
    """As `play_lineups`, with every seat's notebook at the end of its match."""
    if seats.shape[1] != game.seats:
        raise ValueError(f"{game.name} has {game.seats} seats, but the lineup names {seats.shape[1]}")
    arena = Arena(game, [noting(agent, actions) for agent in agents], seed)
    lineups = arena.lineups(seats, numbers, hands, freeze_out)
    played = Played(np.zeros(seats.shape, np.int64), np.zeros(len(seats), np.int64))
    pages = np.zeros((*seats.shape, 1 + KINDS + actions))
    play_and_copy(
        arena.rules, arena.plan, arena.tables, arena.key, lineups, hands, freeze_out,
        arena.desk, arena.seating, arena.bank, played.won, played.hands, _SEEN, pages,
    )  # fmt: skip
    books = pages.astype(np.int64)
    return Notes(played, books[..., 1 : 1 + KINDS], books[..., 0], books[..., 1 + KINDS :])


@njit(error_model="numpy")
def play_and_copy(
    rules: NDArray[np.void],
    plan: NDArray[np.void],
    tables: Tables,
    deal_key: int,
    lineups: Lineups,
    hands: int,
    freeze_out: bool,
    desk: Desk,
    seating: Seating,
    bank: Bank,
    won: NDArray[np.int64],
    played: NDArray[np.int64],
    first: int,
    pages: NDArray[np.float64],
) -> None:
    """Play every match by itself, and copy each seat's memory from place `first` on into `pages` (match, seat, place).

    Writes `won`, `played` and `pages`.
    """
    for match in range(lineups.agents.shape[0]):
        only = Lineups(
            lineups.agents[match : match + 1],
            lineups.deals[match : match + 1],
            lineups.keys[match : match + 1],
            lineups.acts,
            lineups.watches,
            lineups.hears,
            lineups.starts,
            lineups.sizes,
            lineups.templates,
        )
        play_matches(
            rules, plan, tables, deal_key, only, hands, freeze_out, desk, seating, bank,
            won[match : match + 1], played[match : match + 1],
        )  # fmt: skip
        for seat in range(lineups.agents.shape[1]):
            start = seating.offsets[seat] + first
            for place in range(pages.shape[2]):
                pages[match, seat, place] = seating.memory[start + place]
