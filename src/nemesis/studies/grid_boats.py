"""Halmoids with several boats on each side: how many runners come home (after Baker 2010, section 3.2.2).

In Halmoids a player has one or more ships and scores with every one that reaches its treasure; the other player must
stop them. The source measures one against one. Here are up to six against as many, on random worlds with three goals:
interceptors share the runners among them, and one that has done its work helps another. The world is the unit of the
intervals.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from nemesis.measure.charts import as_figure, draw_groups, draw_key, draw_title
from nemesis.measure.grid_recognition import success
from nemesis.measure.interval import mean_interval
from nemesis.measure.picture import save_figure
from nemesis.rules.grid_random import random_map
from nemesis.studies.grid_noise import seed_of
from nemesis.studies.grid_picture import STEERING_COLOURS
from nemesis.studies.ordering import ordering
from nemesis.studies.sample import Sampled
from nemesis.studies.study import Report, Row, Setting, Study

BOATS = (1, 2, 3, 4, 6)
STEERED = ("directions", "cost", "told", "blind")
MANNERS = ("guard", "cut-off")
NOISE = 0.1
WORLDS = "worlds"
"""What the intervals are over."""
_PICTURE = "grid-boats.png"


def measure(setting: Setting) -> Report:
    """Every number of boats, both manners, everybody who steers."""
    worlds, pursuits = setting.choose(4, 20, 60), setting.choose(5, 50, 100)
    rows, claims = [], []
    drawn: dict[str, dict[str, list[Any]]] = {manner: {each: [] for each in STEERED} for manner in MANNERS}
    for boats in BOATS:
        setting.progress(f"{boats} boats")
        maps = [random_map(setting.seed, number, boats=boats) for number in range(worlds)]
        for manner in MANNERS:
            by = {each: np.array([
                success(world, [NOISE], pursuits, steering=each, manner=manner, seed=seed_of(setting, number)).intercepted[0]
                for number, world in enumerate(maps)
            ]) for each in STEERED}  # fmt: skip
            for each in STEERED:
                drawn[manner][each].append(as_figure(mean_interval(by[each])))
            at = f"{boats} v {boats}, {manner}"
            for each in ("directions", "cost"):
                rows.append(
                    Row(f"{at}: {each}", *mean_interval(by[each]), None, float(by["told"].mean()), sample=WORLDS)
                )
            gain = Sampled(*mean_interval(by["directions"] - by["blind"]), WORLDS)
            claims.append(ordering(f"{at}: a belief stops more than a guess", "useful", gain))
    held = sum(row.ci95 is not None and row.ci95[0] > 0 for row in claims)
    first, last = rows[2], rows[-2]
    said = (
        f"With one boat on each side the source's recogniser stops {first.ours:.1%} of the runners by cutting "
        f"them off, with {BOATS[-1]} on each side {last.ours:.1%}. A belief stops more "
        f"than a guess in {held} of {len(claims)} cases. "
        f"Noise {NOISE:g}; {worlds} worlds a case, {pursuits} pursuits in each."
    )
    numbers = {"labels": [f"{boats} v {boats}" for boats in BOATS], "shares": drawn}
    return Report(said, [*claims, *rows], {_PICTURE: numbers}, "share of runners intercepted", {"worlds": worlds})


def draw(numbers: Mapping[str, Any], path: Path) -> None:
    """A panel for each manner."""
    with save_figure(path, (10, 4.4)) as figure:
        panels = figure.subplots(1, len(numbers["shares"]), sharey=True)
        for axes, (manner, shares) in zip(panels, numbers["shares"].items(), strict=True):
            draw_groups(axes, numbers["labels"], shares, STEERING_COLOURS)
            axes.set(title=manner, xlabel="runners v interceptors", ylim=(0, 1.02))
        panels[0].set_ylabel("share of runners intercepted, ± 95 %")
        draw_title(figure, "Halmoids with several boats on each side")
        draw_key(figure, panels[0])


STUDY = Study(
    "grid-boats",
    "Halmoids with several boats on each side",
    "after Baker 2010, section 3.2.2",
    measure,
    {_PICTURE: draw},
)
