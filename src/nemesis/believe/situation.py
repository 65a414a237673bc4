"""What a player faced when it acted, as the row of a table: the situation, and the strength of a hand that was shown.

Baker's action tables average over everything a player may face. A *situation* keeps what any onlooker sees: the street,
whether there was something to call and whether a raise was allowed (`facing`), what the player did last in this hand
(`previous`), and how many opponents were left (`crowd`). In a situation even a free check is informative; only a check by
a player who could not have bet is not.

Once the cards are shown, only their strength when the player acted matters: the win probability against all who were
left (`win_against`), in tenths. So there are two tables,

    situations: ((street * FACINGS + facing) * PREVIOUS + previous) * CROWDS + crowd
    shown: (street * FACINGS + facing) * STRENGTHS + strength

A *choice* is one action with all of that in a single whole number, as notebooks write it down.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nemesis.observe.view import win_against
from nemesis.rules.betting import CALL
from nemesis.runtime.compiled import inlined

FREE, BET, LAST_BET, FORCED = range(4)
"""Nothing to call; a bet that may be raised; one that may not; nothing to call and no bet allowed."""
FACINGS = 3
"""Those in which there is a choice."""
NOTHING_YET = 0
"""The previous action of somebody who has not acted in this hand; otherwise it is the action + 1, without folds."""
PREVIOUS = 3
CROWDS = 3
"""One, two, or three and more opponents left."""
SITUATIONS = FACINGS * PREVIOUS * CROWDS
"""Rows of a street."""
STRENGTHS = 10
SHOWN = FACINGS * STRENGTHS
"""Rows of a street once the cards are known."""

_FIRST, _WAS_SHOWN = 1, 2
_ACTION, _STREET, _FACING, _OPPONENTS, _WIN = 2, 4, 6, 8, 12  # how far each part of a choice is shifted
_FULL = 65_535


@inlined
def facing(to_call: int, max_to: int) -> Any:
    """What somebody faces who has to call so much and may raise to so much."""
    if to_call > 0:
        return BET if max_to > 0 else LAST_BET
    return FREE if max_to > 0 else FORCED


@inlined
def situation_row(street: int, faced: int, previous: int, opponents: int) -> Any:
    """The row of the table of situations."""
    crowd = min(max(opponents, 1), CROWDS) - 1
    return ((street * FACINGS + faced) * PREVIOUS + previous) * CROWDS + crowd


@inlined
def previous_action(action: int) -> Any:
    """How an action is remembered as the previous one."""
    return 1 if action == CALL else 2


@inlined
def strength_of(win: float, opponents: int) -> Any:
    """Which tenth of strength a hand has that beats one random hand with probability `win`."""
    return min(np.int64(STRENGTHS * win_against(win, opponents)), STRENGTHS - 1)


@inlined
def shown_row(street: int, faced: int, strength: int) -> Any:
    """The row of the table of shown hands."""
    return (street * FACINGS + faced) * STRENGTHS + strength


@inlined
def choice_code(first: int, action: int, street: int, faced: int, opponents: int, win: float) -> Any:
    """An action in one number; `first` is 1 for the first of a hand."""
    steps = np.int64(win * _FULL + 0.5)
    return (
        first
        + (action << _ACTION)
        + (street << _STREET)
        + (faced << _FACING)
        + (opponents << _OPPONENTS)
        + (steps << _WIN)
    )


@inlined
def mark_shown(choice: int) -> Any:
    """The same action, of a hand that came to be shown."""
    return choice | _WAS_SHOWN


class Choices(NamedTuple):
    """Many choices taken apart."""

    first: NDArray[np.int64]
    shown: NDArray[np.int64]
    action: NDArray[np.int64]
    street: NDArray[np.int64]
    faced: NDArray[np.int64]
    opponents: NDArray[np.int64]
    win: NDArray[np.float64]

    @property
    def informative(self) -> NDArray[np.bool_]:
        """Which are more than checks that cost nothing: the actions that the plain belief looks at."""
        informative: NDArray[np.bool_] = (self.faced != FREE) | (self.action != CALL)
        return informative

    def situation_rows(self) -> NDArray[np.int64]:
        """The row of each in the table of situations; the choices are those of one player in order."""
        before = np.where(self.action == CALL, 1, 2)
        previous = np.where(self.first == 1, NOTHING_YET, np.concatenate([[0], before[:-1]]))
        crowd = np.clip(self.opponents, 1, CROWDS) - 1
        return ((self.street * FACINGS + self.faced) * PREVIOUS + previous) * CROWDS + crowd

    def shown_rows(self) -> NDArray[np.int64]:
        """The row of each in the table of shown hands."""
        strength = np.minimum((STRENGTHS * self.win**self.opponents).astype(np.int64), STRENGTHS - 1)
        return (self.street * FACINGS + self.faced) * STRENGTHS + strength


def take_apart(choices: ArrayLike) -> Choices:
    """Choices as their parts."""
    codes = np.asarray(choices, np.int64)
    return Choices(
        codes & _FIRST,
        (codes & _WAS_SHOWN) >> 1,
        (codes >> _ACTION) & 3,
        (codes >> _STREET) & 3,
        (codes >> _FACING) & 3,
        (codes >> _OPPONENTS) & 15,
        (codes >> _WIN) / _FULL,
    )
