"""The clock: how many units of work a second of CPU time buys.

CPU time of the process (`time.process_time`), not the wall's, so that a neighbour on the machine cannot
slow a figure by taking the core. Each repeat calls the work until it has used a fair slice of time; the
best repeat is the rate, the median shows how steady it was.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Timing:
    """Units a second: the best repeat and the median one."""

    best: float
    median: float
    repeats: int


def measure(work: Callable[[], int], seconds: float = 2.0, repeats: int = 7) -> Timing:
    """Time `work`, which returns the units it did, in `repeats` slices that together take about `seconds`.

    The first call warms up and is not counted, unless it alone takes longer than `seconds`: then it is the
    only repeat. Work that compiles must have compiled before.
    """
    rate, used = _slice(work, 0.0)
    if used > seconds:
        return Timing(rate, rate, 1)
    rates = [_slice(work, seconds / repeats)[0] for _ in range(max(1, min(repeats, int(seconds / max(used, 1e-9)))))]
    return Timing(max(rates), statistics.median(rates), len(rates))


def _slice(work: Callable[[], int], seconds: float) -> tuple[float, float]:
    units = 0
    start = time.process_time()
    while True:
        units += work()
        used = time.process_time() - start
        if used >= seconds and used > 0.0:
            return units / used, used
