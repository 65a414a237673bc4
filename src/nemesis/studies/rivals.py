"""The run of two rival populations: generations of duels in a folder that survives being killed, as in `evolve.run`."""

from __future__ import annotations

import dataclasses
import json
import time
from typing import Any

from nemesis.evolve.coevolution import Coevolution, CoevolutionParameters
from nemesis.evolve.genetic import Genes
from nemesis.evolve.run import (
    SAVE_SECONDS,
    RunError,
    cut_back,
    read_checkpoint,
    read_metrics,
    read_recipe,
    start_folder,
)
from nemesis.measure.duels import duel_shares
from nemesis.respond.agent import CompiledAgent
from nemesis.respond.chromosome import chromosome_player, genes_needed
from nemesis.rules.atomic import write_json
from nemesis.rules.game import Game
from nemesis.studies.study import Setting


def coevolve(
    setting: Setting, game: Game, parameters: CoevolutionParameters, generations: int, games: int
) -> tuple[Coevolution, list[dict[str, float]]]:
    """Run both populations to the end, going on from the folder's checkpoint if there is one; the learner and metrics."""
    folder = setting.folder / "runs" / f"coevolution-{setting.scale}-{setting.seed}"
    recipe: dict[str, Any] = {
        "recipe": {"name": "coevolution", "game": game.name, "generations": generations, "games": games}
        | dataclasses.asdict(parameters),
        "seed": setting.seed,
    }
    state = None
    if (folder / "recipe.json").exists():
        if read_recipe(folder) != recipe:
            raise RunError(f"{folder} holds a coevolution of other settings; choose another folder with --out")
        state = read_checkpoint(folder)
    else:
        start_folder(folder, recipe)
    learner = Coevolution.from_json(state) if state else Coevolution(genes_needed(game), setting.seed, parameters)
    cut_back(folder, learner.generation)
    saved = time.monotonic()
    with (folder / "metrics.jsonl").open("a") as metrics, (folder / "bests.jsonl").open("a") as bests:
        while learner.generation < generations:
            number = learner.generation
            play_generation(learner, game, games, setting)
            told = learner.describe()
            metrics.write(json.dumps({"generation": number, **told}) + "\n")
            pair = [hall[-1].tolist() for hall in learner.halls]
            bests.write(json.dumps({"generation": number, "genomes": pair}) + "\n")
            setting.progress(f"generation {number + 1}, best {told['first_best']:.1f} and {told['second_best']:.1f}")
            if time.monotonic() - saved > SAVE_SECONDS or learner.generation >= generations:
                metrics.flush()
                bests.flush()
                write_json(folder / "checkpoint.json", learner.to_json())
                saved = time.monotonic()
    return learner, read_metrics(folder)


def play_generation(learner: Coevolution, game: Game, games: int, setting: Setting) -> None:
    """One generation: everybody against the other population and a sample of its hall of fame."""
    contest = learner.ask()
    first, second, first_hall, second_hall = (_players(genomes, game) for genomes in contest)

    def duels(rows: list[CompiledAgent], columns: list[CompiledAgent]) -> Any:
        stage = learner.generation
        return duel_shares(game, rows, columns, games, seed=setting.seed, stage=stage, workers=setting.workers)

    learner.tell(duels(first, second), duels(first, second_hall), duels(second, first_hall))


def _players(genomes: list[Genes], game: Game) -> list[CompiledAgent]:
    return [chromosome_player(genes, game) for genes in genomes]
