"""ASHE evolved from chance and from the sketch, by tiers and by natural evolution, with equal budgets and several runs.

The source (the ASHE paper, section 3.2) evolves its estimators from random weights by tiers of survival; fitness is the mean
of what is earned. `tiered-a1` to `tiered-a4` do that in all but size. For A4 the start and the learner are then changed,
one at a time and together, with the same lessons, fitness, population, generations and hands. What makes our
champions otherwise different (the mean of logarithms, shorter matches, lessons that stay) is in none of these.

A run at the published size is too long to be finished here. As far as one has gone, its generations stand beside those of
the compact size, which have played as many hands.

A run gives one champion. Champions of run `i` meet all ten opponents on the same fresh deals, those of different runs on
different ones. So the sample of every row is the runs; over a single run it is deals, and says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.evolve.run import read_bests
from nemesis.evolve.tiered import TieredParameters
from nemesis.measure.charts import count_generations, draw_key, draw_title, generation_columns, panels
from nemesis.measure.earnings import SEATS, earnings
from nemesis.measure.picture import BLUE, GREEN, GREY, INK, ORANGE, PURPLE, VERMILLION, save_figure
from nemesis.rules.games import no_limit
from nemesis.runtime.streams import Stages
from nemesis.studies.ashe_instances import PUBLISHED
from nemesis.studies.evolved import Evolved, caveat, evolve_runs, metrics_so_far, unrun
from nemesis.studies.ordering import ordering, orderings_summary
from nemesis.studies.published_opponents import PRESENT
from nemesis.studies.sample import Sampled, over_runs, sampled_row
from nemesis.studies.study import Report, Row, Setting, Study
from nemesis.train.matches import Matches, log_units
from nemesis.train.recipes import RECIPES

INSTANCES = {"A1": "tiered-a1", "A2": "tiered-a2", "A3": "tiered-a3", "A4": "tiered-a4"}
"""The published instances: from chance, by tiers."""
CHANCES = "tiers from chance"
WAYS = {
    CHANCES: "tiered-a4",
    "tiers from the sketch": "tiered-sketch-a4",
    "natural from chance": "natural-a4",
    "natural from the sketch": "natural-sketch-a4",
}
"""A4 by start and learner."""
ROUND = 2 * TieredParameters().session
"""Generations in which tiers evolve each of the two estimators for one session."""
LARGE = "published-a4"
"""At the published size; this study does not evolve it but shows how far a run in the folder has gone."""
SMOKE = ("tiered-a4", "natural-sketch-a4")

_PICTURE = "training.png"
_COLOURS = {
    "tiered-a1": INK, "tiered-a2": PURPLE, "tiered-a3": GREY, "tiered-a4": ORANGE,
    "tiered-sketch-a4": VERMILLION, "natural-a4": GREEN, "natural-sketch-a4": BLUE, LARGE: INK,
}  # fmt: skip

Rates = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Raised:
    """The runs of a recipe, and mBB/hand of each run's champion and of its first generation's best: (opponent, match)."""

    runs: Sequence[Evolved]
    champions: Sequence[Rates]
    firsts: Sequence[Rates]

    def against(self, code: str) -> list[Rates]:
        """By run and match."""
        at = [opponent.code for opponent in PRESENT].index(code)
        return [rates[at] for rates in self.champions]

    def averages(self) -> list[Rates]:
        """The plain mean over opponents, by run and match."""
        return [rates.mean(axis=0) for rates in self.champions]

    def logs(self) -> list[Rates]:
        """The mean of logarithms over opponents, by run and match."""
        return [log_units(rates) for rates in self.champions]


def measure(setting: Setting) -> Report:
    """Evolve what is not there yet, and compare champions."""
    names = SMOKE if setting.scale == "smoke" else tuple(dict.fromkeys((*INSTANCES.values(), *WAYS.values())))
    found = {name: raised(name, setting) for name in names}
    found = {name: each for name, each in found.items() if each.runs}
    rows = [*levels(found), *conclusions(found), *factorial(found)]
    words = (
        caveat(setting, [len(each.runs) for each in found.values()], "20 generations of 20, matches of 200 hands")
        + learned(found)
        + orderings_summary(rows)
        + unrun(names, setting)
    )
    numbers = {name: [generation_columns(run.metrics) for run in each.runs] for name, each in found.items()}
    large = metrics_so_far(RECIPES[LARGE], setting)
    if large:
        rows += sizes(large, [run.metrics for run in found[WAYS[CHANCES]].runs] if WAYS[CHANCES] in found else [])
        numbers[LARGE] = [generation_columns(large)]
    return Report(words, rows, {_PICTURE: numbers}, "mBB/hand", {"runs": {n: len(e.runs) for n, e in found.items()}})


def raised(name: str, setting: Setting) -> Raised:
    """The runs of a recipe and what their champions and first bests take."""
    runs = evolve_runs(RECIPES[name], setting)
    game = no_limit()
    opponents = [opponent.seated(game) for opponent in PRESENT]
    champions, firsts = [], []
    for number, run in enumerate(runs):
        setting.progress(f"{name}, run {number + 1} on fresh deals")
        kind = run.recipe.player
        first = kind.agent(kind.read(read_bests(run.path.parent)[0]["genome"]), game, "first")
        last, before = earnings(
            game, [run.champion, first], opponents, setting.choose(3, 10, 50), setting.choose(100, 1000, 1000),
            seed=setting.seed, stage=Stages.ASHE_TRAINING.at(number), workers=setting.workers,
        )  # fmt: skip
        champions.append(last)
        firsts.append(before)
    return Raised(runs, champions, firsts)


def levels(found: Mapping[str, Raised]) -> Iterator[Row]:
    """What the champions of each recipe take on average, and what evolution added."""
    published = {name: code for code, name in INSTANCES.items()}
    for name, each in found.items():
        code = published.get(name)
        printed = float(np.mean([PUBLISHED[code][o.code] for o in PRESENT])) if code else None
        yield sampled_row(f"{name}: mean over ten opponents", over_runs(each.averages()), printed, note=_note(each))
        gains = [log_units(last) - log_units(first) for last, first in zip(each.champions, each.firsts, strict=True)]
        yield sampled_row(f"{name}: champion − first best, mean of logarithms", over_runs(gains))


def conclusions(found: Mapping[str, Raised]) -> Iterator[Row]:
    """What the source concludes from table 3, over runs of the published way."""
    seen = {code: found[name] for code, name in INSTANCES.items() if name in found}

    def gap(better: Sequence[Rates], worse: Sequence[Rates]) -> Sampled:
        return over_runs([one - other for one, other in zip(better, worse, strict=False)])

    def printed(player: str) -> float:
        return float(np.mean([PUBLISHED[player][o.code] for o in PRESENT]))

    for better, worse in (("A4", "A2"), ("A2", "A1"), ("A1", "A3")):
        if better in seen and worse in seen:
            claim, told = f"{better} > {worse}, mean over all", f"{printed(better) - printed(worse):+,.0f}"
            yield ordering(claim, told, gap(seen[better].averages(), seen[worse].averages()))
    for player in ("A2", "A4"):
        if player in seen:
            told = f"{PUBLISHED[player]['HP']:+,.0f}"
            yield ordering(f"{player} beats HP, a stranger", told, over_runs(seen[player].against("HP")))
    for code in ("CM", "CS"):
        for player in ("A1", "A2", "A4"):
            if player in seen and "A3" in seen:
                told = f"{PUBLISHED[player][code] - PUBLISHED['A3'][code]:+,.0f}"
                lost = gap(seen[player].against(code), seen["A3"].against(code))
                yield ordering(f"{player} > A3 against {code}", told, lost, "A3 met no kind like it")
    for code in ("RG", "HP"):
        for player in ("A2", "A4"):
            if player in seen and "A1" in seen:
                told = f"{PUBLISHED[player][code] - PUBLISHED['A1'][code]:+,.0f}"
                more = gap(seen[player].against(code), seen["A1"].against(code))
                yield ordering(f"{player} > A1 against {code}, a stranger", told, more)


def factorial(found: Mapping[str, Raised]) -> Iterator[Row]:
    """What start and learner are worth for A4, each with the other held: differences in the mean of logarithms."""
    pairs = (
        ("tiers from the sketch", "tiers from chance"),
        ("natural from the sketch", "natural from chance"),
        ("natural from chance", "tiers from chance"),
        ("natural from the sketch", "tiers from the sketch"),
    )
    for one, other in pairs:
        if WAYS[one] in found and WAYS[other] in found:
            a, b = found[WAYS[one]].logs(), found[WAYS[other]].logs()
            gaps = [x - y for x, y in zip(a, b, strict=False)]
            yield sampled_row(f"A4: {one} − {other}, mean of logarithms", over_runs(gaps))


def sizes(large: Sequence[Mapping[str, float]], compact: Sequence[Sequence[Mapping[str, float]]]) -> Iterator[Row]:
    """What the population earned with the published size in the last fifth it has played, and with the compact one then."""
    last = range(len(large) - max(1, len(large) // 5), len(large))
    when = f"population mean, generations {last.start} to {last.stop - 1}"
    note = f"{len(large)} of {RECIPES[LARGE].school.generations} generations so far"
    own = float(np.mean([large[g]["mean"] for g in last]))
    yield Row(f"published size: {when}", own, None, sample="1 run", note=note)
    played = [float(np.mean([run[g]["mean"] for g in last])) for run in compact if len(run) >= last.stop]
    if played:
        yield sampled_row(f"compact size: {when}", over_runs(played))


def learned(found: Mapping[str, Raised]) -> str:
    """How much evolution from chance learns, in words."""
    parts = []
    for name, each in found.items():
        before, after = (float(np.mean([r.mean() for r in rates])) for rates in (each.firsts, each.champions))
        parts.append(f"{name} from {before:,.0f} to {after:,.0f}")
    if not parts:
        return "No run is finished."
    return f"Mean over ten opponents on fresh deals, first best and champion: {'; '.join(parts)} mBB/hand."


def _note(each: Raised) -> str:
    recipe = each.runs[0].recipe
    assert isinstance(recipe.school, Matches)
    by = np.mean([rates.mean(axis=1) for rates in each.champions], axis=0)
    school, population = recipe.school, recipe.learner.population
    hands = school.generations * population * len(school.tables) * school.games * SEATS * school.hands
    taken = ", ".join(f"{o.code} {mean:,.0f}" for o, mean in zip(PRESENT, by, strict=True))
    return f"{taken}; {school.generations} generations of {population}, {hands / 1e6:,.1f} million hands a run"


def draw(numbers: Mapping[str, Any], path: Path) -> None:
    """What the population earns on average; a line is a run.

    The published instances and A4 four ways, by rounds of both estimators; and A4 at both sizes, by generation, for as long
    as the large one was played. A4 begins with A1's opponents, so its runs begin as A1's.
    """
    groups = {
        title: names
        for title, names in (
            ("the published instances (A4 begins as A1)", INSTANCES),
            ("A4 by start and learner", WAYS),
        )
        if sum(name in numbers for name in names.values()) > 1 or names is INSTANCES
    }
    count = len(groups) + (LARGE in numbers)
    with save_figure(path, (10, 1.3 + 3.2 * count)) as figure:
        every = panels(figure, count, 1)
        for axes, (title, names) in zip(every, groups.items(), strict=False):
            axes.set_title(f"{title}, means of {ROUND} generations")
            for name in names.values():
                for columns in numbers.get(name, ()):
                    _line(axes, name, *(_by_round(columns[key]) for key in ("generation", "mean")))
        if LARGE in numbers:
            every[-1].set_title("A4 at the published and at the compact size")
            end = len(numbers[LARGE][0]["generation"])
            for name in (WAYS[CHANCES], LARGE):
                for columns in numbers.get(name, ()):
                    _line(every[-1], name, columns["generation"][:end], columns["mean"][:end])
        for axes in every:
            axes.set_ylabel("population mean, mBB/hand")
            count_generations(axes)
        draw_title(figure, "ASHE from chance and from the sketch: what the population earns, run by run")
        draw_key(figure, *every, columns=4)


def _line(axes: Any, name: str, generations: Sequence[float], means: Sequence[float]) -> None:
    style = "--" if name == LARGE else "-"
    axes.plot(generations, means, style, color=_COLOURS[name], linewidth=1.2, label=name)


def _by_round(values: Sequence[float]) -> list[float]:
    """Means of rounds in which both estimators have their turn; what is left over at the end is a shorter one."""
    return [float(np.mean(values[at : at + ROUND])) for at in range(0, len(values), ROUND)]


STUDY = Study(
    "ashe-training",
    "ASHE from chance and from the sketch, run by run",
    "the ASHE paper, section 3.2",
    measure,
    {_PICTURE: draw},
    "about 14 CPU minutes a run of 200 million hands: 5 CPU hours for three runs of all seven recipes",
)
