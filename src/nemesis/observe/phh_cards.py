"""The cards of a PHH hand put into its row by compiled code: who has which, and who showed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.phh_actions import BOARD
from nemesis.observe.phh_fields import SHOWN
from nemesis.observe.phh_sheet import Scratch
from nemesis.observe.toml_bytes import EXACT, MILLION, read_amounts, scanning, scanning_inlined
from nemesis.observe.view import NOT_YET
from nemesis.rules.evaluator import EMPTY_HAND, EvaluatorTables, rank_of
from nemesis.rules.game import MAX_SEATS


@scanning_inlined
def lay_cards(scratch: Scratch, d: Any) -> Any:
    """Put the cards into the row; False if a card is there twice, or other cards are shown than dealt. Writes `d`."""
    board, cards = scratch.reading[0].board, scratch.cards
    seen = np.int64(0)
    for i in range(board):
        bit = np.int64(1) << np.int64(d.board[i])
        if seen & bit:
            return False
        seen |= bit
    for i in range(board, BOARD):
        d.board[i] = NOT_YET
    for place in range(2 * MAX_SEATS):
        d.hole[place] = NOT_YET if place < 2 * d.seats else 0
    d.shown = 0
    for p in range(d.seats):
        dealt, shown = cards[p, 0] >= 0, cards[p, 2] >= 0
        for i in range(2):
            card = cards[p, i] if dealt else cards[p, 2 + i]
            if card < 0:
                continue
            bit = np.int64(1) << card
            if seen & bit:
                return False
            seen |= bit
            d.hole[2 * p + i] = card
        if shown:
            d.shown |= 1 << p
            same = cards[p, 0] == cards[p, 2] and cards[p, 1] == cards[p, 3]
            turned = cards[p, 0] == cards[p, 3] and cards[p, 1] == cards[p, 2]
            if dealt and not same and not turned:
                return False
    return True


@scanning_inlined
def find_shown(data: NDArray[np.uint8], scratch: Scratch, d: Any) -> Any:
    """Find out whose cards were seen at the end, after the betting; False if that is told wrongly. Writes `shown`.

    The field `_shown` says it. Else it is whoever showed; where nobody is told to have shown or thrown cards away, and two
    or more are left, everybody whose cards are known.
    """
    at, end = scratch.fields[SHOWN, 0], scratch.fields[SHOWN, 1]
    live = scratch.hand[0].live
    if at >= 0:
        d.shown = 0
        count, precision = read_amounts(data, at, end, scratch.numbers)
        if count < 0 or precision != EXACT:
            return False
        for i in range(count):
            p = scratch.numbers[i] // MILLION - 1
            if scratch.numbers[i] % MILLION != 0 or not 0 <= p < d.seats or d.hole[2 * p] < 0:
                return False
            d.shown |= 1 << p
    elif scratch.reading[0].showdown == 0:
        d.shown = 0
        for p in range(d.seats):
            if live & (live - 1) != 0 and (live >> p) & 1 and d.hole[2 * p] >= 0:
                d.shown |= 1 << p
    return True


@scanning
def rank_at_showdown(d: Any, p: int, tables: EvaluatorTables) -> Any:
    """The rank of a position's seven cards."""
    key = EMPTY_HAND
    bits = np.uint64(0)
    for i in range(BOARD + 2):
        card = np.int64(d.board[i]) if i < BOARD else np.int64(d.hole[2 * p + i - BOARD])
        key += tables.keys[card]
        bits |= tables.bits[card]
    return np.int32(rank_of(key, bits, tables))
