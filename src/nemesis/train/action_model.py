"""Training of the model that says who does what next (`believe.action_model`), on anybody's hand histories.

Hands are taken in the order of time; the last of them are set aside to decide when boosting and the networks stop. The
public trees are grown first. What later parts learn from are *out-of-fold* probabilities: the rows of a fold are judged by
trees grown on the other folds, so that a player's deviations are not hidden by trees that have seen them. The covariance
of people's effects is found by expectation-maximisation over the players of the training hands.

Growing trees needs LightGBM; a finished model does not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.action_model import (
    BUCKETS,
    EFFECT_LOGS,
    ActionModel,
    Known,
    Timeline,
    bucket_of,
    hand_digests,
    nothing_known,
    personal_inputs,
    personal_likely,
    sitting_of,
)
from nemesis.believe.boosted_trees import Trees, add_scores, trees_of
from nemesis.believe.by_player import Decisions, by_player
from nemesis.believe.player_effects import WEIGHTS, effect_rows, room_for
from nemesis.believe.player_history import CHOICES, history_rows, no_sums
from nemesis.believe.sitting import no_habits
from nemesis.observe.hand import HandError
from nemesis.train.softmax_network import EPOCHS, train_network

FOLDS = 4
FOLD_HANDS = 50
"""Hands in a row that are in the same fold."""
PASSES = 8
"""Of expectation-maximisation."""
MOST_KNOWN = 1200
"""Players whose histories a model carries: those with the most decisions."""
NETWORKS = 4
"""Whose logarithms are averaged."""
LEAST_HANDS = 500
ROUNDS, PATIENCE = 170, 20
GROWING: Mapping[str, Any] = {
    "num_threads": 1,
    "verbose": -1,
    "deterministic": True,
    "force_col_wise": True,
    "learning_rate": 0.1,
    "num_leaves": 31,
    "min_data_in_leaf": 600,
    "lambda_l2": 5.0,
    "max_bin": 127,
}
Told = Callable[[str], None]


def train_action_model(
    line: Timeline, check_from: int, made: Mapping[str, Any], *, seed: int = 0, told: Told = lambda line: None
) -> ActionModel:
    """Train on the hands before `check_from`; the hands from there on decide when to stop."""
    hand = line.history.actions["hand"]
    if min(check_from, len(line.history) - check_from) < LEAST_HANDS:
        raise HandError(
            f"a model needs at least {LEAST_HANDS} hands to learn from and {LEAST_HANDS} to check it by, "
            f"not {check_from} and {len(line.history) - check_from}"
        )
    rows, done = line.situations.rows, line.done.astype(np.int64)
    learn, check = np.flatnonzero(hand < check_from), np.flatnonzero(hand >= check_from)
    growing = dict(GROWING, seed=seed, min_data_in_leaf=min(600, max(20, len(learn) // 800)))

    public, base, likely = _public_part(line, learn, check, growing, told)
    players, which = np.unique(line.player, return_inverse=True)
    which = which.astype(np.int64)
    prior = _learn_prior(rows[learn], by_player(which[learn], line.done[learn], len(players)), likely[learn], told=told)
    decisions = by_player(which, line.done, len(players))
    nobody = np.full(len(players), -1, np.int64)
    habits = no_habits(len(players))
    sitting = sitting_of(line, players, habits)
    inputs = personal_inputs(rows, sitting, decisions, likely, prior, nothing_known(), nobody)

    told("personal trees")
    begin = inputs[:, EFFECT_LOGS : EFFECT_LOGS + CHOICES].astype(np.float64)
    personal, _ = _grow(inputs, done, begin, learn, check, dict(growing, feature_fraction=0.4))
    logs = begin.astype(np.float32)
    networks = tuple(
        train_network(inputs, logs, done, learn, check, epochs=EPOCHS, seed=seed, number=number, told=told)
        for number in range(NETWORKS)
    )

    told("sizes of raises")
    sizes, sizes_base = _sizes_part(line, inputs, learn, check, growing)
    model = ActionModel(
        public,
        base,
        prior,
        personal,
        networks,
        sizes,
        sizes_base,
        _known(players, rows, decisions, likely, prior, habits),
        np.unique(hand_digests(line.history)),
        np.unique(line.player[learn]),
        made,
    )
    judged = personal_likely(model, inputs[check])[np.arange(len(check)), done[check]]
    return replace(model, made={**made, "checked_log_loss": round(float(-np.log(judged).mean()), 5)})


def _public_part(
    line: Timeline, learn: NDArray[np.int64], check: NDArray[np.int64], growing: Mapping[str, Any], told: Told
) -> tuple[Trees, NDArray[np.float32], NDArray[np.float32]]:
    """The public trees, what they start from, and the probabilities that later parts learn from."""
    rows, done = line.situations.rows, line.done.astype(np.int64)
    options = dict(growing, feature_fraction=0.5)
    told("public trees")
    base = _base(done[learn], CHOICES)
    begin = np.tile(base.astype(np.float64), (len(rows), 1))
    public, rounds = _grow(rows, done, begin, learn, check, options)
    likely = np.zeros((len(rows), CHOICES), np.float32)
    likely[check] = _likely(public, rows[check], begin[check])
    fold = line.history.actions["hand"] // FOLD_HANDS % FOLDS
    for other in range(FOLDS):
        told(f"public trees without fold {other + 1} of {FOLDS}")
        inside, outside = learn[fold[learn] == other], learn[fold[learn] != other]
        trees, _ = _grow(rows, done, begin, outside, None, options, rounds)
        likely[inside] = _likely(trees, rows[inside], begin[inside])
    return public, base, likely


def _sizes_part(
    line: Timeline,
    inputs: NDArray[np.float32],
    learn: NDArray[np.int64],
    check: NDArray[np.int64],
    growing: Mapping[str, Any],
) -> tuple[Trees, NDArray[np.float32]]:
    """The trees of how a raise is sized, and what they start from."""
    bucket = bucket_of(line.situations)
    raised, checked = learn[line.done[learn] == CHOICES - 1], check[line.done[check] == CHOICES - 1]
    base = _base(bucket[raised], len(BUCKETS))
    begin = np.tile(base.astype(np.float64), (len(inputs), 1))
    small = dict(growing, num_leaves=15, feature_fraction=0.4, min_data_in_leaf=min(300, growing["min_data_in_leaf"]))
    sizes, _ = _grow(inputs, bucket, begin, raised, checked, small)
    return sizes, base


def _base(done: NDArray[np.int64], classes: int) -> NDArray[np.float32]:
    counts = np.bincount(done, minlength=classes) + 1.0
    base: NDArray[np.float32] = np.log(counts / counts.sum()).astype(np.float32)
    return base


def _grow(
    rows: NDArray[np.float32],
    done: NDArray[np.int64],
    begin: NDArray[np.float64],
    learn: NDArray[np.int64],
    check: NDArray[np.int64] | None,
    growing: Mapping[str, Any],
    rounds: int | None = None,
) -> tuple[Trees, int]:
    """Trees that start from `begin`, grown until the checked rows get no better or for so many rounds."""
    try:
        import lightgbm
    except ImportError:
        raise HandError("training needs LightGBM: pip install 'nemesis-poker[learn]'") from None
    options = dict(growing, objective="multiclass", num_class=begin.shape[1])

    def data(chosen: NDArray[np.int64]) -> Any:
        return lightgbm.Dataset(rows[chosen], done[chosen], init_score=begin[chosen])

    if check is None:
        grown = lightgbm.train(options, data(learn), rounds or ROUNDS)
        return trees_of(grown.dump_model()), rounds or ROUNDS
    stop = lightgbm.early_stopping(PATIENCE, verbose=False)
    grown = lightgbm.train(options, data(learn), rounds or ROUNDS, [data(check)], callbacks=[stop])
    best = max(grown.best_iteration, 1)
    return trees_of(grown.dump_model(num_iteration=best)), best


def _likely(trees: Trees, rows: NDArray[np.float32], begin: NDArray[np.float64]) -> NDArray[np.float32]:
    scores = begin.copy()
    add_scores(trees, rows, scores)
    odds = np.exp(scores - scores.max(axis=1, keepdims=True))
    likely: NDArray[np.float32] = (odds / odds.sum(axis=1, keepdims=True)).astype(np.float32)
    return likely


def _learn_prior(
    rows: NDArray[np.float32], decisions: Decisions, likely: NDArray[np.float32], told: Told
) -> NDArray[np.float32]:
    """The covariance of people's effects by expectation-maximisation."""
    prior = np.eye(WEIGHTS, dtype=np.float32) * np.float32(0.2)
    nowhere = np.full(decisions.players, -1, np.int64)
    for number in range(PASSES):
        told(f"how people differ: pass {number + 1} of {PASSES}")
        _, moment = effect_rows(rows, decisions, likely, prior, room_for(0), nowhere, room_for(0), nowhere)
        if moment.any():
            prior = moment.astype(np.float32)
    return prior


def _known(
    players: NDArray[np.uint64],
    rows: NDArray[np.float32],
    decisions: Decisions,
    likely: NDArray[np.float32],
    prior: NDArray[np.float32],
    habits: NDArray[np.float32],
) -> Known:
    """What is known at the end of the players with the most decisions."""
    counts = np.diff(decisions.starts)
    chosen = np.sort(np.argsort(-counts, kind="stable")[:MOST_KNOWN])
    kept_as = np.full(len(players), -1, np.int64)
    kept_as[chosen] = np.arange(len(chosen))
    kept = room_for(len(chosen))
    nowhere = np.full(len(players), -1, np.int64)
    effect_rows(rows, decisions, likely, prior, room_for(0), nowhere, kept, kept_as)
    sums = no_sums(len(players))
    history_rows(rows, decisions, likely, sums)
    return Known(players[chosen], type(sums)(*(part[chosen] for part in sums)), kept, habits[chosen])
