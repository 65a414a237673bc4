"""The player of a solved strategy: follows the hand through the tree of an abstract game and plays what was solved there.

It needs no events, because heads-up a view tells what the opponent did since our last action. A bet that is not on the menu
is taken for one of its neighbours at random, by the pseudo-harmonic mapping (Ganzfried and Sandholm 2013): with sizes A <
x < B in pots, A has the probability (B − x)(1 + A) / ((B − A)(1 + x)). A check or call is the neighbour below the
smallest raise, so that a tiny bet does not make it fold. Our own raises are pots of the real pot.

Where the tree has ended and the hand has not (a bet that was nearly all in was called as all in), it checks, and calls at
any price that its win probability pays for. The tree and the strategy are too large for an agent's memory, which is
copied for every match; it has their addresses, and the agent keeps them alive.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.respond.agent import ACT, CompiledAgent, Memory
from nemesis.respond.strategy_file import WHOLE, Strategy, StrategyError, read_strategy
from nemesis.rules.betting import CALL, FOLD, RAISE
from nemesis.rules.buckets import GRID, grid_place, holdem_buckets
from nemesis.rules.canonical import HOLES, hole_index
from nemesis.rules.game import Game
from nemesis.rules.menu_tree import COMMITTED, NODE, OVER, grow_menu
from nemesis.runtime.borrowed import array_at
from nemesis.runtime.chance import another
from nemesis.runtime.compiled import inlined, njit
from nemesis.runtime.memory import CELL, Layout

TRANSLATION_DIE = 1

nodes_at = array_at(np.dtype(NODE))
bytes_at = array_at(np.dtype(np.uint8))


class Places(NamedTuple):
    """The memory: which hand it is, where it has come in the tree, and the addresses and sizes of what it looks up."""

    hand: int = CELL
    node: int = CELL
    sized: int = CELL  # whether raises have sizes
    nodes: int = CELL
    node_count: int = CELL
    shares: int = CELL
    share_count: int = CELL
    classes: int = CELL
    grid: int = CELL


LAYOUT = Layout(Places)
AT = LAYOUT.at


class Book(NamedTuple):
    """What the player looks up: the tree with the slots of the strategy, the strategy, and the buckets."""

    strategy: Strategy
    nodes: NDArray[np.void]
    shares: NDArray[np.uint8]
    classes: NDArray[np.uint8]
    grid: NDArray[np.uint8]


class SolvedPlayer(CompiledAgent):
    """A compiled agent that keeps its book open; other processes open the file themselves."""

    def __init__(self, name: str, game: Game, path: Path) -> None:
        self.path, self.game = path, game
        self.book = open_book(path)
        if not self.book.strategy.fits(game):
            solved = self.book.strategy.game
            raise StrategyError(
                f"{name} does not play {game.name}: its strategy was solved for {solved.name} with stacks of "
                f"{solved.stacks[0]:,} and blinds of {solved.blinds[1]} and {solved.blinds[0]}, and it fits only that game"
            )
        memory = LAYOUT.template(
            hand=-1,
            sized=game.structure != "limit",
            nodes=self.book.nodes.ctypes.data,
            node_count=len(self.book.nodes),
            shares=self.book.shares.ctypes.data,
            share_count=len(self.book.shares),
            classes=self.book.classes.ctypes.data,
            grid=self.book.grid.ctypes.data,
        )
        super().__init__(name, _act, memory=memory)

    def __reduce__(self) -> tuple[Any, ...]:
        """By name and file: addresses mean nothing in another process."""
        return SolvedPlayer, (self.name, self.game, self.path)


def solved_player(game: Game, name: str) -> CompiledAgent:
    """The player of a strategy file that `nemesis solve` has written, by its path: runs/solve-no-limit/strategy.npz."""
    return SolvedPlayer(name, game, Path(name))


@lru_cache(maxsize=4)
def open_book(path: Path) -> Book:
    """The strategy of a file with the tree it belongs to."""
    strategy = read_strategy(path)
    buckets = holdem_buckets(strategy.clusters)
    nodes = grow_menu(strategy.game, strategy.menu).nodes.copy()
    widths = nodes["actions"].astype(np.int64) * buckets.counts[nodes["street"]]
    ends = np.cumsum(widths)
    if ends[-1] != len(strategy.shares):
        raise StrategyError(f"the strategy {path} has {len(strategy.shares):,} actions; its tree has {ends[-1]:,}")
    nodes["slot"][1:] = ends[:-1]
    shares = np.ascontiguousarray(strategy.shares)
    return Book(strategy, nodes, shares, buckets.classes, np.ascontiguousarray(buckets.grid).ravel())


@inlined
def child_by_call(nodes: Any, node: Any) -> Any:
    """The node that a check or call leads to."""
    n = nodes[node]
    return np.int64(n.first) + (1 if nodes[n.first].action == FOLD else 0)


@inlined
def neighbours(v: Any, nodes: Any, node: Any, sized: Any) -> Any:
    """The two nodes that the opponent's raise may be taken for, which we now face, and how often it is the first."""
    n = nodes[node]
    below = child_by_call(nodes, node)
    first = below + 1
    last = np.int64(n.first) + n.actions - 1
    if first > last:
        return below, below, 1.0
    before = max(1, v.pot - v.to_call)
    x = v.to_call / before
    behind = v.chips[1 - v.me]
    if not sized or behind <= 0 or v.stack <= v.to_call:
        return last, last, 1.0
    low, high = 0.0, (v.to_call + behind) / before
    above = last
    for child in range(first, last + 1):
        size = np.float64(nodes[child].pots)
        if size <= x:
            low = size
            below = child
        elif size < high:
            high = size
            above = child
            break
    if above == below or high <= low:
        return below, below, 1.0
    return below, above, (high - x) * (1.0 + low) / ((high - low) * (1.0 + x))


