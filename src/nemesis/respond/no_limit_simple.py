"""The four highly exploitable opponents of no-limit hold'em (the ASHE paper, table 2): HM, CM, SL and CS.

The source gives each one line, quoted below, and no code; what the line leaves open is ours and said so. The four ask
for opposite answers: wait for a hand and let HM hang himself, bet for value and never bluff CM, bluff SL with
anything, and believe every bet that CS makes. They look at nothing but their own hand, so none remembers anything.

Each rule is an inlined function, because the random gambler plays them too.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.view import win_against
from nemesis.respond.agent import ACT, CompiledAgent, Memory, holdem_only
from nemesis.respond.bet_sizes import raise_by
from nemesis.rules.betting import CALL, FOLD
from nemesis.rules.game import Game
from nemesis.runtime.compiled import inlined, njit

NUT = 0.995
"""SL's nut: at most one holding in two hundred is better, ties counted half."""

MARGINAL = 0.5
"""From this strength on CS calls."""
CANDID = (0.6, 0.8, 0.9, 0.95)
"""The strengths from which on CS bets, raises a bet, raises a raise, and raises anything more."""


@inlined
def hothead(v: Any, chance: float) -> Any:
    """Raise by half the pot or by the pot, whatever the hand."""
    return raise_by(v, 0.5 if chance < 0.5 else 1.0)


@inlined
def scared(v: Any) -> Any:
    """Call with the nut, complete the small blind, fold to anything else; never bet."""
    if v.street == v.streets - 1 and v.strength >= NUT:
        return CALL
    limping = v.street == 0 and v.raises == 0 and v.bet <= v.big_blind
    return CALL if limping else FOLD


@inlined
def candid(v: Any) -> Any:
    """Bet a quarter to one pot by strength, check and call marginal hands, fold weak ones."""
    s = win_against(v.strength, v.opponents)
    least = CANDID[min(v.raises, 3)]
    if s >= least:
        return raise_by(v, 0.25 + 0.75 * (s - CANDID[0]) / (1.0 - CANDID[0]))
    return CALL if s >= MARGINAL else FOLD


@njit(ACT)
def _hothead(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    return hothead(view[0], chance)


@njit(ACT)
def _calling(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    return CALL


@njit(ACT)
def _scared(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    return scared(view[0])


@njit(ACT)
def _candid(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    return candid(view[0])


def hothead_maniac(game: Game) -> CompiledAgent:
    """HM: raises at every turn, by half or one pot at random.

    Source: "Always raises by half or one pot randomly." Either size with probability one half; the pot is counted with
    the call in it. Calls only where no raise is allowed, that is when somebody is all in.
    """
    return holdem_only(CompiledAgent("hm", _hothead, facts=()), game)


def calling_machine(game: Game) -> CompiledAgent:
    """CM: checks or calls, whatever it holds and whatever it costs.

    Source: "Always checks or calls." It completes the small blind and calls all in; it never folds and never bets.
    """
    return holdem_only(CompiledAgent("cm", _calling, facts=()), game)


def scared_limper(game: Game) -> CompiledAgent:
    """SL: limps, and folds to any bet unless it holds the nut, which it calls with.

    Source: "Calls when holding the nut; else, folds to any bet." It completes the small blind (a limper does) and checks
    when that is free. The nut is a hand that at most one holding in two hundred beats (ties count half, so a shared
    best hand is a nut too), and only on the river: while cards are to come no hand is safe, so before it SL folds to
    every bet. A player who calls with the best hand of the flop or turn and folds it a street later would be overbet
    for half a big blind a hand more, and one who calls it down would be drawn out on for all its chips; the published
    999 mBB speak for neither. It never bets or raises.
    """
    return holdem_only(CompiledAgent("sl", _scared, facts={"strength"}), game)


def candid_statistician(game: Game) -> CompiledAgent:
    """CS: bets a quarter to one pot by the strength of its hand, calls with marginal hands, folds weak ones, never bluffs.

    Source: "Bets 1/4 to one pot depending on raw hand strength, checks/calls with marginal hands, folds weak hands."
    Strength is the part of all hands that it beats on the board as it stands. It bets and raises from the strengths of
    `CANDID` on; the size grows evenly with strength up to one pot, so the size tells the hand. Hands from `MARGINAL` on it
    checks and calls whatever the price, weaker ones it folds. The thresholds are ours.
    """
    return holdem_only(CompiledAgent("cs", _candid, facts={"strength"}), game)
