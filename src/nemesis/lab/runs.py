"""The evolutions in the lab's folder: those that its jobs run, and any run that was put there.

A run is what `nemesis evolve` leaves in a folder. Its curve grows while it is watched, and the best of every generation can
be met as an agent.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nemesis.evolve.run import RunError, read_bests
from nemesis.lab.evolve_work import FRESH, RUNS, fresh_scores, metrics
from nemesis.lab.folder import PLAIN_NAME, inside
from nemesis.respond.agent import CompiledAgent
from nemesis.respond.champion import ChampionError, read_champion
from nemesis.rules.by_name import game
from nemesis.train.recipe import Recipe, RecipeError


@dataclass(frozen=True)
class Run:
    """One run's folder and what its recipe says."""

    name: str
    folder: Path
    recipe: Recipe
    seed: int

    @property
    def crowned(self) -> bool:
        """Whether it has a champion."""
        return (self.folder / "champion.json").exists()

    @property
    def changed(self) -> tuple[float, ...]:
        """Different whenever there is something new to show."""
        names = ("metrics.jsonl", FRESH, "champion.json")
        return tuple(path.stat().st_mtime for name in names if (path := self.folder / name).exists())

    def curve(self) -> list[dict[str, float]]:
        """The metrics of every generation so far."""
        return metrics(self.folder)

    def fresh(self) -> list[dict[str, Any]]:
        """What some generations' bests took on fresh deals."""
        return fresh_scores(self.folder)

    def score(self) -> dict[str, Any] | None:
        """The champion's score on fresh deals."""
        try:
            found = read_champion(self.folder / "champion.json")["made"].get("score") if self.crowned else None
        except ChampionError:
            return None
        return found if isinstance(found, dict) else None

    def best(self, generation: int) -> CompiledAgent:
        """The best of a generation, seated in the recipe's game."""
        lines = [line for line in read_bests(self.folder) if line["generation"] == generation]
        if not lines:
            raise RunError(f"the run {self.name} has no generation {generation} yet")
        genome = self.recipe.player.read(lines[0]["genome"])
        chosen = game(self.recipe.game, self.recipe.seats)
        return self.recipe.player.agent(genome, chosen, f"{self.name}, generation {generation}")


def run_named(name: str) -> Run:
    """The run of that name; a `RunError` says why there is none."""
    folder = inside(RUNS, name)
    try:
        told = json.loads((folder / "recipe.json").read_bytes())
        return Run(name, folder, Recipe.from_json(told["recipe"]), int(told["seed"]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        what = str(error) if isinstance(error, RecipeError) else "it has no recipe that can be read"
        raise RunError(f"there is no run {name}: {what}") from None


def all_runs() -> list[str]:
    """The names of all runs, the latest first."""
    folder = inside(RUNS)
    if not folder.is_dir():
        return []
    found = [path.parent for path in folder.glob("*/recipe.json") if PLAIN_NAME.fullmatch(path.parent.name)]
    return [path.name for path in sorted(found, key=lambda path: -(path / "metrics.jsonl").stat().st_mtime)]
