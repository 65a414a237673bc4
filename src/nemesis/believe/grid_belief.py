"""Which goal does a ship sail for? Bayes after every move, from a uniform prior, by three recognisers.

* `directions`, the source's: a move is compared with P(direction | goal) of the way from the start (Baker 2010, 3.3).
* `cost`, ours to compare with: a goal is the less likely the longer the way through the place where the ship is now would
  be than the shortest way from its start, exp(−β · difference) (Ramírez and Geffner 2010; in the form of Masters and
  Sardiña 2017, where the way so far is the same for all goals and cancels). β is 1, as published, and not fitted.
* `ideal` knows how the runner chooses, its noise included, and compares each move with exactly that. It is no recogniser
  for strangers but the ceiling: nobody who sees the moves alone can know more.

Beliefs are kept as logarithms up to a constant, by recogniser and goal.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from nemesis.rules.grid_search import GridPaths, is_open, is_shortest
from nemesis.runtime.compiled import inlined

BY_DIRECTIONS, BY_COST, IDEAL = range(3)
RECOGNISERS: Mapping[str, int] = {"directions": BY_DIRECTIONS, "cost": BY_COST, "ideal": IDEAL}
BETA = 1.0
_NEVER = 1e-300


@inlined
def learn_move(
    beliefs: Any, paths: GridPaths, table: Any, start: int, cell: int, direction: int, noise: float, any_way: bool
) -> None:
    """Tell the beliefs that the ship left `cell` in a direction; `beliefs` (recogniser, goal) is written to."""
    exits, offsets, costs = paths.exits, paths.offsets, paths.costs
    open_ways = 0
    for other in range(8):
        if is_open(exits, cell, other):
            open_ways += 1
    for goal in range(costs.shape[0]):
        beliefs[BY_DIRECTIONS, goal] += np.log(table[goal, direction])
        beliefs[BY_COST, goal] = -BETA * (costs[goal, cell + offsets[direction]] - costs[goal, start])
        intended = 0.0
        if not any_way:
            intended = 1.0 if paths.routes[goal, cell] == direction else 0.0
        elif is_shortest(costs, goal, cell, direction, offsets):
            equal = 0
            for other in range(8):
                if is_open(exits, cell, other) and is_shortest(costs, goal, cell, other, offsets):
                    equal += 1
            intended = 1.0 / equal
        chance = noise / open_ways + (1.0 - noise) * intended
        if cell == paths.goals[goal]:
            chance = 0.0  # whoever wanted to be here would not have sailed on
        beliefs[IDEAL, goal] += np.log(max(chance, _NEVER))


@inlined
def largest(belief: Any) -> Any:
    """The largest number; NumPy's `max` cannot be compiled where references to arrays are not counted."""
    best = belief[0]
    for goal in range(1, belief.size):
        best = max(best, belief[goal])
    return best


@inlined
def probable_goal(belief: Any, chance: float) -> Any:
    """The goal with the largest belief; one of them by `chance` if several share it."""
    best = largest(belief)
    equal = 0
    for goal in range(belief.size):
        if belief[goal] > best - 1e-9:
            equal += 1
    left = int(chance * equal)
    for goal in range(belief.size):
        if belief[goal] > best - 1e-9:
            if left == 0:
                return goal
            left -= 1
    return 0


@inlined
def normalise(belief: Any, posterior: Any) -> None:
    """Write a belief as probabilities into `posterior`."""
    best = largest(belief)
    total = 0.0
    for goal in range(belief.size):
        posterior[goal] = np.exp(belief[goal] - best)
        total += posterior[goal]
    for goal in range(belief.size):
        posterior[goal] /= total
