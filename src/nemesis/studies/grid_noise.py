"""Interception against a runner that errs: success by noise from .01 to 1 (Baker 2010, section 3.4 and fig. 3.6).

The source shows one curve for one terrain: success falls with noise and rises again when the runner loses its way. It does
not say whether a runner that has lost its way counts as intercepted, so we count both: runners *intercepted*, and runners
*kept* from their goal until time is over. Where its interceptor starts is not known either and much depends on it, so on
that terrain it starts from every cell above the rocks in turn. Two more sets are the maps of the package and random worlds.
The start or the map is the unit of the intervals. Beside the source's recogniser stand ours, one who is told the goal (the
ceiling of all recognition) and one who guesses once.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.charts import as_figure, draw_key, draw_title, draw_trace, panels
from nemesis.measure.grid_recognition import success
from nemesis.measure.interval import mean_interval
from nemesis.measure.picture import save_figure
from nemesis.rules.grid_map import WATER, GridMap, grid_map, shipped_maps
from nemesis.rules.grid_random import random_map
from nemesis.runtime.streams import Stream, derived_seed
from nemesis.studies.grid_picture import STEERING_COLOURS, STEERING_WORDS
from nemesis.studies.ordering import ordering
from nemesis.studies.sample import Sampled
from nemesis.studies.study import Report, Row, Setting, Study

STEERED = ("directions", "cost", "told", "blind")
MANNERS = ("guard", "cut-off")
COUNTED = ("intercepted", "kept")
SHOWN = (0.01, 0.1, 0.3, 0.5, 0.8, 1.0)
"""The levels of noise that are rows of the report."""
TERRAIN, MAPS, RANDOM = "the terrain of fig. 3.1", "maps of the package", "random worlds"
UNITS = {TERRAIN: "starts", MAPS: "maps", RANDOM: "worlds"}
"""What the intervals are over."""
MIDDLE = 0.5
"""The level of noise, chosen beforehand, until which success should have fallen and from which it should rise."""
FALLS, RISES = f"success falls until noise {MIDDLE:g}", f"success rises from noise {MIDDLE:g} to 1"
USEFUL = "a belief does better than a guess"
_PICTURE = "grid-noise.png"

Case = tuple[str, str, str]
"""Where, the interceptor's manner, and what is counted."""
Found = dict[tuple[str, str, str, str], NDArray[np.float64]]
"""By case and who steers: the share for every world and level of noise."""


def measure(setting: Setting) -> Report:
    """All three sets of worlds, both manners, everybody who steers."""
    levels = [round(float(level), 2) for level in np.linspace(0.01, 1.0, setting.choose(4, 12, 100))]
    pursuits = setting.choose(5, 50, 50)
    worlds = {
        TERRAIN: starts_above(grid_map("halmoids"))[:: setting.choose(20, 12, 6)],
        MAPS: [grid_map(name) for name in shipped_maps()],
        RANDOM: [random_map(setting.seed, number) for number in range(setting.choose(4, 20, 40))],
    }
    found: Found = {}
    for where, chosen in worlds.items():
        for manner in MANNERS:
            for steering in STEERED:
                setting.progress(f"{where}, {manner}, {steering}")
                each = [
                    success(world, levels, pursuits, steering=steering, manner=manner, seed=seed_of(setting, number))
                    for number, world in enumerate(chosen)
                ]
                found[where, manner, "intercepted", steering] = np.array([one.intercepted for one in each])
                found[where, manner, "kept", steering] = np.array([1.0 - one.arrived for one in each])
    cases = [(where, manner, counted) for where in worlds for manner in MANNERS for counted in COUNTED]
    claims = [claim for case in cases for claim in _claims(case, levels, found)]
    rows = [row for case in cases for row in _rows(case, levels, found)]
    drawn = {
        "levels": levels,
        "panels": {
            ", ".join(case): {
                steering: [as_figure(mean_interval(column)) for column in found[*case, steering].T]
                for steering in STEERED
            }
            for case in cases
            if case[1:] != ("cut-off", "kept")
        },
    }
    data = {"worlds": {where: len(chosen) for where, chosen in worlds.items()}, "pursuits": pursuits}
    counted = ", ".join(f"{len(chosen)} of {where}" for where, chosen in worlds.items())
    said = f"{counted[0].upper()}{counted[1:]}; {len(levels)} levels of noise, {pursuits} pursuits each. " + verdict(
        claims
    )
    return Report(said, [*claims, *rows], {_PICTURE: drawn}, "share of runners", data)


