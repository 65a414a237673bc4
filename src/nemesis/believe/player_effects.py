"""A player as a deviation from people in general: a Gaussian belief about how much more the player folds and raises, where.

To the public model's logarithms of fold and raise we add w·φ(situation): φ are a few functions of the public situation
(`effects_of`), w is the player's own. Across people w is normal with mean 0 and a full covariance, learnt from all
players: how tight somebody is before the flop says something about how they answer bets after it. This is the hierarchical
model, population and then player. A decision updates the belief by a step of the extended Kalman filter (Laplace's
approximation), a 2 × 2 inversion. A little of what is known is forgotten with every decision, for people change.

Strictly walk-forward: what is predicted of a decision is written before the decision is learnt from.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.believe import public_situation as public
from nemesis.believe.by_player import Decisions
from nemesis.runtime.compiled import inlined, njit

FORGETTING = 1e-4
"""The share of what is known of a player that a decision makes obsolete."""
ENOUGH = 30
"""Decisions of a player who counts when the prior is learnt."""
EFFECTS = 32
WEIGHTS = 2 * EFFECTS
"""Fold and raise in turn for each effect."""
OUTPUTS = ("log_fold", "log_call", "log_raise", "more_folds", "more_raises", "fold_doubt", "raise_doubt")
"""What is said of a decision: logarithms of probabilities, w·φ of fold and of raise, and their variances."""


class Beliefs(NamedTuple):
    """What is believed of each player: the mean of w and its covariance."""

    mean: NDArray[np.float32]
    covariance: NDArray[np.float32]


class Kept(NamedTuple):
    """Beliefs by row, and by player which row is theirs; −1 is none."""

    beliefs: Beliefs
    rows: NDArray[np.int64]


def effects_of(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """φ of every row."""

    def column(index: int) -> Any:
        return rows[:, index]

    street, raises, to_button = column(public.STREET), column(public.RAISES), column(public.TO_BUTTON)
    before, after = street == 0, street > 0
    facing = column(public.TO_CALL) > 0
    forced = column(public.FORCED) > 0
    unopened = before & (raises == 0)
    opened = before & (raises == 1)
    free, bet = after & ~facing, after & facing
    aggressor = public.last_aggressor(rows)
    size = np.clip(np.log(np.maximum(column(public.BET_SIZE), 0.05) / 0.65), -2.0, 1.5)
    price = np.clip((column(public.TO_CALL) - 1.1) / 0.6, -1.5, 2.5)
    effects = (
        unopened,
        unopened & (to_button <= 1) & ~forced,
        before & forced,
        unopened & (column(public.LIMPERS) > 0),
        opened,
        before & (raises >= 2),
        free,
        free & (aggressor == 1),
        free & (aggressor >= 2),
        bet,
        bet * size,
        after & (raises >= 2),
        free & (street >= 2),
        bet & (street >= 2),
        after & (column(public.LIVE) > 2),
        column(public.SEATS) <= 3,
        (before & facing) * price,
        column(public.EFFECTIVE) < np.log1p(50),
        opened & forced,
        after & (column(public.AGGRESSOR_PREFLOP) == 1),
        free & (column(public.LAST) > 0),
        bet & (column(public.OWN_LAST) == 2),
        unopened & (to_button == 0) & ~forced,
        opened & (column(public.CALLERS) > 0),
        after & (column(public.DEPTH) < np.log1p(2)),
        unopened * np.clip(column(public.BEHIND) - 3, -3, 4) / 3,
        bet & (column(public.AGGRESSOR_PREFLOP) == 1),
        bet & (street == 3),
        opened & (column(public.OWN_ROLE) > 0),
        free & (street == 3),
        opened & (column(public.BETTOR_BEFORE) <= 2),
        column(public.EFFECTIVE) > np.log1p(130),
    )
    return np.stack([np.asarray(effect, np.float32) for effect in effects], axis=1)


def room_for(players: int) -> Beliefs:
    """Room for what is believed of so many players."""
    return Beliefs(np.zeros((players, WEIGHTS), np.float32), np.zeros((players, WEIGHTS, WEIGHTS), np.float32))


def effect_rows(
    rows: NDArray[np.float32],
    decisions: Decisions,
    likely: NDArray[np.float32],
    prior: NDArray[np.float32],
    known: Beliefs,
    known_as: NDArray[np.int64],
    kept: Beliefs,
    kept_as: NDArray[np.int64],
) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """What is said of each decision (`OUTPUTS`), and the second moment of w over all players' last beliefs.

    `known_as` gives by player the row of `known` to begin with, `kept_as` that of `kept` to end in; −1 is none.
    Writes `kept`.
    """
    written = np.zeros((len(rows), len(OUTPUTS)), np.float32)
    moment = np.zeros((WEIGHTS, WEIGHTS))
    logs = np.log(np.maximum(likely, 1e-6)).astype(np.float64)
    first, last = Kept(known, known_as), Kept(kept, kept_as)
    walk_effects(decisions, effects_of(rows), logs, prior.astype(np.float64), first, last, written, moment)
    return written, moment


class Mind(NamedTuple):
    """The belief about one player, and what a step needs beside it."""

    w: NDArray[np.float64]
    covariance: NDArray[np.float64]
    spread: NDArray[np.float64]  # the covariance of w with w·φ of fold and of raise
    gain: NDArray[np.float64]
    active: NDArray[np.int64]  # effects that are not 0


class Forecast(NamedTuple):
    """What is said of a decision: logarithms of probabilities, w·φ of fold and of raise, their variances and covariance."""

    log_fold: float
    log_call: float
    log_raise: float
    folds: float
    raises: float
    fold_doubt: float
    raise_doubt: float
    shared_doubt: float


@njit(error_model="numpy")
def walk_effects(
    decisions: Decisions, effects: Any, logs: Any, prior: Any, first: Kept, last: Kept, written: Any, moment: Any
) -> None:
    """Player by player, write each row, then learn its decision. Writes `last`, `written` and `moment`."""
    mind = Mind(
        np.zeros(WEIGHTS),
        np.zeros((WEIGHTS, WEIGHTS)),
        np.zeros((WEIGHTS, 2)),
        np.zeros((WEIGHTS, 2)),
        np.zeros(EFFECTS, np.int64),
    )
    counted = 0
    for player in range(len(decisions.starts) - 1):
        recall(mind, first, player, prior)
        for n in range(decisions.starts[player], decisions.starts[player + 1]):
            at = decisions.order[n]
            said = foretell(mind, effects[at], logs[at])
            row = written[at]
            row[0], row[1], row[2] = said.log_fold, said.log_call, said.log_raise
            row[3], row[4], row[5], row[6] = said.folds, said.raises, said.fold_doubt, said.raise_doubt
            learn(mind, said, decisions.done[at], prior)
        if decisions.starts[player + 1] - decisions.starts[player] >= ENOUGH:
            counted += 1
            for i in range(WEIGHTS):
                for j in range(WEIGHTS):
                    moment[i, j] += mind.w[i] * mind.w[j] + mind.covariance[i, j]
        row_kept = last.rows[player]
        if row_kept >= 0:
            last.beliefs.mean[row_kept] = mind.w
            last.beliefs.covariance[row_kept] = mind.covariance
    for i in range(WEIGHTS):
        for j in range(WEIGHTS):
            moment[i, j] /= max(counted, 1)


@inlined
def recall(mind: Mind, first: Kept, player: int, prior: Any) -> None:
    """Begin with what is known of a player, or with people in general. Writes `mind`."""
    row = first.rows[player]
    for i in range(WEIGHTS):
        mind.w[i] = 0.0 if row < 0 else first.beliefs.mean[row, i]
        for j in range(WEIGHTS):
            mind.covariance[i, j] = prior[i, j] if row < 0 else first.beliefs.covariance[row, i, j]


@inlined
def foretell(mind: Mind, phi: Any, logs: Any) -> Forecast:
    """What the player does in this situation. Writes the mind's `spread`."""
    w, covariance, spread, active = mind.w, mind.covariance, mind.spread, mind.active
    actives = 0
    for j in range(EFFECTS):
        if phi[j] != 0.0:
            active[actives] = j
            actives += 1
    folds, raises, vff, vfr, vrr = 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(WEIGHTS):
        spread[i, 0] = spread[i, 1] = 0.0
        for a in range(actives):
            j = active[a]
            spread[i, 0] += covariance[i, 2 * j] * phi[j]
            spread[i, 1] += covariance[i, 2 * j + 1] * phi[j]
    for a in range(actives):
        j = active[a]
        folds += phi[j] * w[2 * j]
        raises += phi[j] * w[2 * j + 1]
        vff += phi[j] * spread[2 * j, 0]
        vfr += phi[j] * spread[2 * j, 1]
        vrr += phi[j] * spread[2 * j + 1, 1]
    f, c, r = logs[0] + folds, logs[1], logs[2] + raises
    most = max(f, max(c, r))
    total = most + np.log(np.exp(f - most) + np.exp(c - most) + np.exp(r - most))
    return Forecast(f - total, c - total, r - total, folds, raises, max(vff, 0.0), max(vrr, 0.0), vfr)


