"""A recipe: everything that decides an evolution, as a declaration that can be written down and read back.

It joins what does not know each other: a learner (how genomes change), a player (what a genome means at the table)
and a fitness (whom it must beat). Values are checked when a recipe is made, so a run never starts that could not have
meant anything.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.fitness import Shares, play_tournaments
from nemesis.respond.agent import CompiledAgent
from nemesis.rules.game import Game

Kind = Literal["genetic", "incremental", "natural", "neat"]

RANGES: Mapping[str, tuple[float, float]] = {
    "population": (4, 10_000),
    "generations": (1, 1_000_000),
    "tournaments": (1, 1_000_000),
    "mutation": (0.0, 1.0),
    "add_node": (0.0, 1.0),
    "add_connection": (0.0, 1.0),
    "elite": (0, 100),
    "spread": (0.001, 100.0),
    "hands_won": (0.0, 100.0),
}


class RecipeError(ValueError):
    """A recipe with an impossible value; the sentence names the value and the range."""


@dataclass(frozen=True)
class Recipe:
    """One evolution. `tables` are lists of opponents' names; every candidate plays `tournaments` at each.

    `spread` is how wide natural evolution first draws. `hands_won` is the weight of hands won / hands played, which the
    source adds to the share of tournaments at four seats (5.3), in the fitness of a generation; champions are chosen by the
    share alone, and so are runs with the usual weight of 0.
    """

    name: str
    about: str
    learner: Kind
    player: Mapping[str, Any]
    tables: tuple[tuple[str, ...], ...]
    game: str = "one-card"
    population: int = 100
    generations: int = 500
    tournaments: int = 100
    mutation: float = 0.01
    add_node: float = 0.005
    add_connection: float = 0.01
    elite: int = 0
    spread: float = 1.0
    hands_won: float = 0.0

    def __post_init__(self) -> None:
        for field, (low, high) in RANGES.items():
            value = getattr(self, field)
            if not low <= value <= high:
                raise RecipeError(f"recipe {self.name} has {field} {value}; it must be from {low:g} to {high:g}")
        if not self.tables or len({len(table) for table in self.tables}) != 1:
            raise RecipeError(f"recipe {self.name} must name tables of opponents, all with the same number of seats")

    @property
    def seats(self) -> int:
        """How many sit at a table, the candidate included."""
        return len(self.tables[0]) + 1

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Recipe:
        """From plain data, checked again."""
        known = {field.name for field in dataclasses.fields(cls)}
        extra = set(data) - known
        if extra:
            raise RecipeError(f"a recipe has no {', '.join(sorted(extra))}; its fields are {', '.join(sorted(known))}")
        tables = tuple(tuple(table) for table in data["tables"])
        return cls(**{**data, "tables": tables})


@dataclass(frozen=True)
class Fitness:
    """Mean share of tournaments over the recipe's tables, on deals chosen by seed and generation.

    With `hands_won`, a generation's fitness adds that many times hands won / hands played.
    """

    game: Game
    tables: tuple[tuple[CompiledAgent, ...], ...]
    tournaments: int
    seed: int
    workers: int
    decode: Callable[[Any], CompiledAgent]
    hands_won: float = 0.0

    def by_table(self, genomes: Sequence[Any], stage: int, tournaments: int | None = None) -> NDArray[np.float64]:
        """Shares by genome and table."""
        return self._play(genomes, stage, tournaments or self.tournaments).won

    def _play(self, genomes: Sequence[Any], stage: int, tournaments: int) -> Shares:
        return play_tournaments(
            self.game,
            [self.decode(genome) for genome in genomes],
            self.tables,
            tournaments,
            seed=self.seed,
            stage=stage,
            workers=self.workers,
        )

    def __call__(self, genomes: Sequence[Any], stage: int) -> NDArray[np.float64]:
        """One number per genome."""
        shares = self._play(genomes, stage, self.tournaments)
        means: NDArray[np.float64] = (shares.won + self.hands_won * shares.hands).mean(axis=1)
        return means
