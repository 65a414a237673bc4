"""Fitness from matches: what candidates win at the tables of their lesson, on deals chosen by seed and generation.

The schools of matches differ in how a match is played and counted, and in how what was won at each table becomes one number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.interval import mean_interval
from nemesis.play.workers import Workers
from nemesis.respond.agent import CompiledAgent
from nemesis.rules.game import Game
from nemesis.runtime.streams import Stage, Stages
from nemesis.train.school import Lesson, lesson_at


@dataclass(frozen=True)
class MatchFitness:
    """Candidates play `matches` matches of `hands` hands at each table."""

    game: Game
    lessons: tuple[Lesson, ...]
    matches: int
    hands: int
    seed: int
    workers: Workers
    decode: Callable[[Any], CompiledAgent]

    counted: ClassVar[str]
    """What a champion's file calls what was won at a table."""
    rounds: ClassVar[int] = 1
    """How often a match is played on its deals."""

    def won(self, agents: Sequence[CompiledAgent], stage: Stage, matches: int) -> NDArray[np.float64]:
        """What agents win, by agent, table and match."""
        raise NotImplementedError(f"{type(self).__name__} does not say what is won")

    def joined(self, won: NDArray[np.float64], stage: Stage) -> NDArray[np.float64]:
        """One number per genome from what it won at each table of the lesson."""
        raise NotImplementedError(f"{type(self).__name__} does not say what winnings are worth")

    def by_match(self, genomes: Sequence[Any], stage: Stage, matches: int) -> NDArray[np.float64]:
        """What is won by genome, table and match."""
        return self.won([self.decode(genome) for genome in genomes], stage, matches)

    def __call__(self, genomes: Sequence[Any], generation: int) -> NDArray[np.float64]:
        """One number per genome."""
        stage = Stages.GENERATIONS.at(generation)
        return self.joined(self.by_match(genomes, stage, self.matches).mean(axis=2), stage)

    def fresh(self, genomes: Sequence[Any], stage: Stage, games: int) -> NDArray[np.float64]:
        """One number per genome, from at least so many hands at each table."""
        return self.joined(self.by_match(genomes, stage, self._matches(games)).mean(axis=2), stage)

    def score(self, genome: Any, stage: Stage, games: int) -> dict[str, Any]:
        """The fitness, and what is won at each table with 95 % intervals over matches."""
        matches = self._matches(games)
        won = self.by_match([genome], stage, matches)[0]
        tables = {}
        for table, units in zip(lesson_at(self.lessons, stage).tables, won, strict=True):
            mean, ci95 = mean_interval(units)
            tables[" ".join(agent.name for agent in table)] = {self.counted: mean, "ci95": list(ci95)}
        return {
            "fitness": float(self.joined(won.mean(axis=1)[None], stage)[0]),
            "hands": matches * self.rounds * self.hands,
            "tables": tables,
        }

    def _matches(self, hands: int) -> int:
        return max(2, -(-hands // (self.rounds * self.hands)))
