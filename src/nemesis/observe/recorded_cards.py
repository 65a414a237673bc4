"""The cards of recorded hands put into a bank, with what follows from them; unknown ones have stand-ins that nobody sees."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.rules.deal import Bank, LookupTables, evaluate_rows
from nemesis.runtime.compiled import inlined, njit


@njit(error_model="numpy")
def load_rows(
    plan: NDArray[np.void], tables: LookupTables, hands: NDArray[np.void], first: int, count: int, bank: Bank
) -> None:
    """Put the cards of hands and the facts of those that are known into the bank. Writes `bank`.

    Cards that the record does not have are stood in for by unused ones; their facts are NaN, and nobody is shown them.
    """
    width = bank.holes.shape[2]
    cards = plan[0].board_cards
    for i in range(count):
        d = hands[first + i]
        used = np.int64(0)
        for p in range(d.seats):
            for c in range(width):
                if d.hole[2 * p + c] >= 0:
                    used |= np.int64(1) << np.int64(d.hole[2 * p + c])
        for c in range(cards):
            if d.board[c] >= 0:
                used |= np.int64(1) << np.int64(d.board[c])
        spare = np.int64(0)
        for place in range(cards + bank.holes.shape[1] * width):
            p = (place - cards) // width
            c = (place - cards) % width
            card = np.int64(-1)
            if place < cards:
                card = np.int64(d.board[place])
            elif p < d.seats:
                card = np.int64(d.hole[2 * p + c])
            if card < 0:
                while (used >> spare) & 1:
                    spare += 1
                card = spare
                spare += 1
            if place < cards:
                bank.boards[i, place] = card
            else:
                bank.holes[i, p, c] = card
    if plan[0].holdem == 0 or plan[0].wants_win != 0 or plan[0].wants_strength != 0:
        evaluate_rows(plan, tables, 0, count, bank)
        forget_unknown(plan, hands, first, count, bank)


@inlined
def board_known(d: Any) -> int:
    """How many board cards the row has."""
    known = 0
    while known < 5 and d.board[known] >= 0:
        known += 1
    return known


@inlined
def forget_unknown(plan: NDArray[np.void], hands: NDArray[np.void], first: int, count: int, bank: Bank) -> None:
    """Put NaN where a fact rests on a card that the record does not have. Writes `bank`."""
    streets = bank.win.shape[2]
    for i in range(count):
        d = hands[first + i]
        known = board_known(d)
        for p in range(bank.holes.shape[1]):
            for street in range(streets):
                unknown = p >= d.seats or d.hole[2 * p] < 0 or dealt_by(plan[0], street) > known
                if unknown:
                    bank.win[i, p, street] = np.nan
                    bank.strength[i, p, street] = np.nan


@inlined
def dealt_by(plan: Any, street: int) -> int:
    """How many board cards a deal's facts of a street rest on."""
    if plan.holdem != 0:
        return 0 if street == 0 else 2 + street
    return plan.board_cards if street >= plan.board_street else 0
