"""How fast this machine plays: hands, evaluations and equities per second of CPU time, on one core.

`nemesis bench` prints these; `make bench` puts them beside other libraries (see benchmarks/).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from nemesis.measure.match import play_lineups
from nemesis.respond.agent import Agent, Uncompiled
from nemesis.respond.simple import call, random
from nemesis.respond.styles import loose_aggressive, tight_passive
from nemesis.rules import games
from nemesis.rules.evaluator import count_categories, hand_ranks
from nemesis.rules.game import Game

SEVENS = 133_784_560


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


def play_fresh(game: Game, agents: Sequence[Agent], matches: int, match_hands: int = 1000) -> Callable[[], int]:
    """Matches that each need deals of their own."""
    return _play(game, agents, np.arange(matches), match_hands)


def play_banked(game: Game, agents: Sequence[Agent], matches: int, match_hands: int = 1000) -> Callable[[], int]:
    """Matches that all use the same deals, drawn once: what evolving a population does."""
    return _play(game, agents, np.zeros(matches, np.int64), match_hands)


def _play(game: Game, agents: Sequence[Agent], numbers: np.ndarray, match_hands: int) -> Callable[[], int]:
    lineup = np.tile(np.arange(game.seats), (len(numbers), 1))

    def work() -> int:
        played = play_lineups(game, agents, lineup, numbers, hands=match_hands, seed=1)
        return int(played.hands.sum())

    return work


def workloads() -> dict[str, tuple[str, Callable[[], int]]]:
    """Everything that is measured, by name: the unit and the work."""
    limit, no_limit, six = games.limit(), games.no_limit(), games.no_limit_6()
    ring, one_card = games.ring(), games.one_card()
    styles = [loose_aggressive(limit), tight_passive(limit)]
    hands = np.argsort(np.random.default_rng(1).random((1 << 20, 52)), axis=1)[:, :7].astype(np.uint8)

    def evaluate() -> int:
        hand_ranks(hands)
        return len(hands)

    def enumerate_all() -> int:
        count_categories()
        return SEVENS

    return {
        "seven-card evaluations, random": ("evaluations/s", evaluate),
        "seven-card evaluations, enumerated": ("evaluations/s", enumerate_all),
        "one-card heads-up, la v tp, fresh deals": ("hands/s", play_fresh(one_card, styles, 200)),
        "limit heads-up, la v tp, from a bank": ("hands/s", play_banked(limit, styles, 200)),
        "limit heads-up, la v tp, fresh deals": ("hands/s", play_fresh(limit, styles, 200)),
        "limit heads-up, call v call, from a bank": ("hands/s", play_banked(limit, [call(limit)] * 2, 200)),
        "no-limit heads-up, la v tp, from a bank": ("hands/s", play_banked(no_limit, styles, 200)),
        "no-limit heads-up, random v random, from a bank": ("hands/s", play_banked(no_limit, [random(no_limit)] * 2, 200)),
        "no-limit six seats, la and tp, from a bank": ("hands/s", play_banked(six, styles * 3, 100)),
        "limit ten seats, la and tp, from a bank": ("hands/s", play_banked(ring, styles * 5, 100)),
        "limit heads-up, one Python agent": (
            "hands/s",
            play_fresh(limit, [Uncompiled(tight_passive(limit)), styles[0]], 10),
        ),
    }  # fmt: skip


def measure_speeds(seconds: float = 1.0, progress: Callable[[str], None] = lambda workload: None) -> list[Speed]:
    """Measure every workload for about `seconds` each."""
    speeds = []
    for name, (unit, work) in workloads().items():
        progress(name)
        speeds.append(Speed(name, unit, best_rate(work, seconds)))
    return speeds
