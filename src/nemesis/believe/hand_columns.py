"""The columns of recorded hands that are walked through action by action, each hand with the stakes of its game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.rules.game import Game


class HandColumns(NamedTuple):
    """By hand, then by action; every column lies in one piece."""

    first: NDArray[np.int64]
    actions: NDArray[np.int64]
    seats: NDArray[np.int64]
    stacks: NDArray[np.int64]
    board: NDArray[np.int8]
    blinds: NDArray[np.int64]
    antes: NDArray[np.int64]
    unit: NDArray[np.float64]  # the smallest bet of the first street
    position: NDArray[np.int8]
    street: NDArray[np.int8]
    action: NDArray[np.int8]
    amount: NDArray[np.int64]
    to_call: NDArray[np.int64]
    pot: NDArray[np.int64]


_BY_HAND = ("first", "actions", "seats", "stacks", "board")
_BY_ACTION = ("position", "street", "action", "amount", "to_call", "pot")


def hand_columns(games: Sequence[Game], hands: NDArray[np.void], actions: NDArray[np.void]) -> HandColumns:
    """The columns of these rows of hands and actions, given the games that they speak of."""
    rules = np.concatenate([game.compiled() for game in games])
    which = hands["rules"]
    return HandColumns(
        **{name: np.ascontiguousarray(hands[name]) for name in _BY_HAND},
        blinds=np.ascontiguousarray(rules["blinds"][which]),
        antes=np.ascontiguousarray(rules["antes"][which]),
        unit=np.maximum(rules["bets"][which, 0], 1).astype(np.float64),
        **{name: np.ascontiguousarray(actions[name]) for name in _BY_ACTION},
    )
