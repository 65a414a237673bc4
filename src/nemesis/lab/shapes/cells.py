"""The cells of a hypercube as small plots: action probabilities by win probability (the hypercube paper, figures 2, 3)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nemesis.lab.shapes.svg import svg, tag, text, title

_ACTIONS = ("fold", "call", "raise")
_COLOURS = ("var(--fold)", "var(--call)", "var(--raise)")
_WIDE, _HIGH, _LEFT, _TOP = 84, 56, 62, 34


def cell_plots(
    curves: NDArray[np.float64], rows: Sequence[str], columns: Sequence[str], generations: NDArray[np.int64]
) -> str:
    """A plot for every row and column: `curves` is by row, column, point from 0 to 1, and action."""
    parts = []
    for at, (action, colour) in enumerate(zip(_ACTIONS, _COLOURS, strict=True)):
        parts.append(tag("rect", x=_LEFT + 66 * at, y=2, width=10, height=10, rx=2, fill=colour))
        parts.append(text(_LEFT + 14 + 66 * at, 11, action, size=11, quiet=True))
    for column, name in enumerate(columns):
        parts.append(
            text(_LEFT + (_WIDE + 6) * (column + 0.5) - 3, _TOP - 6, name, size=10.5, anchor="middle", quiet=True)
        )
    for row, name in enumerate(rows):
        y = _TOP + (_HIGH + 6) * row
        parts.append(text(_LEFT - 6, y + _HIGH / 2 + 4, name, size=11, anchor="end", quiet=True))
        for column in range(len(columns)):
            parts.append(_plot(curves[row, column], _LEFT + (_WIDE + 6) * column, y, int(generations[row, column])))
    wide, high = _LEFT + (_WIDE + 6) * len(columns), _TOP + (_HIGH + 6) * len(rows)
    return svg(wide, high, "".join(parts), says="what each cell does, by win probability")


def _plot(curve: NDArray[np.float64], x: float, y: float, generation: int) -> str:
    inner = title(f"generation {generation:,}; from left to right the win probability, from below how likely")
    inner += tag("rect", x=x, y=y, width=_WIDE, height=_HIGH, rx=3, fill="var(--sunk)")
    last = len(curve) - 1
    for action, colour in enumerate(_COLOURS):
        points = " ".join(
            f"{x + _WIDE * i / last:.1f},{y + _HIGH * (1 - share):.1f}" for i, share in enumerate(curve[:, action])
        )
        inner += tag("polyline", points=points, fill="none", stroke=colour, stroke_width=1.8)
    return tag("g", inner)
