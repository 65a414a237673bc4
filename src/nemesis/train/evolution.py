"""From a recipe to a champion: joins learner, player and fitness, runs them in a folder, and chooses on fresh deals.

The champion is not the genome with the luckiest fitness. The bests of the last generations meet again on deals that
no generation saw, the best few of them once more on others, and the winner's printed score comes from a third set.
"""

from __future__ import annotations

import dataclasses
import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.action_table import Variant
from nemesis.believe.tables import action_table
from nemesis.evolve.genetic import Genetic, GeneticParameters
from nemesis.evolve.incremental import Incremental, IncrementalParameters
from nemesis.evolve.natural import Natural, NaturalParameters
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
from nemesis.play.workers import Workers
from nemesis.respond.agent import CompiledAgent
from nemesis.respond.ashe import packed_genes, unpacked_genes
from nemesis.respond.champion import save_champion
from nemesis.respond.chromosome import chromosome_player, genes_needed
from nemesis.respond.layered import first_weights, layered_network
from nemesis.respond.network import Network
from nemesis.respond.network_player import OUTPUTS, inputs_needed, network_player
from nemesis.rules.game import Game
from nemesis.runtime.streams import Stages
from nemesis.train.ashe_evolution import EarningsFitness, ashe_fitness, ashe_learner, ashe_size
from nemesis.train.recipe import Fitness, Recipe, RecipeError

LAST_GENERATIONS = 40
SHAPE = ("hidden", "loops")
"""Options of a player that say which network a vector of weights makes; a champion has the network itself."""
FINALISTS = 6

Seat = Callable[[str, Game], Any]


@dataclass(frozen=True)
class Evolution:
    """A recipe made ready: the learner, the fitness, and how genomes become players and plain data."""

    recipe: Recipe
    learner: Any
    fitness: Fitness | EarningsFitness
    player: dict[str, Any]
    plays: Callable[[Any], Any]
    """What of a genome a champion keeps: the network, or the genes themselves."""
    command: str = ""

    def leader(self, scores: NDArray[np.float64]) -> int:
        """Which genome stands for a generation: the best, or the mean where all others are that and noise."""
        return 0 if self.recipe.learner == "natural" else int(np.argmax(scores))

    def genome_json(self, genome: Any) -> Any:
        """A genome as plain data."""
        if isinstance(genome, Candidate):
            genome = genome.network
        if isinstance(genome, Network):
            return genome.to_json()
        return packed_genes(genome) if self.recipe.earns else np.asarray(genome).tolist()


def prepare(
    recipe: Recipe, game: Game, seat: Seat, *, seed: int, workers: Workers = 1, state: dict[str, Any] | None = None
) -> Evolution:
    """Make a recipe ready to run; `seat(name, game)` makes the opponents, `state` is a checkpoint to go on from."""
    if seed < 0:
        raise RecipeError(f"the seed is {seed}; it must be a whole number from 0 on")
    if recipe.earns:
        grown = ashe_fitness(recipe, game, seat, seed, workers)
        size = dataclasses.asdict(ashe_size(recipe.player))
        made_for = {"kind": "ashe", **size, "depth": max(game.stacks) / game.big_blind}
        return Evolution(recipe, ashe_learner(recipe, seed, state), grown, made_for, np.asarray)
    variant = belief_of(recipe)
    table = action_table(game).for_variant(variant) if variant else None
    player = {key: value for key, value in recipe.player.items() if key not in ("beliefs", *SHAPE)}
    believing: dict[str, Any] = {"table": table, "belief": variant} if variant else {}
    if table is not None:
        player["table"] = table.to_json()
    if variant not in (None, "plain"):
        player["belief"] = variant
    options = {key: player[key] for key in ("last_action", "recurrence", "stakes", "each_card") if key in player}
    styles = len(table.styles) if table else 0
    inputs = inputs_needed(
        last_action=options.get("last_action", True),
        stakes=options.get("stakes", False),
        styles=styles,
        cards=game.ranks if options.get("each_card") else 1,
    )
    hidden, loops = recipe.player.get("hidden", 0), recipe.player.get("loops", False)

    def chromosome(genes: Any) -> CompiledAgent:
        return chromosome_player(genes, game, name=recipe.name, **believing)

    def network(genome: Candidate | Network | NDArray[np.float64]) -> CompiledAgent:
        return network_player(as_network(genome), game, name=recipe.name, **believing, **options)

    def as_network(genome: Candidate | Network | NDArray[np.float64]) -> Network:
        if isinstance(genome, np.ndarray):
            return layered_network(genome, inputs, hidden, OUTPUTS, loops=loops)
        return genome.network if isinstance(genome, Candidate) else genome

    learner: Any
    if recipe.learner == "genetic":
        parameters = GeneticParameters(population=recipe.population, mutation=recipe.mutation, elite=recipe.elite)
        genes = genes_needed(game, styles or 1)
        learner = restored(Genetic.from_json, state, "genetic") if state else Genetic(genes, seed, parameters)
    elif recipe.learner == "incremental":
        drawn = IncrementalParameters(population=recipe.population)
        genes = genes_needed(game, styles or 1)
        learner = restored(Incremental.from_json, state, "incremental") if state else Incremental(genes, seed, drawn)
    elif recipe.learner == "natural":
        start = first_weights(inputs, hidden, OUTPUTS, seed, loops=loops)
        cloud = NaturalParameters(
            recipe.population, recipe.spread, cooling=recipe.cooling, cools_from=recipe.cools_from
        )
        learner = restored(Natural.from_json, state, "natural") if state else Natural(start, seed, cloud)
    else:
        settings = NeatParameters(
            population=recipe.population, add_node=recipe.add_node, add_connection=recipe.add_connection
        )
        learner = restored(Neat.from_json, state, "neat") if state else Neat(inputs, OUTPUTS, seed, settings)
    tables = tuple(tuple(seat(name, game) for name in names) for names in recipe.tables)
    is_network = recipe.learner in ("natural", "neat")
    fitness = Fitness(
        game, tables, recipe.tournaments, seed, workers, network if is_network else chromosome, recipe.hands_won
    )
    return Evolution(recipe, learner, fitness, player, as_network if is_network else np.asarray)


