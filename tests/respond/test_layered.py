"""A vector of weights is a network of one hidden layer, as plain NumPy would compute it."""

import numpy as np
import pytest

from nemesis.respond.layered import first_weights, layered_network, weights_needed


@pytest.mark.parametrize("loops", [False, True])
def test_the_network_is_two_matrices_and_a_tanh(loops: bool) -> None:
    """Three steps: with loops a hidden node adds its own last value."""
    inputs, hidden, outputs = 4, 3, 2
    weights = first_weights(inputs, hidden, outputs, seed=1, loops=loops)
    network = layered_network(weights, inputs, hidden, outputs, loops=loops)
    first = weights[: hidden * (1 + inputs + loops)].reshape(hidden, -1)
    second = weights[first.size :].reshape(outputs, 1 + hidden)
    values = np.zeros(hidden)
    for shown in np.random.default_rng(2).normal(size=(3, inputs)):
        own = first[:, -1] * values if loops else 0.0
        values = np.tanh(2.5 * (first[:, 0] + first[:, 1 : 1 + inputs] @ shown + own))
        assert network.activate(shown) == pytest.approx(second[:, 0] + second[:, 1:] @ values)
    assert network.feeds_back == loops


def test_a_vector_of_another_length_is_refused() -> None:
    assert weights_needed(9, 12, 3) == 12 * 10 + 3 * 13
    with pytest.raises(ValueError, match="9 inputs, 12 hidden nodes and 3 outputs needs 159 weights"):
        layered_network(np.zeros(158), 9, 12, 3)
