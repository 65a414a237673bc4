"""The `actions` of a PHH hand sorted out by compiled code: who did what in turn, the board, cards dealt and shown."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.phh_sheet import Scratch
from nemesis.observe.toml_bytes import (
    EXACT,
    INFINITE,
    first_item,
    next_item,
    read_amount,
    read_text,
    scanning,
    scanning_inlined,
)
from nemesis.rules.cards import RANKS, SUITS

FOLDS, CALLS, RAISES = range(3)
NO_CARD, NOT_A_CARD = -1, -2
BOARD = 5
_B, _C, _D, _F, _H, _M, _P, _R, _S, _SPACE, _DASH, _UNKNOWN = b"bcdfhmprs -?"
_RANK_OF = np.full(256, -1, np.int64)
_SUIT_OF = np.full(256, -1, np.int64)
_RANK_OF[[ord(rank) for rank in RANKS]] = range(13)
_SUIT_OF[[ord(suit) for suit in SUITS]] = range(4)


@scanning_inlined
def read_actions(data: NDArray[np.uint8], at: int, end: int, scratch: Scratch, d: Any) -> Any:
    """Read the list of actions; False if one of them is not plain. Writes turns, cards, the board and their counts."""
    reading = scratch.reading[0]
    reading.given = 0
    reading.board = 0
    reading.showdown = 0
    scratch.cards[:] = NO_CARD
    d.actions = 0
    at = first_item(data, at, end)
    while 0 <= at < end - 1:
        close = read_text(data, at, end)
        if close < 0 or d.actions >= scratch.turns.shape[0] or not read_action(data, at + 1, close, scratch, d):
            return False
        at = next_item(data, close + 1, end)
    return at == end - 1 and reading.board != 1 and reading.board != 2


@scanning_inlined
def read_action(data: NDArray[np.uint8], at: int, close: int, scratch: Scratch, d: Any) -> Any:
    """Read one action: cards dealt, a choice in turn, or cards shown."""
    if close - at > 5 and data[at] == _D and data[at + 1] == _SPACE and data[at + 2] == _D and data[at + 4] == _SPACE:
        if data[at + 3] == _B:
            return read_board(data, at + 5, close, scratch, d)
        return data[at + 3] == _H and read_hole(data, at + 5, close, scratch, d.seats)
    position, at = read_position(data, at, close, d.seats)
    if position < 0 or close - at < 2 or data[at] != _SPACE:
        return False
    at += 1
    left = close - at
    if left == 1 and data[at] == _F:
        return add_turn(position, FOLDS, np.int64(0), scratch, d)
    if left == 2 and data[at] == _C and data[at + 1] == _C:
        return add_turn(position, CALLS, np.int64(0), scratch, d)
    if left > 4 and data[at] == _C and data[at + 1] == _B and data[at + 2] == _R and data[at + 3] == _SPACE:
        after, amount, precision = read_amount(data, at + 4, close)
        if after != close or precision != EXACT or not 0 < amount < INFINITE or not 48 <= data[at + 4] <= 57:
            return False
        return add_turn(position, RAISES, amount, scratch, d)
    if left >= 2 and data[at] == _S and data[at + 1] == _M:
        return read_shown(data, at + 2, close, position, scratch)
    return False


@scanning_inlined
def add_turn(position: Any, code: int, amount: Any, scratch: Scratch, d: Any) -> Any:
    """Write one turn down."""
    turn = scratch.turns[d.actions]
    turn[0] = position
    turn[1] = code
    turn[2] = amount
    turn[3] = scratch.reading[0].board
    d.actions += 1
    return True


@scanning_inlined
def read_board(data: NDArray[np.uint8], at: int, close: int, scratch: Scratch, d: Any) -> Any:
    """Three cards, then one, then one."""
    reading = scratch.reading[0]
    if close - at != (6 if reading.board == 0 else 2) or reading.board >= BOARD:
        return False
    while at < close:
        card = card_at(data, at)
        if card < 0:
            return False
        d.board[reading.board] = card
        reading.board += 1
        at += 2
    return True


@scanning_inlined
def read_hole(data: NDArray[np.uint8], at: int, close: int, scratch: Scratch, seats: int) -> Any:
    """The two cards of a position, which nobody is given twice."""
    reading = scratch.reading[0]
    position, at = read_position(data, at, close, seats)
    if position < 0 or close - at != 5 or data[at] != _SPACE or (reading.given >> position) & 1:
        return False
    reading.given |= 1 << position
    return read_pair(data, at + 1, scratch.cards[position, :2])


@scanning_inlined
def read_shown(data: NDArray[np.uint8], at: int, close: int, position: Any, scratch: Scratch) -> Any:
    """What stands behind `sm`: nothing if the cards were thrown away, the cards, or `-` for those that were dealt."""
    scratch.reading[0].showdown = 1
    if at == close:
        return True
    if data[at] != _SPACE:
        return False
    at += 1
    dealt, shown = scratch.cards[position, :2], scratch.cards[position, 2:]
    if close - at == 1 and data[at] == _DASH:
        if dealt[0] >= 0:
            shown[0] = dealt[0]
            shown[1] = dealt[1]
        return True
    return close - at == 4 and read_pair(data, at, shown)


@scanning
def read_pair(data: NDArray[np.uint8], at: int, pair: NDArray[np.int64]) -> Any:
    """Two cards, or two unknown ones, which change nothing. Writes `pair`."""
    first = card_at(data, at)
    second = card_at(data, at + 2)
    if first == NOT_A_CARD or second == NOT_A_CARD or (first < 0) != (second < 0):
        return False
    if first >= 0:
        pair[0] = first
        pair[1] = second
    return True


@scanning
def card_at(data: NDArray[np.uint8], at: int) -> Any:
    """The card written in these two bytes, NO_CARD for `??`, NOT_A_CARD for anything else."""
    if data[at] == _UNKNOWN and data[at + 1] == _UNKNOWN:
        return np.int64(NO_CARD)
    rank = _RANK_OF[data[at]]
    suit = _SUIT_OF[data[at + 1]]
    if rank < 0 or suit < 0:
        return np.int64(NOT_A_CARD)
    return 4 * rank + suit


@scanning
def read_position(data: NDArray[np.uint8], at: int, end: int, seats: int) -> Any:
    """The position that `p1`, `p2`, … stands for, or -1, and the place behind it."""
    if end - at < 2 or data[at] != _P or not 49 <= data[at + 1] <= 57:
        return np.int64(-1), at
    number = np.int64(data[at + 1] - 48)
    at += 2
    if at < end and 48 <= data[at] <= 57:
        number = 10 * number + np.int64(data[at] - 48)
        at += 1
    return (number - 1 if number <= seats else np.int64(-1)), at
