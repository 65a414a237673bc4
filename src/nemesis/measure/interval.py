"""How sure we are: 95 % intervals over independent matches.

Means get Student's t interval over independent units (matches, or groups of matches on the same deals). Shares of
tournaments won get Wilson's score interval, which stays sensible at 0 % and 100 %.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

_Z95 = 1.959963984540054

Interval = tuple[float, float]


def mean_interval(units: NDArray[np.float64] | Sequence[float]) -> tuple[float, Interval]:
    """The mean of independent units and its 95 % interval; unbounded when there is only one unit."""
    values = np.asarray(units, dtype=np.float64)
    if values.size == 0:
        raise ValueError("no matches were played, so there is no mean")
    mean = float(values.mean())
    if values.size == 1:
        return mean, (-math.inf, math.inf)
    margin = float(stdtrit(values.size - 1, 0.975) * values.std(ddof=1) / math.sqrt(values.size))
    return mean, (mean - margin, mean + margin)


def jackknife_interval(
    units: NDArray[np.float64], statistic: Callable[[NDArray[np.float64]], float]
) -> tuple[float, Interval]:
    """A statistic of the mean of independent units (along the first axis) and its 95 % interval, leaving out one at a time.

    For what is no mean itself, such as a correlation (Tukey 1958).
    """
    values = np.asarray(units, dtype=np.float64)
    count = len(values)
    if count < 2:
        raise ValueError(f"an interval by leaving one out needs at least 2 units, not {count}")
    mean = values.mean(axis=0)
    found = float(statistic(mean))
    without = np.array([statistic((count * mean - unit) / (count - 1)) for unit in values])
    error = math.sqrt((count - 1) / count * float(((without - without.mean()) ** 2).sum()))
    margin = float(stdtrit(count - 1, 0.975)) * error
    return found, (found - margin, found + margin)


def share_interval(successes: float, trials: int) -> tuple[float, Interval]:
    """The share of trials won and its 95 % Wilson interval."""
    if trials < 1 or not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes in {trials} trials make no share")
    share = successes / trials
    z2 = _Z95 * _Z95 / trials
    centre = (share + z2 / 2) / (1 + z2)
    margin = _Z95 / (1 + z2) * math.sqrt(share * (1 - share) / trials + z2 / (4 * trials))
    return share, (max(0.0, min(share, centre - margin)), min(1.0, max(share, centre + margin)))
