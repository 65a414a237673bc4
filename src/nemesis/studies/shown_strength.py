"""How well is the strength of shown hands predicted? (ours)

The strength of a hand that is shown, its win probability against one random hand on the river, is predicted from what
everybody did (`believe.shown_strength`), on hands of the store that neither the action model nor the strength model was
trained on; the others count only as what their players did and showed before. Beside it stand the posterior over holdings
alone, without having seen how shown hands differ, and the same guess for everybody. Intervals are over players.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.action_model import forecast, hand_digests, nothing_known, read_model, timeline
from nemesis.believe.shown_hands import shown_hands
from nemesis.believe.shown_strength import predict_strength, read_strength
from nemesis.measure.charts import draw_key, draw_title
from nemesis.measure.interval import Interval, jackknife_interval
from nemesis.measure.picture import BLUE, GREEN, GREY, save_figure
from nemesis.observe.history import joined
from nemesis.observe.stored_hands import stored_history
from nemesis.studies.ordering import ordering
from nemesis.studies.sample import Sampled, sampled_row
from nemesis.studies.stored_players import PLAYERS, people, told_of
from nemesis.studies.study import Report, Row, Setting, Study

MODEL, RANGE, SAME = "model", "posterior alone", "the same for everybody"
_PICTURE = "shown-strength.png"


def measure(setting: Setting) -> Report:
    """All shown hands that no model was trained on."""
    with people(setting) as store:
        setting.progress("reading")
        history = joined(list(stored_history(store)))
        data = told_of(store)
    model, strength = replace(read_model(), known=nothing_known()), read_strength()
    line = timeline(history)
    setting.progress("predicting actions")
    said = forecast(model, line)
    fresh = ~np.isin(hand_digests(line.history), model.hands)
    shown = predict_strength(
        strength,
        shown_hands(line, said, lambda done, total: setting.progress(f"shown hand {done} of {total}"), fresh),
    )
    least = setting.choose(5, 500, 500)
    if len(shown.hand) < least:
        raise ValueError(
            f"the store has {len(shown.hand)} shown hands that no model was trained on; this study needs {least}"
        )
    usual = np.full(len(shown.hand), float(np.median(shown.strength)))
    medians = {MODEL: shown.median, RANGE: shown.range_median, SAME: usual}
    means = {MODEL: shown.mean, RANGE: shown.range_mean}
    player = line.history.hands["player"][shown.hand, shown.position]
    rows = _rows(shown.strength, medians, means, player)
    numbers = {name: _calibration(found, shown.strength) for name, found in means.items()}
    about = {**data, "shown_hands": len(shown.hand), "players": len(np.unique(player)), "model": dict(strength.made)}
    return Report(_verdict(rows, len(shown.hand)), rows, {_PICTURE: numbers}, "win probability", about)


Guesses = Mapping[str, NDArray[np.float64]]


def _rows(truth: NDArray[np.float64], medians: Guesses, means: Guesses, player: NDArray[Any]) -> list[Row]:
    errors = {name: np.abs(found - truth) for name, found in medians.items()}
    rows = [ordering("the model errs less than the posterior alone", "", _mean(errors[RANGE] - errors[MODEL], player))]
    rows += [sampled_row(f"mean absolute error: {name}", _mean(error, player)) for name, error in errors.items()]
    for name, found in means.items():
        share, interval = _explained(found, truth, player)
        rows.append(sampled_row(f"R²: {name}", Sampled(share, interval, PLAYERS)))
    return rows


def _mean(values: NDArray[np.float64], player: NDArray[Any]) -> Sampled:
    _, which = np.unique(player, return_inverse=True)
    units = np.stack([np.bincount(which, values), np.bincount(which).astype(np.float64)], axis=1)
    return Sampled(*jackknife_interval(units, lambda mean: float(mean[0] / mean[1])), PLAYERS)


def _explained(found: NDArray[np.float64], truth: NDArray[np.float64], player: NDArray[Any]) -> tuple[float, Interval]:
    """The share of the variance that is explained, with its interval over players."""
    _, which = np.unique(player, return_inverse=True)
    columns = (np.ones_like(truth), truth, truth**2, (found - truth) ** 2)
    units = np.stack([np.bincount(which, column) for column in columns], axis=1).astype(np.float64)

    def share(mean: NDArray[np.float64]) -> float:
        count, total, squares, missed = mean
        return float(1 - missed / (squares - total**2 / count))

    return jackknife_interval(units, share)


def _calibration(found: NDArray[np.float64], truth: NDArray[np.float64]) -> list[list[float]]:
    """By tenth of what was predicted, its mean and that of the hands shown."""
    parts = np.array_split(np.argsort(found), min(10, len(found)))
    return [[float(found[at].mean()), float(truth[at].mean())] for at in parts]


def _verdict(rows: list[Row], hands: int) -> str:
    told = {row.what: row.ours for row in rows}
    return (
        f"Over {hands:,} shown hands the median is off by {told[f'mean absolute error: {MODEL}']:.4f} on average, that of "
        f"the posterior alone by {told[f'mean absolute error: {RANGE}']:.4f}, the same guess for everybody by "
        f"{told[f'mean absolute error: {SAME}']:.4f}. The mean explains {told[f'R²: {MODEL}']:.1%} of the variance, the "
        f"posterior's {told[f'R²: {RANGE}']:.1%}."
    )


def draw(numbers: Mapping[str, Any], path: Path) -> None:
    """Predicted against shown strength, by tenths."""
    with save_figure(path, (5.6, 4.8)) as figure:
        axes = figure.subplots()
        axes.plot([0, 1], [0, 1], color=GREY, linewidth=1)
        for (name, points), colour in zip(numbers.items(), (BLUE, GREEN), strict=True):
            axes.plot(*np.array(points).T, "o-", color=colour, label=name)
        axes.set(
            xlabel="predicted mean strength", ylabel="mean strength of the hands shown", xlim=(0.2, 1), ylim=(0.2, 1)
        )
        draw_title(figure, "Strength of shown hands")
        draw_key(figure, axes)


STUDY = Study(
    "shown-strength",
    "Predicted strength of hands that are shown",
    "ours",
    measure,
    {_PICTURE: draw},
)
