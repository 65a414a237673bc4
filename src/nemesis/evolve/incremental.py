"""Population-based incremental learning (Baluja 1994): evolve the probabilities, not the genomes.

The learner keeps one probability per gene. A generation is drawn from them, every gene 0 or 1; the probabilities then move a
little towards the mean of the generation's better part. What roulette and crossover do to a population this does to its
statistics, and averaging over many genomes and generations is what noisy fitness needs: where the genetic algorithm of
Baker 2010 stalls on the luck of a hundred tournaments, this goes on improving. It is ours, beside the source's learner.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nemesis.evolve.genetic import Genes
from nemesis.evolve.learner import (
    MOST_GENOMES,
    Learner,
    Seeded,
    Settings,
    State,
    checked_fitness,
    packed,
    unpacked,
)
from nemesis.evolve.plain import check_ranges
from nemesis.evolve.space import Probabilities


@dataclass(frozen=True)
class IncrementalParameters(Settings):
    """How many are drawn, which share teaches, how far the probabilities move, and how near 0 and 1 they may come."""

    population: int = 100
    teaching: float = 0.25
    rate: float = 0.1
    margin: float = 0.01
    genomes = Probabilities

    def __post_init__(self) -> None:
        check_ranges("incremental learning", self, population=(4, MOST_GENOMES))
        for name, low, high in (("teaching", 0.0, 1.0), ("rate", 0.0, 1.0), ("margin", 0.0, 0.5)):
            if not low < getattr(self, name) < high:
                raise ValueError(
                    f"incremental learning has {name} {getattr(self, name)}; it must lie between {low} and {high}"
                )

    def begin(self, space: Probabilities, seed: int, generations: int) -> Incremental:
        """A learner of so many genes."""
        return Incremental(space.genes, seed, self)

    def resume(self, state: State) -> Incremental:
        """A learner that goes on from a saved state."""
        return Incremental.from_json(state)


class Incremental(Seeded[IncrementalParameters], Learner[Genes]):
    """The learner. Genomes are asked for as arrays of 0 and 1; the first is the most probable one."""

    name = "incremental"

    def __init__(self, genes: int, seed: int, parameters: IncrementalParameters | None = None) -> None:
        super().__init__(seed, parameters or IncrementalParameters())
        self._probabilities = np.full(genes, 0.5)
        self._genomes = self._drawn()

    def _drawn(self) -> Genes:
        shape = (self.parameters.population, len(self._probabilities))
        genomes = (self._chance.random(shape) < self._probabilities).astype(np.float64)
        genomes[0] = self._probabilities >= 0.5
        genomes.setflags(write=False)
        return genomes

    def ask(self) -> list[Genes]:
        """This generation's genomes, the same until `tell`."""
        return list(self._genomes)

    def tell(self, fitness: NDArray[np.float64]) -> None:
        """How good each genome is. Moves the probabilities and draws the next generation."""
        p = self.parameters
        order = np.argsort(-checked_fitness(fitness, p.population), kind="stable")
        teachers = self._genomes[order[: max(1, int(p.teaching * p.population))]]
        moved = (1 - p.rate) * self._probabilities + p.rate * teachers.mean(axis=0)
        self._probabilities = np.clip(moved, p.margin, 1 - p.margin)
        self._genomes = self._drawn()
        self.generation += 1

    def describe(self) -> dict[str, float]:
        """How undecided the genes still are: 1 at the start, near 0 when every gene is settled."""
        return {"undecided": float(np.mean(4 * self._probabilities * (1 - self._probabilities)))}

    def to_json(self) -> State:
        """The whole state."""
        return super().to_json() | {
            "shape": list(self._genomes.shape),
            "genomes": packed(self._genomes),
            "probabilities": packed(self._probabilities),
        }

    @classmethod
    def from_json(cls, state: State) -> Incremental:
        """A learner that goes on from a saved state."""
        learner = cls.restored(state, IncrementalParameters)
        learner._genomes = unpacked(state["genomes"], state["shape"])
        learner._genomes.setflags(write=False)
        learner._probabilities = unpacked(state["probabilities"], [state["shape"][1]])
        return learner
