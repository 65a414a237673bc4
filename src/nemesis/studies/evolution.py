"""From a recipe to a champion: joins learner, player and fitness, runs them in a folder, and chooses on fresh deals.

The champion is not the genome with the luckiest fitness. The bests of the last generations meet again on deals that
no generation saw, the best few of them once more on others, and the winner's printed score comes from a third set.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.tables import action_table
from nemesis.evolve.genetic import Genetic, GeneticParameters
from nemesis.evolve.incremental import Incremental, IncrementalParameters
from nemesis.evolve.neat import Candidate, Neat, NeatParameters
from nemesis.evolve.run import (
    Generation,
    RunError,
    evolve,
    read_bests,
    read_checkpoint,
    read_metrics,
    read_recipe,
    restored,
)
from nemesis.respond.agent import CompiledAgent
from nemesis.respond.champion import save_champion
from nemesis.respond.chromosome import chromosome_player, genes_needed
from nemesis.respond.network import Network
from nemesis.respond.network_player import OUTPUTS, inputs_needed, network_player
from nemesis.rules.game import Game
from nemesis.studies.recipe import Fitness, Recipe, RecipeError

FRESH = 1_000_000
"""Stages from here on are deals that no generation sees."""
LAST_GENERATIONS = 40
FINALISTS = 6

Seat = Callable[[str, Game], Any]


@dataclass(frozen=True)
class Evolution:
    """A recipe made ready: the learner, the fitness, and how genomes become players and plain data."""

    recipe: Recipe
    learner: Any
    fitness: Fitness
    player: dict[str, Any]


def prepare(
    recipe: Recipe, game: Game, seat: Seat, *, seed: int, workers: int = 1, state: dict[str, Any] | None = None
) -> Evolution:
    """Make a recipe ready to run; `seat(name, game)` makes the opponents, `state` is a checkpoint to go on from."""
    if seed < 0:
        raise RecipeError(f"the seed is {seed}; it must be a whole number from 0 on")
    table = action_table(game) if recipe.player.get("beliefs") else None
    player = {key: value for key, value in recipe.player.items() if key != "beliefs"}
    if table is not None:
        player["table"] = table.to_json()
    options = {key: player[key] for key in ("last_action", "recurrence") if key in player}
    styles = len(table.styles) if table else 0

    def chromosome(genes: Any) -> CompiledAgent:
        return chromosome_player(genes, game, table=table, name=recipe.name)

    def network(candidate: Candidate | Network) -> CompiledAgent:
        net = candidate.network if isinstance(candidate, Candidate) else candidate
        return network_player(net, game, table=table, name=recipe.name, **options)

    learner: Any
    if recipe.learner == "genetic":
        parameters = GeneticParameters(population=recipe.population, mutation=recipe.mutation, elite=recipe.elite)
        genes = genes_needed(game, styles or 1)
        learner = restored(Genetic.from_json, state, "genetic") if state else Genetic(genes, seed, parameters)
    elif recipe.learner == "incremental":
        drawn = IncrementalParameters(population=recipe.population)
        genes = genes_needed(game, styles or 1)
        learner = restored(Incremental.from_json, state, "incremental") if state else Incremental(genes, seed, drawn)
    else:
        inputs = inputs_needed(last_action=options.get("last_action", True), styles=styles)
        settings = NeatParameters(
            population=recipe.population, add_node=recipe.add_node, add_connection=recipe.add_connection
        )
        learner = restored(Neat.from_json, state, "neat") if state else Neat(inputs, OUTPUTS, seed, settings)
    tables = tuple(tuple(seat(name, game) for name in names) for names in recipe.tables)
    decode = network if recipe.learner == "neat" else chromosome
    return Evolution(recipe, learner, Fitness(game, tables, recipe.tournaments, seed, workers, decode), player)


def genome_json(genome: Any) -> Any:
    """A genome as plain data."""
    if isinstance(genome, Candidate):
        genome = genome.network
    return genome.to_json() if isinstance(genome, Network) else np.asarray(genome).tolist()


def genome_of(data: Any) -> Any:
    """A genome from plain data."""
    return Network.from_json(data) if isinstance(data, dict) else np.array(data)


def _best(line: dict[str, Any], folder: Path) -> Any:
    try:
        return genome_of(line["genome"])
    except (KeyError, TypeError, ValueError) as error:
        where = f"{folder / 'bests.jsonl'}, generation {line['generation']}"
        raise RunError(f"{where}, is damaged: no genome can be read from it ({error})") from None


def provenance(recipe: Recipe, seed: int) -> dict[str, Any]:
    """What is written down with a run and a champion."""
    return {
        "recipe": recipe.to_json(),
        "seed": seed,
        "command": f"nemesis evolve {recipe.name} --generations {recipe.generations} --population {recipe.population} "
        f"--tournaments {recipe.tournaments} --seed {seed}",
        "versions": {name: version(name) for name in ("nemesis-poker", "neat-python", "numpy", "numba")}
        | {"python": platform.python_version()},
    }


def resumed(folder: Path) -> tuple[Recipe, int, dict[str, Any] | None]:
    """Recipe, seed and checkpoint of a run folder."""
    written = read_recipe(folder)
    try:
        recipe, seed = Recipe.from_json(written.get("recipe", {})), written.get("seed")
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
    checks: int = 20_000,
    resume: bool = False,
) -> dict[str, Any]:
    """Evolve to the recipe's generations, choose the champion, draw the curve; returns the champion's score."""
    recipe = evolution.recipe
    evolve(
        folder,
        provenance(recipe, seed),
        evolution.learner,
        evolution.fitness,
        recipe.generations,
        genome_json,
        progress,
        resume,
    )
    score = crown(evolution, folder, seed, checks)
    draw_curve(read_metrics(folder), recipe, score["mean"], folder / "curve.png")
    return score


def crown(evolution: Evolution, folder: Path, seed: int, checks: int = 20_000) -> dict[str, Any]:
    """Choose the champion among the last generations' bests on fresh deals and write it; returns its score."""
    bests = [_best(line, folder) for line in read_bests(folder)[-LAST_GENERATIONS:]]
    fitness = evolution.fitness
    first = fitness.by_table(bests, FRESH, max(1, checks // 10)).mean(axis=1)
    finalists = [bests[i] for i in np.argsort(-first, kind="stable")[:FINALISTS]]
    second = fitness.by_table(finalists, FRESH + 1, max(1, checks // 2)).mean(axis=1)
    winner = finalists[int(np.argmax(second))]
    shares = fitness.by_table([winner], FRESH + 2, checks)[0]
    score = score_json(evolution.recipe, shares, checks)
    made = {**provenance(evolution.recipe, seed), "score": score}
    save_champion(folder / "champion.json", evolution.recipe.name, evolution.player, genome_json(winner), made)
    return score


def score_json(recipe: Recipe, shares: NDArray[np.float64], tournaments: int) -> dict[str, Any]:
    """The mean share over the tables and the share at each, with 95 % intervals."""
    errors = np.sqrt(np.maximum(shares * (1 - shares), 1 / tournaments) / tournaments)
    margin = 1.96 * float(errors.mean())  # tables share their deals, so their errors may all go the same way
    mean = float(shares.mean())
    return {
        "mean": mean,
        "ci95": [mean - margin, mean + margin],
        "tournaments": tournaments,
        "tables": {
            " ".join(table): {"share": float(share), "ci95": [float(share - 1.96 * e), float(share + 1.96 * e)]}
            for table, share, e in zip(recipe.tables, shares, errors, strict=True)
        },
    }


def draw_curve(metrics: Sequence[dict[str, float]], recipe: Recipe, champion: float, path: Path) -> None:
    """Best, mean and worst of every generation, and the champion on fresh deals."""
    from nemesis.measure.picture import save_figure

    with save_figure(path, (8, 4.5)) as figure:
        axes = figure.add_subplot()
        numbers = [line["generation"] for line in metrics]
        for key, colour in (("best", "tab:blue"), ("mean", "tab:orange"), ("worst", "tab:grey")):
            axes.plot(numbers, [line[key] for line in metrics], color=colour, label=key, linewidth=1)
        axes.axhline(champion, color="tab:green", linestyle="--", label=f"champion on fresh deals: {champion:.3f}")
        axes.set(xlabel="generation", ylabel="share of tournaments", title=recipe.name, ylim=(0, 1))
        axes.legend(loc="lower right")
