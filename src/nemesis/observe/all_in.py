"""What an all-in was worth before the rest of the board fell: payoffs with the luck of the run-out taken out.

If the betting ended before the last street and every hand still in was shown, each seat's payoff is its mean over the
boards that could have come, side pots and ties included: every board from the flop on, a sample of boards before it,
drawn by the hand's own key. The house's rake is taken from the seats in proportion to what they win. All other
payoffs stay.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.about import UNKNOWN
from nemesis.rules.betting import divide, new_hand
from nemesis.rules.evaluator import EMPTY_HAND, EvaluatorTables, evaluator_tables, rank_of
from nemesis.rules.game import MAX_SEATS
from nemesis.runtime.chance import below, nth
from nemesis.runtime.compiled import inlined, njit

BOARDS = 2000
"""Boards that are sampled for an all-in before the flop."""
DECK, BOARD = 52, 5


class Scratch(NamedTuple):
    """What the hand that is looked at lies on."""

    hand: NDArray[np.void]
    total: NDArray[np.float64]  # by position, payoffs over all boards
    ranks: NDArray[np.int32]
    rest: NDArray[np.int64]  # cards that may still come
    board: NDArray[np.int64]


def adjusted_payoffs(
    hands: NDArray[np.void], actions: NDArray[np.void], about: NDArray[np.void]
) -> NDArray[np.float32]:
    """By hand and position, the payoff with the luck of run-outs taken out."""
    adjusted = hands["payoffs"].astype(np.float32)
    scratch = Scratch(
        new_hand(),
        np.zeros(MAX_SEATS),
        np.zeros((1, MAX_SEATS), np.int32),
        np.zeros(DECK, np.int64),
        np.zeros(BOARD, np.int64),
    )
    adjust(hands, actions, about, evaluator_tables(), scratch, adjusted)
    return adjusted


@njit(error_model="numpy", nogil=True)
def adjust(
    hands: NDArray[np.void],
    actions: NDArray[np.void],
    about: NDArray[np.void],
    tables: EvaluatorTables,
    scratch: Scratch,
    adjusted: NDArray[np.float32],
) -> None:
    """`adjusted_payoffs` on arrays. Writes `adjusted` and the scratch."""
    h = scratch.hand[0]
    total = scratch.total
    for at in range(hands.size):
        d = hands[at]
        b = about[at]
        live = b.live
        if live & (live - 1) == 0 or live & ~d.shown != 0 or b.result == UNKNOWN or d.board[4] < 0:
            continue
        street = np.int64(actions[d.first + d.actions - 1].street) if d.actions > 0 else np.int64(0)
        if street >= 3:
            continue
        cards = lay_out(d, b, 0 if street == 0 else 2 + street, scratch)
        boards = run_out(d, np.int64(b.key), street, cards, tables, scratch)
        rake = np.int64(0)
        for p in range(d.seats):
            rake -= d.payoffs[p]
        for p in range(d.seats):
            share = (total[p] / boards + b.spent[p]) / h.pot
            adjusted[at, p] = total[p] / boards - rake * share


@inlined
def lay_out(d: Any, b: Any, dealt: Any, scratch: Scratch) -> int:
    """Put together the pot, the board so far and the cards that may still come; returns how many. Writes `scratch`."""
    h = scratch.hand[0]
    used = np.int64(0)
    for i in range(dealt):
        scratch.board[i] = d.board[i]
        used |= np.int64(1) << np.int64(d.board[i])
    for i in range(2 * d.seats):
        if (b.live >> (i // 2)) & 1:
            used |= np.int64(1) << np.int64(d.hole[i])
    cards = 0
    for card in range(DECK):
        if not (used >> card) & 1:
            scratch.rest[cards] = card
            cards += 1
    h.seats = d.seats
    h.live = b.live
    h.pot = 0
    for p in range(d.seats):
        h.spent[p] = b.spent[p]
        h.pot += b.spent[p]
        scratch.total[p] = 0.0
    return cards


@inlined
def run_out(d: Any, key: Any, street: Any, cards: int, tables: EvaluatorTables, scratch: Scratch) -> Any:
    """Divide the pots on every board that may come, or on many before the flop; returns how many. Adds to `total`."""
    board, rest = scratch.board, scratch.rest
    boards = 0
    if street == 0:
        draws = 0
        for _ in range(BOARDS):
            for i in range(BOARD):
                other = i + below(nth(key, draws), cards - i)
                draws += 1
                rest[i], rest[other] = rest[other], rest[i]
                board[i] = rest[i]
            divide_on(d, tables, scratch)
            boards += 1
        return boards
    for i in range(cards):
        board[street + 2] = rest[i]
        if street == 2:
            divide_on(d, tables, scratch)
            boards += 1
        else:
            for j in range(i):
                board[4] = rest[j]
                divide_on(d, tables, scratch)
                boards += 1
    return boards


@inlined
def divide_on(d: Any, tables: EvaluatorTables, scratch: Scratch) -> None:
    """Divide the pots on the scratch's board. Writes the hand's record and the ranks, and adds to `total`."""
    h = scratch.hand[0]
    key = EMPTY_HAND
    bits = np.uint64(0)
    for i in range(BOARD):
        key += tables.keys[scratch.board[i]]
        bits |= tables.bits[scratch.board[i]]
    for p in range(d.seats):
        scratch.ranks[0, p] = 0
        if (h.live >> p) & 1:
            own = key + tables.keys[d.hole[2 * p]] + tables.keys[d.hole[2 * p + 1]]
            seen = bits | tables.bits[d.hole[2 * p]] | tables.bits[d.hole[2 * p + 1]]
            scratch.ranks[0, p] = rank_of(own, seen, tables)
    divide(h, scratch.ranks, 0)
    for p in range(d.seats):
        scratch.total[p] += h.payoff[p]
