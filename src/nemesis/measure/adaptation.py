"""How earnings change within a match: what a player takes in the first hands, and what once it knows its opponent.

A match is played in one go and its chips are counted at given hand numbers, so the stretches of a match have the same
agents, memories and deals as the whole. Every match is played twice on the same deals with seats swapped.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.desk import Desk, Seating
from nemesis.play.blocks import in_blocks
from nemesis.play.loop import Lineups, begin_match, play_out
from nemesis.play.match import Arena
from nemesis.play.workers import Workers, blocks_at_once, run_blocks
from nemesis.respond.agent import CompiledAgent
from nemesis.rules.deal import Bank, Dealer
from nemesis.rules.game import Game
from nemesis.runtime.compiled import njit
from nemesis.runtime.streams import Stream, derived_seed


def earnings_by_stretch(
    game: Game,
    player: CompiledAgent,
    opponent: CompiledAgent,
    ends: Sequence[int],
    matches: int,
    *,
    seed: int,
    workers: Workers = 1,
) -> NDArray[np.float64]:
    """mBB/hand in every stretch of every match: (matches, stretches). `ends` are the hand numbers at which stretches end."""
    if list(ends) != sorted(set(ends)) or not ends or ends[0] < 1:
        raise ValueError(f"stretches that end at hands {list(ends)} cannot be; give growing numbers from 1 on")
    if matches < 1:
        raise ValueError(f"{matches} matches measure nothing; play at least 1")
    if game.seats != 2:
        raise ValueError(f"stretches are measured heads-up; {game.name} has {game.seats} seats")
    key = derived_seed(seed, Stream.STRETCHES)
    size = max(1, -(-matches // (4 * blocks_at_once(workers))))
    play = partial(_play, game, player, opponent, np.array(ends, np.int64), key)
    chips = np.concatenate(list(run_blocks(play, in_blocks(range(matches), size), workers)))
    lengths = np.diff([0, *ends])
    rates: NDArray[np.float64] = np.diff(chips, axis=1, prepend=0) * 1000.0 / (game.big_blind * 2 * lengths)
    return rates


def _play(
    game: Game, player: CompiledAgent, opponent: CompiledAgent, ends: NDArray[np.int64], seed: int, matches: range
) -> NDArray[np.int64]:
    """Chips that the player is up at the end of each stretch, over both seats: (matches, stretches)."""
    arena = Arena(game, [player, opponent], seed)
    numbers = np.repeat(np.array(matches), 2)
    seats = np.tile(np.array([[0, 1], [1, 0]]), (len(matches), 1))
    lineups = arena.lineups(seats, numbers, int(ends[-1]), False)
    won = np.zeros((len(numbers), len(ends), 2), np.int64)
    play_stretches(arena.rules, arena.dealer, arena.desk, arena.seating, arena.bank, lineups, ends, won)
    both: NDArray[np.int64] = won[0::2, :, 0] + won[1::2, :, 1]
    return both


@njit(error_model="numpy", nogil=True)
def play_stretches(
    rules: NDArray[np.void],
    dealer: Dealer,
    desk: Desk,
    seating: Seating,
    bank: Bank,
    lineups: Lineups,
    ends: NDArray[np.int64],
    won: NDArray[np.int64],
) -> None:
    """Play every match, stopping at the end of each stretch. Writes `won` (match, stretch, seat)."""
    m = desk.match[0]
    for match in range(lineups.agents.shape[0]):
        begin_match(rules, desk, seating, lineups, match)
        for stretch in range(ends.size):
            m.hands = ends[stretch]
            play_out(rules, dealer, desk, seating, bank, ends[stretch])
            for seat in range(m.seats):
                won[match, stretch, seat] = m.won[seat]
