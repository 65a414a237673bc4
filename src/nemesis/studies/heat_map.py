"""Maps of the 66 pairs: how much each (α, β) wins, as one small triangle per table of opponents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from nemesis.measure.picture import save_figure
from nemesis.solve.pair_search import PairMap

_TENTHS = (0, 2, 4, 6, 8, 10)


def draw_maps(
    maps: Sequence[PairMap],
    titles: Sequence[str],
    path: Path,
    columns: int,
    published: Mapping[int, tuple[float, float]] | None = None,
) -> None:
    """One picture, one colour scale; a circle on the best pair of each map, a cross on the published one if given."""
    rows = -(-len(maps) // columns)
    most = max(float(found.shares.max()) for found in maps)
    with save_figure(path, (2.4 * columns + 0.9, 2.25 * rows + 0.7)) as figure:
        every = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
        for index, (found, title) in enumerate(zip(maps, titles, strict=True)):
            axes = every[index // columns, index % columns]
            image = axes.imshow(found.grid().T, origin="lower", vmin=0, vmax=most, cmap="viridis")
            alpha, beta = found.best
            axes.plot(10 * alpha, 10 * beta, "o", markersize=9, markerfacecolor="none", color="red", label="our best")
            if published and index in published:
                alpha, beta = published[index]
                axes.plot(10 * alpha, 10 * beta, "x", markersize=8, color="red", label="published")
            axes.set_title(f"{title}   {100 * found.fresh.mean:.0f} %", fontsize=10)
            axes.set_xticks(_TENTHS, [f"{tenth / 10:g}" for tenth in _TENTHS], fontsize=8)
            axes.set_yticks(_TENTHS, [f"{tenth / 10:g}" for tenth in _TENTHS], fontsize=8)
        for axes in every.ravel()[len(maps) :]:
            axes.set_axis_off()
        every[0, 0].legend(loc="lower right", fontsize=7)
        figure.supxlabel("α: folds below")
        figure.supylabel("β: bets from")
        figure.colorbar(image, ax=every, label="share of tournaments", shrink=0.8)
