"""How often each opponent bet, checked or called, and folded in the last hands (Baker 2010, section 7.2.1: the last 50).

All actions count, free checks too. The counts are a block of an agent's flat memory: totals for every seat, and a ring
with the counts of each of the last hands, so that a hand leaves the totals when it is too old. Kernels call `note_action`
when they watch and `recent_share` when they act, with `at` where the block starts.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.rules.game import MAX_SEATS
from nemesis.runtime.compiled import inlined
from nemesis.runtime.memory import CELL, REST, Layout

HANDS = 50
_ACTIONS = 3


class Places(NamedTuple):
    """A block: how many hands are kept, for how many seats, the hand now, then for each seat its totals and its ring."""

    hands: int = CELL
    seats: int = CELL
    hand: int = CELL
    seen: int = REST


LAYOUT = Layout(Places)
AT = LAYOUT.at


def recent_actions_block(seats: int, hands: int = HANDS) -> NDArray[np.float64]:
    """A fresh block about `seats` players that keeps the last `hands` hands."""
    if not 1 <= seats <= MAX_SEATS:
        raise ValueError(f"recent actions are those of 1 to {MAX_SEATS} seats, not {seats}")
    if not 1 <= hands <= 10_000:
        raise ValueError(f"recent actions are those of 1 to 10,000 hands, not {hands}")
    return LAYOUT.template(hands=hands, seats=seats, seen=np.zeros(seats * _ACTIONS * (1 + hands)))


@inlined
def note_action(memory: NDArray[np.float64], at: int, e: Any) -> None:
    """Count an action that was watched. Writes the block at `at`."""
    hands: Any = np.int64(memory[at + AT.hands])
    stride: Any = _ACTIONS * (1 + hands)
    hand: Any = np.int64(memory[at + AT.hand])
    while hand < e.hand:  # the hands that are too old now leave the totals
        hand += 1
        old = at + AT.seen + _ACTIONS * (1 + hand % hands)
        for seat in range(np.int64(memory[at + AT.seats])):
            total = at + AT.seen + seat * stride
            for action in range(_ACTIONS):
                memory[total + action] -= memory[old + seat * stride + action]
                memory[old + seat * stride + action] = 0.0
    memory[at + AT.hand] = hand
    if 0 <= e.seat < np.int64(memory[at + AT.seats]):
        mine = at + AT.seen + e.seat * stride
        memory[mine + e.action] += 1.0
        memory[mine + _ACTIONS * (1 + hand % hands) + e.action] += 1.0


@inlined
def recent_share(memory: NDArray[np.float64], at: int, seat: int, action: int) -> Any:
    """Which share of a seat's recent actions this action was; 0 before it did anything."""
    mine = at + AT.seen + seat * _ACTIONS * (1 + np.int64(memory[at + AT.hands]))
    total = memory[mine] + memory[mine + 1] + memory[mine + 2]
    return memory[mine + action] / total if total > 0.0 else 0.0
