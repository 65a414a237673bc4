"""Every holding at once: how good each of the 1326 is on a board, and how it fares against one known hand."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.rules.canonical import HOLES, flop_code, turn_code
from nemesis.rules.cards import DECK
from nemesis.rules.deal import LookupTables
from nemesis.rules.evaluator import EMPTY_HAND, rank_of
from nemesis.rules.strength import flop_strength, flop_win, turn_strength, turn_win
from nemesis.rules.tabulate import RIVER_HALVES, half_wins_of_all_holes
from nemesis.runtime.chance import GOLDEN, below, scramble
from nemesis.runtime.compiled import inlined, njit

Floats = NDArray[np.float64]


@inlined
def shown_on(street: Any) -> Any:
    """Board cards of a street."""
    return 0 if street == 0 else 2 + street


@njit(error_model="numpy", nogil=True)
def rate_holdings(tables: LookupTables, board: NDArray[np.uint8], street: int, wins: Floats, strengths: Floats) -> None:
    """Every holding's win probability and strength on the board as it stands. Writes both."""
    canonical, strength = tables.canonical, tables.strength
    if street == 3:
        halves, scratch = np.empty(HOLES, np.int32), np.empty((6, HOLES), np.int32)
        half_wins_of_all_holes(board, halves, scratch, tables.evaluator)
        for hole in range(HOLES):
            wins[hole] = strengths[hole] = halves[hole] / RIVER_HALVES
        return
    code = np.int64(0)
    if street == 1:
        code = flop_code(board[0], board[1], board[2], canonical)
    elif street == 2:
        code = turn_code(board[0], board[1], board[2], board[3], canonical)
    for hole in range(HOLES):
        if street == 0:
            wins[hole] = strengths[hole] = strength.preflop[hole]
        elif street == 1:
            wins[hole] = flop_win(code, hole, canonical, strength)
            strengths[hole] = flop_strength(code, hole, canonical, strength)
        else:
            wins[hole] = turn_win(code, hole, canonical, strength)
            strengths[hole] = turn_strength(code, hole, canonical, strength)


@njit(error_model="numpy", nogil=True)
def roll_out(
    evaluator: Any,
    cards: NDArray[np.uint8],
    weights: Floats,
    one: int,
    two: int,
    board_cards: NDArray[np.uint8],
    street: int,
    boards: int,
    key: Any,
    equities: Floats,
) -> None:
    """How often the hand of cards `one` and `two` beats each holding with a weight, on boards drawn at random.

    So many boards are drawn, the same for all holdings; on the river there is one. Writes the equities.
    """
    keys, bits = evaluator.keys, evaluator.bits
    shown = shown_on(street)
    own, own_bits = keys[one] + keys[two], bits[one] | bits[two]
    board, board_bits = EMPTY_HAND, np.uint64(0)
    for i in range(shown):
        board += keys[board_cards[i]]
        board_bits |= bits[board_cards[i]]
    counted = np.zeros(HOLES)
    equities[:] = 0.0
    state = key
    for _ in range(1 if street == 3 else boards):
        full, full_bits = board, board_bits
        for _ in range(5 - shown):
            state += GOLDEN
            card = below(scramble(state), DECK)
            while bits[card] & (own_bits | full_bits):
                state += GOLDEN
                card = below(scramble(state), DECK)
            full += keys[card]
            full_bits |= bits[card]
        ours = rank_of(full + own, full_bits | own_bits, evaluator)
        for hole in range(HOLES):
            if weights[hole] == 0.0:
                continue
            theirs_bits = bits[cards[hole, 0]] | bits[cards[hole, 1]]
            if theirs_bits & full_bits:
                continue
            theirs = rank_of(full + keys[cards[hole, 0]] + keys[cards[hole, 1]], full_bits | theirs_bits, evaluator)
            counted[hole] += 1.0
            equities[hole] += 1.0 if ours > theirs else 0.5 if ours == theirs else 0.0
    for hole in range(HOLES):
        equities[hole] = equities[hole] / counted[hole] if counted[hole] > 0.0 else 0.5
