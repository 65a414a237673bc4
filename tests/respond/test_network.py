"""Packed networks against a straightforward evaluation, step after step."""

import json
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nemesis.respond.network import ACTIVATIONS, Network, Node, pack

REFERENCE = {
    "sigmoid": lambda x: 1 / (1 + np.exp(-np.clip(5 * x, -60, 60))),
    "tanh": lambda x: np.tanh(np.clip(2.5 * x, -60, 60)),
    "relu": lambda x: np.maximum(x, 0.0),
    "identity": lambda x: x,
}


def random_network(chance: np.random.Generator, inputs: int, outputs: int, hidden: int, loops: bool) -> Network:
    nodes = []
    for place in range(hidden + outputs):
        known = inputs + (hidden + outputs if loops else place)
        sources = chance.choice(known, chance.integers(0, min(known, 6) + 1), replace=False)
        edges = tuple((int(source), float(chance.normal(0, 0.4))) for source in sources)
        activation = str(chance.choice(ACTIVATIONS))
        nodes.append(Node(float(chance.normal()), edges, float(chance.normal()), activation))
    return Network(inputs, outputs, nodes)


def evaluated(network: Network, before: np.ndarray, inputs: np.ndarray) -> np.ndarray:
    """All values after a step, from all values before it: an edge from an earlier place carries the new value."""
    now = before.copy()
    now[: network.inputs] = inputs
    for place, node in enumerate(network.nodes):
        mine = network.inputs + place
        total = sum((now if source < mine else before)[source] * weight for source, weight in node.edges)
        now[mine] = REFERENCE[node.activation](node.bias + node.response * total)
    return now


@settings(deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 10), st.integers(1, 4), st.integers(0, 8), st.booleans())
def test_it_equals_a_straightforward_evaluation(seed: int, inputs: int, outputs: int, hidden: int, loops: bool) -> None:
    chance = np.random.default_rng(seed)
    network = random_network(chance, inputs, outputs, hidden, loops)
    values = np.zeros(inputs + hidden + outputs)
    for step in chance.normal(size=(4, inputs)):
        values = evaluated(network, values, step)
        np.testing.assert_allclose(network.activate(step), values[-outputs:], rtol=1e-9, atol=1e-12)
    network.clear()
    np.testing.assert_allclose(
        network.activate(step), evaluated(network, np.zeros_like(values), step)[-outputs:], rtol=1e-9, atol=1e-12
    )


def test_a_node_that_reads_itself_counts_its_steps() -> None:
    counter = Network(1, 1, [Node(1.0, ((1, 1.0),), activation="identity")])
    assert [counter.activate([0.0])[0] for _ in range(3)] == [1.0, 2.0, 3.0]
    counter.clear()
    assert counter.activate([0.0]) == [1.0]


def test_a_loop_cannot_run_away() -> None:
    loud = Network(1, 1, [Node(1.0, ((1, 1e6),), activation="identity")])
    for _ in range(100):
        value = loud.activate([0.0])
    assert np.isfinite(value).all()


def test_the_largest_output_is_the_same_without_output_activations() -> None:
    chance = np.random.default_rng(3)
    for _ in range(50):
        hidden = [
            Node(chance.normal(), tuple((i, chance.normal()) for i in range(4)), activation="tanh") for _ in range(2)
        ]
        out = [Node(chance.normal(), tuple((i, chance.normal() / 9) for i in range(6))) for _ in range(3)]
        network = Network(4, 3, hidden + out)
        plain = network.for_choosing()
        assert [node.activation for node in plain.nodes] == ["tanh"] * 2 + ["identity"] * 3
        inputs = chance.random(4)
        assert network.activate(inputs).argmax() == plain.activate(inputs).argmax()


def test_outputs_that_are_read_keep_their_activation() -> None:
    network = Network(1, 2, [Node(0.0, ((0, 1.0),)), Node(0.0, ((2, 1.0),))])
    assert network.for_choosing() is network


def test_saving_keeps_every_bit() -> None:
    network = random_network(np.random.default_rng(1), 5, 3, 4, loops=True)
    assert Network.from_json(json.loads(json.dumps(network.to_json()))) == network
    assert pickle.loads(pickle.dumps(network)) == network


@pytest.mark.parametrize(
    ("inputs", "outputs", "nodes", "sentence"),
    [
        (1, 2, [Node(0.0, ())], "2 outputs among 1 nodes"),
        (1, 1, [Node(0.0, ((2, 1.0),))], "an edge reads 2"),
        (1, 1, [Node(0.0, (), activation="step")], "no activation is called 'step'"),
        (1, 1, [Node(np.nan, ())], "must be finite"),
    ],
)
def test_impossible_networks_are_refused(inputs: int, outputs: int, nodes: list[Node], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        pack(inputs, outputs, nodes)


def test_the_wrong_number_of_inputs_is_refused() -> None:
    with pytest.raises(ValueError, match="network of 2 inputs was given"):
        Network(2, 1, [Node(0.0, ())]).activate([1.0])
