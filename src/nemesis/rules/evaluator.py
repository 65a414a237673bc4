"""How good are five, six or seven cards? One addition per card and two small tables answer.

Every card has a 64-bit *key*. The upper bits hold a number for its rank, chosen so that no two different multisets of up
to seven ranks (four of each at most) have the same sum; the low sixteen count the cards of each suit, four bits a suit.
Counters start at 3, so the top bit of a counter says "five or more": a flush. Without a flush the sum of keys leads through
a row-displacement hash (Tarjan and Yao, 1979: the low bits of the sum choose a row, the row says how far to shift the
high bits) straight to the rank. With a flush, the thirteen rank bits of that suit index a second table; among seven cards
a flush excludes a full house and four of a kind, so nothing else need be looked at. All tables take 196 KB.

A *rank* is a number from 1 (seven-five high) to 7462 (royal flush), the same for 5, 6 and 7 cards; larger is better.

The rank keys come from a greedy search: each is the smallest number that keeps all sums different.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import accumulate, combinations, combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import ArrayLike, NDArray

from nemesis.rules.cards import DECK, distinct
from nemesis.runtime.cache import load_or_build
from nemesis.runtime.compiled import inlined, njit

CATEGORIES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
CLASSES = (1277, 2860, 858, 858, 10, 1277, 156, 156, 10)
"""How many ranks each category has; they sum to 7462."""
HIGHEST_RANK = sum(CLASSES)
FIRST_RANKS = tuple(accumulate((1, *CLASSES[:-1])))
"""The lowest rank of each category."""
LOWEST_FLUSH = FIRST_RANKS[5]

RANK_KEYS = (1, 5, 24, 112, 521, 2247, 9244, 30823, 103066, 250154, 667453, 1526359, 3453520)

_VERSION = 2
_ROW_BITS = 13
_ROWS = 1 << _ROW_BITS

# Kernels see these as constants; they are unsigned so that Numba neither promotes to floats nor checks for negatives.
EMPTY_HAND = np.uint64(0x3333)
"""The key of no cards: add the keys of cards to it."""
_FLUSHES = np.uint64(0x8888)
_FLUSH_BEYOND_CLUBS, _FLUSH_BEYOND_DIAMONDS, _FLUSH_OF_SPADES = (
    np.uint64(0x8880),
    np.uint64(0x8800),
    np.uint64(0x8000),
)
_SUIT_BITS = np.uint64(16)
_SUIT_SHIFT = np.uint64(4)
_COLUMN = np.uint64(16 + _ROW_BITS)
_ROW_MASK = np.uint64(_ROWS - 1)
_RANK_MASK = np.uint64(0x1FFF)
_NONE = np.uint64(0)
_BLOCK = 256
_ONE, _TWO, _THREE, _FOUR, _FIVE, _SIX = (np.uint64(n) for n in range(1, 7))


class EvaluatorTables(NamedTuple):
    """Everything the kernels below need to know, passed to them as an argument."""

    keys: NDArray[np.uint64]
    """(52,) what each card adds to the key of a hand"""
    bits: NDArray[np.uint64]
    """(52,) one bit for each card, sixteen bits a suit"""
    offsets: NDArray[np.uint16]
    """(8192,) half of how far each row is shifted; shifts are even so that this table is small"""
    ranks: NDArray[np.int16]
    """the rank of every multiset of 5 to 7 ranks"""
    flushes: NDArray[np.int16]
    """(8192,) the rank of a flush by the ranks of its suit; 0 for fewer than five"""


EVALUATOR_TABLES = types.NamedTuple(
    (types.uint64[::1], types.uint64[::1], types.uint16[::1], types.int16[::1], types.int16[::1]),
    EvaluatorTables,
)
"""The Numba type of `EvaluatorTables`, for explicit signatures."""


def hand_rank(cards: Sequence[int]) -> int:
    """The rank of the best five of 5, 6 or 7 cards: 1 (seven-five high) to 7462 (royal flush)."""
    checked = distinct(cards)
    if not 5 <= len(checked) <= 7:
        raise ValueError(f"a hand has 5, 6 or 7 cards, not {len(checked)}")
    out = np.empty(1, np.int16)
    rank_hands(np.array([checked], np.uint8), out, evaluator_tables())
    return int(out[0])


def hand_ranks(hands: ArrayLike) -> NDArray[np.int16]:
    """The ranks of many hands, one a row, of 5, 6 or 7 cards each."""
    given = np.asarray(hands)
    if given.ndim != 2 or not 5 <= given.shape[1] <= 7:
        raise ValueError(f"hands must be rows of 5, 6 or 7 cards, not an array of shape {given.shape}")
    if given.size and not (given.min() >= 0 and given.max() < DECK):
        raise ValueError(f"a card is a number from 0 to {DECK - 1}; these hands hold {given.min()} to {given.max()}")
    cards = np.ascontiguousarray(given, dtype=np.uint8)
    bad = _hand_with_a_card_twice(cards, evaluator_tables().bits)
    if bad >= 0:
        raise ValueError(f"hand number {bad} holds a card twice: {given[bad].tolist()}")
    out = np.empty(len(cards), np.int16)
    rank_hands(cards, out, evaluator_tables())
    return out


def category(rank: int) -> int:
    """0 for a high card to 8 for a straight flush."""
    if not 1 <= rank <= HIGHEST_RANK:
        raise ValueError(f"{rank} is not the rank of a hand: ranks run from 1 to {HIGHEST_RANK}")
    return bisect_right(FIRST_RANKS, rank) - 1


def category_name(rank: int) -> str:
    """What players call a hand of this rank: "two pair", "flush"."""
    return CATEGORIES[category(rank)]


def count_categories() -> dict[str, int]:
    """How many of all 133,784,560 seven-card hands fall into each category; takes a fraction of a second."""
    counts = np.zeros(HIGHEST_RANK + 1, np.int64)
    run_through_sevens(evaluator_tables(), counts)
    sums = np.add.reduceat(counts, FIRST_RANKS)
    return dict(zip(CATEGORIES, sums.tolist(), strict=True))


@cache
def evaluator_tables() -> EvaluatorTables:
    """The tables, built once per cache folder and loaded once per process."""
    arrays = load_or_build("evaluator", _VERSION, _build, doing="building the hand evaluator (once, about 4 s)…")
    return EvaluatorTables(**arrays)


@inlined
def without_flush(key: Any, tables: Any) -> Any:
    """The rank of the hand with this key if suits did not matter."""
    half_shift = np.uint64(tables.offsets[(key >> _SUIT_BITS) & _ROW_MASK])
    return tables.ranks[(key >> _COLUMN) + half_shift + half_shift]


@inlined
def has_flush(key: Any) -> Any:
    """Whether five or more cards of the hand with this key share a suit."""
    return (key & _FLUSHES) != _NONE


@inlined
def flush_rank(key: Any, bits: Any, tables: Any) -> Any:
    """The rank of a hand that has a flush, by its key and its card bits; nothing here branches."""
    suit = (
        np.uint64((key & _FLUSH_BEYOND_CLUBS) != _NONE)
        + np.uint64((key & _FLUSH_BEYOND_DIAMONDS) != _NONE)
        + np.uint64((key & _FLUSH_OF_SPADES) != _NONE)
    )
    return tables.flushes[(bits >> (suit << _SUIT_SHIFT)) & _RANK_MASK]


@inlined
def rank_of(key: Any, bits: Any, tables: Any) -> Any:
    """The rank of the hand whose cards' keys add up, from `EMPTY_HAND`, to `key` and whose bits together are `bits`."""
    if has_flush(key):
        return flush_rank(key, bits, tables)
    return without_flush(key, tables)


