"""Back-propagation with the four improvements of the POM thesis (2.2.2), an epoch at a time.

One pattern after another is shown and every weight moves by `η δ V` plus α times its last move (*momentum*). The *adaptive*
rate is η times the network's error in units of its first error. If the error has not fallen for `patience` epochs the
network is *repositioned*: every weight is multiplied by a random number between 0 and 1. *Pruning* cuts connections whose
weight is small. The thesis gives no numbers for the last three; these are ours. Its error in per cent is taken as the
mean distance between output and desired output.

A `Training` can be stopped after any epoch, looked at and gone on with.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.perceptron import ACTIVATIONS, NetworkError, Perceptron
from nemesis.runtime.compiled import njit
from nemesis.runtime.streams import NumpyStream, generator

BETTER = 1e-3
"""An error has fallen if it is lower by this much."""


@dataclass(frozen=True)
class Settings:
    """How to train: appendix C's rate, momentum and largest error; training ends below that error or after `epochs`."""

    rate: float = 0.3
    momentum: float = 0.15
    max_error: float = 0.1
    epochs: int = 200
    adaptive: bool = True
    patience: int = 50
    """Epochs without a lower error before the weights are repositioned; 0 for never."""
    prune_below: float = 0.0
    """At the end, connections with smaller weights than this share of the layer's largest are cut."""

    def __post_init__(self) -> None:
        for name, least, most in (
            ("rate", 0.0, 10.0),
            ("momentum", 0.0, 0.999),
            ("max_error", 0.0, 1.0),
            ("prune_below", 0.0, 1.0),
        ):
            value = getattr(self, name)
            if not least <= value <= most:
                raise NetworkError(f"{name} cannot be {value:g}; give from {least:g} to {most:g}")
        if self.epochs < 0 or self.patience < 0:
            raise NetworkError(f"epochs and patience cannot be negative: {self.epochs}, {self.patience}")


class Epoch(NamedTuple):
    """How a training stands after an epoch."""

    number: int
    error: float
    """The mean distance between output and desired output, while learning."""
    rate: float
    repositioned: bool


class Training:
    """A network being trained; `network` may be read at any time."""

    def __init__(self, network: Perceptron, settings: Settings | None = None, seed: int = 0, number: int = 0) -> None:
        self.network = network
        self.settings = settings or Settings()
        self.epochs: list[Epoch] = []
        self._chance = generator(seed, NumpyStream.PATTERN_ORDER, number)
        self._moves = np.zeros_like(network.hidden), np.zeros_like(network.output)
        self.start_again()

    def start_again(self) -> None:
        """Forget how far the error has fallen, as when the patterns have changed; weights and history stay."""
        self._first = self._last = self._best = np.inf
        self._waited = 0

    @property
    def finished(self) -> bool:
        """Whether the last epoch's error is small enough."""
        return bool(self.epochs) and self.epochs[-1].error <= self.settings.max_error

    def epoch(self, inputs: NDArray[np.float64], wanted: NDArray[np.float64]) -> Epoch:
        """Show every pattern once, in random order."""
        network, settings = self.network, self.settings
        if inputs.shape != (len(wanted), len(network.inputs)) or wanted.shape[1:] != (len(network.outputs),):
            raise NetworkError(
                f"patterns of {inputs.shape[1:]} inputs and {wanted.shape[1:]} outputs do not fit the network "
                f"{network.name}, which has {len(network.inputs)} and {len(network.outputs)}"
            )
        if not len(inputs):
            raise NetworkError("there are no patterns to learn from")
        repositioned = bool(settings.patience) and self._waited >= settings.patience
        if repositioned:
            for weights in (network.hidden, network.output):
                weights *= self._chance.uniform(0.0, 1.0, weights.shape)
            self._best, self._waited = np.inf, 0
        rate = settings.rate
        if settings.adaptive and self._last < self._first:
            rate *= self._last / self._first
        order = self._chance.permutation(len(inputs))
        kind = ACTIVATIONS.index(network.activation)
        error = _learn(
            inputs,
            wanted,
            order,
            network.hidden,
            network.output,
            *self._moves,
            kind,
            network.gradient,
            rate,
            settings.momentum,
        )
        self._first = self._first if np.isfinite(self._first) else error
        self._last = error
        if error < self._best - BETTER:
            self._best, self._waited = error, 0
        else:
            self._waited += 1
        self.epochs.append(Epoch(len(self.epochs) + 1, float(error), rate, repositioned))
        return self.epochs[-1]

    def run(self, inputs: NDArray[np.float64], wanted: NDArray[np.float64]) -> Perceptron:
        """Train until the error is small enough or the epochs are used up, and prune."""
        for _ in range(self.settings.epochs):
            if self.epoch(inputs, wanted).error <= self.settings.max_error:
                break
        if self.settings.prune_below:
            prune(self.network, self.settings.prune_below)
        return self.network


