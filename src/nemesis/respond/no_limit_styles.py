"""The four styles of no-limit hold'em (the ASHE paper, table 2): LA, LP, TP and TA.

"LA, LP, TP, and TA are less exploitable versions of HM, CM, SL, and CS, respectively." The two-threshold styles of Baker
2010 have the same names and are other players; these bear the prefix `nl-`. The source gives a line each, quoted below;
the rest is ours.

The loose two compare a hand with fixed numbers. The tight two know which hands they have come here with and go on with at
least as many of them as the price demands (`own_range`), so that betting anything does not beat them. TP is passive; TA
bets and bluffs by sizes that tell nothing.

The tight two and HP have *kin*: `nl-ta:kin=3` plays by TA's rule and has habits of its own, each of TA's multiplied by a
factor that the number draws. Whoever trains against kin learns tight players rather than one of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.respond.agent import ACT, CompiledAgent, Memory, holdem_only
from nemesis.respond.bet_sizes import price, raise_by, raise_or_shove
from nemesis.respond.initiative import HAS
from nemesis.respond.own_range import (
    OWN_RANGE,
    draw,
    fresh_range,
    keep_best,
    lose_best,
    minimum_defence,
    note_choice,
    place,
    recall,
    standing,
)
from nemesis.rules.betting import CALL, FOLD
from nemesis.rules.game import Game
from nemesis.runtime.chance import another
from nemesis.runtime.compiled import inlined, njit
from nemesis.runtime.streams import NumpyStream, generator

SIZES = (0.5, 0.67, 0.85)
"""Bets and raises of TA and HP, in pots, one as likely as another whatever the hand."""
SIZE_DIE = 1
"""The die that draws the size; what to do is decided with the number that the decision was given."""
TRAP_DIE = 2
DEAR = 0.34
"""The price of a call of a bet of about the pot; what is dearer takes better hands."""
MOST_KIN = 1_000_000
KIN_SPREAD = 0.3
"""The habits of kin are those of the player itself times exp of this much chance."""


class Storming(NamedTuple):
    """How LA plays: standings from which on it does something, shares of the time, sizes in pots."""

    smallest: float = 0.6
    wider: float = 0.6  # sizes reach that far above the smallest, all alike
    bets: float = 0.3  # bet or raised when there is nothing to call but a blind,
    checks: float = 0.2  # but for this share, checked after the flop
    bluffs: float = 0.45  # bet of what is worse
    raises: float = 0.5  # a first bet is raised from 1 - this on,
    fewer: float = 0.6  # and every further one by so many times that part of hands
    raise_bluffs: float = 0.2  # against a first bet
    calls: float = 0.05  # with a draw counted,
    each: float = 0.06  # more for every bet and raise,
    dear: float = 0.5  # and so much of what the price exceeds `DEAR` by


LA = Storming()


@njit(ACT, error_model="numpy")
def _loose_aggressive(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    v = view[0]
    s = standing(v)
    size = LA.smallest + LA.wider * another(chance, SIZE_DIE)
    if v.to_call == 0 or v.raises == 0:
        if s >= LA.bets:
            return CALL if v.street > 0 and another(chance, TRAP_DIE) < LA.checks else raise_by(v, size)
        return raise_by(v, size) if chance < LA.bluffs else FOLD
    dear = max(0.0, price(v) - DEAR)
    if s >= 1.0 - LA.raises * LA.fewer ** (v.raises - 1) or (v.raises == 1 and chance < LA.raise_bluffs):
        return raise_or_shove(v, size)
    return CALL if s + draw(v) >= LA.calls + LA.each * v.raises + LA.dear * dear else FOLD


class Following(NamedTuple):
    """How LP plays: standings from which on it does something."""

    limps: float = 0.2  # with a draw counted
    calls: float = 0.35  # the same; more by what the price exceeds `DEAR` by
    best: float = 0.95  # bets or raises,
    raises: float = 0.3  # so often,
    size: float = 0.5  # so many pots


LP = Following()


@njit(ACT, error_model="numpy")
def _loose_passive(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    v = view[0]
    s = standing(v)
    if s >= LP.best and chance < LP.raises:
        return raise_by(v, LP.size)
    dear = max(0.0, price(v) - DEAR)
    return CALL if s + draw(v) >= (LP.limps if v.raises == 0 else LP.calls) + dear else FOLD


class Sticking(NamedTuple):
    """How a player of TP's kind plays."""

    plays: float  # the part of holdings it completes the small blind with
    first: float  # before the flop, how many times the minimum calls a raise
    sticks: float  # later, the power of the minimum that goes on: at .5, .71 of its range where half of it would do
    best: float  # the part of its range that it bets or raises,
    raises: float  # so often


