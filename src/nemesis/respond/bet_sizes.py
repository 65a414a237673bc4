"""Prices and sizes in pots: what a call costs, and how a raise of so many pots is written."""

from __future__ import annotations

from typing import Any

from nemesis.runtime.compiled import inlined

_MOST = 0.6


@inlined
def price(v: Any) -> Any:
    """What a call costs as a part of the pot it would be played for: a third for a bet of the pot, 0 for a check."""
    return v.to_call / (v.pot + v.to_call) if v.to_call > 0 else 0.0


@inlined
def raise_by(v: Any, pots: float) -> Any:
    """Raise by `pots` times the pot after a call. At least 2, so that it reads as a raise; the engine clamps it."""
    return max(2, int(v.bet + pots * (v.pot + v.to_call)))


@inlined
def raise_or_shove(v: Any, pots: float) -> Any:
    """`raise_by`, but all in when that would take most of what is left."""
    to = raise_by(v, pots)
    return max(2, v.max_to) if v.max_to > 0 and to - v.wager > _MOST * v.stack else to
