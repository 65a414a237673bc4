"""Two populations that evolve against each other (Baker 2010, section 6.4, after Rosin and Belew 1997).

Everyone plays everyone of the other population and a sample of its hall of fame: the best of every generation before, so
that what was once learned to beat is not forgotten. Fitness is *shared*: a rival beaten is worth 1 / (1 + the number of
mates who beat it too), so being the only one to beat somebody counts a whole point. Both populations are bred as in
`evolve.genetic`, with mutation .02 and the upper half, in the order of a roulette, living on unchanged.

Where the source can be read in two ways:
* It prints `1 / 1 + MembersDefeating[j]`; the text and Rosin and Belew mean 1 / (1 + others).
* "If a has won by T games or greater, then a has defeated b", T = 10 of 100 games: we take the lead over the rival, so
  55 to 45 is a defeat (and not 60 to 40).
* A smaller lead is a draw, and "both win, both lose": both count as having beaten the other (`draws_count`). A loss takes
  nothing away in shared fitness, so this is all a draw can mean there.
* The hall a population faces is that of its rivals, as in Rosin and Belew.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.evolve.genetic import Genes, GeneticParameters, check_genes, first_genomes, frozen, next_genomes
from nemesis.evolve.learner import Seeded, State, packed, unpacked

_ROUNDING = 1e-9


@dataclass(frozen=True)
class CoevolutionParameters:
    """The settings: both populations', how large a lead wins (as a share of games), what a draw is worth, the sample."""

    population: int = 100
    mutation: float = 0.02
    together: int = 2
    lead: float = 0.10
    draws_count: bool = True
    hall_sample: int = 50

    def __post_init__(self) -> None:
        if not 0.0 < self.lead <= 1.0:
            raise ValueError(f"the lead that wins is {self.lead} of the games; it must lie above 0 and be at most 1")
        if self.hall_sample < 0:
            raise ValueError(f"a sample of {self.hall_sample} from the hall of fame cannot be drawn")
        _ = self.breeding  # which checks the rest

    @property
    def breeding(self) -> GeneticParameters:
        """How each population is bred."""
        return GeneticParameters(self.population, self.mutation, self.together, kept=self.population // 2)


class Contest(NamedTuple):
    """One generation: two populations, and who of the past each population's rivals must face."""

    first: list[Genes]
    second: list[Genes]
    first_hall: list[Genes]  # faced by the second population
    second_hall: list[Genes]  # faced by the first


class Coevolution(Seeded[CoevolutionParameters]):
    """The learner of both populations at once."""

    name = "coevolution"

    def __init__(self, genes: int, seed: int, parameters: CoevolutionParameters | None = None) -> None:
        super().__init__(seed, parameters or CoevolutionParameters())
        check_genes(genes, self.parameters.together)
        self._genomes = [first_genomes(self.parameters.population, genes, self._chance) for _ in range(2)]
        self._halls = [frozen(np.zeros((0, genes))) for _ in range(2)]
        self._samples: list[list[int]] = [[], []]
        self._fitness: list[NDArray[np.float64]] = [np.zeros(self.parameters.population) for _ in range(2)]

    def ask(self) -> Contest:
        """This generation's populations and hall members, the same until `tell`."""
        halls = [list(hall[sample]) for hall, sample in zip(self._halls, self._samples, strict=True)]
        return Contest(list(self._genomes[0]), list(self._genomes[1]), halls[0], halls[1])

    def tell(
        self,
        duels: NDArray[np.float64],
        first_v_hall: NDArray[np.float64],
        second_v_hall: NDArray[np.float64],
    ) -> None:
        """The shares of games won: `duels[i, j]` by first i against second j, then by each against the hall it faced."""
        size = self.parameters.population
        duels = _checked_shares(duels, (size, size))
        shares = (
            np.hstack([duels, _checked_shares(first_v_hall, (size, len(self._samples[1])))]),
            np.hstack([1.0 - duels.T, _checked_shares(second_v_hall, (size, len(self._samples[0])))]),
        )
        p = self.parameters
        self._fitness = [shared_fitness(beaten(share, p.lead, p.draws_count)) for share in shares]
        for side in range(2):
            best = self._genomes[side][int(np.argmax(self._fitness[side]))]
            self._halls[side] = frozen(np.vstack([self._halls[side], best]))
        for side in range(2):
            self._genomes[side] = next_genomes(self._genomes[side], self._fitness[side], p.breeding, self._chance)
        self._samples = [self._sample(len(hall)) for hall in self._halls]
        self.generation += 1

    def _sample(self, members: int) -> list[int]:
        count = min(members, self.parameters.hall_sample)
        drawn: list[int] = np.sort(self._chance.choice(members, count, replace=False)).tolist()
        return drawn

    @property
    def halls(self) -> tuple[list[Genes], list[Genes]]:
        """The best of every generation so far, of the first and the second population."""
        return list(self._halls[0]), list(self._halls[1])

    def describe(self) -> dict[str, float]:
        """Shared fitness of the generation told last, best and mean of both populations, and the size of a hall."""
        first, second = self._fitness
        return {
            "first_best": float(first.max()),
            "first_mean": float(first.mean()),
            "second_best": float(second.max()),
            "second_mean": float(second.mean()),
            "hall": float(len(self._halls[0])),
        }

    def to_json(self) -> State:
        """The whole state, hall of fame included."""
        return super().to_json() | {
            "genes": self._genomes[0].shape[1],
            "genomes": [packed(genomes) for genomes in self._genomes],
            "halls": [packed(hall) for hall in self._halls],
            "samples": self._samples,
            "fitness": [packed(fitness) for fitness in self._fitness],
        }

    @classmethod
    def from_json(cls, state: State) -> Coevolution:
        """A learner that goes on from a saved state."""
        learner = cls.restored(state, CoevolutionParameters)
        learner._genomes = [frozen(unpacked(text, (-1, state["genes"]))) for text in state["genomes"]]
        learner._halls = [frozen(unpacked(text, (-1, state["genes"]))) for text in state["halls"]]
        learner._samples = [list(sample) for sample in state["samples"]]
        learner._fitness = [unpacked(text, (-1,)) for text in state["fitness"]]
        return learner


def beaten(shares: NDArray[np.float64], lead: float = 0.10, draws_count: bool = True) -> NDArray[np.bool_]:
    """Who (row) beat whom (column), from the share of games each row won against each column."""
    leads = 2.0 * shares - 1.0
    return leads > -lead + _ROUNDING if draws_count else leads >= lead - _ROUNDING


def shared_fitness(beat: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Each rival (column) beaten is worth 1 / (1 + the number of mates who beat it too)."""
    winners = beat.sum(axis=0)
    weights = np.divide(1.0, winners, out=np.zeros(len(winners)), where=winners > 0)
    fitness: NDArray[np.float64] = beat @ weights
    return fitness


def _checked_shares(shares: NDArray[np.float64], shape: tuple[int, int]) -> NDArray[np.float64]:
    numbers = np.asarray(shares, np.float64).reshape(shape) if np.size(shares) == 0 else np.asarray(shares, np.float64)
    if numbers.shape != shape:
        raise ValueError(f"shares of games won came as {numbers.shape}; this generation needs {shape}")
    if numbers.size and not ((numbers >= 0.0) & (numbers <= 1.0)).all():
        raise ValueError("a share of games won lies between 0 and 1")
    return numbers
