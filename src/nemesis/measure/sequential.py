"""An interval that stays honest however often one looks: a confidence sequence for the mean of independent units.

An ordinary 95 % interval holds at one moment that was fixed beforehand. Who looks again and again and stops when zero is
outside is wrong far more often than one time in twenty. This one (the asymptotic confidence sequence of Waudby-Smith et al.
2021, from Robbins' normal mixture) holds at all times at once with 95 %, so one may stop whenever one likes. The price
is an interval about half as wide again. It is tightest around `TIGHTEST` units, and asks for `FEWEST` to know the spread.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.interval import Interval

TIGHTEST = 200
FEWEST = 20
_ALPHA = 0.05
_RHO2 = (-2 * math.log(_ALPHA) + math.log(-2 * math.log(_ALPHA)) + 1) / TIGHTEST


def sequential_interval(units: NDArray[np.float64]) -> tuple[float, Interval]:
    """The mean of the units so far and an interval that holds now and at every later look; unbounded for few units."""
    values = np.asarray(units, np.float64)
    count = len(values)
    if count == 0:
        raise ValueError("no matches were played, so there is no mean")
    mean = float(values.mean())
    if count < FEWEST:
        return mean, (-math.inf, math.inf)
    scaled = count * _RHO2 + 1
    width = math.sqrt(2 * scaled / (count * count * _RHO2) * math.log(math.sqrt(scaled) / _ALPHA))
    margin = float(values.std(ddof=1)) * width
    return mean, (mean - margin, mean + margin)
