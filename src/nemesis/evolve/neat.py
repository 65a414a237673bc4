"""NEAT: networks that grow while they evolve (Stanley, Miikkulainen 2002), on neat-python's reproduction and species.

From document 000, section 5.2: a population of 100, a node added with probability .005 and a connection with .01,
nothing deleted, recurrent connections allowed. The source used SharpNEAT with its other settings unnamed; ours are
`NeatParameters`.

What is neat-python's own: who survives, who mates and how genes line up, species, stagnation, innovation numbers. What is
ours, in `Genome`: a node gene is only a bias, which is all that mutates here; the methods that cost most are written out
(same draws, same results, two thirds of the time); and a recurrent connection may start at an output, which
neat-python rules out but the source reports as the commonest one ("a node that links to itself"). A new connection
is drawn from those still missing, so that its probability is the one given.

neat-python draws from Python's global generator. A learner has its own state, swapped in for the length of a call.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, NamedTuple

import neat  # type: ignore[import-untyped,unused-ignore]
import numpy as np
from neat.attributes import BoolAttribute, FloatAttribute  # type: ignore[import-untyped,unused-ignore]
from neat.genes import BaseGene  # type: ignore[import-untyped,unused-ignore]
from neat.genome import DefaultGenomeConfig  # type: ignore[import-untyped,unused-ignore]
from neat.reporting import ReporterSet  # type: ignore[import-untyped,unused-ignore]
from neat.species import Species  # type: ignore[import-untyped,unused-ignore]
from numpy.typing import NDArray

from nemesis.evolve.learner import State, checked_fitness
from nemesis.respond.network import Network, Node

_LARGEST_WEIGHT = 30.0
_DISTANCE_STEP = 1.05


@dataclass(frozen=True)
class NeatParameters:
    """The settings of NEAT. The first four are the source's; the others, which it does not name, are the usual ones.

    `connected` is the share of the possible edges between inputs and outputs (and of outputs to themselves) that a first
    network has: all of them, as in the original NEAT. SharpNEAT, which the source used, starts with .05. As in
    SharpNEAT, the distance at which a species ends is moved a little while there are fewer than `fewest_species` or
    more than `most_species`; the six and ten are its own.
    """

    population: int = 100
    add_node: float = 0.005
    add_connection: float = 0.01
    feed_forward: bool = False
    connected: float = 1.0
    activation: str = "sigmoid"
    weight_mutation: float = 0.8
    bias_mutation: float = 0.7
    mutation_power: float = 0.5
    replacement: float = 0.1
    disjoint_weight: float = 1.0
    difference_weight: float = 0.5
    species_distance: float = 3.0
    fewest_species: int = 6
    most_species: int = 10
    surviving: float = 0.2
    elite: int = 1
    patience: int = 20
    spared_species: int = 2

    def __post_init__(self) -> None:
        if self.population < 2:
            raise ValueError(f"NEAT needs a population of at least 2, not {self.population}")
        for name in ("add_node", "add_connection", "connected", "weight_mutation", "bias_mutation", "surviving"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise ValueError(f"NEAT has {name} {getattr(self, name)}; it must lie between 0 and 1")
        if not 0 <= self.fewest_species <= self.most_species:
            raise ValueError(f"NEAT cannot aim at {self.fewest_species} to {self.most_species} species")
        if self.elite > 1 or self.spared_species < 1:
            raise ValueError("NEAT keeps at most 1 elite a species and spares at least 1 species, or it could die out")


class Candidate(NamedTuple):
    """One genome of a generation: its key in the run and the network it stands for."""

    key: int
    network: Network


class NodeGene(BaseGene):  # type: ignore[misc]
    """A node is its bias; response, activation and aggregation are the same for all."""

    _gene_attributes = (FloatAttribute("bias"),)
    response = 1.0
    activation = "sigmoid"
    aggregation = "sum"
    bias: float

    def mutate(self, config: Any) -> None:
        """As neat-python's, written out."""
        self.bias = _mutated(
            self.bias,
            config.bias_mutate_rate,
            config.bias_replace_rate,
            config.bias_mutate_power,
            config.bias_init_stdev,
        )

    def copy(self) -> NodeGene:
        """As neat-python's, written out."""
        return node_gene(self.key, self.bias)

    def crossover(self, gene2: NodeGene) -> NodeGene:
        """As neat-python's, written out."""
        return node_gene(self.key, self.bias if random.random() > 0.5 else gene2.bias)


