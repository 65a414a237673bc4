"""The picture of a profile: every number with its interval beside the population, and the deviations that are sure."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from nemesis.measure.charts import draw_key, draw_title
from nemesis.measure.picture import BLUE, GREY, INK, PALE, VERMILLION, save_figure

MOST = 12
"""Deviations that are drawn."""


def draw_profile(told: Mapping[str, Any], path: Path) -> None:
    """Draw what `nemesis profile --json` tells."""
    numbers, deviations = told["numbers"], told["deviations"][:MOST]
    with save_figure(path, (11, 6.6)) as figure:
        left, right = figure.subplots(1, 2, width_ratios=(1.25, 1))
        places = np.arange(len(numbers))[::-1]
        for place, number in zip(places, numbers.values(), strict=True):
            if place % 2:
                left.axhspan(place - 0.5, place + 0.5, color=PALE, zorder=0, linewidth=0)
            low, high = number["ci95"]
            away = low > number["population"] or high < number["population"]
            colour = VERMILLION if away else BLUE
            left.plot([100 * low, 100 * high], [place, place], color=colour, linewidth=1.6, zorder=2)
            left.plot([100 * number["estimate"]], [place], "o", color=colour, markersize=5.5, zorder=3)
            left.plot([100 * number["population"]], [place], "|", color=INK, markersize=13, zorder=2)
        left.plot([], [], "o-", color=BLUE, label="this player, 95 % credible interval")
        left.plot([], [], "o-", color=VERMILLION, label="the same, without the population inside")
        left.plot([], [], "|", color=INK, markersize=11, linestyle="none", label="population")
        titles = [f"{number['title']} ({number['made']:g}/{number['of']})" for number in numbers.values()]
        left.set_yticks(places, titles)
        left.tick_params(axis="y", length=0)
        left.set(xlabel="per cent of opportunities", xlim=(0, 100), ylim=(-0.6, len(numbers) - 0.4))
        left.grid(axis="y", visible=False)
        rows = np.arange(len(deviations))[::-1]
        for row, found in zip(rows, deviations, strict=True):
            side = 1 if found["more"] else -1
            right.barh(row, side * found["spreads"], color=VERMILLION if found["more"] else BLUE, height=0.6)
        right.axvline(0, color=GREY, linewidth=1)
        right.set_yticks(rows, [_named(found) for found in deviations])
        right.tick_params(axis="y", length=0)
        right.set(title=f"surely different: {len(told['deviations'])} of {told['compared']} comparisons" if deviations else
                  f"nothing surely different in {told['compared']} comparisons",
                  xlabel="at least so many standard deviations\nof the population less (−) or more (+)")  # fmt: skip
        right.grid(axis="y", visible=False)
        if deviations:
            widest = 1.1 * max(found["spreads"] for found in deviations)
            right.set(xlim=(-widest, widest), ylim=(-0.6, max(len(deviations), 4) - 0.4))
        room = f", {told['room']}" if told["room"] else ""
        draw_title(figure, f"{told['player']}{room}: {told['hands']:,} hands, {told['kind']['words']}")
        draw_key(figure, left)


def _named(found: Mapping[str, Any]) -> str:
    return f"{found['title']}, {found['position']}" if found["position"] else str(found["title"])
