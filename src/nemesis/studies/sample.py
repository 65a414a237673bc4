"""What an interval is over: runs or deals.

A claim about evolved players is a claim about evolution, and its sample is the run: each run gives one number, and the
mean of several gets Student's t interval. A single run can only be measured on more deals; its interval says how well
one champion is known and nothing of the next one, so it never earns the word *reproduced*.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nemesis.measure.interval import Interval, mean_interval
from nemesis.studies.study import Row

DEALS, EXACT = "deals", "exact"


class Sampled(NamedTuple):
    """A mean, its 95 % interval and what that is over."""

    mean: float
    ci95: Interval
    sample: str


def over_runs(values: Sequence[ArrayLike] | NDArray[np.float64]) -> Sampled:
    """The mean of numbers by run and batch of deals: its interval is over runs, or over deals if there is one run only."""
    by_run = [np.asarray(run, np.float64).ravel() for run in values]
    if len(by_run) > 1:
        return Sampled(*mean_interval([float(run.mean()) for run in by_run]), runs_written(len(by_run)))
    return Sampled(*mean_interval(by_run[0]), f"{DEALS} of 1 run")


def shares_over_runs(values: Sequence[ArrayLike] | NDArray[np.float64]) -> Sampled:
    """The same for shares."""
    return as_share(over_runs(values))


def as_share(found: Sampled) -> Sampled:
    """The mean of shares, whose interval ends at 0 and 1."""
    low, high = found.ci95
    return found._replace(ci95=(max(0.0, low), min(1.0, high))) if np.isfinite(found.ci95).all() else found


def sampled_row(
    what: str, figure: Sampled, published: float | str | None = None, note: str = "", place: str = ""
) -> Row:
    """The row of a figure with its sample; an interval that one run cannot give is left out."""
    known = figure.ci95 if np.isfinite(figure.ci95).all() else None
    return Row(what, figure.mean, known, published, note=note, sample=figure.sample, place=place)


def runs_written(count: int) -> str:
    """`5 runs`."""
    return f"{count} runs"


def is_over_runs(sample: str) -> bool:
    """Whether a sample is of runs at the source's scale; of short ones nothing is said to be reproduced."""
    return sample.endswith(" runs") and not sample.endswith(" short runs")
