"""A pursuit on the grid: runners sail for their goals, interceptors watch, believe and cut them off (Baker 2010, ch. 3).

In every round each runner makes a move, the beliefs learn it, and then each interceptor moves. A runner whose cell an
interceptor enters, or who enters an interceptor's, is intercepted; one that enters its goal otherwise is safe. Ships of
one side do not hinder each other. After a number of rounds that depends on the map's size alone, a runner that is still
at sea has neither arrived nor been intercepted.

All recognisers watch every pursuit; one of them, or somebody who is told the goal or only guesses it, steers the
interceptors. Pursuit `number` of a seed draws its goals and dice from a stream of its own.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from nemesis.believe.grid_belief import RECOGNISERS
from nemesis.believe.grid_directions import direction_table
from nemesis.play.grid_loop import BLIND, TOLD, Chase, play_pursuits
from nemesis.play.grid_loop import Pursuits as Pursuits
from nemesis.respond.grid_interceptor import MANNERS
from nemesis.rules.grid_map import GridMap
from nemesis.rules.grid_paths import grid_paths
from nemesis.runtime.compiled import entry
from nemesis.runtime.limits import NOISE, PURSUITS, SEED
from nemesis.runtime.streams import Stream, stream_keys

OUTCOMES = ("at sea", "arrived", "intercepted")
STEERING: Mapping[str, int] = {**RECOGNISERS, "told": TOLD, "blind": BLIND}
"""Who can steer the interceptors: a recogniser, one who is told the goal, one who guesses it and never learns."""
ANY_GOAL = -1
ROUNDS_A_SIDE = 4
"""A pursuit ends after this many times the map's height and width together."""


def rounds_of(world: GridMap) -> int:
    """After how many rounds a pursuit on this map is over."""
    return ROUNDS_A_SIDE * (world.height + world.width)


def pursue(
    world: GridMap,
    count: int = 1,
    *,
    noise: float = 0.0,
    steering: str = "directions",
    manner: str = "cut-off",
    goal: int = ANY_GOAL,
    any_way: bool = False,
    seed: int = 0,
    first: int = 0,
    traced: bool = False,
    unhindered: bool = False,
) -> Pursuits:
    """Pursuits number `first` and following of a seed. `goal` is an index, or any; `unhindered` leaves interceptors out.

    `traced` keeps every position and posterior, which takes some kilobytes a pursuit.
    """
    PURSUITS.check(count)
    SEED.check(seed)
    NOISE.check(noise)
    if steering not in STEERING:
        raise ValueError(f"nobody called {steering!r} can steer; choose one of {', '.join(STEERING)}")
    if manner not in MANNERS:
        raise ValueError(f"an interceptor cannot {manner!r}; choose one of {', '.join(MANNERS)}")
    if not ANY_GOAL <= goal < len(world.goals):
        raise ValueError(f"{world.name} has goals 0 to {len(world.goals) - 1}, not {goal}")
    paths, rounds = grid_paths(world), rounds_of(world)
    starts = np.array([paths.cell(*place) for place in world.runners], np.int64)
    hunters = np.array([] if unhindered else [paths.cell(*place) for place in world.interceptors], np.int64)
    tables = np.stack([direction_table(world, place) for place in world.runners])
    shape, kept = (count, len(starts)), (count if traced else 0, rounds + 1)
    found = Pursuits(
        np.full(shape, goal, np.int64),
        np.zeros(shape, np.int8),
        np.zeros(shape, np.int64),
        np.full((*shape, len(RECOGNISERS)), -1, np.int64),
        np.full((*kept, len(RECOGNISERS), len(starts), len(world.goals)), np.nan),
        np.full((*kept, len(starts)), -1, np.int64),
        np.full((*kept, len(hunters)), -1, np.int64),
    )
    keys = stream_keys(seed, Stream.GRID_PURSUITS, np.arange(first, first + count))
    chase = Chase(paths, tables, starts, hunters, float(noise), any_way, STEERING[steering], MANNERS[manner], rounds)
    entry(play_pursuits, chase, keys, found)(chase, keys, found)
    return found
