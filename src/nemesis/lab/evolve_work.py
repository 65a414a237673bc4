"""An evolution as a job: the run of a recipe in the lab's `runs` folder, by the name of the job.

It goes on with what the run's folder holds, so it does not matter how often its process was ended. While it runs, the
generations' bests are also measured on deals that no generation plays (`fresh.jsonl`), which chooses nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nemesis.lab.json_lines import add_line, last_line, whole_lines
from nemesis.runtime.limits import SEED, Limit

if TYPE_CHECKING:
    from nemesis.evolve.run import Generation
    from nemesis.train.evolution import Evolution

RUNS = "runs"
FRESH = "fresh.jsonl"
GENERATIONS = Limit("generations", 1, 100_000)
POPULATION = Limit("a population", 2, 10_000)
GAMES = Limit("tournaments", 1, 100_000)
MEASURED = 40
"""How many generations of a run are measured on fresh deals."""
WATCHED = 99
"""The stage of those deals, among the stages of crowning, which uses the first three."""
_SHARE = 20
"""A measurement takes one part in so many of what scores a champion."""


def run_folder(job_folder: Path) -> Path:
    """The run's folder of a job: beside the jobs, with the same name."""
    return job_folder.parent.parent / RUNS / job_folder.name


def options(
    recipe: str, seed: int, generations: int | None = None, population: int | None = None, games: int | None = None
) -> dict[str, Any]:
    """The options of the job, checked; None leaves the recipe's own."""
    from nemesis.train.recipes import recipe_named

    SEED.check(seed)
    for limit, given in ((GENERATIONS, generations), (POPULATION, population), (GAMES, games)):
        if given is not None:
            limit.check(given)
    recipe_named(recipe).resized(generations, population, games)
    return {"recipe": recipe, "seed": seed, "generations": generations, "population": population, "games": games}


def evolve(chosen: dict[str, Any], folder: Path, tell: Callable[[int, int, str], None]) -> dict[str, Any]:
    """Begin or go on with the run; returns the champion's score."""
    import nemesis
    from nemesis.train.evolution import prepare, resumed, run_recipe
    from nemesis.train.recipes import recipe_named

    checked = options(**chosen)
    run = run_folder(folder)
    resume = (run / "recipe.json").exists()
    if resume:
        recipe, seed, state = resumed(run)
        recipe = recipe.resized(checked["generations"])
    else:
        seed, state = checked["seed"], None
        recipe = recipe_named(checked["recipe"]).resized(*(checked[n] for n in ("generations", "population", "games")))
    tell(0, recipe.school.generations, "preparing")
    evolution = prepare(recipe, nemesis.game(recipe.game, recipe.seats), nemesis.agent, seed=seed, state=state)

    def progress(told: Generation) -> None:
        _measure(evolution, run, told.number)
        line = f"best {told.best:.3f}, mean {told.mean:.3f}"
        if told.number + 1 == recipe.school.generations:
            line = "choosing the champion on fresh deals"
        tell(told.number + 1, recipe.school.generations, line)

    return run_recipe(evolution, run, seed, progress, resume=resume)


def _measure(evolution: Evolution, run: Path, generation: int) -> None:
    """Measure the best of the generation before on fresh deals, now and then. Writes a line of `FRESH`."""
    from nemesis.runtime.streams import Stages

    school = evolution.recipe.school
    if generation == 0 or generation % max(1, school.generations // MEASURED):
        return
    best = last_line(run / "bests.jsonl")
    if best is None or any(line["generation"] == best["generation"] for line in fresh_scores(run)):
        return
    genome = evolution.recipe.player.read(best["genome"])
    score = evolution.fitness.score(genome, Stages.CROWNING.at(WATCHED), max(1, school.checks // _SHARE))
    line = {"generation": best["generation"], "fitness": score["fitness"], "ci95": score.get("ci95")}
    add_line(run / FRESH, line)


def fresh_scores(run: Path) -> list[dict[str, Any]]:
    """What the bests of a run took on fresh deals so far, by generation."""
    return whole_lines(run / FRESH)


def metrics(run: Path) -> list[dict[str, float]]:
    """The metrics of a run that may be running: lines that are whole."""
    return whole_lines(run / "metrics.jsonl")
