"""P(direction | goal): what the way to each goal says about the next move (Baker 2010, section 3.3).

A* finds a way from the runner's start to every goal. Each step of it counts 1 for its direction and ½ for both
neighbouring directions, so that a ship on another way is not ruled out. A direction that was not counted gets a small
share, and the whole is normalised. Place plays no part: the table is made once and holds for the whole run.

Table 3.1 tells the terrain: its shares are those of 13 steps to each goal (6 up and 7 up-left; 7 up, 3 up-left and 3
up-right; 6 up and 7 up-right) with .0003 for what was not counted. Its columns sum to 1.0006 and 1.0009; ours to 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from nemesis.rules.grid_map import GridMap, Place
from nemesis.rules.grid_paths import a_star
from nemesis.rules.grid_search import DIRECTIONS

FLOOR = 0.0003
"""The share of a direction that is not on the way, before normalising; table 3.1 prints it."""


def direction_counts(way: Sequence[int]) -> NDArray[np.float64]:
    """1 for each step's direction, ½ for its two neighbours."""
    counts = np.zeros(len(DIRECTIONS))
    for direction in way:
        for turn, weight in ((-1, 0.5), (0, 1.0), (1, 0.5)):
            counts[(direction + turn) % len(DIRECTIONS)] += weight
    return counts


def direction_shares(way: Sequence[int]) -> NDArray[np.float64]:
    """The distribution of directions along a way; uniform for a way without steps."""
    counts = direction_counts(way)
    shares = counts / counts.sum() if counts.any() else counts
    shares = np.where(counts > 0, shares, FLOOR)
    normalised: NDArray[np.float64] = shares / shares.sum()
    return normalised


@lru_cache(maxsize=64)
def direction_table(world: GridMap, start: Place) -> NDArray[np.float64]:
    """P(direction | goal) for a runner that starts here, by goal and direction; read-only, for it is kept."""
    table = np.array([direction_shares(a_star(world, start, goal)) for goal in world.goals])
    table.flags.writeable = False
    return table
