"""Decisions sorted by who made them, each player's in the order of time.

What is learnt of one player does not depend on the others, so walks go player by player and need the memory of one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Decisions(NamedTuple):
    """`order[starts[i]:starts[i + 1]]` are the decisions of player `i`; `done` says by decision what was done."""

    order: NDArray[np.int64]
    starts: NDArray[np.int64]
    done: NDArray[np.int8]

    @property
    def players(self) -> int:
        """How many players there are."""
        return len(self.starts) - 1


def by_player(player: NDArray[np.int64], done: NDArray[np.int8], players: int) -> Decisions:
    """The decisions of players numbered from 0, given in the order of time."""
    starts = np.concatenate([[0], np.cumsum(np.bincount(player, minlength=players))])
    return Decisions(np.argsort(player, kind="stable"), starts, np.ascontiguousarray(done))
