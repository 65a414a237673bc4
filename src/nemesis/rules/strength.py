"""Exactly how often a hold'em hand beats one unknown hand, on every street.

Two numbers describe a hole on a board, both against an opponent who may hold any two of the unseen cards, ties counting
half. The *win probability* deals all remaining board cards in every possible way; the *hand strength* compares the hands
as they stand, as if no card were to come. Before the flop there is no hand to compare, so there both mean the former; on
the river they are the same number.

Flop and turn are tables of one row per canonical board and one column per hole (made by `tabulate`), rivers are counted
on the fly (by `river`); nothing is sampled.

Win probabilities on flop and turn are kept as 16-bit numbers in steps of 1/65535, so they are within 8e-6 of the exact
value; preflop they are kept in full; hand strengths are kept as the exact number of half wins.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from nemesis.rules.canonical import canonical_tables, code_index, code_permutation, flop_code, hole_index, turn_code
from nemesis.rules.cards import distinct
from nemesis.rules.evaluator import EMPTY_HAND, evaluator_tables, rank_of
from nemesis.rules.river import SCRATCH, river_half_wins
from nemesis.rules.tabulate import FLOP_HALVES, FULL, RIVER_HALVES, TURN_HALVES, tabulate
from nemesis.runtime.cache import load_or_build
from nemesis.runtime.compiled import inlined, njit

_VERSION = 2
_NOTHING = np.uint64(0)


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
    return StrengthTables(**load_or_build("strength", _VERSION, tabulate, doing=doing))


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
