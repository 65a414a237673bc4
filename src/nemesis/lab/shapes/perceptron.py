"""A network of the POM report drawn, its training curves, and the patterns that it is shown, as tables to pick from."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.perceptron import Perceptron
from nemesis.believe.pom_patterns import ACTIONS, Patterns
from nemesis.lab.amlab import Counts, Point
from nemesis.lab.shapes.curves import Line, line_chart
from nemesis.lab.shapes.networks import Link, network_drawing

STREETS = {0: "preflop", 3: "flop", 4: "turn", 5: "river"}
"""By the cards on the board."""
MOST_POINTS = 300
_LINES = (("validation", "var(--tp)", False), ("training", "var(--fold)", False), ("reference", "var(--green)", True))


def perceptron_drawing(network: Perceptron, shown: NDArray[np.float64] | None) -> str:
    """A network, with its activations if it is shown something; weights of zero are not drawn."""
    hidden = [f"hidden {i + 1}" for i in range(len(network.hidden))]
    links = [
        Link(network.inputs[k], hidden[j], float(network.hidden[j, k]))
        for j in range(len(hidden))
        for k in range(len(network.inputs))
        if network.hidden[j, k]
    ]
    links += [
        Link(hidden[j], network.outputs[i], float(network.output[i, j]))
        for i in range(len(network.outputs))
        for j in range(len(hidden))
        if network.output[i, j]
    ]
    layers = [network.inputs, hidden, network.outputs]
    activations = None
    if shown is not None:
        now = network.activations(shown)
        names = (*network.inputs, *hidden, *network.outputs)
        activations = dict(zip(names, [*now.inputs, *now.hidden, *now.outputs], strict=True))
    return network_drawing(layers, links, activations, width=640, height=440, left=190)


def training_curve(points: Sequence[Point]) -> str:
    """The error while learning, and how much of each set is predicted right, by epoch."""
    step = max(1, len(points) // MOST_POINTS)
    thin = [*points[::step], *(points[-1:] if points and (len(points) - 1) % step else [])]
    xs = [float(point.epoch) for point in thin]
    lines = [Line("error", xs, [point.error for point in thin], colour="var(--raise)")]
    for kind, colour, dashed in _LINES:
        values = [getattr(point, kind) for point in thin]
        if any(value == value for value in values):
            lines.append(Line(kind, xs, values, colour=colour, dashed=dashed))
    last = points[-1].epoch if points else 0
    return line_chart(
        lines, width=640, height=210, x="epoch", y="error, share right", span=(0.0, 1.0), ends=(0, max(10, last))
    )


def player_rows(numbers: Sequence[int], names: Sequence[str], counts: dict[int, Counts], chosen: int) -> str:
    """Players with their hands, streets and actions."""
    nothing = Counts(0, 0, 0)
    body = "".join(
        f'<tr tabindex="0" data-pick="{number}" class="{"chosen" if number == chosen else ""}">'
        f'<td title="{escape(name, quote=True)}">{escape(name[:14])}</td>'
        f"{''.join(f'<td>{count:,}</td>' for count in counts.get(number, nothing))}</tr>"
        for number, name in zip(numbers, names, strict=True)
    )
    return _table("<tr><th>player</th><th>#G</th><th>#R</th><th>#A</th></tr>", body)


def pattern_rows(patterns: Patterns, said: Sequence[int], first: int, chosen: int | None) -> str:
    """Decisions from number `first` on, each with what was done and whether the network says so."""
    rows = []
    shown = zip(patterns.done.tolist(), said, patterns.round.tolist(), patterns.board, strict=True)
    for at, (done, guess, hand, board) in enumerate(shown, first):
        street = STREETS.get(int((board >= 0).sum()), "")
        mark = '<td class="good">✓</td>' if done == guess else '<td class="bad">✗</td>'
        rows.append(
            f'<tr tabindex="0" data-pick="{at}" class="{"chosen" if at == chosen else ""}"><td>{hand + 1}</td>'
            f"<td>{street}</td><td>{ACTIONS[done]}</td>{mark}</tr>"
        )
    return _table("<tr><th>hand</th><th>street</th><th>did</th><th></th></tr>", "".join(rows))


def input_rows(network: Perceptron, values: Sequence[float]) -> str:
    """What a network is shown, input by input."""
    rows = "".join(
        f'<tr><td>{escape(name)}</td><td>{value:.2f}</td><td><b style="width:{100 * min(1.0, max(0.0, value)):.0f}%"></b>'
        "</td></tr>"
        for name, value in zip(network.inputs, values, strict=True)
    )
    return f'<table class="numbers compact shown"><tbody>{rows}</tbody></table>'


def _table(head: str, body: str) -> str:
    return f'<table class="numbers compact"><thead>{head}</thead><tbody>{body}</tbody></table>'
