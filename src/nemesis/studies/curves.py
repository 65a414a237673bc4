"""Curves of evolution: several recipes, several runs of each, drawn side by side, and the champions on fresh deals.

The source prints the best fitness of a population, the highest of a hundred noisy numbers, as a mean of five runs. We print
the same, and beside it what the champions win on fresh deals, which is what they are worth. The ceiling is what the
exact best response wins; where several styles are met it is the mean over them, which only a player who knows the style
beforehand could reach.

A family of recipes is a player against each style (`la` … `tp`), against all of them (`all`), and with a belief
(`belief`). The champions of one run meet the same deals, so their differences are taken run by run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.respond.agent import CompiledAgent
from nemesis.respond.by_name import compiled_agent
from nemesis.respond.styles import STYLES
from nemesis.rules.game import Game
from nemesis.studies.curve_picture import curve_numbers, curve_panel
from nemesis.studies.evolved import (
    Evolved,
    caveat,
    evolve_runs,
    fresh_shares,
    game_of,
    judged,
    run_shares,
    run_tournaments,
    style_ceiling,
    unrun,
)
from nemesis.studies.network_picture import hidden_nodes, loops, network_numbers
from nemesis.studies.ordering import ordering, orderings_summary
from nemesis.studies.sample import over_runs, sampled_row, shares_over_runs
from nemesis.studies.study import Report, Row, Setting
from nemesis.studies.verdict import listed
from nemesis.train.recipes import RECIPES

_TITLES = {
    **{style: f"against {style.upper()}" for style in STYLES},
    "all": "against all",
    "belief": "all, with belief",
    "belief-once": "all, with belief, fewer mutations",
}
_FAMILIES = {
    "ga-100": "60 genes",
    "neat": "Networks",
    "neat-growing": "Networks that add about one connection a generation,",
}
_WORDS = {
    **{style: f"the one evolved against {style.upper()}" for style in STYLES},
    "alone": "four players, each against its own style,",
    "all": "one against all four",
    "belief": "one with a belief against all four",
    "belief-once": "one with a belief and as many mutations as 60 genes have, against all four,",
    "aggressive": "the one against all four, from the aggressive styles,",
    "passive": "from the passive ones",
}


@dataclass(frozen=True)
class Curve:
    """The runs of one recipe: their champions' shares by run, batch and table on fresh deals, and the ceiling."""

    runs: Sequence[Evolved]
    shares: NDArray[np.float64]
    ceiling: float

    def bests(self) -> NDArray[np.float64]:
        """The best fitness of a generation, by run and generation."""
        return np.array([[line["best"] for line in run.metrics] for run in self.runs])


@dataclass(frozen=True)
class Family:
    """What was published about a family of recipes.

    `bests` are the best fitness of each member, None where the source prints no number, and `claims` which member wins more
    than which. `begins` are bests of first generations, `sooner` which member rises sooner than which, `drawn` whose
    networks are drawn, and `places` where each figure stands. `joined` makes one player of the champions against the styles.
    """

    name: str
    bests: Mapping[str, float | None]
    claims: Mapping[tuple[str, str], str]
    picture: str
    places: Mapping[str, str]
    begins: Mapping[str, float] | None = None
    sooner: tuple[str, str, str] | None = None
    drawn: Sequence[str] = ()
    joined: Callable[[Sequence[CompiledAgent], Game], CompiledAgent] | None = None


def measure_curves(setting: Setting, family: Family) -> Report:
    """Run the family's recipes and test which champions win more than which."""
    found = {member: _measure(f"{family.name}-{member}", setting) for member in family.bests}
    curves = {member: curve for member, curve in found.items() if curve is not None}
    if not curves:
        raise ValueError(f"no run of {family.name}-… is finished at {setting.scale} scale in {setting.run_folder}")
    shares = _shares(curves)
    claims = _claims(family, curves, shares)
    rows = [row for member, curve in curves.items() for row in _rows(member, curve, family)]
    rows += _joined(curves, setting, family)
    for member, first in (family.begins or {}).items():
        if member in curves:
            what = f"{family.name}-{member}: best of the first generation"
            begun = shares_over_runs(curves[member].bests()[:, :1])
            note = "highest of a population of random genes"
            rows.append(sampled_row(what, begun, first, note, family.places[member]))
    pictures: dict[str, Any] = {family.picture: _numbers(family, curves)}
    if family.drawn:
        drawn = [curves[member].runs[0] for member in family.drawn if member in curves]
        pictures[networks_picture(family.name)] = network_numbers(drawn or [next(iter(curves.values())).runs[0]])
        rows += [row for member, curve in curves.items() for row in _grown(f"{family.name}-{member}", curve)]
    said = caveat(setting, [len(curve.runs) for curve in curves.values()])
    words = said + _verdict(rows) + unrun([f"{family.name}-{member}" for member in found], setting)
    data = {member: [list(run.metrics) for run in curve.runs] for member, curve in curves.items()}
    return Report(
        words + orderings_summary(claims), [*claims, *rows], pictures, "share of tournaments", {"metrics": data}
    )


