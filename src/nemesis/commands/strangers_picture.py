"""The demo's picture: what ASHE takes from each stranger, and below it what it thinks of him beside what he does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.charts import draw_key, draw_title
from nemesis.measure.picture import BELIEF_COLOURS, GREEN, INK, VERMILLION, save_figure

if TYPE_CHECKING:
    from nemesis.commands.demo import Meeting, Raise

WINDOW = 100
"""Hands over which thoughts and what happened are averaged."""
_EVERY = 10
_COLUMNS = 5


def recent_raises(raises: Sequence[Raise], hands: int) -> NDArray[np.float64]:
    """By hand: hands played, and over the last `WINDOW` of them what was believed and the share of folds."""
    rows = []
    for end in range(_EVERY, hands + 1, _EVERY):
        recent = [each for each in raises if end - WINDOW <= each.hand < end]
        if recent:
            rows.append((end, np.mean([r.believed for r in recent]), np.mean([r.folded for r in recent])))
    return np.array(rows, dtype=np.float64).reshape(-1, 3)


def draw_strangers(strangers: Sequence[Meeting], player: str, path: Path) -> None:
    """Two panels for every stranger: earnings above, thoughts below."""
    rows = -(-len(strangers) // _COLUMNS)
    with save_figure(path, (10, 1.5 + 3.1 * rows)) as figure:
        grid = figure.subplots(2 * rows, _COLUMNS, squeeze=False, sharex=True, height_ratios=(1, 0.85) * rows)
        for index, stranger in enumerate(strangers):
            row, column = divmod(index, _COLUMNS)
            _draw_earnings(grid[2 * row, column], stranger)
            _draw_thoughts(grid[2 * row + 1, column], stranger)
            if column == 0:
                grid[2 * row, 0].set_ylabel("big blinds won")
                grid[2 * row + 1, 0].set_ylabel("folds to a raise")
            else:
                grid[2 * row + 1, column].tick_params(labelleft=False)
            if row == rows - 1:
                grid[2 * row + 1, column].set_xlabel("hands played")
        draw_title(figure, f"{player} meets ten strangers: what it takes from them, and what it thinks of them")
        draw_key(figure, grid[0, 0], grid[1, 0], columns=1)


def _draw_earnings(axes: Any, stranger: Meeting) -> None:
    won = np.cumsum(stranger.won)
    hands = np.arange(1, len(won) + 1)
    told = f"big blinds won so far, one match of {len(won):,} hands (every panel has a scale of its own)"
    axes.plot(hands, won, color=INK, linewidth=1.2)
    axes.fill_between(hands, 0, won, where=won >= 0, color=GREEN, alpha=0.35, linewidth=0, label=told)
    axes.fill_between(hands, 0, won, where=won < 0, color=VERMILLION, alpha=0.35, linewidth=0)
    axes.axhline(0, color=INK, linewidth=0.8)
    axes.yaxis.set_major_formatter(_thousands)
    axes.locator_params(axis="y", nbins=4)
    rate = f"{won[-1] / len(won):+z,.1f}".replace("-", "−")
    axes.set_title(f"{stranger.words}\n{rate} bb/hand")


def _draw_thoughts(axes: Any, stranger: Meeting) -> None:
    hands, believed, folded = recent_raises(stranger.raises, len(stranger.won)).T
    thinks = f"how likely it thinks it is that he folds to its raise, mean over its raises in the last {WINDOW} hands"
    axes.plot(hands, believed, color=BELIEF_COLOURS["belief"], linewidth=2.2, label=thinks, zorder=3)
    axes.plot(hands, folded, color=INK, linewidth=1, label="how often he folded to those raises")
    axes.set(ylim=(-0.04, 1.04), xlim=(0, len(stranger.won)))
    axes.set_yticks((0, 0.5, 1), ("0 %", "50 %", "100 %"))


def _thousands(value: float, _: int) -> str:
    text = f"{value / 1000:g}k" if abs(value) >= 1000 else f"{value:g}"
    return text.replace("-", "−")
