"""Search on a grid, compiled: A* with the Euclidean heuristic, lengths of shortest ways, and moves between all cells.

A ship moves like a king at chess, but not diagonally between two rocks. A way is as long as its steps, 1 straight and √2
diagonally, which is what makes the Euclidean heuristic never overestimate (Baker 2010, section 3.3.1). Time is counted in
moves, and every step is one. `grid_paths` asks for all of this, map by map.
"""

from __future__ import annotations

import heapq
import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.runtime.compiled import inlined, njit

DIRECTIONS = ("UP", "UP-RIGHT", "RIGHT", "DOWN-RIGHT", "DOWN", "DOWN-LEFT", "LEFT", "UP-LEFT")
"""Clockwise, so that neighbouring directions are neighbours here."""
STEPS = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
"""Rows and columns that each direction moves."""
STEP_COSTS = np.array([1.0, math.sqrt(2.0)] * 4)
NO_STEP = -1
FAR = np.int16(32_767)
"""The moves to a cell that cannot be reached."""
SAME = 1e-9
"""Lengths that differ by less are equal; sums of √2 depend on their order."""


class GridPaths(NamedTuple):
    """What kernels know of a map. Cells are numbered row by row, with a border of rocks around the map."""

    width: int
    """Of a row of cells, border included."""
    offsets: NDArray[np.int64]
    """What each direction adds to a cell's number."""
    exits: NDArray[np.uint8]
    """By cell, a bit for every direction that is open."""
    goals: NDArray[np.int64]
    costs: NDArray[np.float64]
    """By goal and cell, the length of the shortest way."""
    routes: NDArray[np.int8]
    """By goal and cell, the direction in which a ship sails on; `NO_STEP` at the goal and where no way leads."""
    moves: NDArray[np.int16]
    """By cell and cell, the fewest moves."""

    def cell(self, row: int, column: int) -> int:
        """The number of a cell of the map."""
        return (row + 1) * self.width + column + 1

    def place(self, cell: int) -> tuple[int, int]:
        """Row and column of a cell."""
        return int(cell) // self.width - 1, int(cell) % self.width - 1


@inlined
def is_open(exits: Any, cell: int, direction: int) -> Any:
    """Whether a ship can leave a cell in a direction."""
    return (exits[cell] >> direction) & 1 == 1


@njit(error_model="numpy")
def find_exits(water: NDArray[np.bool_], offsets: NDArray[np.int64]) -> NDArray[np.uint8]:
    """By cell, a bit for every open direction; the border must not be water."""
    exits = np.zeros(water.size, np.uint8)
    for cell in range(water.size):
        if not water[cell]:
            continue
        for direction in range(8):
            if not water[cell + offsets[direction]]:
                continue
            beside = water[cell + offsets[(direction + 7) % 8]] or water[cell + offsets[(direction + 1) % 8]]
            if direction % 2 == 0 or beside:
                exits[cell] |= np.uint8(1 << direction)
    return exits


@njit(error_model="numpy")
def find_way(
    start: int, end: int, exits: NDArray[np.uint8], offsets: NDArray[np.int64], width: int
) -> NDArray[np.int64]:
    """The cells of a shortest way, the last left out, each with the direction taken there. There must be one.

    Of cells equally promising the one nearer to the end is looked at first, then the one found first.
    """
    reached = np.full(exits.size, np.inf)
    came_by = np.full(exits.size, NO_STEP, np.int64)
    closed = np.zeros(exits.size, np.bool_)
    reached[start] = 0.0
    count = 0
    waiting = [(0.0, 0.0, 0, start)]
    while len(waiting) > 0:
        cell = heapq.heappop(waiting)[3]
        if closed[cell]:
            continue
        closed[cell] = True
        if cell == end:
            break
        for direction in range(8):
            if not is_open(exits, cell, direction):
                continue
            other = cell + offsets[direction]
            length = reached[cell] + STEP_COSTS[direction]
            if length < reached[other] - SAME:
                reached[other] = length
                came_by[other] = direction
                count += 1
                left = math.hypot(other // width - end // width, other % width - end % width)
                heapq.heappush(waiting, (round(length + left, 9), left, count, other))
    steps = 0
    cell = end
    while cell != start:
        cell -= offsets[came_by[cell]]
        steps += 1
    way = np.empty((steps, 2), np.int64)
    cell = end
    for step in range(steps - 1, -1, -1):
        direction = came_by[cell]
        cell -= offsets[direction]
        way[step, 0], way[step, 1] = cell, direction
    return way


@njit(error_model="numpy")
def find_costs(end: int, exits: NDArray[np.uint8], offsets: NDArray[np.int64]) -> NDArray[np.float64]:
    """The length of the shortest way to `end` from every cell (Dijkstra's algorithm, backwards)."""
    costs = np.full(exits.size, np.inf)
    costs[end] = 0.0
    waiting = [(0.0, end)]
    while len(waiting) > 0:
        cost, cell = heapq.heappop(waiting)
        if cost > costs[cell]:
            continue
        for direction in range(8):
            if is_open(exits, cell, direction):
                other = cell + offsets[direction]
                length = cost + STEP_COSTS[direction]
                if length < costs[other] - SAME:
                    costs[other] = length
                    heapq.heappush(waiting, (length, other))
    return costs


@inlined
def is_shortest(costs: Any, goal: int, cell: int, direction: int, offsets: Any) -> Any:
    """Whether an open direction lies on a shortest way to the goal."""
    return abs(STEP_COSTS[direction] + costs[goal, cell + offsets[direction]] - costs[goal, cell]) < SAME


@njit(error_model="numpy")
def find_routes(costs: NDArray[np.float64], exits: NDArray[np.uint8], offsets: NDArray[np.int64]) -> NDArray[np.int8]:
    """By goal and cell, the first direction on a shortest way."""
    routes = np.full(costs.shape, NO_STEP, np.int8)
    for goal in range(costs.shape[0]):
        for cell in range(costs.shape[1]):
            if not 0.0 < costs[goal, cell] < np.inf:
                continue
            for direction in range(8):
                if is_open(exits, cell, direction) and is_shortest(costs, goal, cell, direction, offsets):
                    routes[goal, cell] = direction
                    break
    return routes


@njit(error_model="numpy")
def find_moves(exits: NDArray[np.uint8], offsets: NDArray[np.int64]) -> NDArray[np.int16]:
    """The fewest moves between any two cells, breadth first from each."""
    moves = np.full((exits.size, exits.size), FAR, np.int16)
    queue = np.empty(exits.size, np.int64)
    for start in range(exits.size):
        moves[start, start] = 0
        queue[0], first, last = start, 0, 1
        while first < last:
            cell = queue[first]
            first += 1
            for direction in range(8):
                if is_open(exits, cell, direction):
                    other = cell + offsets[direction]
                    if moves[start, other] == FAR:
                        moves[start, other] = moves[start, cell] + 1
                        queue[last] = other
                        last += 1
    return moves
