"""The school of freeze-outs: fitness is the share of tournaments won, as in Baker 2010.

The source adds hands won / hands played to the share at four seats (5.3, equation 4); `hands_won` is the weight of that in
the fitness of a generation. Champions are chosen by the share alone. Hands played are all of a tournament, those without
the candidate included ("the total number of hands played"), so it is played to its end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.evolve.plain import check_ranges
from nemesis.measure.fitness import tournament_shares
from nemesis.play.workers import Workers
from nemesis.respond.agent import CompiledAgent
from nemesis.rules.game import Game
from nemesis.runtime.streams import NumpyStream, Stage, Stages, generator
from nemesis.train.gene_duels import gene_duel_shares, genes_of_players
from nemesis.train.school import Lesson, School, Seat, lesson_at


@dataclass(frozen=True)
class Tournaments(School):
    """A candidate plays `games` tournaments at each table."""

    hands_won: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_ranges("a school", self, hands_won=(0.0, 100.0))

    @property
    def unit(self) -> str:
        """What fitness is counted in."""
        if self.hands_won == 0:
            return "share of tournaments"
        weight = "" if self.hands_won == 1 else f"{self.hands_won:g} × "
        return f"share of tournaments + {weight}hands won / hands played"

    @property
    def checks(self) -> int:
        """Fresh tournaments at each table."""
        return 20_000

    def fitness(
        self, game: Game, seat: Seat, decode: Callable[[Any], CompiledAgent], seed: int, workers: Workers
    ) -> TournamentFitness:
        """The fitness of genomes that `decode` makes players of."""
        return TournamentFitness(game, self.seated(game, seat), self.games, seed, workers, decode, self.hands_won)


@dataclass(frozen=True)
class TournamentFitness:
    """Mean share of tournaments over the lesson's tables, on deals chosen by seed and generation."""

    game: Game
    lessons: tuple[Lesson, ...]
    tournaments: int
    seed: int
    workers: Workers
    decode: Callable[[Any], CompiledAgent]
    hands_won: float = 0.0
    _shares: dict[str, float] = field(default_factory=dict)

    def by_table(self, genomes: Sequence[Any], stage: Stage, tournaments: int | None = None) -> NDArray[np.float64]:
        """Shares by genome and table; those of players that are plain genes are drawn with chances that are worked out."""
        players, tables = self._players(genomes), lesson_at(self.lessons, stage).tables
        played = tournaments or self.tournaments
        rows = genes_of_players(players, self.game)
        columns = genes_of_players([table[0] for table in tables], self.game) if rows else None
        if rows and columns:
            chance = generator(self.seed, NumpyStream.GENE_DUELS, stage)
            return gene_duel_shares(self.game, rows, columns, played, chance, self.workers)
        return tournament_shares(
            self.game, players, tables, played, seed=self.seed, stage=stage, workers=self.workers
        ).won  # fmt: skip

    def _players(self, genomes: Sequence[Any]) -> list[CompiledAgent]:
        return [self.decode(genome) for genome in genomes]

    def _mean(self, by_table: NDArray[np.float64], stage: Stage) -> NDArray[np.float64]:
        means: NDArray[np.float64] = np.average(by_table, axis=1, weights=lesson_at(self.lessons, stage).weights)
        return means

    def __call__(self, genomes: Sequence[Any], generation: int) -> NDArray[np.float64]:
        """One number per genome."""
        stage = Stages.GENERATIONS.at(generation)
        if self.hands_won == 0:
            return self.fresh(genomes, stage, self.tournaments)
        shares = tournament_shares(
            self.game, self._players(genomes), lesson_at(self.lessons, stage).tables, self.tournaments,
            seed=self.seed, stage=stage, workers=self.workers, whole=True,
        )  # fmt: skip
        won = self._mean(shares.won, stage)
        self._shares.update(share_best=float(won.max()), share_mean=float(won.mean()), share_worst=float(won.min()))
        return self._mean(shares.won + self.hands_won * shares.hands, stage)

    def describe(self) -> dict[str, float]:
        """The shares of tournaments won, where the fitness is something else."""
        return dict(self._shares)

    def fresh(self, genomes: Sequence[Any], stage: Stage, games: int) -> NDArray[np.float64]:
        """Each genome's share of so many tournaments at each table, on average."""
        return self._mean(self.by_table(genomes, stage, games), stage)

    def score(self, genome: Any, stage: Stage, games: int) -> dict[str, Any]:
        """The mean share over the tables and the share at each, with 95 % intervals."""
        shares = self.by_table([genome], stage, games)
        errors = np.sqrt(np.maximum(shares[0] * (1 - shares[0]), 1 / games) / games)
        margin = 1.96 * float(errors.mean())  # tables share their deals, so their errors may all go the same way
        mean = float(self._mean(shares, stage)[0])
        tables = lesson_at(self.lessons, stage).tables
        names = [" ".join(agent.name for agent in table) for table in tables]
        return {
            "fitness": mean,
            "mean": mean,
            "ci95": [mean - margin, mean + margin],
            "tournaments": games,
            "tables": {
                name: {"share": float(share), "ci95": [float(share - 1.96 * e), float(share + 1.96 * e)]}
                for name, share, e in zip(names, shares[0], errors, strict=True)
            },
        }
