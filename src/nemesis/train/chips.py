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
from nemesis.measure.interval import mean_interval
from nemesis.play.workers import Workers
from nemesis.respond.agent import CompiledAgent
from nemesis.rules.game import Game
from nemesis.runtime.streams import Stage, Stages
from nemesis.train.school import Lesson, School, Seat, lesson_at


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
        return ChipFitness(game, self.seated(game, seat), self.games, self.hands, self.spread, seed, workers, decode)


@dataclass(frozen=True)
class ChipFitness:
    """What candidates win at the tables of their lesson, on deals chosen by seed and generation."""

    game: Game
    lessons: tuple[Lesson, ...]
    matches: int
    hands: int
    spread: float
    seed: int
    workers: Workers
    decode: Callable[[Any], CompiledAgent]

    def by_match(self, genomes: Sequence[Any], stage: Stage, matches: int) -> NDArray[np.float64]:
        """Chips by genome, table and match."""
        agents = [self.decode(genome) for genome in genomes]
        tables = lesson_at(self.lessons, stage).tables
        return chips_won(
            self.game, agents, tables, matches, self.hands, seed=self.seed, stage=stage, workers=self.workers
        )

    def joined(self, chips: NDArray[np.float64], stage: Stage) -> NDArray[np.float64]:
        """One number per genome from its chips at each table of the lesson."""
        mean: NDArray[np.float64] = np.average(chips, axis=1, weights=lesson_at(self.lessons, stage).weights)
        joined: NDArray[np.float64] = mean - self.spread * (chips.max(axis=1) - chips.min(axis=1))
        return joined

    def __call__(self, genomes: Sequence[Any], generation: int) -> NDArray[np.float64]:
        """One number per genome."""
        stage = Stages.GENERATIONS.at(generation)
        return self.joined(self.by_match(genomes, stage, self.matches).mean(axis=2), stage)

    def fresh(self, genomes: Sequence[Any], stage: Stage, games: int) -> NDArray[np.float64]:
        """One number per genome, from at least so many hands at each table."""
        return self.joined(self.by_match(genomes, stage, self._matches(games)).mean(axis=2), stage)

    def score(self, genome: Any, stage: Stage, games: int) -> dict[str, Any]:
        """The fitness, and the chips a match at each table with 95 % intervals over matches."""
        matches = self._matches(games)
        chips = self.by_match([genome], stage, matches)[0]
        tables = {}
        for table, units in zip(lesson_at(self.lessons, stage).tables, chips, strict=True):
            mean, ci95 = mean_interval(units)
            tables[" ".join(agent.name for agent in table)] = {"chips": mean, "ci95": list(ci95)}
        return {
            "fitness": float(self.joined(chips.mean(axis=1)[None], stage)[0]),
            "hands": matches * self.hands,
            "match": self.hands,
            "tables": tables,
        }

    def _matches(self, hands: int) -> int:
        return max(2, -(-hands // self.hands))
