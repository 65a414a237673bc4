"""Evolved players at the scale of a study, and how good they are on deals that no generation saw.

A run lives in the study's folder under its recipe, scale and seed, so a study that is killed goes on where it was and a
run is made once. Players are compared on common deals in batches: every batch has deals of its own, so the batches
are independent and a difference between two players gets the interval of its own spread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
from nemesis.runtime.streams import Stages, run_seed
from nemesis.solve.ceiling import best_response
from nemesis.studies.study import Setting
from nemesis.train.chips import Chips
from nemesis.train.evolution import prepare, resumed, run_recipe
from nemesis.train.matches import Matches
from nemesis.train.recipe import Recipe
from nemesis.train.recipes import RECIPES
from nemesis.train.school import Seat

BATCHES = 20
_RISE = 0.01


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
        return recipe.shortened(100) if setting.scale == "quick" else recipe.shortened(3).resized(population=8)
    generations, population, games = (3, 10, 8) if setting.scale == "smoke" else (60, 50, 60)
    return recipe.resized(
        min(generations, recipe.school.generations), population, max(1, games // len(recipe.school.tables))
    )


def with_hands(recipe: Recipe, hands: int) -> Recipe:
    """A recipe of matches with matches of so many hands."""
    assert isinstance(recipe.school, Matches)
    return replace(recipe, school=replace(recipe.school, hands=hands))


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
    folder = setting.folder / "runs" / f"{recipe.name}-{setting.scale}-{seed}"
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
        checks = checks or setting.choose(100, 2_000, 20_000)
        run_recipe(evolution, folder, seed, _reporting(recipe.name, setting), checks, resume=going_on)
    path = folder / "champion.json"
    return Evolved(chosen, read_metrics(folder), champion_agent(path, game), path)


def _reporting(name: str, setting: Setting) -> Callable[[Generation], None]:
    return lambda line: setting.progress(f"{name} generation {line.number + 1}, best {line.best:.2f}")


def belief_champion(setting: Setting) -> CompiledAgent:
    """The network with beliefs: the one that comes with the house, or one evolved here."""
    return shipped_or_evolved("neat-belief", setting)


def shipped_or_evolved(name: str, setting: Setting) -> CompiledAgent:
    """The champion of a recipe that comes with the house, or one evolved here."""
    shipped = shipped_champions()
    if name in shipped:
        return champion_agent(shipped[name], game_of(RECIPES[name]))
    return evolve_champion(RECIPES[name], setting).champion


def fresh_shares(
    game: Game,
    players: Sequence[CompiledAgent],
    tables: Sequence[Sequence[CompiledAgent]],
    setting: Setting,
    tournaments: int,
) -> NDArray[np.float64]:
    """Shares by batch, player and table. The same setting gives the same deals, whoever plays."""
    each = max(2, tournaments // BATCHES)
    return np.array(
        [
            tournament_shares(
                game,
                players,
                tables,
                each,
                seed=setting.seed,
                stage=Stages.STUDY_BATCHES.at(batch),
                workers=setting.workers,
            ).won
            for batch in range(BATCHES)
        ]
    )


def fresh_tournaments(setting: Setting) -> int:
    """How many fresh tournaments a player plays at a table."""
    return setting.choose(200, 10_000, 100_000)


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
    interval: Interval, published: float, ceiling: float | None = None, beyond_all: str = "win in this game"
) -> str:
    """How a measured share stands to a published one; `beyond_all` is what nobody can do more of than the ceiling."""
    if interval[0] > published:
        return "better than published"
    if interval[1] >= published:
        return "reproduced"
    beyond = ceiling is not None and ceiling < published
    return "below the published figure" + (f", which is more than anyone can {beyond_all}" if beyond else "")


def of_champion(setting: Setting) -> str:
    """Who plays in a study of the belief network, as the start of a verdict."""
    works = "Smoke scale shows that it works and nothing else. " if setting.scale == "smoke" else ""
    if "neat-belief" not in shipped_champions():
        return caveat(setting)
    return f"{works}The network is the champion `neat-belief` that comes with the house; intervals are over deals. "


def caveat(setting: Setting, quick: str = "60 generations of 50") -> str:
    """What a reader must know about one run at this scale, as the start of a verdict; `quick` is how long a quick run is."""
    scales = {
        "smoke": "Smoke scale shows that it works and nothing else. ",
        "quick": f"Evolved here at quick scale: {quick}, a small part of the source's. ",
        "full": "",
    }
    return scales[setting.scale] + "One run of each evolution: the intervals are over deals, not over runs. "
