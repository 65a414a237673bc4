"""Heat maps: what the row takes from the column, blue for gain and orange for loss, with the interval in every cell."""

from __future__ import annotations

import math
from collections.abc import Sequence

from nemesis.lab.shapes.svg import plain, signed, svg, tag, text, title

DEEPEST = 50
"""Per cent of colour in the deepest cell, so that words on it can be read."""


def heat_map(
    rows: Sequence[str],
    columns: Sequence[str],
    means: Sequence[Sequence[float | None]],
    margins: Sequence[Sequence[float | None]] = (),
    *,
    unit: str = "",
    cell: tuple[int, int] = (76, 40),
    most: float | None = None,
    digits: int = 0,
) -> str:
    """A cell for every pair; None is not measured yet. `most` is the value with the deepest colour."""
    wide, high = cell
    label = 12 + 7 * max([len(name) for name in rows] + [3])
    top = 26
    values = [abs(v) for row in means for v in row if v is not None and math.isfinite(v)]
    deepest = most or max(values, default=1.0) or 1.0
    parts = []
    for j, name in enumerate(columns):
        parts.append(text(label + wide * (j + 0.5), top - 9, name, anchor="middle", size=12, bold=True))
    for i, name in enumerate(rows):
        parts.append(text(label - 8, top + high * (i + 0.5) + 4, name, anchor="end", size=12, bold=True))
        for j, other in enumerate(columns):
            x, y = label + wide * j, top + high * i
            mean, margin = means[i][j], margins[i][j] if margins else None
            known = mean is not None and math.isfinite(mean)
            fill = _ground(mean / deepest) if mean is not None and known else "var(--sunk)"
            inner = tag("rect", x=x + 1, y=y + 1, width=wide - 2, height=high - 2, rx=4, fill=fill, look="move")
            if mean is not None and known:
                sure = "" if margin is None else f" ± {plain(margin, digits)}"
                inner += title(f"{name} takes {signed(mean, digits)}{sure} {unit} from {other}")
                middle, line = x + wide / 2, y + high / 2 + (0 if sure else 4)
                inner += text(middle, line, signed(mean, digits), anchor="middle", size=12.5, bold=True)
                inner += text(middle, line + 13, sure.strip(), anchor="middle", size=10.5) if sure else ""
            parts.append(tag("g", inner))
    return svg(label + wide * len(columns) + 4, top + high * len(rows) + 4, "".join(parts), says=f"heat map in {unit}")


def _ground(share: float) -> str:
    """The colour of a cell whose value is this share of the largest."""
    hue = "var(--plus)" if share > 0 else "var(--minus)"
    return f"color-mix(in srgb, {hue} {DEEPEST * min(1.0, abs(share)) ** 0.6:.0f}%, var(--panel))"
