"""How ASHE's evolution goes, generation by generation: as published, and as our champions were made (003, section 3.2).

As published: tiered survival from random genomes, the two estimators evolving in turns. Ours: natural evolution from a
sketch that repeats what the trees say. The runs behind the champions that come with the package are long and not shipped,
so both are run again here, at the scale of the study and with the same hands to each; `full` is the source's.

Fitness of a generation is the highest of many noisy numbers on its own deals. What was learned is therefore measured
again, on deals that nobody has seen and in the unit of the fitness: the champion against the best of the first generation,
and our way against the published one.

What the choice of opponents does to a finished player (A3's lack of variety, the level of A1's and A2's) is in the rows of
`ashe-table`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nemesis.evolve.run import read_bests
from nemesis.measure.earnings import earnings
from nemesis.measure.interval import mean_interval
from nemesis.measure.picture import save_figure
from nemesis.respond.ashe import Ashe
from nemesis.respond.by_name import compiled_agent
from nemesis.rules.games import no_limit
from nemesis.studies.ashe_instances import ASHE_DEALS, INSTANCES
from nemesis.studies.evolved import Evolved, caveat, evolve_champion
from nemesis.studies.study import Report, Row, Setting, Study
from nemesis.studies.verdict import listed
from nemesis.train.ashe_evolution import ashe_size, log_units
from nemesis.train.evolution import genome_of
from nemesis.train.recipe import Recipe
from nemesis.train.recipes import RECIPES

WAYS: Mapping[str, str] = {"tiered": "as published", "ashe": "from the sketch"}
"""How the names of recipes begin, and what they are called here."""

_PICTURE = "training.png"
_DEALS = ASHE_DEALS + 2000
_COLOURS = {"tiered": "tab:orange", "ashe": "tab:blue"}

Runs = Mapping[tuple[str, str], Evolved]


def measure(setting: Setting) -> Report:
    """Evolve both ways and compare ends with beginnings, and the ends with each other."""
    codes = INSTANCES if setting.scale == "full" else ("A1", "A4")
    runs = {(code, way): evolve_champion(alike(code, way), setting) for code in codes for way in WAYS}
    draw(runs, codes, setting.folder / _PICTURE)
    rows, better, ahead = [], [], []
    for code in codes:
        ends = {way: measured(runs[code, way], runs[code, "tiered"], setting) for way in WAYS}
        for way, (first, last) in ends.items():
            gain = mean_interval(last - first)
            rows.append(Row(f"{code} {WAYS[way]}: champion − best of generation 1", *gain, note=_told(runs[code, way])))
            better += [f"{code} {WAYS[way]}"] if gain[1][0] > 0 else []
        gap = mean_interval(ends["ashe"][1] - ends["tiered"][1])
        rows.append(Row(f"{code}: champion from the sketch − champion as published", *gap))
        ahead += [code] if gap[1][0] > 0 else []
    words = caveat(setting, "20 generations of 20") + (
        "On fresh deals the champion is significantly better than the best of the first generation in "
        f"{len(better)} of {len(runs)} runs ({listed(better)}); evolution from the sketch ends significantly ahead of the "
        f"published one for {listed(ahead)}. What variety and level of the opponents do to finished players is in "
        "`ashe-table`."
    )
    data = {"metrics": {f"{code} {WAYS[way]}": list(run.metrics) for (code, way), run in runs.items()}}
    return Report(words, rows, [_PICTURE], "log of 1 + big blinds a hand, mean over opponents", data)


def alike(code: str, way: str) -> Recipe:
    """The recipe of an instance, with the published population, generations and opponents whichever way it evolves."""
    published, recipe = RECIPES[f"tiered-{code.lower()}"], RECIPES[f"{way}-{code.lower()}"]
    return replace(
        recipe,
        name=f"{recipe.name}-training",
        population=published.population,
        generations=published.generations,
        tables=published.tables,
        lessons=published.lessons,
    )


def measured(run: Evolved, judge: Evolved, setting: Setting) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The first generation's best and the champion, by match, against the opponents of the last lesson of `judge`."""
    game = no_limit()
    first = Ashe(game, ashe_size(run.recipe.player), genome_of(read_bests(run.path.parent)[0]["genome"]))
    opponents = [compiled_agent(name, game) for (name,) in judge.recipe.tables]
    matches, hands = setting.choose(3, 10, 100), setting.choose(100, 1000, 1000)
    before, after = earnings(
        game, [first, run.champion], opponents, matches, hands,
        seed=setting.seed, stage=_DEALS, workers=setting.workers,
    )  # fmt: skip
    return log_units(before), log_units(after)


def _told(run: Evolved) -> str:
    recipe = run.recipe
    return (
        f"fitness of the first generation's best {run.metrics[0]['best']:.2f}, highest {run.peak:.2f}; "
        f"{recipe.generations} generations of {recipe.population}, matches of {recipe.hands} hands"
    )


def draw(runs: Runs, codes: Sequence[str], path: Path) -> None:
    """Best and mean of every generation; grey bands are the fold estimator's turns, a dotted line other opponents."""
    with save_figure(path, (12, 3.4 * -(-len(codes) // 2))) as figure:
        grid = figure.subplots(-(-len(codes) // 2), 2, squeeze=False)
        for axes, code in zip(grid.flat, codes, strict=True):
            published = runs[code, "tiered"]
            count, session = len(published.metrics), published.recipe.session
            for start in range(session, count, 2 * session):
                axes.axvspan(start - 0.5, min(start + session, count) - 0.5, color="0.93")
            for way, told in WAYS.items():
                metrics = runs[code, way].metrics
                numbers = [line["generation"] for line in metrics]
                axes.plot(numbers, [line["best"] for line in metrics], color=_COLOURS[way], label=f"{told}, best")
                means = [line["mean"] for line in metrics]
                axes.plot(numbers, means, color=_COLOURS[way], linewidth=0.8, linestyle="--", label=f"{told}, mean")
            for until, _ in published.recipe.lessons:
                axes.axvline(until - 0.5, color="black", linestyle=":")
            axes.set(title=code, xlabel="generation", ylabel="fitness")
            axes.legend(loc="lower right", fontsize=7)
        figure.suptitle("grey: turns of the fold-rate estimator, as published; dotted: other opponents", fontsize=9)


STUDY = Study("ashe-training", "Four evolutions of ASHE, generation by generation", "003, section 3.2", measure)
