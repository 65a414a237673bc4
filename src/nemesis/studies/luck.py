"""What taking the luck of the cards out is worth: the mean stays, the interval shrinks.

Each pairing is played once and judged three ways: as it was won, with the luck after an all-in taken out, and with the
terms of AIVAT taken out (`play.luck`), whose value function was fitted to other hands and is named by its digest. What is
taken out should be 0 on average. By how much the standard error shrinks depends on the players: what they do with their
cards is taken out only where their policy is known. Every pairing is duplicated, seats swapped on the same deals, before
anything is compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from nemesis.measure.charts import draw_groups, draw_key, draw_title
from nemesis.measure.interval import jackknife_interval, mean_interval
from nemesis.measure.picture import BLUE, ORANGE, save_figure
from nemesis.play.by_name import player
from nemesis.play.luck import KINDS, Kind, value_function
from nemesis.play.table import play_rounds
from nemesis.rules.games import no_limit
from nemesis.studies.ordering import ordering
from nemesis.studies.study import Report, Row, Setting, Study

PAIRS = (("nl-ta", "hp"), ("cs", "nl-la"), ("rg", "cm"), ("equilibrium", "hp"), ("equilibrium", "ashe-a4"))
ASKED = ("equilibrium", "ashe-a4")
"""The pairing whose standard error should be halved."""
NAMES: Mapping[Kind, str] = {"all-in": "all-in adjusted", "aivat": "AIVAT"}

_PICTURE = "luck.png"


def measure(setting: Setting) -> Report:
    """Every pairing, judged in every way."""
    game = no_limit()
    hands = setting.choose(2_000, 100_000, 400_000)
    length = setting.choose(100, 500, 500)
    rows, drawn, unbiased = [], {}, 0
    claim: Row | None = None
    for pair in PAIRS:
        name = " v ".join(pair)
        setting.progress(name)
        units = {
            kind: play_rounds(
                [player(each) for each in pair], game, hands, seed=setting.seed, match_hands=length, most_hands=hands,
                workers=setting.workers, without_luck=kind,
            ).chips[:, 0] * game.unit[1]
            for kind in (None, *KINDS)
        }  # fmt: skip
        mean, ci95 = mean_interval(units[None])
        rows.append(Row(f"{name}, as won", mean, ci95, note=f"{2 * length * len(units[None]):,} hands"))
        ratios = {}
        for kind in KINDS:
            mean, ci95 = mean_interval(units[kind])
            taken, (low, high) = mean_interval(units[None] - units[kind])
            even = low <= 0 <= high
            unbiased += even
            both = np.stack([units[None], units[kind]], axis=1)
            ratio = jackknife_interval(_moments(both), _spread_ratio)
            ratios[kind] = (ratio[0], *ratio[1])
            note = f"taken out {taken:+,.1f} ({low:+,.1f} … {high:+,.1f}), {'0 is within' if even else '0 is outside'}"
            rows.append(Row(f"{name}, {NAMES[kind]}", mean, ci95, note=note))
            rows.append(Row(f"{name}, {NAMES[kind]}, standard error as a share", *ratio))
            if pair == ASKED and kind == "aivat":
                gap = 0.5 - ratio[0]
                claim = ordering(
                    "AIVAT halves the standard error of equilibrium v ASHE",
                    "",
                    (gap, (0.5 - ratio[1][1], 0.5 - ratio[1][0])),
                )
        drawn[name] = ratios
    share = drawn[" v ".join(ASKED)]["aivat"]
    words = (
        f"What is taken out is 0 within its 95 % interval in {unbiased} of {len(KINDS) * len(PAIRS)} comparisons. The "
        f"standard error of {' v '.join(ASKED)} falls to {share[0]:.2f} of what it was ({share[1]:.2f} … {share[2]:.2f}), "
        f"so as many hands say as much as {1 / share[0] ** 2:.1f} times as many would. Value functions: "
        f"{', '.join(f'{NAMES[kind]} {value_function(kind).digest}' for kind in KINDS)}."
    )
    return Report(words, [*([claim] if claim else []), *rows], {_PICTURE: drawn}, "mBB/hand")


def _moments(units: Any) -> Any:
    """By unit: both figures and their squares, whose means give the spread."""
    return np.concatenate([units, units**2], axis=1)


def _spread_ratio(means: Any) -> float:
    """The second standard deviation as a share of the first."""
    plain, judged = means[2] - means[0] ** 2, means[3] - means[1] ** 2
    return float(np.sqrt(max(judged, 0.0) / plain)) if plain > 0 else 1.0


def draw(numbers: Mapping[str, Any], path: Path) -> None:
    """Shares of the standard error that are left, by pairing."""
    with save_figure(path, (9, 4.4)) as figure:
        axes = figure.add_subplot()
        series = {NAMES[kind]: [ratios[kind] for ratios in numbers.values()] for kind in KINDS}
        draw_groups(
            axes, [name.replace(" v ", "\nv ") for name in numbers], series, {"all-in adjusted": ORANGE, "AIVAT": BLUE}
        )
        axes.axhline(1.0, color="0.6", linewidth=1)
        axes.set(ylabel="standard error, as a share\nof that of the plain result, ± 95 %", ylim=(0, None))
        draw_title(figure, "How much spread is left when the luck of the cards is taken out")
        draw_key(figure, axes)


STUDY = Study(
    "luck",
    "The luck of the cards taken out",
    "ours; AIVAT, Burch et al. 2018",
    measure,
    {_PICTURE: draw},
)
