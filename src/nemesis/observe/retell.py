"""Recorded hands told like live ones: the views and events that the loop would have given every seat.

`retell` gives the `VIEW`s and `EVENT`s of a tape as arrays, `teach` tells them to compiled models at full speed, by the
kernels they play with. Every step of a hand is that of the live loop (`observe.telling`); only the choices and the payoffs
come from the record. Hands of any source are put on a tape by `observe.tape_of_hands`.

Nobody is told more than at the table: a seat sees its own cards where the record has them, and what was shown. Cards
that the record does not have are -1 and their numbers NaN. `View.chance` is NaN, for the die of a choice is not recorded.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.desk import PYTHON_WATCHER, Seating, empty_seats
from nemesis.observe.event import EVENT, KINDS, WATCH
from nemesis.observe.hand import Hand
from nemesis.observe.recital import FINISHED, new_recital, recite
from nemesis.observe.tape import Tape
from nemesis.observe.tape_of_hands import tape_of
from nemesis.observe.taped_players import NOBODY, players_seated
from nemesis.observe.view import ACT, VIEW
from nemesis.rules.deal import FACTS
from nemesis.runtime.compiled import address


class Retold(NamedTuple):
    """Views and events in their order, each of the seat `me`; `after[i]` events came before view `i`."""

    views: NDArray[np.void]
    events: NDArray[np.void]
    after: NDArray[np.int64]


def retell(
    hands: Tape | Iterable[Hand], facts: Collection[str] = FACTS, listening: NDArray[np.bool_] | None = None
) -> Retold:
    """The views and events of every seat, in the order in which the loop gives them.

    `listening` says by hand and seat who is told; by default everybody at the table, those who are dealt out included.
    """
    tape = hands if isinstance(hands, Tape) else tape_of(hands, ())
    if not len(tape):
        return Retold(np.zeros(0, VIEW), np.zeros(0, EVENT), np.zeros(0, np.int64))
    ears = np.ones((len(tape), tape.seats), bool) if listening is None else listening
    logging = empty_seats()
    logging.watches[0] = PYTHON_WATCHER
    logging.hears[0] = (1 << len(KINDS)) - 1
    recital = new_recital(tape, logging, np.where(ears, 0, NOBODY), facts, views=len(tape.actions))
    desk, place = recital.desk, recital.place
    events = []
    while True:
        state = recite(recital, tape)
        logged = int(desk.match["logged"][0])
        events.append(desk.log[:logged].copy())
        place["told"] += logged
        desk.match["logged"] = 0
        if state == FINISHED:
            break
    seen = int(place["viewed"][0])
    return Retold(recital.views[:seen], np.concatenate([*events, np.zeros(0, EVENT)]), recital.after[:seen])


def teach(
    tape: Tape,
    watch: Any,
    memories: NDArray[np.float64],
    at: NDArray[np.int64] | None = None,
    *,
    act: Any = None,
    hears: Collection[int] = range(len(KINDS)),
    facts: Collection[str] = FACTS,
) -> None:
    """Tell a tape to models that share a `watch` kernel. Writes `memories`, one row each.

    `at` says by hand and seat which row listens there, or `NOBODY`; by default row `i` is where player `i` of the tape sits.
    With an `act` kernel the models are also asked at their own decisions, as they were when they played; what they answer
    does not count, the record does.
    """
    if memories.ndim != 2 or not memories.flags.c_contiguous or memories.dtype != np.float64:
        raise ValueError(f"memories must be rows of float64, not {memories.dtype} of shape {memories.shape}")
    if not len(tape):
        return
    where = players_seated(tape) if at is None else at
    if where.shape != (len(tape), tape.seats) or where.max() >= len(memories):
        raise ValueError(
            f"who listens is told by {where.shape} numbers below {where.max() + 1}; this tape has {len(tape)} hands of "
            f"{tape.seats} seats, and there are {len(memories)} memories"
        )
    count, size = memories.shape
    listeners = Seating(
        np.full(count, 0 if act is None else address(act, ACT), np.int64),
        np.full(count, address(watch, WATCH), np.int64),
        np.full(count, sum(1 << kind for kind in hears), np.int64),
        np.arange(count) * size,
        np.full(count, size, np.int64),
        memories.reshape(-1),
    )
    recite(new_recital(tape, listeners, where, facts), tape)
