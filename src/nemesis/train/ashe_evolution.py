"""How ASHE evolves: the fitness of document 003, its sessions, and lessons with other opponents.

A candidate plays every opponent of the lesson in 1000-hand matches, each match twice on the same decks with seats
swapped. The source takes the average of what it earns. Opponents differ by a factor of a hundred in what they can lose,
so the average hears nothing but maniacs and calling machines. We take the average of log(1 + big blinds a hand), with the
sign of what was earned: below a big blind every chip counts alike, above it twice as much from anybody is the same
gain. `worth="mean"` is the source's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.evolve.natural import Natural, NaturalParameters
from nemesis.evolve.run import restored
from nemesis.evolve.tiered import Tiered, TieredParameters
from nemesis.measure.earnings import SEATS, earnings
from nemesis.measure.interval import mean_interval
from nemesis.play.workers import Workers
from nemesis.respond.agent import CompiledAgent
from nemesis.respond.ashe import COMPACT, Ashe, Size, unpacked_genes
from nemesis.respond.ashe_sketch import reach, sketch
from nemesis.respond.champion import read_champion, shipped_champions
from nemesis.rules.game import Game
from nemesis.runtime.streams import Stage, Stages
from nemesis.train.recipe import Recipe

BLIND = 1000.0
"""A big blind, in mBB."""
SPREAD_RATE = 0.1
"""How fast natural evolution changes its spreads: the paper's for a thousand genes, and of ours few matter at first."""


def log_earnings(rates: NDArray[np.float64]) -> NDArray[np.float64]:
    """log(1 + big blinds a hand) of mBB/hand, with the sign of what was earned."""
    found: NDArray[np.float64] = np.sign(rates) * np.log1p(np.abs(rates) / BLIND)
    return found


def log_units(rates: NDArray[np.float64]) -> NDArray[np.float64]:
    """By match, from mBB/hand by opponent and match: the mean over opponents of log(1 + big blinds a hand).

    The mean of these is the logarithm of what is earned over all matches, and their spread is its own, the logarithm being
    taken as straight around it. The logarithm of a single match would be too noisy to mean anything.
    """
    centre = rates.mean(axis=1, keepdims=True)
    found: NDArray[np.float64] = (log_earnings(centre) + (rates - centre) / (BLIND + np.abs(centre))).mean(axis=0)
    return found


@dataclass(frozen=True)
class Lesson:
    """Until which generation, against whom, and how much each counts; the last lesson has no end."""

    until: int
    opponents: tuple[CompiledAgent, ...]
    weights: tuple[float, ...]