def seed_of(setting: Setting, number: int) -> int:
    """Every world has goals and dice of its own, or worlds would be no independent sample."""
    return derived_seed(setting.seed, Stream.GRID_PURSUITS, number)


def starts_above(world: GridMap) -> list[GridMap]:
    """The map with its interceptor in every cell of water above the first rock in turn."""
    first_rock = next(row for row, line in enumerate(world.rows) if "#" in line)
    return [
        dataclasses.replace(world, interceptors=((row, column),))
        for row in range(first_rock)
        for column, mark in enumerate(world.rows[row])
        if mark == WATER
    ]


def _claims(case: Case, levels: Sequence[float], found: Found) -> list[Row]:
    """Fig. 3.6: success falls at first, and rises again towards full noise. And a belief beats a guess."""
    by_world = found[*case, "directions"]
    middle = int(np.abs(np.array(levels) - MIDDLE).argmin())
    at = ", ".join(case)
    sample = UNITS[case[0]]
    fall = Sampled(*mean_interval(by_world[:, 0] - by_world[:, middle]), sample)
    rise = Sampled(*mean_interval(by_world[:, -1] - by_world[:, middle]), sample)
    gain = Sampled(*mean_interval((by_world - found[*case, "blind"]).mean(axis=1)), sample)
    return [
        ordering(f"{FALLS}, {at}", "falls", fall),
        ordering(f"{RISES}, {at}", "rises", rise),
        ordering(f"{USEFUL}, {at}", "useful", gain),
    ]


def _rows(case: Case, levels: Sequence[float], found: Found) -> list[Row]:
    rows = []
    for noise in SHOWN:
        level = int(np.abs(np.array(levels) - noise).argmin())
        most = float(found[*case, "told"][:, level].mean())
        for steering in STEERED[:2]:
            figure = mean_interval(found[*case, steering][:, level])
            rows.append(
                Row(
                    f"{', '.join(case)}, {steering}, noise {levels[level]:g}",
                    *figure,
                    None,
                    most,
                    sample=UNITS[case[0]],
                )
            )
    return rows


def verdict(claims: Sequence[Row]) -> str:
    """How the shape of the published curve stands, and whether a belief helps."""
    held = {
        what: [row.what.removeprefix(f"{what}, ") for row in claims if row.what.startswith(what) and _holds(row)]
        for what in (FALLS, RISES, USEFUL)
    }
    cases = len(claims) // len(held)
    both = [case for case in held[FALLS] if case in held[RISES]]
    return (
        f"The published shape, falling and then rising, is found in {len(both)} of {cases} cases ({'; '.join(both)}); "
        f"success falls for certain in {len(held[FALLS])} and rises for certain in {len(held[RISES])}. A belief is better "
        f"than a guess for certain in {len(held[USEFUL])} of {cases}. The ceiling is what one gets who is told the goal."
    )


def _holds(row: Row) -> bool:
    return row.ci95 is not None and row.ci95[0] > 0


def draw(numbers: Mapping[str, Any], path: Path) -> None:
    """A row for each set of worlds."""
    with save_figure(path, (12, 8.5)) as figure:
        axes = panels(figure, len(numbers["panels"]), 3, sharex=True, sharey=True)
        for each, (title, curves) in zip(axes, numbers["panels"].items(), strict=True):
            for steering, figures in curves.items():
                draw_trace(each, numbers["levels"], figures, STEERING_COLOURS[steering], STEERING_WORDS[steering])
            each.set_title(title.replace(", ", "\n", 1), fontsize=9)
            each.set_ylim(0, 1.02)
        for each in axes[-3:]:
            each.set_xlabel("probability of a random move")
        for each in axes[::3]:
            each.set_ylabel("share of runners, ± 95 %")
        draw_title(figure, "Interception against a runner that errs (fig. 3.6)")
        draw_key(figure, axes[0])


STUDY = Study(
    "grid-noise",
    "Interception against a runner that errs",
    "Baker 2010, section 3.4 and fig. 3.6",
    measure,
    {_PICTURE: draw},
)
