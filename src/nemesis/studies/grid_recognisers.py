"""Two recognisers of goals compared: by directions (Baker 2010, chapter 3) and by cost (ours), on maps and random worlds.

Nobody hinders the runs, so both see the same moves. Compared are the moves until the goal is recognised, how often the most
probable goal is the true one, the log-loss of every posterior, and calibration: of all times something was believed with
70 %, was it so in 70 %? Beside them stands the ideal observer, who knows how the runner chooses. It is the ceiling of the
log-loss and of being right, but not of the moves until recognised: where two goals cannot be told apart it leads with
neither, while one that guesses is early by luck. Nothing was fitted to these maps.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from nemesis.believe.calibration import calibrate
from nemesis.believe.grid_belief import RECOGNISERS
from nemesis.measure.charts import as_figure, draw_calibration, draw_groups, draw_key, draw_title
from nemesis.measure.grid_recognition import Recognition, calibration_error, recognition
from nemesis.measure.interval import mean_interval
from nemesis.measure.picture import GREY, save_figure
from nemesis.rules.grid_map import grid_map, shipped_maps
from nemesis.rules.grid_random import random_map
from nemesis.studies.grid_noise import seed_of
from nemesis.studies.grid_picture import STEERING_COLOURS
from nemesis.studies.ordering import ordering
from nemesis.studies.sample import Sampled
from nemesis.studies.study import Report, Row, Setting, Study

NOISES = (0.05, 0.2)
RANDOM = "random worlds"
RUNS, WORLDS = "runs of ships", "worlds"
"""What the intervals are over."""
COMPARED = ("directions", "cost")
SHARE, RIGHT = "share of the run until recognised", "right after a move"
LOSS, ERROR = "log-loss", "calibration error"
_PICTURE = "grid-recognisers.png"


def measure(setting: Setting) -> Report:
    """Every map, then random worlds, at two levels of noise, runners on any shortest way."""
    runs, worlds = setting.choose(20, 400, 2_000), setting.choose(4, 60, 200)
    rows: list[Row] = []
    claims: list[Row] = []
    drawn = {}
    for noise in NOISES:
        watched: dict[str, Recognition] = {}
        for name in shipped_maps():
            setting.progress(f"{name}, noise {noise:g}")
            watched[name] = recognition(grid_map(name), runs, noise=noise, any_way=True, seed=setting.seed)
        setting.progress(f"{RANDOM}, noise {noise:g}")
        many = [
            recognition(
                random_map(setting.seed, number), max(20, runs // 20),
                noise=noise, any_way=True, seed=seed_of(setting, number),
            )
            for number in range(worlds)
        ]  # fmt: skip
        rows += [row for name, found in watched.items() for row in _map_rows(name, found, noise)]
        rows += _world_rows(many, noise)
        claims += _claims(many, noise)
        drawn[f"{noise:g}"] = _numbers(watched, many)
    return Report(
        verdict(rows, claims), [*claims, *rows], {_PICTURE: drawn}, "shares, nats", {"runs": runs, "worlds": worlds}
    )


def _map_rows(name: str, found: Recognition, noise: float) -> list[Row]:
    """One map; the run is the unit."""
    at, rows = f"{name}, noise {noise:g}", []
    ideal = f"ideal {found.shares['ideal'].mean():.3f}"
    for each in COMPARED:
        error = found.scores[each].calibration.error
        moves = f"{found.moves[each].mean():.1f} moves; {ideal}"
        best = float(found.right["ideal"].mean())
        least = float(found.losses["ideal"].mean())
        rows += [
            Row(f"{at}: {each}, {SHARE}", *mean_interval(found.shares[each]), None, None, moves, sample=RUNS),
            Row(f"{at}: {each}, {RIGHT}", *mean_interval(found.right[each]), None, best, sample=RUNS),
            Row(
                f"{at}: {each}, {LOSS}",
                *mean_interval(found.losses[each]),
                None,
                least,
                f"calibration error {error:.3f}",
            ),
        ]
    return rows


def _world_rows(many: list[Recognition], noise: float) -> list[Row]:
    """The same over random worlds, each of which is one unit."""
    at, rows = f"{RANDOM}, noise {noise:g}", []
    ideal = f"ideal {np.mean([found.shares['ideal'].mean() for found in many]):.3f}"
    best = float(np.mean([found.right["ideal"].mean() for found in many]))
    least = float(np.mean([found.losses["ideal"].mean() for found in many]))
    honest = calibration_error([found.scores["ideal"].calibration for found in many])[0]
    for each in COMPARED:
        shares = mean_interval([found.shares[each].mean() for found in many])
        right = mean_interval([found.right[each].mean() for found in many])
        losses = mean_interval([found.losses[each].mean() for found in many])
        error = calibration_error([found.scores[each].calibration for found in many])
        rows += [
            Row(f"{at}: {each}, {SHARE}", *shares, None, None, ideal, sample=WORLDS),
            Row(f"{at}: {each}, {RIGHT}", *right, None, best, sample=WORLDS),
            Row(f"{at}: {each}, {LOSS}", *losses, None, least, sample=WORLDS),
            Row(f"{at}: {each}, {ERROR}", *error, None, honest, sample=WORLDS),
        ]
    return rows


def _claims(many: list[Recognition], noise: float) -> list[Row]:
    """What we expected of worlds that nobody chose: cost is sooner, more often right, and has the smaller loss."""

    def gain(of: str, sign: int) -> Sampled:
        gaps = [float((getattr(found, of)["cost"] - getattr(found, of)["directions"]).mean()) for found in many]
        return Sampled(*mean_interval([sign * gap for gap in gaps]), WORLDS)

    at = f"{RANDOM}, noise {noise:g}: cost is"
    return [
        ordering(f"{at} sooner than directions, share of the run", "", gain("shares", -1)),
        ordering(f"{at} right more often", "", gain("right", 1)),
        ordering(f"{at} less surprised, log-loss", "", gain("losses", -1)),
    ]


def verdict(rows: list[Row], claims: list[Row]) -> str:
    """Who knows sooner, who is right more often, who is more honest."""
    found = {row.what: row for row in rows}
    sentences = []
    for noise in NOISES:
        at = f"{RANDOM}, noise {noise:g}"
        by = {(each, what): found[f"{at}: {each}, {what}"] for each in COMPARED for what in (SHARE, RIGHT, LOSS, ERROR)}
        told = [
            f"{what} {by['directions', what].ours:.3f} by directions and {by['cost', what].ours:.3f} by cost"
            for what in (SHARE, RIGHT, LOSS, ERROR)
        ]
        sentences.append(f"Over {at}: {'; '.join(told)}.")
    held = [row.what for row in claims if row.ci95 is not None and row.ci95[0] > 0]
    missed = [row.what for row in claims if row.ci95 is not None and row.ci95[1] < 0]
    return " ".join(sentences) + (
        f" Of the {len(claims)} things we expected {len(held)} hold for certain, and the contrary holds of "
        f"{len(missed)} ({'; '.join(missed) or 'none'})."
    )


def _numbers(watched: Mapping[str, Recognition], many: list[Recognition]) -> dict[str, Any]:
    """What is drawn at one level of noise."""
    groups = {
        each: [as_figure(mean_interval(found.shares[each])) for found in watched.values()] for each in RECOGNISERS
    }
    for each in RECOGNISERS:
        groups[each].append(as_figure(mean_interval([found.shares[each].mean() for found in many])))
    truths = np.concatenate([found.truths for found in many])
    calibrations = {
        each: calibrate(np.concatenate([found.posteriors[each] for found in many]), truths) for each in RECOGNISERS
    }
    return {
        "labels": [*watched, RANDOM],
        "shares": groups,
        "calibration": {
            each: {"stated": found.stated, "happened": found.happened} for each, found in calibrations.items()
        },
    }


def draw(numbers: Mapping[str, Any], path: Path) -> None:
    """A row for each level of noise: when the goal is recognised on each map, and calibration over random worlds."""
    with save_figure(path, (11, 7.4)) as figure:
        grid = figure.subplots(len(numbers), 2, width_ratios=(2.2, 1), squeeze=False)
        for (left, right), (noise, found) in zip(grid, numbers.items(), strict=True):
            labels = [label.replace(" ", "\n").replace("-", "\n") for label in found["labels"]]
            draw_groups(left, labels, found["shares"], STEERING_COLOURS)
            left.set(title=f"noise {noise}", ylabel="share of the run until\nrecognised, ± 95 %", ylim=(0, 1))
            right.plot([0, 1], [0, 1], color=GREY, linewidth=1)
            for each, points in found["calibration"].items():
                draw_calibration(right, points["stated"], points["happened"], STEERING_COLOURS[each], each)
            right.set(title=f"calibration, {RANDOM}", xlabel="believed", ylabel="was so")
        draw_title(figure, "When a goal is recognised, and how honest the belief is")
        draw_key(figure, grid[0, 0])


STUDY = Study(
    "grid-recognisers",
    "Recognising goals by directions and by cost",
    "ours, beside Baker 2010, chapter 3",
    measure,
    {_PICTURE: draw},
)