TP = Sticking(0.5, 1.1, 0.5, 0.05, 0.25)
HABITS = OWN_RANGE.end
"""Where the habits of a tight player begin in its memory, behind its range."""


@njit(ACT, error_model="numpy")
def _tight_passive(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    """Writes `memory`."""
    v = view[0]
    h = memory[HABITS:]
    habits = Sticking(h[0], h[1], h[2], h[3], h[4])
    recall(v, memory)
    at = place(v, memory)
    chosen = CALL
    if v.street == 0 and v.raises == 0:
        if v.to_call > 0:
            chosen = CALL if at >= 1.0 - habits.plays else FOLD
            keep_best(memory, habits.plays)
    elif at >= 1.0 - habits.best and chance < habits.raises:
        chosen = raise_by(v, 0.5)
    elif v.to_call > 0:
        least = minimum_defence(v, memory)
        share = min(1.0, habits.first * least) if v.street == 0 else least**habits.sticks
        chosen = CALL if at >= 1.0 - share else FOLD
        keep_best(memory, share)
    note_choice(v, memory, chosen)
    return chosen


class Habits(NamedTuple):
    """How a player of TA's kind plays: shares are of its own range, bluffs are by value hand."""

    opens: float  # the part of holdings raised on the button when nobody has raised
    limps: float  # the part played there at all
    isolates: float  # the part raised on the big blind after a limp
    defends_first: float  # before the flop, how many times the minimum goes on
    defends: float  # the same later
    raises: float  # raised for value
    raise_bluffs: float
    bets: float  # bet for value before the river
    bluffs: float
    river_bets: float
    river_bluffs: float
    traps: float  # of hands worth betting, checked in order to raise


TA = Habits(0.6, 0.75, 0.3, 1.15, 1.0, 0.12, 0.3, 0.3, 0.4, 0.25, 0.22, 0.0)

WEAK = 0.45
"""Below this place of its range TA bluffs with hands that have nothing to show."""
LIGHT = 0.25
"""Bluff raises come from this part of the range, just below the hands that call."""
IN_FRONT = 0.5
"""Out of position and without the initiative, bets are this much rarer."""


@inlined
def drawn_size(chance: float) -> Any:
    """One of `SIZES`, whatever the hand and whatever `chance` decides."""
    return SIZES[int(3.0 * another(chance, SIZE_DIE))]


@inlined
def first_in(v: Any, memory: Memory, chance: float, habits: Habits) -> Any:
    """Before the flop, nobody has raised. Writes `memory`."""
    at = place(v, memory)
    if v.to_call == 0:
        if at >= 1.0 - habits.isolates or chance < 0.1:
            keep_best(memory, habits.isolates + 0.1 * (1.0 - habits.isolates))
            return raise_by(v, 1.0)
        lose_best(memory, habits.isolates)
        return CALL
    if at >= 1.0 - habits.opens:
        keep_best(memory, habits.opens)
        return raise_by(v, drawn_size(chance))
    keep_best(memory, habits.limps)
    lose_best(memory, habits.opens / habits.limps)
    return CALL if at >= 1.0 - habits.limps else FOLD


@inlined
def facing(v: Any, memory: Memory, chance: float, habits: Habits) -> Any:
    """Somebody has bet or raised: raise the best and a few bluffs, go on with what the price demands. Writes `memory`."""
    at = place(v, memory)
    least = minimum_defence(v, memory)
    share = min(1.0, (habits.defends_first if v.street == 0 else habits.defends) * least)
    value = habits.raises * min(1.0, 2.0 * least)
    bluffs = habits.raise_bluffs * value
    light = 1.0 - share - LIGHT <= at < 1.0 - share and chance < bluffs / LIGHT
    if (at >= 1.0 - value or light) and v.max_to > 0:
        keep_best(memory, value + bluffs)
        return raise_or_shove(v, drawn_size(chance))
    keep_best(memory, share)
    lose_best(memory, min(0.9, value / max(share, value)))
    return CALL if at >= 1.0 - share else FOLD


@inlined
def bet_share(v: Any, memory: Memory, habits: Habits) -> Any:
    """The share of its range that it bets for value here."""
    share = habits.river_bets if v.street == v.streets - 1 else habits.bets
    return share if memory[HAS.initiative] == 1.0 or v.position == v.seats - 1 else IN_FRONT * share


@inlined
def unbet(v: Any, memory: Memory, chance: float, habits: Habits) -> Any:
    """Nothing to call after the flop: bet for value, or as a bluff with what is weak. Writes `memory`."""
    at = place(v, memory)
    value = bet_share(v, memory, habits)
    bluffs = habits.river_bluffs if v.street == v.streets - 1 else habits.bluffs
    if at >= 1.0 - value or (at < WEAK and chance < value * bluffs / WEAK):
        keep_best(memory, value * (1.0 + bluffs))
        return raise_or_shove(v, drawn_size(chance))
    lose_best(memory, value * (1.0 - habits.traps))
    return CALL


@inlined
def refined(v: Any, memory: Memory, chance: float, habits: Habits) -> Any:
    """What a player of TA's kind does here. Writes `memory`."""
    if v.street == 0 and v.raises == 0:
        return first_in(v, memory, chance, habits)
    if v.to_call > 0:
        return facing(v, memory, chance, habits)
    return unbet(v, memory, chance, habits)


@inlined
def habits_in(memory: Memory, place: int) -> Any:
    """The habits of a player of TA's kind, from its memory."""
    h = memory[place:]
    return Habits(h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7], h[8], h[9], h[10], h[11])


