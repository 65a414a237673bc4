"""What a seat is told: a hand begins, someone acts, a street is dealt, a hand is shown, a hand ends.

Models learn from events, compiled ones through a `watch(event, memory)` kernel and Python ones through
`Agent.watch(event)`; both read the same one-element record (`EVENT`). A shown hand comes with its exact win
probability and strength on every street, since whoever sees the cards could work them out.
"""

from __future__ import annotations

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from nemesis.observe.reading import Reading
from nemesis.rules.game import MAX_SEATS, MAX_STREETS
from nemesis.runtime.compiled import MEMORY_ARRAY, call_by_address

STARTS, ACTS, DEALT, SHOWS, ENDS = range(5)
KINDS = ("starts", "acts", "dealt", "shows", "ends")

EVENT = np.dtype(
    (
        np.record,
        [
            ("kind", np.int64),
            ("me", np.int64),  # the seat that is being told
            ("seat", np.int64),  # the seat it is about; on `starts` the button
            ("position", np.int64),  # of the seat it is about
            ("hand", np.int64),
            ("seats", np.int64),
            ("street", np.int64),
            ("action", np.int64),  # 0 fold, 1 check or call, 2 bet or raise
            ("amount", np.int64),  # chips the action put in
            ("to", np.int64),  # the seat's wager on this street afterwards
            ("to_call", np.int64),  # what it faced
            ("max_to", np.int64),  # the most it could have raised to, 0 when no raise was allowed
            ("pot", np.int64),  # before the action; the whole pot on `shows` and `ends`
            ("stack", np.int64),  # chips behind before the action
            ("opponents", np.int64),  # others who had not folded
            ("payoff", np.int64),  # on `ends`: what the hand brought the seat that is told
            ("hole", np.int64, (2,)),  # on `shows`
            ("board", np.int64, (5,)),
            ("board_count", np.int64),
            ("win", np.float64, (MAX_STREETS,)),  # on `shows`, by street
            ("strength", np.float64, (MAX_STREETS,)),
            ("payoffs", np.int64, (MAX_SEATS,)),  # on `ends`, by seat
            ("big_blind", np.int64),  # or the smallest bet in a game without blinds
        ],
    )
)
EVENT_ARRAY = types.Array(numba.from_dtype(EVENT), 1, "C")
WATCH = types.void(EVENT_ARRAY, MEMORY_ARRAY)
"""The signature of a kernel that learns: `watch(event, memory)`."""

call_watch = call_by_address(WATCH)


def new_events(count: int = 1) -> NDArray[np.void]:
    """Room for `count` events."""
    return np.zeros(count, EVENT)


class Event(Reading):
    """One event, for Python agents: the fields of `EVENT` as plain numbers and tuples."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """`starts`, `acts`, `dealt`, `shows` or `ends`."""
        return KINDS[self.kind]
