"""Which style beats this table? All pairs 0 ≤ α ≤ β ≤ 1 in steps of .1, each in freeze-outs (Baker 2010, section 4.2.3).

Every pair plays on the same deals against the same opponents, seats moving on by one from one tournament to the next, so the
pairs differ by how they play and not by luck. The best of 66 noisy figures is flattered, so the winner is played again on
deals the search never saw; that figure is the one to quote. A tournament that the pair has lost is not played to its end:
most of the hands of a table of tight players come after that.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.interval import Interval, share_interval
from nemesis.measure.result import Score
from nemesis.play.blocks import in_blocks
from nemesis.play.by_name import player
from nemesis.play.match import Player, play_lineups
from nemesis.play.tournament import DEFAULT_MOST_HANDS
from nemesis.play.workers import Workers, run_blocks
from nemesis.respond.agent import Agent, CompiledAgent
from nemesis.respond.simulation import simulation_player
from nemesis.respond.styles import style
from nemesis.rules.deal import deal_tables
from nemesis.rules.game import Game

STEPS = 11
PAIRS: tuple[tuple[float, float], ...] = tuple(
    (alpha / 10, beta / 10) for alpha in range(STEPS) for beta in range(alpha, STEPS)
)
SIMULATED_TOURNAMENTS = 100
"""How many games a pair the simulation player plays in its head (Baker 2010, section 4.2.6)."""
_BLOCK = 100


@dataclass(frozen=True, eq=False)
class PairMap:
    """The share of tournaments each pair won against one table of opponents; `fresh` is the best pair's on new deals."""

    game: str
    opponents: tuple[str, ...]
    tournaments: int
    shares: NDArray[np.float64]
    intervals: NDArray[np.float64]
    fresh: Score
    hands: int
    seed: int
    seconds: float

    @property
    def best(self) -> tuple[float, float]:
        """The pair that won most."""
        return PAIRS[int(self.shares.argmax())]

    def grid(self) -> NDArray[np.float64]:
        """The shares as 11×11, by α and β in tenths; NaN where α > β."""
        grid = np.full((STEPS, STEPS), np.nan)
        for (alpha, beta), share in zip(PAIRS, self.shares, strict=True):
            grid[round(alpha * 10), round(beta * 10)] = share
        return grid

    def share_of(self, alpha: float, beta: float) -> tuple[float, Interval]:
        """What one pair won, with its 95 % interval."""
        nearest = min(range(len(PAIRS)), key=lambda i: abs(PAIRS[i][0] - alpha) + abs(PAIRS[i][1] - beta))
        low, high = self.intervals[nearest]
        return float(self.shares[nearest]), (float(low), float(high))


def search_pairs(
    opponents: Sequence[Player],
    game: Game,
    tournaments: int = 1000,
    *,
    seed: int = 0,
    workers: Workers = 1,
    most_hands: int = DEFAULT_MOST_HANDS,
) -> PairMap:
    """Play every pair against these opponents, `tournaments` freeze-outs each, and the best one again on fresh deals."""
    if tournaments < 1:
        raise ValueError(f"cannot play {tournaments} tournaments a pair; play at least 1")
    if len(opponents) + 1 != game.seats:
        game = game.seated(len(opponents) + 1)
    started = time.perf_counter()
    play = partial(_play, tuple(opponents), game, seed=seed, workers=workers, most_hands=most_hands)
    different, which = distinct_pairs(game)
    won, hands = play(different, range(tournaments))
    won = won[which]
    best = PAIRS[int(won.argmax())]
    again, more = play((best,), range(tournaments, 2 * tournaments))
    figures = [share_interval(float(wins), tournaments) for wins in won]
    return PairMap(
        game=game.name,
        opponents=tuple(player.label for player in opponents),
        tournaments=tournaments,
        shares=np.array([share for share, _ in figures]),
        intervals=np.array([interval for _, interval in figures]),
        fresh=Score(f"style:alpha={best[0]:g},beta={best[1]:g}", *share_interval(float(again[0]), tournaments)),
        hands=hands + more,
        seed=seed,
        seconds=time.perf_counter() - started,
    )


def distinct_pairs(game: Game) -> tuple[tuple[tuple[float, float], ...], NDArray[np.int64]]:
    """One pair of every way to play, and for each pair of the map which of these it is.

    In a game of one card without a board a win probability has few values. Thresholds between the same two of them never
    act differently, so on the same deals they win the same, and one of them speaks for all: 55 of 66 are left of one-card
    poker, where nothing lies between .9 and 1.
    """
    if game.hole_cards != 1 or any(game.board_cards):
        return PAIRS, np.arange(len(PAIRS))
    win = deal_tables(game).small_win[0, :, -1].astype(np.float64)
    values, power = [], win
    for _ in range(1, game.seats):
        values.append(power)
        power = power * win
    place = np.concatenate(values)[:, None] < np.arange(STEPS) / 10  # as `choose_by_thresholds` compares
    column = [place[:, step].tobytes() for step in range(STEPS)]
    ways: dict[tuple[bytes, bytes], int] = {}
    which = [ways.setdefault((column[round(10 * a)], column[round(10 * b)]), len(ways)) for a, b in PAIRS]
    return tuple(PAIRS[which.index(way)] for way in range(len(ways))), np.array(which)


def _play(
    opponents: tuple[Player, ...],
    game: Game,
    pairs: tuple[tuple[float, float], ...],
    numbers: range,
    *,
    seed: int,
    workers: Workers,
    most_hands: int,
) -> tuple[NDArray[np.float64], int]:
    """Tournaments won by each pair, and the hands it took."""
    play = partial(_play_block, game, opponents, pairs, most_hands, seed)
    won, hands = np.zeros(len(pairs)), 0
    for block_won, block_hands in run_blocks(play, in_blocks(numbers, _BLOCK), workers):
        won += block_won
        hands += block_hands
    return won, hands


def _play_block(
    game: Game,
    opponents: tuple[Player, ...],
    thresholds: tuple[tuple[float, float], ...],
    most_hands: int,
    seed: int,
    tournaments: range,
) -> tuple[NDArray[np.float64], int]:
    seats, pairs = game.seats, len(thresholds)
    agents: list[Agent] = [style(game, *pair) for pair in thresholds]
    agents += [player.make(game) for player in opponents]
    numbers = np.array(tournaments, np.int64)
    seated = (np.arange(seats)[None, :] + numbers[:, None]) % seats  # 0 is the pair, 1 … the opponents
    candidate = np.tile(np.arange(pairs), len(numbers))
    lineup = np.repeat(seated, pairs, axis=0)
    mine = np.nonzero(lineup == 0)[1]
    lineup = np.where(lineup == 0, candidate[:, None], lineup + pairs - 1)
    played = play_lineups(
        game, agents, lineup, np.repeat(numbers, pairs),
        hands=most_hands, seed=seed, freeze_out=True, until_out=mine,
    )  # fmt: skip
    chips = played.won[np.arange(len(lineup)), mine] + np.array(game.stacks)[mine]
    return (chips / sum(game.stacks)).reshape(len(numbers), pairs).sum(axis=0), int(played.hands.sum())


def simulation(game: Game, name: str) -> CompiledAgent:
    """Knows its opponents' styles, clockwise from its left, and plays the pair a search finds: simulation-la-lp-tp."""
    return simulation_player(game, name, _quick_best)


@lru_cache(maxsize=1024)
def _quick_best(game: Game, styles: tuple[str, ...]) -> tuple[float, float]:
    opponents = [player(name) for name in styles]
    return search_pairs(opponents, game.seated(len(styles) + 1), SIMULATED_TOURNAMENTS, seed=66).best
