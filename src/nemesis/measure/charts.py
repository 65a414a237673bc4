"""The forms of drawing that pictures are made of: learning curves, dots with intervals, traces, heat maps, calibration.

Every function draws into axes it is given, from plain numbers. A *figure* is a mean with the ends of its 95 % interval,
`(mean, low, high)`; None stands for what was not measured. Legends go below the whole picture, where they cover nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nemesis.measure.picture import (
    CEILING_LINE,
    CHAMPION,
    FAIR_LINE,
    GENERATION_COLOURS,
    GREY,
    INK,
    PALE,
    PUBLISHED_LINE,
    PUBLISHED_MARK,
)

Numbers = Sequence[float | None]
Figure = Sequence[float | None]
Axes = Any
"""matplotlib's, which is loaded only when something is drawn."""

_GROUP = 0.72
"""The part of a category's width that its dots take."""


def as_figure(found: tuple[float, tuple[float, float]]) -> tuple[float, float, float]:
    """A mean and its interval in the form of a figure."""
    mean, (low, high) = found
    return mean, low, high


def draw_title(figure: Any, title: str) -> None:
    """What is compared, above the whole picture."""
    figure.suptitle(title, x=0.012, horizontalalignment="left")


def draw_key(figure: Any, *panels: Axes, columns: int = 6) -> None:
    """One legend for all panels, below them; what is labelled alike stands in it once."""
    found: dict[str, Any] = {}
    for axes in panels:
        handles, labels = axes.get_legend_handles_labels()
        for handle, label in zip(handles, labels, strict=True):
            found.setdefault(label, handle)
    if found:
        figure.legend(found.values(), found.keys(), loc="outside lower center", ncols=min(columns, len(found)))


