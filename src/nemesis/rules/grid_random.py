"""Random maps: as many worlds as a figure needs, each a function of a seed and a number.

Rocks are strewn over water with a given density; goals and ships lie anywhere else, the runners far enough from every
goal that there is something to find out. A drawing in which somebody is walled in is thrown away and drawn again.
"""

from __future__ import annotations

from nemesis.rules.grid_map import (
    GOAL_MARKS,
    INTERCEPTOR,
    MOST_SHIPS,
    MOST_SIDE,
    ROCK,
    RUNNER,
    WATER,
    GridMap,
    MapError,
    Place,
    parse_map,
)
from nemesis.rules.grid_paths import grid_paths
from nemesis.rules.grid_search import FAR
from nemesis.runtime.streams import NumpyStream, generator

_MOST_TRIES = 1000


def random_map(
    seed: int, number: int, *, side: int = 15, goals: int = 3, boats: int = 1, density: float = 0.2
) -> GridMap:
    """Random map `number` of a seed: `side` by `side` cells, so many goals, and `boats` runners and interceptors each."""
    if not (
        8 <= side <= MOST_SIDE and 1 <= goals <= len(GOAL_MARKS) and 1 <= boats <= MOST_SHIPS and 0 <= density <= 0.4
    ):
        raise ValueError(
            f"no random map has side {side}, {goals} goals, {boats} boats and density {density:g}; sides are 8 to "
            f"{MOST_SIDE}, goals 1 to {len(GOAL_MARKS)}, boats 1 to {MOST_SHIPS}, densities 0 to 0.4"
        )
    rng = generator(seed, NumpyStream.GRID_WORLDS, number)
    places = [(row, column) for row in range(side) for column in range(side)]
    for _ in range(_MOST_TRIES):
        cells = {
            place: ROCK if rock else WATER
            for place, rock in zip(places, rng.random(len(places)) < density, strict=True)
        }
        order = [places[index] for index in rng.permutation(len(places))]
        treasures, rest = order[:goals], order[goals:]
        far = [place for place in rest if min(_moves(place, goal) for goal in treasures) >= side // 2]
        runners = far[:boats]
        others = [place for place in rest if place not in runners][:boats]
        if len(runners) < boats:
            continue
        for marks, chosen in ((GOAL_MARKS, treasures), (RUNNER * boats, runners), (INTERCEPTOR * boats, others)):
            cells.update(zip(chosen, marks, strict=False))
        rows = "\n".join("".join(cells[row, column] for column in range(side)) for row in range(side))
        world = parse_map(rows, f"random-{seed}-{number}")
        if _is_connected(world):
            return world
    raise ValueError(f"no playable map of density {density:g} was found in {_MOST_TRIES} drawings")


def _moves(one: Place, other: Place) -> int:
    """The moves between two places on open water, and so the fewest there can be."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def _is_connected(world: GridMap) -> bool:
    """Whether everybody can reach everything."""
    try:
        paths = grid_paths(world)
    except MapError:
        return False
    first = paths.cell(*world.runners[0])
    return all(paths.moves[first, paths.cell(*place)] < FAR for place in (*world.runners, *world.interceptors))
