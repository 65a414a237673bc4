"""Exactly how often a hold'em hand beats one unknown hand, on every street.

Two numbers describe a hole on a board, both against an opponent who may hold any two of the unseen cards, ties counting
half. The *win probability* deals all remaining board cards in every possible way; the *hand strength* compares the hands
as they stand, as if no card were to come. Before the flop there is no hand to compare, so there both mean the former; on
the river they are the same number.

Flop and turn are tables of one row per canonical board and one column per hole; nothing is sampled. They are computed
bottom up in one pass over the 134,459 canonical rivers: rank all 1,081 holes, sort them, and a sweep that counts per card
how many weaker holes contain it gives every hole's wins against the holes that share no card with it. A river's row is then
added to each of the turns it came from by taking away one card, turns to flops, flops to holes. Taking a card from one
canonical river stands for many (river, card) pairs, which differ by suit permutations: the pairs are weighted by how many
boards each form has, and the sum is averaged over the permutations that leave the smaller board as it is.

Rivers are too many to store and quick to count: without a flush an opponent's hand depends on two ranks only, so
pairs of ranks, whose values are stored for every set of ranks on the board, stand for 990 opponents. With three or more
cards of one suit on the board, holdings of that suit are counted apart.

Win probabilities on flop and turn are kept as 16-bit numbers in steps of 1/65535, so they are within 8e-6 of the exact
value; preflop they are kept in full; hand strengths are kept as the exact number of half wins.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from nemesis.rules.cache import load_or_build
from nemesis.rules.canonical import (
    FLOPS,
    HOLES,
    PERMUTATIONS,
    TURNS,
    canonical_boards,
    canonical_tables,
    code_index,
    code_permutation,
    flop_code,
    hole_index,
    turn_code,
)
from nemesis.rules.cards import DECK, distinct
from nemesis.rules.compiled import inlined, njit
from nemesis.rules.evaluator import (
    EMPTY_HAND,
    HIGHEST_RANK,
    LOWEST_FLUSH,
    RANK_KEYS,
    evaluator_tables,
    rank_of,
    without_flush,
)

FULL = 65535
"""What a win probability of 1 is stored as."""
FLOP_HALVES, TURN_HALVES, RIVER_HALVES = 2 * comb(47, 2), 2 * comb(46, 2), 2 * comb(45, 2)
"""Twice the number of opponent's holdings: the half wins of a hand that beats them all."""

_VERSION = 2
_RANKS = 13
_LANES = 16
_ROW = _RANKS * _LANES
_SUITED = 16  # where in scratch ranks of a suit are listed
_NOTHING = np.uint64(0)
SCRATCH = 32
"""How many int64 a caller lends to the river kernels."""


class StrengthTables(NamedTuple):
    """Win probabilities and hand strengths by canonical board and hole, and what rivers are counted with."""

    preflop: NDArray[np.float64]
    """(1326,) win probability of a hole"""
    flop_wins: NDArray[np.uint16]
    """(1755, 1326) win probability in steps of 1/65535"""
    turn_wins: NDArray[np.uint16]
    """(16432, 1326) win probability in steps of 1/65535"""
    flop_strengths: NDArray[np.uint16]
    """(1755, 1326) half wins, of 2,162"""
    turn_strengths: NDArray[np.uint16]
    """(16432, 1326) half wins, of 2,070"""
    river_classes: NDArray[np.int16]
    """(7463, 208) by the rank of the board without flush: the rank without flush with each two ranks added"""
    river_ways: NDArray[np.int8]
    """(7463, 224) by the same: in how many ways each two ranks can be drawn, twice if they differ; then the unseen cards
    of each rank"""


STRENGTH_TABLES = types.NamedTuple(
    (
        types.float64[::1],
        types.uint16[:, ::1],
        types.uint16[:, ::1],
        types.uint16[:, ::1],
        types.uint16[:, ::1],
        types.int16[:, ::1],
        types.int8[:, ::1],
    ),
    StrengthTables,
)
"""The Numba type of `StrengthTables`, for explicit signatures."""