class ConnectionGene(BaseGene):  # type: ignore[misc]
    """A connection is its weight and whether it is enabled; its key is (source, target)."""

    _gene_attributes = (FloatAttribute("weight"), BoolAttribute("enabled"))
    weight: float
    enabled: bool

    def __init__(self, key: tuple[int, int], innovation: int) -> None:
        self.key = key
        self.innovation = innovation

    def mutate(self, config: Any) -> None:
        """As neat-python's, written out; enabling never mutates here."""
        self.weight = _mutated(
            self.weight,
            config.weight_mutate_rate,
            config.weight_replace_rate,
            config.weight_mutate_power,
            config.weight_init_stdev,
        )

    def copy(self) -> ConnectionGene:
        """As neat-python's, written out."""
        return connection_gene(self.key, self.innovation, self.weight, self.enabled)

    def crossover(self, gene2: ConnectionGene) -> ConnectionGene:
        """As neat-python's, written out: a gene disabled in either parent is disabled in the child three times of four."""
        weight = self.weight if random.random() > 0.5 else gene2.weight
        enabled = self.enabled if random.random() > 0.5 else gene2.enabled
        if not (self.enabled and gene2.enabled) and random.random() < 0.75:
            enabled = False
        return connection_gene(self.key, self.innovation, weight, enabled)


def _mutated(value: float, rate: float, replacement: float, power: float, spread: float) -> float:
    draw = random.random()
    if draw < rate:
        value += random.gauss(0.0, power)
    elif draw < rate + replacement:
        value = random.gauss(0.0, spread)
    return max(min(value, _LARGEST_WEIGHT), -_LARGEST_WEIGHT)


def node_gene(key: int, bias: float) -> NodeGene:
    """A node gene."""
    gene = NodeGene(key)
    gene.bias = bias
    return gene


def connection_gene(key: tuple[int, int], innovation: int, weight: float, enabled: bool) -> ConnectionGene:
    """A connection gene."""
    gene = ConnectionGene(key, innovation)
    gene.weight = weight
    gene.enabled = enabled
    return gene


class Genome(neat.DefaultGenome):  # type: ignore[misc]
    """neat-python's genome with our genes; see the top of this file."""

    @classmethod
    def parse_config(cls, param_dict: dict[str, Any]) -> Any:
        """The settings of genomes."""
        genes = {"node_gene_type": NodeGene, "connection_gene_type": ConnectionGene}
        return DefaultGenomeConfig({**param_dict, **genes}, cls.__name__)

    def mutate_add_connection(self, config: Any) -> None:
        """Add one of the connections this genome lacks."""
        if config.feed_forward:
            super().mutate_add_connection(config)
            return
        sources = [*config.input_keys, *self.nodes]
        missing = [(a, b) for b in self.nodes for a in sources if (a, b) not in self.connections]
        if missing:
            source, target = random.choice(missing)
            number = config.innovation_tracker.get_innovation_number(source, target, "add_connection")
            self.connections[source, target] = self.create_connection(config, source, target, number)

    def distance(self, other: Genome, config: Any) -> float:
        """As neat-python's, written out: how far apart two genomes are, for species."""
        disjoint_weight = config.compatibility_disjoint_coefficient
        difference_weight = config.compatibility_weight_coefficient
        apart, common = 0.0, 0
        theirs = other.nodes
        for key, node in self.nodes.items():
            if key in theirs:
                common += 1
                apart += abs(node.bias - theirs[key].bias) * difference_weight
        disjoint = len(self.nodes) + len(theirs) - 2 * common
        distance: float = (apart + disjoint_weight * disjoint) / max(len(self.nodes), len(theirs))
        apart, common = 0.0, 0
        edges = other.connections
        for key, mine in self.connections.items():
            if key in edges:
                common += 1
                edge = edges[key]
                difference = abs(mine.weight - edge.weight)
                if mine.enabled != edge.enabled:
                    difference += 1.0
                apart += difference * difference_weight
        most = max(len(self.connections), len(edges))
        if most:
            disjoint = len(self.connections) + len(edges) - 2 * common
            distance += (apart + disjoint_weight * disjoint) / most
        return distance


