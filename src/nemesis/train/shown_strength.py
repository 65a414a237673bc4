"""Training of the model that predicts the strength of hands that will be shown (`believe.shown_strength`).

Networks that learn from the hands before `check_from` are measured on the others; the model is then made of networks that
learn from all of them, by the same recipe. The action model reads the hands in order, knowing nobody at first, as it reads a
stranger's hands later: what it kept of its own training players came after these hands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.action_model import Timeline, forecast, nothing_known, read_model
from nemesis.believe.shown_hands import Shown, shown_hands
from nemesis.believe.shown_strength import StrengthForecasts, StrengthModel, predict_strength
from nemesis.observe.hand import HandError
from nemesis.runtime.streams import NumpyStream, generator
from nemesis.train.holding_network import Lesson, lesson_of, scales_of, stacked, train_holding_network

NETWORKS = 4
LEAST_SHOWN = 200


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
    random = generator(seed, NumpyStream.LEARNER)
    taken: list[Lesson] = []
    checked: list[Shown] = []
    for shown in shown_hands(line, said, lambda done, total: told(f"shown hand {done} of {total}")):
        taken.append(lesson_of(shown, random))
        if shown.hand >= check_from:
            checked.append(shown)
    learnt = len(taken) - len(checked)
    if min(learnt, len(checked)) < LEAST_SHOWN:
        raise HandError(
            f"a model of strength needs at least {LEAST_SHOWN} shown hands to learn from and as many to check it by, "
            f"not {learnt} and {len(checked)}"
        )
    lessons = stacked(taken)
    taken.clear()
    error, share = judged(predict_strength(_trained(lessons, np.arange(learnt), seed, told), checked))
    found = {
        "shown_hands": len(lessons.row),
        "checked_shown_hands": len(checked),
        "checked_error": round(error, 5),
        "checked_r2": round(share, 5),
    }
    told("all hands")
    return _trained(lessons, np.arange(len(lessons.row)), seed, told)._replace(made={**made, **found})


def judged(found: StrengthForecasts) -> tuple[float, float]:
    """The mean absolute error of the medians and the share of the variance that the means explain."""
    missed = ((found.mean - found.strength) ** 2).mean()
    return float(np.abs(found.median - found.strength).mean()), float(1 - missed / found.strength.var())


def _trained(lessons: Lesson, learn: NDArray[np.int64], seed: int, told: Callable[[str], None]) -> StrengthModel:
    scales = scales_of(lessons, learn)
    networks = tuple(
        train_holding_network(lessons, scales, learn, seed=seed, number=number, told=told) for number in range(NETWORKS)
    )
    return StrengthModel(scales, networks, {})
