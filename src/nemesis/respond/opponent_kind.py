"""What kind of opponent this is, by plain statistics of the hands so far; ASHE has a pair of estimators for each kind.

One pair of estimators serves too many masters. Against somebody who pays with anything the rule, which sees no chips that
come later, plays best when it is misled; against somebody who folds that costs money, and evolution settles for something
in between (docs/explanation/ashe.md). So the share of hands in which the opponent folded, raised before the flop, or
showed a weak hand in a large pot decides before every hand which pair plays it. The kinds, as they are asked for in turn:

* a *stayer* hardly ever folds;
* a *payer* seldom folds, or shows weak hands in large pots: he pays for a bet with anything;
* a *raiser* often raises before the flop, and folds when he should;
* *anybody* else, and everybody at first.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from nemesis.respond.agent import Memory
from nemesis.runtime.compiled import inlined
from nemesis.runtime.memory import CELL, Layout

ANYBODY, PAYER, STAYER, RAISER = range(4)
KINDS = ("anybody", "payer", "stayer", "raiser")

USUAL_FOLDS, USUAL_HANDS = 0.3, 10.0
"""The share of hands in which an opponent is taken to fold before anything is seen, and how many hands that counts for."""
FEW_FOLDS = 0.16
"""Who folds in less than this share of the hands is a payer,"""
NO_FOLDS, STAYING_HANDS = 0.05, 4.0
"""in less than this share of so many hands or more a stayer."""
WEAK_STRENGTH = 0.7
"""A shown hand below this is weak,"""
LARGE_POT = 0.8
"""a pot of so many stacks is large, the opponent having half of it in,"""
MANY_WEAK = 0.02
"""and who has shown the one in the other in more than this share of the hands is a payer."""
MANY_RAISES = 0.2
"""A raiser has raised before the flop in more than this share of the hands."""


class Places(NamedTuple):
    """The kind, and the counts it follows from. `known` is 0 where everybody is to stay anybody."""

    known: int = CELL
    kind: int = CELL
    weak: int = CELL
    raises: int = CELL
    raised: int = CELL  # in this hand
    stack: int = CELL  # the shorter of this hand, infinite until it is known


LAYOUT = Layout(Places)
AT, SIZE = LAYOUT.at, LAYOUT.size


@inlined
def begin_hand(memory: Memory, at: Any, hands: float, folds: float) -> None:
    """A hand begins: say what kind of opponent this is after so many hands and folds. Writes `memory`."""
    memory[at + AT.raises] += memory[at + AT.raised]
    memory[at + AT.raised] = 0.0
    memory[at + AT.stack] = math.inf
    few = FEW_FOLDS * (hands + USUAL_HANDS) - USUAL_FOLDS * USUAL_HANDS
    kind = ANYBODY
    if memory[at + AT.known] != 0.0:
        if hands >= STAYING_HANDS and folds < NO_FOLDS * hands:
            kind = STAYER
        elif folds < few or memory[at + AT.weak] > MANY_WEAK * hands:
            kind = PAYER
        elif memory[at + AT.raises] > MANY_RAISES * hands:
            kind = RAISER
    memory[at + AT.kind] = kind


@inlined
def forget(memory: Memory, at: Any) -> None:
    """Forget all that was counted. Writes `memory`."""
    memory[at + AT.weak] = memory[at + AT.raises] = memory[at + AT.raised] = 0.0


@inlined
def note_raise(memory: Memory, at: Any, street: int) -> None:
    """The opponent has raised. Writes `memory`."""
    if street == 0:
        memory[at + AT.raised] = 1.0


@inlined
def note_shown(memory: Memory, at: Any, strength: float, pot: float) -> None:
    """The opponent has shown a hand. Writes `memory`."""
    if strength < WEAK_STRENGTH and pot >= LARGE_POT * memory[at + AT.stack]:
        memory[at + AT.weak] += 1.0
