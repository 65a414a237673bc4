"""Styles that bluff, that change (Baker 2010, sections 5.4, 7.7, 7.8) or over-value their hands, written as one name.

    tp+bluff=0.12                  bluffs in 12 % of the hands it would fold
    tp+bet=0.12                    turns any decision into a bet with probability 12 %
    lp-to-tp@half                  plays LP until it has lost more than half its chips, TP from then on
    la-to-lp-to-ta-to-tp@75        changes every 75 hands and keeps the last
    la+rivals=1                    reckons with at most one rival, however many are in

The source means two things by a bluff. In section 5.4 a player bets "when the player decides it should actually fold" and
then bluffs on for the rest of the hand: `bluff`. Whether to is drawn once, at the first such decision of a hand. In
section 7.7 "upon any decision" the action becomes a bet with probability p: `bet`. A change by chips (5.4.2) comes when a
player has less than half of what it started with; where stacks are new every hand, we count what it has lost so far.

A style's thresholds are on the probability of beating everybody still in, so at a full table LA too folds nearly all that it
is dealt in early position. The loose players of Barone and While 2000 over-value their hands: `rivals`.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.event import ENDS
from nemesis.observe.view import win_against
from nemesis.respond.agent import ACT, WATCH, CompiledAgent, Memory
from nemesis.respond.styles import STYLES, bet, choose_by_thresholds, choose_with
from nemesis.rules.betting import FOLD
from nemesis.rules.game import Game
from nemesis.runtime.compiled import njit
from nemesis.runtime.memory import CELL, REST, Layout

EXAMPLES = ("tp+bluff=0.12", "tp+bet=0.12", "la+rivals=1", "lp-to-tp@half", "la-to-lp-to-ta-to-tp@75")

_NONE = -1


class Bluffing(NamedTuple):
    """The memory of one who bluffs: its style, how often, and what it decided in which hand."""

    alpha: int = CELL
    beta: int = CELL
    probability: int = CELL
    hand: int = CELL
    bluffs: int = CELL


class Overvaluing(NamedTuple):
    """The memory of one who reckons with few rivals: its style, and with how many at most."""

    alpha: int = CELL
    beta: int = CELL
    rivals: int = CELL


class Changing(NamedTuple):
    """The memory of one who changes: after how many hands or at how few chips, its style now, and all their pairs."""

    every: int = CELL
    least: int = CELL
    chips: int = CELL
    now: int = CELL
    styles: int = CELL
    pairs: int = REST


BLUFFING, OVERVALUING, CHANGING = Layout(Bluffing), Layout(Overvaluing), Layout(Changing)
BLUFF, OVERVALUE, CHANGE = BLUFFING.at, OVERVALUING.at, CHANGING.at


def style_variant(game: Game, name: str) -> CompiledAgent:
    """A style that bluffs, like tp+bluff=0.12, reckons with few, like la+rivals=1, or changes, like lp-to-tp@half."""
    base, plus, what = name.partition("+")
    if plus and what.startswith("rivals"):
        return _overvaluer(name, base, what)
    if plus:
        return _bluffer(name, base, what)
    return _changer(game, name)


def _bluffer(name: str, base: str, what: str) -> CompiledAgent:
    kind, _, number = what.partition("=")
    if kind not in ("bluff", "bet"):
        raise ValueError(f"{name!r} asks for {kind!r}; a style can have +bluff=p, +bet=p or +rivals=n")
    try:
        probability = float(number)
    except ValueError:
        probability = -1.0
    if not 0.0 <= probability <= 1.0:
        raise ValueError(
            f"{name!r} needs a probability between 0 and 1, not {number or 'nothing'}, as in tp+bluff=0.12"
        )
    alpha, beta = _pair(name, base)
    memory = BLUFFING.template(alpha=alpha, beta=beta, probability=probability, hand=_NONE)
    return CompiledAgent(name, _bluffing if kind == "bluff" else _betting, memory=memory, facts={"win"})


def _overvaluer(name: str, base: str, what: str) -> CompiledAgent:
    number = what.removeprefix("rivals=")
    if not re.fullmatch("[1-9]", number):
        raise ValueError(f"{name!r} reckons with 1 to 9 rivals, not {number}, as in la+rivals=1")
    alpha, beta = _pair(name, base)
    memory = OVERVALUING.template(alpha=alpha, beta=beta, rivals=int(number))
    return CompiledAgent(name, _overvaluing, memory=memory, facts={"win"})


def _changer(game: Game, name: str) -> CompiledAgent:
    chain, _, when = name.partition("@")
    pairs = [_pair(name, style) for style in chain.split("-to-")]
    half = when == "half"
    if not half and not re.fullmatch("[1-9][0-9]*", when):
        raise ValueError(f"{name!r} does not say when it changes: write {chain}@half or, by hands, {chain}@75")
    if len(pairs) < 2 or (half and len(pairs) > 2):
        raise ValueError(f"{name!r} names {len(pairs)} styles; @half changes once, from one style to another")
    start = min(game.stacks)
    every = 0 if half else int(when)
    memory = CHANGING.template(every=every, least=start / 2, chips=start, styles=len(pairs), pairs=pairs)
    return CompiledAgent(name, _changing, _count_chips if half else None, memory, {"win"}, {ENDS})


def _pair(name: str, style: str) -> tuple[float, float]:
    if style not in STYLES:
        raise ValueError(f"{name!r} is made of {style!r}, which is no style; there are {', '.join(STYLES)}")
    return STYLES[style]


@njit(ACT)
def _bluffing(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    """Remembers in which hand it last decided whether to bluff, and what."""
    v = view[0]
    if memory[BLUFF.hand] == v.hand and memory[BLUFF.bluffs] == 1.0:
        return bet(v)
    chosen = choose_by_thresholds(v, memory[BLUFF.alpha], memory[BLUFF.beta])
    if chosen == FOLD and memory[BLUFF.hand] != v.hand:
        memory[BLUFF.hand] = v.hand
        memory[BLUFF.bluffs] = 1.0 if chance < memory[BLUFF.probability] else 0.0
        if chance < memory[BLUFF.probability]:
            return bet(v)
    return chosen


@njit(ACT)
def _betting(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    if chance < memory[BLUFF.probability]:
        return bet(view[0])
    return choose_by_thresholds(view[0], memory[BLUFF.alpha], memory[BLUFF.beta])


@njit(ACT)
def _overvaluing(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    v = view[0]
    rivals: Any = min(np.int64(v.opponents), np.int64(memory[OVERVALUE.rivals]))
    return choose_with(v, win_against(v.win, rivals), memory[OVERVALUE.alpha], memory[OVERVALUE.beta])


@njit(ACT)
def _changing(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    v = view[0]
    now: Any = np.int64(memory[CHANGE.now])
    if memory[CHANGE.every] > 0:
        now = min(v.hand // np.int64(memory[CHANGE.every]), np.int64(memory[CHANGE.styles]) - 1)
    pair = CHANGE.pairs + 2 * now
    return choose_by_thresholds(v, memory[pair], memory[pair + 1])


@njit(WATCH)
def _count_chips(event: NDArray[np.void], memory: Memory) -> None:
    """Change for good once less than half is left. Writes `memory`."""
    e = event[0]
    if e.kind == ENDS:
        memory[CHANGE.chips] += e.payoff
        if memory[CHANGE.chips] < memory[CHANGE.least]:
            memory[CHANGE.now] = 1.0
