"""Maps of the 66 pairs: how much each (α, β) wins, as one small triangle per table of opponents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from nemesis.measure.charts import draw_key, draw_title, panels
from nemesis.measure.picture import INK, save_figure
from nemesis.solve.pair_search import PAIRS, STEPS, PairMap

_TENTHS = (0, 2, 4, 6, 8, 10)


def map_numbers(
    title: str,
    maps: Sequence[PairMap],
    titles: Sequence[str],
    columns: int,
    published: Mapping[int, tuple[float, float]] | None = None,
) -> dict[str, Any]:
    """The numbers of a picture of maps; `published` are pairs by the number of their map."""
    drawn = [
        {
            "title": name,
            "shares": found.shares,
            "best": found.best,
            "fresh": found.fresh.mean,
            "published": (published or {}).get(index),
        }
        for index, (found, name) in enumerate(zip(maps, titles, strict=True))
    ]
    return {"title": title, "columns": columns, "maps": drawn}


def draw_maps(numbers: Mapping[str, Any], path: Path) -> None:
    """One picture, one colour scale; a circle on the best pair of each map, a diamond on the published one if given."""
    maps, columns = numbers["maps"], numbers["columns"]
    rows = -(-len(maps) // columns)
    most = max(max(drawn["shares"]) for drawn in maps)
    with save_figure(path, (1.95 * columns + 1.6, 2.1 * rows + 1.2)) as figure:
        every = panels(figure, len(maps), columns, sharex=True, sharey=True)
        for axes, drawn in zip(every, maps, strict=True):
            image = axes.imshow(_triangle(drawn["shares"]), origin="lower", vmin=0, vmax=most)
            _mark(axes, drawn["best"], "o", 9, "our best pair")
            if drawn["published"]:
                _mark(axes, drawn["published"], "D", 7, "published pair")
            axes.grid(False)
            axes.set_title(f"{drawn['title']}: {100 * drawn['fresh']:.0f} %")
            axes.set_xticks(_TENTHS, [f"{tenth / 10:g}" for tenth in _TENTHS])
            axes.set_yticks(_TENTHS, [f"{tenth / 10:g}" for tenth in _TENTHS])
        for axes in every[-columns:]:
            axes.set_xlabel("α: folds below")
        for axes in every[::columns]:
            axes.set_ylabel("β: bets from")
        draw_title(figure, numbers["title"])
        figure.colorbar(image, ax=every, label="share of tournaments won", shrink=0.7, aspect=30)
        draw_key(figure, every[0])


def _mark(axes: Any, pair: Sequence[float], marker: str, size: float, label: str) -> None:
    """A hollow mark that can be seen on dark and on light ground."""
    at = [10 * pair[0]], [10 * pair[1]]
    axes.plot(*at, marker, markersize=size, markerfacecolor="none", color="white", markeredgewidth=3, clip_on=False)
    axes.plot(
        *at, marker, markersize=size, markerfacecolor="none", color=INK, markeredgewidth=1.3, clip_on=False, label=label
    )


def _triangle(shares: Sequence[float]) -> Any:
    """The shares by β and α in tenths; NaN where α > β."""
    grid = np.full((STEPS, STEPS), np.nan)
    for (alpha, beta), share in zip(PAIRS, shares, strict=True):
        grid[round(beta * 10), round(alpha * 10)] = share
    return grid
