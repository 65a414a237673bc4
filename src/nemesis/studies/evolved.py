"""Evolved players at the scale of a study, several runs of each, and how good they are on deals that no generation saw.

A run lives in a folder under its recipe, scale and seed, so a study that is killed goes on where it was, a run is made
once, and studies that are given the same folder share it. Players are compared on common deals in batches: every batch
has deals of its own, so the batches are independent. Run number `i` of every recipe has the same seed, begins with the same
genomes where it can, and its champions are measured on the same deals; different runs share nothing.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nemesis.evolve.run import Generation, RunError, read_metrics
from nemesis.measure.fitness import tournament_shares
from nemesis.measure.interval import Interval, mean_interval, share_interval
from nemesis.respond.agent import CompiledAgent
from nemesis.respond.by_name import compiled_agent
from nemesis.respond.champion import champion_agent, shipped_champions
from nemesis.rules.by_name import game as named_game
from nemesis.rules.game import Game
from nemesis.runtime.atomic import write_json
from nemesis.runtime.streams import Stages, run_seed
from nemesis.solve.ceiling import best_response
from nemesis.studies.sample import DEALS, is_over_runs
from nemesis.studies.study import RunCost, Setting
from nemesis.train.chips import Chips
from nemesis.train.evolution import prepare, resumed, run_recipe
from nemesis.train.holdem_layered_kind import HoldemLayeredKind
from nemesis.train.matches import Matches
from nemesis.train.recipe import Recipe
from nemesis.train.recipes import RECIPES
from nemesis.train.school import Seat

BATCHES = 20
LANES = 1000
"""Runs of one recipe that must not retrace another's steps are numbered from a multiple of this on."""
_RISE = 0.01
_COST = "cost.json"


def game_of(recipe: Recipe) -> Game:
    """The game a recipe is played in, for as many as sit at its tables."""
    return named_game(recipe.game, recipe.seats)


