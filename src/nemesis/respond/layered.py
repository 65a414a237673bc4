"""Networks of a fixed shape, one hidden layer, from a plain vector of weights: what an evolution strategy can polish.

The vector holds for every hidden node its bias, its weight of each input and, with `loops`, of its own value the step
before; then for every output its bias and its weight of each hidden node. Hidden nodes are tanh, outputs are plain sums. A
loop of one's own is the least that lets a network add up what it is shown one after another, as at a table of several
opponents.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nemesis.respond.network import Network, Node
from nemesis.runtime.streams import NumpyStream, generator

STEEPNESS = 2.5
"""A hidden node is tanh(STEEPNESS x), as `respond.network` has it."""


def weights_needed(inputs: int, hidden: int, outputs: int, *, loops: bool = False) -> int:
    """How many weights a network of this shape has."""
    return hidden * (1 + inputs + loops) + outputs * (1 + hidden)


def first_weights(inputs: int, hidden: int, outputs: int, seed: int, *, loops: bool = False) -> NDArray[np.float64]:
    """Weights to start from: random, so that no two hidden nodes are alike, and smaller the more are added up."""
    chance = generator(seed, NumpyStream.FIRST_WEIGHTS)
    wide = hidden * (1 + inputs + loops)
    weights = chance.standard_normal(weights_needed(inputs, hidden, outputs, loops=loops))
    weights[:wide] /= np.sqrt(1 + inputs)
    weights[wide:] /= np.sqrt(1 + hidden)
    return weights


def layered_network(weights: ArrayLike, inputs: int, hidden: int, outputs: int, *, loops: bool = False) -> Network:
    """The network of these weights."""
    vector = np.asarray(weights, np.float64)
    needed = weights_needed(inputs, hidden, outputs, loops=loops)
    if hidden < 1 or vector.shape != (needed,):
        raise ValueError(
            f"a network of {inputs} inputs, {hidden} hidden nodes and {outputs} outputs needs {needed} weights, "
            f"not {vector.shape}"
        )
    wide = hidden * (1 + inputs + loops)
    nodes = []
    for number, row in enumerate(vector[:wide].reshape(hidden, -1).tolist()):
        reads = [*range(inputs), *([inputs + number] if loops else [])]
        nodes.append(Node(row[0], tuple(zip(reads, row[1:], strict=True)), activation="tanh"))
    for row in vector[wide:].reshape(outputs, -1).tolist():
        reads = list(range(inputs, inputs + hidden))
        nodes.append(Node(row[0], tuple(zip(reads, row[1:], strict=True)), activation="identity"))
    return Network(inputs, outputs, nodes)