def win_probability(hole: Sequence[int], board: Sequence[int] = ()) -> float:
    """How often the hole wins against one random hand when the board is dealt to its end; a tie is half a win."""
    return _answer(hole, board, False)


def hand_strength(hole: Sequence[int], board: Sequence[int] = ()) -> float:
    """How often the hole is ahead of one random hand on the board as it stands; a tie is half."""
    return _answer(hole, board, True)


@cache
def strength_tables() -> StrengthTables:
    """The tables, built once per cache folder and mapped once per process."""
    doing = "building exact win probabilities (once, about 10 s)…"
    return StrengthTables(**load_or_build("strength", _VERSION, _build, doing=doing))


def _answer(hole: Sequence[int], board: Sequence[int], as_it_stands: bool) -> float:
    if len(hole) != 2:
        raise ValueError(f"a hold'em hand has 2 cards, not {len(hole)}")
    if len(board) not in (0, 3, 4, 5):
        raise ValueError(f"a hold'em board has 0, 3, 4 or 5 cards, not {len(board)}")
    cards = np.array(distinct((*hole, *board)), np.uint8)
    scratch = np.empty(SCRATCH, np.int64)
    return float(_look_up(cards, as_it_stands, scratch, evaluator_tables(), canonical_tables(), strength_tables()))


# What is looked up


@inlined
def flop_win(code: Any, hole: Any, canonical: Any, strength: Any) -> Any:
    """The win probability of the hole of this number on the flop of this code."""
    return strength.flop_wins[code_index(code), canonical.holes[code_permutation(code), hole]] * (1.0 / FULL)


@inlined
def turn_win(code: Any, hole: Any, canonical: Any, strength: Any) -> Any:
    """The win probability of the hole of this number on the turn of this code."""
    return strength.turn_wins[code_index(code), canonical.holes[code_permutation(code), hole]] * (1.0 / FULL)


@inlined
def flop_strength(code: Any, hole: Any, canonical: Any, strength: Any) -> Any:
    """The hand strength of the hole of this number on the flop of this code."""
    return strength.flop_strengths[code_index(code), canonical.holes[code_permutation(code), hole]] / FLOP_HALVES


@inlined
def turn_strength(code: Any, hole: Any, canonical: Any, strength: Any) -> Any:
    """The hand strength of the hole of this number on the turn of this code."""
    return strength.turn_strengths[code_index(code), canonical.holes[code_permutation(code), hole]] / TURN_HALVES


# What is counted on the river


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
    for rank in range(_RANKS):
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
    for place in range(_ROW):
        theirs = classes[row, place]
        halves = np.int16(np.int16(theirs < ours) + np.int16(theirs <= last))
        total = np.int16(total + np.int16(halves * ways[row, place]))
    return np.int64(total)


@inlined
def _against_pairs_with(held: Any, row: Any, rank: Any, level: Any, classes: Any, ways: Any) -> Any:
    """Half wins against all pairs of a given card of the rank `held` and any card not on the board, itself too."""
    total = 0
    for other in range(_RANKS):
        total += ways[row, _ROW + other] * half_wins(classes[row, held * _LANES + np.uint64(other)], rank, level)
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
    total += 2 * half_wins(classes[row, one * _LANES + one], rank, level)
    total += 2 * half_wins(classes[row, two * _LANES + two], rank, level)
    total += 2 * half_wins(classes[row, one * _LANES + two], rank, level)
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
    for other in range(_RANKS):
        scratch[other] = ways[row, _ROW + other]
    scratch[one] -= 1
    scratch[two] -= 1
    for i in range(found):
        scratch[scratch[_SUITED + i]] -= 1
    total = 0
    for high in range(_RANKS):
        for low in range(_RANKS):
            count = scratch[high] * (scratch[low] - (low == high))
            total += count * half_wins(classes[row, high * _LANES + low], rank, level)
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


