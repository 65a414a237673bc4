"""The four styles of no-limit hold'em (the ASHE paper, table 2): LA, LP, TP and TA.

"LA, LP, TP, and TA are less exploitable versions of HM, CM, SL, and CS, respectively" (the ASHE paper, section 4). The
two-threshold styles of Baker 2010 have the same names and are other players; these bear the prefix `nl-`. The source
gives a line each, quoted below; the thresholds are ours.

All measure their hand by its *standing*, the part of all hands that it beats now (before the flop, its place among
holdings; `commitment.py`). A *draw* is how much more a hand wins by the river than now. The passive two only compare
numbers. The aggressive two mix: sizes are drawn at random and tell nothing.

TA remembers one thing, whether it has the initiative: it made the last bet or raise of this hand, and has not checked
since.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.respond.agent import ACT, CompiledAgent, Memory, holdem_only
from nemesis.respond.commitment import (
    needed_to_bet,
    needed_to_call,
    price,
    raise_by,
    raise_or_shove,
    standing,
)
from nemesis.rules.betting import CALL, FOLD, RAISE
from nemesis.rules.game import Game
from nemesis.runtime.chance import another
from nemesis.runtime.compiled import inlined, njit
from nemesis.runtime.memory import CELL, Layout

WIDTHS = (1.6, 2.2, 2.4, 2.6)
"""How wide an opponent's hands are taken to be, by street (`commitment.py`)."""
SIZES = (0.5, 0.67, 0.85)
"""Bets and raises of TA and HP, in pots, one as likely as another."""
USUAL = SIZES[1]
"""The size by which TA and HP decide whether a hand is worth a bet, so that the size drawn tells nothing."""
SIZE_DIE = 1
"""The die that draws the size; what to do is decided with the number that the decision was given."""


class Initiative(NamedTuple):
    """The first places of a memory: whether the player has the initiative, and in which hand."""

    hand: int = CELL
    initiative: int = CELL


class Habit(NamedTuple):
    """What TA's memory has behind: how wide it takes others to be."""

    habit: int = CELL


INITIATIVE = Layout(Initiative)
HABIT = Layout(Habit, after=INITIATIVE)
HAS, TAKES = INITIATIVE.at, HABIT.at


@inlined
def draw(v: Any) -> Any:
    """How much more often the hand wins at showdown than it is ahead now; 0 for a hand that stands to lose ground."""
    return max(0.0, v.win - v.strength) if 0 < v.street < v.streets - 1 else 0.0


@inlined
def forget_last_hand(v: Any, memory: Memory) -> None:
    """A new hand begins without the initiative; a raise by somebody else takes it. Writes `memory`."""
    if memory[HAS.hand] != v.hand or (v.to_call > 0 and v.raises > 0):
        memory[HAS.initiative] = 0.0
    memory[HAS.hand] = v.hand