@njit(ACT, error_model="numpy")
def _tight_aggressive(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    """Writes `memory`."""
    v = view[0]
    recall(v, memory)
    chosen = refined(v, memory, chance, habits_in(memory, HABITS))
    note_choice(v, memory, chosen)
    return chosen


def loose_aggressive(game: Game) -> CompiledAgent:
    """LA: bets and raises with a wide range of hands, and gives up late.

    The source: "Bets/raises aggressively with a wide range of hands." With nothing to call but a blind it bets or raises
    most hands and many that are worse. Facing a bet it raises good hands, better ones the more was raised before, and now
    and then a bluff; it calls with much, with less against further raises and against bets above the pot. `Storming` has
    the numbers. It goes all in when a raise would take most of its stack (`raise_or_shove`).
    """
    return holdem_only(CompiledAgent("nl-la", _loose_aggressive), game)


def loose_passive(game: Game) -> CompiledAgent:
    """LP: calls with most hands, folds weak ones, rarely raises.

    The source: "Calls with most hands, folds weak hands, rarely raises." It limps with nearly everything, calls with most of
    it, with less against bets above the pot, and checks what is free. It bets or raises only its best hands, and those not
    always; it never bluffs. `Following` has the numbers.
    """
    return holdem_only(CompiledAgent("nl-lp", _loose_passive), game)


def tight_passive(game: Game, kin: float = 0) -> CompiledAgent:
    """TP: folds most hands before the flop, calls with good ones from there on, rarely raises.

    The source: "Calls with good hands, folds most hands, rarely raises." It completes the small blind with the better half
    of holdings, calls a raise before the flop with no more hands than it must, and sticks to what it has after the flop.
    It hardly ever bets and never bluffs, so whoever has it beaten may bet again and again, and draws are free.
    """
    plays, first, sticks, best, raises = _of_kin("nl-tp", TP, kin)
    habits = Sticking(min(1.0, plays), first, sticks, min(1.0, best), min(1.0, raises))
    return _tight("nl-tp", kin, _tight_passive, habits, game)


def tight_aggressive(game: Game, kin: float = 0) -> CompiledAgent:
    """TA: bets and raises good hands and some bluffs, with sizes that tell nothing, and folds no more than it may.

    The source: "Similar to CS, with refined hand ranges and bluffing." `Habits` says how much of its range it opens, bets,
    raises and bluffs with. It bluffs less than it could and believes big bets, which is what can be taken from it.
    """
    return _tight("nl-ta", kin, _tight_aggressive, habits_of_kin("nl-ta", TA, kin), game)


def habits_of_kin(name: str, habits: Habits, kin: float) -> Habits:
    """The habits of a relation of a player of TA's kind; nobody raises more hands than it plays."""
    drawn = Habits._make(_of_kin(name, habits, kin))
    opens, limps = min(1.0, drawn.opens), min(1.0, drawn.limps)
    return drawn._replace(opens=opens, limps=max(opens, limps))


def name_of_kin(name: str, kin: float) -> str:
    """What a relation is called; 0 is the player itself."""
    return f"{name}:kin={kin:g}" if kin else name


def _of_kin(name: str, habits: tuple[float, ...], kin: float) -> NDArray[np.float64]:
    """The habits of a relation by its number; 0 is the player itself."""
    if not 0 <= kin < MOST_KIN or kin != int(kin):
        raise ValueError(f"{name} has kin by whole numbers from 0, itself, to {MOST_KIN - 1}, not {kin:g}")
    factors = np.exp(generator(int(kin), NumpyStream.KIN).normal(0.0, KIN_SPREAD, len(habits)))
    return np.array(habits) * (factors if kin else 1.0)


def _tight(name: str, kin: float, act: Any, habits: Sequence[float], game: Game) -> CompiledAgent:
    memory = np.concatenate([fresh_range(), habits])
    return holdem_only(CompiledAgent(name_of_kin(name, kin), act, memory=memory), game)
