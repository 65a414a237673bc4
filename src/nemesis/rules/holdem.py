"""Everything the cards decide in a batch of hold'em deals: who wins at showdown, and what each hand was worth on the way.

Betting never looks at a card, so a deal is evaluated once, before any hand is played with it: each seat's showdown rank,
and on each of the four streets its exact win probability against one random hand and its strength on the board as it
stands. Rows of the flop and turn tables lie far apart in memory. The work is therefore done in phases over a chunk of
deals (number the boards, then read all flops, then all turns, then count rivers), so that the reads of a phase do not
depend on one another and the processor waits for many at once.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nemesis.rules.canonical import CanonicalTables, canonical_tables, flop_code, hole_index, turn_code
from nemesis.rules.cards import DECK
from nemesis.rules.evaluator import EMPTY_HAND, EvaluatorTables, evaluator_tables, rank_of
from nemesis.rules.river import SCRATCH, river_half_wins
from nemesis.rules.strength import StrengthTables, flop_strength, flop_win, strength_tables, turn_strength, turn_win
from nemesis.rules.tabulate import RIVER_HALVES
from nemesis.runtime.borrowed import unowned
from nemesis.runtime.compiled import inlined, njit

_CHUNK = 128
_NOTHING = np.uint64(0)


class HoldemNumbers(NamedTuple):
    """What the cards of a batch of deals decide, by deal, seat and street."""

    ranks: NDArray[np.int32]
    """(deals, seats) showdown ranks, larger is better"""
    win: NDArray[np.float32]
    """(deals, seats, 4) win probability against one random hand on each street; empty if not wanted"""
    strength: NDArray[np.float32]
    """(deals, seats, 4) strength on the board as it stands, preflop the win probability; empty if not wanted"""


class Wanted(NamedTuple):
    """Which facts to work out beside the ranks."""

    win: bool
    strength: bool


class HoldemTables(NamedTuple):
    """What evaluating hold'em looks up."""

    evaluator: EvaluatorTables
    canonical: CanonicalTables
    strength: StrengthTables


def holdem_numbers(holes: ArrayLike, boards: ArrayLike, win: bool = True, strength: bool = True) -> HoldemNumbers:
    """The exact numbers of deals given as holes (deals, seats, 2) and boards (deals, 5)."""
    all_holes, all_boards = _checked(np.asarray(holes), np.asarray(boards))
    deals, seats = all_holes.shape[:2]
    numbers = HoldemNumbers(
        np.empty((deals, seats), np.int32),
        np.empty((deals if win else 0, seats, 4), np.float32),
        np.empty((deals if strength else 0, seats, 4), np.float32),
    )
    tables = HoldemTables(evaluator_tables(), canonical_tables(), strength_tables())
    fill_holdem_numbers(all_holes, all_boards, numbers, Wanted(win, strength), tables)
    return numbers


def _checked(holes: NDArray[Any], boards: NDArray[Any]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    if holes.ndim != 3 or holes.shape[2] != 2:
        raise ValueError(f"holes must have the shape (deals, seats, 2), not {holes.shape}")
    if boards.shape != (len(holes), 5):
        raise ValueError(f"boards must have the shape {(len(holes), 5)} to go with the holes, not {boards.shape}")
    together = np.concatenate([holes.reshape(len(holes), -1), boards], axis=1)
    if together.size and not (together.min() >= 0 and together.max() < DECK):
        raise ValueError(
            f"a card is a number from 0 to {DECK - 1}; these run from {together.min()} to {together.max()}"
        )
    together = np.sort(together, axis=1)
    twice = np.flatnonzero((together[:, 1:] == together[:, :-1]).any(axis=1))
    if len(twice):
        raise ValueError(f"deal number {twice[0]} holds a card twice: {together[twice[0]].tolist()}")
    return np.ascontiguousarray(holes, np.uint8), np.ascontiguousarray(boards, np.uint8)


@inlined
def _number_boards(boards: Any, start: Any, end: Any, flops: Any, turns: Any, canonical: Any) -> None:
    for deal in range(start, end):
        a, b, c, d = boards[deal, 0], boards[deal, 1], boards[deal, 2], boards[deal, 3]
        flops[deal - start] = flop_code(a, b, c, canonical)
        turns[deal - start] = turn_code(a, b, c, d, canonical)


@inlined
def _read_tables(
    holes: Any, start: Any, end: Any, flops: Any, turns: Any, as_it_stands: Any, out: Any, canonical: Any, strength: Any
) -> None:
    """The numbers before the river: win probabilities, or strengths on the board as it stands. Writes `out`."""
    for deal in range(start, end):
        for seat in range(holes.shape[1]):
            hole = hole_index(holes[deal, seat, 0], holes[deal, seat, 1])
            out[deal, seat, 0] = strength.preflop[hole]
            flop, turn = flops[deal - start], turns[deal - start]
            if as_it_stands:
                out[deal, seat, 1] = flop_strength(flop, hole, canonical, strength)
                out[deal, seat, 2] = turn_strength(turn, hole, canonical, strength)
            else:
                out[deal, seat, 1] = flop_win(flop, hole, canonical, strength)
                out[deal, seat, 2] = turn_win(turn, hole, canonical, strength)


@inlined
def _rank_and_count(
    holes: Any,
    boards: Any,
    start: Any,
    end: Any,
    numbers: Any,
    wanted: Any,
    scratch: Any,
    evaluator: Any,
    strength: Any,
) -> None:
    """Showdown ranks, and the river's numbers where any are wanted. Writes `numbers`."""
    ranks, win, out = numbers.ranks, numbers.win, numbers.strength
    keys, bits = evaluator.keys, evaluator.bits
    for deal in range(start, end):
        board_key, board_bits = EMPTY_HAND, _NOTHING
        for i in range(5):
            board_key += keys[boards[deal, i]]
            board_bits |= bits[boards[deal, i]]
        for seat in range(holes.shape[1]):
            one, two = holes[deal, seat, 0], holes[deal, seat, 1]
            hole_bits = bits[one] | bits[two]
            rank = rank_of(board_key + keys[one] + keys[two], board_bits | hole_bits, evaluator)
            ranks[deal, seat] = rank
            if wanted.win or wanted.strength:
                halves = river_half_wins(board_key, board_bits, one, two, rank, scratch, evaluator, strength)
                if wanted.win:
                    win[deal, seat, 3] = halves * (1.0 / RIVER_HALVES)
                if wanted.strength:
                    out[deal, seat, 3] = halves * (1.0 / RIVER_HALVES)


@njit(error_model="numpy")
def fill_holdem_numbers(holes: Any, boards: Any, numbers: HoldemNumbers, wanted: Wanted, tables: Any) -> None:
    """Write the ranks and what is wanted of the `numbers`; cards are not checked. `tables` has those of `HoldemTables`."""
    evaluator, canonical, strength = unowned(tables.evaluator), unowned(tables.canonical), unowned(tables.strength)
    flops = np.empty(_CHUNK, np.uint32)
    turns = np.empty(_CHUNK, np.uint32)
    scratch = np.empty(SCRATCH, np.int64)
    for start in range(0, holes.shape[0], _CHUNK):
        end = min(holes.shape[0], start + _CHUNK)
        if wanted.win or wanted.strength:
            _number_boards(boards, start, end, flops, turns, canonical)
        if wanted.win:
            _read_tables(holes, start, end, flops, turns, False, numbers.win, canonical, strength)
        if wanted.strength:
            _read_tables(holes, start, end, flops, turns, True, numbers.strength, canonical, strength)
        _rank_and_count(holes, boards, start, end, numbers, wanted, scratch, evaluator, strength)
