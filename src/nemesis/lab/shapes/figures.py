"""Numbers drawn as what they are: a dot with whiskers, a belief as bars with its trail, options as bars in their colours."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from nemesis.lab.shapes.svg import COLOURS, SERIES, plain, signed, svg, tag, text, title

Figure = tuple[float, float, float]
"""A mean and the ends of its 95 % interval."""


def whisker_rows(
    rows: Sequence[tuple[str, Figure, str]],
    *,
    width: int = 300,
    unit: str = "",
    ceilings: Mapping[str, float] | None = None,
    published: Mapping[str, float] | None = None,
    colours: Mapping[str, str] | None = None,
    with_sign: bool = True,
    span: tuple[float, float] | None = None,
    label: int = 92,
) -> str:
    """A dot with whiskers for every (name, figure, what stands behind it).

    A dashed mark is what was possible, a hollow diamond what was published. `label` is the room for names.
    """
    number, top, step = 74, 6, 24
    others = [*(ceilings or {}).values(), *(published or {}).values()]
    ends = [end for _, figure, _ in rows for end in figure if math.isfinite(end)] + others
    low, high = span or (min([0.0, *ends], default=0.0), max([0.0, *ends], default=1.0))
    high = high if high > low else low + 1.0
    room = width - label - number - 10

    def at(value: float) -> float:
        return label + room * (min(max(value, low), high) - low) / (high - low)

    height = top + step * len(rows) + (18 if unit else 4)
    parts = []
    if low <= 0 <= high:
        parts.append(_upright(at(0), top, top + step * len(rows), look="zero", stroke_opacity=0.5))
    for index, (name, (mean, least, most), behind) in enumerate(rows):
        y = top + step * index + step / 2
        colour = (colours or {}).get(name, "var(--accent)")
        ceiling = (ceilings or {}).get(name)
        parts.append(text(label - 8, y + 4, name, anchor="end", size=12))
        if ceiling is not None:
            possible = title(f"possible: {plain(ceiling, 1)} {unit}")
            parts.append(_upright(at(ceiling), y - 9, y + 9, possible, stroke="var(--ink)", stroke_dasharray="3 2"))
        if published and name in published:
            said, px = title(f"published: {plain(published[name], 3)} {unit}"), at(published[name])
            way = f"M{px - 6:.1f} {y}L{px:.1f} {y - 6}L{px + 6:.1f} {y}L{px:.1f} {y + 6}z"
            parts.append(tag("path", said, d=way, fill="none", stroke="var(--ink)", stroke_width=1.4))
        shown = [_told(value, with_sign) for value in (mean, least, most)]
        inner = title(f"{name}: {shown[0]} ({shown[1]} … {shown[2]}) {unit}, {behind}")
        inner += tag("rect", x=label, y=y - step / 2, width=room, height=step, fill="transparent")
        inner += tag("line", x1=at(least), x2=at(most), y1=y, y2=y, stroke=colour, stroke_width=2)
        inner += tag("circle", cx=at(mean), cy=y, r=4.5, fill=colour, stroke="var(--panel)")
        parts.append(tag("g", inner))
        parts.append(text(width - 2, y + 4, shown[0], anchor="end", bold=True))
    if unit:
        parts.append(text(width - 2, height - 3, unit, anchor="end", size=11, quiet=True))
    says = "; ".join(f"{name} {_told(figure[0], with_sign)}" for name, figure, _ in rows)
    return svg(width, height, "".join(parts), says=f"{says} {unit}")


def _upright(x: float, top: float, bottom: float, inside: str = "", **look: float | str) -> str:
    return tag("line", inside, x1=x, x2=x, y1=top, y2=bottom, **look)


def _told(value: float, with_sign: bool) -> str:
    if not with_sign and 0 <= value <= 1:
        return plain(value, 3)
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 1 else 2
    return signed(value, digits) if with_sign else plain(value, digits)


def belief_bars(
    names: Sequence[str],
    belief: Sequence[float],
    trail: Sequence[Sequence[float]] = (),
    *,
    width: int = 300,
    colours: Mapping[str, str] | None = None,
    changes: Sequence[int] = (),
    words: Mapping[str, str] | None = None,
) -> str:
    """A belief as a row of bars for every possibility and, below, its trail; `changes` are places where the mind changed."""
    label, number, step = max(34, 10 + round(7.2 * max(map(len, names), default=0))), 46, 26
    room, bar = width - label - number, step - 7
    parts = []
    for index, (name, share) in enumerate(zip(names, belief, strict=True)):
        y = 4 + step * index
        told = title(f"{(words or {}).get(name, name)}: {share:.1%}")
        parts.append(text(label - 8, y + 15, name, anchor="end", size=12.5))
        parts.append(tag("rect", x=label, y=y, width=room, height=bar, rx=3, fill="var(--sunk)"))
        colour = _colour(name, index, colours)
        parts.append(
            tag("rect", told, x=label, y=y, width=max(0.5, room * share), height=bar, rx=3, fill=colour, look="move")
        )
        parts.append(text(width - 2, y + 15, f"{share:.0%}", anchor="end", bold=True, size=12.5))
    bottom = 4 + step * len(names)
    if len(trail) > 1:
        parts.append(_trail(names, trail, (8, bottom + 8, width - 16, 46), colours, changes))
        bottom += 64
    says = ", ".join(f"{name} {share:.0%}" for name, share in zip(names, belief, strict=True))
    return svg(width, bottom + 2, "".join(parts), says=f"belief: {says}")


def _colour(name: str, index: int, colours: Mapping[str, str] | None) -> str:
    return (colours or {}).get(name) or COLOURS.get(name.lower()) or SERIES[index % len(SERIES)]


def _trail(
    names: Sequence[str],
    trail: Sequence[Sequence[float]],
    place: tuple[float, float, float, float],
    colours: Mapping[str, str] | None,
    changes: Sequence[int],
) -> str:
    x, y, width, height = place
    last = len(trail) - 1
    parts = [tag("rect", x=x, y=y, width=width, height=height, fill="var(--sunk)", rx=3)]
    for at in changes:
        marked = title("its mind changed here")
        parts.append(
            _upright(x + width * at / last, y, y + height, marked, stroke="var(--ink)", stroke_dasharray="2 3")
        )
    for index, name in enumerate(names):
        points = " ".join(
            f"{x + width * at / last:.1f},{y + height - height * shares[index]:.1f}" for at, shares in enumerate(trail)
        )
        parts.append(
            tag("polyline", points=points, fill="none", stroke=_colour(name, index, colours), stroke_width=1.6)
        )
    return "".join(parts)


def option_bars(
    options: Sequence[tuple[str, float, str, str]], *, chosen: str = "", width: int = 300, unit: str = "chips"
) -> str:
    """Every option's value as a bar from zero: (name, value, colour, what stands behind it); the chosen one is framed.

    Bars grow with the square root, so that small values can be told apart beside a large one.
    """
    label, number, step = 84, 62, 22
    values = [_root(value) for _, value, _, _ in options if math.isfinite(value)]
    low, high = min([0.0, *values]), max([0.0, *values])
    high = high if high > low else low + 1.0
    room = width - label - number
    zero = label - room * low / (high - low)
    parts = []
    for index, (name, value, colour, behind) in enumerate(options):
        y = 4 + step * index
        end = label + room * (_root(value) - low) / (high - low)
        here = name == chosen
        inner = title(f"{name}: {signed(value, 1)} {unit}. {behind}")
        if here:
            inner += tag("rect", x=1, y=y - 2, width=width - 2, height=step, rx=4, fill="none", stroke="var(--accent)")
        inner += text(label - 8, y + 13, name, anchor="end", size=12, bold=here)
        long = max(1.0, abs(end - zero))
        inner += tag("rect", x=min(zero, end), y=y + 1, width=long, height=step - 6, rx=2, fill=colour, look="move")
        inner += text(width - 5, y + 13, signed(value, 0 if abs(value) >= 100 else 1), anchor="end", size=12, bold=here)
        parts.append(tag("g", inner))
    height = 6 + step * len(options)
    parts.append(_upright(zero, 2, height - 2, look="zero"))
    says = "; ".join(f"{name} {signed(value, 1)}" for name, value, _, _ in options)
    return svg(width, height, "".join(parts), says=f"{says} {unit}")


def _root(value: float) -> float:
    """The square root, with the sign kept."""
    return math.copysign(math.sqrt(abs(value)), value)
