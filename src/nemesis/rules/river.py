"""Rivers are too many to store and quick to count.

Without a flush an opponent's hand depends on two ranks only, so pairs of ranks, whose values are stored for every set
of ranks on the board, stand for 990 opponents. With three or more cards of one suit on the board, holdings of that suit are
counted apart. The stored rows are `StrengthTables.river_classes` and `river_ways`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nemesis.rules.evaluator import LOWEST_FLUSH, without_flush
from nemesis.runtime.compiled import inlined

RANK_COUNT = 13
LANES = 16
"""Cells per rank in a stored row: the ranks and a little, so that sixteen places are one instruction."""
ROW = RANK_COUNT * LANES
_SUITED = 16  # where in scratch ranks of a suit are listed
_NOTHING = np.uint64(0)
SCRATCH = 32
"""How many int64 a caller lends to the river kernels."""


@inlined
def half_wins(theirs: Any, ours: Any, level: Any) -> Any:
    """Two if our rank beats theirs, one if they tie; none if they tie and `level` is one below our rank."""
    return np.int64(theirs < ours) + np.int64(theirs <= level)


@inlined
def flush_suit(board_key: Any) -> Any:
    """The suit of which the board holds three or more, and how many; without such a suit, 0 and 0."""
    suited, on_board = 0, 0
    for suit in range(4):
        count = np.int64((board_key >> np.uint64(4 * suit)) & np.uint64(15)) - 3
        if count >= 3:
            suited, on_board = suit, int(count)
    return suited, on_board


@inlined
def _list_unseen_of_suit(bits: Any, suit: Any, scratch: Any) -> Any:
    """Write to the end of `scratch` the ranks of this suit that are not among `bits`; return how many they are."""
    seen = bits >> np.uint64(16 * suit)
    found = np.int64(0)
    for rank in range(RANK_COUNT):
        scratch[_SUITED + found] = rank
        found += np.int64(1) - np.int64((seen >> np.uint64(rank)) & np.uint64(1))
    return found


@inlined
def _against_all_pairs(row: Any, rank: Any, level: Any, classes: Any, ways: Any) -> Any:
    """Twice the half wins against all pairs of cards not on the board, were there no flushes.

    The sum over ordered pairs of ranks counts every pair of cards twice. It is below 4,500, so 16 bits are enough, and
    sixteen places are one instruction.
    """
    ours, last = np.int16(rank), np.int16(level)
    total = np.int16(0)
    for place in range(ROW):
        theirs = classes[row, place]
        halves = np.int16(np.int16(theirs < ours) + np.int16(theirs <= last))
        total = np.int16(total + np.int16(halves * ways[row, place]))
    return np.int64(total)


@inlined
def _against_pairs_with(held: Any, row: Any, rank: Any, level: Any, classes: Any, ways: Any) -> Any:
    """Half wins against all pairs of a given card of the rank `held` and any card not on the board, itself too."""
    total = 0
    for other in range(RANK_COUNT):
        total += ways[row, ROW + other] * half_wins(classes[row, held * LANES + np.uint64(other)], rank, level)
    return total


@inlined
def _against_rank_pairs(row: Any, one: Any, two: Any, rank: Any, level: Any, classes: Any, ways: Any) -> Any:
    """Half wins against all pairs of unseen cards, were there no flushes, for the hand that holds ranks one and two.

    From all pairs we take, twice, those with either of our cards; then their pairs with each other, and of each with
    itself, have been taken once too often.
    """
    total = _against_all_pairs(row, rank, level, classes, ways)
    total -= 2 * _against_pairs_with(one, row, rank, level, classes, ways)
    total -= 2 * _against_pairs_with(two, row, rank, level, classes, ways)
    total += 2 * half_wins(classes[row, one * LANES + one], rank, level)
    total += 2 * half_wins(classes[row, two * LANES + two], rank, level)
    total += 2 * half_wins(classes[row, one * LANES + two], rank, level)
    return total >> 1


@inlined
def _against_suited_pairs(row: Any, rank: Any, level: Any, found: Any, scratch: Any, classes: Any) -> Any:
    """What the above counted for pairs of the listed cards of one suit."""
    total = 0
    for i in range(found):
        start = np.uint64(scratch[_SUITED + i]) << np.uint64(4)
        for j in range(i):
            total += half_wins(classes[row, start + np.uint64(scratch[_SUITED + j])], rank, level)
    return total


@inlined
def _against_flushes(
    board_bits: Any, suit: Any, on_board: Any, found: Any, rank: Any, level: Any, scratch: Any, flushes: Any
) -> Any:
    """Half wins against the holdings that make a flush with the listed cards of the suit."""
    board = (board_bits >> np.uint64(16 * suit)) & np.uint64(0x1FFF)
    others = 45 - found
    total = 0
    if on_board == 5:
        total += ((others * (others - 1)) >> 1) * half_wins(flushes[board], rank, level)
    for i in range(found):
        with_one = board | (np.uint64(1) << np.uint64(scratch[_SUITED + i]))
        if on_board >= 4:
            total += others * half_wins(flushes[with_one], rank, level)
        for j in range(i):
            total += half_wins(flushes[with_one | (np.uint64(1) << np.uint64(scratch[_SUITED + j]))], rank, level)
    return total


@inlined
def _against_offsuit_pairs(
    row: Any, one: Any, two: Any, rank: Any, level: Any, found: Any, scratch: Any, classes: Any, ways: Any
) -> Any:
    """Half wins against all pairs of unseen cards that are not of the listed ones' suit."""
    for other in range(RANK_COUNT):
        scratch[other] = ways[row, ROW + other]
    scratch[one] -= 1
    scratch[two] -= 1
    for i in range(found):
        scratch[scratch[_SUITED + i]] -= 1
    total = 0
    for high in range(RANK_COUNT):
        for low in range(RANK_COUNT):
            count = scratch[high] * (scratch[low] - (low == high))
            total += count * half_wins(classes[row, high * LANES + low], rank, level)
    return total >> 1


