"""What players did, written down while they play at full speed.

`noting` wraps a compiled agent: it plays exactly as before and keeps a notebook of its own *informative* actions (all but
checks that cost nothing) in its memory: how many of each kind on each street, and the first so many in order. If asked, it
also writes down its first so many *choices*: every action in which it had a choice, with its situation, how strong its
cards were and whether they came to be shown (`nemesis.believe.situation`). `play_noting` keeps every seat's notebook at the
end of its match.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.situation import FORCED, choice_code, facing, mark_shown
from nemesis.observe.event import ACTS, SHOWS
from nemesis.play.loop import new_outcomes
from nemesis.play.match import Arena, Played
from nemesis.respond.agent import ACT, WATCH, Agent, CompiledAgent, Memory, call_act, call_watch
from nemesis.rules.betting import CALL
from nemesis.rules.game import MAX_STREETS, Game
from nemesis.runtime.borrowed import borrowed
from nemesis.runtime.compiled import inlined, njit
from nemesis.runtime.memory import CELL, REST, WHERE, Layout

KINDS = 3 * MAX_STREETS
"""An informative action is written as `street * 3 + action`."""


class Places(NamedTuple):
    """The memory: the player inside, the hand in play, and from `seen` on what is copied; then the player's own memory."""

    act: int = CELL
    watch: int = CELL
    hears: int = CELL
    room: int = CELL
    choice_room: int = CELL
    win: int = CELL
    hand: int = CELL
    first_choice: int = CELL
    chosen: int = CELL
    choices: int = WHERE
    own: int = WHERE
    seen: int = CELL
    counts: int = KINDS
    actions: int = REST


LAYOUT = Layout(Places)
AT = LAYOUT.at


@dataclass(frozen=True, eq=False)
class Notes:
    """By match and seat: how many actions of each kind, how many in all, the first ones and the first choices in order.

    After the last of them stands -1.
    """

    played: Played
    counts: NDArray[np.int64]
    seen: NDArray[np.int64]
    actions: NDArray[np.int64]
    choices: NDArray[np.int64]


@inlined
def inside(memory: Memory) -> Any:
    """Where the memory of the agent itself begins."""
    return np.int64(memory[AT.own])


@njit(ACT, error_model="numpy")
def _act(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    start = inside(memory)
    memory[AT.win] = view[0].win
    return call_act(np.int64(memory[AT.act]), view, borrowed(memory, start, memory.size - start), chance)


@inlined
def note_action(memory: Memory, e: Any) -> None:
    """Count an action, if it is informative. Writes `memory`."""
    if e.to_call > 0 or e.action != CALL:
        kind = e.street * 3 + e.action
        memory[AT.counts + kind] += 1
        seen = np.int64(memory[AT.seen])
        memory[AT.seen] = seen + 1
        if seen < memory[AT.room]:
            memory[AT.actions + seen] = kind


@inlined
def note_choice(memory: Memory, e: Any) -> None:
    """Write an action down with its situation, if there was a choice and there is room. Writes `memory`."""
    faced = facing(e.to_call, e.max_to)
    done = np.int64(memory[AT.chosen])
    if faced == FORCED or done >= memory[AT.choice_room]:
        return
    first = 1 if memory[AT.hand] != e.hand else 0
    if first == 1:
        memory[AT.hand] = e.hand
        memory[AT.first_choice] = done
    choice = choice_code(first, e.action, e.street, faced, e.opponents, memory[AT.win])
    memory[np.int64(memory[AT.choices]) + done] = choice
    memory[AT.chosen] = done + 1


@njit(WATCH, error_model="numpy")
def _note(event: NDArray[np.void], memory: Memory) -> None:
    """Write the seat's own actions down, then let the agent itself watch. Writes `memory`."""
    e = event[0]
    if e.seat == e.me:
        if e.kind == ACTS:
            note_action(memory, e)
            note_choice(memory, e)
        elif e.kind == SHOWS and memory[AT.hand] == e.hand:
            choices = np.int64(memory[AT.choices])
            for i in range(np.int64(memory[AT.first_choice]), np.int64(memory[AT.chosen])):
                choice: Any = np.int64(memory[choices + i])
                memory[choices + i] = mark_shown(choice)
    if (np.int64(memory[AT.hears]) >> e.kind) & 1:
        start = inside(memory)
        call_watch(np.int64(memory[AT.watch]), event, borrowed(memory, start, memory.size - start))


def noting(agent: Agent, actions: int = 0, choices: int = 0) -> CompiledAgent:
    """The same player with a notebook with room for its first actions and choices, to play in this process."""
    if not isinstance(agent, CompiledAgent):
        raise TypeError(f"agent {agent.name} is written in Python; notebooks are for compiled agents")
    # An address fits a float exactly: it is below 2**53.
    hears = {ACTS, *agent.hears} | ({SHOWS} if choices else set())
    facts = {*agent.facts} | ({"win"} if choices else set())
    act, watch = agent.addresses
    memory = LAYOUT.template(
        act=act, watch=watch, hears=sum(1 << kind for kind in agent.hears), room=actions, choice_room=choices, hand=-1,
        actions=np.full(actions, -1.0), choices=np.full(choices, -1.0),
        own=agent.template if agent.template.size else np.zeros(1),
    )  # fmt: skip
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
    choices: int = 0,
) -> Notes:
    """As `play_lineups`, with every seat's notebook, room for so many `actions` and `choices`, at the end of its match."""
    arena = Arena(game, [noting(agent, actions, choices) for agent in agents], seed)
    outcomes = new_outcomes(seats.shape, AT.seen, 1 + KINDS + actions + choices)
    played = arena.play(arena.lineups(seats, numbers, hands, freeze_out), outcomes)
    books = outcomes.pages.astype(np.int64)
    counts, noted = books[..., 1 : 1 + KINDS], books[..., 1 + KINDS :]
    return Notes(played, counts, books[..., 0], noted[..., :actions], noted[..., actions:])
