"""How good a hand must be for the chips it would put at risk: the arithmetic of the no-limit players who can think.

The more has gone in, the fewer hands an opponent can have. We take them to be the best

    share(c) = width / sqrt(c)          of all hands, at most all of them,

where c is what we would have in the pot, in big blinds, and `width` depends on the player's habit and the street. A hand
that beats the part s of all hands then beats `1 - (1 - s) / share` of those, and a call at the price q (chips to call over
the pot with them in) is right from `s >= 1 - share * (1 - q)` on. The formula is ours: the ASHE paper prints no rule of
any opponent. `docs/explanation/no-limit-opponents.md` says why a square root.

Everything is relative to blinds, pot and stacks, so it holds at any depth. Before the flop win probabilities lie too close
together to measure hands by, so there s is the part of all holdings that are worse (`RANKED`).
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from nemesis.observe.view import win_against
from nemesis.runtime.compiled import inlined

RANKED = np.array(
    (0, 0, 0.0573, 0.178, 0.3047, 0.4465, 0.5928, 0.724, 0.8582, 0.9336, 0.9683, 0.9729, 0.9819, 0.991, 0.9955, 1, 1)
)
"""The part of the 1326 holdings whose win probability is below .28, .32, … .92."""

_LOWEST, _STEP = 0.28, 0.04


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
def price(v: Any) -> Any:
    """What a call costs as a part of the pot it would be played for: a third for a bet of the pot, 0 for a check."""
    return v.to_call / (v.pot + v.to_call) if v.to_call > 0 else 0.0


@inlined
def share_left(width: float, chips: float, big_blind: float) -> Any:
    """The part of all hands that an opponent may still have once we have `chips` in the pot."""
    return min(1.0, width / sqrt(max(1.0, chips / big_blind)))


@inlined
def needed_to_call(v: Any, width: float) -> Any:
    """How much of all hands ours must beat to call."""
    return 1.0 - share_left(width, v.spent + v.to_call, v.big_blind) * (1.0 - price(v))


@inlined
def needed_to_bet(v: Any, width: float, pots: float) -> Any:
    """How much of all hands ours must beat to bet or raise `pots` times the pot for value: 65 % of those that pay."""
    chips = min(v.spent + v.to_call + pots * (v.pot + v.to_call), v.spent + v.stack)
    return 1.0 - 0.35 * share_left(width, chips, v.big_blind)


@inlined
def raise_by(v: Any, pots: float) -> Any:
    """Raise by `pots` times the pot after a call. At least 2, so that it reads as a raise; the engine clamps it."""
    return max(2, int(v.bet + pots * (v.pot + v.to_call)))


@inlined
def raise_or_shove(v: Any, pots: float) -> Any:
    """`raise_by`, but all in when that would put in more than three fifths of what is left."""
    to = raise_by(v, pots)
    return max(2, v.max_to) if v.max_to > 0 and to - v.wager > 0.6 * v.stack else to
