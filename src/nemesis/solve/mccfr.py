"""Regret minimisation by sampling (Lanctot et al. 2009): what a solver does with one deal after another.

For each deal both positions are trained in turn. At a node of the position that is trained every action is tried, and each
action's regret grows by how much better it did than the mix that is played now; that mix is in proportion to the positive
regrets. At a node of the other one, one action is drawn from its mix (*external sampling*) or all are followed with their
probabilities (*chance sampling*), and its mix is added to its average, which is what converges to an equilibrium.

After every epoch all regrets and averages are multiplied by factors below one, so that early mistakes are forgotten:
*linear* weights make epoch t count t times as much (Brown and Sandholm 2019), *discounted* ones tell positive and negative
regrets apart. *Floored* regrets never stay below zero (regret matching plus, Tammelin 2014).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.rules.buckets import Buckets, bucket_rows
from nemesis.rules.deal import CHUNK, Bank, Dealer, fill_bank
from nemesis.rules.menu_tree import OVER
from nemesis.runtime.borrowed import unowned
from nemesis.runtime.chance import GOLDEN, below, nth, scramble, uniform
from nemesis.runtime.compiled import inlined, njit

MOST_ACTIONS = 10
EXPLORED = 20
"""One traversal in so many tries every action."""
LOWEST = 1.1
"""Regrets stay above the level of pruning times this, so that an action can come back."""


@dataclass(frozen=True)
class Method:
    """How regrets are sampled and weighted."""

    name: str
    full: bool = False
    """Whether every action of the other position is followed instead of one."""
    floored: bool = False
    linear: bool = False
    discounted: bool = False
    pruned: float = math.inf
    """Actions that are not played and have a regret this far below 0 are skipped, but for one traversal in `EXPLORED`."""

    def factors(self, epoch: int) -> tuple[float, float, float]:
        """What positive regrets, negative regrets and averages are multiplied by after this epoch, counted from 1."""
        share = epoch / (epoch + 1)
        if self.linear:
            return share, share, share
        if self.discounted:
            return epoch**1.5 / (epoch**1.5 + 1), 0.5, share**2
        return 1.0, 1.0, 1.0


METHODS = {
    method.name: method
    for method in (
        Method("external"),
        Method("external-linear", linear=True),
        Method("external-discounted", discounted=True),
        Method("external-floored", floored=True, linear=True),
        Method("external-pruned", linear=True, pruned=1000.0),
        Method("chance-linear", full=True, linear=True),
    )
}


class Solution(NamedTuple):
    """What is learned, by slot: regrets, and the sum of all mixes. Processes that share the arrays write to both."""

    regrets: NDArray[np.float32]
    sums: NDArray[np.float32]


@inlined
def mix(regrets: Any, at: Any, actions: Any, out: Any, depth: Any) -> None:
    """Write what is played now: in proportion to positive regrets, anything alike if there are none."""
    total = np.float32(0.0)
    for a in range(actions):
        regret = max(regrets[at + a], np.float32(0.0))
        out[depth, a] = regret
        total += regret
    if total > 0.0:
        scale = np.float32(1.0) / total
        for a in range(actions):
            out[depth, a] *= scale
    else:
        share = np.float32(1.0) / np.float32(actions)
        for a in range(actions):
            out[depth, a] = share


class Path(NamedTuple):
    """The decisions that lead to a node and are not finished, by depth: those of the trained position, and all if `full`."""

    nodes: NDArray[np.int64]
    slots: NDArray[np.int64]
    trained: NDArray[np.bool_]
    """Whether the decision is the trained position's."""
    actions: NDArray[np.int64]
    """The action that is followed now."""
    tried: NDArray[np.bool_]
    """By depth and action: whether the trained position tries it; the others are pruned."""
    mixes: NDArray[np.float32]
    values: NDArray[np.float32]
    """By depth and action: what it brought."""
    reach: NDArray[np.float32]
    """How likely the other position's actions lead here, if all are followed."""


@inlined
def next_tried(path: Path, depth: Any, action: Any, actions: Any) -> Any:
    """This action, or the first after it that the trained position tries; `actions` if there is none."""
    while action < actions and not path.tried[depth, action]:
        action += 1
    return action


@inlined
def enter(nodes: Any, node: Any, at: Any, me: Any, least: Any, solution: Solution, path: Path, depth: Any) -> Any:
    """Begin to follow the actions of a node whose mix is written. Returns the node of the first."""
    n = nodes[node]
    here, first = path.reach[depth], np.int64(0)
    if n.actor == me:
        for a in range(n.actions):
            path.tried[depth, a] = path.mixes[depth, a] > 0.0 or solution.regrets[at + a] >= least
            path.values[depth, a] = 0.0
        first = next_tried(path, depth, first, n.actions)
    else:
        for a in range(n.actions):
            solution.sums[at + a] += here * path.mixes[depth, a]
        here *= path.mixes[depth, 0]
    path.nodes[depth] = node
    path.slots[depth] = at
    path.trained[depth] = n.actor == me
    path.actions[depth] = first
    path.reach[depth + 1] = here
    return np.int64(n.first) + first


