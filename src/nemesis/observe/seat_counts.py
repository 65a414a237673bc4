"""What a player's statistics are counted from, hand by hand: a row of small numbers for every seat that was dealt in.

The counters are those of `observe.statistics`, fed with the rows of a history instead of events, and a few more:
reraises faced by who raised first, and bets by the last street's aggressor (`c_bets` on the flop, `barrels` after it)
faced by the others. Since a row belongs to one seat of one hand, every number of a player can list its hands.

At a showdown a seat wins by the rules where the cards are known, for rake makes a split pot look lost; else by what
the source published. Where neither tells, `showdowns` counts the showdown and `decided` does not.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.about import UNKNOWN
from nemesis.observe.statistics import COUNTS, PAGE, SHOWDOWN_HALVES, SHOWDOWNS, note_action, note_end, note_start
from nemesis.rules.betting import FOLD, RAISE
from nemesis.rules.game import MAX_SEATS, MAX_STREETS
from nemesis.runtime.borrowed import borrowed
from nemesis.runtime.compiled import njit

_COPIED = tuple(name for name in COUNTS if name not in ("hands", "mbb"))
SEAT_COUNTS = (
    *_COPIED,
    "faced_three_bets", "folded_to_three_bets",
    *(f"faced_c_bets_{street}" for street in range(1, MAX_STREETS)),
    *(f"folded_to_c_bets_{street}" for street in range(1, MAX_STREETS)),
    "decided", "known",
)  # fmt: skip
"""The columns of a seat's row."""
_PLACES = np.array([COUNTS.index(name) for name in _COPIED])
_FACED_THREE = len(_COPIED)
_FOLDED_THREE = _FACED_THREE + 1
_FACED_C_BET = _FOLDED_THREE  # plus the street
_FOLDED_C_BET = _FACED_C_BET + MAX_STREETS - 1
_DECIDED = _FOLDED_C_BET + MAX_STREETS
_KNOWN = _DECIDED + 1
_NOBODY = -1


def count_seats(hands: NDArray[np.void], actions: NDArray[np.void], about: NDArray[np.void]) -> NDArray[np.uint8]:
    """The counts (`SEAT_COUNTS`) of every seat, hand by hand and in a hand by position."""
    counts = np.zeros((int(hands["seats"].sum()), len(SEAT_COUNTS)), np.uint8)
    fill_counts(hands, actions, about, np.zeros(MAX_SEATS * PAGE), counts)
    return counts


@njit(error_model="numpy", nogil=True)
def fill_counts(
    hands: NDArray[np.void],
    actions: NDArray[np.void],
    about: NDArray[np.void],
    pages: NDArray[np.float64],
    counts: NDArray[np.uint8],
) -> None:
    """`count_seats` on arrays. Writes `pages` and `counts`."""
    row = 0
    for at in range(hands.size):
        d = hands[at]
        b = about[at]
        n = d.seats
        for i in range(n * PAGE):
            pages[i] = 0.0
        for p in range(n):
            note_start(borrowed(pages, p * PAGE, PAGE), n)
        street: Any = 0
        raises = 0
        first_raiser: Any = _NOBODY
        aggressor: Any = _NOBODY
        last_aggressor = _NOBODY
        c_bet = False
        for t in range(d.first, d.first + d.actions):
            a = actions[t]
            actor: Any = np.int64(a.position)
            done: Any = np.int64(a.action)
            if a.street != street:
                last_aggressor = aggressor if a.street == street + 1 else _NOBODY
                aggressor = _NOBODY
                street = np.int64(a.street)
                raises = 0
                c_bet = False
            mine = row + actor
            if street == 0 and raises == 2 and actor == first_raiser:
                counts[mine, _FACED_THREE] += 1
                counts[mine, _FOLDED_THREE] += done == FOLD
            if c_bet and raises == 1:
                counts[mine, _FACED_C_BET + street] += 1
                counts[mine, _FOLDED_C_BET + street] += done == FOLD
            for q in range(n):
                note_action(borrowed(pages, q * PAGE, PAGE), q == actor, street, a.to_call, done)
            if done >= RAISE:
                raises += 1
                aggressor = actor
                if street == 0 and raises == 1:
                    first_raiser = actor
                c_bet = street > 0 and raises == 1 and actor == last_aggressor
        known = b.decided != 0 or b.result != UNKNOWN
        for p in range(n):
            page = borrowed(pages, p * PAGE, PAGE)
            result = b.replayed[p] if b.decided != 0 else d.payoffs[p]
            note_end(page, result, 1)
            if not known:
                page[SHOWDOWN_HALVES] = 0.0
            for i in range(_PLACES.size):
                counts[row + p, i] = np.uint8(min(255.0, page[_PLACES[i]]))
            counts[row + p, _DECIDED] = page[SHOWDOWNS] > 0.0 and known
            counts[row + p, _KNOWN] = b.result != UNKNOWN
        row += n
