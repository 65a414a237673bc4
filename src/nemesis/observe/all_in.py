"""What an all-in was worth before the rest of the board fell: payoffs with the luck of the run-out taken out.

If the betting ended before the last street and every hand still in was shown, each seat's payoff is its mean over the
boards that could have come, side pots and ties included: every board from the flop on, a sample of boards before it,
drawn by the hand's own key. The house's rake is taken from the seats in proportion to what they win. All other
payoffs stay.
"""

from __future__ import annotations

from typing import Any

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
DECK = 52


def adjusted_payoffs(
    hands: NDArray[np.void], actions: NDArray[np.void], about: NDArray[np.void]
) -> NDArray[np.float32]:
    """By hand and position, the payoff with the luck of run-outs taken out."""
    adjusted = hands["payoffs"].astype(np.float32)
    scratch = np.zeros(MAX_SEATS), np.zeros((1, MAX_SEATS), np.int32), np.zeros(DECK, np.int64)
    adjust(hands, actions, about, evaluator_tables(), new_hand(), *scratch, adjusted)
    return adjusted


@njit(error_model="numpy", nogil=True)
def adjust(
    hands: NDArray[np.void],
    actions: NDArray[np.void],
    about: NDArray[np.void],
    tables: EvaluatorTables,
    hand: NDArray[np.void],
    total: NDArray[np.float64],
    ranks: NDArray[np.int32],
    rest: NDArray[np.int64],
    adjusted: NDArray[np.float32],
) -> None:
    """`adjusted_payoffs` on arrays. Writes `adjusted` and the scratch arrays."""
    h = hand[0]
    for at in range(hands.size):
        d = hands[at]
        b = about[at]
        live = b.live
        if live & (live - 1) == 0 or live & ~d.shown != 0 or b.result == UNKNOWN or d.board[4] < 0:
            continue
        street = np.int64(actions[d.first + d.actions - 1].street) if d.actions > 0 else 0
        if street >= 3:
            continue
        dealt = 0 if street == 0 else 2 + street
        used = np.int64(0)
        for i in range(dealt):
            used |= np.int64(1) << np.int64(d.board[i])
        for i in range(2 * d.seats):
            if (live >> (i // 2)) & 1:
                used |= np.int64(1) << np.int64(d.hole[i])
        cards = 0
        for card in range(DECK):
            if not (used >> card) & 1:
                rest[cards] = card
                cards += 1
        h.seats = d.seats
        h.live = live
        h.pot = 0
        for p in range(d.seats):
            h.spent[p] = b.spent[p]
            h.pot += b.spent[p]
            total[p] = 0.0
        boards = 0
        if street == 0:
            draws = 0
            for _ in range(BOARDS):
                for i in range(5):
                    other = i + below(nth(np.int64(b.key), draws), cards - i)
                    draws += 1
                    rest[i], rest[other] = rest[other], rest[i]
                one_board(d, h, 0, rest[0], rest[1], rest[2], rest[3], rest[4], ranks, tables, total)
                boards += 1
        elif street == 1:
            for i in range(cards):
                for j in range(i):
                    one_board(d, h, 3, rest[i], rest[j], 0, 0, 0, ranks, tables, total)
                    boards += 1
        else:
            for i in range(cards):
                one_board(d, h, 4, rest[i], 0, 0, 0, 0, ranks, tables, total)
                boards += 1
        rake = np.int64(0)
        for p in range(d.seats):
            rake -= d.payoffs[p]
        for p in range(d.seats):
            share = (total[p] / boards + b.spent[p]) / h.pot
            adjusted[at, p] = total[p] / boards - rake * share


@inlined
def one_board(
    d: Any, h: Any, dealt: int, c0: Any, c1: Any, c2: Any, c3: Any, c4: Any, ranks: Any, tables: Any, total: Any
) -> None:
    """Divide the pots with these cards after the first `dealt` of the board. Writes `h`, `ranks` and adds to `total`."""
    key = EMPTY_HAND
    bits = np.uint64(0)
    for i in range(5):
        card = np.int64(d.board[i]) if i < dealt else c0
        if i == dealt + 1:
            card = c1
        elif i == dealt + 2:
            card = c2
        elif i == dealt + 3:
            card = c3
        elif i == dealt + 4:
            card = c4
        key += tables.keys[card]
        bits |= tables.bits[card]
    for p in range(d.seats):
        ranks[0, p] = 0
        if (h.live >> p) & 1:
            own = key + tables.keys[d.hole[2 * p]] + tables.keys[d.hole[2 * p + 1]]
            seen = bits | tables.bits[d.hole[2 * p]] | tables.bits[d.hole[2 * p + 1]]
            ranks[0, p] = rank_of(own, seen, tables)
    divide(h, ranks, 0)
    for p in range(d.seats):
        total[p] += h.payoff[p]
