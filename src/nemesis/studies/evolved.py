"""Evolved players at the scale of a study, and how good they are on deals that no generation saw.

A run lives in the study's folder under its recipe, scale and seed, so a study that is killed goes on where it was and a
run is made once. Players are compared on common deals in batches: every batch has deals of its own, so the batches
are independent and a difference between two players gets the interval of its own spread.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nemesis.evolve.run import Generation, RunError, read_metrics
from nemesis.measure.ceiling import best_response
from nemesis.measure.fitness import tournament_shares
from nemesis.measure.interval import Interval, mean_interval, share_interval
from nemesis.respond.agent import CompiledAgent
from nemesis.respond.champion import champion_agent, shipped_champions
from nemesis.respond.modified import modified
from nemesis.respond.styles import STYLES, style
from nemesis.rules.game import Game
from nemesis.rules.games import no_limit, one_card, one_card_100
from nemesis.studies.evolution import FRESH, Seat, prepare, resumed, run_recipe
from nemesis.studies.recipe import Recipe
from nemesis.studies.recipes import RECIPES
from nemesis.studies.study import Setting

BATCHES = 20
_STUDY_DEALS = FRESH + 100

GAMES: Mapping[str, Callable[[], Game]] = {"one-card": one_card, "one-card-100": one_card_100, "no-limit": no_limit}
"""The games of chapters 5 and 6 of document 000, from 10 antes each and from 20 as section 5.1 says, and of document 003."""


def game_of(recipe: Recipe) -> Game:
    """The game a recipe is played in, for as many as sit at its tables."""
    return GAMES[recipe.game]().seated(recipe.seats)


def opponent(name: str, game: Game) -> CompiledAgent:
    """A style by name, plain or modified: la, tp+bluff=0.1, lp-to-tp@half."""
    return style(game, *STYLES[name], name) if name in STYLES else modified(game, name)


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


def scaled(recipe: Recipe, setting: Setting) -> Recipe:
    """The recipe at the setting's scale; `full` is its own."""
    if setting.scale == "full":
        return recipe
    if recipe.learner == "tiered":
        generations, population, hands = (3, 8, 50) if setting.scale == "smoke" else (20, 20, 200)
        return replace(recipe, generations=generations, population=population, hands=hands)
    generations, population, share = (3, 10, 0.05) if setting.scale == "smoke" else (60, 100, 0.5)
    tournaments = max(1, round(recipe.tournaments * share))
    return replace(recipe, generations=generations, population=population, tournaments=tournaments)


def evolve_champion(recipe: Recipe, setting: Setting, seat: Seat = opponent) -> Evolved:
    """Run a recipe at the setting's scale, or go on with the run that its folder holds."""
    chosen = scaled(recipe, setting)
    folder = setting.folder / "runs" / f"{recipe.name}-{setting.scale}-{setting.seed}"
    game = game_of(chosen)
    state = None
    going_on = (folder / "recipe.json").exists()
    if going_on:
        written, seed, state = resumed(folder)
        if (written, seed) != (chosen, setting.seed):
            raise RunError(f"{folder} holds a run of another recipe; choose another folder with --out")
    if not (folder / "champion.json").exists():
        evolution = prepare(chosen, game, seat, seed=setting.seed, workers=setting.workers, state=state)
        checks = setting.choose(100, 4_000, 20_000)
        run_recipe(evolution, folder, setting.seed, _reporting(recipe.name, setting), checks, resume=going_on)
    path = folder / "champion.json"
    return Evolved(chosen, read_metrics(folder), champion_agent(path, game), path)


def _reporting(name: str, setting: Setting) -> Callable[[Generation], None]:
    return lambda told: setting.progress(f"{name} generation {told.number + 1}, best {told.best:.2f}")


def belief_champion(setting: Setting) -> CompiledAgent:
    """The network with beliefs: the one that comes with the house, or one evolved here."""
    shipped = shipped_champions()
    if "neat-belief" in shipped:
        return champion_agent(shipped["neat-belief"], game_of(RECIPES["neat-belief"]))
    return evolve_champion(RECIPES["neat-belief"], setting).champion


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
                game, players, tables, each, seed=setting.seed, stage=_STUDY_DEALS + batch, workers=setting.workers
            )
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
    return best_response(opponent(name, game), game).value


def judged(interval: Interval, published: float, ceiling: float | None = None) -> str:
    """How a measured share stands to a published one."""
    if interval[0] > published:
        return "better than published"
    if interval[1] >= published:
        return "reproduced"
    beyond = ceiling is not None and ceiling < published
    return "below the published figure" + (", which is more than anyone can win in this game" if beyond else "")


def caveat(setting: Setting) -> str:
    """What a reader must know about one run at this scale, as the start of a verdict."""
    works = "Smoke scale shows that it works and nothing else. " if setting.scale == "smoke" else ""
    return works + "One run of each evolution: the intervals are over deals, not over runs. "
