"""A seat's counts in one number, a few bits each, which the store's columns are computed from.

Forty small columns a seat would be half of all values that an import writes. Packed they are one, and DuckDB unpacks a
column when a query asks for it. A count that has more than its bits can hold stays at the most they can.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.seat_counts import SEAT_COUNTS

_WIDER = {
    "bets": 4, "calls": 4, "checks": 2, "showdown_halves": 2,
    **{name: 2 for name in SEAT_COUNTS if name.startswith(("check_raise", "barrel", "float"))},
    **{f"faced_{street}": 3 for street in range(4)},
}  # fmt: skip
WIDTHS = {name: _WIDER.get(name, 1) for name in SEAT_COUNTS}
"""Bits of each count; all others are 0 or 1."""
SHIFTS = dict(zip(WIDTHS, np.cumsum([0, *WIDTHS.values()]).tolist(), strict=False))


def packed(counts: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Rows of counts (`SEAT_COUNTS`) as one number each."""
    together = np.zeros(len(counts), np.int64)
    for at, (name, width) in enumerate(WIDTHS.items()):
        together |= np.minimum(counts[:, at], (1 << width) - 1).astype(np.int64) << SHIFTS[name]
    return together


def columns() -> str:
    """The columns that unpack `counts`, as SQL of a table."""
    return ", ".join(
        f"{name} UTINYINT GENERATED ALWAYS AS (((counts >> {SHIFTS[name]}) & {(1 << width) - 1})::UTINYINT) VIRTUAL"
        for name, width in WIDTHS.items()
    )
