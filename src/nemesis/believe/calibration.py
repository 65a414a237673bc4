"""How good a posterior is once the truth is known: log-loss, accuracy, and calibration.

A belief is *calibrated* if of all the times it said 70 % it was right in 70 %. Every (observation, style) pair is one
statement; statements are binned by the probability stated.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_SMALLEST = 1e-300


@dataclass(frozen=True, eq=False)
class Calibration:
    """By bin of the stated probability: its bounds, how many statements, what they said on average, how often it was so."""

    edges: NDArray[np.float64]
    statements: NDArray[np.int64]
    stated: NDArray[np.float64]
    happened: NDArray[np.float64]

    @property
    def error(self) -> float:
        """The expected calibration error: the mean distance of what happened from what was stated, by statements."""
        used = self.statements > 0
        distance = np.abs(self.stated[used] - self.happened[used])
        return float(np.average(distance, weights=self.statements[used]))


@dataclass(frozen=True, eq=False)
class BeliefScore:
    """How a belief did over many observations: mean −log(posterior of the truth), share of right verdicts, calibration."""

    observations: int
    log_loss: float
    accuracy: float
    calibration: Calibration


def calibrate(posteriors: NDArray[np.float64], truths: NDArray[np.int64], bins: int = 10) -> Calibration:
    """Bin the statements of `posteriors` (observation, style) against the index of the true style; empty bins are NaN."""
    stated = posteriors.ravel()
    true = (np.arange(posteriors.shape[1])[None, :] == truths[:, None]).ravel()
    which = np.minimum((stated * bins).astype(np.int64), bins - 1)
    statements = np.bincount(which, minlength=bins)
    full = np.where(statements > 0, statements, np.nan)
    return Calibration(
        np.linspace(0.0, 1.0, bins + 1),
        statements,
        np.bincount(which, stated, minlength=bins) / full,
        np.bincount(which, true, minlength=bins) / full,
    )


def score_posteriors(posteriors: NDArray[np.float64], truths: NDArray[np.int64], bins: int = 10) -> BeliefScore:
    """Score `posteriors` (observation, style) against the index of the true style of each observation."""
    if posteriors.ndim != 2 or len(posteriors) != len(truths) or len(truths) == 0:
        raise ValueError(f"{posteriors.shape} posteriors and {len(truths)} truths do not fit")
    of_truth = posteriors[np.arange(len(truths)), truths]
    return BeliefScore(
        len(truths),
        float(-np.log(np.maximum(of_truth, _SMALLEST)).mean()),
        float((posteriors.argmax(axis=1) == truths).mean()),
        calibrate(posteriors, truths, bins),
    )
