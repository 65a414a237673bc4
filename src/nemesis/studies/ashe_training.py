"""How ASHE's evolution goes: fitness by generation for the four instances' opponents, estimators taking turns (003, 3.2).

The champions that come with the package are evolved in another way (docs/explanation/ashe.md). Here each instance is
evolved as published, by tiers and from chance, at the scale of the study; `full` is the source's, 200 million hands
each. Fitness of a generation is the highest of many noisy numbers on its own deals. What was learned is therefore
measured again: the champion against the best of the first generation, on deals that neither has seen, in the unit of
the fitness.

What the choice of opponents does to a finished player (A3's lack of variety, the level of A1's and A2's) is in the rows of
`ashe-table`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from nemesis.evolve.run import read_bests
from nemesis.measure.earnings import earnings
from nemesis.measure.interval import Interval, mean_interval
from nemesis.measure.picture import save_figure
from nemesis.respond.ashe import Ashe
from nemesis.rules.games import no_limit
from nemesis.studies.ashe_evolution import ashe_size, log_units
from nemesis.studies.ashe_instances import ASHE_DEALS, INSTANCES
from nemesis.studies.evolution import genome_of
from nemesis.studies.evolved import Evolved, caveat, evolve_champion
from nemesis.studies.published_opponents import opponent_named
from nemesis.studies.recipes import RECIPES
from nemesis.studies.study import Report, Row, Setting, Study
from nemesis.studies.verdict import listed

_PICTURE = "training.png"
_DEALS = ASHE_DEALS + 2000
_ESTIMATORS = ("win rate", "fold rate")


def measure(setting: Setting) -> Report:
    """Evolve all four and compare the end with the beginning."""
    runs = {code: evolve_champion(RECIPES[f"tiered-{code.lower()}"], setting, opponent_named) for code in INSTANCES}
    draw(runs, setting.folder / _PICTURE)
    gains = {code: learned(run, setting) for code, run in runs.items()}
    rows = []
    for code, run in runs.items():
        recipe = run.recipe
        note = (
            f"fitness of the first generation's best {run.metrics[0]['best']:.2f}, highest {run.peak:.2f}; "
            f"{recipe.generations} generations of {recipe.population}, matches of {recipe.hands} hands"
        )
        rows.append(Row(f"{code}: champion − best of generation 1", *gains[code], note=note))
    better = [code for code, (_, ci95) in gains.items() if ci95[0] > 0]
    words = (
        f"{caveat(setting)}On fresh deals the champion is significantly better than the best of the first generation in "
        f"{len(better)} of {len(gains)} runs ({listed(better)}). What variety and level of the opponents do to finished "
        "players is in `ashe-table`."
    )
    data = {"metrics": {code: list(run.metrics) for code, run in runs.items()}}
    return Report(words, rows, [_PICTURE], "log of 1 + quarter blinds a hand, mean over opponents", data)


def learned(run: Evolved, setting: Setting) -> tuple[float, Interval]:
    """The champion minus the best of the first generation, against the opponents of the last lesson."""
    game = no_limit()
    first = Ashe(game, ashe_size(run.recipe.player), genome_of(read_bests(run.path.parent)[0]["genome"]))
    opponents = [opponent_named(name, game) for (name,) in run.recipe.tables]
    matches, hands = setting.choose(3, 10, 100), setting.choose(100, 1000, 1000)
    before, after = earnings(
        game, [first, run.champion], opponents, matches, hands,
        seed=setting.seed, stage=_DEALS, workers=setting.workers,
    )  # fmt: skip
    return mean_interval(log_units(after) - log_units(before))


def draw(runs: Mapping[str, Evolved], path: Path) -> None:
    """Best and mean of every generation; bands show which estimator evolves, a dotted line the change of opponents."""
    with save_figure(path, (12, 6.5)) as figure:
        grid = figure.subplots(2, 2, squeeze=False)
        for axes, (code, run) in zip(grid.flat, runs.items(), strict=True):
            numbers = [line["generation"] for line in run.metrics]
            session = run.recipe.session
            for start in range(session, len(numbers), 2 * session):
                axes.axvspan(start - 0.5, min(start + session, len(numbers)) - 0.5, color="0.92")
            for key, colour in (("best", "tab:blue"), ("mean", "tab:orange")):
                axes.plot(numbers, [line[key] for line in run.metrics], color=colour, linewidth=1, label=key)
            for until, _ in run.recipe.lessons:
                if until < len(numbers):
                    axes.axvline(until - 0.5, color="black", linestyle=":", label="other opponents")
            axes.set(title=code, xlabel="generation", ylabel=run.recipe.unit)
            axes.legend(loc="lower right", fontsize=7)
        figure.suptitle(
            f"white: the {_ESTIMATORS[0]} estimator evolves; grey: the {_ESTIMATORS[1]} estimator", fontsize=9
        )


STUDY = Study("ashe-training", "Four evolutions of ASHE, generation by generation", "003, section 3.2", measure)
