"""How well goals on a grid are recognised, and what that is worth: success, moves until recognised, calibration.

Recognition is measured on runs that nobody hinders, so that every recogniser sees every run to its end. A goal is
*recognised* at the move from which on the belief in it is larger than in any other; a run in which that never happens
counts with its whole length. Over many maps, the map is the unit of an interval, since runs on one map are alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.calibration import BeliefScore, Calibration, score_posteriors
from nemesis.believe.grid_belief import RECOGNISERS
from nemesis.measure.interval import Interval, jackknife_interval, mean_interval, share_interval
from nemesis.play.grid_loop import ARRIVED, INTERCEPTED
from nemesis.play.grid_pursuit import OUTCOMES, pursue
from nemesis.rules.grid_map import GridMap

_SMALLEST = 1e-300


@dataclass(frozen=True, eq=False)
class Recognition:
    """Of many unhindered runs on one map, by recogniser: how good the posteriors are and when the goal was known."""

    scores: dict[str, BeliefScore]
    """Over every move of every run."""
    moves: dict[str, NDArray[np.float64]]
    """By run, the moves until the goal was recognised."""
    shares: dict[str, NDArray[np.float64]]
    """The same as a share of the run."""
    losses: dict[str, NDArray[np.float64]]
    """By run, the mean log-loss of its posteriors."""
    right: dict[str, NDArray[np.float64]]
    """By run, the share of moves after which the most probable goal was the true one."""
    posteriors: dict[str, NDArray[np.float64]]
    """By statement and goal, what was believed after each move."""
    truths: NDArray[np.int64]


def recognition(world: GridMap, runs: int, *, noise: float = 0.0, any_way: bool = False, seed: int = 0) -> Recognition:
    """Watch so many runs of the map's first runner, each to a goal drawn at random."""
    found = pursue(world, runs, noise=noise, any_way=any_way, seed=seed, traced=True, unhindered=True)
    length = found.moves[:, 0]
    seen = np.arange(found.posteriors.shape[1])[None, :] <= length[:, None]
    seen[:, 0] = False
    truths = np.broadcast_to(found.goals[:, :1], seen.shape)[seen]
    posteriors = {name: found.posteriors[:, :, index, 0][seen] for name, index in RECOGNISERS.items()}
    settled = {name: found.settled[:, 0, index] for name, index in RECOGNISERS.items()}
    moves = {name: np.where(at < 0, length, at).astype(np.float64) for name, at in settled.items()}
    ordinal = np.nonzero(seen)[0]
    of_truth = {name: each[np.arange(len(truths)), truths] for name, each in posteriors.items()}
    losses = {name: -np.log(np.maximum(each, _SMALLEST)) for name, each in of_truth.items()}
    right = {name: (each.argmax(axis=1) == truths).astype(np.float64) for name, each in posteriors.items()}
    return Recognition(
        {name: score_posteriors(each, truths) for name, each in posteriors.items()},
        moves,
        {name: at / length for name, at in moves.items()},
        {name: np.bincount(ordinal, each) / length for name, each in losses.items()},
        {name: np.bincount(ordinal, each) / length for name, each in right.items()},
        posteriors,
        truths,
    )


def calibration_error(calibrations: Sequence[Calibration]) -> tuple[float, Interval]:
    """The calibration error over all of them together and its interval; each, such as one of a map, is a unit."""
    units = np.array([
        [each.statements, np.nan_to_num(each.stated) * each.statements, np.nan_to_num(each.happened) * each.statements]
        for each in calibrations
    ])  # fmt: skip
    return jackknife_interval(units, lambda mean: float(np.abs(mean[1] - mean[2]).sum() / mean[0].sum()))


def outcome_shares(outcomes: NDArray[np.int8]) -> dict[str, tuple[float, Interval]]:
    """The share of runners that ended in each way, by pursuit and runner; pursuits are the units of the interval."""
    return {
        name: share_interval(int((outcomes == code).sum()), outcomes.size)
        if outcomes.shape[1] == 1
        else mean_interval((outcomes == code).mean(axis=1))
        for code, name in reversed(list(enumerate(OUTCOMES)))
    }


@dataclass(frozen=True, eq=False)
class Success:
    """By level of noise, the share of runners intercepted, and of those who arrived; the rest were at sea at the end."""

    intercepted: NDArray[np.float64]
    arrived: NDArray[np.float64]


def success(
    world: GridMap,
    noises: Sequence[float],
    pursuits: int,
    *,
    steering: str = "directions",
    manner: str = "cut-off",
    any_way: bool = False,
    seed: int = 0,
) -> Success:
    """How often interceptors succeed against runners of each noise; the same goals and dice for all who steer."""
    outcomes = [
        pursue(world, pursuits, noise=noise, steering=steering, manner=manner, any_way=any_way, seed=seed,
               first=level * pursuits).outcomes
        for level, noise in enumerate(noises)
    ]  # fmt: skip
    return Success(
        np.array([(each == INTERCEPTED).mean() for each in outcomes]),
        np.array([(each == ARRIVED).mean() for each in outcomes]),
    )
