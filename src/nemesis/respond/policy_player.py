"""The player of a computed policy: looks its probabilities up by stacks, betting so far, own card and board card.

`solve.policy` makes the tables, from a best response, an equilibrium or an agent's own choices. The player watches only to
follow the betting, which a view does not tell in full.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.event import ACTS, STARTS
from nemesis.respond.agent import ACT, WATCH, CompiledAgent, Memory
from nemesis.rules.betting import CALL, FOLD, RAISE
from nemesis.runtime.compiled import njit
from nemesis.runtime.memory import CELL, REST, WHERE, Layout


class Places(NamedTuple):
    """The memory: the betting so far, the size of the policy, and its three parts as `policy_player` takes them."""

    node: int = CELL
    nodes: int = CELL
    cards: int = CELL
    boards: int = CELL
    chips: int = CELL
    moves: int = WHERE
    thresholds: int = WHERE
    which: int = REST


LAYOUT = Layout(Places)
AT = LAYOUT.at


def policy_player(
    name: str, which: NDArray[np.float64], moves: NDArray[np.float64], thresholds: NDArray[np.float64]
) -> CompiledAgent:
    """The agent that plays `thresholds`, by table, history, card, board: the probabilities to fold, and to fold or call.

    `which` is the table to use by the chips of position 0, `moves` the history that follows each history and action.
    """
    _, nodes, cards, boards, _ = thresholds.shape
    memory = LAYOUT.template(
        nodes=nodes, cards=cards, boards=boards, chips=which.size - 1, which=which, moves=moves, thresholds=thresholds
    )
    return CompiledAgent(name, _act, _watch, memory=memory, facts=())


@njit(ACT, error_model="numpy")
def _act(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    v = view[0]
    nodes = np.int64(memory[AT.nodes])
    chips = np.int64(memory[AT.chips])
    mine = v.stack + v.spent
    row = np.int64(memory[AT.which + (mine if v.position == 0 else chips - mine)])
    board = v.board[0] if v.board_count > 0 else 0
    at = row * nodes + np.int64(memory[AT.node])
    at = (at * np.int64(memory[AT.cards]) + v.hole[0]) * np.int64(memory[AT.boards]) + board
    at = np.int64(memory[AT.thresholds]) + 2 * at
    if chance < memory[at]:
        return FOLD
    return CALL if chance < memory[at + 1] else RAISE


@njit(WATCH, error_model="numpy")
def _watch(event: NDArray[np.void], memory: Memory) -> None:
    e = event[0]
    if e.kind == STARTS:
        memory[AT.node] = 0
    elif e.kind == ACTS:
        at = np.int64(memory[AT.moves] + 3 * memory[AT.node])
        memory[AT.node] = memory[at + e.action]
