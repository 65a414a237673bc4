"""A recipe: everything that decides an evolution, as a declaration that can be written down and read back.

It joins four values that do not know each other: a game, a player kind (what a genome means at the table), a learner
with its settings (how genomes change) and a school (whom they must beat). Each checks itself when it is made; a recipe
checks that the learner can change what the player is made of.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from nemesis.evolve.learner import Settings
from nemesis.evolve.plain import from_plain, plain
from nemesis.names import LEARNERS, PLAYER_KINDS, SCHOOLS, find, name_of
from nemesis.train.player_kind import PlayerKind
from nemesis.train.school import School

_PARTS: Mapping[str, Mapping[str, str]] = {"player": PLAYER_KINDS, "learner": LEARNERS, "school": SCHOOLS}


class RecipeError(ValueError):
    """A recipe with an impossible value; the sentence names the value and what would be right."""


@dataclass(frozen=True)
class Recipe:
    """One evolution."""

    name: str
    about: str
    game: str
    player: PlayerKind
    learner: Settings
    school: School

    def __post_init__(self) -> None:
        for field in ("name", "about", "game"):
            if not isinstance(getattr(self, field), str):
                raise RecipeError(f"recipe {self.name} has {field} {getattr(self, field)!r}; it must be a text")
        if self.learner.genomes is not self.player.genomes:
            learner, player = name_of(LEARNERS, self.learner), name_of(PLAYER_KINDS, self.player)
            raise RecipeError(
                f"recipe {self.name} joins {learner}, which changes {self.learner.genomes.__name__.lower()}, and "
                f"{player}, whose genomes are {self.player.genomes.__name__.lower()}"
            )

    @property
    def seats(self) -> int:
        """How many sit at a table, the candidate included."""
        return self.school.seats

    def resized(
        self, generations: int | None = None, population: int | None = None, games: int | None = None
    ) -> Recipe:
        """The recipe at another scale."""
        school = {"generations": generations, "games": games}
        changed = {key: value for key, value in school.items() if value is not None}
        learner = self.learner if population is None else _replaced(self.learner, population=population)
        return replace(self, learner=learner, school=_replaced(self.school, **changed))

    def shortened(self, generations: int) -> Recipe:
        """The recipe with fewer generations, its lessons and schedules ending after the same share of them."""
        share = generations / self.school.generations
        return replace(self, learner=self.learner.shortened(share), school=self.school.shortened(generations))

    def to_json(self) -> dict[str, Any]:
        """As plain data; each part says of which registered kind it is."""
        parts = {}
        for part, known in _PARTS.items():
            value = getattr(self, part)
            parts[part] = {"kind": name_of(known, value), **plain(value)}
        return {"name": self.name, "about": self.about, "game": self.game, **parts}

    @classmethod
    def from_json(cls, data: Any) -> Recipe:
        """From plain data, checked again."""
        if not isinstance(data, Mapping):
            raise RecipeError(f"a recipe is an object with named fields, not {data!r}")
        fields = ("name", "about", "game", *_PARTS)
        wrong = sorted(set(map(str, data)) ^ set(fields))
        if wrong:
            raise RecipeError(f"a recipe has the fields {', '.join(fields)}; {wrong[0]} is missing or not one of them")
        parts = {}
        for part, known in _PARTS.items():
            given = data[part]
            if not isinstance(given, Mapping) or not isinstance(given.get("kind"), str):
                raise RecipeError(f"recipe {data['name']} has {part} {given!r}; it must name a kind")
            options = {key: value for key, value in given.items() if key != "kind"}
            try:
                kind = find(part, given["kind"], known)
                parts[part] = from_plain(kind, options, f"the {part} {given['kind']}")
            except ValueError as error:
                raise RecipeError(f"recipe {data['name']}: {error}") from None
        return cls(data["name"], data["about"], data["game"], parts["player"], parts["learner"], parts["school"])


def _replaced(value: Any, **changed: Any) -> Any:
    return replace(value, **changed)
