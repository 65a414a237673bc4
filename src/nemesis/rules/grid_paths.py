"""The ways of a map: A* between two places, and what pursuits need, worked out once.

`a_star` finds one shortest way. Pursuits need the lengths from everywhere, so `GridPaths` holds for every goal the length
of the shortest way from each cell, and the step that a ship takes there: along the way A* found from a runner's start,
elsewhere the first direction that lies on a shortest way. Interceptors race, so they go by moves between all cells.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from nemesis.rules.grid_map import GridMap, MapError, Place
from nemesis.rules.grid_search import (
    FAR,
    STEPS,
    GridPaths,
    find_costs,
    find_exits,
    find_moves,
    find_routes,
    find_way,
)


@lru_cache(maxsize=32)
def grid_paths(world: GridMap) -> GridPaths:
    """Work out the ways of a map; `MapError` if a runner cannot reach a goal."""
    width = world.width + 2
    open_water = np.zeros((world.height + 2, width), np.bool_)
    for row, line in enumerate(world.rows):
        for column in range(len(line)):
            open_water[row + 1, column + 1] = not world.is_rock(row, column)
    offsets = np.array([row * width + column for row, column in STEPS])
    exits = find_exits(open_water.ravel(), offsets)
    goals = np.array([(row + 1) * width + column + 1 for row, column in world.goals], np.int64)
    costs = np.stack([find_costs(int(goal), exits, offsets) for goal in goals])
    routes = find_routes(costs, exits, offsets)
    for row, column in world.runners:
        start = (row + 1) * width + column + 1
        for goal, end in enumerate(goals):
            if costs[goal, start] == math.inf:
                raise MapError(
                    f"{world.source}, {world.where((row, column))}: no way leads from this runner to goal "
                    f"{world.marks[goal]} at {world.where(world.goals[goal])}"
                )
            for cell, direction in find_way(start, int(end), exits, offsets, width):
                routes[goal, cell] = direction
    return GridPaths(width, offsets, exits, goals, costs, routes, find_moves(exits, offsets))


def a_star(world: GridMap, start: Place, end: Place) -> list[int]:
    """The directions of a shortest way from one place to another; `ValueError` if there is none."""
    for row, column in (start, end):
        inside = 0 <= row < world.height and 0 <= column < world.width
        if not inside or world.is_rock(row, column):
            raise ValueError(f"row {row}, column {column} of {world.name} is {'a rock' if inside else 'outside'}")
    paths = grid_paths(world)
    first, last = paths.cell(*start), paths.cell(*end)
    if paths.moves[first, last] == FAR:
        raise ValueError(f"no way leads from {start} to {end} on {world.name}")
    return [int(direction) for _, direction in find_way(first, last, paths.exits, paths.offsets, paths.width)]
