"""What players did, written down while they play at full speed.

`noting` wraps a compiled agent: it plays exactly as before and keeps a notebook of its own *informative* actions (all but
checks that cost nothing) in its memory: how many of each kind on each street, and the first so many in order. If asked, it
also writes down its first so many *deeds*: every action in which it had a choice, with its situation, how strong its
cards were and whether they came to be shown (`nemesis.believe.situation`). Memories are lost when a match ends, so
`play_noting` plays the matches through the house's one loop and copies every seat's notebook out after each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.situation import FORCED, deed_of, facing, mark_shown
from nemesis.observe.event import ACTS, SHOWS
from nemesis.play.loop import Desk, Lineups, Seating, play_matches
from nemesis.play.match import Arena, Played
from nemesis.respond.agent import ACT, WATCH, Agent, CompiledAgent, Memory, call_act, call_watch
from nemesis.rules.betting import CALL
from nemesis.rules.deal import Bank, Tables
from nemesis.rules.game import MAX_STREETS, Game
from nemesis.runtime.borrowed import borrowed
from nemesis.runtime.compiled import inlined, njit

KINDS = 3 * MAX_STREETS
"""An informative action is written as `street * 3 + action`."""

_ACT, _WATCH, _HEARS, _ROOM, _DEED_ROOM, _WIN, _HAND, _HAND_DEED, _DEEDS, _SEEN, _COUNTS = range(11)
"""Places in the memory: the agent inside; the hand in play, where its deeds begin, how many deeds; then what is copied."""
_CODES = _COUNTS + KINDS


@dataclass(frozen=True, eq=False)
class Notes:
    """By match and seat: how many actions of each kind, how many in all, the first ones and the first deeds in order.

    After the last of them stands -1.
    """

    played: Played
    counts: NDArray[np.int64]
    seen: NDArray[np.int64]
    actions: NDArray[np.int64]
    deeds: NDArray[np.int64]


@inlined
def inside(memory: Memory) -> Any:
    """Where the memory of the agent itself begins."""
    return np.int64(_CODES + memory[_ROOM] + memory[_DEED_ROOM])


@njit(ACT, error_model="numpy")
def _act(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    start = inside(memory)
    memory[_WIN] = view[0].win
    return call_act(np.int64(memory[_ACT]), view, borrowed(memory, start, memory.size - start), chance)


@inlined
def note_action(memory: Memory, e: Any) -> None:
    """Count an action, if it is informative. Writes `memory`."""
    if e.to_call > 0 or e.action != CALL:
        kind = e.street * 3 + e.action
        memory[_COUNTS + kind] += 1
        seen = np.int64(memory[_SEEN])
        memory[_SEEN] = seen + 1
        if seen < memory[_ROOM]:
            memory[_CODES + seen] = kind


@inlined
def note_deed(memory: Memory, e: Any) -> None:
    """Write an action down with its situation, if there was a choice and there is room. Writes `memory`."""
    faced = facing(e.to_call, e.max_to)
    done = np.int64(memory[_DEEDS])
    if faced == FORCED or done >= memory[_DEED_ROOM]:
        return
    first = 1 if memory[_HAND] != e.hand else 0
    if first == 1:
        memory[_HAND] = e.hand
        memory[_HAND_DEED] = done
    deed = deed_of(first, e.action, e.street, faced, e.opponents, memory[_WIN])
    memory[np.int64(_CODES + memory[_ROOM]) + done] = deed
    memory[_DEEDS] = done + 1


@njit(WATCH, error_model="numpy")
def _note(event: NDArray[np.void], memory: Memory) -> None:
    """Write the seat's own actions down, then let the agent itself watch. Writes `memory`."""
    e = event[0]
    if e.seat == e.me:
        if e.kind == ACTS:
            note_action(memory, e)
            note_deed(memory, e)
        elif e.kind == SHOWS and memory[_HAND] == e.hand:
            deeds = np.int64(_CODES + memory[_ROOM])
            for i in range(np.int64(memory[_HAND_DEED]), np.int64(memory[_DEEDS])):
                deed: Any = np.int64(memory[deeds + i])
                memory[deeds + i] = mark_shown(deed)
    if (np.int64(memory[_HEARS]) >> e.kind) & 1:
        start = inside(memory)
        call_watch(np.int64(memory[_WATCH]), event, borrowed(memory, start, memory.size - start))


def noting(agent: Agent, actions: int = 0, deeds: int = 0) -> CompiledAgent:
    """The same player with a notebook with room for its first actions and deeds, to play in this process."""
    if not isinstance(agent, CompiledAgent):
        raise TypeError(f"agent {agent.name} is written in Python; notebooks are for compiled agents")
    # An address fits a float exactly: it is below 2**53.
    hears = {ACTS, *agent.hears} | ({SHOWS} if deeds else set())
    facts = {*agent.facts} | ({"win"} if deeds else set())
    head = np.zeros(_CODES)
    head[: _DEED_ROOM + 1] = (*agent.addresses, sum(1 << kind for kind in agent.hears), actions, deeds)
    head[_HAND] = -1
    own = agent.template if agent.template.size else np.zeros(1)
    memory = np.concatenate([head, np.full(actions + deeds, -1.0), own])
    return CompiledAgent(agent.name, _act, _note, memory, facts, hears)


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
    deeds: int = 0,
) -> Notes:
    """As `play_lineups`, with every seat's notebook, room for so many `actions` and `deeds`, at the end of its match."""
    if seats.shape[1] != game.seats:
        raise ValueError(f"{game.name} has {game.seats} seats, but the lineup names {seats.shape[1]}")
    arena = Arena(game, [noting(agent, actions, deeds) for agent in agents], seed)
    lineups = arena.lineups(seats, numbers, hands, freeze_out)
    shape = seats.shape
    played = Played(np.zeros(shape, np.int64), np.zeros(shape, np.int64), np.zeros(len(seats), np.int64))
    pages = np.zeros((*shape, 1 + KINDS + actions + deeds))
    play_and_copy(
        arena.rules, arena.plan, arena.tables, arena.key, lineups, hands, freeze_out,
        arena.desk, arena.seating, arena.bank, played.won, played.took, played.hands, _SEEN, pages,
    )  # fmt: skip
    books = pages.astype(np.int64)
    counts, noted = books[..., 1 : 1 + KINDS], books[..., 1 + KINDS :]
    return Notes(played, counts, books[..., 0], noted[..., :actions], noted[..., actions:])


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
    took: NDArray[np.int64],
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
            lineups.awaited[match : match + 1],
            lineups.acts,
            lineups.watches,
            lineups.hears,
            lineups.starts,
            lineups.sizes,
            lineups.templates,
        )
        play_matches(
            rules, plan, tables, deal_key, only, hands, freeze_out, desk, seating, bank,
            won[match : match + 1], took[match : match + 1], played[match : match + 1],
        )  # fmt: skip
        for seat in range(lineups.agents.shape[1]):
            start = seating.offsets[seat] + first
            for place in range(pages.shape[2]):
                pages[match, seat, place] = seating.memory[start + place]
