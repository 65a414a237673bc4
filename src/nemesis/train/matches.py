"""The school of heads-up matches: fitness is what is earned, as in the ASHE paper.

A candidate plays every opponent of the lesson in matches of `hands` hands, each match twice on the same decks with seats
swapped. The source takes the average of what it earns. Opponents differ by a factor of a hundred in what they can lose,
so the average hears nothing but maniacs and calling machines. We take the average of log(1 + big blinds a hand), with the
sign of what was earned: below a big blind every chip counts alike, above it twice as much from anybody is the same
gain. `earnings_scale="linear"` is the source's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from nemesis.evolve.plain import check_ranges
from nemesis.measure.earnings import SEATS, earnings
from nemesis.measure.interval import mean_interval
from nemesis.play.workers import Workers
from nemesis.respond.agent import CompiledAgent
from nemesis.rules.game import Game
from nemesis.runtime.streams import Stage, Stages
from nemesis.train.school import Lesson, School, Seat, lesson_at

BLIND = 1000.0
"""A big blind, in mBB."""


def log_earnings(rates: NDArray[np.float64]) -> NDArray[np.float64]:
    """log(1 + big blinds a hand) of mBB/hand, with the sign of what was earned."""
    found: NDArray[np.float64] = np.sign(rates) * np.log1p(np.abs(rates) / BLIND)
    return found


def log_units(rates: NDArray[np.float64]) -> NDArray[np.float64]:
    """By match, from mBB/hand by opponent and match: the mean over opponents of log(1 + big blinds a hand).

    The mean of these is the logarithm of what is earned over all matches, and their spread is its own, the logarithm being
    taken as straight around it. The logarithm of a single match would be too noisy to mean anything.
    """
    centre = rates.mean(axis=1, keepdims=True)
    found: NDArray[np.float64] = (log_earnings(centre) + (rates - centre) / (BLIND + np.abs(centre))).mean(axis=0)
    return found


@dataclass(frozen=True)
class Matches(School):
    """A candidate plays `games` matches of `hands` hands against each opponent, from both seats."""

    games: int = 1
    hands: int = 1000
    earnings_scale: Literal["log", "linear"] = "log"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_ranges("a school", self, hands=(1, 1_000_000))
        if self.seats != 2:
            raise ValueError(f"a school of matches is heads-up, but its tables have {self.seats} seats")

    @property
    def unit(self) -> str:
        """What fitness is counted in."""
        return "log of 1 + big blinds a hand" if self.earnings_scale == "log" else "mBB/hand"

    @property
    def checks(self) -> int:
        """Fresh hands against each opponent."""
        return 200_000

    def fitness(
        self, game: Game, seat: Seat, decode: Callable[[Any], CompiledAgent], seed: int, workers: Workers
    ) -> EarningsFitness:
        """The fitness of genomes that `decode` makes players of."""
        logarithmic = self.earnings_scale == "log"
        lessons = self.seated(game, seat)
        return EarningsFitness(game, lessons, logarithmic, self.games, self.hands, seed, workers, decode)


@dataclass(frozen=True)
class EarningsFitness:
    """What candidates earn from the opponents of their lesson, on deals chosen by seed and generation."""

    game: Game
    lessons: tuple[Lesson, ...]
    logarithmic: bool
    matches: int
    hands: int
    seed: int
    workers: Workers
    decode: Callable[[Any], CompiledAgent]

    def by_match(self, genomes: Sequence[Any], stage: Stage, matches: int | None = None) -> NDArray[np.float64]:
        """mBB/hand by genome, opponent and match."""
        agents = [self.decode(genome) for genome in genomes]
        return earnings(
            self.game, agents, self._opponents(stage), matches or self.matches, self.hands,
            seed=self.seed, stage=stage, workers=self.workers,
        )  # fmt: skip

    def _opponents(self, stage: Stage) -> list[CompiledAgent]:
        return [opponent for (opponent,) in lesson_at(self.lessons, stage).tables]

    def joined(self, rates: NDArray[np.float64], stage: Stage) -> NDArray[np.float64]:
        """One number per genome from its mBB/hand against each opponent of the lesson."""
        scaled = log_earnings(rates) if self.logarithmic else rates
        mean: NDArray[np.float64] = np.average(scaled, axis=1, weights=lesson_at(self.lessons, stage).weights)
        return mean

    def __call__(self, genomes: Sequence[Any], generation: int) -> NDArray[np.float64]:
        """One number per genome."""
        stage = Stages.GENERATIONS.at(generation)
        return self.joined(self.by_match(genomes, stage).mean(axis=2), stage)

    def fresh(self, genomes: Sequence[Any], stage: Stage, games: int) -> NDArray[np.float64]:
        """One number per genome, from at least so many hands against each opponent."""
        return self.joined(self.by_match(genomes, stage, self._matches(games)).mean(axis=2), stage)

    def score(self, genome: Any, stage: Stage, games: int) -> dict[str, Any]:
        """The fitness, and what is earned from each opponent with 95 % intervals over matches."""
        matches = self._matches(games)
        rates = self.by_match([genome], stage, matches)[0]
        tables = {}
        for agent, units in zip(self._opponents(stage), rates, strict=True):
            mean, ci95 = mean_interval(units)
            tables[agent.name] = {"mbb": mean, "ci95": list(ci95)}
        return {
            "fitness": float(self.joined(rates.mean(axis=1)[None], stage)[0]),
            "hands": matches * SEATS * self.hands,
            "tables": tables,
        }

    def _matches(self, hands: int) -> int:
        return max(2, -(-hands // (SEATS * self.hands)))
