"""How likely is a hand that is behind to come out ahead, and one that is ahead to be overtaken?

Hand potential as Papp defines it ("Dealing with imperfect information in poker", 1998, section 5.3; Billings et al., "The
challenge of poker", 2002): compare with every hole an opponent may have, now and after every way to deal the rest of the
board, and tabulate ahead, tied or behind now against ahead, tied or behind at the river. Positive potential is the share
of cases behind now that end ahead, negative potential the share ahead now that end behind; a tie, now or then, is half
of either. We always deal to the river: two cards from the flop, one from the turn. A hand that can be neither behind nor
tied has no positive potential to speak of; we call it 0, and likewise a hand that is never ahead.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.rules.cards import DECK, distinct
from nemesis.rules.evaluator import EMPTY_HAND, evaluator_tables, rank_of
from nemesis.runtime.compiled import inlined, njit

_NOTHING = np.uint64(0)
_FIELD = 7  # bits


def hand_potential(hole: Sequence[int], board: Sequence[int]) -> tuple[float, float]:
    """The positive and the negative potential of a hole on a flop or turn."""
    (ahead, tied, behind) = potential_table(hole, board).tolist()
    ever_behind = sum(behind) + sum(tied) / 2
    ever_ahead = sum(ahead) + sum(tied) / 2
    positive = behind[0] + behind[1] / 2 + tied[0] / 2
    negative = ahead[2] + ahead[1] / 2 + tied[2] / 2
    return (positive / ever_behind if ever_behind else 0.0, negative / ever_ahead if ever_ahead else 0.0)


def potential_table(hole: Sequence[int], board: Sequence[int]) -> NDArray[np.int64]:
    """(3, 3) in how many cases the hole is ahead, tied or behind now (rows) and at the river (columns)."""
    if len(hole) != 2:
        raise ValueError(f"a hold'em hand has 2 cards, not {len(hole)}")
    if len(board) not in (3, 4):
        raise ValueError(f"hand potential is defined on a flop or a turn, not on a board of {len(board)} cards")
    cards = np.array(distinct((*hole, *board)), np.uint8)
    counts = np.zeros(9, np.int64)
    count_potential(cards, counts, evaluator_tables())
    return counts.reshape(3, 3)


@inlined
def _standing(theirs: Any, ours: Any) -> Any:
    """0 if we are ahead, 1 if tied, 2 if behind."""
    return np.int64(theirs > ours) + np.int64(theirs >= ours)


@inlined
def _unseen(cards: Any, out: Any) -> Any:
    """Write the cards that are not among `cards`, lowest first; return how many there are."""
    count = 0
    for card in range(DECK):
        seen = False
        for other in cards:
            seen |= card == other
        if not seen:
            out[count] = card
            count += 1
    return count


@inlined
def _compare_now(key: Any, bits: Any, ours: Any, unseen: Any, count: Any, now: Any, evaluator: Any) -> None:
    """Write to `now[i, j]` how we stand against the unseen cards number i and j, j below i, as the place of a field."""
    for i in range(count):
        one_key, one_bits = key + evaluator.keys[unseen[i]], bits | evaluator.bits[unseen[i]]
        for j in range(i):
            theirs = rank_of(one_key + evaluator.keys[unseen[j]], one_bits | evaluator.bits[unseen[j]], evaluator)
            now[i, j] = 3 * _FIELD * _standing(theirs, ours)


class Left(NamedTuple):
    """Room for the unseen cards that a final board leaves: their places, keys and bits."""

    places: NDArray[np.int64]
    keys: NDArray[np.uint64]
    bits: NDArray[np.uint64]


@inlined
def _compare_then(
    key: Any, bits: Any, ours: Any, unseen: Any, count: Any, scratch: Any, now: Any, counts: Any, evaluator: Any
) -> None:
    """Add to `counts` every holding of the unseen cards that are left by the final board. Writes `scratch`.

    A tally in memory would wait for itself, so the at most 44 cases of an inner loop are counted in nine fields of one
    number.
    """
    left, left_keys, left_bits = scratch
    live = 0
    for i in range(count):
        left[live] = i
        left_keys[live] = evaluator.keys[unseen[i]]
        left_bits[live] = evaluator.bits[unseen[i]]
        live += (bits & left_bits[live]) == _NOTHING
    for a in range(live):
        one_key, one_bits, row = key + left_keys[a], bits | left_bits[a], left[a]
        fields = _NOTHING
        for b in range(a):
            theirs = rank_of(one_key + left_keys[b], one_bits | left_bits[b], evaluator)
            fields += np.uint64(1) << np.uint64(now[row, left[b]] + _FIELD * _standing(theirs, ours))
        for case in range(9):
            counts[case] += np.int64((fields >> np.uint64(_FIELD * case)) & np.uint64((1 << _FIELD) - 1))


@njit(error_model="numpy")
def count_potential(cards: Any, counts: Any, evaluator: Any) -> None:
    """Add to `counts`, three rows of three, the cases of a hole (first two cards) on a flop or turn (the others)."""
    keys, bits = evaluator.keys, evaluator.bits
    hole_key, hole_bits = keys[cards[0]] + keys[cards[1]], bits[cards[0]] | bits[cards[1]]
    board_key, board_bits = EMPTY_HAND, _NOTHING
    for i in range(2, len(cards)):
        board_key += keys[cards[i]]
        board_bits |= bits[cards[i]]
    unseen = np.empty(DECK, np.int64)
    left = Left(np.empty(DECK, np.int64), np.empty(DECK, np.uint64), np.empty(DECK, np.uint64))
    now = np.empty((DECK, DECK), np.int64)
    count = _unseen(cards, unseen)
    ours = rank_of(board_key + hole_key, board_bits | hole_bits, evaluator)
    _compare_now(board_key, board_bits, ours, unseen, count, now, evaluator)
    for i in range(count):
        for j in range(i if len(cards) == 5 else 1):
            key, final = board_key + keys[unseen[i]], board_bits | bits[unseen[i]]
            if len(cards) == 5:
                key, final = key + keys[unseen[j]], final | bits[unseen[j]]
            ours = rank_of(key + hole_key, final | hole_bits, evaluator)
            _compare_then(key, final, ours, unseen, count, left, now, counts, evaluator)
