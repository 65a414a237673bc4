"""A one-element record array read as plain Python: `view.to_call` is an int, `view.chips` a tuple.

Compiled kernels work on the record itself; this is the same memory with names for people. Every field is an int64 or a
float64 (or an array of them), so a field is a place in one row of eight-byte cells, read through a memoryview.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Reading:
    """Reads the fields of the first record of an array, as it is at that moment."""

    __slots__ = ("_floats", "_ints", "_places", "record")

    def __init__(self, record: NDArray[np.void]) -> None:
        self.record = record
        self._ints: Any = record[:1].view(np.int64).data
        self._floats: Any = record[:1].view(np.float64).data
        self._places = _places(record.dtype)

    def __getattr__(self, name: str) -> Any:
        try:
            start, count, is_float = self._places[name]
        except KeyError:
            names = ", ".join(self._places)
            raise AttributeError(f"a {type(self).__name__.lower()} has no {name!r}; it has {names}") from None
        cells = self._floats if is_float else self._ints
        return cells[start] if count == 0 else tuple(cells[start : start + count])

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._places]


@lru_cache(maxsize=8)
def _places(dtype: np.dtype[Any]) -> dict[str, tuple[int, int, bool]]:
    """Where each field lies, in eight-byte cells: start, count (0 for a single number), whether it is a float."""
    places = {}
    for name, (kind, offset, *_) in (dtype.fields or {}).items():
        count = kind.shape[0] if kind.shape else 0
        places[name] = (offset // 8, count, kind.base == np.float64)
    return places
