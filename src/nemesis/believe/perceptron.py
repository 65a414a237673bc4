"""A multilayer perceptron with one hidden layer, as the POM thesis draws and computes it (2.2, appendix C).

Every node is `g(Σ w V)` of the layer before, with no bias, and `g` is one of three activation functions with a gradient β:

    sigmoid     1 / (1 + exp(-2βh))        hyperbolic   tanh(βh)        radial-basis   exp(-βh²)

Weights and the activations of any pattern can be read. Connections that were pruned stay zero. Networks are exported and
imported as JSON. `believe.back_propagation` trains them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nemesis.runtime.atomic import write_json
from nemesis.runtime.streams import NumpyStream, generator

ACTIVATIONS = ("sigmoid", "hyperbolic", "radial-basis")
HIDDEN = 5
"""Nodes of the hidden layer in the thesis's figure 4.1a."""
FIRST_WEIGHT = 0.5
"""Weights start uniformly between minus and plus this."""
FORMAT = 1
MOST_NODES = 1000


class NetworkError(ValueError):
    """A network that cannot be used, with the reason."""


class Activations(NamedTuple):
    """What the nodes say to one pattern."""

    inputs: NDArray[np.float64]
    hidden: NDArray[np.float64]
    outputs: NDArray[np.float64]


@dataclass(eq=False)
class Perceptron:
    """The network: `hidden[j, k]` leads from input k to hidden node j, `output[i, j]` from there to output i."""

    name: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    hidden: NDArray[np.float64]
    output: NDArray[np.float64]
    activation: str = "sigmoid"
    gradient: float = 0.25

    def __post_init__(self) -> None:
        nodes = len(self.hidden)
        if self.activation not in ACTIVATIONS:
            raise NetworkError(f"{self.activation!r} is no activation function; choose one of {', '.join(ACTIVATIONS)}")
        if not 1 <= nodes <= MOST_NODES:
            raise NetworkError(f"a network cannot have {nodes} hidden nodes; give from 1 to {MOST_NODES}")
        wanted = (nodes, len(self.inputs)), (len(self.outputs), nodes)
        if (self.hidden.shape, self.output.shape) != wanted:
            raise NetworkError(
                f"weights of shape {self.hidden.shape} and {self.output.shape} do not fit {len(self.inputs)} inputs, "
                f"{nodes} hidden nodes and {len(self.outputs)} outputs"
            )
        if not (np.isfinite(self.hidden).all() and np.isfinite(self.output).all() and np.isfinite(self.gradient)):
            raise NetworkError("a network's weights and gradient must be finite numbers")

    def answer(self, inputs: ArrayLike) -> NDArray[np.float64]:
        """(patterns, outputs) what the network says to patterns, one a row."""
        return self._fire(self._fire(np.asarray(inputs, np.float64) @ self.hidden.T) @ self.output.T)

    def activations(self, pattern: ArrayLike) -> Activations:
        """What every node says to one pattern."""
        given = np.asarray(pattern, np.float64)
        hidden = self._fire(self.hidden @ given)
        return Activations(given, hidden, self._fire(self.output @ hidden))

    def copy(self) -> Perceptron:
        """A network of its own with the same weights."""
        return Perceptron(
            self.name, self.inputs, self.outputs, self.hidden.copy(), self.output.copy(), self.activation, self.gradient
        )

    def _fire(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        if self.activation == "sigmoid":
            fired: NDArray[np.float64] = 1.0 / (1.0 + np.exp(-2.0 * self.gradient * sums))
        elif self.activation == "hyperbolic":
            fired = np.tanh(self.gradient * sums)
        else:
            fired = np.exp(-self.gradient * sums * sums)
        return fired

    def to_json(self) -> dict[str, Any]:
        """The network as what JSON can hold."""
        return {
            "network": FORMAT,
            "name": self.name,
            "inputs": list(self.inputs),
            "outputs": list(self.outputs),
            "activation": self.activation,
            "gradient": self.gradient,
            "hidden": self.hidden.tolist(),
            "output": self.output.tolist(),
        }


def new_perceptron(
    name: str,
    inputs: Sequence[str],
    outputs: Sequence[str],
    seed: int,
    number: int = 0,
    *,
    hidden: int = HIDDEN,
    activation: str = "sigmoid",
    gradient: float = 0.25,
) -> Perceptron:
    """A network with small random weights; `number` tells networks of one seed apart."""
    if not 1 <= hidden <= MOST_NODES:
        raise NetworkError(f"a network cannot have {hidden} hidden nodes; give from 1 to {MOST_NODES}")
    drawn = generator(seed, NumpyStream.PERCEPTRONS, number).uniform(
        -FIRST_WEIGHT, FIRST_WEIGHT, hidden * (len(inputs) + len(outputs))
    )
    split = hidden * len(inputs)
    first, second = drawn[:split].reshape(hidden, -1), drawn[split:].reshape(-1, hidden)
    return Perceptron(name, tuple(inputs), tuple(outputs), first.copy(), second.copy(), activation, gradient)


def perceptron_from(told: Mapping[str, Any]) -> Perceptron:
    """The network that `to_json` described."""
    try:
        if told["network"] != FORMAT:
            raise NetworkError(f"this network has format {told['network']!r}; this program reads {FORMAT}")
        return Perceptron(
            str(told["name"]),
            tuple(map(str, told["inputs"])),
            tuple(map(str, told["outputs"])),
            np.array(told["hidden"], np.float64),
            np.array(told["output"], np.float64),
            str(told["activation"]),
            float(told["gradient"]),
        )
    except NetworkError:
        raise
    except (KeyError, TypeError, ValueError) as error:
        raise NetworkError(f"this is not a network: {type(error).__name__} {error}") from None


def write_perceptron(path: Path, network: Perceptron) -> None:
    """Export a network to a JSON file."""
    write_json(path, network.to_json())


def read_perceptron(path: Path) -> Perceptron:
    """Import a network from a JSON file."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise NetworkError(f"{path} cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        raise NetworkError(f"{path} is not a network: {error}") from None
    if not isinstance(told, dict):
        raise NetworkError(f"{path} is not a network: it holds no JSON object")
    try:
        return perceptron_from(told)
    except NetworkError as error:
        raise NetworkError(f"{path}: {error}") from None
