"""The player of a policy at limit hold'em by betting so far and win probability, such as a computed best response.

`solve.limit_ceiling` makes the choices: one for every node of the betting and every bucket of the win probability. Its
memory holds them packed, `PACKED` to a number. The player watches only to follow the betting, which a view does not tell
in full.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.event import ACTS, STARTS
from nemesis.respond.agent import ACT, WATCH, CompiledAgent, Memory
from nemesis.runtime.compiled import njit
from nemesis.runtime.memory import CELL, REST, WHERE, Layout

PACKED = 24
"""Choices in one number, two bits each."""


class Places(NamedTuple):
    """The memory: the betting so far, the number of buckets, where each node leads, and the packed choices."""

    node: int = CELL
    buckets: int = CELL
    moves: int = WHERE
    choices: int = REST


LAYOUT = Layout(Places)
AT = LAYOUT.at


def win_policy_player(name: str, moves: NDArray[np.int64], choices: NDArray[np.int64]) -> CompiledAgent:
    """The agent that plays `choices` (node, bucket -> action); `moves` is the node that follows each node and action."""
    nodes, buckets = choices.shape
    width = -(-buckets // PACKED)
    padded = np.zeros((nodes, width * PACKED), np.int64)
    padded[:, :buckets] = choices
    packed = (padded.reshape(nodes, width, PACKED) << (2 * np.arange(PACKED))).sum(axis=2)
    memory = LAYOUT.template(buckets=buckets, moves=moves, choices=packed)
    return CompiledAgent(name, _act, _watch, memory, {"win"}, {STARTS, ACTS})


@njit(ACT, error_model="numpy")
def _act(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    v = view[0]
    buckets = np.int64(memory[AT.buckets])
    bucket = min(np.int64(v.win * buckets), buckets - 1)
    width = (buckets + PACKED - 1) // PACKED
    cell = AT.choices + np.int64(memory[AT.node]) * width + bucket // PACKED
    return (np.int64(memory[cell]) >> (2 * (bucket % PACKED))) & 3


@njit(WATCH, error_model="numpy")
def _watch(event: NDArray[np.void], memory: Memory) -> None:
    e = event[0]
    if e.kind == STARTS:
        memory[AT.node] = 0
    elif e.kind == ACTS:
        at = np.int64(memory[AT.moves] + 3 * memory[AT.node])
        memory[AT.node] = memory[at + e.action]
