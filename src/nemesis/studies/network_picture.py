"""A network as a drawing, like figures 5.12 and 5.22 of document 000: who feeds whom, how strongly, and with which sign.

Inputs stand on the left and outputs on the right, hidden nodes between them in the order of computation. Red strengthens,
blue weakens, thickness is the weight; a dashed line carries the value of the step before, which is the network's memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nemesis.respond.champion import read_champion
from nemesis.respond.network import Network
from nemesis.respond.network_player import LAST_ACTIONS
from nemesis.studies.evolved import Evolved

OUTPUTS = ("fold", "call", "bet")
_LAST = ("they bet", "they called", "not yet")
_THICKEST = 3.0


def evolved_network(run: Evolved) -> tuple[Network, list[str]]:
    """The champion's network and the names of its inputs."""
    content = read_champion(run.path)
    player = content["player"]
    last = _LAST[:LAST_ACTIONS] if player.get("last_action", True) else ()
    styles = [f"is {style.upper()}" for style in player.get("table", {}).get("styles", [])]
    return Network.from_json(content["genome"]), ["card", *last, "chips", *styles]


def hidden_nodes(run: Evolved) -> int:
    """How many hidden nodes the champion's network has."""
    network, _ = evolved_network(run)
    return len(network.nodes) - network.outputs


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
            back = source >= network.inputs + place
            colour = "tab:red" if weight > 0 else "tab:blue"
            width = 0.3 + _THICKEST * abs(weight) / heaviest
            style = {"color": colour, "linewidth": width, "alpha": 0.7, "linestyle": "--" if back else "-"}
            if source == network.inputs + place:
                axes.plot(x + 0.025 * np.cos(_CIRCLE), y + 0.04 * (1 + np.sin(_CIRCLE)), **style)
            else:
                axes.plot([places[source][0], x], [places[source][1], y], **style)
    for index, (x, y) in enumerate(places):
        axes.plot(x, y, "o", color="white", markeredgecolor="black", markersize=8, zorder=3)
        if index < network.inputs:
            axes.annotate(
                inputs[index], (x, y), (-8, 0), textcoords="offset points", ha="right", va="center", fontsize=8
            )
    for name, (x, y) in zip(OUTPUTS, places[-network.outputs :], strict=True):
        axes.annotate(name, (x, y), (8, 0), textcoords="offset points", ha="left", va="center", fontsize=8)
    axes.set(xlim=(-0.3, 1.2), ylim=(-0.05, 1.1))
    axes.set_title(
        f"{title}: {hidden} hidden, {sum(len(node.edges) for node in network.nodes)} connections", fontsize=10
    )
    axes.set_axis_off()


_CIRCLE = np.linspace(0, 2 * np.pi, 30)


def _column(nodes: int) -> list[float]:
    """Heights, from above, of so many nodes in a column."""
    return [1 - (i + 0.5) / nodes for i in range(nodes)]