def _measure(name: str, setting: Setting) -> Curve | None:
    runs = evolve_runs(RECIPES[name], setting)
    if not runs:
        return None
    recipe, game = runs[0].recipe, game_of(runs[0].recipe)
    setting.progress(f"{name} on fresh deals")
    tables = [[compiled_agent(style, game)] for (style,) in recipe.school.tables]
    shares = run_shares(runs, tables, setting, run_tournaments(setting))
    return Curve(runs, shares, float(np.mean([style_ceiling(style, game) for (style,) in recipe.school.tables])))


def _shares(curves: Mapping[str, Curve]) -> dict[str, NDArray[np.float64]]:
    """By run and batch, what each of those compared wins; runs are as many as everybody in a comparison has."""
    shares = {member: curve.shares.mean(axis=2) for member, curve in curves.items()}
    if all(style in shares for style in STYLES):
        runs = min(len(shares[style]) for style in STYLES)
        shares["alone"] = np.mean([shares[style][:runs] for style in STYLES], axis=0)
    if "all" in curves:
        columns = dict(zip(STYLES, np.moveaxis(curves["all"].shares, 2, 0), strict=True))
        shares["aggressive"] = (columns["la"] + columns["ta"]) / 2
        shares["passive"] = (columns["lp"] + columns["tp"]) / 2
    return shares


def _joined(curves: Mapping[str, Curve], setting: Setting, family: Family) -> list[Row]:
    """What one player made of a run's four champions wins from the styles, and how much more than one against all wins."""
    if family.joined is None or not all(member in curves for member in (*STYLES, "all")):
        return []
    game = game_of(curves["la"].runs[0].recipe)
    tables = [[compiled_agent(style, game)] for style in STYLES]
    found = []
    for runs in zip(*(curves[style].runs for style in STYLES), strict=False):
        player = family.joined([run.champion for run in runs], game)
        found.append(fresh_shares(game, [player], tables, setting, run_tournaments(setting), runs[0].seed)[:, 0])
    shares, all_four = np.mean(found, axis=2), curves["all"].shares.mean(axis=2)
    count = min(len(shares), len(all_four))
    what = f"{family.name}: champions of single styles, a belief choosing"
    return [
        replace(sampled_row(what, shares_over_runs(shares)), ceiling=curves["all"].ceiling),
        sampled_row(f"{what}: more than {family.name}-all", over_runs(shares[:count] - all_four[:count])),
    ]


def _claims(family: Family, curves: Mapping[str, Curve], shares: Mapping[str, NDArray[np.float64]]) -> list[Row]:
    """Which wins more than which, and which rises sooner."""
    tested = []
    for (more, less), said in family.claims.items():
        if more in shares and less in shares:
            runs = min(len(shares[more]), len(shares[less]))
            claim = f"{_WORDS[more]} {'win' if more == 'alone' else 'wins'} more than {_WORDS[less]}"
            gap = over_runs(shares[more][:runs] - shares[less][:runs])
            place = family.places.get(less if more in ("alone", "aggressive") else more, "")
            tested.append(ordering(claim, said, gap, _unfinished(curves, more, less), place))
    if family.sooner and all(member in curves for member in family.sooner[:2]):
        first, second, said = family.sooner
        runs = min(len(curves[first].runs), len(curves[second].runs))
        later = [half_risen(curves[second].bests()[i]) - half_risen(curves[first].bests()[i]) for i in range(runs)]
        claim = f"{_WORDS[first]} has risen half of its way in fewer generations than {_WORDS[second]}"
        if runs > 1:
            tested.append(
                ordering(claim, said, over_runs(np.array(later)[:, None]), "generations", family.places[first])
            )
    return tested


def half_risen(bests: NDArray[np.float64]) -> int:
    """The generation in which the best fitness so far first is half-way between that of the first and the highest."""
    so_far = np.maximum.accumulate(bests)
    return int(np.argmax(so_far >= (so_far[0] + so_far[-1]) / 2))


