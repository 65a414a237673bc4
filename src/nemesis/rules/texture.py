"""What a hold'em board alone says: how likely straights and flushes are on it, and whether it is paired.

`draw_chance` is the probability that a random hand will hold a straight or a flush when the board is complete (the ASHE
paper, table 1: "probability of a random hand hitting flush or straight given the board"). The flush is exact and so is
the straight. The two are joined as if independent, which makes a little too much of boards that offer both: .0136 at
most, on a turn of four suited cards in a row, and less than .001 on average.

Kernels look the straight up by the ranks on the board (`straight_table`) and count suits themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.rules.cards import distinct
from nemesis.runtime.compiled import inlined

RANKS = 13
RANK_SETS = 1 << RANKS
FIXED_POINT = 65535.0
_WHEEL = (1 << 12) | 0b1111
_STRAIGHTS = (_WHEEL, *(0b11111 << low for low in range(9)))


def draw_chance(board: Sequence[int]) -> float:
    """The chance of a random hand to hold a straight or flush at the river, given the board so far."""
    if len(board) not in (0, 3, 4, 5):
        raise ValueError(f"a board has 0, 3, 4 or 5 cards, not {len(board)}")
    cards = np.array([*distinct(board), *[-1] * (5 - len(board))], np.int64)
    return float(board_draws(cards, len(board)))


def paired(board: Sequence[int]) -> float:
    """0 for a board without a pair, .5 with one, 1 with two or more (a rank three times counts as two)."""
    return float(board_pairs(np.array(distinct(board), np.int64), len(board)))


def straight_table() -> NDArray[np.uint16]:
    """(3 * 8192,) by the number of board cards less 3 and the set of ranks on board: the chance in steps of 1/65535."""
    sets = np.arange(RANK_SETS)
    size = np.array([int(ranks).bit_count() for ranks in sets])
    is_straight = np.zeros(RANK_SETS, bool)
    for straight in _STRAIGHTS:
        is_straight |= (sets & straight) == straight
    table = np.zeros((3, RANK_SETS))
    for seen in (3, 4, 5):
        unknown = 7 - seen
        boards = sets[(size <= seen) & (size > 0)]
        added = sets[size <= unknown]
        apart = (boards[:, None] & added[None, :]) == 0
        made = apart & is_straight[boards[:, None] | added[None, :]]
        ways = _ways(seen, size[added], size[boards])
        table[seen - 3, boards] = (made * ways).sum(axis=1) / comb(52 - seen, unknown)
    packed: NDArray[np.uint16] = np.rint(table * FIXED_POINT).astype(np.uint16).ravel()
    packed.flags.writeable = False
    return packed


def _ways(seen: int, new: NDArray[np.int64], old: NDArray[np.int64]) -> NDArray[np.float64]:
    """How many draws to a board of `seen` cards of `old` ranks show exactly `new` given other ranks, and else only those.

    Which ranks of the board are paired does not matter: 4 `old` - `seen` cards of them are left.
    """
    unknown = 7 - seen
    one = np.polynomial.Polynomial([0, 4, 6, 4, 1])
    counts = np.zeros((6, unknown + 1))
    for ranks in range((seen + 3) // 4, seen + 1):
        left = 4 * ranks - seen
        for added in range(unknown + 1):
            product = one**added * np.polynomial.Polynomial([comb(left, i) for i in range(left + 1)])
            counts[ranks, added] = product.coef[unknown] if len(product.coef) > unknown else 0.0
    found: NDArray[np.float64] = counts[old[:, None], new[None, :]]
    return found


def flush_table() -> NDArray[np.float64]:
    """(3 * 6,) by the number of board cards less 3 and the cards of one suit among them: the chance of that flush."""
    table = np.zeros((3, 6))
    for seen in (3, 4, 5):
        unknown = 7 - seen
        for suited in range(seen + 1):
            out, of = 13 - suited, 52 - seen
            hits = [comb(out, k) * comb(of - out, unknown - k) for k in range(max(0, 5 - suited), unknown + 1)]
            table[seen - 3, suited] = sum(hits) / comb(of, unknown)
    table.flags.writeable = False
    flat: NDArray[np.float64] = table.ravel()
    return flat


_STRAIGHT_CHANCES = straight_table()
_FLUSH_CHANCES = flush_table()


@inlined
def board_draws(board: Any, count: int) -> Any:
    """The draw chance of the first `count` cards of a board; 0 before the flop."""
    if count < 3:
        return 0.0
    ranks = 0
    suits = 0
    for i in range(count):
        ranks |= 1 << (board[i] >> 2)
        suits += 1 << (8 * (board[i] & 3))
    flush = 0.0
    for suit in range(4):
        flush += _FLUSH_CHANCES[6 * (count - 3) + ((suits >> (8 * suit)) & 7)]
    straight = _STRAIGHT_CHANCES[RANK_SETS * (count - 3) + ranks] / FIXED_POINT
    return 1.0 - (1.0 - straight) * (1.0 - flush)


@inlined
def board_pairs(board: Any, count: int) -> Any:
    """0, .5 or 1: no pair, one, two or more among the first `count` cards of a board."""
    ranks = 0
    repeats = 0
    for i in range(count):
        bit = 1 << (board[i] >> 2)
        if ranks & bit:
            repeats += 1
        ranks |= bit
    return min(repeats, 2) * 0.5
