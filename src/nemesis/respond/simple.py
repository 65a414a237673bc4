"""The simplest opponents: always fold, always call, always raise, and one that throws dice.

They are the usual yardsticks of poker programs (OpenSpiel, RLCard and the ACPC all carry them). `fold` checks when
that is free, like every agent here: the engine turns a free fold into a check.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.respond.agent import ACT, CompiledAgent, Memory
from nemesis.rules.betting import CALL, FOLD, RAISE
from nemesis.rules.game import Game
from nemesis.runtime.compiled import njit
from nemesis.runtime.memory import CELL, Layout


class Places(NamedTuple):
    """The memory of one who always does the same: what it does."""

    action: int = CELL


ALWAYS = Layout(Places)
AT = ALWAYS.at


@njit(ACT)
def _always(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    return np.int64(memory[AT.action])


@njit(ACT, error_model="numpy")
def _dice(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    """Uniform over what is legal; a raise is then uniform between the smallest and the largest."""
    v = view[0]
    choices = 1 + (v.to_call > 0) + (v.max_to > 0)
    pick = chance * choices
    which = np.int64(pick)
    if which == 0:
        return CALL
    if which == 1 and v.max_to > 0:
        return v.min_to + np.int64((pick - which) * (v.max_to - v.min_to + 1)) if v.max_to > v.min_to else RAISE
    return FOLD


def fold(game: Game) -> CompiledAgent:
    """Folds to every bet, checks otherwise."""
    return CompiledAgent("fold", _always, memory=ALWAYS.template(action=FOLD), facts=())


def call(game: Game) -> CompiledAgent:
    """Checks and calls, whatever it holds: the calling station."""
    return CompiledAgent("call", _always, memory=ALWAYS.template(action=CALL), facts=())


def raise_(game: Game) -> CompiledAgent:
    """Bets and raises the smallest amount at every turn."""
    return CompiledAgent("raise", _always, memory=ALWAYS.template(action=RAISE), facts=())


def random(game: Game) -> CompiledAgent:
    """Picks fold, call or raise with equal chance among those allowed; a raise is uniform between the limits."""
    return CompiledAgent("random", _dice, facts=())