def _unfinished(curves: Mapping[str, Curve], *members: str) -> str:
    """Which of the recipes compared had not come to rest, so that longer runs may say something else."""
    rising = [
        _TITLES[member] for member in members if member in curves and any(run.rising for run in curves[member].runs)
    ]
    return f"too short a run to settle it: still rising {listed(rising)}" if rising else ""


def _rows(member: str, curve: Curve, family: Family) -> list[Row]:
    """The best fitness as published, the champions over all their tables, and at each of them if there are several."""
    recipe, published = curve.runs[0].recipe, family.bests[member]
    bests = curve.bests()
    highest = int(bests.mean(axis=0).argmax())
    fitness = shares_over_runs(bests[:, highest : highest + 1])
    known = published is not None and np.isfinite(fitness.ci95).all()
    stands = judged(fitness.ci95, published or 0.0, curve.ceiling, sample=fitness.sample) if known else ""
    where = f"{stands}{'; ' if stands else ''}in generation {highest}, noisy as the published one"
    rows = [
        sampled_row(f"{recipe.name}: highest best fitness", fitness, published, where, family.places[member]),
        replace(
            sampled_row(
                f"{recipe.name}: champions on fresh deals", shares_over_runs(curve.shares.mean(axis=2)),
                note=f"best fitness {bests[:, 0].mean():.2f} in the first generation",
            ),
            ceiling=curve.ceiling,
        ),
    ]  # fmt: skip
    if family.sooner and member in family.sooner:
        halves = over_runs(np.array([[half_risen(best)] for best in bests]))
        said = "within 35" if member == family.sooner[0] else "well past 120"
        what = f"{recipe.name}: generations to half of the rise"
        rows.append(sampled_row(what, halves, said, place=family.places[member]))
    if len(recipe.school.tables) > 1:
        for column, (style,) in enumerate(recipe.school.tables):
            alone = shares_over_runs(curve.shares[:, :, column])
            row = sampled_row(f"{recipe.name} v {style.upper()}", alone)
            rows.append(replace(row, ceiling=style_ceiling(style, game_of(recipe))))
    return rows


def _verdict(rows: Sequence[Row]) -> str:
    judged_rows = [row for row in rows if isinstance(row.published, float) and row.ci95]
    held = [
        row.what.partition(":")[0] for row in judged_rows if row.note.startswith(("reproduced", "better", "as pub"))
    ]
    fresh = [row for row in rows if row.what.endswith("champions on fresh deals")]
    close = [row.what.partition(":")[0] for row in fresh if row.ours >= 0.95 * (row.ceiling or 1)]
    beyond = [row.what.partition(":")[0] for row in judged_rows if "more than anyone" in row.note]
    sentences = [f"Of {len(judged_rows)} published bests these are reached as a best fitness: {listed(held)}."]
    if fresh:
        champions = ", ".join(f"{row.what.partition(':')[0]} {row.ours:.3f} of {row.ceiling:.3f}" for row in fresh)
        sentences.append(f"On fresh deals the champions win {champions}; within 5 % of the ceiling: {listed(close)}.")
    if beyond:
        sentences.append(f"Published for {listed(beyond)} is more than anyone can win in this game.")
    return " ".join(sentences)


def networks_picture(family: str) -> str:
    """The file of a family's drawn networks."""
    return f"{family}-networks.png"


def _grown(name: str, curve: Curve) -> list[Row]:
    """What has grown in the champions."""
    hidden = over_runs(np.array([[hidden_nodes(run)] for run in curve.runs]))
    looped = over_runs(np.array([[loops(run)] for run in curve.runs]))
    said = "more than double those of single styles" if name.endswith("-all") else None
    return [
        sampled_row(f"{name}: hidden nodes of the champions", hidden, said),
        sampled_row(f"{name}: recurrent connections of the champions", looped),
    ]


def _numbers(family: Family, curves: Mapping[str, Curve]) -> dict[str, Any]:
    """What is drawn: the curve of every member."""
    drawn = []
    for member, curve in curves.items():
        mean, (low, high), _ = shares_over_runs(curve.shares.mean(axis=2))
        runs = f", {len(curve.runs)} runs" if len(curve.runs) > 1 else ""
        drawn.append(
            curve_panel(
                f"{_TITLES[member]}{runs}", curve.runs, (mean, low, high),
                published=family.bests[member], ceiling=curve.ceiling,
            )
        )  # fmt: skip
    return curve_numbers(f"{_FAMILIES[family.name]} against the styles, generation by generation", drawn)
