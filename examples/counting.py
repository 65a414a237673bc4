"""A compiled agent with a memory: counts how often opponents fold to a bet on each street, and bluffs where that pays.

    nemesis duel examples/counting.py:counting tp --game limit

An agent is two kernels and a flat memory of float64. `watch` is told every event and writes to the memory, `act` reads it
and chooses. Every match starts with a fresh copy of the memory given below, so nothing is carried into the next.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis import CompiledAgent
from nemesis.observe.event import ACTS
from nemesis.respond.agent import ACT, WATCH, Memory
from nemesis.rules.betting import CALL, FOLD
from nemesis.rules.game import MAX_STREETS
from nemesis.runtime.compiled import njit
from nemesis.runtime.memory import Layout


class Places(NamedTuple):
    """The memory: by street, how many bets others faced, and how many of them they folded to."""

    faced: int = MAX_STREETS
    folded: int = MAX_STREETS


LAYOUT = Layout(Places)
AT = LAYOUT.at


@njit(WATCH, cache=False)
def _watch(event: NDArray[np.void], memory: Memory) -> None:
    """Count the bets that others faced on each street, and the folds among their answers."""
    e = event[0]
    if e.kind == ACTS and e.seat != e.me and e.to_call > 0:
        memory[AT.faced + e.street] += 1
        memory[AT.folded + e.street] += e.action == FOLD


@njit(ACT, cache=False)
def _act(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    """Bet good hands; bet the others too where folds pay for calls; else call at a fair price."""
    v = view[0]
    win = v.win**v.opponents
    if v.max_to > 0:
        to = min(max(v.bet + v.pot + v.to_call, v.min_to), v.max_to)
        all_fold = (memory[AT.folded + v.street] / memory[AT.faced + v.street]) ** v.opponents
        if win > 0.6 or all_fold * v.pot > (1 - all_fold) * (to - v.wager):
            return to
    return CALL if win * (v.pot + v.to_call) >= v.to_call else FOLD


def counting() -> CompiledAgent:
    """Bluffs on streets where opponents fold too much; expects one fold in four bets until it has seen more."""
    memory = LAYOUT.template(faced=4.0, folded=1.0)
    return CompiledAgent("counting", _act, _watch, memory, facts={"win"})


def deaf() -> CompiledAgent:
    """The same policy without the counting, to measure what the counting is worth."""
    memory = LAYOUT.template(faced=4.0, folded=1.0)
    return CompiledAgent("deaf", _act, None, memory, facts={"win"})
