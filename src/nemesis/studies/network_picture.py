"""A network as a drawing, like figures 5.12 and 5.22 of Baker 2010: who feeds whom, how strongly, and with which sign.

Inputs stand on the left and outputs on the right, hidden nodes between them in the order of computation. A dashed line
carries the value of the step before, which is the network's memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from nemesis.measure.charts import draw_key, draw_title
from nemesis.measure.picture import ACTION_COLOURS, BLUE, INK, VERMILLION, save_figure
from nemesis.respond.champion import read_champion
from nemesis.respond.network import Network
from nemesis.respond.network_player import LAST_ACTIONS
from nemesis.studies.evolved import Evolved

OUTPUTS = ("fold", "call", "bet")
_OUTPUT_COLOURS = tuple(ACTION_COLOURS.values())
_LAST = ("they bet", "they called", "not yet")
_STRENGTHENS, _WEAKENS = VERMILLION, BLUE
_THINNEST, _THICKEST = 0.4, 4.0
_CIRCLE = np.linspace(0, 2 * np.pi, 30)


def evolved_network(run: Evolved) -> tuple[Network, list[str]]:
    """The champion's network and the names of its inputs."""
    content = read_champion(run.path)
    player = content["player"]
    last = _LAST[:LAST_ACTIONS] if player.get("last_action", True) else ()
    styles = [f"belief in {style.upper()}" for style in player.get("table", {}).get("styles", [])]
    return Network.from_json(content["genome"]), ["card", *last, "chips", *styles]


def hidden_nodes(run: Evolved) -> int:
    """How many hidden nodes the champion's network has."""
    network, _ = evolved_network(run)
    return len(network.nodes) - network.outputs


def loops(run: Evolved) -> int:
    """How many connections of the champion's network carry a value of the step before."""
    network, _ = evolved_network(run)
    return sum(source >= network.inputs + place for place, node in enumerate(network.nodes) for source, _ in node.edges)


def network_numbers(runs: Sequence[Evolved]) -> list[dict[str, Any]]:
    """The champions' networks, with names, as plain data."""
    found = [(run.recipe.name, *evolved_network(run)) for run in runs]
    return [{"title": name, "network": network.to_json(), "inputs": inputs} for name, network, inputs in found]


def draw_networks(numbers: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Networks side by side, with a key of what lines mean."""
    with save_figure(path, (max(8.0, 5.0 * len(numbers)), 5)) as figure:
        every = figure.subplots(1, len(numbers), squeeze=False)[0]
        for axes, drawn in zip(every, numbers, strict=True):
            draw_network(axes, Network.from_json(drawn["network"]), drawn["inputs"], drawn["title"])
        _explain(every[0])
        draw_title(figure, "Evolved networks: which input feeds which action, and how strongly")
        draw_key(figure, every[0], columns=5 if len(numbers) > 1 else 3)


def draw_network(axes: Any, network: Network, inputs: Sequence[str], title: str) -> None:
    """Draw a network that chooses an action into a picture's axes."""
    hidden = len(network.nodes) - network.outputs
    places = [
        *((0.0, y) for y in _column(network.inputs)),
        *((0.3 + 0.4 * (i + 0.5) / max(1, hidden), 0.15 + 0.7 * (i * 0.618 % 1)) for i in range(hidden)),
        *((1.0, y) for y in _column(network.outputs)),
    ]
    heaviest = max((abs(weight) for node in network.nodes for _, weight in node.edges), default=1.0) or 1.0
    for place, node in enumerate(network.nodes):
        x, y = places[network.inputs + place]
        for source, weight in node.edges:
            line = _line(weight / heaviest, back=source >= network.inputs + place)
            if source == network.inputs + place:
                axes.plot(x + 0.03 * np.cos(_CIRCLE), y + 0.05 * (1 + np.sin(_CIRCLE)), **line)
            elif (
                places[source][0] == x
            ):  # one output feeds another: bow the line, or it would hide behind those between
                heights = np.linspace(places[source][1], y, 30)
                axes.plot(x - 0.07 * np.sin(np.linspace(0, np.pi, 30)), heights, **line)
            else:
                axes.plot([places[source][0], x], [places[source][1], y], **line)
    fills = ["white"] * (len(places) - network.outputs) + list(_OUTPUT_COLOURS)
    for (x, y), fill in zip(places, fills, strict=True):
        axes.plot(x, y, "o", color=fill, markeredgecolor=INK, markersize=9, zorder=3)
    for name, (x, y) in zip(inputs, places[: network.inputs], strict=True):
        axes.annotate(name, (x, y), (-9, 0), textcoords="offset points", ha="right", va="center", fontsize=9)
    for name, (x, y) in zip(OUTPUTS, places[-network.outputs :], strict=True):
        axes.annotate(name, (x, y), (14, 0), textcoords="offset points", ha="left", va="center", fontsize=9)
    axes.set(xlim=(-0.33, 1.15), ylim=(0, 1.04))
    connections = sum(len(node.edges) for node in network.nodes)
    axes.set_title(f"{title}: {hidden} hidden node{'s' * (hidden != 1)}, {connections} connections")
    axes.set_axis_off()


def _line(strength: float, back: bool) -> dict[str, Any]:
    """How a connection is drawn, by its weight as a share of the heaviest."""
    return {
        "color": _STRENGTHENS if strength > 0 else _WEAKENS,
        "linewidth": _THINNEST + (_THICKEST - _THINNEST) * abs(strength),
        "linestyle": (0, (1.6, 0.9)) if back else "-",
        "alpha": 0.75,
    }


def _explain(axes: Any) -> None:
    """Entries for the key: sign, thickness, memory."""
    for label, line in (
        ("strengthens", _line(0.5, False)),
        ("weakens", _line(-0.5, False)),
        ("heaviest weight of a network", {**_line(1.0, False), "color": INK}),
        ("a tenth of it", {**_line(0.1, False), "color": INK}),
        ("value of the step before", {**_line(0.3, True), "color": INK}),
    ):
        axes.plot([], [], label=label, **line)


def _column(nodes: int) -> list[float]:
    """Heights, from above, of so many nodes in a column."""
    return [1 - (i + 0.5) / nodes for i in range(nodes)]