@inlined
def _bits_of(cards: Any, first: Any, width: Any, bits: Any) -> Any:
    together = _NONE
    for j in range(width):
        together |= bits[cards[first + j]]
    return together


@njit(error_model="numpy")
def _rank_sevens(cards: Any, out: Any, tables: Any) -> None:
    """Write to `out` the ranks of hands of seven cards that follow each other.

    A block at a time, in phases, so that what is looked up overlaps: add the keys, rank as if suits did not matter, and
    put right the few flushes, which are hard to predict.
    """
    of = tables.keys
    keys = np.empty(_BLOCK, np.uint64)
    for start in range(0, out.size, _BLOCK):
        count = min(_BLOCK, out.size - start)
        for i in range(count):
            at = np.uint64((start + i) * 7)
            key = of[cards[at]] + of[cards[at + _ONE]] + of[cards[at + _TWO]] + of[cards[at + _THREE]]
            keys[i] = key + of[cards[at + _FOUR]] + of[cards[at + _FIVE]] + of[cards[at + _SIX]] + EMPTY_HAND
        for i in range(count):
            out[start + i] = without_flush(keys[i], tables)
        for i in range(count):
            if has_flush(keys[i]):
                out[start + i] = flush_rank(keys[i], _bits_of(cards, (start + i) * 7, 7, tables.bits), tables)