@inlined
def approach(v: Any, nodes: Any, start: Any) -> Any:
    """From the node that our last action led to, the one at which we act, or a later or final one.

    Or it is the node at which the opponent made the raise that we face; the second number then is 1.
    """
    node = start
    raised = 0
    while raised == 0 and nodes[node].actor != OVER and nodes[node].street <= v.street:
        n = nodes[node]
        if n.actor == v.position and n.street == v.street:
            break
        if n.actor != v.position and n.street == v.street and v.to_call > 0:
            raised = 1
        else:
            node = child_by_call(nodes, node)
    return node, raised


@inlined
def is_off_tree(v: Any, n: Any) -> Any:
    """Whether the strategy says nothing at this node."""
    return n.actor == OVER or n.street != v.street or n.actor != v.position


@inlined
def off_the_tree(v: Any, n: Any, win: Any) -> Any:
    """What to do where the strategy says nothing: check, or call at a price that pays."""
    pays = v.to_call == 0 or win * (v.pot + v.to_call) >= v.to_call
    return CALL if n.street > v.street or pays else FOLD


@inlined
def bucket_at(classes: Any, grid: Any, street: Any, hole: Any, win: Any, strength: Any) -> Any:
    """The bucket of a holding on a street."""
    if street == 0:
        return np.int64(classes[hole])
    return np.int64(grid[((street - 1) * GRID + grid_place(win)) * GRID + grid_place(strength)])


@inlined
def played(v: Any, nodes: Any, node: Any, child: Any) -> Any:
    """What an action on the tree is at the table: the node it leads to, and the action as an agent returns it."""
    action = np.int64(nodes[child].action)
    if (action == RAISE and v.max_to == 0) or (action == FOLD and v.to_call == 0):
        return child_by_call(nodes, node), np.int64(CALL)
    if action != RAISE:
        return child, action
    to = v.max_to
    if not np.isinf(nodes[child].pots):
        to = v.bet + np.int64(np.round(nodes[child].pots * (v.pot + v.to_call)))
        if to - v.wager > COMMITTED * v.stack:
            to = v.max_to
    return child, max(np.int64(RAISE), to)


@inlined
def chosen_child(v: Any, nodes: Any, node: Any, memory: Memory, chance: Any) -> Any:
    """The node that our action leads to, drawn from the strategy."""
    n = nodes[node]
    classes = bytes_at(np.int64(memory[AT.classes]), HOLES)
    grid = bytes_at(np.int64(memory[AT.grid]), 3 * GRID * GRID)
    bucket = bucket_at(classes, grid, v.street, hole_index(v.hole[0], v.hole[1]), v.win, v.strength)
    shares = bytes_at(np.int64(memory[AT.shares]), np.int64(memory[AT.share_count]))
    at = np.int64(n.slot) + bucket * n.actions
    die = np.int64(chance * WHOLE)
    action = 0
    while action < n.actions - 1 and die >= shares[at + action]:
        die -= shares[at + action]
        action += 1
    return np.int64(n.first) + action


@njit(ACT, error_model="numpy")
def _act(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    """Writes `memory`."""
    v = view[0]
    nodes = nodes_at(np.int64(memory[AT.nodes]), np.int64(memory[AT.node_count]))
    start = np.int64(memory[AT.node])
    if memory[AT.hand] != v.hand:
        memory[AT.hand] = v.hand
        start = np.int64(0)
    node, raised = approach(v, nodes, start)
    if raised != 0:
        below, above, share = neighbours(v, nodes, node, memory[AT.sized] != 0.0)
        node = below if another(chance, TRANSLATION_DIE) < share else above
    memory[AT.node] = node
    n = nodes[node]
    if is_off_tree(v, n):
        return off_the_tree(v, n, v.win)
    child, action = played(v, nodes, node, chosen_child(v, nodes, node, memory, chance))
    memory[AT.node] = child
    return action
