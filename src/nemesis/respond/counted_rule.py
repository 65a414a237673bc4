"""ASHE's rule with rates that are counted instead of estimated, and the same player with results in place of the rule.

ASHE weighs an action by two rates, how often the opponent folds to it and how often we win if the hand is shown down, and
by the chips that are in now (`respond.ashe`): one step, and no chips that come later. Its estimators need not be honest, so
its play does not tell what the rule is worth. This player's rates are. It sits with one opponent for a long time and
counts, for every kind of decision and every action, what came of it: folds, showdowns won, and what the hand brought.
With `BY_RATES` it acts by the rule on the counted rates, with `BY_RESULTS` by the mean of what the hand brought. Kinds of
decisions, actions and exploration are the same, so the difference is what the rule leaves out.

A kind is the position, the street, the price, how deep we are in, and a twelfth of hand strength, which is all of the
hand that ASHE sees too. Up to hand `learns` it tries other actions, more and more seldom; from there on it neither tries nor
counts.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.pattern_tree import ALL_IN, CALL, OWN_SIZES
from nemesis.observe.event import ACTS, ENDS, STARTS
from nemesis.respond.agent import ACT, WATCH, CompiledAgent, Memory, holdem_only
from nemesis.respond.ashe import FOUR_BET, THREE_BET
from nemesis.rules.betting import FOLD
from nemesis.rules.game import Game
from nemesis.runtime.chance import another
from nemesis.runtime.compiled import inlined, njit
from nemesis.runtime.memory import CELL, WHERE, Layout

BY_RATES, BY_RESULTS = 0, 1
Worth = Literal["rates", "results"]

STRENGTHS = 12
PRICES = (0.4, 0.8)
"""To call, in pots before the call: nothing, up to the first, up to the second, more."""
DEPTHS = (0.02, 0.06, 0.2)
"""Our chips in, of the stack."""
ACTIONS = ALL_IN + 1
KINDS = 2 * 4 * 4 * 4 * STRENGTHS
TRIES = 0.2
"""How often another action is tried in the first hands; the share falls in a straight line."""
TRY_DIE, WHICH_DIE = 1, 2
RECENT = 3000.0
"""Means are over about so many of the last times, because what we do later in a hand changes as we learn."""
MOST_DECISIONS = 24
NONE = -1.0


class CountPlaces(NamedTuple):
    """What came of one action in one kind of decision: how often it was taken, and means with how often they were seen."""

    taken: int = CELL
    brought: int = CELL
    answered: int = CELL
    folds: int = CELL
    shown: int = CELL
    wins: int = CELL


COUNT = Layout(CountPlaces)
AT_COUNT, COUNT_SIZE = COUNT.at, COUNT.size


class Places(NamedTuple):
    """The memory: how it decides, until when it learns, the hand under way, and all counts."""

    worth: int = CELL
    learns: int = CELL
    asked: int = CELL  # the count of a raise that has not been answered
    over: int = CELL  # whether somebody has folded
    decisions: int = CELL
    made: int = MOST_DECISIONS
    counts: int = WHERE


LAYOUT = Layout(Places)
AT = LAYOUT.at


@inlined
def kind_of(v: Any) -> Any:
    """The kind of a decision."""
    price = v.to_call / max(1, v.pot - v.to_call)
    facing = 0 if v.to_call == 0 else 1 if price <= PRICES[0] else 2 if price <= PRICES[1] else 3
    own = v.spent / (v.spent + v.stack)
    depth = (own > DEPTHS[0]) + (own > DEPTHS[1]) + (own > DEPTHS[2])
    strength = min(STRENGTHS - 1, np.int64(STRENGTHS * v.strength))
    return (((v.position * 4 + v.street) * 4 + facing) * 4 + depth) * STRENGTHS + strength


@inlined
def target_of(v: Any, label: Any) -> Any:
    """What an action of this label raises to; 0 if it is not to be had."""
    if v.max_to <= 0:
        return np.int64(0)
    if label == ALL_IN:
        return np.int64(v.max_to)
    target = max(v.min_to, v.bet + np.int64(OWN_SIZES[label - 1] * (v.pot + v.to_call)))
    return np.int64(0) if target >= v.max_to else np.int64(target)


@inlined
def worth_of(v: Any, memory: Memory, count: Any, label: Any, target: Any) -> Any:
    """What an action is worth, by the rule or by results."""
    if memory[AT.worth] == BY_RESULTS:
        return memory[count + AT_COUNT.brought]
    own, theirs = np.float64(v.spent), np.float64(v.pot - v.spent)
    edge = 2.0 * memory[count + AT_COUNT.wins] - 1.0
    if label == CALL:
        return edge * min(own + min(v.to_call, v.stack), theirs)
    put = min(own + (target - v.wager), theirs + v.chips[1 - v.me])
    folds = memory[count + AT_COUNT.folds]
    return (1.0 - folds) * edge * put + folds * theirs


@njit(ACT, error_model="numpy")
def _act(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    """Take the action that is worth most, or try another. Writes `memory`."""
    v = view[0]
    first: Any = np.int64(memory[AT.counts]) + kind_of(v) * ACTIONS * COUNT_SIZE
    bets = v.raises + (1 if v.street == 0 else 0)
    few = bets >= (THREE_BET if v.position == 1 else FOUR_BET)
    tries = another(chance, TRY_DIE) < TRIES * (1.0 - v.hand / max(1.0, memory[AT.learns]))
    best: Any = -1.0 if tries else -np.float64(v.spent)
    chosen, taken = np.int64(FOLD), np.int64(NONE)
    for label in range(ACTIONS):
        target: Any = np.int64(0) if label == CALL else target_of(v, label)
        if label != CALL and (target == 0 or (few and label < ALL_IN)):
            continue
        count = first + label * COUNT_SIZE
        worth = another(chance, WHICH_DIE + label) if tries else worth_of(v, memory, count, label, target)
        if worth > best:
            best, taken = worth, count
            chosen = np.int64(1) if label == CALL else target
    if taken >= 0 and v.hand < memory[AT.learns]:
        decisions = np.int64(memory[AT.decisions])
        if decisions < MOST_DECISIONS:
            memory[AT.made + decisions] = taken
            memory[AT.decisions] = decisions + 1
        if chosen > 1:
            memory[AT.asked] = taken
    return chosen


@inlined
def learn(memory: Memory, often: Any, mean: Any, came: float) -> None:
    """Move a mean towards what came. Writes `memory`."""
    memory[often] += 1.0
    memory[mean] += (came - memory[mean]) / min(memory[often], RECENT)


@njit(WATCH, error_model="numpy")
def _watch(event: NDArray[np.void], memory: Memory) -> None:
    """Count what came of every action of the hand. Writes `memory`."""
    e = event[0]
    if e.kind == STARTS:
        memory[AT.decisions] = 0.0
        memory[AT.over] = 0.0
        memory[AT.asked] = NONE
    elif e.kind == ACTS:
        if e.action == FOLD:
            memory[AT.over] = 1.0
        if e.seat != e.me and memory[AT.asked] != NONE:
            asked: Any = np.int64(memory[AT.asked])
            learn(memory, asked + AT_COUNT.answered, asked + AT_COUNT.folds, 1.0 if e.action == FOLD else 0.0)
            memory[AT.asked] = NONE
    elif e.kind == ENDS:
        for number in range(np.int64(memory[AT.decisions])):
            count: Any = np.int64(memory[AT.made + number])
            learn(memory, count + AT_COUNT.taken, count + AT_COUNT.brought, np.float64(e.payoff))
            if memory[AT.over] == 0.0:
                won = 1.0 if e.payoff > 0 else 0.5 if e.payoff == 0 else 0.0
                learn(memory, count + AT_COUNT.shown, count + AT_COUNT.wins, won)


def counted_rule(game: Game, worth: Worth, learns: int) -> CompiledAgent:
    """A player that counts for `learns` hands against whoever sits there, and acts by rates or by results."""
    if learns < 1:
        raise ValueError(f"a player that counts for {learns} hands knows nothing; give at least 1")
    counts = np.tile(COUNT.template(wins=0.5, folds=1 / 3), KINDS * ACTIONS)
    memory = LAYOUT.template(
        worth=BY_RESULTS if worth == "results" else BY_RATES, learns=learns, asked=NONE, counts=counts
    )
    made = CompiledAgent(f"counted-{worth}", _act, _watch, memory, {"strength"}, {STARTS, ACTS, ENDS})
    return holdem_only(made, game)