@inlined
def _count_river(
    board_key: Any,
    board_bits: Any,
    first: Any,
    second: Any,
    rank: Any,
    level: Any,
    scratch: Any,
    evaluator: Any,
    strength: Any,
) -> Any:
    """Half wins on any river. One way out: with more, Numba counts references to all tables again and again."""
    classes, ways, flushes = strength.river_classes, strength.river_ways, evaluator.flushes
    hole_bits = evaluator.bits[first] | evaluator.bits[second]
    row = np.uint64(without_flush(board_key, evaluator))
    one, two = np.uint64(first) >> np.uint64(2), np.uint64(second) >> np.uint64(2)
    suit, on_board = flush_suit(board_key)
    total = 0
    if on_board <= 3:
        total += _against_rank_pairs(row, one, two, rank, level, classes, ways)
    if on_board >= 3:
        found = _list_unseen_of_suit(board_bits | hole_bits, suit, scratch)
        if on_board == 3:
            total -= _against_suited_pairs(row, rank, level, found, scratch, classes)
        elif on_board == 4:
            total += _against_offsuit_pairs(row, one, two, rank, level, found, scratch, classes, ways)
        if rank >= LOWEST_FLUSH:
            total += _against_flushes(board_bits, suit, on_board, found, rank, level, scratch, flushes)
    return total


@inlined
def river_half_wins(
    board_key: Any, board_bits: Any, first: Any, second: Any, rank: Any, scratch: Any, evaluator: Any, strength: Any
) -> Any:
    """Half wins, of 1,980, of the hole `first`, `second` on a river, by the board's key and bits and the showdown rank.

    `scratch` is `SCRATCH` int64 lent by the caller.
    """
    return _count_river(board_key, board_bits, first, second, rank, rank, scratch, evaluator, strength)


@inlined
def river_wins(
    board_key: Any, board_bits: Any, first: Any, second: Any, rank: Any, scratch: Any, evaluator: Any, strength: Any
) -> Any:
    """As above, but wins only, of 990, ties left out."""
    return (
        _count_river(board_key, board_bits, first, second, rank, np.int16(rank - 1), scratch, evaluator, strength) >> 1
    )
