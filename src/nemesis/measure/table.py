"""Duels and tables: who takes how much from whom, per hand, with the luck of the deal cancelled.

A *round* is one match on every rotation of the players over the same deals (heads-up: the same hands with the seats
swapped), with agents reset between matches; the order around the table is drawn anew for every round. Rounds are
independent, so the 95 % interval is taken over rounds. Round `i` depends only on `(game, seed, i)`, and rounds are
grouped into blocks by a fixed rule, so a result does not depend on how many workers played it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.interval import mean_interval
from nemesis.measure.match import DEFAULT_TIME_LIMIT, Player, play_lineups
from nemesis.measure.result import Result, Score, counted, numbered
from nemesis.measure.workers import run_blocks
from nemesis.respond.agent import CompiledAgent
from nemesis.rules.game import Game

_FEWEST_ROUNDS = 20
_BLOCK_HANDS = 200_000
_SLOW_BLOCK_HANDS = 10_000
_MOST_HANDS = 100_000_000

Advance = Callable[[int, int], None]


@dataclass(frozen=True)
class Precision:
    """How narrow the first player's interval must get: half its width at most `share` of the mean or `margin` units."""

    share: float | None = None
    margin: float | None = None

    @classmethod
    def parse(cls, text: str) -> Precision:
        """`5%` is a share of the mean; a plain number is a margin in the result's unit."""
        try:
            value = float(text.rstrip("%")) / (100 if text.endswith("%") else 1)
        except ValueError:
            value = -1.0
        if not value > 0:
            raise ValueError(f"{text!r} is not a precision; write a share such as 5% or a margin such as 10")
        return cls(share=value) if text.endswith("%") else cls(margin=value)

    def reached(self, score: Score) -> bool:
        """Whether this score is narrow enough."""
        wanted = self.margin if self.margin is not None else abs(score.mean) * (self.share or 0.0)
        return score.margin <= wanted


@dataclass(frozen=True)
class _Block:
    game: Game
    players: tuple[Player, ...]
    rounds: range
    match_hands: int
    seed: int
    time_limit: float


def play_table(
    players: Sequence[Player],
    game: Game,
    hands: int,
    *,
    seed: int = 0,
    match_hands: int | None = None,
    workers: int = 1,
    precision: Precision | None = None,
    most_hands: int = _MOST_HANDS,
    time_limit: float = DEFAULT_TIME_LIMIT,
    progress: Advance = lambda done, total: None,
) -> Result:
    """Play about `hands` hands (at least one round) and return every player's mean per hand with its interval.

    With `precision`, play on beyond `hands`, at most to `most_hands`, until the first player's interval is that narrow.
    """
    if hands < 1:
        raise ValueError(f"cannot play {hands} hands; play at least 1")
    if len(players) != game.seats:
        game = game.seated(len(players))
    length = match_hands or default_match_hands(game, hands)
    per_round = length * game.seats
    rounds = max(1, -(-hands // per_round))
    ceiling = max(rounds, most_hands // per_round)
    slow = any(not isinstance(player.make(game), CompiledAgent) for player in players)
    started = time.perf_counter()
    shares: list[NDArray[np.float64]] = []
    played = 0
    while True:
        blocks = _blocks(tuple(players), game, range(played, rounds), length, seed, slow, time_limit)
        for share in run_blocks(_play_block, blocks, workers):
            shares.append(share)
            played += len(share)
            progress(played * per_round, rounds * per_round)
        result = _result(players, game, np.concatenate(shares), per_round, seed, time.perf_counter() - started)
        if precision is None or precision.reached(result.scores[0]) or rounds >= ceiling:
            return result
        rounds = min(ceiling, 2 * rounds)


def default_match_hands(game: Game, hands: int) -> int:
    """The game's own match length, shorter when few hands are asked for, so that there are enough rounds to judge by."""
    return max(1, min(game.match_hands, hands // (game.seats * _FEWEST_ROUNDS)))


def _blocks(
    players: tuple[Player, ...],
    game: Game,
    rounds: range,
    match_hands: int,
    seed: int,
    slow: bool,
    time_limit: float,
) -> Iterator[_Block]:
    size = max(1, (_SLOW_BLOCK_HANDS if slow else _BLOCK_HANDS) // (match_hands * game.seats))
    for start in range(rounds.start, rounds.stop, size):
        yield _Block(game, players, range(start, min(start + size, rounds.stop)), match_hands, seed, time_limit)


def _play_block(block: _Block) -> NDArray[np.float64]:
    """Chips per hand of every player in every round of the block."""
    seats = block.game.seats
    agents = [player.make(block.game) for player in block.players]
    orders = np.array([_seating(block.seed, number, seats) for number in block.rounds])
    turns = (np.arange(seats)[:, None] + np.arange(seats)[None, :]) % seats
    lineup = orders[:, turns].reshape(-1, seats)
    numbers = np.repeat(np.array(block.rounds, np.int64), seats)
    played = play_lineups(
        block.game,
        agents,
        lineup,
        numbers,
        hands=block.match_hands,
        seed=block.seed,
        time_limit=block.time_limit,
    )
    by_player = np.zeros(lineup.shape)
    np.put_along_axis(by_player, lineup, played.won, axis=1)
    chips: NDArray[np.float64] = by_player.reshape(-1, seats, seats).sum(axis=1) / (block.match_hands * seats)
    return chips


def _seating(seed: int, number: int, seats: int) -> NDArray[np.int64]:
    """The order in which the players of this round sit; who sits behind whom should not decide a comparison."""
    order: NDArray[np.int64] = np.random.default_rng([abs(seed), number]).permutation(seats)
    return order


def _result(
    players: Sequence[Player],
    game: Game,
    chips: NDArray[np.float64],
    per_round: int,
    seed: int,
    seconds: float,
) -> Result:
    unit, worth = game.unit
    labels = numbered(tuple(player.label for player in players))
    scores = tuple(Score(label, *mean_interval(chips[:, index] * worth)) for index, label in enumerate(labels))
    return Result(
        game=game.name,
        players=labels,
        hands=len(chips) * per_round,
        matches=len(chips) * game.seats,
        unit=unit,
        scores=scores,
        seed=seed,
        seconds=seconds,
        note=f"{counted(len(chips), 'round')} of {game.seats} matches on the same deals, "
        f"{counted(per_round // game.seats, 'hand')} each",
    )
