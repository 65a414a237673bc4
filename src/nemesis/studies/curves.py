"""Curves of evolution: several recipes run, drawn side by side, and their champions measured on fresh deals.

The source prints the best fitness of a population, the highest of a hundred noisy numbers. Ours is the champion's
share on fresh deals, so it may well lie below a published curve; the highest fitness of our own run, which is noisy in the
same way, stands in the note. The ceiling is what the exact best response wins; where several styles are met it is the
mean over them, which only a player who knows the style beforehand could reach.

A family of recipes is a player against each style (`la` … `tp`), against all of them (`all`), and with a belief
(`belief`). All champions play their tables on the same deals, so their differences are taken batch by batch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.charts import as_figure
from nemesis.measure.interval import mean_interval
from nemesis.respond.by_name import compiled_agent
from nemesis.respond.styles import STYLES
from nemesis.studies.curve_picture import curve_numbers, curve_panel
from nemesis.studies.evolved import (
    Evolved,
    caveat,
    evolve_champion,
    fresh_shares,
    fresh_tournaments,
    game_of,
    judged,
    share_of,
    style_ceiling,
)
from nemesis.studies.network_picture import hidden_nodes, network_numbers
from nemesis.studies.ordering import ordering, orderings_summary
from nemesis.studies.study import Report, Row, Setting
from nemesis.studies.verdict import listed
from nemesis.train.recipes import RECIPES

_TITLES = {
    **{style: f"against {style.upper()}" for style in STYLES},
    "all": "against all",
    "belief": "all, with belief",
}
_FAMILIES = {"ga-100": "60 genes", "neat": "Networks"}
_WORDS = {
    **{style: f"the one evolved against {style.upper()}" for style in STYLES},
    "alone": "four players, each against its own style,",
    "all": "one against all four",
    "belief": "one with a belief against all four",
    "aggressive": "the one against all four, from the aggressive styles,",
    "passive": "from the passive ones",
}


@dataclass(frozen=True)
class Curve:
    """One recipe run: its champion's shares by batch and table on fresh deals, and the ceiling."""

    run: Evolved
    batches: NDArray[np.float64]
    tournaments: int
    ceiling: float


def measure_curves(
    setting: Setting,
    family: str,
    published: Mapping[str, float | None],
    claims: Mapping[tuple[str, str], str],
    picture: str,
    begins: Mapping[str, float] | None = None,
    drawn: Sequence[str] = (),
) -> Report:
    """Run the family's recipes and test which champions win more than which.

    `begins` are published bests of first generations, `drawn` whose networks are drawn.
    """
    curves = {member: _measure(f"{family}-{member}", setting) for member in published}
    shares = _shares(curves)
    tested = [
        ordering(
            f"{_WORDS[more]} {'win' if more == 'alone' else 'wins'} more than {_WORDS[less]}", said,
            mean_interval(shares[more] - shares[less]), _unfinished(curves, more, less),
        )
        for (more, less), said in claims.items()
    ]  # fmt: skip
    rows = [row for member, curve in curves.items() for row in _rows(curve, published[member])]
    for member, first in (begins or {}).items():
        what, best = f"{family}-{member}: best of the first generation", curves[member].run.metrics[0]["best"]
        rows.append(Row(what, best, None, first, note="highest of a population of random genes"))
    pictures: dict[str, Any] = {picture: _numbers(family, curves, published)}
    if drawn:
        pictures[networks_picture(family)] = network_numbers([curves[member].run for member in drawn])
        rows.append(_hidden_row(curves))
    words = caveat(setting) + _verdict(rows) + orderings_summary(tested)
    data = {member: list(curve.run.metrics) for member, curve in curves.items()}
    return Report(words, [*tested, *rows], pictures, "share of tournaments", {"metrics": data})


def _unfinished(curves: Mapping[str, Curve], *members: str) -> str:
    """Which of the runs compared had not come to rest, so that a longer one may say something else."""
    rising = [_TITLES[member] for member in members if member in curves and curves[member].run.rising]
    return f"too short a run to settle it: still rising {listed(rising)}" if rising else ""