@njit(error_model="numpy")
def rank_hands(hands: Any, out: Any, tables: Any) -> None:
    """Write to `out` the rank of every row of `hands`, unchecked."""
    width = hands.shape[1]
    cards = hands.reshape(hands.size)
    if width == 7:
        _rank_sevens(cards, out, tables)
        return
    for i in range(hands.shape[0]):
        key = EMPTY_HAND
        for j in range(width):
            key += tables.keys[cards[i * width + j]]
        out[i] = rank_of(key, _bits_of(cards, i * width, width, tables.bits), tables)


@njit()
def _hand_with_a_card_twice(hands: Any, bits: Any) -> int:
    for i in range(hands.shape[0]):
        seen = _NONE
        for j in range(hands.shape[1]):
            if seen & bits[hands[i, j]]:
                return i
            seen |= bits[hands[i, j]]
    return -1


@njit(error_model="numpy")
def run_through_sevens(tables: EvaluatorTables, counts: Any) -> Any:
    """Run through every seven-card hand, adding a card at a time: how many there are and the sum of their ranks.

    `counts[rank]` is raised for each of them instead if it has room for all ranks, which takes twice as long: neighbours
    share a rank, and one counter cannot be raised again before it has been written.
    """
    keys, bits = tables.keys, tables.bits
    hands, total = 0, 0
    for a in range(6, DECK):
        key_a, bits_a = EMPTY_HAND + keys[a], bits[a]
        for b in range(5, a):
            key_b, bits_b = key_a + keys[b], bits_a | bits[b]
            for c in range(4, b):
                key_c, bits_c = key_b + keys[c], bits_b | bits[c]
                for d in range(3, c):
                    key_d, bits_d = key_c + keys[d], bits_c | bits[d]
                    for e in range(2, d):
                        key_e, bits_e = key_d + keys[e], bits_d | bits[e]
                        for f in range(1, e):
                            key_f, bits_f = key_e + keys[f], bits_e | bits[f]
                            hands += f
                            if counts.size == 0:
                                for g in range(f):
                                    total += rank_of(key_f + keys[g], bits_f | bits[g], tables)
                            else:
                                for g in range(f):
                                    counts[rank_of(key_f + keys[g], bits_f | bits[g], tables)] += 1
    return hands, total


