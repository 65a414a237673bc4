"""NEAT: networks that grow while they evolve (Stanley, Miikkulainen 2002).

From Baker 2010, sections 5.2 and 7.2: a population of 100, a node added to a network with probability .005, a connection
"between any two nodes" with .01, nothing deleted, recurrent connections allowed. The source used SharpNEAT and names none
of its other settings; ours are `NeatParameters`. A recurrent connection may start at an output, which the source reports
as the commonest one ("a node that links to itself").

It is our own because a run must be its seed and nothing else: neat-python draws from Python's global generator, and works
gene by gene, which is slow when networks grow. Tests hold distances and networks to neat-python's (decision 9).
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.evolve.learner import MOST_GENOMES, Learner, Seeded, Settings, State, checked_fitness
from nemesis.evolve.neat_genome import (
    Genome,
    crossed,
    decode,
    first_genome,
    missing_places,
    shaken,
    with_connections,
    with_forward_connection,
    with_node,
)
from nemesis.evolve.neat_species import Species, divide, offspring
from nemesis.evolve.plain import check_ranges
from nemesis.evolve.space import Graph
from nemesis.respond.network import Network

_RADIUS_STEP = 1.05


@dataclass(frozen=True)
class NeatParameters(Settings):
    """The settings of NEAT. The first three are the source's; the others, which it does not name, are the usual ones.

    With `each_place`, `add_connection` is the probability of every connection that a network lacks, as section 7.2 says;
    without, of adding one to a network, which is how the rate is read elsewhere. `connected` is the share of the possible
    connections that a first network has: all, as in the original NEAT; SharpNEAT starts with few. The radius of a species
    is moved a little while there are fewer than `fewest_species` or more than `most_species`, as in SharpNEAT.
    """

    population: int = 100
    add_node: float = 0.005
    add_connection: float = 0.01
    each_place: bool = False
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
    genomes = Graph

    def __post_init__(self) -> None:
        check_ranges("NEAT", self, population=(2, MOST_GENOMES))
        for name in ("add_node", "add_connection", "connected", "weight_mutation", "bias_mutation", "surviving"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise ValueError(f"NEAT has {name} {getattr(self, name)}; it must lie between 0 and 1")
        if not 0 <= self.fewest_species <= self.most_species:
            raise ValueError(f"NEAT cannot aim at {self.fewest_species} to {self.most_species} species")
        if self.elite > 1 or self.spared_species < 1:
            raise ValueError("NEAT keeps at most 1 elite a species and spares at least 1 species, or it could die out")

    def begin(self, space: Graph, seed: int, generations: int) -> Neat:
        """A learner of networks between these inputs and outputs."""
        return Neat(space.inputs, space.outputs, seed, self)

    def resume(self, state: State) -> Neat:
        """A learner that goes on from a saved state."""
        return Neat.from_json(state)


class Candidate(NamedTuple):
    """One genome of a generation: its place there and the network it stands for."""

    key: int
    network: Network


class Neat(Seeded[NeatParameters], Learner[Candidate]):
    """The learner. Genomes are asked for as `Candidate`s: a packed network, which may have recurrence."""

    name = "neat"

    def __init__(self, inputs: int, outputs: int, seed: int, parameters: NeatParameters | None = None) -> None:
        if inputs < 1 or outputs < 1:
            raise ValueError(f"a network needs inputs and outputs, not {inputs} and {outputs}")
        super().__init__(seed, parameters or NeatParameters())
        self.inputs = inputs
        self.outputs = outputs
        self._radius = self.parameters.species_distance
        self._splits: dict[int, int] = {}
        self._next_species = 1
        self._species: list[Species] = []
        connected, loops = self.parameters.connected, not self.parameters.feed_forward
        self._take(
            [first_genome(inputs, outputs, connected, loops, self._chance) for _ in range(self.parameters.population)]
        )

    def _take(self, genomes: list[Genome]) -> None:
        """Make these the generation, divided into species."""
        self.genomes = genomes
        self._candidates: list[Candidate] | None = None
        weights = self.parameters.disjoint_weight, self.parameters.difference_weight
        self._species = divide(genomes, self._species, self._radius, weights, self._next_species, self.generation)
        self._next_species = max(self._next_species, 1 + max(kind.name for kind in self._species))

    def ask(self) -> list[Candidate]:
        """This generation's networks, the same until `tell`."""
        if self._candidates is None:
            self._candidates = [
                Candidate(place, decode(genome, self.inputs, self.outputs, self.parameters.activation))
                for place, genome in enumerate(self.genomes)
            ]
        return list(self._candidates)

    def tell(self, fitness: NDArray[np.float64]) -> None:
        """How good each network is, in the order of `ask`. Makes the next generation."""
        scores = checked_fitness(fitness, len(self.genomes))
        self._species = self._thriving(scores)
        means = np.array([scores[kind.members].mean() for kind in self._species])
        sizes = np.array([len(kind.members) for kind in self._species], np.float64)
        counts = offspring(means, sizes, self.parameters.population)
        known = self._next_species
        self.generation += 1
        self._take(
            [
                child
                for kind, count in zip(self._species, counts, strict=True)
                for child in self._children(kind.members, scores, count)
            ]
        )
        self._aim_at_species(founded=self._next_species > known)

    def _thriving(self, scores: NDArray[np.float64]) -> list[Species]:
        """The species that go on: those that have improved of late, and the best few in any case."""
        for kind in self._species:
            best = float(scores[kind.members].max())
            if best > kind.best:
                kind.best, kind.last_improved = best, self.generation
        ranked = sorted(self._species, key=lambda kind: -float(scores[kind.members].max()))
        spared = {kind.name for kind in ranked[: self.parameters.spared_species]}
        spared |= {k.name for k in ranked if self.generation - k.last_improved <= self.parameters.patience}
        thriving = [kind for kind in self._species if kind.name in spared]
        return sorted(thriving, key=lambda kind: ranked.index(kind))[: self.parameters.population // 2]

    def _children(self, members: list[int], scores: NDArray[np.float64], count: int) -> list[Genome]:
        """The next members of a species: its best one, and children of its better part."""
        ranked = sorted(members, key=lambda place: -float(scores[place]))
        children = [self.genomes[place] for place in ranked[: min(count, self.parameters.elite)]]
        parents = ranked[: max(2, int(np.ceil(self.parameters.surviving * len(ranked))))]
        while len(children) < count:
            pair = sorted(self._chance.integers(len(parents), size=2).tolist())  # parents are in order of fitness
            first, second = (self.genomes[parents[place]] for place in pair)
            children.append(self._mutated(crossed(first, second, self._chance)))
        return children

    def _mutated(self, genome: Genome) -> Genome:
        p, chance = self.parameters, self._chance
        genome = dataclasses.replace(
            genome,
            biases=shaken(genome.biases, p.bias_mutation, p.replacement, p.mutation_power, chance),
            weights=shaken(genome.weights, p.weight_mutation, p.replacement, p.mutation_power, chance),
        )
        if chance.random() < p.add_node:
            genome = with_node(genome, self._splits, self.outputs, chance)
        places = missing_places(genome, self.inputs).size if p.each_place else 1
        added = int(chance.binomial(places, p.add_connection))
        if not p.feed_forward:
            return with_connections(genome, self.inputs, added, chance) if added else genome
        for _ in range(added):
            genome = with_forward_connection(genome, self.inputs, self.outputs, chance)
        return genome

    def _aim_at_species(self, founded: bool) -> None:
        """Move the radius a little, if species are too few, or too many and still being founded.

        A larger radius only keeps new species from being founded; old ones end when they stagnate.
        """
        count = len(self._species)
        if count < self.parameters.fewest_species:
            self._radius /= _RADIUS_STEP
        elif count > self.parameters.most_species and founded:
            self._radius *= _RADIUS_STEP

    def describe(self) -> dict[str, float]:
        """Species, and what has grown on average: hidden nodes, connections in use."""
        return {
            "species": float(len(self._species)),
            "hidden_nodes": float(np.mean([genome.nodes.size for genome in self.genomes])) - self.outputs,
            "connections": float(np.mean([genome.enabled.sum() for genome in self.genomes])),
        }

    def to_json(self) -> State:
        """The whole state; lists keep their order, so the continuation is the same to the last bit."""
        return super().to_json() | {
            "inputs": self.inputs,
            "outputs": self.outputs,
            "radius": self._radius,
            "splits": list(self._splits.items()),
            "next_species": self._next_species,
            "genomes": [genome.to_json() for genome in self.genomes],
            "species": [
                [kind.name, kind.members, kind.best if np.isfinite(kind.best) else None, kind.last_improved]
                for kind in self._species
            ],
        }

    @classmethod
    def from_json(cls, state: State) -> Neat:
        """A learner that goes on from a saved state."""
        learner = cls.restored(state, NeatParameters)
        learner.inputs, learner.outputs = state["inputs"], state["outputs"]
        learner._radius = state["radius"]
        learner._splits = {int(edge): int(node) for edge, node in state["splits"]}
        learner._next_species = state["next_species"]
        learner.genomes = [Genome.from_json(data) for data in state["genomes"]]
        learner._candidates = None
        learner._species = [
            Species(name, learner.genomes[members[0]], list(members), -np.inf if best is None else best, improved)
            for name, members, best, improved in state["species"]
        ]
        return learner
