"""Separable natural evolution strategy (Schaul, Glasmachers, Schmidhuber 2011): evolve a cloud of vectors, not vectors.

The learner keeps a normal distribution over genomes, a mean and one spread per gene. A generation is drawn from it; the
better half pulls the mean towards itself and says, gene by gene, whether wider or narrower draws did well. Only the order of
fitness counts, so its scale does not matter and a lucky outlier weighs no more than any first place. Where NEAT must find
a topology with a fitness that is mostly luck, this polishes the weights of a given one through any amount of it.

Departures from the paper: draws come in mirrored pairs (Brockhoff et al. 2010), which steadies the mean, and the first
genome of a generation is the mean itself. It teaches nothing, but it is the learner's best guess and what a run should
remember: each draw is the mean plus noise.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

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
from nemesis.evolve.space import Weights

Vector = NDArray[np.float64]
_SMALLEST, _LARGEST = 1e-6, 1e3


@dataclass(frozen=True)
class NaturalParameters(Settings):
    """How many are asked for, how wide the first draws are, and how fast the mean and the spreads move.

    A `spread_rate` of 0 is the paper's (3 + ln n) / (5 √n) for n genes. From generation `cools_from` on all spreads are
    multiplied by `cooling` as well: where fitness is noisy they hardly narrow by themselves, and the mean of a wide cloud
    is the middle of what is good rather than the best.
    """

    population: int = 100
    spread: float = 0.5
    mean_rate: float = 1.0
    spread_rate: float = 0.0
    cooling: float = 1.0
    cools_from: int = 0
    genomes = Weights

    def __post_init__(self) -> None:
        check_ranges("natural evolution", self, population=(4, MOST_GENOMES), cools_from=(0, 1_000_000))
        for name, low, high in (("spread", 0.0, 100.0), ("mean_rate", 0.0, 10.0)):
            if not low < getattr(self, name) <= high:
                raise ValueError(
                    f"natural evolution has {name} {getattr(self, name)}; it must be above {low} up to {high}"
                )
        if not 0.0 <= self.spread_rate <= 1.0:
            raise ValueError(f"natural evolution has spread_rate {self.spread_rate}; it must be from 0 to 1")
        if not 0.0 < self.cooling <= 1.0:
            raise ValueError(f"natural evolution has cooling {self.cooling}; it must be above 0 up to 1")

    def begin(self, space: Weights, seed: int, generations: int) -> Natural:
        """A learner that begins where these weights do."""
        return Natural(space.start, seed, self, space.units)

    def resume(self, state: State) -> Natural:
        """A learner that goes on from a saved state."""
        return Natural.from_json(state)

    def shortened(self, share: float) -> NaturalParameters:
        """Draws cool after the same share of the generations."""
        return dataclasses.replace(self, cools_from=round(self.cools_from * share))


class Natural(Seeded[NaturalParameters], Learner[Vector]):
    """The learner. Genomes are asked for as read-only arrays of any real numbers; the first is the mean."""

    name = "natural"

    def __init__(
        self,
        start: ArrayLike,
        seed: int,
        parameters: NaturalParameters | None = None,
        units: ArrayLike | None = None,
    ) -> None:
        """Start from a genome; `units` are how far a spread of 1 reaches in each gene, all alike if not given."""
        super().__init__(seed, parameters or NaturalParameters())
        self._mean = np.array(start, np.float64)
        if self._mean.ndim != 1 or not self._mean.size or not np.isfinite(self._mean).all():
            raise ValueError(
                f"natural evolution starts from a row of finite numbers, not from shape {self._mean.shape}"
            )
        each = np.ones(self._mean.size) if units is None else np.array(units, np.float64)
        if each.shape != self._mean.shape or not np.isfinite(each).all() or each.min() <= 0:
            raise ValueError(f"the units of {self._mean.size} genes must be as many positive numbers")
        self._spreads = self.parameters.spread * each
        self._draws = self._drawn()

    def _drawn(self) -> Vector:
        """Standard normal draws, in mirrored pairs as far as they go."""
        count = self.parameters.population - 1
        half = self._chance.standard_normal((-(-count // 2), self._mean.size))
        return np.concatenate([half, -half])[:count]

    def ask(self) -> list[Vector]:
        """This generation's genomes, the same until `tell`."""
        genomes = np.concatenate([self._mean[None], self._mean + self._spreads * self._draws])
        genomes.setflags(write=False)
        return list(genomes)

    def tell(self, fitness: NDArray[np.float64]) -> None:
        """How good each genome is. Moves the mean and the spreads and draws the next generation."""
        p = self.parameters
        weights = utilities(checked_fitness(fitness, p.population)[1:])
        step = weights @ self._draws
        curve = weights @ (self._draws**2 - 1)
        rate = p.spread_rate or (3 + math.log(self._mean.size)) / (5 * math.sqrt(self._mean.size))
        self._mean = self._mean + p.mean_rate * self._spreads * step
        kept = p.cooling if self.generation >= p.cools_from else 1.0
        self._spreads = np.clip(kept * self._spreads * np.exp(rate / 2 * curve), _SMALLEST, _LARGEST)
        self._draws = self._drawn()
        self.generation += 1

    def leader(self, fitness: NDArray[np.float64]) -> int:
        """A generation is remembered by its mean; all others are that and noise."""
        return 0

    def describe(self) -> dict[str, float]:
        """How wide the draws are, in the middle."""
        return {"spread": float(np.median(self._spreads))}

    def to_json(self) -> State:
        """The whole state."""
        return super().to_json() | {
            "shape": list(self._draws.shape),
            "mean": packed(self._mean),
            "spreads": packed(self._spreads),
            "draws": packed(self._draws),
        }

    @classmethod
    def from_json(cls, state: State) -> Natural:
        """A learner that goes on from a saved state."""
        learner = cls.restored(state, NaturalParameters)
        genes = state["shape"][1]
        learner._mean, learner._spreads = unpacked(state["mean"], [genes]), unpacked(state["spreads"], [genes])
        learner._draws = unpacked(state["draws"], state["shape"])
        return learner


def utilities(fitness: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weight of every draw by its place: the better half shares 1, and all lose 1 / count. Equals share alike."""
    count = len(fitness)
    places = np.maximum(0.0, math.log(count / 2 + 1) - np.log(np.arange(1, count + 1)))
    places = places / places.sum() - 1 / count
    order = np.argsort(-fitness, kind="stable")
    weights = np.empty(count)
    weights[order] = places
    _, tied = np.unique(fitness, return_inverse=True)
    shared: NDArray[np.float64] = (np.bincount(tied, weights) / np.bincount(tied))[tied]
    return shared
