"""A network drawn by its layers: sign by colour (blue excites, orange inhibits), weight by thickness, activation by fill."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from nemesis.lab.shapes.svg import Look, plain, svg, tag, text, title


class Link(NamedTuple):
    """A connection between two nodes, by their names."""

    source: str
    target: str
    weight: float


def network_drawing(
    layers: Sequence[Sequence[str]],
    links: Sequence[Link],
    activations: Mapping[str, float] | None = None,
    *,
    width: int = 620,
    height: int = 340,
    labels: Mapping[str, str] | None = None,
    most: int = 900,
    left: int = 0,
) -> str:
    """Nodes in columns, the first being inputs; of very many links only the `most` heaviest are drawn.

    `left` is room for the names of the inputs, if they are long.
    """
    tallest = max((len(layer) for layer in layers), default=1)
    radius = max(3.0, min(11.0, (height - 20) / (2.6 * tallest)))
    right = 86 if labels is None or labels else 20
    left = left or right
    place: dict[str, tuple[float, float]] = {}
    for column, layer in enumerate(layers):
        x = left + (width - left - right) * (column / max(1, len(layers) - 1))
        for row, node in enumerate(layer):
            place[node] = x, 10 + (height - 20) * (row + 0.5) / len(layer)
    drawn = sorted(
        (link for link in links if link.source in place and link.target in place), key=lambda link: abs(link.weight)
    )
    drawn = drawn[-most:]
    heaviest = max((abs(link.weight) for link in drawn), default=1.0) or 1.0
    parts = []
    for source, target, weight in drawn:
        (x1, y1), (x2, y2) = place[source], place[target]
        share = abs(weight) / heaviest
        hue = "var(--plus)" if weight > 0 else "var(--minus)"
        out, lift = (60, 40) if x2 <= x1 else (0, 0)
        bend = (x1 + x2) / 2
        way = f"M{x1:.1f} {y1:.1f}C{bend + out:.1f} {y1 - lift:.1f} {bend - out:.1f} {y2 - lift:.1f} {x2:.1f} {y2:.1f}"
        parts.append(
            tag(
                "path", title(f"{source} → {target}: {plain(weight, 3)}"), d=way, fill="none", stroke=hue,
                stroke_width=0.4 + 3.2 * share, stroke_opacity=0.12 + 0.7 * share,
            )
        )  # fmt: skip
    for column, layer in enumerate(layers):
        for node in layer:
            x, y = place[node]
            value = (activations or {}).get(node)
            fill, told = "var(--panel)", node
            if value is not None:
                hue = "var(--plus)" if value >= 0 else "var(--minus)"
                fill = f"color-mix(in srgb, {hue} {100 * min(1.0, abs(value)):.0f}%, var(--panel))"
                told = f"{node}: {plain(value, 3)}"
            ring: Look = {"stroke": "var(--ink)", "stroke_width": 1.1, "look": "move"}
            parts.append(tag("circle", title(told), cx=x, cy=y, r=radius, fill=fill, **ring))
            words = node if labels is None else labels.get(node, "")
            if words and column == 0:
                parts.append(text(x - radius - 5, y + 4, words, size=11, anchor="end", quiet=True))
            elif words and column == len(layers) - 1:
                parts.append(text(x + radius + 5, y + 4, words, size=11, quiet=True))
    return svg(width, height, "".join(parts), says=f"a network of {len(place)} nodes and {len(links)} connections")