class Counter:
    """Numbers one after another, like `itertools.count`, but its next one can be read and saved."""

    def __init__(self, following: int) -> None:
        self.following = following

    def __iter__(self) -> Counter:
        return self

    def __next__(self) -> int:
        self.following += 1
        return self.following - 1


class Neat:
    """The learner. Genomes are asked for as `Candidate`s: a key and a packed network with recurrence."""

    def __init__(self, inputs: int, outputs: int, seed: int, parameters: NeatParameters | None = None) -> None:
        self._prepare(inputs, outputs, parameters or NeatParameters())
        self._chance = random.Random(seed).getstate()
        with self._own_chance():
            self._population: dict[int, Genome] = self._reproduction.create_new(
                Genome, self.config.genome_config, self.parameters.population
            )
            self._species.speciate(self.config, self._population, 0)

    def _prepare(self, inputs: int, outputs: int, parameters: NeatParameters) -> None:
        if inputs < 1 or outputs < 1:
            raise ValueError(f"a network needs inputs and outputs, not {inputs} and {outputs}")
        self.inputs = inputs
        self.outputs = outputs
        self.parameters = parameters
        self.generation = 0
        self.config = neat_config(inputs, outputs, parameters)
        reporters = ReporterSet()
        stagnation = neat.DefaultStagnation(self.config.stagnation_config, reporters)
        self._reproduction = neat.DefaultReproduction(self.config.reproduction_config, reporters, stagnation)
        self._reproduction.genome_indexer = Counter(1)
        self._species = neat.DefaultSpeciesSet(self.config.species_set_config, reporters)
        self._species.indexer = Counter(1)
        self.config.genome_config.node_indexer = Counter(outputs)
        self._candidates: list[Candidate] | None = None

    @contextmanager
    def _own_chance(self) -> Iterator[None]:
        """Let neat-python draw from our random state, and leave the caller's as it was."""
        theirs = random.getstate()
        random.setstate(self._chance)
        try:
            yield
        finally:
            self._chance = random.getstate()
            random.setstate(theirs)

    @property
    def genomes(self) -> list[Genome]:
        """This generation's genomes as neat-python has them, in the order of `ask`."""
        return list(self._population.values())

    def ask(self) -> list[Candidate]:
        """This generation's networks, the same until `tell`."""
        if self._candidates is None:
            activation = self.parameters.activation
            self._candidates = [
                Candidate(key, decode(genome, self.inputs, self.outputs, activation))
                for key, genome in self._population.items()
            ]
        return list(self._candidates)

    def tell(self, fitness: NDArray[np.float64]) -> None:
        """How good each network is, in the order of `ask`. Makes the next generation."""
        for genome, value in zip(self.genomes, checked_fitness(fitness, len(self._population)).tolist(), strict=True):
            genome.fitness = value
        next_species = self._species.indexer.following
        with self._own_chance():
            self._population = self._reproduction.reproduce(
                self.config, self._species, self.parameters.population, self.generation
            )
            self._species.speciate(self.config, self._population, self.generation)
        self._aim_at_species(founded=self._species.indexer.following > next_species)
        self._reproduction.ancestors.clear()
        self._candidates = None
        self.generation += 1

    def _aim_at_species(self, founded: bool) -> None:
        """Move the distance between species a little, if they are too few, or too many and still being founded.

        A larger distance only keeps new species from being founded; old ones end when they stagnate.
        """
        count, settings = len(self._species.species), self.config.species_set_config
        if count < self.parameters.fewest_species:
            settings.compatibility_threshold /= _DISTANCE_STEP
        elif count > self.parameters.most_species and founded:
            settings.compatibility_threshold *= _DISTANCE_STEP

    def describe(self) -> dict[str, float]:
        """Species and the mean size of networks."""
        sizes = np.array([genome.size() for genome in self.genomes])
        nodes, connections = sizes.mean(axis=0).tolist()
        return {
            "species": float(len(self._species.species)),
            "hidden_nodes": nodes - self.outputs,
            "connections": connections,
        }

    def to_json(self) -> State:
        """The whole state; dictionaries keep their order, so the continuation is the same to the last bit."""
        version, numbers, pending = self._chance
        return {
            "learner": "neat",
            "inputs": self.inputs,
            "outputs": self.outputs,
            "parameters": dataclasses.asdict(self.parameters),
            "generation": self.generation,
            "random": [version, list(numbers), pending],
            "species_distance": self.config.species_set_config.compatibility_threshold,
            "next_genome": self._reproduction.genome_indexer.following,
            "next_species": self._species.indexer.following,
            "next_node": self.config.genome_config.node_indexer.following,
            "innovations": self._reproduction.innovation_tracker.global_counter,
            "genomes": [_genome_json(genome) for genome in self.genomes],
            "species": [_species_json(species) for species in self._species.species.values()],
        }

    @classmethod
    def from_json(cls, state: State) -> Neat:
        """A learner that goes on from a saved state."""
        learner = cls.__new__(cls)
        learner._prepare(state["inputs"], state["outputs"], NeatParameters(**state["parameters"]))
        learner.generation = state["generation"]
        version, numbers, pending = state["random"]
        learner._chance = (version, tuple(numbers), pending)
        learner.config.species_set_config.compatibility_threshold = state["species_distance"]
        learner._reproduction.genome_indexer.following = state["next_genome"]
        learner._species.indexer.following = state["next_species"]
        learner.config.genome_config.node_indexer.following = state["next_node"]
        learner._reproduction.innovation_tracker.global_counter = state["innovations"]
        learner._population = {data["key"]: _genome(data) for data in state["genomes"]}
        for data in state["species"]:
            species = _restored_species(data, learner._population)
            learner._species.species[species.key] = species
            learner._species.genome_to_species.update(dict.fromkeys(species.members, species.key))
        return learner


