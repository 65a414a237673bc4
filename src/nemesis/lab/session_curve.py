"""What a session brought, hand by hand, with the interval of what it would bring in the long run."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy.special import stdtrit

from nemesis.lab.shapes.curves import Line

MOST_POINTS = 240


def session_line(results: Sequence[float], name: str = "", colour: str = "var(--accent)") -> Line:
    """The sum after every hand; the band is the 95 % interval of the mean, times the hands played.

    The interval takes hands as independent. Against somebody who learns they are not quite.
    """
    values = np.asarray(results, float)
    count = np.arange(1, len(values) + 1)
    total = np.cumsum(values)
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = np.sqrt(np.maximum(0.0, np.cumsum(values**2) - total**2 / count) / (count - 1))
        margin = stdtrit(np.maximum(count - 1, 1), 0.975) * spread * np.sqrt(count)
    margin = np.where(count > 1, margin, 0.0)
    kept = np.unique(np.linspace(0, max(0, len(values) - 1), min(MOST_POINTS, len(values))).astype(np.int64))
    xs, ys, margins = [0.0, *count[kept].tolist()], [0.0, *total[kept].tolist()], [0.0, *margin[kept].tolist()]
    known = [m if math.isfinite(m) else 0.0 for m in margins]
    lows = [y - m for y, m in zip(ys, known, strict=True)]
    highs = [y + m for y, m in zip(ys, known, strict=True)]
    return Line(name, xs, ys, lows, highs, colour)
