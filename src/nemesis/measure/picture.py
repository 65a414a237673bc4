"""Pictures: a figure that is written to its file at once or not at all, without a screen."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

STYLE_COLOURS = {"la": "tab:red", "lp": "tab:blue", "ta": "tab:green", "tp": "tab:purple"}
"""The same colour for a style in every picture."""


@contextmanager
def save_figure(path: Path, size: tuple[float, float]) -> Iterator[Any]:
    """Gives an empty matplotlib figure and saves it to `path` when the block ends well."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    FigureCanvasAgg(figure)
    yield figure
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.stem}.partial{path.suffix}")
    try:
        figure.savefig(temporary, dpi=100, pil_kwargs={"optimize": True})
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