def neat_config(inputs: int, outputs: int, parameters: NeatParameters) -> Any:
    """neat-python's configuration, made without a file. Its own parser reads the values, so they are given as text."""
    p = parameters
    weights = {"init_mean": 0.0, "init_stdev": 1.0, "mutate_power": p.mutation_power, "replace_rate": p.replacement}
    limits = {"max_value": _LARGEST_WEIGHT, "min_value": -_LARGEST_WEIGHT}
    genome: dict[str, Any] = {
        "num_inputs": inputs,
        "num_outputs": outputs,
        "num_hidden": 0,
        "feed_forward": str(p.feed_forward),
        "compatibility_disjoint_coefficient": p.disjoint_weight,
        "compatibility_weight_coefficient": p.difference_weight,
        "conn_add_prob": p.add_connection,
        "conn_delete_prob": 0.0,
        "node_add_prob": p.add_node,
        "node_delete_prob": 0.0,
        "single_structural_mutation": "false",
        "structural_mutation_surer": "false",
        "initial_connection": f"partial_direct {p.connected}",
        **{f"bias_{name}": value for name, value in {**weights, **limits, "mutate_rate": p.bias_mutation}.items()},
        **{f"weight_{name}": value for name, value in {**weights, **limits, "mutate_rate": p.weight_mutation}.items()},
        "enabled_default": "true",
        "enabled_mutate_rate": 0.0,
    }
    species = {"compatibility_threshold": p.species_distance}
    stagnation = {"species_fitness_func": "max", "max_stagnation": p.patience, "species_elitism": p.spared_species}
    reproduction = {"elitism": p.elite, "survival_threshold": p.surviving, "min_species_size": 1}
    return SimpleNamespace(
        genome_type=Genome,
        genome_config=Genome.parse_config(genome),
        species_set_config=neat.DefaultSpeciesSet.parse_config(species),
        stagnation_config=neat.DefaultStagnation.parse_config(stagnation),
        reproduction_config=neat.DefaultReproduction.parse_config(reproduction),
    )