@njit(ACT, error_model="numpy")
def _loose_aggressive(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    v = view[0]
    s = standing(v)
    size = 0.6 + 0.6 * another(chance, SIZE_DIE)
    if v.to_call == 0 or v.raises == 0:
        return raise_by(v, size) if s >= 0.3 or chance < 0.45 else CALL
    dear = max(0.0, price(v) - 0.34)
    if s >= 1.0 - 0.5 * 0.6 ** (v.raises - 1) or (v.raises == 1 and chance < 0.2):
        return raise_or_shove(v, size)
    return CALL if s + draw(v) >= 0.24 + 0.06 * v.raises + 0.5 * dear else FOLD


@njit(ACT, error_model="numpy")
def _loose_passive(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    v = view[0]
    s = standing(v)
    if s >= 0.95 and chance < 0.3:
        return raise_by(v, 0.5)
    dear = max(0.0, price(v) - 0.34)
    return CALL if s + draw(v) >= (0.2 if v.raises == 0 else 0.35) + dear else FOLD


@njit(ACT, error_model="numpy")
def _tight_passive(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    v = view[0]
    s = standing(v)
    if s >= 0.97 and chance < 0.25:
        return raise_by(v, 0.5)
    if v.raises == 0:
        return CALL if s >= 0.5 else FOLD
    need = max(0.7 if v.street == 0 else 0.65 + 0.05 * v.raises, needed_to_call(v, 0.8 * WIDTHS[min(v.street, 3)]))
    return CALL if s + draw(v) >= need or s >= 0.99 else FOLD


@inlined
def drawn_size(chance: float) -> Any:
    """One of `SIZES`, whatever the hand and whatever `chance` decides."""
    return SIZES[int(3.0 * another(chance, SIZE_DIE))]


@inlined
def refined(v: Any, memory: Memory, chance: float) -> Any:
    """What TA does here. Reads the initiative and the habit from `memory`."""
    s = standing(v)
    width = memory[TAKES.habit] * WIDTHS[min(v.street, 3)]
    size = drawn_size(chance)
    hope = draw(v)
    if v.street == 0 and v.streets > 1 and v.raises == 0:
        if v.to_call == 0:
            return raise_by(v, 1.0) if s >= 0.62 or chance < 0.08 else CALL
        if s >= 0.4 or (s >= 0.25 and chance < 0.3):
            return raise_by(v, size)
        return CALL if s >= 0.25 else FOLD
    if v.to_call > 0 and v.raises > 0:
        if s >= needed_to_bet(v, width, USUAL) or s >= 0.99:
            return raise_or_shove(v, size)
        need = needed_to_call(v, width)
        light = v.raises == 1 and v.pot < 0.2 * v.stack
        if light and hope >= 0.12 and chance < 0.25:
            return raise_or_shove(v, size)
        if light and v.street == 0 and v.streets > 1 and 0.5 <= s < 0.75 and chance < 0.12:
            return raise_or_shove(v, size)
        return CALL if s + min(2.0 * hope, 0.4) >= need else FOLD
    if s >= needed_to_bet(v, width, USUAL):
        return raise_or_shove(v, size)
    last = v.street == v.streets - 1
    if hope >= 0.1:
        rate = 0.55
    elif s >= 0.6 and not last:
        rate = 0.2
    elif memory[HAS.initiative] == 1.0:
        rate = 0.55 if v.street == 1 else 0.3
    else:
        rate = 0.2 if v.position == v.seats - 1 else 0.1
    if s >= 0.45 and last:
        rate = 0.0
    return raise_or_shove(v, size) if chance < rate and v.pot < 1.5 * v.stack else CALL


@njit(ACT, error_model="numpy")
def _tight_aggressive(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    """Writes `memory`."""
    v = view[0]
    forget_last_hand(v, memory)
    chosen = refined(v, memory, chance)
    memory[HAS.initiative] = 1.0 if chosen >= RAISE else 0.0
    return chosen


def loose_aggressive(game: Game) -> CompiledAgent:
    """LA: bets and raises with a wide range of hands, and gives up late.

    Source: "Bets/raises aggressively with a wide range of hands." With nothing to call but a blind it bets or raises .6
    to 1.2 pots with a standing of .3 or more and with 45 % of the rest, which it otherwise checks or limps. Facing a
    bet it raises from .5 on, a raise from .7, the next from .82 and so on, and as a bluff 20 % of the time against a
    first bet; it calls from .3 on (draw included), .06 more for every further raise, and more for a bet above the pot
    by half as much as its price exceeds .34. Otherwise it folds. It goes all in when a raise would take three fifths
    of its stack.
    """
    return holdem_only(CompiledAgent("nl-la", _loose_aggressive), game)


def loose_passive(game: Game) -> CompiledAgent:
    """LP: calls with most hands, folds weak ones, rarely raises.

    Source: "Calls with most hands, folds weak hands, rarely raises." It calls with a standing (draw included) of .35 or
    more, more for a bet above the pot by as much as its price exceeds .34, limps from .2 on, and checks what is free.
    From .95 on it bets or raises half a pot 30 % of the time. It never bluffs.
    """
    return holdem_only(CompiledAgent("nl-lp", _loose_passive), game)


def tight_passive(game: Game) -> CompiledAgent:
    """TP: calls with good hands, folds most, rarely raises.

    Source: "Calls with good hands, folds most hands, rarely raises." It completes the small blind with the better half of
    holdings and folds the others. It calls a raise before the flop with the best 30 %, a bet later with a standing
    (draw included) of .7, a raise with .05 more each; and more when much has gone in (`commitment.py`, four fifths of
    the widths); never folds a standing of .99. From .97 on it bets or raises half a pot a quarter of the time. It
    never bluffs.
    """
    return holdem_only(CompiledAgent("nl-tp", _tight_passive), game)


def tight_aggressive(game: Game) -> CompiledAgent:
    """TA: bets and raises good hands and some bluffs, with sizes that tell nothing; calls by price and by what is at stake.

    Source: "Similar to CS, with refined hand ranges and bluffing."

    *Before the flop*, unraised: raises the best 60 % of the button (and 30 % of the next 15 %), limps the rest of the
    best 75 %, folds the others; on the big blind raises the best 38 % of limped hands by the pot, and 8 % of the rest.
    *Facing a bet or raise*, any street: raises when its hand beats 65 % of the hands that could pay 2/3 of the pot, calls
    when the price is right against the hands the opponent may still have, both by `commitment.py`; a draw counts
    twice, up to .4. A first bet it raises as a bluff with a quarter of its good draws (.12 and more) and, before the
    flop, with 12 % of middling holdings (.5 to .75).
    *With nothing to call* after the flop: bets for value when it beats 65 % of the hands that could pay 2/3 pot.
    Otherwise it bets 55 % of its draws (.1 and more), a fifth of what is fairly good (.6 and more) before the river,
    and of the rest 55 % on the flop and 30 % later if it has the initiative, else 20 % on the button and 10 % in front;
    on the river nothing that beats .45 of hands is turned into a bluff. Sizes are 1/2, 2/3 or 5/6 pot, drawn at random
    whatever the hand; all in when that takes three fifths of its stack.
    """
    memory = (*INITIATIVE.template(hand=-1), *HABIT.template(habit=0.9))
    return holdem_only(CompiledAgent("nl-ta", _tight_aggressive, memory=memory), game)
