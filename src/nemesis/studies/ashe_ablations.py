"""What each part of ASHE is worth: the same champion with a part taken out, on the same deals.

*Forgets*: the trees are emptied before every hand, so nothing is known of the opponent; what this costs is the proof that
it models its opponent. *Stepless*: the LSTM starts afresh at every decision, so the tree is all that remembers the hand.
Both use A4's own genome, which was evolved with these parts; a champion evolved without them might do better.

*A2 instead* is the source's own comparison: it had as many generations and never met the weak four. The rest has to be
evolved anew, which is left to the scale `full` and done at one small scale, several runs of each, because luck differs
more between runs than between deals: A4 *without a curriculum*, which meets all its opponents from the first generation on,
and A4 with smaller and larger estimators up to the source's size.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.charts import as_figure, draw_groups, draw_key, draw_title, scale_symmetrically
from nemesis.measure.earnings import SEATS, earnings
from nemesis.measure.interval import Interval, mean_interval
from nemesis.measure.picture import SERIES, save_figure
from nemesis.respond.agent import CompiledAgent
from nemesis.respond.ashe import REFERENCE
from nemesis.respond.ashe_sketch import LEAST
from nemesis.rules.games import no_limit
from nemesis.runtime.streams import Stages
from nemesis.studies.ashe_instances import caution, instance
from nemesis.studies.evolved import evolve_champion, with_hands
from nemesis.studies.published_opponents import PRESENT
from nemesis.studies.study import Report, Row, Setting, Study
from nemesis.studies.verdict import listed
from nemesis.train.ashe_kind import AsheKind
from nemesis.train.matches import log_earnings
from nemesis.train.recipe import Recipe
from nemesis.train.recipes import RECIPES

PARTS: Mapping[str, str] = {
    "forgets": "trees emptied every hand",
    "stepless": "LSTM without memory",
    "A2": "A2 instead",
}
A4 = RECIPES["ashe-a4"]
VARIANTS: Mapping[str, Recipe] = {
    "compact, 8 × 2": A4,
    "no curriculum": replace(A4, school=replace(A4.school, lessons=())),
    "least, 5 × 2": replace(A4, player=AsheKind(**asdict(LEAST))),
    "16 × 4": replace(A4, player=AsheKind(16, 4, 16)),
    "reference, 50 × 10": replace(A4, player=AsheKind(**asdict(REFERENCE))),
}
"""What is evolved anew; the first is what the others are compared with."""
RUNS = 3
POPULATION, GENERATIONS, HANDS, CHECKS = 16, 12, 250, 4000
"""The scale at which A4 is evolved anew: a hand of the reference size takes twenty times as long as one of the compact."""

_PICTURE = "ashe-ablations.png"

Rates = NDArray[np.float64]


def measure(setting: Setting) -> Report:
    """A4 whole and without each part, against everybody."""
    game = no_limit()
    whole, other = instance("A4", game, setting), instance("A2", game, setting)
    parts = [instance("A4", game, setting, **{part: True}).agent for part in ("forgets", "stepless")]
    opponents = {o.code: o.seated(game) for o in PRESENT}
    hands, matches = setting.choose(100, 1000, 1000), setting.choose(3, 10, 200)
    setting.progress(f"A4 and {len(PARTS)} others, {matches} matches against each opponent")
    rates = earnings(
        game, [whole.agent, *parts, other.agent], list(opponents.values()), matches, hands,
        seed=setting.seed, stage=Stages.ASHE_ABLATIONS.at(0), workers=setting.workers,
    )  # fmt: skip
    costs = {part: rates[0] - rates[1 + at] for at, part in enumerate(PARTS)}
    rows = [row for part, cost in costs.items() for row in _rows(part, cost, rates[0], list(opponents))]
    drawn = {
        "opponents": [o.name for o in PRESENT if o.code in opponents],
        "costs": {PARTS[part]: [as_figure(mean_interval(units)) for units in cost] for part, cost in costs.items()},
    }
    words = caution([whole, other], setting) + verdict(costs, list(opponents))
    if setting.scale == "full":
        evolved, said = compare_variants(setting, opponents)
        rows += evolved
        words += said
    else:
        words += " Sizes and a run without curriculum are compared at scale full only."
    data = {"hands": matches * SEATS * hands, "shipped": whole.shipped, "small": [RUNS, GENERATIONS, POPULATION, HANDS]}
    return Report(words, rows, {_PICTURE: drawn}, "mBB/hand lost without it", data)


def _rows(part: str, cost: Rates, whole: Rates, codes: Sequence[str]) -> list[Row]:
    rows = []
    for code, units, intact in zip(codes, cost, whole, strict=True):
        lost, ci95 = mean_interval(units)
        note = f"{effect(ci95)}; A4 takes {intact.mean():,.0f}"
        rows.append(Row(f"{PARTS[part]}, v {code}", lost, ci95, note=note))
    return rows


def effect(ci95: Interval) -> str:
    """What an interval of a cost says."""
    return "costs" if ci95[0] > 0 else "gains" if ci95[1] < 0 else "no clear difference"


def verdict(costs: Mapping[str, Rates], codes: Sequence[str]) -> str:
    """Against whom each part is worth something."""
    said = []
    for part, cost in costs.items():
        found = {code: effect(mean_interval(units)[1]) for code, units in zip(codes, cost, strict=True)}
        costly = [code for code, what in found.items() if what == "costs"]
        gaining = [code for code, what in found.items() if what == "gains"]
        text = f"{PARTS[part]} costs A4 significantly against {len(costly)} of {len(codes)} ({listed(costly)})"
        said.append(text + (f" and gains against {listed(gaining)}" if gaining else ""))
        if part == "forgets":
            most = len(costly) > len(codes) / 2
            said[-1] += ": it models its opponents" if most else ": not against most, so modelling is not shown"
    joined = "; ".join(said)
    return f"{joined[0].upper()}{joined[1:]}."


def compare_variants(setting: Setting, opponents: Mapping[str, CompiledAgent]) -> tuple[list[Row], str]:
    """Every variant evolved `RUNS` times at the small scale: mean log earnings on the same deals, intervals over runs."""
    worths = {}
    for at, (what, recipe) in enumerate(VARIANTS.items()):
        brief = with_hands(recipe.shortened(GENERATIONS), HANDS).resized(population=POPULATION, games=1)
        small = replace(brief, name=f"ashe-a4-variant-{at}")
        runs = [evolve_champion(small, setting, other=run, checks=CHECKS).champion for run in range(RUNS)]
        rates = earnings(
            no_limit(), runs, list(opponents.values()), 10,
            seed=setting.seed, stage=Stages.ASHE_ABLATIONS.at(1), workers=setting.workers,
        )  # fmt: skip
        worths[what] = log_earnings(rates.mean(axis=2)).mean(axis=1)
    first, *others = worths
    rows = [Row(f"{first}, mean of logarithms", *mean_interval(worths[first]), note=f"{RUNS} runs")]
    gaps = {what: mean_interval(worths[what] - worths[first]) for what in others}
    rows += [Row(f"{what} − {first}, mean of logarithms", *gap, note=f"{RUNS} runs each") for what, gap in gaps.items()]
    better = [what for what, (_, ci95) in gaps.items() if ci95[0] > 0]
    worse = [what for what, (_, ci95) in gaps.items() if ci95[1] < 0]
    scale = f"{RUNS} runs of {GENERATIONS} generations of {POPULATION}"
    return (
        rows,
        f" In {scale}, significantly better than {first}: {listed(better)}; significantly worse: {listed(worse)}.",
    )


def draw(numbers: Mapping[str, Any], path: Path) -> None:
    """Dots by opponent: what each part is worth, with its interval."""
    costs = numbers["costs"]
    with save_figure(path, (10, 4.8)) as figure:
        axes = figure.add_subplot()
        scale_symmetrically(axes, 100, "mBB/hand lost without it, ± 95 %")
        names = [name.replace(" ", "\n", 1) for name in numbers["opponents"]]
        draw_groups(axes, names, costs, dict(zip(costs, SERIES, strict=False)))
        draw_title(figure, "What ASHE A4 loses against each opponent when a part is taken out")
        draw_key(figure, axes)


STUDY = Study(
    "ashe-ablations",
    "ASHE without its trees, its memory, its first lessons",
    "the ASHE paper, section 3",
    measure,
    {_PICTURE: draw},
)
