"""Freeze-outs: everyone starts with the game's stacks and plays until one has every chip.

The seats rotate from tournament to tournament and every tournament has deals of its own, so tournaments are
independent. One that is not decided after `most_hands` hands is shared in proportion to the chips.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.hand_file import HandFile
from nemesis.play.blocks import Block, in_blocks
from nemesis.play.match import DEFAULT_TIME_LIMIT, Player, any_slow, play_lineups
from nemesis.play.recording import hand_texts
from nemesis.play.table import Advance, Enough
from nemesis.play.workers import Workers, run_blocks
from nemesis.rules.game import Game
from nemesis.runtime.limits import TOURNAMENT_HANDS, TOURNAMENTS

_BLOCK = 1000
_SLOW_BLOCK = 100
_MOST_TOURNAMENTS = 10_000_000
DEFAULT_MOST_HANDS = 10_000


@dataclass(frozen=True)
class FreezeOuts:
    """Every player's share of the chips at the end, by (tournament, player), and the hands it took in all."""

    game: Game
    shares: NDArray[np.float64]
    hands: int

    @property
    def undecided(self) -> int:
        """How many were shared by chips."""
        return int((self.shares.max(axis=1) < 1).sum())


def play_tournaments(
    players: Sequence[Player],
    game: Game,
    tournaments: int,
    *,
    seed: int = 0,
    most_hands: int = DEFAULT_MOST_HANDS,
    workers: Workers = 1,
    enough: Enough = lambda shares: True,
    time_limit: float = DEFAULT_TIME_LIMIT,
    hand_file: HandFile | None = None,
    progress: Advance = lambda done, total: None,
) -> FreezeOuts:
    """Play so many freeze-outs, and twice as many again until `enough(shares)` is true.

    With a `hand_file`, every hand is written to it, players by their labels.
    """
    TOURNAMENTS.check(tournaments)
    TOURNAMENT_HANDS.check(most_hands)
    if len(players) != game.seats:
        game = game.seated(len(players))
    slow = any_slow(players, game)
    writing = hand_file is not None
    shares: list[NDArray[np.float64]] = []
    done = hands = 0
    while True:
        parts = in_blocks(range(done, tournaments), _SLOW_BLOCK if slow or writing else _BLOCK)
        blocks = (Block(game, tuple(players), part, most_hands, seed, time_limit, writing) for part in parts)
        for share, block_hands, texts in run_blocks(_play_block, blocks, workers):
            shares.append(share)
            done += len(share)
            hands += block_hands
            if hand_file is not None:
                hand_file.add(texts)
            progress(done, tournaments)
        so_far = np.concatenate(shares)
        if enough(so_far) or tournaments >= _MOST_TOURNAMENTS:
            return FreezeOuts(game, so_far, hands)
        tournaments *= 2


def _play_block(block: Block) -> tuple[NDArray[np.float64], int, list[str]]:
    """Every player's share of every tournament, the hands it took, and these as text if they are wanted."""
    seats = block.game.seats
    agents = [player.make(block.game) for player in block.players]
    numbers = np.array(block.numbers, np.int64)
    lineup = (np.arange(seats)[None, :] + numbers[:, None]) % seats
    played = play_lineups(
        block.game, agents, lineup, numbers,
        hands=block.hands, seed=block.seed, freeze_out=True, time_limit=block.time_limit,
        taping=block.writing,
    )  # fmt: skip
    final = (played.won + np.array(block.game.stacks)) / sum(block.game.stacks)
    share = np.zeros_like(final)
    np.put_along_axis(share, lineup, final, axis=1)
    return share, int(played.hands.sum()), hand_texts(played, block.players, block.numbers.start)