@njit(error_model="numpy")
def _look_up(cards: Any, as_it_stands: Any, scratch: Any, evaluator: Any, canonical: Any, strength: Any) -> Any:
    """The answer for a hole and 0, 3, 4 or 5 board cards."""
    hole = hole_index(cards[0], cards[1])
    if len(cards) == 2:
        return strength.preflop[hole]
    if len(cards) == 5:
        code = flop_code(cards[2], cards[3], cards[4], canonical)
        if as_it_stands:
            return flop_strength(code, hole, canonical, strength)
        return flop_win(code, hole, canonical, strength)
    if len(cards) == 6:
        code = turn_code(cards[2], cards[3], cards[4], cards[5], canonical)
        if as_it_stands:
            return turn_strength(code, hole, canonical, strength)
        return turn_win(code, hole, canonical, strength)
    key, bits = EMPTY_HAND, _NOTHING
    for i in range(2, 7):
        key += evaluator.keys[cards[i]]
        bits |= evaluator.bits[cards[i]]
    hole_bits = evaluator.bits[cards[0]] | evaluator.bits[cards[1]]
    rank = rank_of(key + evaluator.keys[cards[0]] + evaluator.keys[cards[1]], bits | hole_bits, evaluator)
    return river_half_wins(key, bits, cards[0], cards[1], rank, scratch, evaluator, strength) / RIVER_HALVES


# How the tables are made: once, so these kernels have no signature and are compiled only when they are called


@inlined
def _rank_holes(board: Any, ranks: Any, firsts: Any, seconds: Any, evaluator: Any) -> Any:
    """Write the rank and the two cards of every hole that avoids the board; return how many there are."""
    key, bits = EMPTY_HAND, _NOTHING
    for card in board:
        key += evaluator.keys[card]
        bits |= evaluator.bits[card]
    count = 0
    for high in range(1, DECK):
        if bits & evaluator.bits[high]:
            continue
        high_key, high_bits = key + evaluator.keys[high], bits | evaluator.bits[high]
        for low in range(high):
            if not bits & evaluator.bits[low]:
                ranks[count] = rank_of(high_key + evaluator.keys[low], high_bits | evaluator.bits[low], evaluator)
                firsts[count] = low
                seconds[count] = high
                count += 1
    return count


@inlined
def _sort_by_digit(numbers: Any, count: Any, shift: Any, order: Any, sorted_order: Any, starts: Any) -> None:
    """One pass of a radix sort over seven bits: write to `sorted_order` the places in `order` by that digit."""
    starts[:] = 0
    for i in range(count):
        starts[((numbers[i] >> shift) & 127) + 1] += 1
    for digit in range(128):
        starts[digit + 1] += starts[digit]
    for i in range(count):
        digit = (numbers[order[i]] >> shift) & 127
        sorted_order[starts[digit]] = order[i]
        starts[digit] += 1


@inlined
def _sweep(ranks: Any, firsts: Any, seconds: Any, order: Any, count: Any, weaker: Any, out: Any) -> None:
    """Write to `out` the half wins of every hole, going from the weakest to the strongest.

    `weaker[card]` is how many holes passed so far contain the card, so `passed - weaker[a] - weaker[b]` are those that
    hold neither a nor b. A hole counts those below its equals once and, its equals passed, those up to them again.
    """
    weaker[:] = 0
    start = 0
    while start < count:
        end = start
        while end < count and ranks[order[end]] == ranks[order[start]]:
            end += 1
        for i in range(start, end):
            a, b = firsts[order[i]], seconds[order[i]]
            out[hole_index(a, b)] = start - weaker[a] - weaker[b]
        for i in range(start, end):
            weaker[firsts[order[i]]] += 1
            weaker[seconds[order[i]]] += 1
        for i in range(start, end):
            a, b = firsts[order[i]], seconds[order[i]]
            out[hole_index(a, b)] += end - weaker[a] - weaker[b] + 1
        start = end


