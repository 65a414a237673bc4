"""Training of the model that predicts the strength of hands that will be shown (`believe.shown_strength`).

Hands before `check_from` are learnt from; the others decide when boosting stops. The action model reads them in order,
knowing nobody at first, as it reads a stranger's hands later: what it kept of its own training players came after
these hands. Its trees are taken as they are. Growing trees needs LightGBM; a finished model does not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from nemesis.believe.action_model import Timeline, forecast, nothing_known, read_model
from nemesis.believe.boosted_trees import Trees, trees_of
from nemesis.believe.shown_strength import ShownHands, StrengthModel, predict_strength, shown_hands
from nemesis.observe.hand import HandError

ROUNDS, PATIENCE = 600, 40
LEAST_SHOWN = 200
GROWING: Mapping[str, Any] = {
    "num_threads": 1,
    "verbose": -1,
    "deterministic": True,
    "force_col_wise": True,
    "learning_rate": 0.04,
    "num_leaves": 24,
    "min_data_in_leaf": 60,
    "feature_fraction": 0.25,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 10.0,
    "max_bin": 63,
}


def strength_model(
    line: Timeline,
    check_from: int,
    made: Mapping[str, Any],
    *,
    seed: int = 0,
    told: Callable[[str], None] = lambda line: None,
) -> StrengthModel:
    """Train on the shown hands of a timeline, with the shipped action model."""
    told("what the action model says")
    said = forecast(replace(read_model(), known=nothing_known()), line)
    shown = shown_hands(line, said, lambda done, total: told(f"shown hand {done} of {total}"))
    told("trees")
    trained = train_strength(shown, check_from, made, seed)
    check = shown.hand >= check_from
    median, mean = predict_strength(trained, shown.rows[check])
    truth = shown.strength[check]
    found = {
        "shown_hands": int((~check).sum()),
        "checked_error": round(float(np.abs(median - truth).mean()), 5),
        "checked_r2": round(float(1 - ((mean - truth) ** 2).mean() / truth.var()), 5),
    }
    return trained._replace(made={**made, **found})


def train_strength(shown: ShownHands, check_from: int, made: Mapping[str, Any], seed: int = 0) -> StrengthModel:
    """Grow both sets of trees."""
    learn, check = shown.hand < check_from, shown.hand >= check_from
    if min(learn.sum(), check.sum()) < LEAST_SHOWN:
        raise HandError(
            f"a model of strength needs at least {LEAST_SHOWN} shown hands to learn from and as many to check it by, "
            f"not {learn.sum()} and {check.sum()}"
        )
    middle = float(np.median(shown.strength[learn]))
    share = float(shown.strength[learn].mean())
    odds = float(np.log(share / (1 - share)))
    median = _grow(shown, learn, check, "l1", middle, seed)
    mean = _grow(shown, learn, check, "cross_entropy", odds, seed)
    return StrengthModel(median, mean, np.array([middle, odds]), made)


def _grow(shown: ShownHands, learn: Any, check: Any, objective: str, start: float, seed: int) -> Trees:
    try:
        import lightgbm
    except ImportError:
        raise HandError("training needs LightGBM: pip install 'nemesis-poker[learn]'") from None

    def data(chosen: Any) -> Any:
        begin = np.full(int(chosen.sum()), start)
        return lightgbm.Dataset(shown.rows[chosen], shown.strength[chosen], init_score=begin)

    stop = lightgbm.early_stopping(PATIENCE, verbose=False)
    options = dict(GROWING, objective=objective, seed=seed)
    grown = lightgbm.train(options, data(learn), ROUNDS, [data(check)], callbacks=[stop])
    return trees_of(grown.dump_model(num_iteration=max(grown.best_iteration, 1)))