def decode(genome: Genome, inputs: int, outputs: int, activation: str = "sigmoid") -> Network:
    """The network a genome stands for: what reaches an output over enabled connections, in the order of computing."""
    edges: dict[int, list[tuple[int, float]]] = {}
    for (source, target), gene in genome.connections.items():
        if gene.enabled:
            edges.setdefault(target, []).append((source, gene.weight))
    order = computing_order(range(outputs), {node: [source for source, _ in read] for node, read in edges.items()})
    place = {node: inputs + i for i, node in enumerate(order)}
    place.update({-1 - i: i for i in range(inputs)})
    nodes = [
        Node(
            genome.nodes[node].bias,
            tuple([(place[source], weight) for source, weight in edges.get(node, ())]),
            activation=activation,
        )
        for node in order
    ]
    return Network(inputs, outputs, nodes)


def computing_order(outputs: Sequence[int], sources: Mapping[int, Sequence[int]]) -> list[int]:
    """The nodes that matter to the outputs, each after those it reads, and the outputs last.

    A depth-first walk backward from the outputs, smallest key first; an edge that closes a loop, or starts at an output, is
    a recurrent one and is not followed. Inputs have negative keys.
    """
    order: list[int] = []
    seen = set(outputs)
    for output in outputs:
        path = [(output, iter(sorted(sources.get(output, ()))))]
        while path:
            node, unread = path[-1]
            source = next((key for key in unread if key >= 0 and key not in seen), None)
            if source is not None:
                seen.add(source)
                path.append((source, iter(sorted(sources.get(source, ())))))
            else:
                path.pop()
                if path:
                    order.append(node)
    return [*order, *outputs]


def _genome_json(genome: Genome) -> State:
    return {
        "key": genome.key,
        "fitness": genome.fitness,
        "nodes": [[key, gene.bias] for key, gene in genome.nodes.items()],
        "connections": [
            [*gene.key, gene.innovation, gene.weight, int(gene.enabled)] for gene in genome.connections.values()
        ],
    }


def _genome(data: Mapping[str, Any]) -> Genome:
    genome = Genome(data["key"])
    genome.fitness = data["fitness"]
    genome.nodes = {key: node_gene(key, bias) for key, bias in data["nodes"]}
    genome.connections = {
        (source, target): connection_gene((source, target), innovation, weight, bool(enabled))
        for source, target, innovation, weight, enabled in data["connections"]
    }
    return genome


def _species_json(species: Any) -> State:
    return {
        "key": species.key,
        "created": species.created,
        "last_improved": species.last_improved,
        "representative": species.representative.key,
        "members": list(species.members),
        "history": species.fitness_history,
    }


def _restored_species(data: Mapping[str, Any], population: Mapping[int, Genome]) -> Any:
    species = Species(data["key"], data["created"])
    species.last_improved = data["last_improved"]
    species.fitness_history = list(data["history"])
    species.update(population[data["representative"]], {key: population[key] for key in data["members"]})
    return species