@inlined
def _half_wins_of_all_holes(board: Any, out: Any, room: Any, evaluator: Any) -> None:
    """Write to `out` every hole's half wins on the board as it stands; `room` is (6, 1326) of scratch."""
    ranks, firsts, seconds, order, half_sorted, counters = (
        room[0],
        room[1],
        room[2],
        room[3],
        room[4],
        room[5],
    )
    count = _rank_holes(board, ranks, firsts, seconds, evaluator)
    for i in range(count):
        order[i] = i
    _sort_by_digit(ranks, count, 0, order, half_sorted, counters[:129])
    _sort_by_digit(ranks, count, 7, half_sorted, order, counters[:129])
    out[:] = 0
    _sweep(ranks, firsts, seconds, order, count, counters[:DECK], out)


@inlined
def _add_permuted(values: Any, weight: Any, moved: Any, out: Any) -> None:
    for hole in range(HOLES):
        out[moved[hole]] += weight * values[hole]


@njit()
def _fill_strengths(boards: Any, out: Any, evaluator: Any) -> None:
    """Write to `out` every hole's half wins on every board as it stands."""
    room = np.empty((6, HOLES), np.int32)
    values = np.empty(HOLES, np.int32)
    for number in range(len(boards)):
        _half_wins_of_all_holes(boards[number], values, room, evaluator)
        for hole in range(HOLES):
            out[number, hole] = values[hole]


@inlined
def _fill_river_row(held: Any, board_key: Any, classes: Any, ways: Any, rank_keys: Any, evaluator: Any) -> None:
    """Write, sixteen places a rank, the rank of the board with every two ranks and in how many ways they are drawn."""
    for high in range(_RANKS):
        ways[_ROW + high] = 4 - held[high]
        for low in range(_RANKS):
            ways[high * _LANES + low] = (4 - held[high]) * (4 - held[low] - (low == high))
            if ways[high * _LANES + low] > 0:
                classes[high * _LANES + low] = without_flush(board_key + rank_keys[high] + rank_keys[low], evaluator)


@njit()
def _fill_river_rows(classes: Any, ways: Any, rank_keys: Any, evaluator: Any) -> None:
    """Write the row of every set of five ranks, at its rank without flush."""
    held = np.zeros(_RANKS, np.int64)
    for number in range(_RANKS**5):
        held[:] = 0
        key, rest, before = EMPTY_HAND, number, 0
        in_order = True
        for _ in range(5):
            rank = rest % _RANKS
            in_order = in_order and rank >= before
            held[rank] += 1
            key += rank_keys[rank]
            rest //= _RANKS
            before = rank
        if in_order and held.max() <= 4:
            row = without_flush(key, evaluator)
            _fill_river_row(held, key, classes[row], ways[row], rank_keys, evaluator)


