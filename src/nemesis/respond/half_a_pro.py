"""Half-a-pro (the ASHE paper, table 2): TA with floats, check-raises and bluffs that go on.

Source: "TA with advanced strategies such as floating, check-raising, and multi-shot bluffing." Each is a *plan* that
spans decisions and is remembered:

* **Float.** On the button, call the first bet of the flop or turn with a hand that TA folds, in a small pot and at a fair
  price; when the opponent checks the next street, bet.
* **Check-raise.** Out of position and without the initiative, check a hand worth betting, or a draw, and raise the bet
  that follows.
* **Barrels.** A bluff that was called bets again on the next street with a set probability, unless the hand has become
  worth a showdown or the bluff was raised. A float's bet and a check-raised draw go on the same way.

Everything else is TA's rule (`no_limit_styles.refined`). The probabilities are ours.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.respond.agent import ACT, CompiledAgent, Memory, holdem_only
from nemesis.respond.commitment import needed_to_bet, price, raise_or_shove, standing
from nemesis.respond.no_limit_styles import (
    HABIT,
    HAS,
    INITIATIVE,
    TAKES,
    USUAL,
    WIDTHS,
    draw,
    drawn_size,
    forget_last_hand,
    refined,
)
from nemesis.rules.betting import CALL, FOLD, RAISE
from nemesis.rules.game import Game
from nemesis.runtime.chance import another
from nemesis.runtime.compiled import inlined, njit
from nemesis.runtime.memory import CELL, Layout

NOTHING, FLOAT, CHECK_RAISE, BARREL = 0.0, 1.0, 2.0, 3.0
"""The plans."""

PLAN_DIE = 2
"""The die that decides about plans, beside those of TA."""

FLOATS = 0.4
TRAPS, SEMI_TRAPS = 0.35, 0.25
BARRELS = (0.0, 0.0, 0.5, 0.4)
"""How often a bluff goes on, by street."""
SHOWDOWN_WORTH = 0.55
"""From this standing on a hand is not bluffed with any more."""


class Plan(NamedTuple):
    """What its memory has behind TA's: the plan, and the street on which it was made."""

    plan: int = CELL
    street: int = CELL


PLAN = Layout(Plan, after=HABIT)
AT = PLAN.at


@inlined
def plan(memory: Memory, what: float, street: int) -> None:
    """Writes `memory`."""
    memory[AT.plan] = what
    memory[AT.street] = street


@inlined
def facing_a_bet(v: Any, memory: Memory, chance: float, dice: float) -> Any:
    """Spring the check-raise, or ask TA and float with some of what it folds. Writes `memory`."""
    if memory[AT.plan] == CHECK_RAISE and memory[AT.street] == v.street and v.raises == 1:
        worth = standing(v) >= needed_to_bet(v, memory[TAKES.habit] * WIDTHS[min(v.street, 3)], 0.85)
        plan(memory, NOTHING if worth else BARREL, v.street)
        return raise_or_shove(v, 0.85)
    memory[AT.plan] = NOTHING
    chosen = refined(v, memory, chance)
    inside = 0 < v.street < v.streets - 1 and v.position == v.seats - 1
    small = v.raises == 1 and v.spent + v.to_call < 0.1 * (v.spent + v.stack) and price(v) <= 0.34
    if chosen == FOLD and inside and small and v.win >= 0.25 and dice < FLOATS:
        plan(memory, FLOAT, v.street)
        return CALL
    if chosen >= RAISE and v.street > 0 and standing(v) < SHOWDOWN_WORTH:
        plan(memory, BARREL, v.street)
    return chosen


@inlined
def nothing_to_call(v: Any, memory: Memory, chance: float, dice: float) -> Any:
    """Go on with a float or a bluff, lay a trap, or ask TA. Writes `memory`."""
    s = standing(v)
    size = drawn_size(chance)
    if memory[AT.plan] == FLOAT or memory[AT.plan] == BARREL:
        goes_on = memory[AT.plan] == FLOAT or dice < BARRELS[min(v.street, 3)]
        if goes_on and s < SHOWDOWN_WORTH and v.pot < 2 * v.stack:
            plan(memory, BARREL, v.street)
            return raise_or_shove(v, size)
        memory[AT.plan] = NOTHING
        if s < SHOWDOWN_WORTH:
            return CALL
    worth = s >= needed_to_bet(v, memory[TAKES.habit] * WIDTHS[min(v.street, 3)], USUAL)
    traps = TRAPS if worth else (SEMI_TRAPS if draw(v) >= 0.1 else 0.0)
    if v.position < v.seats - 1 and memory[HAS.initiative] == 0.0 and dice < traps:
        plan(memory, CHECK_RAISE, v.street)
        return CALL
    chosen = refined(v, memory, chance)
    if chosen >= RAISE and not worth:
        plan(memory, BARREL, v.street)
    return chosen


@njit(ACT, error_model="numpy")
def _half_a_pro(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    """Writes `memory`."""
    v = view[0]
    if memory[HAS.hand] != v.hand:
        memory[AT.plan] = NOTHING
    forget_last_hand(v, memory)
    dice = another(chance, PLAN_DIE)
    if v.street == 0 and v.streets > 1:
        chosen = refined(v, memory, chance)
    elif v.to_call > 0 and v.raises > 0:
        chosen = facing_a_bet(v, memory, chance, dice)
    else:
        chosen = nothing_to_call(v, memory, chance, dice)
    memory[HAS.initiative] = 1.0 if chosen >= RAISE else 0.0
    return chosen


def half_a_pro(game: Game) -> CompiledAgent:
    """HP: TA that also floats, check-raises and keeps bluffing, and believes opponents a little more.

    *Floats* 40 % of the hands TA folds to the first bet of flop or turn when it has the button, wins at least a
    quarter of the time against a random hand, pays at most a pot-sized bet and has under a tenth of its stack in with
    the call; when checked to on the next street it bets. *Check-raises*, out of position without the initiative, 35 %
    of the hands worth betting and a quarter of its draws, by 5/6 pot. *Barrels*: a bluff that was called bets again on
    the turn 50 % and on the river 40 % of the time while the hand stands below .55 and the pot is under twice the
    stack. The rest is TA's rule with opponents' hands taken a shade narrower (.88 for TA's .9).
    """
    memory = (*INITIATIVE.template(hand=-1), *HABIT.template(habit=0.88), *PLAN.template(plan=NOTHING))
    return holdem_only(CompiledAgent("hp", _half_a_pro, memory=memory), game)
