"""The school of matches at any table: fitness is the chips won in 300 hands, as in Baker 2010, chapter 7.

At four seats the source takes off something for the spread between its best and its worst table (equation 5), whose
formula is lost in our copy; we take the mean less `spread` times (highest − lowest), `spread` being a half.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.evolve.plain import check_ranges
from nemesis.measure.chips import chips_won
from nemesis.play.workers import Workers
from nemesis.respond.agent import CompiledAgent
from nemesis.rules.game import Game
from nemesis.runtime.streams import Stage
from nemesis.train.match_fitness import MatchFitness
from nemesis.train.school import School, Seat, lesson_at


@dataclass(frozen=True)
class Chips(School):
    """A candidate plays `games` matches of `hands` hands at each table."""

    games: int = 1
    hands: int = 300
    spread: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_ranges("a school", self, hands=(1, 1_000_000), spread=(0.0, 1.0))

    @property
    def unit(self) -> str:
        """What fitness is counted in."""
        return f"chips in {self.hands} hands"

    @property
    def checks(self) -> int:
        """Fresh hands at each table."""
        return 210_000

    def fitness(
        self, game: Game, seat: Seat, decode: Callable[[Any], CompiledAgent], seed: int, workers: Workers
    ) -> ChipFitness:
        """The fitness of genomes that `decode` makes players of."""
        lessons = self.seated(game, seat)
        return ChipFitness(game, lessons, self.games, self.hands, seed, workers, decode, self.spread)


@dataclass(frozen=True)
class ChipFitness(MatchFitness):
    """Chips won, less something for the spread between tables."""

    spread: float = 0.0

    counted = "chips"

    def won(self, agents: Sequence[CompiledAgent], stage: Stage, matches: int) -> NDArray[np.float64]:
        """Chips by agent, table and match."""
        tables = lesson_at(self.lessons, stage).tables
        return chips_won(
            self.game, agents, tables, matches, self.hands, seed=self.seed, stage=stage, workers=self.workers
        )

    def joined(self, won: NDArray[np.float64], stage: Stage) -> NDArray[np.float64]:
        """One number per genome from its chips at each table of the lesson."""
        mean: NDArray[np.float64] = np.average(won, axis=1, weights=lesson_at(self.lessons, stage).weights)
        joined: NDArray[np.float64] = mean - self.spread * (won.max(axis=1) - won.min(axis=1))
        return joined

    def score(self, genome: Any, stage: Stage, games: int) -> dict[str, Any]:
        """The fitness, how long a match is, and the chips a match at each table."""
        return {**super().score(genome, stage, games), "match": self.hands}
