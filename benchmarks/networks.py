"""One evolved network, evaluated by us and by neat-python, and a generation of NEAT.

Nine inputs (the one-card player's with its four beliefs), three outputs and a few hidden nodes, grown by evolution.
Both sides get the same genome; that they answer alike is checked before the clock starts.
"""

from __future__ import annotations

from dataclasses import dataclass

import neat
import numpy as np
from neat.activations import sigmoid_activation

from benchmarks.clock import measure
from nemesis.evolve.neat import Neat, NeatParameters
from nemesis.respond.network import AT, Network, step_many

INPUTS, OUTPUTS, HIDDEN = 9, 3, 3
STEPS = 20_000


def grown(seed: int = 1) -> Neat:
    """A population with a genome of at least `HIDDEN` hidden nodes."""
    learner = Neat(INPUTS, OUTPUTS, seed, NeatParameters(add_node=0.2, add_connection=0.2, feed_forward=True))
    while max(_sizes(learner)) < OUTPUTS + HIDDEN:
        learner.tell(_sizes(learner))
    return learner


def _sizes(learner: Neat) -> np.ndarray:
    return np.array([len(candidate.network.nodes) for candidate in learner.ask()], np.float64)


def neat_python_network(network: Network) -> neat.nn.FeedForwardNetwork:
    """The same network in neat-python's own class: inputs are named -1, -2, …, nodes by their order."""
    names = [-1 - i for i in range(network.inputs)] + list(range(len(network.nodes)))
    nodes = [
        (place, sigmoid_activation, sum, node.bias, node.response, [(names[s], weight) for s, weight in node.edges])
        for place, node in enumerate(network.nodes)
    ]
    outputs = list(range(len(network.nodes) - network.outputs, len(network.nodes)))
    return neat.nn.FeedForwardNetwork(names[: network.inputs], outputs, nodes)


@dataclass(frozen=True)
class Measured:
    """ns an activation, ours and neat-python's, of a network so large; ms a generation of NEAT without its games."""

    nodes: int
    edges: int
    ours: float
    neat_python: float
    generation: float

    @property
    def ratio(self) -> float:
        """How many times as long neat-python takes."""
        return self.neat_python / self.ours


def measured(seconds: float = 2.0) -> Measured:
    """Measure both on the same genome, about so long each."""
    learner = grown()
    chosen = int(np.argmax(_sizes(learner)))
    ours = learner.ask()[chosen].network
    theirs = neat_python_network(ours)
    inputs = np.random.default_rng(0).random(INPUTS).tolist()
    np.testing.assert_allclose(ours.activate(inputs), theirs.activate(inputs), rtol=1e-12)

    block = ours.for_choosing().block.copy()
    first = int(block[AT.values])
    block[first : first + INPUTS] = inputs

    def packed_steps() -> int:
        step_many(block, STEPS)
        return STEPS

    def neat_steps() -> int:
        for _ in range(100):
            theirs.activate(inputs)
        return 100

    def generation() -> int:
        evolving.ask()
        evolving.tell(chance.random(evolving.parameters.population))
        return 1

    chance = np.random.default_rng(1)
    evolving = Neat(INPUTS, OUTPUTS, 2)
    packed, peer, bred = (measure(work, seconds).best for work in (packed_steps, neat_steps, generation))
    return Measured(len(ours.nodes), int(block[AT.edges]), 1e9 / packed, 1e9 / peer, 1e3 / bred)
