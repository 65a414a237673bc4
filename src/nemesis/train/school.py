"""A school: whom a candidate meets, for how many generations, and how what it does becomes a fitness.

`tables` are lists of opponents' names. `lessons` are other tables to be met first, each until a generation; a table
that is named twice is met once and counts twice. The schools differ in what is played: `train.tournaments`, `train.matches`
and `train.chips`. All deal by seed and generation, the same deals to all candidates of a generation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from nemesis.evolve.plain import check_ranges
from nemesis.play.workers import Workers
from nemesis.respond.agent import CompiledAgent
from nemesis.rules.game import Game
from nemesis.runtime.streams import Stage

Tables = tuple[tuple[str, ...], ...]
Lessons = tuple[tuple[int, Tables], ...]
Seat = Callable[[str, Game], Any]
"""Makes the opponent of a name."""


@dataclass(frozen=True)
class Lesson:
    """Until which generation, at which tables, and how much each counts; the last lesson has no end."""

    until: int
    tables: tuple[tuple[CompiledAgent, ...], ...]
    weights: tuple[float, ...]


class Fitness(Protocol):
    """How good genomes are. A stage is a generation, or deals that no generation sees."""

    def __call__(self, genomes: Sequence[Any], generation: int) -> NDArray[np.float64]:
        """One number per genome, for a learner."""
        ...

    def fresh(self, genomes: Sequence[Any], stage: Stage, games: int) -> NDArray[np.float64]:
        """One number per genome from so many tournaments or hands at each table, for choosing a champion."""
        ...

    def score(self, genome: Any, stage: Stage, games: int) -> dict[str, Any]:
        """What a champion's file tells: its `fitness`, and its results at each of the `tables` with 95 % intervals."""
        ...


@dataclass(frozen=True)
class School:
    """What all schools share; `games` is how many tournaments or matches a candidate plays at each table."""

    tables: Tables
    generations: int = 500
    games: int = 100
    lessons: Lessons = ()

    def __post_init__(self) -> None:
        check_ranges("a school", self, generations=(1, 1_000_000), games=(1, 1_000_000))
        every = (self.tables, *(tables for _, tables in self.lessons))
        if not all(every) or len({len(table) for tables in every for table in tables}) != 1 or not self.tables[0]:
            raise ValueError("a school must name tables of opponents, all with the same number of seats")
        if any(until < 1 for until, _ in self.lessons):
            raise ValueError("a lesson of this school ends before its run; give a generation from 1 on")

    @property
    def seats(self) -> int:
        """How many sit at a table, the candidate included."""
        return len(self.tables[0]) + 1

    @property
    def unit(self) -> str:
        """What fitness is counted in."""
        raise NotImplementedError(f"{type(self).__name__} does not say what its fitness is counted in")

    @property
    def checks(self) -> int:
        """Fresh tournaments, or hands, that a champion's score is measured on at each table."""
        raise NotImplementedError(f"{type(self).__name__} does not say how many games score a champion")

    def fitness(
        self, game: Game, seat: Seat, decode: Callable[[Any], CompiledAgent], seed: int, workers: Workers
    ) -> Fitness:
        """The fitness of genomes that `decode` makes players of, on the deals of a seed."""
        raise NotImplementedError

    def seated(self, game: Game, seat: Seat) -> tuple[Lesson, ...]:
        """The lessons with opponents at their tables."""
        return tuple(
            Lesson(
                until,
                tuple(tuple(seat(name, game) for name in table) for table in times),
                tuple(map(float, times.values())),
            )
            for until, tables in (*self.lessons, (self.generations, self.tables))
            for times in [Counter(tables)]
        )

    def shortened(self, generations: int) -> Self:
        """The school with fewer generations, its lessons ending after the same share of them."""
        share = generations / self.generations
        lessons = tuple((max(1, round(until * share)), tables) for until, tables in self.lessons)
        return replace(self, generations=generations, lessons=lessons)


def lesson_at(lessons: Sequence[Lesson], stage: Stage) -> Lesson:
    """What this generation is about."""
    return next((lesson for lesson in lessons if stage < lesson.until), lessons[-1])
