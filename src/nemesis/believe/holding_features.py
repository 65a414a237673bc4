"""How a holding plays on a complete board, as a row of numbers: its cards, and by street what it made and what it drew to.

A win probability alone does not tell top pair from a set of deuces or a flush draw that missed, and people bet and call
these differently. A row has the two cards, and on flop, turn and river the win probability against a random hand, the share
of holdings it beats by that, which part the hole cards play in the hand made (`MADE`), overcards, the kicker and draws.
Every number is a whole one from 0 to 255, so that the rows of many hands are small.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.range_posterior import HOLDINGS
from nemesis.runtime.compiled import inlined, njit

CARDS = ("high", "low", "pair", "suited", "connected", "one_gap", "two_gaps", "win", "percentile")
MADE = (
    "nothing",
    "low_pair",
    "second_pair",
    "top_pair",
    "low_pocket_pair",
    "second_pocket_pair",
    "overpair",
    "two_pair",
    "trips",
    "set",
    "straight",
    "flush",
    "full_house",
)
"""What the hole cards make with the board; a hand that the board alone makes counts as nothing."""
ON_STREET = (
    "win",
    "percentile",
    *MADE,
    "overcards",
    "kicker",
    "flush_draw_of_one",
    "flush_draw_of_two",
    "flush_draw_high",
    "gutshot",
    "open_straight_draw",
    "backdoor_flush_draw",
)
FEATURES = (*CARDS, *(f"{name}_{street}" for street in ("flop", "turn", "river") for name in ON_STREET))
"""The columns of a row."""
_FIRST, _WIDTH, _FULL = len(CARDS), len(ON_STREET), 255
_MADE_AT, _AFTER_MADE = 2, 2 + len(MADE)
(_NOTHING, _LOW, _SECOND, _TOP, _POCKET_LOW, _POCKET_SECOND, _OVERPAIR, _TWO_PAIR, _TRIPS, _SET, _STRAIGHT, _FLUSH,
 _FULL_HOUSE) = range(len(MADE))  # fmt: skip
_RANK = 20
"""What a rank, 0 to 12, is multiplied with."""


def holding_features(
    board: NDArray[np.int8], win: NDArray[np.float32], holdings: NDArray[np.int8] = HOLDINGS
) -> NDArray[np.uint8]:
    """(holdings, `FEATURES`) rows on five cards, given `range_posterior.win_probabilities`; zeros where cards clash."""
    if min(board.tolist()) < 0 or win.shape != (4, len(holdings)):
        raise ValueError(
            f"features need a board of five cards and the win probabilities (4, {len(holdings)}) of the holdings, "
            f"not {board.tolist()} and {win.shape}"
        )
    rows = np.zeros((len(holdings), len(FEATURES)), np.uint8)
    fill(board.astype(np.int64), holdings.astype(np.int64), win, _percentiles(win), rows)
    return rows


def _percentiles(win: NDArray[np.float32]) -> NDArray[np.float32]:
    """The share of possible holdings with less win probability on each street, and half of equals."""
    found = np.zeros_like(win)
    for street, values in enumerate(win):
        possible = np.isfinite(values)
        ordered = np.sort(values[possible])
        places = sum(np.searchsorted(ordered, values[possible], side) for side in ("left", "right"))
        found[street, possible] = places / (2 * len(ordered))
    return found


@njit(error_model="numpy")
def fill(board: Any, holdings: Any, win: Any, percentile: Any, rows: Any) -> None:
    """Describe every holding that the board leaves. Writes `rows`."""
    counts, suits = np.zeros(13, np.int64), np.zeros(4, np.int64)
    for at in range(len(holdings)):
        if np.isnan(win[0, at]):
            continue
        high, low = holdings[at, 0] // 4, holdings[at, 1] // 4
        row = rows[at]
        row[0], row[1] = high * _RANK, low * _RANK
        row[2] = _FULL * (high == low)
        row[3] = _FULL * (holdings[at, 0] % 4 == holdings[at, 1] % 4)
        for gap in range(3):
            row[4 + gap] = _FULL * (high - low == 1 + gap)
        row[7], row[8] = int(win[0, at] * _FULL), int(percentile[0, at] * _FULL)
    for street in range(1, 4):
        counts[:] = 0
        suits[:] = 0
        for card in board[: street + 2]:
            counts[card // 4] += 1
            suits[card % 4] += 1
        for at in range(len(holdings)):
            if np.isnan(win[0, at]):
                continue
            row = rows[at, _FIRST + (street - 1) * _WIDTH : _FIRST + street * _WIDTH]
            row[0], row[1] = int(win[street, at] * _FULL), int(percentile[street, at] * _FULL)
            describe(counts, suits, holdings[at, 0], holdings[at, 1], street, row)


@njit(error_model="numpy")
def describe(counts: Any, suits: Any, one: int, other: int, street: int, row: Any) -> None:
    """What two cards, the higher rank first, make and draw to with the ranks and suits of a board. Writes `row`."""
    high, low = one // 4, other // 4
    ranks, top = 0, 0
    for rank in range(13):
        if counts[rank] > 0:
            ranks |= 1 << rank
            top = rank
    suit, length, held = 0, 0, 0
    for each in range(4):
        mine = (one % 4 == each) + (other % 4 == each)
        if mine > 0 and suits[each] + mine > length:
            suit, length, held = each, suits[each] + mine, mine
    together = ranks | (1 << high) | (1 << low)
    straight = best_straight(together) > best_straight(ranks)
    made, kicker = made_of_ranks(counts, high, low)
    if made != _FULL_HOUSE:
        if length >= 5:
            made = _FLUSH
        elif straight:
            made = _STRAIGHT
    row[_MADE_AT + made] = _FULL
    row[_AFTER_MADE] = ((high > top) + (low > top)) * 127
    row[_AFTER_MADE + 1] = kicker * _RANK
    if street == 3:
        return
    if length == 4:
        row[_AFTER_MADE + 1 + held] = _FULL
        row[_AFTER_MADE + 4] = (high if one % 4 == suit else low) * _RANK
    if not straight:
        outs = 0
        for rank in range(13):
            card = 1 << rank
            outs += together & card == 0 and best_straight(together | card) > best_straight(ranks | card)
        if outs > 0:
            row[_AFTER_MADE + 5 + (outs > 1)] = _FULL
    if street == 1 and length == 3 and held == 2:
        row[_AFTER_MADE + 7] = _FULL


@inlined
def made_of_ranks(counts: Any, high: int, low: int) -> Any:
    """What two ranks make with those of the board, without straights and flushes, and the card beside it."""
    paired = 0
    for rank in range(13):
        paired += counts[rank] >= 2 and rank != high and rank != low
    if high == low:
        if counts[high] > 0:
            return (_FULL_HOUSE if paired > 0 or counts[high] > 1 else _SET), 0
        return _OVERPAIR - min(ranks_above(counts, high), 2), 0
    if counts[high] > 0 and counts[low] > 0:
        return (_FULL_HOUSE if counts[high] > 1 or counts[low] > 1 else _TWO_PAIR), 0
    if counts[high] == 0 and counts[low] == 0:
        return _NOTHING, high
    rank, kicker = (high, low) if counts[high] > 0 else (low, high)
    if counts[rank] > 1:
        return (_FULL_HOUSE if paired > 0 or counts[rank] > 2 else _TRIPS), kicker
    return _TOP - min(ranks_above(counts, rank), 2), kicker


@inlined
def ranks_above(counts: Any, rank: int) -> int:
    """How many ranks of the board are higher."""
    above = 0
    for each in range(rank + 1, 13):
        above += counts[each] > 0
    return above


@inlined
def best_straight(ranks: int) -> int:
    """1 for the wheel to 10 for one to the ace; 0 without a straight among these rank bits."""
    with_low_ace = (ranks << 1) | (ranks >> 12)
    for low in range(9, -1, -1):
        if (with_low_ace >> low) & 31 == 31:
            return low + 1
    return 0
