"""The run of two rival populations: generations of duels in a folder that survives being killed, as in `evolve.run`."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

from nemesis.evolve.coevolution import Coevolution, CoevolutionParameters
from nemesis.evolve.genetic import Genes
from nemesis.evolve.run import (
    Line,
    RunError,
    locked,
    read_checkpoint,
    read_metrics,
    read_recipe,
    restored,
    run_generations,
)
from nemesis.play.workers import Workers
from nemesis.respond.chromosome import genes_needed
from nemesis.rules.game import Game
from nemesis.runtime.streams import NumpyStream, generator
from nemesis.train.gene_duels import gene_duel_shares


def coevolve(
    folder: Path,
    game: Game,
    parameters: CoevolutionParameters,
    generations: int,
    games: int,
    *,
    seed: int,
    workers: Workers = 1,
    progress: Callable[[str], None] = lambda line: None,
) -> tuple[Coevolution, list[dict[str, float]]]:
    """Run both populations to the end, going on from the folder's checkpoint if there is one; the learner and metrics."""
    recipe: dict[str, Any] = {
        "recipe": {"name": "coevolution", "game": game.name, "generations": generations, "games": games}
        | dataclasses.asdict(parameters),
        "seed": seed,
    }
    with locked(folder):
        resume = (folder / "recipe.json").exists()
        if resume and read_recipe(folder) != recipe:
            raise RunError(f"{folder} holds a coevolution of other settings; choose another folder with --out")
        state = read_checkpoint(folder) if resume else None
        if state:
            learner = restored(Coevolution.from_json, state, "coevolution")
        else:
            learner = Coevolution(genes_needed(game), seed, parameters)

        def play() -> tuple[Line, Line]:
            number = learner.generation
            play_generation(learner, game, games, seed, workers)
            told = learner.describe()
            progress(f"generation {number + 1}, best {told['first_best']:.1f} and {told['second_best']:.1f}")
            pair = [hall[-1].tolist() for hall in learner.halls]
            return {"generation": number, **told}, {"generation": number, "genomes": pair}

        run_generations(folder, recipe, learner, generations, play, resume)
    return learner, read_metrics(folder)


def play_generation(learner: Coevolution, game: Game, games: int, seed: int, workers: Workers) -> None:
    """One generation: everybody against the other population and a sample of its hall of fame."""
    contest = learner.ask()
    chance = generator(seed, NumpyStream.GENE_DUELS, learner.generation)

    def duels(rows: list[Genes], columns: list[Genes]) -> Any:
        return gene_duel_shares(game, rows, columns, games, chance, workers)

    learner.tell(
        duels(contest.first, contest.second),
        duels(contest.first, contest.second_hall),
        duels(contest.second, contest.first_hall),
    )
