"""Which hands a player has come here with, and how many of them it must go on with: minimum defence.

Whoever folds more often than the price of a bet allows is beaten by betting anything. A bet of b into a pot of p
needs p / (p + b) of the hands it is made against to go on (*minimum defence frequency*). That is a share of the hands
one still has, which are few and good after two streets of betting, and not of all hands. So these players keep
account of their own range: the part of all hands, by *standing*, between `low` and `high`. Going on with a share of
it raises `low`; checking where good hands bet lowers `high`. A new card reorders hands, so the range widens again, by
exponents that were measured: with them the rates of folding stay below break-even on every street (a test holds them
to that).

Standing is the part of all hands that a hand beats now. Before the flop win probabilities lie between .32 and .85,
too narrow a scale, so there it is the part of all holdings that are worse (`RANKED`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.view import win_against
from nemesis.respond.agent import Memory
from nemesis.respond.initiative import HAS, INITIATIVE, forget_last_hand, note_initiative
from nemesis.rules.betting import CALL, RAISE
from nemesis.runtime.compiled import inlined
from nemesis.runtime.memory import CELL, Layout

RANKED = np.array(
    (0, 0, 0.0573, 0.178, 0.3047, 0.4465, 0.5928, 0.724, 0.8582, 0.9336, 0.9683, 0.9729, 0.9819, 0.991, 0.9955, 1, 1)
)
"""The part of the 1326 holdings whose win probability is below .28, .32, … .92."""
_LOWEST, _STEP = 0.28, 0.04

LOW_WIDENS = (1.0, 0.3, 0.54, 0.47)
"""What is kept of a range's lower end when a street is dealt: the part of hands above it goes to this power."""
HIGH_STAYS = (0.0, 0.3, 0.65, 0.75)
"""What is kept of a range's lack of best hands when a street is dealt."""
NARROWEST = 0.004
DRAWS = 0.6
"""How much of what a draw will add to a hand counts for its standing."""


class Places(NamedTuple):
    """The memory of one's own range in the hand under way, behind the initiative."""

    street: int = CELL
    low: int = CELL
    high: int = CELL
    pot: int = CELL  # after our last action
    acted: int = CELL  # whether we have acted on this street


OWN_RANGE = Layout(Places, after=INITIATIVE)
AT = OWN_RANGE.at


def fresh_range() -> NDArray[np.float64]:
    """A memory of the initiative and the range before any hand."""
    return np.concatenate([INITIATIVE.template(hand=-1), OWN_RANGE.template()])


@inlined
def standing(v: Any) -> Any:
    """The part of all hands that this one beats now, against everyone still in: before the flop its place among holdings."""
    s = v.strength
    if v.street == 0 and v.streets == 4:
        at = min(max((s - _LOWEST) / _STEP, 0.0), 14.999)
        knot = int(at)
        s = RANKED[knot] + (at - knot) * (RANKED[knot + 1] - RANKED[knot])
    return win_against(s, v.opponents)


@inlined
def draw(v: Any) -> Any:
    """How much more often the hand wins at showdown than it is ahead now; 0 for a hand that stands to lose ground."""
    return max(0.0, v.win - v.strength) if 0 < v.street < v.streets - 1 else 0.0


@inlined
def recall(v: Any, memory: Memory) -> None:
    """Begin the account of a new hand, and widen the range when a street was dealt. Writes `memory`."""
    if memory[HAS.hand] != v.hand:
        memory[AT.street] = 0.0
        memory[AT.low] = 0.0
        memory[AT.high] = 1.0
        memory[AT.pot] = 1.5 * v.big_blind
        memory[AT.acted] = 0.0
    forget_last_hand(v, memory)
    while memory[AT.street] < v.street:
        memory[AT.street] += 1.0
        street = min(int(memory[AT.street]), 3)
        memory[AT.low] = 1.0 - (1.0 - memory[AT.low]) ** LOW_WIDENS[street]
        memory[AT.high] = 1.0 - HIGH_STAYS[street] * (1.0 - memory[AT.high])
        memory[AT.acted] = 0.0


@inlined
def place(v: Any, memory: Memory) -> Any:
    """Where our hand stands in our own range: 1 is its best, 0 its worst, below 0 a hand we should not have here."""
    s = min(1.0, standing(v) + DRAWS * draw(v))
    return (s - memory[AT.low]) / (memory[AT.high] - memory[AT.low])


@inlined
def minimum_defence(v: Any, memory: Memory) -> Any:
    """The share of our range that must go on lest any bet of this size pays: the pot before it by the pot with it."""
    before = memory[AT.pot] if v.street == 0 or memory[AT.acted] == 1.0 else v.pot - v.to_call
    return min(1.0, before / v.pot)


@inlined
def keep_best(memory: Memory, share: float) -> None:
    """From here on our range is the best `share` of what it was. Writes `memory`."""
    memory[AT.low] = memory[AT.high] - share * (memory[AT.high] - memory[AT.low])
    _keep_apart(memory)


@inlined
def lose_best(memory: Memory, share: float) -> None:
    """From here on our range lacks its best `share`. Writes `memory`."""
    memory[AT.high] -= share * (memory[AT.high] - memory[AT.low])
    _keep_apart(memory)


@inlined
def _keep_apart(memory: Memory) -> None:
    memory[AT.low] = max(0.0, min(memory[AT.low], 1.0 - NARROWEST))
    memory[AT.high] = max(memory[AT.low] + NARROWEST, min(1.0, memory[AT.high]))


@inlined
def note_choice(v: Any, memory: Memory, chosen: int) -> None:
    """Write down the pot after what we do, that we acted, and the initiative. Writes `memory`."""
    added = 0
    if chosen == CALL:
        added = v.to_call
    elif chosen >= RAISE:
        added = max(v.to_call, min(chosen, v.max_to) - v.wager)
    memory[AT.pot] = v.pot + added
    memory[AT.acted] = 1.0
    note_initiative(memory, chosen)
