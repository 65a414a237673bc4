"""A* and the tables of distances agree with SciPy's shortest paths on the same graph, built here from the rule of moves."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.sparse import lil_matrix
from scipy.sparse.csgraph import dijkstra

from nemesis.rules.grid_map import GridMap, grid_map, parse_map
from nemesis.rules.grid_paths import a_star, grid_paths
from nemesis.rules.grid_random import random_map
from nemesis.rules.grid_search import DIRECTIONS, FAR, NO_STEP, STEPS


def distances(world: GridMap, unweighted: bool = False) -> NDArray[np.float64]:
    """Between all cells, row by row: like a king, but not diagonally between two rocks."""
    water = {(r, c) for r in range(world.height) for c in range(world.width) if not world.is_rock(r, c)}
    graph = lil_matrix((world.height * world.width,) * 2)
    for row, column in water:
        for down, right in STEPS:
            there = row + down, column + right
            squeezes = down and right and (row + down, column) not in water and (row, column + right) not in water
            if there in water and not squeezes:
                graph[row * world.width + column, there[0] * world.width + there[1]] = math.hypot(down, right)
    found: NDArray[np.float64] = dijkstra(graph.tocsr(), unweighted=unweighted)
    return found


def length_of(world: GridMap, start: tuple[int, int], way: list[int]) -> tuple[float, tuple[int, int]]:
    """How long a way is and where it ends; every cell of it must be water."""
    row, column = start
    total = 0.0
    for direction in way:
        down, right = STEPS[direction]
        row, column, total = row + down, column + right, total + math.hypot(down, right)
        assert not world.is_rock(row, column)
    return total, (row, column)


@settings(max_examples=15, deadline=None)
@given(number=st.integers(0, 10_000), density=st.sampled_from([0.0, 0.2, 0.35]))
def test_ways_are_the_shortest_there_are(number: int, density: float) -> None:
    world = random_map(7, number, side=10, density=density)
    paths, oracle, moves = grid_paths(world), distances(world), distances(world, unweighted=True)
    start = world.runners[0]
    for goal, place in enumerate(world.goals):
        shortest = oracle[start[0] * world.width + start[1], place[0] * world.width + place[1]]
        length, end = length_of(world, start, a_star(world, start, place))
        assert end == place
        assert length == pytest.approx(shortest)
        for row in range(world.height):
            for column in range(world.width):
                cost = paths.costs[goal, paths.cell(row, column)]
                assert cost == pytest.approx(oracle[row * world.width + column, place[0] * world.width + place[1]])
    inner = [paths.cell(row, column) for row in range(world.height) for column in range(world.width)]
    ours = paths.moves[np.ix_(inner, inner)].astype(float)
    assert np.array_equal(np.where(ours == FAR, np.inf, ours), moves)


@pytest.mark.parametrize("name", ["halmoids", "channels", "fleet"])
def test_following_the_routes_leads_home_by_a_shortest_way(name: str) -> None:
    world = grid_map(name)
    paths = grid_paths(world)
    for goal, end in enumerate(paths.goals):
        for start in np.nonzero(np.isfinite(paths.costs[goal]))[0]:
            cell, length = start, 0.0
            while cell != end:
                direction = paths.routes[goal, cell]
                length += math.hypot(*STEPS[direction])
                cell += paths.offsets[direction]
            assert length == pytest.approx(paths.costs[goal, start])
        assert paths.routes[goal, end] == NO_STEP


def test_the_routes_from_the_start_are_the_way_a_star_found() -> None:
    world = grid_map("halmoids")
    paths = grid_paths(world)
    for goal, place in enumerate(world.goals):
        cell = paths.cell(*world.runners[0])
        for direction in a_star(world, world.runners[0], place):
            assert paths.routes[goal, cell] == direction
            cell += paths.offsets[direction]


def test_a_ship_passes_a_corner_but_not_between_two_rocks() -> None:
    corner, gap = parse_map("r#\n.1"), parse_map("r#.\n#.1\n...\n", "gap")
    assert [DIRECTIONS[step] for step in a_star(corner, (0, 0), (1, 1))] == ["DOWN-RIGHT"]
    with pytest.raises(ValueError, match="no way leads"):
        a_star(parse_map("1r#.\n..#.", "wall"), (0, 0), (0, 3))
    with pytest.raises(ValueError, match="no way leads from this runner to goal 1"):
        grid_paths(gap)


def test_a_way_from_a_rock_or_from_outside_is_refused() -> None:
    world = grid_map("halmoids")
    with pytest.raises(ValueError, match="row 8, column 7 of halmoids is a rock"):
        a_star(world, (8, 7), (0, 0))
    with pytest.raises(ValueError, match="is outside"):
        a_star(world, (0, 0), (99, 0))
