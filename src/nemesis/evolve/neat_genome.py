"""A NEAT genome as arrays: nodes with biases, connections with weights, and what mutation and crossover do to them.

From Stanley, Miikkulainen 2002. Their innovation numbers say which genes of two genomes are the same one. Here a
connection is known by its two ends and a hidden node by the connection it first split, so the same growth has the same
name in every genome of a run and no numbers need be kept.

Inputs are -1, -2, …; outputs 0, 1, …; hidden nodes follow. Arrays are sorted by name, so genomes are lined up by a
sorted search. A genome is never changed: mutation returns another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.respond.network import Network, Node

LARGEST_WEIGHT = 30.0
_STAYS_OFF = 0.75
_TRIES = 20
_NAME = 1 << 32

Names = NDArray[np.int64]
Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Genome:
    """One genome. `edges` are names of connections (`edge_name`)."""

    nodes: Names
    biases: Numbers
    edges: Names
    weights: Numbers
    enabled: NDArray[np.bool_]

    def to_json(self) -> list[list[float]]:
        """As plain data; numbers read back bit for bit."""
        arrays = (self.nodes, self.biases, self.edges, self.weights, self.enabled.astype(np.int64))
        return [array.tolist() for array in arrays]

    @classmethod
    def from_json(cls, data: Sequence[Sequence[float]]) -> Genome:
        """From what `to_json` gave."""
        nodes, biases, edges, weights, enabled = data
        return cls(
            np.array(nodes, np.int64),
            np.array(biases, np.float64),
            np.array(edges, np.int64),
            np.array(weights, np.float64),
            np.array(enabled, np.bool_),
        )


def edge_name(source: Any, target: Any) -> Any:
    """The name of the connection from `source` to `target`."""
    return source * _NAME + target


def ends(edges: Names) -> tuple[Names, Names]:
    """Sources and targets of connections."""
    return edges // _NAME, edges % _NAME


def first_genome(inputs: int, outputs: int, connected: float, loops: bool, chance: np.random.Generator) -> Genome:
    """Outputs, and the given share of the connections from inputs to them and, with `loops`, of outputs to themselves."""
    targets = np.arange(outputs)
    places = edge_name(-1 - np.arange(inputs)[:, None], targets[None, :]).ravel()
    if loops:
        places = np.concatenate([places, edge_name(targets, targets)])
    edges = np.sort(chance.permutation(places)[: round(connected * places.size)])
    return Genome(
        targets,
        chance.normal(size=outputs),
        edges,
        chance.normal(size=edges.size),
        np.ones(edges.size, np.bool_),
    )


def crossed(fitter: Genome, other: Genome, chance: np.random.Generator) -> Genome:
    """A child: genes that both parents have from either, the rest from the fitter one.

    A connection that is disabled in either parent mostly stays so.
    """
    biases = fitter.biases.copy()
    mine, theirs = _lined_up(fitter.nodes, other.nodes)
    biases[mine] = np.where(chance.random(mine.size) < 0.5, biases[mine], other.biases[theirs])
    weights, enabled = fitter.weights.copy(), fitter.enabled.copy()
    mine, theirs = _lined_up(fitter.edges, other.edges)
    weights[mine] = np.where(chance.random(mine.size) < 0.5, weights[mine], other.weights[theirs])
    both = enabled[mine] & other.enabled[theirs]
    either = np.where(chance.random(mine.size) < 0.5, enabled[mine], other.enabled[theirs])
    enabled[mine] = both | (either & (chance.random(mine.size) >= _STAYS_OFF))
    return Genome(fitter.nodes, biases, fitter.edges, weights, enabled)


def _lined_up(mine: Names, theirs: Names) -> tuple[Names, Names]:
    """Where the names that both have stand in each; both are sorted."""
    place = np.minimum(np.searchsorted(theirs, mine), theirs.size - 1) if theirs.size else np.zeros(0, np.int64)
    common = np.flatnonzero(theirs[place] == mine) if theirs.size else place
    return common, place[common]


def shaken(values: Numbers, rate: float, replacement: float, power: float, chance: np.random.Generator) -> Numbers:
    """Each value moved with probability `rate`, or drawn anew with probability `replacement`."""
    draw = chance.random(values.size)
    moved = values + power * chance.normal(size=values.size) * (draw < rate)
    drawn = np.where((draw >= rate) & (draw < rate + replacement), chance.normal(size=values.size), moved)
    return np.clip(drawn, -LARGEST_WEIGHT, LARGEST_WEIGHT)


def with_node(genome: Genome, names: dict[int, int], first_free: int, chance: np.random.Generator) -> Genome:
    """Split a connection: it is disabled, and a node takes its place whose first output is what went in.

    `names` says which node each connection was split by in this run; a new one is written there.
    """
    if not genome.enabled.any():
        return genome
    split = int(chance.choice(np.flatnonzero(genome.enabled)))
    edge = int(genome.edges[split])
    node = names.setdefault(edge, first_free + len(names))
    if node in genome.nodes:
        return genome  # it was split before; crossover has enabled it again
    source, target = ends(genome.edges[split : split + 1])
    enabled = genome.enabled.copy()
    enabled[split] = False
    grown = replace(
        genome,
        nodes=np.append(genome.nodes, node),
        biases=np.append(genome.biases, 0.0),
        enabled=enabled,
    )
    order = np.argsort(grown.nodes)
    grown = replace(grown, nodes=grown.nodes[order], biases=grown.biases[order])
    added = [int(edge_name(source[0], node)), int(edge_name(node, target[0]))]
    return _with_edges(grown, np.array(added), np.array([1.0, genome.weights[split]]))


def with_connections(genome: Genome, inputs: int, count: int, chance: np.random.Generator) -> Genome:
    """Add `count` of the connections this genome lacks, or as many as there are."""
    chosen = chance.permutation(missing_places(genome, inputs))[:count]
    return _with_edges(genome, chosen, chance.normal(size=chosen.size))


def with_forward_connection(genome: Genome, inputs: int, outputs: int, chance: np.random.Generator) -> Genome:
    """Add one connection that does not feed back and does not start at an output, if a few tries find one."""
    tried = chance.permutation(missing_places(genome, inputs))[:_TRIES]
    chosen = [place for place in tried.tolist() if not _feeds_back(genome, place, outputs)][:1]
    return _with_edges(genome, np.array(chosen, np.int64), chance.normal(size=len(chosen)))


def missing_places(genome: Genome, inputs: int) -> Names:
    """The connections that this genome lacks, any of which may be added."""
    sources = np.concatenate([-1 - np.arange(inputs), genome.nodes])
    places = edge_name(sources[:, None], genome.nodes[None, :]).ravel()
    missing: Names = places[~np.isin(places, genome.edges)]
    return missing


def _with_edges(genome: Genome, edges: Names, weights: Numbers) -> Genome:
    names = np.concatenate([genome.edges, edges])
    order = np.argsort(names)
    return replace(
        genome,
        edges=names[order],
        weights=np.concatenate([genome.weights, weights])[order],
        enabled=np.concatenate([genome.enabled, np.ones(edges.size, np.bool_)])[order],
    )


def _feeds_back(genome: Genome, edge: int, outputs: int) -> bool:
    """Whether this connection would start at an output or close a loop, disabled connections counted."""
    source, target = (int(end[0]) for end in ends(np.array([edge])))
    if 0 <= source < outputs:
        return True
    sources, targets = ends(genome.edges)
    reached, waiting = {target}, [target]
    while waiting:
        for node in targets[sources == waiting.pop()].tolist():
            if node not in reached:
                reached.add(node)
                waiting.append(node)
    return source in reached


def decode(genome: Genome, inputs: int, outputs: int, activation: str = "sigmoid") -> Network:
    """The network a genome stands for: what reaches an output over enabled connections, in the order of computing."""
    edges: dict[int, list[tuple[int, float]]] = {}
    sources, targets = ends(genome.edges[genome.enabled])
    for source, target, weight in zip(
        sources.tolist(), targets.tolist(), genome.weights[genome.enabled].tolist(), strict=True
    ):
        edges.setdefault(target, []).append((source, weight))
    order = computing_order(range(outputs), {node: [source for source, _ in read] for node, read in edges.items()})
    place = {node: inputs + i for i, node in enumerate(order)}
    place.update({-1 - i: i for i in range(inputs)})
    bias = dict(zip(genome.nodes.tolist(), genome.biases.tolist(), strict=True))
    nodes = [
        Node(
            bias[node],
            tuple([(place[source], weight) for source, weight in edges.get(node, ())]),
            activation=activation,
        )
        for node in order
    ]
    return Network(inputs, outputs, nodes)


def computing_order(outputs: Sequence[int], sources: Mapping[int, Sequence[int]]) -> list[int]:
    """The nodes that matter to the outputs, each after those it reads, and the outputs last.

    A depth-first walk backward from the outputs, smallest name first; an edge that closes a loop, or starts at an output, is
    a recurrent one and is not followed. Inputs have negative names.
    """
    order: list[int] = []
    seen = set(outputs)
    for output in outputs:
        path = [(output, iter(sorted(sources.get(output, ()))))]
        while path:
            node, unread = path[-1]
            source = next((name for name in unread if name >= 0 and name not in seen), None)
            if source is not None:
                seen.add(source)
                path.append((source, iter(sorted(sources.get(source, ())))))
            else:
                path.pop()
                if path:
                    order.append(node)
    return [*order, *outputs]
