"""How ASHE evolves, generation by generation: as published (the ASHE paper, section 3.2), and as our champions were made.

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
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.evolve.run import read_bests
from nemesis.evolve.tiered import TieredParameters
from nemesis.measure.charts import count_generations, draw_key, draw_title, generation_columns, panels
from nemesis.measure.earnings import earnings
from nemesis.measure.interval import mean_interval
from nemesis.measure.picture import BLUE, INK, ORANGE, save_figure
from nemesis.respond.by_name import compiled_agent
from nemesis.rules.games import no_limit
from nemesis.runtime.streams import Stages
from nemesis.studies.ashe_instances import INSTANCES
from nemesis.studies.evolved import Evolved, caveat, evolve_champion
from nemesis.studies.study import Report, Row, Setting, Study
from nemesis.studies.verdict import listed
from nemesis.train.matches import Matches, log_units
from nemesis.train.recipe import Recipe
from nemesis.train.recipes import RECIPES

WAYS: Mapping[str, str] = {"tiered": "as published", "ashe": "from the sketch"}
"""How the names of recipes begin, and what they are called here."""

_PICTURE = "training.png"
_COLOURS = {"tiered": ORANGE, "ashe": BLUE}

Runs = Mapping[tuple[str, str], Evolved]


def measure(setting: Setting) -> Report:
    """Evolve both ways and compare ends with beginnings, and the ends with each other."""
    codes = INSTANCES if setting.scale == "full" else ("A1", "A4")
    runs = {(code, way): evolve_champion(alike(code, way), setting) for code in codes for way in WAYS}
    rows, better, ahead = [], [], []
    for code in codes:
        ends = {way: measured(runs[code, way], runs[code, "tiered"], setting) for way in WAYS}
        for way, (first, last) in ends.items():
            gain = mean_interval(last - first)
            rows.append(Row(f"{code} {WAYS[way]}: champion − best of generation 1", *gain, note=_note(runs[code, way])))
            better += [f"{code} {WAYS[way]}"] if gain[1][0] > 0 else []
        gap = mean_interval(ends["ashe"][1] - ends["tiered"][1])
        rows.append(Row(f"{code}: champion from the sketch − champion as published", *gap))
        ahead += [code] if gap[1][0] > 0 else []
    words = caveat(setting, 1, "20 generations of 20") + (
        "On fresh deals the champion is significantly better than the best of the first generation in "
        f"{len(better)} of {len(runs)} runs ({listed(better)}); evolution from the sketch ends significantly ahead of the "
        f"published one for {listed(ahead)}. What variety and level of the opponents do to finished players is in "
        "`ashe-table`."
    )
    data = {"metrics": {f"{code} {WAYS[way]}": list(run.metrics) for (code, way), run in runs.items()}}
    return Report(
        words, rows, {_PICTURE: _numbers(runs, codes)}, "log of 1 + big blinds a hand, mean over opponents", data
    )


def alike(code: str, way: str) -> Recipe:
    """The recipe of an instance, with the published population, generations and opponents whichever way it evolves."""
    published, recipe = RECIPES[f"tiered-{code.lower()}"], RECIPES[f"{way}-{code.lower()}"]
    return replace(
        recipe,
        name=f"{recipe.name}-training",
        school=replace(
            recipe.school,
            generations=published.school.generations,
            tables=published.school.tables,
            lessons=published.school.lessons,
        ),
    ).resized(population=published.learner.population)


def measured(run: Evolved, judge: Evolved, setting: Setting) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The first generation's best and the champion, by match, against the opponents of the last lesson of `judge`."""
    game = no_limit()
    kind = run.recipe.player
    first = kind.agent(kind.read(read_bests(run.path.parent)[0]["genome"]), game, "first")
    opponents = [compiled_agent(name, game) for (name,) in judge.recipe.school.tables]
    matches, hands = setting.choose(3, 10, 100), setting.choose(100, 1000, 1000)
    before, after = earnings(
        game, [first, run.champion], opponents, matches, hands,
        seed=setting.seed, stage=Stages.ASHE_TRAINING.at(0), workers=setting.workers,
    )  # fmt: skip
    return log_units(before), log_units(after)


def _note(run: Evolved) -> str:
    recipe = run.recipe
    assert isinstance(recipe.school, Matches)
    return (
        f"fitness of the first generation's best {run.metrics[0]['best']:.2f}, highest {run.peak:.2f}; "
        f"{recipe.school.generations} generations of {recipe.learner.population}, "
        f"matches of {recipe.school.hands} hands"
    )


def _numbers(runs: Runs, codes: Sequence[str]) -> dict[str, Any]:
    """What is drawn: both ways of every instance, how long the estimators' turns are, and when opponents change."""
    return {
        code: {
            "ways": {way: generation_columns(runs[code, way].metrics) for way in WAYS},
            "session": _session(runs[code, "tiered"].recipe),
            "lessons": [until for until, _ in runs[code, "tiered"].recipe.school.lessons],
        }
        for code in codes
    }


def _session(recipe: Recipe) -> int:
    assert isinstance(recipe.learner, TieredParameters)
    return recipe.learner.session


def draw(numbers: Mapping[str, Any], path: Path) -> None:
    """Best and mean of every generation; grey bands are the fold estimator's turns, a dotted line other opponents."""
    with save_figure(path, (10, 1.3 + 2.8 * -(-len(numbers) // 2))) as figure:
        every = panels(figure, len(numbers), 2)
        for axes, (code, drawn) in zip(every, numbers.items(), strict=True):
            count, session = len(drawn["ways"]["tiered"]["generation"]), drawn["session"]
            for start in range(session, count, 2 * session):
                end = min(start + session, count)
                axes.axvspan(start - 0.5, end - 0.5, color="#ECEEF1", label="fold-rate estimator's turn, as published")
            for way, name in WAYS.items():
                columns = drawn["ways"][way]
                axes.plot(columns["generation"], columns["best"], color=_COLOURS[way], label=f"best, {name}")
                axes.plot(
                    columns["generation"], columns["mean"], color=_COLOURS[way], linewidth=1, linestyle="--",
                    label=f"mean, {name}",
                )  # fmt: skip
            for until in drawn["lessons"]:
                axes.axvline(until - 0.5, color=INK, linestyle=":", linewidth=1.2, label="other opponents from here on")
            axes.set_title(code)
            count_generations(axes)
        every[0].set_ylabel("fitness: log of 1 + big blinds a hand")
        draw_title(figure, "Two ways to evolve ASHE: tiered survival as published, natural evolution from a sketch")
        draw_key(figure, *reversed(every), columns=3)


STUDY = Study(
    "ashe-training",
    "Four evolutions of ASHE, generation by generation",
    "the ASHE paper, section 3.2",
    measure,
    {_PICTURE: draw},
)