def panels(figure: Any, count: int, columns: int, **options: Any) -> list[Axes]:
    """So many panels in a grid of so many columns; places that are left over stay empty."""
    grid = figure.subplots(-(-count // columns), min(columns, count), squeeze=False, **options)
    for spare in grid.flat[count:]:
        spare.set_visible(False)
    if options.get("sharex") and count < grid.size:
        for axes in grid[-2, count % columns :] if len(grid) > 1 else []:
            axes.tick_params(labelbottom=True)
    return list(grid.flat[:count])


def generation_columns(*runs: Sequence[Mapping[str, Any]]) -> dict[str, list[float]]:
    """The lines of runs, one for each generation, as the columns that `draw_generations` takes.

    Of several runs these are means, and for every column its lowest and highest value among the runs.
    """
    columns = {
        key: np.array([[line[key] for line in run] for run in runs]) for key in ("generation", *GENERATION_COLOURS)
    }
    found = {key: values.mean(axis=0).tolist() for key, values in columns.items()}
    found["generation"] = columns["generation"][0].tolist()
    if len(runs) > 1:
        for key in GENERATION_COLOURS:
            found[f"{key} low"], found[f"{key} high"] = (
                columns[key].min(axis=0).tolist(),
                columns[key].max(axis=0).tolist(),
            )
    return found


def draw_generations(
    axes: Axes,
    metrics: Mapping[str, Numbers],
    *,
    champion: Figure | None = None,
    published: float | None = None,
    published_fresh: float | None = None,
    ceiling: float | None = None,
) -> None:
    """Best, mean and worst of every generation, and at the end of the run the champion on fresh deals.

    A band behind a line goes from the lowest to the highest of several runs.
    """
    numbers = metrics["generation"]
    for key, colour in GENERATION_COLOURS.items():
        if f"{key} low" in metrics and key != "worst":
            axes.fill_between(
                numbers, metrics[f"{key} low"], metrics[f"{key} high"], color=colour, alpha=0.2, linewidth=0
            )
        if key in metrics:
            axes.plot(numbers, metrics[key], color=colour, linewidth=1.3, label=f"{key} of the generation")
    if ceiling is not None:
        axes.axhline(ceiling, **CEILING_LINE, label="ceiling")
    if published is not None:
        axes.axhline(published, **PUBLISHED_LINE, label="published best")
    first, last = float(numbers[0] or 0), float(numbers[-1] or 0)
    after = last + 0.05 * max(1.0, last - first)
    if champion is not None:
        draw_dots(axes, [after], [champion], CHAMPION, "champion on fresh deals, ± 95 %")
    if published_fresh is not None:
        axes.plot([after], [published_fresh], **PUBLISHED_MARK, label="published on fresh deals")
    count_generations(axes)


def count_generations(axes: Axes) -> None:
    """An axis of generations, in whole numbers."""
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_xlabel("generation")


def draw_dots(
    axes: Axes, places: ArrayLike, figures: Sequence[Figure | None], colour: str, label: str = "", marker: str = "o"
) -> None:
    """A dot for every figure, with its interval as a whisker."""
    means, lows, highs = _columns(figures)
    axes.errorbar(
        places, means, np.maximum(0.0, [means - lows, highs - means]), fmt=marker, color=colour, label=label or None,
        elinewidth=1.4, markeredgecolor="white", markeredgewidth=0.5, markersize=5.5, zorder=3,
    )  # fmt: skip


def draw_groups(
    axes: Axes,
    categories: Sequence[str],
    series: Mapping[str, Sequence[Figure | None]],
    colours: Mapping[str, str],
    *,
    published: Mapping[str, Numbers] | None = None,
    ceilings: Numbers | None = None,
    ceiling: str = "ceiling",
) -> None:
    """Dots side by side for every category, one for each of the series; every other category has a pale ground."""
    places = np.arange(len(categories))
    for place in places[1::2]:
        axes.axvspan(place - 0.5, place + 0.5, color=PALE, zorder=0, linewidth=0)
    for index, (name, figures) in enumerate(series.items()):
        at = places + (index - (len(series) - 1) / 2) * _GROUP / len(series)
        draw_dots(axes, at, figures, colours[name], name)
        if published and name in published:
            axes.plot(at, _numbers(published[name]), **PUBLISHED_MARK, label="published", zorder=4)
    if ceilings is not None:
        axes.hlines(_numbers(ceilings), places - 0.44, places + 0.44, **CEILING_LINE, label=ceiling, zorder=2)
    axes.set_xticks(places, categories)
    axes.tick_params(axis="x", length=0)
    axes.set_xlim(-0.5, len(categories) - 0.5)


def draw_trace(axes: Axes, steps: ArrayLike, figures: Sequence[Figure], colour: str, label: str = "") -> None:
    """A curve of means in the band of its intervals."""
    means, lows, highs = _columns(figures)
    axes.plot(steps, means, color=colour, label=label or None)
    axes.fill_between(steps, lows, highs, color=colour, alpha=0.22, linewidth=0)


def draw_calibration(
    axes: Axes, stated: Numbers, happened: Numbers, colour: str, label: str, ideal: bool = False
) -> None:
    """What was stated against how often it was so; hollow and dotted if only ideally."""
    style = {"linestyle": ":", "markerfacecolor": "white"} if ideal else {}
    axes.plot(_numbers(stated), _numbers(happened), marker="o", color=colour, label=label, clip_on=False, **style)


def draw_numbers(axes: Axes, values: ArrayLike, texts: Sequence[Sequence[str]], norm: Any, cmap: str) -> Any:
    """A heat map with a text in every cell, dark on light and light on dark; returns the image for a colour bar."""
    from matplotlib import colormaps

    image = axes.imshow(values, cmap=cmap, norm=norm, aspect="auto")
    axes.grid(False)
    for side in axes.spines.values():
        side.set_visible(False)
    axes.tick_params(length=0)
    for (row, column), value in np.ndenumerate(np.asarray(values, float)):
        red, green, blue, _ = colormaps[cmap](norm(value))
        dark = 0.299 * red + 0.587 * green + 0.114 * blue < 0.55
        axes.text(
            column,
            row,
            texts[row][column].replace("-", "−"),
            ha="center",
            va="center",
            fontsize=8,
            color="white" if dark else INK,
        )
    return image


def scale_symmetrically(axes: Axes, linear: float, unit: str) -> None:
    """A symmetric logarithmic axis that says so; between the thin lines it is linear."""
    axes.set_yscale("symlog", linthresh=linear, linscale=0.6)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:z,.0f}".replace("-", "−"))
    axes.set_ylabel(f"{unit}\n(symmetric log scale, linear from −{linear:,.0f} to {linear:,.0f})")
    axes.axhline(0, color=INK, linewidth=0.9, zorder=1)
    for edge in (-linear, linear):
        axes.axhline(edge, color=GREY, linewidth=0.7, zorder=1)


def draw_level(axes: Axes, level: float, label: str) -> None:
    """A thin line at what is fair or neutral."""
    axes.axhline(level, **FAIR_LINE, label=label, zorder=1)


def _numbers(values: Numbers) -> Any:
    return np.array(values, dtype=np.float64)


def _columns(figures: Sequence[Figure | None]) -> Any:
    """Means, lows and highs, NaN where nothing was measured."""
    return np.array([(None, None, None) if figure is None else figure for figure in figures], dtype=np.float64).T
