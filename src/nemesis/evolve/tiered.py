"""Tiered survival and elite reproduction, in sessions (the ASHE paper, section 3.2, after Li and Miikkulainen 2017).

The best 30 % of a generation survive. Those of them whose fitness is above the survivors' mean are the *top tier*: they
reproduce and do not mutate. The other survivors, the *second tier*, mutate and do not reproduce, so that genes of more
agents are kept without harming the offspring. Children of two parents of the top tier fill the places of all who did not
survive. Mutation adds Gaussian noise to a share of the genes; share and variance go down linearly over the run.

A genome is a row of *modules*, and a session evolves one of them while the others are frozen; sessions take turns. A session
begins with the champion of the last one: it stays as it is once, and all others are copies of it with the module to be
evolved mutated.

Where the source is silent: how long a session is (`session`); how two parents are combined (each gene of the module from
either, at even odds, then mutated like the second tier; frozen modules come whole from one parent); how the first genomes
are drawn (Gaussian, standard deviation `first`). "Mutation strength (variance)" is taken at its word: the standard
deviation is its root.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nemesis.evolve.learner import MOST_GENOMES, Learner, Seeded, Settings, State, checked_fitness, packed, unpacked
from nemesis.evolve.plain import check_ranges
from nemesis.evolve.space import Weights

Genes = NDArray[np.float64]


@dataclass(frozen=True)
class TieredParameters(Settings):
    """The settings. `rates` and `variances` of mutation go from the first to the last in a straight line over a run."""

    population: int = 50
    survive: float = 0.30
    rates: tuple[float, float] = (0.25, 0.10)
    variances: tuple[float, float] = (0.25, 0.05)
    session: int = 5
    first: float = 1.0
    genomes = Weights

    def __post_init__(self) -> None:
        check_ranges("tiered evolution", self, population=(4, MOST_GENOMES), session=(1, 1_000_000))
        if not (0.0 < self.survive < 1.0 and 2 <= self.survivors < self.population):
            raise ValueError(f"{self.survive} of {self.population} survive; at least 2 must, and not all")
        if not all(0.0 <= rate <= 1.0 for rate in self.rates):
            raise ValueError(f"mutation rates {self.rates} must lie between 0 and 1")
        if min(self.variances) < 0.0 or self.first < 0.0:
            raise ValueError(f"variances {self.variances} and the first deviation {self.first} must be at least 0")

    @property
    def survivors(self) -> int:
        """How many survive a generation."""
        return round(self.population * self.survive)

    def mutation(self, generation: int, generations: int) -> tuple[float, float]:
        """The share of genes that mutate and the standard deviation, at this generation of a run of so many."""
        along = min(1.0, generation / max(1, generations - 1))
        rate = self.rates[0] + along * (self.rates[1] - self.rates[0])
        variance = self.variances[0] + along * (self.variances[1] - self.variances[0])
        return rate, float(np.sqrt(variance))

    def begin(self, space: Weights, seed: int, generations: int) -> Tiered:
        """A learner of these modules, from chance or from copies of the start."""
        return Tiered(space.parts, seed, self, None if space.by_chance else space.start, generations)

    def resume(self, state: State) -> Tiered:
        """A learner that goes on from a saved state."""
        return Tiered.from_json(state)


class Tiered(Seeded[TieredParameters], Learner[Genes]):
    """The learner. `modules` are the numbers of genes of each module; `start` is a genome to begin from, if any."""

    name = "tiered"

    def __init__(
        self,
        modules: Sequence[int],
        seed: int,
        parameters: TieredParameters | None = None,
        start: Genes | None = None,
        generations: int = 500,
    ) -> None:
        if not modules or min(modules) < 1:
            raise ValueError(f"modules of {list(modules)} genes cannot be evolved; give at least one gene to each")
        super().__init__(seed, parameters or TieredParameters())
        p = self.parameters
        self.modules = tuple(modules)
        self.generations = generations
        self._tier = 0
        if start is None:
            self._genomes = self._chance.normal(0.0, p.first, (p.population, sum(modules)))
        elif np.shape(start) != (sum(modules),):
            raise ValueError(f"modules of {list(modules)} genes cannot begin from a genome of shape {np.shape(start)}")
        else:
            self._genomes = self._copies(np.asarray(start, np.float64))

    def ask(self) -> list[Genes]:
        """This generation's genomes, the same until `tell`."""
        shown = self._genomes.view()
        shown.flags.writeable = False
        return list(shown)

    def tell(self, fitness: NDArray[np.float64]) -> None:
        """How good each genome is. Makes the next generation, or the next session's first."""
        p = self.parameters
        fitness = checked_fitness(fitness, p.population)
        order = np.argsort(-fitness, kind="stable")
        self.generation += 1
        if self.generation % p.session == 0 and len(self.modules) > 1:
            self._genomes = self._copies(self._genomes[order[0]])
            return
        survivors = order[: p.survivors]
        mean = min(fitness[survivors].mean(), fitness[order[0]])  # of equal numbers it may be rounded above them
        top = survivors[fitness[survivors] >= mean]
        second = survivors[len(top) :]
        self._tier = len(top)
        parents = self._chance.choice(top, (2, p.population - p.survivors))
        from_first = self._chance.random((parents.shape[1], self._genomes.shape[1])) < 0.5
        children, active = self._genomes[parents[0]], self._active()
        children[:, active] = np.where(from_first, children, self._genomes[parents[1]])[:, active]
        changed = self._mutated(np.concatenate([self._genomes[second], children]))
        self._genomes = np.concatenate([self._genomes[top], changed])

    def _active(self) -> slice:
        """The genes of the module that this session evolves."""
        module = self.generation // self.parameters.session % len(self.modules)
        start = sum(self.modules[:module])
        return slice(start, start + self.modules[module])

    def _mutated(self, genomes: Genes) -> Genes:
        rate, deviation = self.parameters.mutation(self.generation, self.generations)
        active = self._active()
        shape = genomes[:, active].shape
        struck = self._chance.random(shape) < rate
        changed = genomes.copy()
        changed[:, active] += struck * self._chance.normal(0.0, deviation, shape)
        return changed

    def _copies(self, champion: Genes) -> Genes:
        """A session's first generation: the champion, and copies of it with the active module mutated."""
        copies = np.repeat(champion[None], self.parameters.population, axis=0)
        copies[1:] = self._mutated(copies[1:])
        return copies

    def describe(self) -> dict[str, float]:
        """Which module is being evolved, and how many are in the top tier."""
        module = self.generation // self.parameters.session % len(self.modules)
        return {"module": float(module), "top_tier": float(self._tier)}

    def to_json(self) -> State:
        """The whole state."""
        return super().to_json() | {
            "modules": list(self.modules),
            "generations": self.generations,
            "tier": self._tier,
            "genomes": packed(self._genomes),
        }

    @classmethod
    def from_json(cls, state: State) -> Tiered:
        """A learner that goes on from a saved state."""
        learner = cls.restored(state, TieredParameters)
        learner.modules = tuple(state["modules"])
        learner.generations = state["generations"]
        learner._tier = state["tier"]
        learner._genomes = unpacked(state["genomes"], (learner.parameters.population, sum(learner.modules)))
        return learner
