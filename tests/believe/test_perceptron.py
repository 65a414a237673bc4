"""Perceptrons learn by back-propagation as the POM thesis writes it, and go to JSON and back."""

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

from nemesis.believe.back_propagation import Settings, Training, generalisation, prune
from nemesis.believe.perceptron import (
    ACTIVATIONS,
    NetworkError,
    Perceptron,
    new_perceptron,
    perceptron_from,
    read_perceptron,
    write_perceptron,
)

TWO = np.array([[0.2, 0.9], [0.7, 0.1], [0.5, 0.6], [1.0, 0.0]])
WANTED = np.array([[0.1], [0.8], [0.4], [0.9]])


def loss(network: Perceptron) -> float:
    return float(((WANTED - network.answer(TWO)) ** 2).sum() / 2)


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_a_step_follows_the_slope_of_the_squared_error(activation: str) -> None:
    """One pattern without momentum: the move is minus the rate times the derivative, which differences confirm."""
    network = new_perceptron("net", ("a", "b"), ("c",), 3, hidden=3, activation=activation, gradient=0.7)
    pattern, wanted = TWO[:1], WANTED[:1]

    def error_of(changed: Perceptron) -> float:
        return float(((wanted - changed.answer(pattern)) ** 2).sum() / 2)

    slopes = []
    for kind in ("hidden", "output"):
        slope = np.zeros_like(getattr(network, kind))
        for place in np.ndindex(slope.shape):
            up, down = network.copy(), network.copy()
            getattr(up, kind)[place] += 1e-6
            getattr(down, kind)[place] -= 1e-6
            slope[place] = (error_of(up) - error_of(down)) / 2e-6
        slopes.append(slope)
    before = network.copy()
    Training(network, Settings(rate=0.01, momentum=0.0, adaptive=False)).epoch(pattern, wanted)
    # Output weights move first, so the hidden ones differ from the slope by less than the rate squared.
    np.testing.assert_allclose(network.output - before.output, -0.01 * slopes[1], atol=1e-8)
    np.testing.assert_allclose(network.hidden - before.hidden, -0.01 * slopes[0], atol=1e-5)


def test_momentum_adds_a_share_of_the_last_move() -> None:
    still = new_perceptron("net", ("a", "b"), ("c",), 3)
    moved = still.copy()
    settings = Settings(rate=0.1, momentum=0.5, adaptive=False)
    once, twice = Training(still, dataclasses.replace(settings, rate=0.0)), Training(moved, settings)
    once.epoch(TWO[:1], WANTED[:1])
    twice.epoch(TWO[:1], WANTED[:1])
    first = moved.output - still.output
    before = moved.output.copy()
    twice.settings = dataclasses.replace(settings, rate=0.0)
    twice.epoch(TWO[:1], WANTED[:1])
    np.testing.assert_allclose(moved.output - before, 0.5 * first)


def test_the_adaptive_rate_falls_with_the_error() -> None:
    training = Training(new_perceptron("net", ("a", "b"), ("c",), 0), Settings(max_error=0.0, epochs=300, patience=0))
    training.run(TWO, WANTED)
    assert training.epochs[0].rate == 0.3
    assert training.epochs[-1].error < training.epochs[0].error
    assert training.epochs[-1].rate == pytest.approx(0.3 * training.epochs[-2].error / training.epochs[0].error)


def test_a_network_that_is_stuck_is_repositioned() -> None:
    training = Training(new_perceptron("net", ("a", "b"), ("c",), 0), Settings(rate=0.0, patience=4))
    before = np.abs(training.network.hidden)
    for _ in range(6):
        training.epoch(TWO, WANTED)
    assert [epoch.repositioned for epoch in training.epochs] == [False] * 5 + [True]
    assert (np.abs(training.network.hidden) < before).all()


def test_training_stops_at_the_largest_error_allowed() -> None:
    training = Training(new_perceptron("net", ("a", "b"), ("c",), 0), Settings(rate=2.0, max_error=0.2))
    training.run(TWO, WANTED)
    assert training.finished
    assert all(epoch.error > 0.2 for epoch in training.epochs[:-1])


def test_pruning_cuts_weak_connections_and_nodes_that_lead_nowhere() -> None:
    hidden, output = np.array([[1.0, 0.04], [0.5, 0.5]]), np.array([[2.0, 0.01]])
    network = Perceptron("net", ("a", "b"), ("c",), hidden, output)
    assert prune(network, 0.05) == 4
    assert network.hidden.tolist() == [[1.0, 0.0], [0.0, 0.0]]
    assert network.output.tolist() == [[2.0, 0.0]]


def test_activations_are_what_the_answer_is_made_of() -> None:
    network = new_perceptron("net", ("a", "b"), ("c", "d"), 1)
    seen = network.activations(TWO[0])
    assert len(seen.hidden) == 5
    np.testing.assert_allclose(seen.outputs, network.answer(TWO)[0])
    assert generalisation(network, TWO[:1], np.array([int(seen.outputs.argmax())])) == 1


def test_json_keeps_every_bit(tmp_path: Path) -> None:
    network = new_perceptron("APN", ("a", "b"), ("c",), 5, activation="hyperbolic", gradient=0.5)
    write_perceptron(tmp_path / "net.json", network)
    again = read_perceptron(tmp_path / "net.json")
    np.testing.assert_array_equal(again.answer(TWO), network.answer(TWO))
    assert (again.name, again.inputs, again.outputs) == ("APN", ("a", "b"), ("c",))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"network": 9}, "has format 9"),
        ({"hidden": [[1.0]]}, "do not fit 2 inputs"),
        ({"hidden": [[1.0, float("nan")]], "output": [[1.0]]}, "must be finite"),
        ({"activation": "step"}, "'step' is no activation function"),
        ({"output": "heavy"}, "this is not a network"),
    ],
)
def test_what_is_no_network_is_refused_with_a_sentence(change: dict[str, object], reason: str, tmp_path: Path) -> None:
    told = new_perceptron("net", ("a", "b"), ("c",), 0).to_json() | change
    with pytest.raises(NetworkError, match=reason):
        perceptron_from(told)
    (tmp_path / "net.json").write_text(json.dumps(told)[:-9])
    with pytest.raises(NetworkError, match="is not a network"):
        read_perceptron(tmp_path / "net.json")


def test_settings_out_of_range_are_refused() -> None:
    with pytest.raises(NetworkError, match="momentum cannot be 1"):
        Settings(momentum=1.5)