@dataclass(frozen=True)
class Evolved:
    """A finished run: its recipe at the scale, one line per generation, and the champion."""

    recipe: Recipe
    metrics: Sequence[dict[str, float]]
    champion: CompiledAgent
    path: Path
    seed: int

    @property
    def peak(self) -> float:
        """The highest fitness of any generation: noisy, and what the source prints."""
        return max(line["best"] for line in self.metrics)

    @property
    def rising(self) -> bool:
        """Whether the population's mean was still rising at the end: more in the last quarter than in the one before."""
        means = np.array([line["mean"] for line in self.metrics])
        quarter = max(1, len(means) // 4)
        return bool(means[-quarter:].mean() - means[-2 * quarter : -quarter].mean() > _RISE) if len(means) > 1 else True


def scaled(recipe: Recipe, setting: Setting) -> Recipe:
    """The recipe at the setting's scale; `full` is its own."""
    if setting.scale == "full":
        return recipe
    if isinstance(recipe.school, Matches):
        generations, population, hands = (3, 8, 50) if setting.scale == "smoke" else (20, 20, 200)
        return with_hands(recipe.shortened(generations), hands).resized(population=population)
    if isinstance(recipe.school, Chips):
        if setting.scale == "quick":
            return recipe.shortened(min(100, recipe.school.generations))
        return untaught(recipe.shortened(3).resized(population=8))
    generations, population, games = (3, 10, 8) if setting.scale == "smoke" else (60, 50, 60)
    return recipe.resized(
        min(generations, recipe.school.generations), population, max(1, games // len(recipe.school.tables))
    )


def untaught(recipe: Recipe) -> Recipe:
    """The recipe from chance, if lessons would come first: they take longer than a smoke run."""
    if isinstance(recipe.player, HoldemLayeredKind):
        return replace(recipe, player=replace(recipe.player, teachers=()))
    return recipe


def with_hands(recipe: Recipe, hands: int) -> Recipe:
    """A recipe of matches with matches of so many hands."""
    assert isinstance(recipe.school, Matches)
    return replace(recipe, school=replace(recipe.school, hands=hands))


def evolve_runs(recipe: Recipe, setting: Setting, seat: Seat = compiled_agent, lane: int = 0) -> list[Evolved]:
    """As many runs of a recipe as the setting asks for; those in the folder already are not run again.

    If the setting is to take what is finished, these are the first finished runs, and there may be none.
    """
    numbers = range(lane * LANES, lane * LANES + setting.evolutions)
    if setting.finished:
        there = (number for number in numbers if is_finished(recipe, setting, number))
        return [evolve_champion(recipe, setting, seat, number) for number in there]
    return [evolve_champion(recipe, setting, seat, number) for number in numbers]


def is_finished(recipe: Recipe, setting: Setting, other: int = 0) -> bool:
    """Whether the folder has this run with its champion."""
    return (_folder(recipe, setting, run_seed(setting.seed, other)) / "champion.json").exists()


def metrics_so_far(recipe: Recipe, setting: Setting, other: int = 0) -> list[dict[str, float]]:
    """One line per generation of a run that need not be finished; none if the folder has no such run."""
    folder = _folder(recipe, setting, run_seed(setting.seed, other))
    return read_metrics(folder) if folder.is_dir() else []


def _folder(recipe: Recipe, setting: Setting, seed: int) -> Path:
    return setting.run_folder / f"{recipe.name}-{setting.scale}-{seed}"


def evolve_champion(
    recipe: Recipe, setting: Setting, seat: Seat = compiled_agent, other: int = 0, checks: int | None = None
) -> Evolved:
    """Run a recipe at the setting's scale, or go on with the run that its folder holds.

    Runs of one setting begin with the same genomes and meet the same deals, which makes recipes comparable. One that must
    not retrace another's steps is given a number of its own, `other`, which goes to its seed. The champion is chosen and
    scored on about `checks` tournaments or hands at each table, by the scale if not given.
    """
    chosen = scaled(recipe, setting)
    seed = run_seed(setting.seed, other)
    folder = _folder(recipe, setting, seed)
    game = game_of(chosen)
    state = None
    going_on = (folder / "recipe.json").exists()
    if going_on:
        written, begun, state = resumed(folder)
        if (written, begun) != (chosen, seed):
            raise RunError(f"{folder} holds a run of another recipe; choose another folder with --out")
    if not (folder / "champion.json").exists():
        evolution = prepare(chosen, game, seat, seed=seed, workers=setting.workers, state=state)
        if setting.study:
            evolution = replace(evolution, command=setting.command)
        hands = isinstance(recipe.school, Chips)
        checks = checks or (setting.choose(600, 100_000, 210_000) if hands else setting.choose(100, 2_000, 20_000))
        with clocked(folder):
            run_recipe(evolution, folder, seed, _reporting(recipe.name, setting), checks, resume=going_on)
    setting.made.append(RunCost(recipe.name, size_of(chosen), seed, *spent(folder)))
    path = folder / "champion.json"
    metrics = [_shares(line) for line in read_metrics(folder)]
    return Evolved(chosen, metrics, champion_agent(path, game), path, seed)


def _shares(line: dict[str, float]) -> dict[str, float]:
    """A line of metrics in shares of tournaments, also where the fitness is more than that (equation 4)."""
    return {key: line.get(f"share_{key}", value) for key, value in line.items()}


def size_of(recipe: Recipe) -> str:
    """`400 generations of 100, 4 × 100 games`."""
    school = recipe.school
    tables = f"{len(school.tables)} × " if len(school.tables) > 1 else ""
    return f"{school.generations} generations of {recipe.learner.population}, {tables}{school.games} games"


@contextmanager
def clocked(folder: Path) -> Iterator[None]:
    """Add the wall and CPU time of what is done inside to those of the run in the folder."""
    wall, cpu = time.perf_counter(), time.process_time()
    try:
        yield
    finally:
        before = spent(folder)
        if folder.exists():
            now = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}
            write_json(folder / _COST, {"wall": before[0] + now["wall"], "cpu": before[1] + now["cpu"]})


def spent(folder: Path) -> tuple[float, float]:
    """Wall and CPU seconds that a run has taken so far; a session that was killed outright did not write its own down."""
    try:
        cost = json.loads((folder / _COST).read_text())
        return float(cost["wall"]), float(cost["cpu"])
    except (OSError, ValueError, KeyError, TypeError):
        return 0.0, 0.0


def _reporting(name: str, setting: Setting) -> Callable[[Generation], None]:
    return lambda line: setting.progress(f"{name} generation {line.number + 1}, best {line.best:.2f}")


BELIEF_NETWORK = "neat-four-belief"
"""The network of section 5.4 and chapter 6: "our best single ANN from the previous experiment", evolved for figure 5.21."""


def belief_networks(setting: Setting) -> list[Path]:
    """The champions of the belief network: at full scale one of every run, otherwise the one that comes with the house."""
    shipped = shipped_champions()
    if setting.scale != "full" and BELIEF_NETWORK in shipped:
        return [shipped[BELIEF_NETWORK]]
    found = [run.path for run in evolve_runs(RECIPES[BELIEF_NETWORK], setting)]
    return found or [shipped[BELIEF_NETWORK]]


def networks_by_run(
    paths: Sequence[Path], game: Game, tables: Sequence[Sequence[CompiledAgent]], setting: Setting, tournaments: int
) -> NDArray[np.float64]:
    """Shares by run, batch and table of belief networks, those of every run on deals of its own."""
    return np.array(
        [
            fresh_shares(game, [player], tables, setting, tournaments, run_seed(setting.seed, number))[:, 0]
            for number, player in enumerate(champion_agent(path, game) for path in paths)
        ]
    )  # fmt: skip


def fresh_shares(
    game: Game,
    players: Sequence[CompiledAgent],
    tables: Sequence[Sequence[CompiledAgent]],
    setting: Setting,
    tournaments: int,
    seed: int | None = None,
) -> NDArray[np.float64]:
    """Shares by batch, player and table. The same seed, the setting's if not given, gives the same deals, whoever plays."""
    each = max(2, tournaments // BATCHES)
    return np.array(
        [
            tournament_shares(
                game,
                players,
                tables,
                each,
                seed=setting.seed if seed is None else seed,
                stage=Stages.STUDY_BATCHES.at(batch),
                workers=setting.workers,
            ).won
            for batch in range(BATCHES)
        ]
    )


def fresh_tournaments(setting: Setting) -> int:
    """How many fresh tournaments a finished player plays at a table."""
    return setting.choose(200, 10_000, 100_000)


def run_shares(
    runs: Sequence[Evolved], tables: Sequence[Sequence[CompiledAgent]], setting: Setting, tournaments: int
) -> NDArray[np.float64]:
    """Shares by run, batch and table of the champions of some runs, those of every run on deals of its own."""
    game = game_of(runs[0].recipe)
    return np.array(
        [fresh_shares(game, [run.champion], tables, setting, tournaments, seed=run.seed)[:, 0] for run in runs]
    )


def run_tournaments(setting: Setting) -> int:
    """How many fresh tournaments the champion of one run among several plays at a table."""
    return setting.choose(100, 4_000, 20_000)


def share_of(batches: NDArray[np.float64], tournaments: int) -> tuple[float, Interval]:
    """The mean of a player's batches and its interval, which is Wilson's where the batches do not differ at all."""
    mean, interval = mean_interval(batches)
    if interval[0] == interval[1]:
        return share_interval(mean * tournaments, tournaments)
    return mean, (max(0.0, interval[0]), min(1.0, interval[1]))


@lru_cache(maxsize=16)
def style_ceiling(name: str, game: Game) -> float:
    """The share of tournaments that the exact best response wins from a style, heads-up."""
    return best_response(compiled_agent(name, game), game).value


def judged(
    interval: Interval,
    published: float,
    ceiling: float | None = None,
    beyond_all: str = "win in this game",
    sample: str = DEALS,
) -> str:
    """How a measured share stands to a published one; `beyond_all` is what nobody can do more of than the ceiling."""
    if interval[0] > published:
        return "better than published"
    if interval[1] >= published:
        return "reproduced" if is_over_runs(sample) else "as published"
    beyond = ceiling is not None and ceiling < published
    return "below the published figure" + (f", which is more than anyone can {beyond_all}" if beyond else "")


def of_networks(setting: Setting, count: int) -> str:
    """Who plays in a study of the belief network, as the start of a verdict."""
    works = "Smoke scale shows that it works and nothing else. " if setting.scale == "smoke" else ""
    if count > 1:
        return f"{works}The networks are the champions of {count} runs of `{BELIEF_NETWORK}`; intervals are over runs. "
    return (
        f"{works}The network is one champion of `{BELIEF_NETWORK}`, as the source has one; intervals are over deals "
        "and say nothing of other runs. "
    )


def caveat(setting: Setting, counts: Sequence[int], quick: str = "60 generations of 50") -> str:
    """What a reader must know about evolution at this scale, as the start of a verdict.

    `counts` are how many runs there are of each evolution; `quick` is how long a quick run is.
    """
    scales = {
        "smoke": "Smoke scale shows that it works and nothing else. ",
        "quick": f"Evolved here at quick scale: {quick}, a small part of the source's. ",
        "full": "At the source's scale. ",
    }
    most, fewest = max(counts, default=0), min(counts, default=0)
    if most <= 1:
        return f"{scales[setting.scale]}One run of each evolution: the intervals are over deals, not over runs. "
    some = f"Of some there are only {fewest}. " if fewest < most else ""
    return f"{scales[setting.scale]}{most} runs of each evolution; intervals are over runs. {some}"


def unrun(recipes: Sequence[str], setting: Setting) -> str:
    """Which evolutions of a study have no finished run at this scale, as a sentence; nothing if all have."""
    missing = [name for name in recipes if not any(run.recipe == name for run in setting.made)]
    return f" Not run at this scale, so left out: {', '.join(missing)}." if missing else ""
