"""Boards that differ only in the names of their suits are one board: 1,755 flops, 16,432 turns, 134,459 rivers.

A board is put into canonical form by sorting its suits: the suit with the largest set of ranks (read as a binary number)
becomes clubs, the next diamonds, and so on. The permutation that does it is then applied to the hole cards, so that a
table of one row per canonical board and one column per hole answers for every board.

A lookup does not sort suits. It numbers the board among all boards of its size (the combinatorial number system: sorted
cards c0 < c1 < ... are number C(c0,1) + C(c1,2) + ...) and reads a *code*, the canonical index and the number of the
permutation together, from a table small enough to stay in cache: 88 KB for flops, 1 MB for turns. Rivers, of which there
are 2.6 million, are looked up by searching the sorted canonical forms instead; nothing hot needs them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import permutations
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from nemesis.rules.cards import DECK, distinct
from nemesis.runtime.cache import load_or_build
from nemesis.runtime.compiled import inlined

FLOPS = 1755
TURNS = 16432
RIVERS = 134459
HOLES = 1326
PERMUTATIONS = tuple(permutations(range(4)))
"""What becomes of clubs, diamonds, hearts and spades; a permutation's number is its place here."""

_VERSION = 1
_PERMUTATION_BITS = 5
_PERMUTATION_MASK = (1 << _PERMUTATION_BITS) - 1


class CanonicalTables(NamedTuple):
    """Boards by their number, and what suit permutations do to holes."""

    flop_codes: NDArray[np.uint32]
    """(22100,) canonical index and permutation of every flop"""
    turn_codes: NDArray[np.uint32]
    """(270725,) the same of every turn"""
    binomials: NDArray[np.int64]
    """(6, 52) binomials[k, n] is the number of ways to choose k of n"""
    holes: NDArray[np.uint16]
    """(24, 1326) the number of a hole after each permutation"""


class CanonicalBoards(NamedTuple):
    """All canonical boards of one street, in the order of their index."""

    cards: NDArray[np.uint8]
    """(boards, cards) the cards, lowest first"""
    forms: NDArray[np.int64]
    """(boards,) the canonical form as one sorted number"""
    sizes: NDArray[np.int64]
    """(boards,) how many boards have this form: 4, 12 or 24, seldom 1 or 6"""


CANONICAL_TABLES = types.NamedTuple(
    (types.uint32[::1], types.uint32[::1], types.int64[:, ::1], types.uint16[:, ::1]), CanonicalTables
)
"""The Numba type of `CanonicalTables`, for explicit signatures."""


def canonical_board(board: Sequence[int]) -> tuple[int, tuple[int, ...]]:
    """The canonical index of a flop, turn or river, and the new suit of each suit in it."""
    cards = distinct(board)
    if not 3 <= len(cards) <= 5:
        raise ValueError(f"a board has 3, 4 or 5 cards, not {len(cards)}")
    forms, numbers = _canonical_forms(np.array([cards], np.uint8))
    index = int(np.searchsorted(canonical_boards(len(cards)).forms, forms[0]))
    return index, PERMUTATIONS[numbers[0]]


def hole_number(hole: Sequence[int]) -> int:
    """The number, 0 to 1325, of two cards in either order."""
    first, second = distinct(hole)
    return int(hole_index(first, second))


def hole_cards() -> NDArray[np.uint8]:
    """(1326, 2) the cards of every hole by its number, the lower first."""
    return _combinations(2)


@cache
def canonical_tables() -> CanonicalTables:
    """The tables for lookups, loaded once per process."""
    kept = _kept()
    return CanonicalTables(*(kept[name] for name in CanonicalTables._fields))


@cache
def canonical_boards(cards: int) -> CanonicalBoards:
    """All canonical boards of 3, 4 or 5 cards."""
    kept = _kept()
    return CanonicalBoards(*(kept[f"{name}_{cards}"] for name in CanonicalBoards._fields))


@inlined
def hole_index(first: Any, second: Any) -> Any:
    """The number of a hole: those of lower cards come first."""
    low, high = min(np.int64(first), np.int64(second)), max(np.int64(first), np.int64(second))
    return ((high * (high - 1)) >> 1) + low