def _build() -> dict[str, NDArray[Any]]:
    numbered = _numbered_classes()
    by_sum = _ranks_by_sum(numbered)
    sums = np.fromiter(by_sum.keys(), np.int64, len(by_sum))
    offsets, size = _shift_rows(sums)
    ranks = np.zeros(size, np.int16)
    ranks[(sums >> _ROW_BITS) + 2 * offsets[sums & (_ROWS - 1)].astype(np.int64)] = np.fromiter(
        by_sum.values(), np.int16, len(by_sum)
    )
    cards = range(DECK)
    return {
        "keys": np.array([(RANK_KEYS[card // 4] << 16) + (1 << 4 * (card % 4)) for card in cards], np.uint64),
        "bits": np.array([1 << (16 * (card % 4) + card // 4) for card in cards], np.uint64),
        "offsets": offsets,
        "ranks": ranks,
        "flushes": _flush_ranks(numbered),
    }


def _numbered_classes() -> dict[tuple[int, ...], int]:
    """Every distinct value of five cards, as `_value` describes it, with its rank from 1 to 7462."""
    values = {_value(ranks, flush=False) for ranks in _rank_multisets(5)}
    values |= {_value(ranks, flush=True) for ranks in combinations(range(13), 5)}
    return {value: number for number, value in enumerate(sorted(values), start=1)}


def _value(ranks: Sequence[int], flush: bool) -> tuple[int, ...]:
    """The category of five cards and then their ranks in the order in which ties are broken."""
    counts = Counter(ranks)
    order = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    shape = tuple(counts[rank] for rank in order)
    wheel = order == [12, 3, 2, 1, 0]
    straight = len(order) == 5 and (order[0] - order[4] == 4 or wheel)
    if straight:
        return (8 if flush else 4, 3 if wheel else order[0])
    if flush:
        return (5, *order)
    shapes = {(1, 1, 1, 1, 1): 0, (2, 1, 1, 1): 1, (2, 2, 1): 2, (3, 1, 1): 3, (3, 2): 6, (4, 1): 7}
    return (shapes[shape], *order)


def _rank_multisets(size: int) -> list[tuple[int, ...]]:
    multisets = combinations_with_replacement(range(13), size)
    return [ranks for ranks in multisets if all(ranks[i] != ranks[i + 4] for i in range(size - 4))]


def _ranks_by_sum(numbered: dict[tuple[int, ...], int]) -> dict[int, int]:
    """The rank of every multiset of 5, 6 and 7 ranks by the sum of its keys: the best of all with one card fewer."""
    by_sum = {sum(RANK_KEYS[rank] for rank in five): numbered[_value(five, flush=False)] for five in _rank_multisets(5)}
    for size in (6, 7):
        for ranks in _rank_multisets(size):
            total = sum(RANK_KEYS[rank] for rank in ranks)
            by_sum[total] = max(by_sum[total - RANK_KEYS[rank]] for rank in set(ranks))
    return by_sum


def _flush_ranks(numbered: dict[tuple[int, ...], int]) -> NDArray[np.int16]:
    ranks = np.zeros(1 << 13, np.int16)
    for bits in range(1 << 13):
        held = [rank for rank in range(13) if bits >> rank & 1]
        if len(held) == 5:
            ranks[bits] = numbered[_value(held, flush=True)]
        elif len(held) > 5:
            ranks[bits] = max(ranks[bits & ~(1 << rank)] for rank in held)
    return ranks


def _shift_rows(sums: NDArray[np.int64]) -> tuple[NDArray[np.uint16], int]:
    """Half the shifts of the rows of the hash, which go, fullest first, where they first fit between the others."""
    rows = [np.sort(sums[sums & (_ROWS - 1) == row] >> _ROW_BITS) for row in range(_ROWS)]
    offsets = np.zeros(_ROWS, np.uint16)
    free = np.ones(4 * len(sums), np.bool_)
    first_free = 0
    for row in sorted(range(_ROWS), key=lambda row: -len(rows[row])):
        columns = rows[row]
        if len(columns):
            shift = _first_fit(columns, free, max(0, first_free - int(columns[0])) & ~1)
            offsets[row] = shift // 2
            free[columns + shift] = False
        first_free += int(np.argmax(free[first_free:]))
    return offsets, int(np.flatnonzero(~free)[-1]) + 1


def _first_fit(columns: NDArray[np.int64], free: NDArray[np.bool_], start: int) -> int:
    window = 64
    while True:
        shifts = np.arange(start, start + window, 2)
        for column in columns:
            shifts = shifts[free[shifts + column]]
            if not len(shifts):
                break
        else:
            return int(shifts[0])
        start += window
        window = min(2 * window, 8192)
