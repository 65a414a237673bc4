"""The no-limit player that throws dice as the peers' do: fold, call, raise the pot or all-in, uniform over the legal ones.

Our own `random` draws a raise of any size, which makes other hands. As in OpenSpiel's "fcpa", nobody folds when checking
is free, and a raise of the pot that would be all-in is no choice of its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.respond.agent import ACT, CompiledAgent, Memory
from nemesis.rules.betting import CALL, FOLD
from nemesis.rules.game import Game
from nemesis.runtime.compiled import njit


@njit(ACT, error_model="numpy")
def _fold_call_pot_all_in(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    v = view[0]
    pot = v.bet + v.pot + v.to_call
    raises = 0
    if v.max_to > 0:
        raises = 2 if pot < v.max_to else 1
    which = np.int64(chance * (1 + raises + (v.to_call > 0)))
    if which == 0:
        return CALL
    if which > raises:
        return FOLD
    return v.max_to if which == 1 else pot


def pot_or_all_in(game: Game) -> CompiledAgent:
    """Folds, calls, raises the pot or goes all-in with equal chance among those allowed."""
    return CompiledAgent("pot-or-all-in", _fold_call_pot_all_in, facts=())
