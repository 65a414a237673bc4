"""How the tables of win probability and strength are made: bottom up, in one pass over the 134,459 canonical rivers.

Rank all 1,081 holes of a river, sort them, and a sweep that counts per card how many weaker holes contain it gives
every hole's wins against the holes that share no card with it. A river's row is then added to each of the turns it came
from by taking away one card, turns to flops, flops to holes. Taking a card from one canonical river stands for many
(river, card) pairs, which differ by suit permutations: the pairs are weighted by how many boards each form has, and the
sum is averaged over the permutations that leave the smaller board as it is.

This runs once per cache folder, so the kernels are compiled only when they are called.
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
from nemesis.rules.cards import DECK
from nemesis.rules.evaluator import EMPTY_HAND, HIGHEST_RANK, RANK_KEYS, evaluator_tables, rank_of, without_flush
from nemesis.rules.river import LANES, RANK_COUNT, ROW
from nemesis.runtime.compiled import inlined, njit

FULL = 65535
"""What a win probability of 1 is stored as."""
FLOP_HALVES, TURN_HALVES, RIVER_HALVES = 2 * comb(47, 2), 2 * comb(46, 2), 2 * comb(45, 2)
"""Twice the number of opponent's holdings: the half wins of a hand that beats them all."""
_NOTHING = np.uint64(0)


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
def half_wins_of_all_holes(board: Any, out: Any, room: Any, evaluator: Any) -> None:
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
        half_wins_of_all_holes(boards[number], values, room, evaluator)
        for hole in range(HOLES):
            out[number, hole] = values[hole]


@inlined
def _fill_river_row(held: Any, board_key: Any, classes: Any, ways: Any, rank_keys: Any, evaluator: Any) -> None:
    """Write, sixteen places a rank, the rank of the board with every two ranks and in how many ways they are drawn."""
    for high in range(RANK_COUNT):
        ways[ROW + high] = 4 - held[high]
        for low in range(RANK_COUNT):
            ways[high * LANES + low] = (4 - held[high]) * (4 - held[low] - (low == high))
            if ways[high * LANES + low] > 0:
                classes[high * LANES + low] = without_flush(board_key + rank_keys[high] + rank_keys[low], evaluator)


@njit()
def _fill_river_rows(classes: Any, ways: Any, rank_keys: Any, evaluator: Any) -> None:
    """Write the row of every set of five ranks, at its rank without flush."""
    held = np.zeros(RANK_COUNT, np.int64)
    for number in range(RANK_COUNT**5):
        held[:] = 0
        key, rest, before = EMPTY_HAND, number, 0
        in_order = True
        for _ in range(5):
            rank = rest % RANK_COUNT
            in_order = in_order and rank >= before
            held[rank] += 1
            key += rank_keys[rank]
            rest //= RANK_COUNT
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
        half_wins_of_all_holes(board, values, room, evaluator)
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


def tabulate() -> dict[str, NDArray[Any]]:
    """All tables, by name."""
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
    river_classes = np.zeros((HIGHEST_RANK + 1, ROW), np.int16)
    river_ways = np.zeros((HIGHEST_RANK + 1, ROW + LANES), np.int8)
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
