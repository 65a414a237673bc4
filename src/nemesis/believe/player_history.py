"""How a player deviated so far, kind of situation by kind of situation.

`p` are the probabilities of fold, check or call, and raise that a model of people in general gives to a decision, `y` is
what was done. By level (a way to sort situations) and cell we keep Σ(y − p) and Σp(1 − p), the expected spread of that
sum. Their quotient, shrunk, says how much more often than others the player folds, calls and raises there. Some levels
forget: their sums decay with every decision in the cell.

Everything is strictly walk-forward: the row of a decision is written before the decision is learnt from.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.believe import public_situation as public
from nemesis.believe.by_player import Decisions
from nemesis.runtime.compiled import njit

ACTIONS = ("fold", "call", "raise")
CHOICES = len(ACTIONS)
SHRINKAGE = 5.0
"""Added to the expected spread, so that a few decisions say little."""


class Level(NamedTuple):
    """A way to sort decisions into cells, and after how many decisions in a cell the sums have decayed by 1/e (0: never)."""

    name: str
    cells: int
    memory: int


LEVELS = (
    Level("all", 1, 0),
    Level("facing", 6, 0),
    Level("street", 12, 0),
    Level("role", 18, 0),
    Level("size", 12, 0),
    Level("position", 24, 0),
    Level("stack", 20, 0),
    Level("crowd", 18, 0),
    Level("all", 1, 30),
    Level("facing", 6, 12),
    Level("facing", 6, 30),
    Level("street", 12, 20),
)
CELLS = sum(level.cells for level in LEVELS)
HISTORY = (
    *(f"{level.name}_{level.memory}_{action}" for level in LEVELS for action in ACTIONS),
    *(f"{level.name}_{level.memory}_weight" for level in LEVELS),
    "decisions",
)
"""The columns of a history row."""


class Sums(NamedTuple):
    """The sums of players: by player, cell and action Σ(y − p) and Σp(1 − p), and by player the decisions."""

    surplus: NDArray[np.float32]
    spread: NDArray[np.float32]
    decisions: NDArray[np.float32]


def no_sums(players: int) -> Sums:
    """Nothing known of so many players."""
    shape = (players, CELLS, CHOICES)
    return Sums(np.zeros(shape, np.float32), np.zeros(shape, np.float32), np.zeros(players, np.float32))


def cells_of(rows: NDArray[np.float32]) -> NDArray[np.int16]:
    """By decision and level, the cell among all cells of all levels."""
    street = rows[:, public.STREET].astype(np.int16)
    after = street > 0
    facing = rows[:, public.TO_CALL] > 0
    raises = np.minimum(rows[:, public.RAISES], 2).astype(np.int16)
    aggressor = np.minimum(public.last_aggressor(rows), 2).astype(np.int16)
    size = np.searchsorted((0.01, 0.4, 0.65, 0.9, 1.3), rows[:, public.BET_SIZE]).astype(np.int16)
    forced, to_button = rows[:, public.FORCED], rows[:, public.TO_BUTTON]
    seat = np.where(forced > 0, np.where(forced > 0.9, 5, 4), np.minimum(to_button, 3)).astype(np.int16)
    in_position = np.where(rows[:, public.LAST] > 0, 2, np.where(rows[:, public.FIRST] > 0, 0, 1)).astype(np.int16)
    stack = np.searchsorted(np.log1p((20, 50, 90, 140)), rows[:, public.EFFECTIVE]).astype(np.int16)
    crowd = np.clip(rows[:, public.LIVE] - 2, 0, 2).astype(np.int16)
    by_name = {
        "all": np.zeros_like(street),
        "facing": 3 * after + raises,
        "street": 3 * street + raises,
        "role": 3 * np.minimum(street, 2) + np.where(after, aggressor, raises) + 9 * facing,
        "size": 6 * after + np.where(facing, size, 0),
        "position": np.where(after, 6 + in_position, seat) + 12 * (raises > 0),
        "stack": stack + 5 * after + 10 * facing,
        "crowd": crowd + 3 * raises + 9 * after,
    }
    starts = np.cumsum([0, *(level.cells for level in LEVELS)])
    columns = [by_name[level.name] + start for level, start in zip(LEVELS, starts, strict=False)]
    return np.ascontiguousarray(np.stack(columns, axis=1), np.int16)


def history_rows(
    rows: NDArray[np.float32], decisions: Decisions, likely: NDArray[np.float32], sums: Sums
) -> NDArray[np.float32]:
    """The history of each decision's player before it. Writes `sums`, a row for every player of the decisions."""
    keep = np.array([np.exp(-1 / level.memory) if level.memory else 1.0 for level in LEVELS])
    written = np.zeros((len(rows), len(HISTORY)), np.float32)
    walk_histories(decisions, cells_of(rows), likely, keep, sums, written)
    return written


@njit(error_model="numpy")
def walk_histories(decisions: Any, cells: Any, likely: Any, keep: Any, sums: Any, written: Any) -> None:
    """Player by player, write each row, then learn its decision. Writes `sums` and `written`."""
    levels = cells.shape[1]
    for player in range(len(decisions.starts) - 1):
        surplus, spread = sums.surplus[player], sums.spread[player]
        for i in range(decisions.starts[player], decisions.starts[player + 1]):
            at = decisions.order[i]
            row = written[at]
            for level in range(levels):
                cell = cells[at, level]
                for k in range(CHOICES):
                    row[level * CHOICES + k] = surplus[cell, k] / (spread[cell, k] + SHRINKAGE)
                row[levels * CHOICES + level] = np.log1p(spread[cell, 1])
            row[levels * (CHOICES + 1)] = np.log1p(sums.decisions[player])
            sums.decisions[player] += 1
            for level in range(levels):
                cell = cells[at, level]
                for k in range(CHOICES):
                    p = likely[at, k]
                    y = 1.0 if decisions.done[at] == k else 0.0
                    surplus[cell, k] = keep[level] * surplus[cell, k] + y - p
                    spread[cell, k] = keep[level] * spread[cell, k] + p * (1.0 - p)
