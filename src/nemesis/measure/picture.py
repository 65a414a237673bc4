"""What every picture shares: the style sheet, colours with one meaning each, and a file written at once or not at all.

The colours are those of Okabe and Ito, which people with any kind of colour vision can tell apart. A style is warm if
aggressive and cool if passive, pale if loose and deep if tight. What others published is hollow or dotted; what nobody
can exceed is dashed; what we measured is filled and carries its interval. `charts` has the forms of drawing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from nemesis.runtime.atomic import becoming

STYLE_SHEET = Path(__file__).with_name("pictures.mplstyle")

INK, GREY, PALE = "#222222", "#7F868F", "#F2F4F6"
ORANGE, SKY, GREEN, BLUE, VERMILLION, PURPLE = "#E69F00", "#56B4E9", "#009E73", "#0072B2", "#D55E00", "#CC79A7"

SERIES = (BLUE, ORANGE, GREEN, SKY, VERMILLION, PURPLE)
"""For whatever has no colour of its own."""
STYLE_COLOURS: Mapping[str, str] = {"la": ORANGE, "lp": SKY, "ta": VERMILLION, "tp": BLUE}
STYLE_WORDS: Mapping[str, str] = {
    "la": "LA, loose aggressive",
    "lp": "LP, loose passive",
    "ta": "TA, tight aggressive",
    "tp": "TP, tight passive",
}
BELIEF_COLOURS: Mapping[str, str] = {"no belief": GREY, "belief": PURPLE}
ACTION_COLOURS: Mapping[str, str] = {"fold": "#8FA1B5", "call": GREEN, "raise": VERMILLION}
GENERATION_COLOURS: Mapping[str, str] = {"best": "#0B3C5D", "mean": "#5B8DB8", "worst": "#BACCDD"}
CHAMPION = GREEN

PUBLISHED_MARK: Mapping[str, Any] = {
    "marker": "D", "markersize": 5, "markerfacecolor": "none", "markeredgecolor": INK, "linestyle": "none",
}  # fmt: skip
PUBLISHED_LINE: Mapping[str, Any] = {"color": INK, "linewidth": 1.2, "linestyle": (0, (1, 1.5))}
CEILING_LINE: Mapping[str, Any] = {"color": INK, "linewidth": 1.2, "linestyle": (0, (5, 2.5))}
FAIR_LINE: Mapping[str, Any] = {"color": GREY, "linewidth": 1.0, "linestyle": "-"}


@contextmanager
def save_figure(path: Path, size: tuple[float, float]) -> Iterator[Any]:
    """Gives an empty matplotlib figure in the house style and saves it to `path` when the block ends well."""
    from matplotlib import style
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with style.context(STYLE_SHEET, after_reset=True):
        figure = Figure(figsize=size)
        FigureCanvasAgg(figure)
        yield figure
        with becoming(path) as temporary:
            figure.savefig(temporary, pil_kwargs={"optimize": True})
