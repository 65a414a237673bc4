"""The runner: sails for its goal by a shortest way, but with probability `noise` moves at random (Baker 2010, section 3.4).

A random move is any of the open directions, all equally likely. After one the runner goes on from where it is. It takes the
way A* found, or, if `any_way`, at every step one of all the shortest ways at random: another ship than the one the
recogniser expects, though not a slower one.
"""

from __future__ import annotations

from typing import Any

from nemesis.rules.grid_search import GridPaths, is_open, is_shortest
from nemesis.runtime.chance import another
from nemesis.runtime.compiled import inlined


@inlined
def runner_step(paths: GridPaths, cell: int, goal: int, noise: float, any_way: bool, chance: float) -> Any:
    """The direction in which the runner leaves its cell; `chance` is one number in [0, 1)."""
    at_random = another(chance, 1) < noise
    if not at_random and not any_way:
        return paths.routes[goal, cell]
    ways = 0
    for direction in range(8):
        if is_open(paths.exits, cell, direction) and (
            at_random or is_shortest(paths.costs, goal, cell, direction, paths.offsets)
        ):
            ways += 1
    left = int(another(chance, 2) * ways)
    for direction in range(8):
        if is_open(paths.exits, cell, direction) and (
            at_random or is_shortest(paths.costs, goal, cell, direction, paths.offsets)
        ):
            if left == 0:
                return direction
            left -= 1
    return paths.routes[goal, cell]