def belief_of(recipe: Recipe) -> Variant | None:
    """Which belief a recipe's player has: `beliefs` is a variant's name, or true for the plain one."""
    wanted = recipe.player.get("beliefs")
    return "plain" if wanted is True else wanted or None


def genome_of(data: Any) -> Any:
    """A genome from plain data."""
    if isinstance(data, str):
        return unpacked_genes(data)
    return Network.from_json(data) if isinstance(data, dict) else np.array(data)


def _best(line: dict[str, Any], folder: Path) -> Any:
    try:
        return genome_of(line["genome"])
    except (KeyError, TypeError, ValueError) as error:
        where = f"{folder / 'bests.jsonl'}, generation {line['generation']}"
        raise RunError(f"{where}, is damaged: no genome can be read from it ({error})") from None


def provenance(recipe: Recipe, seed: int, command: str = "") -> dict[str, Any]:
    """What is written down with a run and a champion; `command` is what made it, if not `nemesis evolve`."""
    return {
        "recipe": recipe.to_json(),
        "seed": seed,
        "command": command
        or f"nemesis evolve {recipe.name} --generations {recipe.generations} --population {recipe.population} "
        f"--tournaments {recipe.tournaments} --seed {seed}",
        "versions": {name: version(name) for name in ("nemesis-poker", "numpy", "numba")}
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
    checks: int | None = None,
    resume: bool = False,
) -> dict[str, Any]:
    """Evolve to the recipe's generations, choose the champion, draw the curve; returns the champion's score."""
    recipe = evolution.recipe
    evolve(
        folder,
        provenance(recipe, seed, evolution.command),
        evolution.learner,
        evolution.fitness,
        recipe.generations,
        evolution.genome_json,
        progress,
        resume,
        evolution.leader,
    )
    score = crown(evolution, folder, seed, checks or recipe.checks)
    draw_curve(read_metrics(folder), recipe, score, folder / "curve.png")
    return score


def crown(evolution: Evolution, folder: Path, seed: int, checks: int) -> dict[str, Any]:
    """Choose the champion among the last generations' bests on fresh deals and write it; returns its score."""
    bests = [_best(line, folder) for line in read_bests(folder)[-LAST_GENERATIONS:]]
    fitness = evolution.fitness
    first = fitness.fresh(bests, Stages.CROWNING.at(0), max(1, checks // 10))
    finalists = [bests[i] for i in np.argsort(-first, kind="stable")[:FINALISTS]]
    second = fitness.fresh(finalists, Stages.CROWNING.at(1), max(1, checks // 2))
    winner = finalists[int(np.argmax(second))]
    score = fitness.score(winner, Stages.CROWNING.at(2), checks)
    made = {**provenance(evolution.recipe, seed, evolution.command), "score": score}
    genome = evolution.genome_json(evolution.plays(winner))
    save_champion(folder / "champion.json", evolution.recipe.name, evolution.player, genome, made)
    return score


def draw_curve(metrics: Sequence[dict[str, float]], recipe: Recipe, score: dict[str, Any], path: Path) -> None:
    """Best, mean and worst of every generation, and the champion on fresh deals."""
    from nemesis.measure.charts import draw_generations, draw_key, draw_title, generation_columns
    from nemesis.measure.picture import save_figure

    champion = (score["worth"], None, None) if "worth" in score else (score["mean"], *score["ci95"])
    with save_figure(path, (8, 4.5)) as figure:
        axes = figure.add_subplot()
        draw_generations(axes, generation_columns(metrics), champion=champion)
        axes.set_ylabel(recipe.unit)
        draw_title(figure, f"{recipe.name}: the champion gets {champion[0]:.3f} on fresh deals")
        if not recipe.earns:
            axes.set_ylim(0, 1.02)
        draw_key(figure, axes, columns=4)
