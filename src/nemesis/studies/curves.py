"""Curves of evolution: several recipes run, drawn side by side, and their champions measured on fresh deals.

The source prints the best fitness of a population, the highest of a hundred noisy numbers. Ours is the champion's
share on fresh deals, so it may well lie below a published curve; the highest fitness of our own run, which is noisy in the
same way, stands in the note. The ceiling is what the exact best response wins; where several styles are met it is the
mean over them, which only a player who knows the style beforehand could reach.

Section 5.1 plays for 20 antes a stack. Where a recipe plays for 10, luck decides more and less can be won, so the ceiling at
the source's stakes stands in the note.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.interval import mean_interval
from nemesis.measure.picture import save_figure
from nemesis.rules.game import Game
from nemesis.rules.games import one_card_100
from nemesis.studies.evolved import (
    Evolved,
    caveat,
    evolve_champion,
    fresh_shares,
    fresh_tournaments,
    game_of,
    judged,
    opponent,
    share_of,
    style_ceiling,
)
from nemesis.studies.recipes import RECIPES
from nemesis.studies.study import Report, Row, Setting


@dataclass(frozen=True)
class Curve:
    """One recipe run: its champion's shares by batch and table on fresh deals, and the ceiling."""

    run: Evolved
    batches: NDArray[np.float64]
    tournaments: int
    ceiling: float


def measure_curves(setting: Setting, published: Mapping[str, float | None], picture: str, rival: str) -> Report:
    """Run the recipes named in `published`; the two ending in `rival` and -belief are compared with each other."""
    curves = {name: _measure(name, setting) for name in published}
    _draw(curves, published, setting.folder / picture)
    rows = [row for name, curve in curves.items() for row in _rows(curve, published[name])]
    family = rival.partition("-")[0]
    belief, none = curves[f"{family}-belief"], curves[rival]
    gain, interval = mean_interval((belief.batches - none.batches).mean(axis=1))
    rows.append(Row(f"{family}-belief − {rival}", gain, interval, note="on common deals"))
    data = {name: list(curve.run.metrics) for name, curve in curves.items()}
    return Report(
        caveat(setting) + _verdict(rows, gain, interval), rows, [picture], "share of tournaments", {"metrics": data}
    )


def _measure(name: str, setting: Setting) -> Curve:
    run = evolve_champion(RECIPES[name], setting)
    game = game_of(run.recipe)
    tables = [[opponent(style, game) for style in table] for table in run.recipe.tables]
    tournaments = fresh_tournaments(setting)
    batches = fresh_shares(game, [run.champion], tables, setting, tournaments)[:, 0]
    return Curve(run, batches, tournaments, _ceiling(run, game))


def _ceiling(run: Evolved, game: Game) -> float:
    return float(np.mean([style_ceiling(style, game) for (style,) in run.recipe.tables]))


def _rows(curve: Curve, published: float | None) -> list[Row]:
    """The champion over all its tables, and at each of them if there are several."""
    recipe = curve.run.recipe
    share, interval = share_of(curve.batches.mean(axis=1), curve.tournaments)
    judgement = f"{judged(interval, published, curve.ceiling)}; " if published is not None else ""
    stakes = f"; ceiling at the source's stakes {_ceiling(curve.run, one_card_100()):.3f}"
    note = f"{judgement}highest fitness in the run {curve.run.peak:.2f}{stakes}"
    rows = [Row(recipe.name, share, interval, published, curve.ceiling, note)]
    if len(recipe.tables) > 1:
        for column, (style,) in enumerate(recipe.tables):
            alone = share_of(curve.batches[:, column], curve.tournaments)
            rows.append(Row(f"{recipe.name} v {style.upper()}", *alone, ceiling=style_ceiling(style, game_of(recipe))))
    return rows


def _verdict(rows: Sequence[Row], gain: float, interval: tuple[float, float]) -> str:
    judged_rows = [row for row in rows if isinstance(row.published, float)]
    reached = [row.what for row in judged_rows if row.ours >= 0.95 * (row.ceiling or 1)]
    held = [row.what for row in judged_rows if "reproduced" in row.note or "better" in row.note]
    beyond = [row.what for row in judged_rows if "more than anyone" in row.note]
    wins = "wins more" if interval[0] > 0 else "wins less" if interval[1] < 0 else "is not clearly better or worse"
    return (
        f"{len(held)} of {len(judged_rows)} published bests hold on fresh deals"
        f"{' (' + ', '.join(held) + ')' if held else ''}; {len(reached)} champions come within 5 % of the exact ceiling"
        f"{' (' + ', '.join(reached) + ')' if reached else ''}. "
        f"{len(beyond)} published bests are beyond the ceiling of the game played here. "
        f"The champion with a belief {wins} than the one without: {gain:+.3f} of all tournaments."
    )


def _draw(curves: Mapping[str, Curve], published: Mapping[str, float | None], path: Path) -> None:
    columns = 3
    lines = -(-len(curves) // columns)
    with save_figure(path, (12, 3.2 * lines)) as figure:
        grid = figure.subplots(lines, columns, sharey=True, squeeze=False)
        for axes, (name, curve) in zip(grid.flat, curves.items(), strict=False):
            numbers = [line["generation"] for line in curve.run.metrics]
            for key, colour in (("best", "tab:blue"), ("mean", "tab:orange"), ("worst", "tab:grey")):
                axes.plot(numbers, [line[key] for line in curve.run.metrics], color=colour, linewidth=1, label=key)
            axes.axhline(curve.batches.mean(), color="tab:green", linestyle="--", label="champion, fresh deals")
            axes.axhline(curve.ceiling, color="black", linewidth=0.8, label="ceiling")
            if published[name] is not None:
                axes.axhline(published[name], color="tab:red", linestyle=":", label="published best")
            axes.set(title=name, xlabel="generation", ylim=(0, 1.02))
        for axes in list(grid.flat)[len(curves) :]:
            axes.set_visible(False)
        grid[0, 0].set_ylabel("share of tournaments")
        grid[0, 0].legend(loc="lower right", fontsize=7)
