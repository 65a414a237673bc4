"""A recipe: everything that decides an evolution, as a declaration that can be written down and read back.

It joins what does not know each other: a learner (how genomes change), a player (what a genome means at the table)
and a fitness (whom it must beat). Values are checked when a recipe is made, so a run never starts that could not have
meant anything.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.fitness import tournament_shares
from nemesis.respond.agent import CompiledAgent
from nemesis.rules.game import Game

Kind = Literal["genetic", "incremental", "neat"]

RANGES: Mapping[str, tuple[float, float]] = {
    "population": (4, 10_000),
    "generations": (1, 1_000_000),
    "tournaments": (1, 1_000_000),
    "mutation": (0, 1),
    "add_node": (0, 1),
    "add_connection": (0, 1),
    "elite": (0, 100),
}


class RecipeError(ValueError):
    """A recipe with an impossible value; the sentence names the value and the range."""


@dataclass(frozen=True)
class Recipe:
    """One evolution. `tables` are lists of opponents' names; every candidate plays `tournaments` at each."""

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

    def __post_init__(self) -> None:
        for field, (low, high) in RANGES.items():
            value = getattr(self, field)
            whole = isinstance(getattr(type(self), field), int)
            if isinstance(value, bool) or not isinstance(value, int if whole else int | float):
                kind = "a whole number" if whole else "a number"
                raise RecipeError(
                    f"recipe {self.name} has {field} {value!r}; it must be {kind} from {low:,} to {high:,}"
                )
            if not low <= value <= high:
                raise RecipeError(f"recipe {self.name} has {field} {value}; it must be from {low:,} to {high:,}")
        if self.learner not in get_args(Kind):
            raise RecipeError(f"recipe {self.name} has learner {self.learner!r}; known are {', '.join(get_args(Kind))}")
        for field in ("name", "about", "game"):
            if not isinstance(getattr(self, field), str):
                raise RecipeError(f"recipe {self.name} has {field} {getattr(self, field)!r}; it must be a text")
        if not isinstance(self.player, Mapping) or not isinstance(self.player.get("kind"), str):
            raise RecipeError(f"recipe {self.name} has player {self.player!r}; it must name a kind")
        if not self.tables or len({len(table) for table in self.tables}) != 1 or not self.tables[0]:
            raise RecipeError(f"recipe {self.name} must name tables of opponents, all with the same number of seats")
        unnamed = [name for table in self.tables for name in table if not isinstance(name, str)]
        if unnamed:
            raise RecipeError(f"recipe {self.name} seats {unnamed[0]!r}; opponents are named")

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
        if not isinstance(data, Mapping):
            raise RecipeError(f"a recipe is an object with named fields, not {data!r}")
        fields = dataclasses.fields(cls)
        extra = set(data) - {field.name for field in fields}
        if extra:
            known = ", ".join(sorted(field.name for field in fields))
            raise RecipeError(f"a recipe has no {', '.join(sorted(extra))}; its fields are {known}")
        missing = {field.name for field in fields if field.default is dataclasses.MISSING} - set(data)
        if missing:
            raise RecipeError(f"a recipe needs {', '.join(sorted(missing))}")
        tables = data["tables"]
        if not isinstance(tables, list | tuple) or not all(isinstance(table, list | tuple) for table in tables):
            raise RecipeError(f"recipe {data['name']} has tables {tables!r}; they must be lists of opponents' names")
        return cls(**{**data, "tables": tuple(map(tuple, tables))})


@dataclass(frozen=True)
class Fitness:
    """Mean share of tournaments over the recipe's tables, on deals chosen by seed and generation."""

    game: Game
    tables: tuple[tuple[CompiledAgent, ...], ...]
    tournaments: int
    seed: int
    workers: int
    decode: Callable[[Any], CompiledAgent]

    def by_table(self, genomes: Sequence[Any], stage: int, tournaments: int | None = None) -> NDArray[np.float64]:
        """Shares by genome and table."""
        return tournament_shares(
            self.game,
            [self.decode(genome) for genome in genomes],
            self.tables,
            tournaments or self.tournaments,
            seed=self.seed,
            stage=stage,
            workers=self.workers,
        )

    def __call__(self, genomes: Sequence[Any], stage: int) -> NDArray[np.float64]:
        """One number per genome."""
        means: NDArray[np.float64] = self.by_table(genomes, stage).mean(axis=1)
        return means
