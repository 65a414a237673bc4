"""The records that a match lies on while it is played or retold, and who listens.

All of it belongs to the caller. `MATCH` is where a match stands, `Desk` the records of the hand in play and what leaves it,
`Seating` the kernels of every seat by address: 0 in `acts` is a seat that somebody outside plays, 0 in `hears` a deaf
one, `PYTHON_WATCHER` in `watches` one whose events go to the log.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.columns import Columns, new_columns
from nemesis.observe.event import new_events
from nemesis.observe.view import new_view
from nemesis.rules.betting import new_hand
from nemesis.rules.game import MAX_SEATS

PYTHON_WATCHER = -1
LOG_ROWS = 1024
MOST_EVENTS = MAX_SEATS * (MAX_SEATS + 4)
"""More events than one step of a hand can tell all seats of."""

MATCH = np.dtype(
    (
        np.record,
        [
            ("match", np.int64),  # number of this match among those played together
            ("begun", np.int64),  # 1 while it is played
            ("seats", np.int64),
            ("hands", np.int64),  # to play at most
            ("hand", np.int64),  # number of the hand in play, from 0
            ("freeze_out", np.int64),
            ("until_out", np.int64),  # the match also ends when this seat has lost everything; NOBODY for none
            ("playing", np.int64),  # 1 while a hand is under way
            ("button", np.int64),  # seat
            ("deals", np.int64),  # number of the match's first deal
            ("banked", np.int64),  # number of the deal in the bank's row 0; -1 when it is not a match's first
            ("first_row", np.int64),  # hand number of the bank's row 0
            ("rows", np.int64),  # filled rows of the bank
            ("heard", np.int64),  # kinds of events that some seat wants to hear of, as bits
            ("logged", np.int64),
            ("taped_hands", np.int64),  # rows written to the columns
            ("taped_actions", np.int64),
            ("first_action", np.int64),  # row of the first action of the hand in play
            ("key", np.int64),  # of the match's stream of choices
            ("draws", np.int64),
            ("street", np.int64),  # of the last event
            ("seat_at", np.int64, (MAX_SEATS,)),  # by position
            ("players", np.int64, (MAX_SEATS,)),  # by seat: which player sits there
            ("chips", np.int64, (MAX_SEATS,)),  # by seat, before the hand
            ("won", np.int64, (MAX_SEATS,)),  # by seat, so far
            ("took", np.int64, (MAX_SEATS,)),  # by seat, hands that brought chips
        ],
    )
)


class Seating(NamedTuple):
    """Who sits where, as arrays by seat: kernel addresses and where each seat's memory lies."""

    acts: NDArray[np.int64]
    watches: NDArray[np.int64]
    hears: NDArray[np.int64]  # kinds of events, as bits; 0 for a deaf seat
    offsets: NDArray[np.int64]
    sizes: NDArray[np.int64]
    memory: NDArray[np.float64]


class Desk(NamedTuple):
    """The records one match lies on, and what leaves it: events for Python seats, rows of hands and actions."""

    match: NDArray[np.void]
    hand: NDArray[np.void]
    views: NDArray[np.void]  # one view; Numba reserves the word itself
    event: NDArray[np.void]
    log: NDArray[np.void]
    columns: Columns
    stacks: NDArray[np.int64]  # by position, before the hand


def new_desk(columns: Columns | None = None) -> Desk:
    """Fresh records for one match; with `columns`, hands and actions are written down."""
    return Desk(
        np.zeros(1, MATCH),
        new_hand(),
        new_view(),
        new_events(),
        new_events(LOG_ROWS),
        new_columns() if columns is None else columns,
        np.zeros(MAX_SEATS, np.int64),
    )


def empty_seats(memory: int = 0) -> Seating:
    """Seats that nobody has taken, with room for so many numbers of memory in all."""
    acts, watches, hears, offsets, sizes = np.zeros((5, MAX_SEATS), np.int64)
    return Seating(acts, watches, hears, offsets, sizes, np.zeros(max(1, memory)))
