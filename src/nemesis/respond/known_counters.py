"""The counter-strategies that need no search: wait for the river, steal, and bet anything.

`patient` is for opponents who never fold and never look at their cards: put in as little as possible, fold only
hopeless hands, and on the river get every chip in with the better hand. Against CM that is the best response, against
HM within about a hundredth of it (`solve.no_limit_ceiling` has the exact figures). `thief` is the best response to
somebody who folds to every bet: raise every hand before the flop by the smallest amount. `prober` bets whatever it
holds, by any size on any street, so what is folded to it is folded for the price alone (`measure.defence`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.view import win_against
from nemesis.respond.agent import ACT, CompiledAgent, Memory, holdem_only
from nemesis.respond.bet_sizes import raise_by
from nemesis.rules.betting import CALL, FOLD, RAISE
from nemesis.rules.game import Game
from nemesis.runtime.chance import another
from nemesis.runtime.compiled import njit

HOPELESS = 0.06
"""Below this win probability the patient player folds a bet on the turn: too few rivers help."""


@njit(ACT, error_model="numpy")
def _patient(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    v = view[0]
    win = win_against(v.win, v.opponents)
    last = v.street == v.streets - 1
    if last and win > 0.5:
        return max(RAISE, v.max_to)
    if v.to_call == 0:
        return CALL
    if last:
        return CALL if (v.spent + v.to_call) * (2 * win - 1) > -v.spent else FOLD
    return FOLD if v.street == v.streets - 2 and win < HOPELESS else CALL


@njit(ACT, error_model="numpy")
def _thief(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    return RAISE if view[0].raises == 0 else FOLD


PROBES = (0.5, 0.5, 1.0, 1.0, 2.0, 5.0, 20.0)
"""Sizes of a prober's bets in pots; small ones are more frequent, so that it comes to the river in pots of every depth."""
PROBE_RATE = 0.55
SIZE_DIE = 1


@njit(ACT, error_model="numpy")
def _prober(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    v = view[0]
    if chance >= PROBE_RATE or v.max_to <= 0:
        return CALL
    return raise_by(v, PROBES[int(len(PROBES) * another(chance, SIZE_DIE))])


def patient(game: Game) -> CompiledAgent:
    """Waits for the river as cheaply as it can, and goes all in there with the better hand; folds little on the way.

    Checks and calls to the river. There it goes all in with more than half of the win probability, and otherwise calls
    when the price is right against a random hand. On the turn it folds to a bet with hands that few rivers help
    (`HOPELESS`).
    """
    return holdem_only(CompiledAgent("patient", _patient, facts={"win"}), game)


def thief(game: Game) -> CompiledAgent:
    """Bets or raises the least whenever nobody has bet on the street, and gives up when somebody plays back."""
    return holdem_only(CompiledAgent("thief", _thief, facts=()), game)


def prober(game: Game) -> CompiledAgent:
    """Bets or raises half of the time whatever it holds, by half a pot to twenty; never folds."""
    return holdem_only(CompiledAgent("prober", _prober, facts=()), game)
