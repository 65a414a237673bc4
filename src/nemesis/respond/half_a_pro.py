"""Half-a-pro (the ASHE paper, table 2): TA with floats, check-raises and bluffs that go on.

The source: "TA with advanced strategies such as floating, check-raising, and multi-shot bluffing." Each of them is a *plan*
that spans decisions, so the player must remember it:

* **Float.** On the button, facing the first bet of the flop or turn at a fair price with a hand that TA folds, call with the
  intention to take the pot away: when the opponent then checks the next street, bet.
* **Check-raise.** Out of position and without the initiative, check a hand worth betting, or a draw, in order to raise
  the bet that comes; a free card is the cost of it.
* **Barrels.** A bluff that was called goes on: on the next street it bets again with a set probability, unless the hand
  has come to be worth a showdown.

Everything else is TA's rule (`no_limit_styles.refined`) with habits nearer to balance. All probabilities are ours. HP has
kin as TA has (`hp:kin=3`), with the same plans and habits of their own.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.respond.agent import ACT, CompiledAgent, Memory, holdem_only
from nemesis.respond.bet_sizes import raise_or_shove
from nemesis.respond.initiative import HAS
from nemesis.respond.no_limit_styles import (
    WEAK,
    Habits,
    bet_share,
    drawn_size,
    habits_in,
    habits_of_kin,
    name_of_kin,
    refined,
)
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
)
from nemesis.rules.betting import CALL, FOLD, RAISE
from nemesis.rules.game import Game
from nemesis.runtime.chance import another
from nemesis.runtime.compiled import inlined, njit
from nemesis.runtime.memory import CELL, Layout

HP = Habits(0.6, 0.75, 0.3, 1.3, 0.92, 0.12, 0.5, 0.3, 0.8, 0.25, 0.45, 0.15)

NOTHING, GO_ON, CHECK_RAISE = 0.0, 1.0, 2.0
"""The plans: none, bet again when checked to, raise the bet that comes on this street."""

PLAN_DIE = 2
FLOATS = 0.25
BARRELS = 0.45
GOOD_DRAW = 0.1
FAIR = 0.45
"""Floats are against bets that more than this part of a range must answer."""


class Places(NamedTuple):
    """What HP remembers beside its range."""

    plan: int = CELL
    street: int = CELL  # the street on which it was made


PLANS = Layout(Places, after=OWN_RANGE)
PLANNED = PLANS.at
HABITS = PLANS.end
"""Where the habits begin, behind the plans."""


@inlined
def facing_a_bet(v: Any, memory: Memory, chance: float, habits: Habits) -> Any:
    """Spring the check-raise, or ask TA and float with some of what it folds. Writes `memory`."""
    trapped = memory[PLANNED.plan] == CHECK_RAISE and memory[PLANNED.street] == v.street and v.raises == 1
    memory[PLANNED.plan] = NOTHING
    if trapped and v.max_to > 0:
        keep_best(memory, habits.bets)
        return raise_or_shove(v, drawn_size(chance))
    least = minimum_defence(v, memory)
    chosen = refined(v, memory, chance, habits)
    inside = 0 < v.street < v.streets - 1 and v.position == v.seats - 1 and v.raises == 1
    if chosen == FOLD and inside and least > FAIR and another(chance, PLAN_DIE) < FLOATS:
        memory[PLANNED.plan] = GO_ON
        return CALL
    return chosen


@inlined
def checked_to(v: Any, memory: Memory, chance: float, habits: Habits) -> Any:
    """Go on with a float or a bluff, lay a trap, or ask TA. Writes `memory`."""
    at = place(v, memory)
    value = bet_share(v, memory, habits)
    if memory[PLANNED.plan] == GO_ON and at < WEAK:
        if another(chance, PLAN_DIE) < BARRELS:
            keep_best(memory, value * (1.0 + habits.bluffs))
            return raise_or_shove(v, drawn_size(chance))
        memory[PLANNED.plan] = NOTHING
        return CALL
    memory[PLANNED.plan] = NOTHING
    in_front = v.position < v.seats - 1 and memory[HAS.initiative] == 0.0
    if in_front and (at >= 1.0 - habits.bets or draw(v) >= GOOD_DRAW) and another(chance, PLAN_DIE) < habits.traps:
        memory[PLANNED.plan] = CHECK_RAISE
        memory[PLANNED.street] = v.street
        lose_best(memory, value * (1.0 - habits.traps))
        return CALL
    chosen = refined(v, memory, chance, habits)
    if chosen >= RAISE and at < WEAK:
        memory[PLANNED.plan] = GO_ON
    return chosen


@njit(ACT, error_model="numpy")
def _half_a_pro(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    """Writes `memory`."""
    v = view[0]
    habits = habits_in(memory, HABITS)
    if memory[HAS.hand] != v.hand:
        memory[PLANNED.plan] = NOTHING
    recall(v, memory)
    if v.street == 0:
        chosen = refined(v, memory, chance, habits)
    elif v.to_call > 0:
        chosen = facing_a_bet(v, memory, chance, habits)
    else:
        chosen = checked_to(v, memory, chance, habits)
    note_choice(v, memory, chosen)
    return chosen


def half_a_pro(game: Game, kin: float = 0) -> CompiledAgent:
    """HP: TA that also floats, check-raises and keeps bluffing, nearer to balance than TA in all it does."""
    memory = np.concatenate([fresh_range(), PLANS.template(), habits_of_kin("hp", HP, kin)])
    return holdem_only(CompiledAgent(name_of_kin("hp", kin), _half_a_pro, memory=memory), game)
