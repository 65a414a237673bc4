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
from nemesis.runtime.chance import GOLDEN, below, nth, scramble, uniform
from nemesis.runtime.compiled import inlined, njit

MOST_ACTIONS = 10
TRAINED, OTHER = 0, 1
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
    regrets, sums = solution
    hands = np.zeros((CHUNK, 2, buckets.counts.size), np.uint16)
    mixes = np.zeros((depth_room + 1, MOST_ACTIONS), np.float32)
    values = np.zeros((depth_room + 1, MOST_ACTIONS), np.float32)
    node_at = np.zeros(depth_room + 1, np.int64)
    slot_at = np.zeros(depth_room + 1, np.int64)
    action_at = np.zeros(depth_room + 1, np.int64)
    who = np.zeros(depth_room + 1, np.int64)
    tried = np.zeros((depth_room + 1, MOST_ACTIONS), np.bool_)
    reach = np.ones(depth_room + 2, np.float32)
    lowest = np.float32(0.0 if floored else -LOWEST * pruned)
    visited = 0
    for start in range(first, first + count, CHUNK):
        rows = min(CHUNK, first + count - start)
        fill_bank(dealer.plan, dealer.tables, dealer.key, start, 0, rows, bank)
        bucket_rows(buckets, bank, 0, rows, hands)
        for row in range(rows):
            outcome = 1
            if bank.ranks[row, 0] > bank.ranks[row, 1]:
                outcome = 2
            elif bank.ranks[row, 0] < bank.ranks[row, 1]:
                outcome = 0
            state = nth(dice, start + row)
            for me in range(2):
                sign = np.float32(1.0 if me == 0 else -1.0)
                state += GOLDEN
                least = np.float32(-np.inf if below(scramble(state), EXPLORED) == 0 else -pruned)
                depth = 0
                node = np.int64(0)
                going = True
                while going:
                    n = nodes[node]
                    visited += 1
                    if n.actor != OVER:
                        at = n.slot + np.int64(hands[row, n.actor, n.street]) * n.actions
                        mix(regrets, at, n.actions, mixes, depth)
                        if n.actor == me or full:
                            node_at[depth] = node
                            slot_at[depth] = at
                            who[depth] = TRAINED if n.actor == me else OTHER
                            action_at[depth] = 0
                            if n.actor == me:
                                for a in range(n.actions):
                                    tried[depth, a] = mixes[depth, a] > 0.0 or regrets[at + a] >= least
                                    values[depth, a] = 0.0
                                while not tried[depth, action_at[depth]]:
                                    action_at[depth] += 1
                            here = reach[depth]
                            if n.actor != me:
                                for a in range(n.actions):
                                    sums[at + a] += here * mixes[depth, a]
                                here *= mixes[depth, 0]
                            node = np.int64(n.first) + action_at[depth]
                            depth += 1
                            reach[depth] = here
                        else:
                            state += GOLDEN
                            die = np.float32(uniform(scramble(state)))
                            chosen = 0
                            for a in range(n.actions):
                                sums[at + a] += mixes[depth, a]
                            while chosen < n.actions - 1 and die >= mixes[depth, chosen]:
                                die -= mixes[depth, chosen]
                                chosen += 1
                            node = np.int64(n.first) + chosen
                        continue
                    value = sign * n.payoffs[outcome]
                    while True:
                        if depth == 0:
                            going = False
                            break
                        depth -= 1
                        n = nodes[node_at[depth]]
                        values[depth, action_at[depth]] = value
                        action_at[depth] += 1
                        if who[depth] == TRAINED:
                            while action_at[depth] < n.actions and not tried[depth, action_at[depth]]:
                                action_at[depth] += 1
                        if action_at[depth] < n.actions:
                            node = np.int64(n.first) + action_at[depth]
                            depth += 1
                            if who[depth - 1] == OTHER:
                                reach[depth] = reach[depth - 1] * mixes[depth - 1, action_at[depth - 1]]
                            break
                        value = np.float32(0.0)
                        for a in range(n.actions):
                            value += mixes[depth, a] * values[depth, a]
                        if who[depth] == TRAINED:
                            at = slot_at[depth]
                            for a in range(n.actions):
                                if tried[depth, a]:
                                    regret = regrets[at + a] + reach[depth] * (values[depth, a] - value)
                                    regrets[at + a] = max(regret, lowest)
    return visited


@njit(error_model="numpy", nogil=True)
def discount(solution: Solution, positive: float, negative: float, average: float) -> None:
    """Multiply positive regrets, negative regrets and averages. Writes `solution`."""
    regrets, sums = solution
    for slot in range(regrets.size):
        regrets[slot] *= np.float32(positive) if regrets[slot] > 0.0 else np.float32(negative)
        sums[slot] *= np.float32(average)
