"""Classes of hands, from a high card to a royal flush: what a board offers to an unknown holding, what a hand may become.

*Board texture* (the POM thesis, 2.1.2) is the probability of each class for a random holding on the board as it stands.
*Hand potential* is there "the sum of the probabilities" of the classes that future cards improve a hand to; here it is
exact: the probability that the hand is of a higher class when the board is complete. Any card that makes the class higher
counts, one that pairs the board too. On the river nothing can improve.

This is not the potential of `rules.potential`, which asks whether a hand that is behind comes out ahead.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.rules.cards import DECK, distinct
from nemesis.rules.evaluator import CATEGORIES, EMPTY_HAND, FIRST_RANKS, HIGHEST_RANK, evaluator_tables, rank_of
from nemesis.runtime.compiled import njit

CLASSES = (*CATEGORIES, "royal flush")
_NOTHING = np.uint64(0)


def _class_of_rank() -> NDArray[np.int8]:
    found = (np.searchsorted(FIRST_RANKS, np.arange(HIGHEST_RANK + 1), side="right") - 1).astype(np.int8)
    found[HIGHEST_RANK] = len(CLASSES) - 1
    found.flags.writeable = False
    return found


CLASS_OF_RANK = _class_of_rank()


def board_texture(board: Sequence[int]) -> NDArray[np.float64]:
    """The probability of each of `CLASSES` for a random holding on a board of 0, 3, 4 or 5 cards."""
    if len(board) not in (0, 3, 4, 5):
        raise ValueError(f"a board has 0, 3, 4 or 5 cards, not {len(board)}")
    chances = np.zeros(len(CLASSES))
    write_texture(
        np.array([*distinct(board), *[-1] * (5 - len(board))], np.int8), len(board), chances, evaluator_tables()
    )
    return chances


def improvement(hole: Sequence[int], board: Sequence[int]) -> float:
    """The probability that a hand is of a higher class on the complete board than it is now."""
    if len(hole) != 2 or len(board) not in (0, 3, 4, 5):
        raise ValueError(f"a hand has 2 cards and a board 0, 3, 4 or 5, not {len(hole)} and {len(board)}")
    cards = distinct((*hole, *board))
    if not board:
        high, low = sorted((card // 4 for card in hole), reverse=True)
        return _preflop_improvement(high, low, hole[0] % 4 == hole[1] % 4)
    return float(count_improvement(np.array(cards, np.int64), evaluator_tables()))


@cache
def _preflop_improvement(high: int, low: int, suited: bool) -> float:
    cards = np.array([4 * high, 4 * low + (0 if suited else 1)], np.int64)
    return float(count_improvement(cards, evaluator_tables()))


@njit(error_model="numpy", nogil=True)
def write_texture(board: Any, count: int, chances: Any, tables: Any) -> None:
    """Write to `chances` the probability of every class for a random holding and the first `count` cards of a board."""
    chances[:] = 0.0
    if count == 0:
        chances[1] = 1.0 / 17.0
        chances[0] = 1.0 - chances[1]
        return
    key, bits = EMPTY_HAND, _NOTHING
    for i in range(count):
        key += tables.keys[board[i]]
        bits |= tables.bits[board[i]]
    holdings = 0
    for one in range(DECK):
        if bits & tables.bits[one]:
            continue
        one_key, one_bits = key + tables.keys[one], bits | tables.bits[one]
        for other in range(one):
            if bits & tables.bits[other]:
                continue
            rank = rank_of(one_key + tables.keys[other], one_bits | tables.bits[other], tables)
            chances[CLASS_OF_RANK[rank]] += 1.0
            holdings += 1
    chances /= holdings


@njit(error_model="numpy", nogil=True)
def count_improvement(cards: Any, tables: Any) -> float:
    """The share of complete boards on which a hole (first two cards) is of a higher class than on the others now."""
    known = len(cards)
    key, bits = EMPTY_HAND, _NOTHING
    for i in range(known):
        key += tables.keys[cards[i]]
        bits |= tables.bits[cards[i]]
    if known == 7:
        return 0.0
    if known == 2:
        now = 1 if cards[0] // 4 == cards[1] // 4 else 0
    else:
        now = CLASS_OF_RANK[rank_of(key, bits, tables)]
    better, boards = 0, 0
    for a in range(DECK):
        if bits & tables.bits[a]:
            continue
        key_a, bits_a = key + tables.keys[a], bits | tables.bits[a]
        if known == 6:
            better += CLASS_OF_RANK[rank_of(key_a, bits_a, tables)] > now
            boards += 1
            continue
        for b in range(a):
            if bits & tables.bits[b]:
                continue
            key_b, bits_b = key_a + tables.keys[b], bits_a | tables.bits[b]
            if known == 5:
                better += CLASS_OF_RANK[rank_of(key_b, bits_b, tables)] > now
                boards += 1
                continue
            for c in range(b):
                if bits & tables.bits[c]:
                    continue
                key_c, bits_c = key_b + tables.keys[c], bits_b | tables.bits[c]
                for d in range(c):
                    if bits & tables.bits[d]:
                        continue
                    key_d, bits_d = key_c + tables.keys[d], bits_c | tables.bits[d]
                    for e in range(d):
                        if bits & tables.bits[e]:
                            continue
                        rank = rank_of(key_d + tables.keys[e], bits_d | tables.bits[e], tables)
                        better += CLASS_OF_RANK[rank] > now
                        boards += 1
    return better / boards