@inlined
def learn(mind: Mind, said: Forecast, done: int, prior: Any) -> None:
    """One step of the filter from what was foretold to what was done. Writes `w`, `covariance` and `gain`."""
    w, covariance, spread, gain = mind.w, mind.covariance, mind.spread, mind.gain
    vff, vfr, vrr = said.fold_doubt, said.shared_doubt, said.raise_doubt
    pf, pr = np.exp(said.log_fold), np.exp(said.log_raise)
    gf, gr = (1.0 if done == 0 else 0.0) - pf, (1.0 if done == 2 else 0.0) - pr
    hff, hfr, hrr = pf * (1.0 - pf), -pf * pr, pr * (1.0 - pr)
    a00, a01 = 1.0 + hff * vff + hfr * vfr, hff * vfr + hfr * vrr
    a10, a11 = hfr * vff + hrr * vfr, 1.0 + hfr * vfr + hrr * vrr
    det = a00 * a11 - a01 * a10
    k00, k01 = (a11 * hff - a01 * hfr) / det, (a11 * hfr - a01 * hrr) / det
    k10, k11 = (a00 * hfr - a10 * hff) / det, (a00 * hrr - a10 * hfr) / det
    for i in range(WEIGHTS):
        gain[i, 0] = spread[i, 0] * k00 + spread[i, 1] * k10
        gain[i, 1] = spread[i, 0] * k01 + spread[i, 1] * k11
    for i in range(WEIGHTS):
        to_fold = spread[i, 0] - gain[i, 0] * vff - gain[i, 1] * vfr
        to_raise = spread[i, 1] - gain[i, 0] * vfr - gain[i, 1] * vrr
        w[i] = (w[i] + to_fold * gf + to_raise * gr) * (1.0 - FORGETTING)
        for j in range(WEIGHTS):
            left = covariance[i, j] - gain[i, 0] * spread[j, 0] - gain[i, 1] * spread[j, 1]
            covariance[i, j] = left + 2.0 * FORGETTING * (prior[i, j] - left)
