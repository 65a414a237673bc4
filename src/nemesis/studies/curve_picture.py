"""Learning curves side by side: a panel for every recipe, from the mean of its runs and its champions on fresh deals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from nemesis.measure.charts import (
    Figure,
    draw_generations,
    draw_key,
    draw_level,
    draw_title,
    generation_columns,
    panels,
)
from nemesis.measure.picture import save_figure
from nemesis.studies.evolved import Evolved


def curve_panel(
    title: str, runs: Sequence[Evolved], champion: Figure | None = None, **others: float | None
) -> dict[str, Any]:
    """The numbers of one panel, means over runs; `others` are what `draw_generations` draws beside the curves."""
    metrics = generation_columns(*(run.metrics for run in runs))
    return {"title": title, "metrics": metrics, "champion": champion, **others}


def curve_numbers(title: str, curves: Sequence[Mapping[str, Any]], fair: float | None = None) -> dict[str, Any]:
    """The numbers of a picture of such panels; `fair` is the share of somebody who is like everybody else."""
    return {"title": title, "fair": fair, "panels": list(curves)}


def draw_curves(numbers: Mapping[str, Any], path: Path) -> None:
    """All panels on one scale, up to three in a row."""
    curves = numbers["panels"]
    columns = 2 if len(curves) == 4 else min(3, len(curves))
    width = 3.4 * columns if columns > 2 else 10 if len(curves) < 3 else 8
    with save_figure(path, (width, 0.9 + 2.6 * -(-len(curves) // columns))) as figure:
        every = panels(figure, len(curves), columns, sharey=True)
        for axes, curve in zip(every, curves, strict=True):
            draw_generations(axes, **{key: value for key, value in curve.items() if key != "title"})
            if numbers["fair"] is not None:
                draw_level(axes, numbers["fair"], "fair share")
            axes.set(title=curve["title"], ylim=(0, 1.03))
        draw_title(figure, numbers["title"])
        many = any("best low" in curve["metrics"] for curve in curves)
        figure.supylabel("share of tournaments won")
        if many:
            every[-1].set_xlabel("generation; bands: lowest to highest of the runs", fontsize="small")
        draw_key(figure, *every, columns=4)
