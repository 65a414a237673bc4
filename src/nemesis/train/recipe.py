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
from nemesis.play.workers import Workers
from nemesis.respond.agent import CompiledAgent
from nemesis.rules.game import Game
from nemesis.runtime.streams import Stage, Stages

Kind = Literal["genetic", "incremental", "natural", "neat", "tiered"]
Worth = Literal["log", "mean"]

RANGES: Mapping[str, tuple[float, float]] = {
    "population": (4, 10_000),
    "generations": (1, 1_000_000),
    "tournaments": (1, 1_000_000),
    "mutation": (0, 1),
    "add_node": (0, 1),
    "add_connection": (0, 1),
    "elite": (0, 100),
    "hands": (1, 1_000_000),
    "session": (1, 1_000_000),
    "spread": (0.001, 100.0),
    "pace": (0.01, 10.0),
    "cooling": (0.5, 1.0),
    "cools_from": (0, 1_000_000),
    "hands_won": (0.0, 100.0),
}


class RecipeError(ValueError):
    """A recipe with an impossible value; the sentence names the value and the range."""


@dataclass(frozen=True)
class Recipe:
    """One evolution. `tables` are lists of opponents' names; every candidate plays `tournaments` at each.

    ASHE plays matches of `hands` hands instead of tournaments, its tiered evolution takes its modules in turns of `session`
    generations, and may meet other tables first: `lessons` says until which generation. `worth` is how
    earnings from different opponents are joined; an opponent who is named twice counts twice.

    `spread` is how wide natural evolution first draws and `pace` how fast its mean moves; from generation `cools_from` on
    each generation draws `cooling` times as wide as it would.
    `hands_won` is the weight of hands won / hands played, which the
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
    hands: int = 1000
    session: int = 5
    lessons: tuple[tuple[int, tuple[tuple[str, ...], ...]], ...] = ()
    worth: Worth = "log"
    spread: float = 1.0
    pace: float = 1.0
    cooling: float = 1.0
    cools_from: int = 0
    hands_won: float = 0.0

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
        if any(until < 1 for until, _ in self.lessons):
            raise RecipeError(f"recipe {self.name} has a lesson that ends before its run; give a generation from 1 on")
        if self.worth not in get_args(Worth):
            raise RecipeError(f"recipe {self.name} counts earnings by {self.worth!r}; it must be log or mean")

    @property
    def seats(self) -> int:
        """How many sit at a table, the candidate included."""
        return len(self.tables[0]) + 1

    @property
    def earns(self) -> bool:
        """Whether it is about chips in matches of a given length, rather than about winning tournaments."""
        return self.player.get("kind") == "ashe"

    @property
    def unit(self) -> str:
        """What fitness is counted in."""
        if not self.earns:
            return "share of tournaments"
        return "log of 1 + big blinds a hand" if self.worth == "log" else "mBB/hand"

    @property
    def checks(self) -> int:
        """Fresh tournaments, or hands, that a champion's score is measured on at each table."""
        return 200_000 if self.earns else 20_000

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
        lessons = tuple((int(until), _named(faced)) for until, faced in data.get("lessons", ()))
        return cls(**{**data, "tables": _named(tables), "lessons": lessons})


def _named(tables: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(table) for table in tables)


@dataclass(frozen=True)
class Fitness:
    """Mean share of tournaments over the recipe's tables, on deals chosen by seed and generation.

    With `hands_won`, a generation's fitness adds that many times hands won / hands played.
    """

    game: Game
    tables: tuple[tuple[CompiledAgent, ...], ...]
    tournaments: int
    seed: int
    workers: Workers
    decode: Callable[[Any], CompiledAgent]
    hands_won: float = 0.0

    def by_table(self, genomes: Sequence[Any], stage: Stage, tournaments: int | None = None) -> NDArray[np.float64]:
        """Shares by genome and table."""
        return tournament_shares(
            self.game, self._players(genomes), self.tables, tournaments or self.tournaments,
            seed=self.seed, stage=stage, workers=self.workers,
        ).won  # fmt: skip

    def _players(self, genomes: Sequence[Any]) -> list[CompiledAgent]:
        return [self.decode(genome) for genome in genomes]

    def __call__(self, genomes: Sequence[Any], generation: int) -> NDArray[np.float64]:
        """One number per genome."""
        stage = Stages.GENERATIONS.at(generation)
        if self.hands_won == 0:
            return self.fresh(genomes, stage, self.tournaments)
        shares = tournament_shares(
            self.game, self._players(genomes), self.tables, self.tournaments,
            seed=self.seed, stage=stage, workers=self.workers, whole=True,
        )  # fmt: skip
        means: NDArray[np.float64] = (shares.won + self.hands_won * shares.hands).mean(axis=1)
        return means

    def fresh(self, genomes: Sequence[Any], stage: Stage, games: int) -> NDArray[np.float64]:
        """Each genome's share of so many tournaments at each table, on average."""
        means: NDArray[np.float64] = self.by_table(genomes, stage, games).mean(axis=1)
        return means

    def score(self, genome: Any, stage: Stage, games: int) -> dict[str, Any]:
        """The mean share over the tables and the share at each, with 95 % intervals."""
        shares = self.by_table([genome], stage, games)[0]
        errors = np.sqrt(np.maximum(shares * (1 - shares), 1 / games) / games)
        margin = 1.96 * float(errors.mean())  # tables share their deals, so their errors may all go the same way
        mean = float(shares.mean())
        names = [" ".join(agent.name for agent in table) for table in self.tables]
        return {
            "mean": mean,
            "ci95": [mean - margin, mean + margin],
            "tournaments": games,
            "tables": {
                name: {"share": float(share), "ci95": [float(share - 1.96 * e), float(share + 1.96 * e)]}
                for name, share, e in zip(names, shares, errors, strict=True)
            },
        }