def generalisation(network: Perceptron, inputs: NDArray[np.float64], done: NDArray[np.int64]) -> float:
    """The share of patterns whose largest output is the right one; NaN of none."""
    return float((network.answer(inputs).argmax(axis=1) == done).mean()) if len(done) else float("nan")


def prune(network: Perceptron, below: float) -> int:
    """Cut connections with weights below this share of their layer's largest, and hidden nodes that then lead nowhere.

    Returns how many were cut. Pruned connections are zero; training again lets them grow.
    """
    before = np.count_nonzero(network.hidden) + np.count_nonzero(network.output)
    for weights in (network.hidden, network.output):
        weights[np.abs(weights) < below * np.abs(weights).max()] = 0.0
    network.hidden[~network.output.any(axis=0)] = 0.0
    return int(before - np.count_nonzero(network.hidden) - np.count_nonzero(network.output))


@njit(error_model="numpy", nogil=True)
def _fire(kind: int, gradient: float, h: float) -> Any:
    if kind == 0:
        return 1.0 / (1.0 + np.exp(-2.0 * gradient * h))
    if kind == 1:
        return np.tanh(gradient * h)
    return np.exp(-gradient * h * h)


@njit(error_model="numpy", nogil=True)
def _slope(kind: int, gradient: float, h: float, g: float) -> Any:
    if kind == 0:
        return 2.0 * gradient * g * (1.0 - g)
    if kind == 1:
        return gradient * (1.0 - g * g)
    return -2.0 * gradient * h * g


@njit(error_model="numpy", nogil=True)
def _learn(
    inputs: Any, wanted: Any, order: Any, hidden: Any, output: Any, hidden_moves: Any, output_moves: Any, kind: int,
    gradient: float, rate: float, momentum: float,
) -> float:  # fmt: skip
    """Equations 2.6 to 2.11 for every pattern in this order. Writes weights and moves; returns the mean error."""
    nodes, width = hidden.shape
    answers = len(output)
    h, v, delta = np.zeros(nodes), np.zeros(nodes), np.zeros(answers)
    error = 0.0
    for at in order:
        given = inputs[at]
        for j in range(nodes):
            total = 0.0
            for k in range(width):
                total += hidden[j, k] * given[k]
            h[j] = total
            v[j] = _fire(kind, gradient, total)
        for i in range(answers):
            total = 0.0
            for j in range(nodes):
                total += output[i, j] * v[j]
            said = _fire(kind, gradient, total)
            short = wanted[at, i] - said
            error += abs(short)
            delta[i] = _slope(kind, gradient, total, said) * short
        for j in range(nodes):
            back = 0.0
            for i in range(answers):
                back += output[i, j] * delta[i]
            back *= _slope(kind, gradient, h[j], v[j])
            for i in range(answers):
                output_moves[i, j] = rate * delta[i] * v[j] + momentum * output_moves[i, j]
                output[i, j] += output_moves[i, j]
            for k in range(width):
                hidden_moves[j, k] = rate * back * given[k] + momentum * hidden_moves[j, k]
                hidden[j, k] += hidden_moves[j, k]
    return error / (len(order) * answers)