@njit()
def _add_rivers_to_turns(rivers: Any, sizes: Any, turn_sizes: Any, sums: Any, evaluator: Any, canonical: Any) -> None:
    """Add to `sums` 24 times the half wins of every river at every turn it may come from."""
    room = np.empty((6, HOLES), np.int32)
    values = np.empty(HOLES, np.int32)
    for number in range(len(rivers)):
        board = rivers[number]
        _half_wins_of_all_holes(board, values, room, evaluator)
        for gone in range(5):
            # Indices below 0 count from the end, so these are the cards after and before the one gone.
            code = turn_code(board[gone - 4], board[gone - 3], board[gone - 2], board[gone - 1], canonical)
            turn = code_index(code)
            weight = np.int32(24 * sizes[number] // turn_sizes[turn])
            _add_permuted(values, weight, canonical.holes[code_permutation(code)], sums[turn])


@njit()
def _add_turns_to_flops(turns: Any, sizes: Any, flop_sizes: Any, turn_sums: Any, sums: Any, canonical: Any) -> None:
    """Add to `sums` 24 times the sum of every turn at every flop it may come from."""
    for number in range(len(turns)):
        board = turns[number]
        for gone in range(4):
            code = flop_code(board[gone - 3], board[gone - 2], board[gone - 1], canonical)
            flop = code_index(code)
            weight = 24 * sizes[number] // flop_sizes[flop]
            _add_permuted(turn_sums[number], weight, canonical.holes[code_permutation(code)], sums[flop])


def _build() -> dict[str, NDArray[Any]]:
    evaluator, canonical = evaluator_tables(), canonical_tables()
    flops, turns, rivers = (canonical_boards(cards) for cards in (3, 4, 5))
    turn_sums = np.zeros((TURNS, HOLES), np.int32)
    _add_rivers_to_turns(rivers.cards, rivers.sizes, turns.sizes, turn_sums, evaluator, canonical)
    _average_over_symmetries(turn_sums, turns.cards, turns.sizes)
    flop_sums = np.zeros((FLOPS, HOLES), np.int64)
    _add_turns_to_flops(turns.cards, turns.sizes, flops.sizes, turn_sums, flop_sums, canonical)
    _average_over_symmetries(flop_sums, flops.cards, flops.sizes)
    flop_strengths = np.empty((FLOPS, HOLES), np.uint16)
    _fill_strengths(flops.cards, flop_strengths, evaluator)
    turn_strengths = np.empty((TURNS, HOLES), np.uint16)
    _fill_strengths(turns.cards, turn_strengths, evaluator)
    river_classes = np.zeros((HIGHEST_RANK + 1, _ROW), np.int16)
    river_ways = np.zeros((HIGHEST_RANK + 1, _ROW + _LANES), np.int8)
    _fill_river_rows(river_classes, river_ways, np.array(RANK_KEYS, np.uint64) << np.uint64(16), evaluator)
    return {
        "preflop": _preflop(flop_sums, flops.sizes) / (comb(50, 3) * 47 * 46 * RIVER_HALVES),
        "flop_wins": _in_steps(flop_sums, 47 * 46 * RIVER_HALVES),
        "turn_wins": _in_steps(turn_sums, 46 * RIVER_HALVES),
        "flop_strengths": flop_strengths,
        "turn_strengths": turn_strengths,
        "river_classes": river_classes,
        "river_ways": river_ways,
    }


def _average_over_symmetries(sums: NDArray[Any], boards: NDArray[np.uint8], sizes: NDArray[np.int64]) -> None:
    """Turn 24-fold sums collected through one permutation each into true sums, in place."""
    holes = canonical_tables().holes
    for number in np.flatnonzero(sizes < 24):
        symmetries = [moved for moved, fixed in zip(holes, _fixes(boards[number]), strict=True) if fixed]
        sums[number] = sum(sums[number][moved] for moved in symmetries) // len(symmetries)
    sums //= 24


def _fixes(board: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Which of the 24 permutations leave the board as it is."""
    moved = board & 0xFC | np.array(PERMUTATIONS, np.uint8)[:, board & 3]
    fixed: NDArray[np.bool_] = (np.sort(moved, axis=1) == np.sort(board)).all(axis=1)
    return fixed


def _preflop(flop_sums: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The sum over all flops of every hole's sums."""
    weighted = sizes @ flop_sums
    total: NDArray[np.int64] = sum(weighted[moved] for moved in canonical_tables().holes) // 24
    return total


def _in_steps(sums: NDArray[Any], whole: int) -> NDArray[np.uint16]:
    steps = np.empty(sums.shape, np.uint16)
    for row, values in zip(steps, sums, strict=True):
        row[:] = (values.astype(np.int64) * (2 * FULL) + whole) // (2 * whole)
    return steps
