"""The genetic algorithm of Baker 2010, section 5.1: real genes, roulette, one-point crossover, mutation.

A genome is a row of genes in [0, 1] that come in groups of two (`together`): the probability of staying in a hand and
of betting in it. Crossover cuts only between groups, "as keeping the two values together reduces noise"; mutation
strikes single genes, with probability .01 each.

Where the source is silent or speaks twice:
* Section 5.1 names no elitism and no survivors, so every child is bred by default (`elite=0`, `kept=0`). Section 6.4
  (coevolution) orders the population by roulette and keeps the upper half unchanged: `kept` is that half.
* A mutated gene is drawn anew, uniformly. Section 6.1 says it is "normalised to keep all values between 0 and 1", which
  may mean a step that is cut off at the ends, but no size of step is given.
* No rate of crossover is given: every child has two parents.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nemesis.evolve.learner import MOST_GENOMES, Learner, Seeded, Settings, State, checked_fitness, packed, unpacked
from nemesis.evolve.plain import check_ranges
from nemesis.evolve.space import Probabilities

Genes = NDArray[np.float64]


@dataclass(frozen=True)
class GeneticParameters(Settings):
    """The settings: the source's, and `elite` best and `kept` others by roulette that live on unchanged (see above)."""

    population: int = 100
    mutation: float = 0.01
    together: int = 2
    elite: int = 0
    kept: int = 0
    genomes = Probabilities

    def __post_init__(self) -> None:
        most = MOST_GENOMES
        check_ranges("the genetic algorithm", self, population=(2, most), elite=(0, most), kept=(0, most))
        check_ranges("the genetic algorithm", self, mutation=(0.0, 1.0), together=(1, 1000))
        if self.elite + self.kept > self.population:
            raise ValueError(f"{self.elite} elite and {self.kept} kept do not fit a population of {self.population}")

    def begin(self, space: Probabilities, seed: int, generations: int) -> Genetic:
        """A learner of so many genes."""
        return Genetic(space.genes, seed, self)

    def resume(self, state: State) -> Genetic:
        """A learner that goes on from a saved state."""
        return Genetic.from_json(state)


class Genetic(Seeded[GeneticParameters], Learner[Genes]):
    """The learner. Genomes are asked for as read-only arrays of genes."""

    name = "genetic"

    def __init__(self, genes: int, seed: int, parameters: GeneticParameters | None = None) -> None:
        super().__init__(seed, parameters or GeneticParameters())
        check_genes(genes, self.parameters.together)
        self._genomes = first_genomes(self.parameters.population, genes, self._chance)

    def ask(self) -> list[Genes]:
        """This generation's genomes, the same until `tell`."""
        return list(self._genomes)

    def tell(self, fitness: NDArray[np.float64]) -> None:
        """How good each genome is, at least 0. Makes the next generation."""
        self._genomes = next_genomes(self._genomes, fitness, self.parameters, self._chance)
        self.generation += 1

    def describe(self) -> dict[str, float]:
        """How different the genomes still are: the standard deviation of a gene, on average."""
        return {"spread": float(self._genomes.std(axis=0).mean())}

    def to_json(self) -> State:
        """The whole state."""
        return super().to_json() | {
            "shape": list(self._genomes.shape),
            "genomes": packed(self._genomes),
        }

    @classmethod
    def from_json(cls, state: State) -> Genetic:
        """A learner that goes on from a saved state."""
        learner = cls.restored(state, GeneticParameters)
        learner._genomes = frozen(unpacked(state["genomes"], state["shape"]))
        return learner


def check_genes(genes: int, together: int) -> None:
    """Refuse a number of genes that cannot be cut into two parts of whole groups."""
    if genes % together or genes < 2 * together:
        raise ValueError(f"{genes} genes cannot be crossed over in groups of {together}; give two or more whole groups")


def first_genomes(population: int, genes: int, chance: np.random.Generator) -> Genes:
    """A population of uniformly random genes."""
    return frozen(chance.random((population, genes)))


def next_genomes(
    genomes: Genes, fitness: NDArray[np.float64], parameters: GeneticParameters, chance: np.random.Generator
) -> Genes:
    """The next generation: the elite, the kept, and children of parents that roulette chose (among the kept, if any)."""
    fitness = checked_fitness(fitness, len(genomes))
    if (fitness < 0).any():
        raise ValueError(f"roulette needs a fitness of at least 0, but there is one of {fitness.min()}")
    best = np.argsort(-fitness, kind="stable")[: parameters.elite]
    kept = roulette_order(fitness, chance)[: parameters.kept]
    parents = kept if kept.size else np.arange(len(genomes))
    children = len(genomes) - len(best) - len(kept)
    pairs = -(-children // 2)
    mothers, fathers = parents[roulette(fitness[parents], 2 * pairs, chance)].reshape(2, pairs)
    bred = crossed(genomes[mothers], genomes[fathers], parameters.together, chance)[:children]
    return frozen(np.concatenate([genomes[best], genomes[kept], mutated(bred, parameters.mutation, chance)]))


def roulette(fitness: NDArray[np.float64], spins: int, chance: np.random.Generator) -> NDArray[np.int64]:
    """Indices drawn with probability proportional to fitness; all alike if nobody has any."""
    total = fitness.sum()
    shares = fitness / total if total > 0 else np.full(len(fitness), 1 / len(fitness))
    return chance.choice(len(fitness), spins, p=shares)


def roulette_order(fitness: NDArray[np.float64], chance: np.random.Generator) -> NDArray[np.int64]:
    """All indices in the order in which a roulette wheel without replacement draws them; those without fitness last.

    Exponential waiting times with fitness as the rate arrive in that order (Efraimidis, Spirakis 2006).
    """
    waits = chance.exponential(size=len(fitness))
    with np.errstate(divide="ignore"):
        return np.lexsort((waits, waits / fitness))


def crossed(mothers: Genes, fathers: Genes, together: int, chance: np.random.Generator) -> Genes:
    """Two children for each couple, the head of one parent and the tail of the other, cut between groups."""
    couples, genes = mothers.shape
    cuts = together * chance.integers(1, genes // together, couples)
    head = np.arange(genes) < cuts[:, None]
    children = np.stack([np.where(head, mothers, fathers), np.where(head, fathers, mothers)], axis=1)
    return children.reshape(2 * couples, genes)


def mutated(genomes: Genes, rate: float, chance: np.random.Generator) -> Genes:
    """The genomes with each gene drawn anew with probability `rate`."""
    struck = chance.random(genomes.shape) < rate
    return np.where(struck, chance.random(genomes.shape), genomes)


def frozen(genomes: Genes) -> Genes:
    """The same array, made read-only, so that asking hands out views without risk."""
    genomes.flags.writeable = False
    return genomes
