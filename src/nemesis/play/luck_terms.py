"""The terms of luck: by how much the cards of a street change what a hand is worth, in pieces that have coefficients.

The first is what falls after an all-in; then come those of the hole cards; then those of flop, turn and river by kind of
pot. What they mean and why their mean is 0 is told in `play.luck`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.runtime.compiled import inlined

MATCHES_APART = 10**8
"""Numbers of hands of one match and of the next."""
POTS = 8
"""Kinds of pots: up to 2 big blinds, up to 4, and so on."""
PER_POT = 3
HOLE = 5
STREETS = 3
FEATURES = 1 + HOLE + STREETS * POTS * PER_POT
"""The all-in term, those of the hole cards, and those of flop, turn and river by pot."""
PER_CHOICE = 3
AVERAGED = FEATURES + POTS * PER_CHOICE
"""The same, and those of the choices of a player whose policy is known, by pot."""

Floats = NDArray[np.float64]


@inlined
def pot_kind(pot: Any, big_blind: Any) -> Any:
    """Which kind of pot this is."""
    return min(max(np.int64(np.log2(pot / (2.0 * big_blind))), 0), POTS - 1)


@inlined
def note_hole_terms(row: Any, chips: Any, equity: Any, mine: Any, theirs: Any) -> None:
    """Add the terms of the hole cards: odd in the two hands, so of mean 0. Writes `row`."""
    edge = 2.0 * equity - 1.0
    row[1] += chips * edge
    row[2] += chips * edge * mine * theirs
    row[3] += chips * (mine - theirs)
    row[4] += chips * (mine * mine - theirs * theirs)
    row[5] += chips * (mine**4 - theirs**4)


@inlined
def note_street_terms(
    row: Any, street: Any, contested: Any, big_blind: Any, change: Any, mine: Any, theirs: Any
) -> None:
    """Add the terms of a street that changes the equity, by what was contested and known before. Writes `row`."""
    place = 1 + HOLE + ((street - 1) * POTS + pot_kind(contested, big_blind)) * PER_POT
    row[place] += contested * change
    row[place + 1] += contested * change * mine * theirs
    row[place + 2] += contested * change * (mine + theirs - 1.0)
