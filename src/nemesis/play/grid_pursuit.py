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
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.grid_belief import RECOGNISERS
from nemesis.believe.grid_directions import direction_table
from nemesis.play.grid_loop import BLIND, TOLD, play_pursuits
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


@dataclass(frozen=True, eq=False)
class Pursuits:
    """How many pursuits went, by pursuit and runner (and recogniser)."""

    goals: NDArray[np.int64]
    outcomes: NDArray[np.int8]
    moves: NDArray[np.int64]
    """The runner's, until it was intercepted, arrived or time was over."""
    settled: NDArray[np.int64]
    """By recogniser last: the move from which on it believed in the true goal more than in any other; -1 if never."""
    posteriors: NDArray[np.float64]
    """Of traced pursuits, by move from 0, recogniser, runner and goal; NaN after the runner's last."""
    runners: NDArray[np.int64]
    """Of traced pursuits, the runners' cells by move from 0; -1 after its last."""
    interceptors: NDArray[np.int64]
    """Of traced pursuits, the interceptors' cells by round from 0."""


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
    arguments = (
        paths, tables, starts, hunters, keys, float(noise), any_way, STEERING[steering], MANNERS[manner], rounds,
        found.goals, found.outcomes, found.moves, found.settled, found.posteriors, found.runners, found.interceptors,
    )  # fmt: skip
    entry(play_pursuits, *arguments)(*arguments)
    return found