@inlined
def flop_code(a: Any, b: Any, c: Any, tables: Any) -> Any:
    """The code of a flop; see `code_index` and `code_permutation`."""
    a, b, c = np.uint64(a), np.uint64(b), np.uint64(c)
    low, high = min(a, b), max(a, b)
    top = max(high, c)
    rest = min(high, c)
    middle, bottom = max(low, rest), min(low, rest)
    choose = tables.binomials
    return tables.flop_codes[np.uint64(choose[1, bottom] + choose[2, middle] + choose[3, top])]


@inlined
def turn_code(a: Any, b: Any, c: Any, d: Any, tables: Any) -> Any:
    """The code of a turn; see `code_index` and `code_permutation`."""
    a, b, c, d = np.uint64(a), np.uint64(b), np.uint64(c), np.uint64(d)
    low_1, high_1, low_2, high_2 = min(a, b), max(a, b), min(c, d), max(c, d)
    bottom, x = min(low_1, low_2), max(low_1, low_2)
    y, top = min(high_1, high_2), max(high_1, high_2)
    choose = tables.binomials
    return tables.turn_codes[
        np.uint64(choose[1, bottom] + choose[2, min(x, y)] + choose[3, max(x, y)] + choose[4, top])
    ]


@inlined
def code_index(code: Any) -> Any:
    """The canonical index in a code."""
    return np.uint64(code) >> np.uint64(_PERMUTATION_BITS)


@inlined
def code_permutation(code: Any) -> Any:
    """The number of the permutation in a code."""
    return np.uint64(code) & np.uint64(_PERMUTATION_MASK)


@cache
def _kept() -> dict[str, NDArray[Any]]:
    return load_or_build("canonical", _VERSION, _build, doing="numbering boards up to suits (once, about 3 s)…")


def _build() -> dict[str, NDArray[Any]]:
    kept: dict[str, NDArray[Any]] = {
        "binomials": np.array([[comb(n, k) for n in range(DECK)] for k in range(6)], np.int64),
        "holes": np.array([_permuted_holes(permutation) for permutation in PERMUTATIONS], np.uint16),
    }
    for cards, name in ((3, "flop_codes"), (4, "turn_codes"), (5, "")):
        boards = _combinations(cards)
        forms, numbers = _canonical_forms(boards)
        distinct_forms, first, index, sizes = np.unique(
            forms, return_index=True, return_inverse=True, return_counts=True
        )
        suits = np.array(PERMUTATIONS, np.uint8)[numbers[first]]
        chosen = boards[first]
        renamed = chosen & 0xFC | np.take_along_axis(suits, chosen & 3, axis=1)
        kept[f"cards_{cards}"] = np.sort(renamed, axis=1)
        kept[f"forms_{cards}"] = distinct_forms
        kept[f"sizes_{cards}"] = sizes.astype(np.int64)
        if name:
            kept[name] = (index << _PERMUTATION_BITS | numbers).astype(np.uint32)
    return kept


def _combinations(size: int) -> NDArray[np.uint8]:
    """All sets of `size` cards in the order of their number: those below card t are the first C(t, size)."""
    if size == 0:
        return np.empty((1, 0), np.uint8)
    fewer = _combinations(size - 1)
    return np.concatenate(
        [
            np.column_stack([fewer[: comb(top, size - 1)], np.full(comb(top, size - 1), top, np.uint8)])
            for top in range(DECK)
        ]
    )


def _canonical_forms(boards: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Each board's suits' rank sets, largest first, as one number; and the number of the permutation that sorts them."""
    ranks = np.zeros((len(boards), 4), np.int64)
    every = np.arange(len(boards))
    for column in boards.T:
        ranks[every, column & 3] |= np.int64(1) << (column.astype(np.int64) >> 2)
    old_suits = np.argsort(-ranks, axis=1, kind="stable")
    forms = np.take_along_axis(ranks, old_suits, axis=1) @ (1 << np.array([39, 26, 13, 0]))
    new_suits = np.argsort(old_suits, axis=1)
    numbering = np.zeros(256, np.int64)
    weights = np.array([64, 16, 4, 1])
    numbering[np.array(PERMUTATIONS) @ weights] = np.arange(len(PERMUTATIONS))
    return forms, numbering[new_suits @ weights]


def _permuted_holes(permutation: tuple[int, ...]) -> NDArray[np.int64]:
    cards = hole_cards()
    renamed = (cards & 0xFC | np.array(permutation, np.uint8)[cards & 3]).astype(np.int64)
    low, high = renamed.min(axis=1), renamed.max(axis=1)
    numbers: NDArray[np.int64] = high * (high - 1) // 2 + low
    return numbers
