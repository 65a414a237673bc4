"""Arrays and tuples of arrays handed to kernels without counting references are the same arrays."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.runtime.borrowed import unowned
from nemesis.runtime.compiled import njit


class Inner(NamedTuple):
    grid: NDArray[np.float32]
    factor: int


class Outer(NamedTuple):
    first: NDArray[np.int64]
    inner: Inner


@njit(error_model="numpy")
def _read_and_write(outer: Outer) -> Any:
    same = unowned(outer)
    same.first[0] = 7
    total = 0.0
    for row in range(same.inner.grid.shape[0]):
        for column in range(same.inner.grid.shape[1]):
            total += same.inner.grid[row, column] * (column + 1)
    return total * same.inner.factor


def test_a_nested_tuple_keeps_its_arrays_shapes_and_numbers() -> None:
    grid = np.arange(12, dtype=np.float32).reshape(3, 4)[:, ::2]
    outer = Outer(np.zeros(2, np.int64), Inner(grid, 3))
    assert _read_and_write(outer) == 3 * float((grid * [1, 2]).sum())
    assert outer.first.tolist() == [7, 0]
