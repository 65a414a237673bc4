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
from nemesis.play.workers import Workers
from nemesis.respond.agent import CompiledAgent
from nemesis.rules.game import Game
from nemesis.runtime.streams import Stage
from nemesis.train.match_fitness import MatchFitness
from nemesis.train.school import School, Seat, lesson_at

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
        return EarningsFitness(game, lessons, self.games, self.hands, seed, workers, decode, logarithmic)


@dataclass(frozen=True)
class EarningsFitness(MatchFitness):
    """mBB/hand earned from each opponent, or its logarithm."""

    logarithmic: bool = True

    counted = "mbb"
    rounds = SEATS

    def won(self, agents: Sequence[CompiledAgent], stage: Stage, matches: int) -> NDArray[np.float64]:
        """mBB/hand by agent, opponent and match."""
        opponents = [opponent for (opponent,) in lesson_at(self.lessons, stage).tables]
        return earnings(
            self.game, agents, opponents, matches, self.hands, seed=self.seed, stage=stage, workers=self.workers
        )

    def joined(self, won: NDArray[np.float64], stage: Stage) -> NDArray[np.float64]:
        """One number per genome from its mBB/hand against each opponent of the lesson."""
        scaled = log_earnings(won) if self.logarithmic else won
        mean: NDArray[np.float64] = np.average(scaled, axis=1, weights=lesson_at(self.lessons, stage).weights)
        return mean