@inlined
def sample(n: Any, at: Any, state: Any, solution: Solution, path: Path, depth: Any) -> Any:
    """Draw an action of the other position, whose mix is written, and add the mix to its average. Returns the next node."""
    die = np.float32(uniform(scramble(state)))
    chosen = 0
    for a in range(n.actions):
        solution.sums[at + a] += path.mixes[depth, a]
    while chosen < n.actions - 1 and die >= path.mixes[depth, chosen]:
        die -= path.mixes[depth, chosen]
        chosen += 1
    return np.int64(n.first) + chosen


@inlined
def learn_regrets(path: Path, depth: Any, actions: Any, value: Any, lowest: Any, regrets: Any) -> None:
    """All actions of the trained position are finished: add to each regret how much better it did than the mix."""
    at = path.slots[depth]
    for a in range(actions):
        if path.tried[depth, a]:
            regret = regrets[at + a] + path.reach[depth] * (path.values[depth, a] - value)
            regrets[at + a] = max(regret, lowest)


@inlined
def return_with(value: Any, nodes: Any, lowest: Any, solution: Solution, path: Path, depth: Any) -> Any:
    """Take the value of a finished line back to the last decision that has an action left.

    Writes what was learned on the way; returns the next node and its depth, or a depth of -1 if nothing is left.
    """
    while depth > 0:
        depth -= 1
        n = nodes[path.nodes[depth]]
        trained, action = path.trained[depth], path.actions[depth]
        path.values[depth, action] = value
        action += 1
        if trained:
            action = next_tried(path, depth, action, n.actions)
        if action < n.actions:
            path.actions[depth] = action
            if not trained:
                path.reach[depth + 1] = path.reach[depth] * path.mixes[depth, action]
            return np.int64(n.first) + action, depth + 1
        value = np.float32(0.0)
        for a in range(n.actions):
            value += path.mixes[depth, a] * path.values[depth, a]
        if trained:
            learn_regrets(path, depth, n.actions, value, lowest, solution.regrets)
    return np.int64(0), -1


@inlined
def traverse(
    nodes: Any,
    buckets: Any,
    outcome: Any,
    me: Any,
    full: Any,
    least: Any,
    lowest: Any,
    state: Any,
    solution: Solution,
    path: Path,
) -> Any:
    """Train position `me` on one deal, of which `buckets` are by position and street.

    Writes `solution`; returns the state of the dice and how many nodes were visited.
    """
    nodes, solution, path = unowned(nodes), unowned(solution), unowned(path)
    sign = np.float32(1.0 if me == 0 else -1.0)
    node, depth, visited = np.int64(0), 0, 0
    while depth >= 0:
        n = nodes[node]
        visited += 1
        if n.actor == OVER:
            node, depth = return_with(sign * n.payoffs[outcome], nodes, lowest, solution, path, depth)
            continue
        at = n.slot + np.int64(buckets[n.actor, n.street]) * n.actions
        mix(solution.regrets, at, n.actions, path.mixes, depth)
        if n.actor == me or full:
            node = enter(nodes, node, at, me, least, solution, path, depth)
            depth += 1
        else:
            state += GOLDEN
            node = sample(n, at, state, solution, path, depth)
    return state, visited


@njit(error_model="numpy", nogil=True)
def iterate(
    dealer: Dealer,
    bank: Bank,
    nodes: NDArray[np.void],
    buckets: Buckets,
    solution: Solution,
    first: int,
    count: int,
    dice: int,
    depth_room: int,
    full: bool,
    floored: bool,
    pruned: float,
) -> Any:
    """Train both positions on deals `first` … of the dealer. Writes `solution`; returns how many nodes were visited."""
    hands = np.zeros((CHUNK, 2, buckets.counts.size), np.uint16)
    room = depth_room + 1
    path = Path(
        np.zeros(room, np.int64), np.zeros(room, np.int64), np.zeros(room, np.bool_), np.zeros(room, np.int64),
        np.zeros((room, MOST_ACTIONS), np.bool_), np.zeros((room, MOST_ACTIONS), np.float32),
        np.zeros((room, MOST_ACTIONS), np.float32), np.ones(room + 1, np.float32),
    )  # fmt: skip
    lowest = np.float32(0.0 if floored else -LOWEST * pruned)
    visited = 0
    for start in range(first, first + count, CHUNK):
        rows = min(CHUNK, first + count - start)
        fill_bank(dealer.plan, dealer.tables, dealer.key, start, 0, rows, bank)
        bucket_rows(buckets, bank, 0, rows, hands)
        for row in range(rows):
            ours, theirs = bank.ranks[row, 0], bank.ranks[row, 1]
            outcome = 1 + int(ours > theirs) - int(ours < theirs)
            state = nth(dice, start + row)
            for me in range(2):
                state += GOLDEN
                least = np.float32(-np.inf if below(scramble(state), EXPLORED) == 0 else -pruned)
                state, seen = traverse(nodes, hands[row], outcome, me, full, least, lowest, state, solution, path)
                visited += seen
    return visited


@njit(error_model="numpy", nogil=True)
def discount(solution: Solution, positive: float, negative: float, average: float) -> None:
    """Multiply positive regrets, negative regrets and averages. Writes `solution`."""
    regrets, sums = solution
    for slot in range(regrets.size):
        regrets[slot] *= np.float32(positive) if regrets[slot] > 0.0 else np.float32(negative)
        sums[slot] *= np.float32(average)
