"""A one-element record array read as plain Python: `view.to_call` is an int, `view.chips` a tuple.

Compiled kernels work on the record itself; this is the same memory with names for people.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


class Reading:
    """Reads the fields of the first record of an array, as it is at that moment."""

    __slots__ = ("record", "row")

    def __init__(self, record: NDArray[np.void]) -> None:
        self.record = record
        self.row: Any = record[0]

    def __getattr__(self, name: str) -> Any:
        try:
            value = self.row[name]
        except (ValueError, KeyError):
            names = ", ".join(self.record.dtype.names or ())
            raise AttributeError(f"a {type(self).__name__.lower()} has no {name!r}; it has {names}") from None
        return tuple(value.tolist()) if isinstance(value, np.ndarray) else value.item()

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(self.record.dtype.names or ())]
