"""Styles: two thresholds on the win probability (Baker 2010, section 4.2.2).

A style is a pair (α, β). With a win probability below α the player folds, or checks when that is free; at or above β it
bets or raises; in between it checks or calls. The four names come from two habits: *loose* players stay with little
(small α), *aggressive* ones bet with little (small β).

The win probability is against every opponent still in the hand (`win_against`). Where the source plays fixed limit
only, we say what a bet is elsewhere: a raise of the size of the pot.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.view import win_against
from nemesis.respond.agent import ACT, CompiledAgent, Memory
from nemesis.rules.betting import CALL, FOLD
from nemesis.rules.game import Game
from nemesis.runtime.compiled import inlined, njit
from nemesis.runtime.memory import CELL, Layout


class Places(NamedTuple):
    """The memory: the two thresholds."""

    alpha: int = CELL
    beta: int = CELL


THRESHOLDS = Layout(Places)
AT = THRESHOLDS.at


@inlined
def choose_by_thresholds(v: Any, alpha: float, beta: float) -> Any:
    """What the style (alpha, beta) does with this view."""
    return choose_with(v, win_against(v.win, v.opponents), alpha, beta)


@inlined
def choose_with(v: Any, win: float, alpha: float, beta: float) -> Any:
    """What the style (alpha, beta) does if it takes `win` for its win probability."""
    if win < alpha:
        return FOLD
    if win < beta:
        return CALL
    return bet(v)


@inlined
def bet(v: Any) -> Any:
    """A bet or raise of the size of the pot, which in a limit game is the fixed one."""
    return v.bet + v.pot + v.to_call


@njit(ACT)
def _two_thresholds(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    return choose_by_thresholds(view[0], memory[AT.alpha], memory[AT.beta])


def style(game: Game, alpha: float, beta: float, name: str = "") -> CompiledAgent:
    """A player of any style: folds below ALPHA, bets from BETA on, e.g. style:alpha=0.3,beta=0.7."""
    if not 0.0 <= alpha <= beta <= 1.0:
        raise ValueError(f"style thresholds must satisfy 0 <= alpha <= beta <= 1, not alpha={alpha}, beta={beta}")
    memory = THRESHOLDS.template(alpha=alpha, beta=beta)
    return CompiledAgent(name or f"style:alpha={alpha:g},beta={beta:g}", _two_thresholds, memory=memory, facts={"win"})


def thresholds_of(player: CompiledAgent) -> tuple[float, float] | None:
    """Alpha and beta of a player made here; None of any other."""
    return (player.template[AT.alpha], player.template[AT.beta]) if player.act_kernel is _two_thresholds else None


STYLES: Mapping[str, tuple[float, float]] = {"la": (0.1, 0.2), "lp": (0.1, 0.9), "ta": (0.5, 0.6), "tp": (0.5, 0.9)}
"""The four styles that have names (table 4.1)."""


def loose_aggressive(game: Game) -> CompiledAgent:
    """LA (.1, .2): stays with almost anything and bets most of it."""
    return style(game, *STYLES["la"], "la")


def loose_passive(game: Game) -> CompiledAgent:
    """LP (.1, .9): stays with almost anything, bets only the very best."""
    return style(game, *STYLES["lp"], "lp")


def tight_aggressive(game: Game) -> CompiledAgent:
    """TA (.5, .6): plays the better half and bets most of it."""
    return style(game, *STYLES["ta"], "ta")


def tight_passive(game: Game) -> CompiledAgent:
    """TP (.5, .9): plays the better half, bets only the very best."""
    return style(game, *STYLES["tp"], "tp")