def _measure(name: str, setting: Setting) -> Curve:
    run = evolve_champion(RECIPES[name], setting)
    game = game_of(run.recipe)
    tables = [[compiled_agent(style, game)] for (style,) in run.recipe.school.tables]
    tournaments = fresh_tournaments(setting)
    batches = fresh_shares(game, [run.champion], tables, setting, tournaments)[:, 0]
    ceiling = float(np.mean([style_ceiling(style, game) for (style,) in run.recipe.school.tables]))
    return Curve(run, batches, tournaments, ceiling)


def _shares(curves: Mapping[str, Curve]) -> dict[str, NDArray[np.float64]]:
    """By batch, what each of those compared wins."""
    shares = {member: curve.batches.mean(axis=1) for member, curve in curves.items()}
    columns = dict(zip(STYLES, curves["all"].batches.T, strict=True))
    return shares | {
        "alone": np.mean([shares[style] for style in STYLES], axis=0),
        "aggressive": (columns["la"] + columns["ta"]) / 2,
        "passive": (columns["lp"] + columns["tp"]) / 2,
    }


def _rows(curve: Curve, published: float | None) -> list[Row]:
    """The champion over all its tables, and at each of them if there are several."""
    recipe = curve.run.recipe
    share, interval = share_of(curve.batches.mean(axis=1), curve.tournaments)
    judgement = f"{judged(interval, published, curve.ceiling)}; " if published is not None else ""
    first, highest = curve.run.metrics[0]["best"], curve.run.peak
    note = f"{judgement}best fitness {first:.2f} in the first generation, at most {highest:.2f}"
    rows = [Row(recipe.name, share, interval, published, curve.ceiling, note)]
    if len(recipe.school.tables) > 1:
        for column, (style,) in enumerate(recipe.school.tables):
            alone = share_of(curve.batches[:, column], curve.tournaments)
            rows.append(Row(f"{recipe.name} v {style.upper()}", *alone, ceiling=style_ceiling(style, game_of(recipe))))
    return rows


def _verdict(rows: Sequence[Row]) -> str:
    judged_rows = [row for row in rows if isinstance(row.published, float) and row.ci95]
    held = [row.what for row in judged_rows if "reproduced" in row.note or "better" in row.note]
    close = [row.what for row in rows if row.ci95 and " v " not in row.what and row.ours >= 0.95 * (row.ceiling or 1)]
    beyond = [row.what for row in judged_rows if "more than anyone" in row.note]
    holding = f"{len(held)} hold{'s' if len(held) == 1 else ''} on fresh deals ({listed(held)})"
    sentences = [
        f"Of {len(judged_rows)} published bests {holding if held else 'none holds on fresh deals'}.",
        f"Within 5 % of the exact ceiling: {listed(close)}."
        if close
        else "No champion is within 5 % of the exact ceiling.",
    ]
    if beyond:
        sentences.append(f"Published for {listed(beyond)} is more than anyone can win in this game.")
    return " ".join(sentences)


def networks_picture(family: str) -> str:
    """The file of a family's drawn networks."""
    return f"{family}-networks.png"


def _hidden_row(curves: Mapping[str, Curve]) -> Row:
    """How many hidden nodes the champion against all four has, beside the others."""
    hidden = {member: hidden_nodes(curve.run) for member, curve in curves.items()}
    note = ", ".join(f"{_TITLES[member]} {count}" for member, count in hidden.items())
    said = "more than double those of single styles"
    return Row("hidden nodes of the champion against all four", hidden["all"], None, said, note=note)


def _numbers(family: str, curves: Mapping[str, Curve], published: Mapping[str, float | None]) -> dict[str, Any]:
    """What is drawn: the curve of every member."""
    drawn = []
    for member, curve in curves.items():
        champion = as_figure(share_of(curve.batches.mean(axis=1), curve.tournaments))
        drawn.append(
            curve_panel(_TITLES[member], curve.run, champion, published=published[member], ceiling=curve.ceiling)
        )
    return curve_numbers(f"{_FAMILIES[family]} against the styles, generation by generation", drawn)
