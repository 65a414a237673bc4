"""Tables: rounds of matches in which the luck of the deal is cancelled.

A *round* is one match on every rotation of the players over the same deals (heads-up: the same hands with the seats
swapped), with agents reset between matches; the order around the table is drawn anew for every round. Round `i` depends
only on `(game, seed, i)`, and rounds are grouped into blocks by a fixed rule, so what is played does not depend on how
many workers play it. Rounds are independent of each other; `measure.contest` turns them into means with intervals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.hand_file import HandFile
from nemesis.play.blocks import Block, in_blocks
from nemesis.play.luck import Kind, check_luck, luck
from nemesis.play.match import DEFAULT_TIME_LIMIT, Player, any_slow, play_lineups
from nemesis.play.recording import hand_texts
from nemesis.play.workers import Workers, run_blocks
from nemesis.rules.game import Game
from nemesis.runtime.limits import HANDS, MATCH_HANDS
from nemesis.runtime.streams import NumpyStream, generator

_FEWEST_ROUNDS = 20
_BLOCK_HANDS = 200_000
_SLOW_BLOCK_HANDS = 10_000
MOST_HANDS = 100_000_000

Advance = Callable[[int, int], None]
Enough = Callable[[NDArray[np.float64]], bool]


@dataclass(frozen=True)
class Rounds:
    """Chips per hand by (round, player), and how long a match was."""

    game: Game
    chips: NDArray[np.float64]
    match_hands: int

    @property
    def hands(self) -> int:
        """Hands played in all."""
        return len(self.chips) * self.match_hands * self.game.seats


def play_rounds(
    players: Sequence[Player],
    game: Game,
    hands: int,
    *,
    seed: int = 0,
    match_hands: int | None = None,
    workers: Workers = 1,
    enough: Enough = lambda chips: True,
    most_hands: int = MOST_HANDS,
    time_limit: float = DEFAULT_TIME_LIMIT,
    hand_file: HandFile | None = None,
    without_luck: Kind | None = None,
    progress: Advance = lambda done, total: None,
) -> Rounds:
    """Play about `hands` hands (at least one round), and on, at most to `most_hands`, until `enough(chips)` is true.

    With a `hand_file`, every hand is written to it, players by their labels. `without_luck` takes the luck of the cards out
    of the chips (`play.luck`).
    """
    HANDS.check(hands)
    if match_hands is not None:
        MATCH_HANDS.check(match_hands)
    if len(players) != game.seats:
        game = game.seated(len(players))
    if without_luck is not None:
        check_luck(game)
    length = match_hands or default_match_hands(game, hands)
    per_round = length * game.seats
    rounds = max(1, -(-hands // per_round))
    ceiling = max(rounds, most_hands // per_round)
    slow = any_slow(players, game)
    writing = hand_file is not None
    chips: list[NDArray[np.float64]] = []
    played = 0
    while True:
        size = max(1, (_SLOW_BLOCK_HANDS if slow or writing else _BLOCK_HANDS) // per_round)
        parts = in_blocks(range(played, rounds), size)
        blocks = (Block(game, tuple(players), part, length, seed, time_limit, writing, without_luck) for part in parts)
        for block, texts in run_blocks(_play_block, blocks, workers):
            chips.append(block)
            played += len(block)
            if hand_file is not None:
                hand_file.add(texts)
            progress(played * per_round, rounds * per_round)
        so_far = np.concatenate(chips)
        if enough(so_far) or rounds >= ceiling:
            return Rounds(game, so_far, length)
        rounds = min(ceiling, 2 * rounds)


def default_match_hands(game: Game, hands: int) -> int:
    """The game's own match length, shorter when few hands are asked for, so that there are enough rounds to judge by."""
    return max(1, min(game.match_hands, hands // (game.seats * _FEWEST_ROUNDS)))


def _play_block(block: Block) -> tuple[NDArray[np.float64], list[str]]:
    """Chips per hand of every player in every round of the block, and its hands as text if they are wanted."""
    seats = block.game.seats
    agents = [player.make(block.game) for player in block.players]
    orders = np.array([_seating(block.seed, number, seats) for number in block.numbers])
    turns = (np.arange(seats)[:, None] + np.arange(seats)[None, :]) % seats
    lineup = orders[:, turns].reshape(-1, seats)
    numbers = np.repeat(np.array(block.numbers, np.int64), seats)
    played = play_lineups(
        block.game, agents, lineup, numbers, hands=block.hands, seed=block.seed, time_limit=block.time_limit,
        taping=block.writing or block.without_luck is not None,
    )  # fmt: skip
    by_player = np.zeros(lineup.shape)
    np.put_along_axis(by_player, lineup, played.won, axis=1)
    if block.without_luck is not None and played.tape is not None:
        brought = luck(played.tape, block.seed, block.without_luck, block.numbers.start * seats, agents)
        for position, sign in ((0, -1.0), (1, 1.0)):
            whose = played.tape.hands["match"], played.tape.hands["player"][:, position]
            np.add.at(by_player, whose, sign * brought)
    chips: NDArray[np.float64] = by_player.reshape(-1, seats, seats).sum(axis=1) / (block.hands * seats)
    texts = hand_texts(played, block.players, block.numbers.start * seats) if block.writing else []
    return chips, texts


def _seating(seed: int, number: int, seats: int) -> NDArray[np.int64]:
    """The order in which the players of this round sit; who sits behind whom should not decide a comparison."""
    order: NDArray[np.int64] = generator(seed, NumpyStream.SEATING, number).permutation(seats)
    return order
