"""From a recipe to a champion: joins learner, player and school, runs them in a folder, and chooses on fresh deals.

The champion is not the genome with the luckiest fitness. The bests of the last generations meet again on deals that
no generation saw, the best few of them once more on others, and the winner's printed score comes from a third set.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from nemesis.evolve.learner import Learner
from nemesis.evolve.run import (
    Generation,
    RunError,
    evolve,
    locked,
    read_bests,
    read_checkpoint,
    read_metrics,
    read_recipe,
    restored,
)
from nemesis.names import LEARNERS, name_of
from nemesis.play.workers import Workers
from nemesis.respond.champion import save_champion
from nemesis.rules.game import Game
from nemesis.runtime.streams import Stages
from nemesis.train.player_kind import PlayerKind
from nemesis.train.recipe import Recipe, RecipeError
from nemesis.train.school import Fitness, Seat
from nemesis.train.tournaments import TournamentFitness, Tournaments

LAST_GENERATIONS = 40
FINALISTS = 6


@dataclass(frozen=True)
class Evolution:
    """A recipe made ready: the game, the learner and the fitness; `command` is what runs it, if not `nemesis evolve`."""

    recipe: Recipe
    game: Game
    learner: Learner[Any]
    fitness: Fitness
    command: str = ""


def prepare(
    recipe: Recipe, game: Game, seat: Seat, *, seed: int, workers: Workers = 1, state: dict[str, Any] | None = None
) -> Evolution:
    """Make a recipe ready to run; `seat(name, game)` makes the opponents, `state` is a checkpoint to go on from."""
    if seed < 0:
        raise RecipeError(f"the seed is {seed}; it must be a whole number from 0 on")
    settings, school = recipe.learner, recipe.school
    if state:
        learner = restored(settings.resume, state, name_of(LEARNERS, settings))
    else:
        learner = settings.begin(recipe.player.space(game, seed), seed, school.generations)
    decode = partial(recipe.player.agent, game=game, name=recipe.name)
    return Evolution(recipe, game, learner, school.fitness(game, seat, decode, seed, workers))


def _best(line: dict[str, Any], player: PlayerKind, folder: Path) -> Any:
    try:
        return player.read(line["genome"])
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        where = f"{folder / 'bests.jsonl'}, generation {line['generation']}"
        raise RunError(f"{where}, is damaged: no genome can be read from it ({error})") from None


def provenance(recipe: Recipe, seed: int, command: str = "") -> dict[str, Any]:
    """What is written down with a run and a champion; `command` is what made it, if not `nemesis evolve`."""
    return {
        "recipe": recipe.to_json(),
        "seed": seed,
        "command": command
        or f"nemesis evolve {recipe.name} --generations {recipe.school.generations} "
        f"--population {recipe.learner.population} --tournaments {recipe.school.games} --seed {seed}",
        "versions": versions(),
    }


def versions() -> dict[str, str]:
    """What a champion was made with."""
    return {name: version(name) for name in ("nemesis-poker", "numpy", "numba")} | {"python": platform.python_version()}


def resumed(folder: Path) -> tuple[Recipe, int, dict[str, Any] | None]:
    """Recipe, seed and checkpoint of a run folder."""
    written = read_recipe(folder)
    given = written.get("recipe")
    if isinstance(given, dict) and "tables" in given:
        raise RunError(f"{folder} holds a run of an older version, which cannot go on; evolve it again elsewhere")
    try:
        recipe, seed = Recipe.from_json(given), written.get("seed")
    except RecipeError as error:
        raise RunError(f"{folder / 'recipe.json'} is damaged: {error}") from None
    if type(seed) is not int:
        raise RunError(f"{folder / 'recipe.json'} is damaged: its seed is {seed!r}, not a whole number")
    return recipe, seed, read_checkpoint(folder)


def run_recipe(
    evolution: Evolution,
    folder: Path,
    seed: int,
    progress: Callable[[Generation], None] = lambda generation: None,
    checks: int | None = None,
    resume: bool = False,
) -> dict[str, Any]:
    """Evolve to the recipe's generations, choose the champion, draw the curve; returns the champion's score."""
    recipe = evolution.recipe
    with locked(folder):
        evolve(
            folder,
            provenance(recipe, seed, evolution.command),
            evolution.learner,
            evolution.fitness,
            recipe.school.generations,
            recipe.player.written,
            progress,
            resume,
            evolution.fitness.describe if isinstance(evolution.fitness, TournamentFitness) else dict,
        )
        score = crown(evolution, folder, seed, checks or recipe.school.checks)
        draw_curve(read_metrics(folder), recipe, score, folder / "curve.png")
    return score


def crown(evolution: Evolution, folder: Path, seed: int, checks: int) -> dict[str, Any]:
    """Choose the champion among the last generations' bests on fresh deals and write it; returns its score."""
    recipe, fitness = evolution.recipe, evolution.fitness
    bests = [_best(line, recipe.player, folder) for line in read_bests(folder)[-LAST_GENERATIONS:]]
    first = fitness.fresh(bests, Stages.CROWNING.at(0), max(1, checks // 10))
    finalists = [bests[i] for i in np.argsort(-first, kind="stable")[:FINALISTS]]
    second = fitness.fresh(finalists, Stages.CROWNING.at(1), max(1, checks // 2))
    winner = finalists[int(np.argmax(second))]
    score = fitness.score(winner, Stages.CROWNING.at(2), checks)
    player, genome = recipe.player.champion(winner, evolution.game)
    made = {**provenance(recipe, seed, evolution.command), "score": score}
    save_champion(folder / "champion.json", recipe.name, player, genome, made)
    return score


def draw_curve(metrics: Sequence[dict[str, float]], recipe: Recipe, score: dict[str, Any], path: Path) -> None:
    """Best, mean and worst of every generation, and the champion on fresh deals."""
    from nemesis.measure.charts import draw_generations, draw_key, draw_title, generation_columns
    from nemesis.measure.picture import save_figure

    champion = (score["fitness"], *score.get("ci95", (None, None)))
    with save_figure(path, (8, 4.5)) as figure:
        axes = figure.add_subplot()
        draw_generations(axes, generation_columns(metrics), champion=champion)
        axes.set_ylabel(recipe.school.unit)
        draw_title(figure, f"{recipe.name}: the champion gets {champion[0]:.3f} on fresh deals")
        if isinstance(recipe.school, Tournaments) and recipe.school.hands_won == 0:
            axes.set_ylim(0, 1.02)
        draw_key(figure, axes, columns=4)