@dataclass(frozen=True)
class EarningsFitness:
    """What candidates earn from the opponents of their lesson, on deals chosen by seed and generation."""

    game: Game
    lessons: tuple[Lesson, ...]
    logarithmic: bool
    matches: int
    hands: int
    seed: int
    workers: Workers
    decode: Callable[[Any], CompiledAgent]

    def lesson(self, generation: int) -> Lesson:
        """What this generation is about."""
        return next((lesson for lesson in self.lessons if generation < lesson.until), self.lessons[-1])

    def by_match(self, genomes: Sequence[Any], stage: Stage, matches: int | None = None) -> NDArray[np.float64]:
        """mBB/hand by genome, opponent and match."""
        agents = [self.decode(genome) for genome in genomes]
        return earnings(
            self.game, agents, self.lesson(stage).opponents, matches or self.matches, self.hands,
            seed=self.seed, stage=stage, workers=self.workers,
        )  # fmt: skip

    def worth(self, rates: NDArray[np.float64], stage: Stage) -> NDArray[np.float64]:
        """One number per genome from its mBB/hand against each opponent of the lesson."""
        worths = log_earnings(rates) if self.logarithmic else rates
        mean: NDArray[np.float64] = np.average(worths, axis=1, weights=self.lesson(stage).weights)
        return mean

    def __call__(self, genomes: Sequence[Any], generation: int) -> NDArray[np.float64]:
        """One number per genome."""
        stage = Stages.GENERATIONS.at(generation)
        return self.worth(self.by_match(genomes, stage).mean(axis=2), stage)

    def fresh(self, genomes: Sequence[Any], stage: Stage, games: int) -> NDArray[np.float64]:
        """One number per genome, from at least so many hands against each opponent."""
        return self.worth(self.by_match(genomes, stage, self._matches(games)).mean(axis=2), stage)

    def score(self, genome: Any, stage: Stage, games: int) -> dict[str, Any]:
        """Worth, and what is earned from each opponent with 95 % intervals over matches."""
        matches = self._matches(games)
        rates = self.by_match([genome], stage, matches)[0]
        tables = {}
        for agent, units in zip(self.lesson(stage).opponents, rates, strict=True):
            mean, ci95 = mean_interval(units)
            tables[agent.name] = {"mbb": mean, "ci95": list(ci95)}
        return {
            "worth": float(self.worth(rates.mean(axis=1)[None], stage)[0]),
            "hands": matches * SEATS * self.hands,
            "tables": tables,
        }

    def _matches(self, hands: int) -> int:
        return max(2, -(-hands // (SEATS * self.hands)))


def ashe_size(player: Mapping[str, Any]) -> Size:
    """The size that a recipe or champion names; compact if it names none."""
    if "blocks" not in player:
        return COMPACT
    return Size(int(player["blocks"]), int(player["cells"]), int(player["hidden"]))


def ashe_learner(recipe: Recipe, seed: int, state: dict[str, Any] | None) -> Tiered | Natural:
    """The learner of a recipe, from its start or from a checkpoint.

    Natural evolution starts from the sketch, or from a champion that the recipe names as `start`; tiered evolution
    from chance.
    """
    size = ashe_size(recipe.player)
    if recipe.learner == "natural":
        if state:
            return restored(Natural.from_json, state, "natural")
        cloud = NaturalParameters(
            recipe.population, recipe.spread, recipe.pace, SPREAD_RATE, recipe.cooling, recipe.cools_from
        )
        return Natural(_start(recipe), seed, cloud, reach(sketch(size)))
    if state:
        return restored(Tiered.from_json, state, "tiered")
    parameters = TieredParameters(population=recipe.population, generations=recipe.generations, session=recipe.session)
    return Tiered((size.win.genes, size.fold.genes), seed, parameters)


def _start(recipe: Recipe) -> NDArray[np.float64]:
    """The genome that a recipe starts from."""
    name = recipe.player.get("start")
    if name is None:
        return sketch(ashe_size(recipe.player))
    shipped = shipped_champions()
    if name not in shipped:
        raise ValueError(f"recipe {recipe.name} starts from {name!r}, which is not among the shipped champions")
    content = read_champion(shipped[name])
    if content["player"].get("kind") != "ashe" or ashe_size(content["player"]) != ashe_size(recipe.player):
        raise ValueError(f"recipe {recipe.name} starts from {name}, which is not an ASHE of its size")
    return unpacked_genes(content["genome"])


def ashe_fitness(
    recipe: Recipe, game: Game, seat: Callable[[str, Game], Any], seed: int, workers: Workers
) -> EarningsFitness:
    """The fitness of a recipe. An opponent who is named twice in a lesson is met once and counts twice."""
    size = ashe_size(recipe.player)

    def decode(genome: Any) -> CompiledAgent:
        return Ashe(game, size, genome, name=recipe.name)

    def lesson(until: int, tables: tuple[tuple[str, ...], ...]) -> Lesson:
        times = Counter(name for (name,) in tables)
        return Lesson(until, tuple(seat(name, game) for name in times), tuple(map(float, times.values())))

    lessons = [lesson(until, tables) for until, tables in recipe.lessons]
    lessons.append(lesson(recipe.generations, recipe.tables))
    return EarningsFitness(
        game, tuple(lessons), recipe.worth == "log", recipe.tournaments, recipe.hands, seed, workers, decode
    )
