"""Small neural networks of any shape, packed into a flat block of float64 that kernels evaluate in place.

NEAT (Stanley, Miikkulainen 2002) evolves networks without layers, with edges in any direction. A packed network lists its
nodes in the order in which they are computed; the outputs are the last. Values stay where they are from one step to the
next, so an edge from an earlier node carries this step's value, and one from the node itself or a later node carries the
value of the step before. That is all there is to recurrence. A kernel writes its inputs from `inputs_at` on, calls
`activate` and reads from `outputs_at` on, or asks `largest_output`.

A node is `activation(bias + response * sum of weight * value)`. The activations are neat-python's, so that its networks and
ours are the same: `sigmoid` is 1 / (1 + exp(-5x)) and `tanh` is tanh(2.5x), both with the exponent kept within bounds; only
`relu` and `identity` are bounded here, so that a loop through them cannot run away to infinity.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import chain
from operator import index
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import ArrayLike, NDArray

from nemesis.runtime.compiled import entry, inlined, njit
from nemesis.runtime.memory import CELL, REST, WHERE, Layout

Block = NDArray[np.float64]

ACTIVATIONS = ("sigmoid", "tanh", "relu", "identity")
SIGMOID, TANH, RELU, IDENTITY = range(4)

_NEXT, _PAIR = np.uint64(1), np.uint64(2)

_BLOCK_ARRAY = types.Array(types.float64, 1, "C")
MOST_INPUTS = 10_000
_STEEPEST = 60.0
_LARGEST = 1e9


class Places(NamedTuple):
    """A block: how many of everything, the values, and the nodes in their order."""

    inputs: int = CELL
    outputs: int = CELL
    nodes: int = CELL
    edges: int = CELL
    values: int = WHERE
    program: int = REST


class NodePlaces(NamedTuple):
    """One node, followed by a pair (source, weight) for each of its edges."""

    bias: int = CELL
    response: int = CELL
    activation: int = CELL
    edges: int = CELL
    pairs: int = REST


LAYOUT, NODE_LAYOUT = Layout(Places), Layout(NodePlaces)
AT, NODE = LAYOUT.at, NODE_LAYOUT.at


@inlined
def squashed(activation: Any, x: float) -> Any:
    """The activation of a node."""
    if activation == SIGMOID:
        return 1.0 / (1.0 + math.exp(-min(max(5.0 * x, -_STEEPEST), _STEEPEST)))
    if activation == TANH:
        return math.tanh(min(max(2.5 * x, -_STEEPEST), _STEEPEST))
    if activation == RELU and x < 0.0:
        return 0.0
    return min(max(x, -_LARGEST), _LARGEST)


@inlined
def inputs_at(memory: Block, at: int) -> Any:
    """Where the first input of the network at `at` is to be written."""
    return at + np.int64(memory[at + AT.values])


@inlined
def outputs_at(memory: Block, at: int) -> Any:
    """Where the first output of the network at `at` stands."""
    return inputs_at(memory, at) + np.int64(memory[at + AT.inputs] + memory[at + AT.nodes] - memory[at + AT.outputs])


@inlined
def activate(memory: Block, at: int) -> None:
    """One step of the network at `at`, whose inputs have been written. Writes its node values.

    Unsigned places spare the question whether an index is negative, a third of the time.
    """
    values = np.uint64(inputs_at(memory, at))
    mine = values + np.uint64(np.int64(memory[at + AT.inputs]))
    cell = np.uint64(at + AT.program)
    for _ in range(np.int64(memory[at + AT.nodes])):
        head = cell
        cell += np.uint64(NODE.pairs)
        end = cell + _PAIR * np.uint64(np.int64(memory[head + np.uint64(NODE.edges)]))
        total = 0.0
        while cell < end:
            total += memory[values + np.uint64(np.int64(memory[cell]))] * memory[cell + _NEXT]
            cell += _PAIR
        x = memory[head + np.uint64(NODE.bias)] + memory[head + np.uint64(NODE.response)] * total
        memory[mine] = squashed(np.int64(memory[head + np.uint64(NODE.activation)]), x)
        mine += _NEXT


@inlined
def clear_state(memory: Block, at: int) -> None:
    """Forget every earlier step of the network at `at`. Writes its values."""
    values = inputs_at(memory, at)
    for i in range(np.int64(memory[at + AT.inputs] + memory[at + AT.nodes])):
        memory[values + i] = 0.0


@inlined
def largest_output(memory: Block, at: int) -> Any:
    """Which output of the network at `at` is largest; of equals the first."""
    first = outputs_at(memory, at)
    best: Any = np.int64(0)
    for i in range(1, np.int64(memory[at + AT.outputs])):
        if memory[first + i] > memory[first + best]:
            best = np.int64(i)
    return best


@njit(types.void(_BLOCK_ARRAY), error_model="numpy")
def _step(block: Block) -> None:
    activate(block, 0)


@cache
def _stepping() -> Callable[[Block], None]:
    """`_step` to be called from Python, compiled when first asked for."""
    return entry(_step, np.zeros(1))


@njit(types.void(_BLOCK_ARRAY, types.int64), error_model="numpy")
def step_many(block: Block, steps: int) -> None:
    """Step a block on unchanged inputs again and again, for measuring. Writes its values."""
    for _ in range(steps):
        activate(block, 0)


class Node(NamedTuple):
    """One node: its bias and where it reads from, as (source, weight); inputs are counted first, then nodes."""

    bias: float
    edges: tuple[tuple[int, float], ...]
    response: float = 1.0
    activation: str = "sigmoid"


class Network:
    """A packed network and its Python face. `block` is what an agent copies into its memory, in the cleared state."""

    def __init__(self, inputs: int, outputs: int, nodes: Sequence[Node]) -> None:
        self.inputs = inputs
        self.outputs = outputs
        self.nodes = tuple(nodes)
        self.block = pack(inputs, outputs, self.nodes)
        self._memory = self.block.copy()

    def activate(self, inputs: ArrayLike) -> NDArray[np.float64]:
        """One step; the state is kept for the next."""
        values = np.asarray(inputs, np.float64)
        if values.shape != (self.inputs,):
            raise ValueError(f"a network of {self.inputs} inputs was given {values.shape}")
        first = int(self.block[AT.values])
        self._memory[first : first + self.inputs] = values
        _stepping()(self._memory)
        return self._memory[self._memory.size - self.outputs :].copy()

    def clear(self) -> None:
        """Forget every earlier step."""
        self._memory[:] = self.block

    @property
    def feeds_back(self) -> bool:
        """Whether an edge carries a value of the step before."""
        return any(source >= self.inputs + place for place, node in enumerate(self.nodes) for source, _ in node.edges)

    def for_choosing(self) -> Network:
        """The same network without the activation of its outputs, if only the largest output is ever looked at.

        They keep it where another node reads them or where they do not all have the same one. What was a tie between
        outputs saturated at their limit is then decided by the larger sum.
        """
        first = len(self.nodes) - self.outputs
        is_read = any(source >= self.inputs + first for node in self.nodes for source, _ in node.edges)
        if is_read or {node.activation for node in self.nodes[first:]} not in ({"sigmoid"}, {"tanh"}):
            return self
        plain = [Node(node.bias, node.edges, node.response, "identity") for node in self.nodes[first:]]
        return Network(self.inputs, self.outputs, [*self.nodes[:first], *plain])

    def to_json(self) -> dict[str, Any]:
        """As plain data; numbers read back bit for bit."""
        nodes = [
            [node.bias, node.response, node.activation, [list(edge) for edge in node.edges]] for node in self.nodes
        ]
        return {"inputs": self.inputs, "outputs": self.outputs, "nodes": nodes}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Network:
        """From what `to_json` gave; a `ValueError` says if it is something else."""
        try:
            nodes = [
                Node(
                    float(bias),
                    tuple((index(source), float(weight)) for source, weight in edges),
                    float(response),
                    activation,
                )
                for bias, response, activation, edges in data["nodes"]
            ]
            inputs, outputs = index(data["inputs"]), index(data["outputs"])
        except (KeyError, OverflowError, TypeError, ValueError):
            raise ValueError(
                "a network is its numbers of inputs and outputs and a list of nodes, each a bias, a response, an "
                "activation and edges"
            ) from None
        return cls(inputs, outputs, nodes)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Network) and np.array_equal(self.block, other.block)

    def __hash__(self) -> int:
        return hash(self.block.tobytes())

    def __repr__(self) -> str:
        return f"Network({self.inputs} inputs, {self.outputs} outputs, {len(self.nodes)} nodes)"

    def __getstate__(self) -> dict[str, Any]:
        return self.to_json()

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(Network.from_json(state).__dict__)


def pack(inputs: int, outputs: int, nodes: Sequence[Node]) -> Block:
    """The block of a network whose last `outputs` nodes are its outputs."""
    if not 1 <= inputs <= MOST_INPUTS or not 1 <= outputs <= len(nodes):
        raise ValueError(f"a network cannot have {inputs} inputs and {outputs} outputs among {len(nodes)} nodes")
    sources = [source for node in nodes for source, _ in node.edges]
    if sources and not 0 <= min(sources) <= max(sources) < inputs + len(nodes):
        wrong = min(sources) if min(sources) < 0 else max(sources)
        raise ValueError(f"an edge reads {wrong}, but there are {inputs} inputs and {len(nodes)} nodes")
    program: list[float] = []
    for bias, edges, response, activation in nodes:
        if activation not in ACTIVATIONS:
            raise ValueError(f"no activation is called {activation!r}; there are {', '.join(ACTIVATIONS)}")
        program += (bias, response, ACTIVATIONS.index(activation), len(edges))
        program += chain.from_iterable(edges)
    block = LAYOUT.template(
        inputs=inputs, outputs=outputs, nodes=len(nodes), edges=len(sources),
        values=np.zeros(inputs + len(nodes)), program=program,
    )  # fmt: skip
    if not np.isfinite(block).all():
        raise ValueError("a network's numbers must be finite")
    return block
