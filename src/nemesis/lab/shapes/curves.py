"""Lines over hands, generations or noise, each in the band of its interval, with axes that say their unit."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from nemesis.lab.shapes.svg import SERIES, Look, nice_ticks, plain, svg, tag, text, title


@dataclass(frozen=True)
class Line:
    """A named curve: places, values, and the ends of the interval at each place, if it has any."""

    name: str
    xs: Sequence[float]
    ys: Sequence[float]
    lows: Sequence[float] = ()
    highs: Sequence[float] = ()
    colour: str = ""
    dashed: bool = False
    marks: Sequence[tuple[float, float, str]] = ()
    """Points to set a dot on, with what they say."""


def line_chart(
    lines: Sequence[Line],
    *,
    width: int = 640,
    height: int = 220,
    x: str = "",
    y: str = "",
    ceiling: float | None = None,
    zero: bool = True,
    span: tuple[float, float] | None = None,
    ends: tuple[float, float] | None = None,
    key: bool = True,
) -> str:
    """The lines in one pair of axes; `ceiling` is a dashed line, `span` fixes the y axis and `ends` the x axis."""
    keyed = key and sum(bool(line.name) for line in lines) > 1
    values = [v for line in lines for v in (*line.ys, *line.lows, *line.highs) if math.isfinite(v)]
    values += [0.0] if zero else []
    values += [ceiling] if ceiling is not None else []
    low, high = span or (min(values, default=0.0), max(values, default=1.0))
    if high <= low:
        low, high = low - 1.0, high + 1.0
    if span is None:
        pad = 0.05 * (high - low)
        low, high = low - pad, high + pad
    y_ticks = nice_ticks(low, high, 4)
    told = [plain(tick + 0.0, _digits(y_ticks)) for tick in y_ticks]
    left = max(58.0, (32 if y else 10) + 6.6 * max(map(len, told), default=0))
    places = [v for line in lines for v in line.xs]
    first, last = ends or (min(places, default=0.0), max(places, default=1.0))
    plot = _Plot(
        left, 28 if keyed else 10, width - left - 22, height - (28 if keyed else 10) - (40 if x else 24),
        first, last if last > first else first + 1.0, low, high,
    )  # fmt: skip
    parts = [_axes(plot, list(zip(y_ticks, told, strict=True)), max(2, min(6, width // 75)), zero)]
    if ceiling is not None:
        possible, level = title(f"possible: {plain(ceiling, 1)}"), plot.level(ceiling)
        dashed: Look = {"stroke": "var(--ink)", "stroke_dasharray": "6 3"}
        parts.append(tag("line", possible, y1=level, y2=level, **dashed, **plot.across))
    for index, line in enumerate(lines):
        parts.append(_line(line, line.colour or SERIES[index % len(SERIES)], plot.at))
    if keyed:
        parts.append(_key(lines, left))
    if x:
        parts.append(text(left + plot.width / 2, height - 6, x, size=11.5, anchor="middle", quiet=True))
    if y:
        turned = f"translate(12 {plot.top + plot.height / 2:.0f}) rotate(-90)"
        parts.append(tag("g", text(0, 0, y, size=11.5, anchor="middle", quiet=True), transform=turned))
    says = "; ".join(f"{line.name} ends at {plain(line.ys[-1], 2)}" for line in lines if line.ys)
    return svg(width, height, "".join(parts), says=f"{y} over {x}: {says}")


@dataclass(frozen=True)
class _Plot:
    """Where the lines are drawn, and the values at its edges."""

    left: float
    top: float
    width: float
    height: float
    first: float
    last: float
    low: float
    high: float

    @property
    def across(self) -> Look:
        return {"x1": self.left, "x2": self.left + self.width}

    def place(self, px: float) -> float:
        return self.left + self.width * (px - self.first) / (self.last - self.first)

    def level(self, py: float) -> float:
        inside = min(max(py, self.low), self.high)
        return self.top + self.height * (1.0 - (inside - self.low) / (self.high - self.low))

    def at(self, px: float, py: float) -> str:
        return f"{self.place(px):.1f},{self.level(py):.1f}"


def _axes(plot: _Plot, levels: Sequence[tuple[float, str]], most: int, zero: bool) -> str:
    """The ground, a line at each level with its words, and at most so many places below."""
    parts = [
        tag("rect", look="plot", x=plot.left, y=plot.top, width=plot.width, height=plot.height, fill="transparent")
    ]
    for tick, words in levels:
        level = plot.level(tick)
        look = "zero" if abs(tick) < 1e-12 and zero else "axis"
        parts.append(tag("line", y1=level, y2=level, look=look, **plot.across))
        parts.append(text(plot.left - 6, level + 4, words, size=11, anchor="end", quiet=True))
    ticks = nice_ticks(plot.first, plot.last, most)
    below = plot.top + plot.height + 15
    for tick in ticks:
        parts.append(text(plot.place(tick), below, plain(tick, _digits(ticks)), size=11, anchor="middle", quiet=True))
    return "".join(parts)


def _line(line: Line, colour: str, at: Callable[[float, float], str]) -> str:
    parts = []
    if line.lows and line.highs:
        band = [at(px, py) for px, py in zip(line.xs, line.highs, strict=True)]
        band += [at(px, py) for px, py in reversed(list(zip(line.xs, line.lows, strict=True)))]
        parts.append(tag("polygon", points=" ".join(band), fill=colour, fill_opacity=0.18))
    pairs = [(px, py) for px, py in zip(line.xs, line.ys, strict=True) if math.isfinite(py)]
    marks = [(*pairs[0], line.name), *line.marks] if len(pairs) == 1 else line.marks
    look: Look = {"fill": "none", "stroke": colour, "stroke_width": 2, "stroke_linejoin": "round"}
    points = " ".join(at(px, py) for px, py in pairs)
    dash = "5 3" if line.dashed else ""
    parts.append(tag("polyline", title(line.name), points=points, stroke_dasharray=dash, **look))
    for px, py, words in marks:
        cx, cy = at(px, py).split(",")
        parts.append(tag("circle", title(words), cx=cx, cy=cy, r=4, fill=colour, stroke="var(--panel)"))
    return "".join(parts)


def _key(lines: Sequence[Line], x: float) -> str:
    parts = []
    for index, line in enumerate(lines):
        if not line.name:
            continue
        colour = line.colour or SERIES[index % len(SERIES)]
        parts.append(tag("rect", x=x, y=6, width=14, height=4, rx=2, fill=colour))
        parts.append(text(x + 19, 12, line.name, size=11.5, quiet=True))
        x += 34 + 6.6 * len(line.name)
    return "".join(parts)


def _digits(ticks: Sequence[float]) -> int:
    if len(ticks) < 2:
        return 0
    step = abs(ticks[1] - ticks[0])
    return 0 if step >= 1 else min(4, math.ceil(-math.log10(step) - 1e-9) + (1 if f"{step:e}"[2] == "5" else 0))
