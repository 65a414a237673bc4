"""How a player sits at the table: on how many tables, what he bought in for, whether he tops up, and how he has fared.

Nobody's cards and no decision are in these numbers. They tell the regular, who plays several tables and keeps a full
stack, from the visitor with what is left of half a buy-in, from the first hand on. They also tell whose luck just turned.
One row for every decision, made from hands before it and from how its own hand began, so all of it is strictly
walk-forward.

A *sitting* is a player's hands at one table with no long gap. Habits, the shares over all his hands, are kept of a player
from one set of hands to the next; sittings are not.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.about import NO_TIME
from nemesis.observe.history import History
from nemesis.runtime.compiled import njit

SITTING = (
    "tables",
    "pace",
    "hands_here",
    "bought_in",
    "full_now",
    "full_share",
    "short_share",
    "topped_up_now",
    "topped_up_share",
    "posted_now",
    "posted_share",
    "away",
    "last_won",
    "won_here",
    "won_lately",
)
"""The columns of a row. Stacks are in big blinds; amounts won and what was bought in for are logarithms with a sign."""
(
    TABLES,
    PACE,
    HANDS_HERE,
    BOUGHT_IN,
    FULL_NOW,
    FULL_SHARE,
    SHORT_SHARE,
    TOPPED_UP_NOW,
    TOPPED_UP_SHARE,
    POSTED_NOW,
    POSTED_SHARE,
    AWAY,
    LAST_WON,
    WON_HERE,
    WON_LATELY,
) = range(len(SITTING))

HABITS = ("hands", "full", "recent", "short", "below", "topped_up", "posted")
"""Counts of hands: all, begun with a full stack (recent ones, of `recent`), with a short one, below a full one and then
topped up, and those posted for."""
HANDS, FULL, RECENT, SHORT, BELOW, TOPPED_UP, POSTED = range(len(HABITS))
FULL_STACK, SHORT_STACK = 100.0, 60.0
_AT_ONCE = 24
"""Sittings of a player that are kept; the one longest ago makes room."""
_LONG = 1800
"""Seconds without a hand that end a sitting."""
_LATELY = 600
"""Seconds in which a table counts as played, and in which the pace forgets."""
_SLACK = 0.5
"""Big blinds by which a stack must have grown between hands to be topped up."""
_MOST = 1e4


class Sitters(NamedTuple):
    """The seats of hands, sorted by who sat there: `starts[i]:starts[i + 1]` are the hands of player `i`, in order."""

    hand: NDArray[np.int64]
    position: NDArray[np.int64]
    starts: NDArray[np.int64]


class _Sitting(NamedTuple):
    """The open sittings of one player."""

    table: NDArray[np.int64]
    time: NDArray[np.int64]
    hands: NDArray[np.int64]
    bought_in: NDArray[np.float64]
    left: NDArray[np.float64]
    last: NDArray[np.float64]
    won: NDArray[np.float64]
    lately: NDArray[np.float64]


class _Seen(NamedTuple):
    """By hand what is read of it."""

    time: NDArray[np.int64]
    table: NDArray[np.int64]
    posts: NDArray[np.int64]
    big_blind: NDArray[np.float64]
    stacks: NDArray[np.int64]
    payoffs: NDArray[np.int64]


def no_habits(players: int) -> NDArray[np.float32]:
    """Nothing known of so many players."""
    return np.zeros((players, len(HABITS)), np.float32)


def sitters(player: NDArray[np.int64], hand: NDArray[np.int64], position: NDArray[np.int64], players: int) -> Sitters:
    """The seats of players numbered from 0, given in the order of time."""
    starts = np.concatenate([[0], np.cumsum(np.bincount(player, minlength=players))])
    order = np.argsort(player, kind="stable")
    return Sitters(hand[order], position[order], starts)


def sitting_rows(history: History, seats: Sitters, habits: NDArray[np.float32]) -> NDArray[np.float32]:
    """(hands, seats, columns) of every seat given; others are 0. Writes `habits`, a row for every player."""
    about, hands = history.about, history.hands
    seen = _Seen(
        **{name: np.ascontiguousarray(about[name]) for name in ("time", "table", "posts")},
        **{name: np.ascontiguousarray(hands[name]) for name in ("stacks", "payoffs")},
        big_blind=np.maximum(about["big_blind"], 1).astype(np.float64),
    )
    written = np.zeros((len(hands), hands["stacks"].shape[1], len(SITTING)), np.float32)
    table, time, played = np.zeros((3, _AT_ONCE), np.int64)
    _walk_sittings(seats, seen, _Sitting(table, time, played, *np.zeros((5, _AT_ONCE))), habits, written)
    return written


@njit(error_model="numpy")
def _walk_sittings(seats: Any, seen: Any, open_: Any, habits: Any, written: Any) -> None:
    """Player by player, write the row of each hand, then learn how it ended."""
    for player in range(len(seats.starts) - 1):
        habit, pace, before = habits[player], 0.0, NO_TIME
        open_.hands[:] = 0
        for i in range(seats.starts[player], seats.starts[player + 1]):
            hand, position = seats.hand[i], seats.position[i]
            now, unit = seen.time[hand], seen.big_blind[hand]
            stack = min(seen.stacks[hand, position] / unit, _MOST)
            row = written[hand, position]
            at = _find(open_, seen.table[hand], now)
            if now != NO_TIME and before != NO_TIME:
                pace *= np.exp(-max(now - before, 0) / _LATELY)
            row[PACE] = np.log1p(pace) if now != NO_TIME else 0.0
            row[TABLES] = 1
            for other in range(_AT_ONCE):
                if open_.hands[other] > 0 and other != at and now != NO_TIME:
                    row[TABLES] += _near(open_.time[other], now, _LATELY)
            posted = (seen.posts[hand] >> position) & 1
            _begin(open_, at, habit, row, now, stack, posted)
            won = seen.payoffs[hand, position] / unit
            open_.time[at], open_.left[at] = now, stack + won
            open_.hands[at] += 1
            open_.last[at] = _log(won)
            open_.won[at] += won
            open_.lately[at] = 0.8 * open_.lately[at] + open_.last[at]
            pace += 1.0
            before = now


@njit(error_model="numpy")
def _find(open_: Any, table: int, now: int) -> int:
    """The sitting at this table, or the place of a new one: an empty one, or that of the longest ago."""
    free = 0
    for at in range(_AT_ONCE):
        if open_.hands[at] > 0 and open_.table[at] == table:
            if not _near(open_.time[at], now, _LONG):
                open_.hands[at] = 0
            return at
        if open_.hands[free] > 0 and (open_.hands[at] == 0 or open_.time[at] < open_.time[free]):
            free = at
    open_.hands[free] = 0
    open_.table[free] = table
    return free


@njit(error_model="numpy")
def _near(then: int, now: int, seconds: int) -> bool:
    """Whether two moments are so near; hands without a time are."""
    return then == NO_TIME or now == NO_TIME or abs(now - then) <= seconds


@njit(error_model="numpy")
def _begin(open_: Any, at: int, habit: Any, row: Any, now: int, stack: float, posted: int) -> None:
    """Write what the beginning of a hand tells, and count it as a habit."""
    if open_.hands[at] == 0:
        open_.bought_in[at] = stack
        open_.last[at] = open_.won[at] = open_.lately[at] = 0.0
    else:
        topped_up = stack > open_.left[at] + _SLACK
        row[TOPPED_UP_NOW] = topped_up
        if open_.left[at] < FULL_STACK - _SLACK:
            habit[BELOW] += 1
            habit[TOPPED_UP] += topped_up
        if now != NO_TIME and open_.time[at] != NO_TIME:
            row[AWAY] = np.log1p(max(now - open_.time[at], 0) / 60.0)
    full = abs(stack - FULL_STACK) < 1e-6
    habit[FULL] = 0.97 * habit[FULL] + full
    habit[RECENT] = 0.97 * habit[RECENT] + 1
    habit[HANDS] += 1
    habit[SHORT] += stack < SHORT_STACK
    habit[POSTED] += posted
    row[HANDS_HERE] = np.log1p(open_.hands[at])
    row[BOUGHT_IN] = np.log1p(open_.bought_in[at])
    row[FULL_NOW] = full
    row[FULL_SHARE] = (habit[FULL] + 0.1) / (habit[RECENT] + 2)
    row[SHORT_SHARE] = (habit[SHORT] + 0.4) / (habit[HANDS] + 1.5)
    row[TOPPED_UP_SHARE] = (habit[TOPPED_UP] + 0.3) / (habit[BELOW] + 2)
    row[POSTED_NOW] = posted
    row[POSTED_SHARE] = (habit[POSTED] + 0.1) / (habit[HANDS] + 3)
    row[LAST_WON], row[WON_HERE], row[WON_LATELY] = open_.last[at], _log(open_.won[at]), open_.lately[at]


@njit(error_model="numpy")
def _log(amount: float) -> Any:
    """The logarithm of an amount in big blinds, with its sign."""
    return np.sign(amount) * np.log1p(abs(amount))
