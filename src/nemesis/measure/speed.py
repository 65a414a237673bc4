"""How fast this machine plays: hands, evaluations, equities and pursuits per second of CPU time, on one core.

`nemesis bench` prints these; `make bench` puts them beside other libraries (see benchmarks/).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nemesis.play.grid_pursuit import pursue
from nemesis.play.match import play_lineups
from nemesis.respond.agent import Agent, Uncompiled
from nemesis.respond.simple import call, random
from nemesis.respond.styles import loose_aggressive, tight_passive
from nemesis.rules import games
from nemesis.rules.deal import deal
from nemesis.rules.evaluator import evaluator_tables, hand_ranks, rank_hands, run_through_sevens
from nemesis.rules.game import Game
from nemesis.rules.grid_map import grid_map


@dataclass(frozen=True)
class Speed:
    """One workload: what is counted and how many of it per second of CPU time."""

    workload: str
    unit: str
    rate: float


def best_rate(work: Callable[[], int], seconds: float) -> float:
    """The best rate of several runs of `work` (which returns how much it did), spending about `seconds`."""
    work()
    rates: list[float] = []
    spent = 0.0
    while spent < seconds or len(rates) < 3:
        started = time.process_time()
        amount = work()
        elapsed = max(time.process_time() - started, 1e-9)
        rates.append(amount / elapsed)
        spent += elapsed
    return max(rates)


def random_sevens(count: int) -> NDArray[np.uint8]:
    """Seven cards a row, shuffled."""
    dealt = deal(games.limit(), seed=1, count=count, facts=())
    return np.ascontiguousarray(np.hstack([dealt.holes[:, 0], dealt.boards]))


def rank(hands: NDArray[np.uint8]) -> Callable[[], int]:
    """Rank hands with the kernel alone, as everything compiled does."""
    ranks, tables = np.empty(len(hands), np.int16), evaluator_tables()

    def work() -> int:
        rank_hands(hands, ranks, tables)
        return len(hands)

    return work


def rank_checked(hands: NDArray[np.uint8]) -> Callable[[], int]:
    """Rank hands with the public function, which first makes sure that they are hands."""

    def work() -> int:
        return len(hand_ranks(hands))

    return work


def rank_every_seven() -> int:
    """Run through all 133,784,560 seven-card hands, adding a card at a time."""
    hands, _ = run_through_sevens(evaluator_tables(), np.zeros(0, np.int64))
    return int(hands)


def play_fresh(
    game: Game, agents: Sequence[Agent], matches: int, match_hands: int = 1000, taping: bool = False
) -> Callable[[], int]:
    """Matches that each need deals of their own; with `taping`, every hand and action is written down."""
    return _play(game, agents, np.arange(matches), match_hands, taping)


def play_banked(game: Game, agents: Sequence[Agent], matches: int, match_hands: int = 1000) -> Callable[[], int]:
    """Matches that all use the same deals, drawn once: what evolving a population does."""
    return _play(game, agents, np.zeros(matches, np.int64), match_hands)


def _play(
    game: Game, agents: Sequence[Agent], numbers: np.ndarray, match_hands: int, taping: bool = False
) -> Callable[[], int]:
    lineup = np.tile(np.arange(game.seats), (len(numbers), 1))

    def work() -> int:
        played = play_lineups(game, agents, lineup, numbers, hands=match_hands, seed=1, taping=taping)
        return int(played.hands.sum())

    return work


def pursue_on_grid(pursuits: int) -> Callable[[], int]:
    """Pursuits on the grid, the source's terrain and recogniser, a fifth of the moves at random."""
    world = grid_map("halmoids")

    def work() -> int:
        return len(pursue(world, pursuits, noise=0.2).outcomes)

    return work


def workloads(hands: int = 200_000) -> dict[str, tuple[str, Callable[[], int]]]:
    """Everything that is measured, by name: the unit and the work. One call ranks or plays about `hands` hands."""
    limit, no_limit, six = games.limit(), games.no_limit(), games.no_limit_6()
    ring, one_card = games.ring(), games.one_card()
    styles = [loose_aggressive(limit), tight_passive(limit)]
    chance = [random(no_limit)] * 2
    python = [Uncompiled(tight_passive(limit)), styles[0]]
    sevens = random_sevens(hands)
    many, some, few = (max(1, hands // size) for size in (1_000, 2_000, 20_000))
    return {
        "seven-card evaluations, random": ("evaluations/s", rank(sevens)),
        "seven-card evaluations, random, checked": ("evaluations/s", rank_checked(sevens)),
        "seven-card evaluations, enumerated": ("evaluations/s", rank_every_seven),
        "one-card heads-up, la v tp, fresh deals": ("hands/s", play_fresh(one_card, styles, many)),
        "limit heads-up, la v tp, from a bank": ("hands/s", play_banked(limit, styles, many)),
        "limit heads-up, la v tp, fresh deals": ("hands/s", play_fresh(limit, styles, many)),
        "limit heads-up, la v tp, fresh deals, taped": ("hands/s", play_fresh(limit, styles, many, taping=True)),
        "limit heads-up, call v call, from a bank": ("hands/s", play_banked(limit, [call(limit)] * 2, many)),
        "no-limit heads-up, la v tp, from a bank": ("hands/s", play_banked(no_limit, styles, many)),
        "no-limit heads-up, random v random, from a bank": ("hands/s", play_banked(no_limit, chance, many)),
        "no-limit six seats, la and tp, from a bank": ("hands/s", play_banked(six, styles * 3, some)),
        "limit ten seats, la and tp, from a bank": ("hands/s", play_banked(ring, styles * 5, some)),
        "limit heads-up, one Python agent": ("hands/s", play_fresh(limit, python, few)),
        "grid pursuits, noise 0.2": ("pursuits/s", pursue_on_grid(hands)),
    }


def measure_speeds(seconds: float = 1.0, progress: Callable[[str], None] = lambda workload: None) -> list[Speed]:
    """Measure every workload for about `seconds` each."""
    speeds = []
    for name, (unit, work) in workloads().items():
        progress(name)
        speeds.append(Speed(name, unit, best_rate(work, seconds)))
    return speeds
