"""Exact ceilings in heads-up no-limit hold'em, for the opponents whose play allows it.

*Careless* opponents (CM, HM) never fold and never look at their cards. Their hand stays random, so the best response is
found by folding the tree back: every river of every turn of every flop, for all 1326 holdings at once, boards up to
suits. *SL* folds to any bet before the river, which gives a bound from below and one from above.
`docs/explanation/exact-ceilings.md` has both arguments. The exact ones are per hand, in chips, and hold as long as no
holding is folded before the flop, which is checked.

For everybody else there is only the best that a search has found (`respond.parametric_counter`,
`studies.no_limit_ceilings`), which is no ceiling. `shipped_ceilings` has all of them, each with its kind.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.interval import Interval
from nemesis.respond.no_limit_simple import NUT
from nemesis.respond.parametric_counter import FILE
from nemesis.rules.buckets import CLASSES, hole_classes
from nemesis.rules.canonical import HOLES, canonical_boards
from nemesis.rules.cards import DECK
from nemesis.rules.evaluator import evaluator_tables
from nemesis.rules.game import Game
from nemesis.rules.tabulate import RIVER_HALVES, half_wins_of_all_holes
from nemesis.runtime.compiled import inlined, njit

CALLING, HOTHEAD = (0.0,), (0.5, 1.0)
"""The bets of CM and HM in pots, one as likely as another."""


@dataclass(frozen=True)
class Exact:
    """A ceiling in chips per hand that is known to lie between two numbers, which are the same where it is known exactly."""

    low: float
    high: float


Kind = Literal["exact", "best known counter"]
KNOWN: Kind = "best known counter"


@dataclass(frozen=True)
class Ceiling:
    """The most that is known to be takeable from an opponent, in mBB/hand, how it is known and who takes it.

    Exact: the ceiling lies within `ci95` for certain. Best known counter: somebody took `mean` on fresh deals, with that
    95 % interval, and others may take more.
    """

    opponent: str
    kind: Kind
    mean: float
    ci95: Interval
    by: str
    how: str


@lru_cache(maxsize=1)
def shipped_ceilings() -> Mapping[str, Ceiling]:
    """The ceilings of the no-limit opponents that come with the house, by agent; made by the study `no-limit-ceilings`."""
    told = json.loads(FILE.read_text(encoding="utf-8"))["ceilings"]
    return {
        opponent: Ceiling(opponent, entry["kind"], entry["mean"], tuple(entry["ci95"]), entry["by"], entry["how"])
        for opponent, entry in told.items()
    }


def ceiling_against_careless(game: Game, sizes: tuple[float, ...]) -> Exact:
    """The most that can be taken from an opponent who bets `sizes` pots at random, calls everything and never folds."""
    _check(game)
    stack, blind = min(game.stacks), game.big_blind
    levels, nexts = _levels(blind, stack, sizes)
    rivers = np.array([_river_values(level, stack, sizes) for level in levels[3]])
    flops = canonical_boards(3)
    values, counted = np.zeros((len(levels[1]), CLASSES)), np.zeros(CLASSES)
    bets = Bets(_array(levels[1]), _array(levels[2]), nexts[1], nexts[2], rivers)
    cards = np.ascontiguousarray(flops.cards)
    fold_back(cards, flops.sizes, hole_classes(), bets, values, counted, evaluator_tables())
    values /= counted
    if values.min() < -game.blinds[1]:
        raise ValueError(
            f"{game.name} has holdings to fold before the flop against bets of {sizes} pots; not done here"
        )
    first = nexts[0][0]
    value = float(np.mean([values[at] for at in first], axis=0) @ counted / counted.sum())
    return Exact(value, value)


def ceiling_against_scared(game: Game) -> Exact:
    """The most that can be taken from SL: the big blind every hand, and the little that waiting for the river could add."""
    _check(game)
    histogram = np.zeros(RIVER_HALVES + 1, np.int64)
    rivers = canonical_boards(5)
    count_rivers(np.ascontiguousarray(rivers.cards), rivers.sizes, histogram, evaluator_tables())
    strength = np.arange(RIVER_HALVES + 1) / RIVER_HALVES
    beaten = float(((strength >= NUT) * (1 - strength) * histogram).sum() / histogram.sum())
    return Exact(game.big_blind, game.big_blind + beaten * (min(game.stacks) - game.big_blind))


def _check(game: Game) -> None:
    if not game.is_holdem or game.seats != 2 or game.structure != "no-limit" or any(game.antes):
        raise ValueError(f"exact ceilings are for heads-up no-limit hold'em without antes, not {game.name}")


def _levels(blind: int, stack: int, sizes: tuple[float, ...]) -> tuple[list[list[float]], list[NDArray[np.int64]]]:
    """The chips a player can have in after each street, and where every level goes with each bet: (level, size)."""
    levels: list[list[float]] = [[float(blind)]]
    nexts = []
    for _ in range(3):
        after = {min(float(stack), c + 2 * c * size) for c in levels[-1] for size in sizes}
        levels.append(sorted(after))
        place = {c: at for at, c in enumerate(levels[-1])}
        nexts.append(
            np.array([[place[min(float(stack), c + 2 * c * size)] for size in sizes] for c in levels[-2]], np.int64)
        )
    return levels, nexts


def _river_values(level: float, stack: int, sizes: tuple[float, ...]) -> NDArray[np.float64]:
    """What the river is worth with `level` chips in before it, by half wins."""
    edge = 2 * np.arange(RIVER_HALVES + 1) / RIVER_HALVES - 1
    bets = [min(float(stack), level + 2 * level * size) for size in sizes]
    fold = -level if max(sizes) > 0 and level < stack else -np.inf
    least = np.mean([np.maximum(fold, bet * edge) for bet in bets], axis=0)
    return np.where(edge > 0, stack * edge, least)


def _array(level: list[float]) -> NDArray[np.float64]:
    return np.array(level, np.float64)


@njit(error_model="numpy", nogil=True)
def count_rivers(boards: Any, sizes: Any, histogram: Any, evaluator: Any) -> None:
    """Add to `histogram`, by half wins, every hole on every river."""
    room, halves = np.empty((6, HOLES), np.int32), np.empty(HOLES, np.int32)
    for number in range(len(boards)):
        half_wins_of_all_holes(boards[number], halves, room, evaluator)
        for high in range(1, DECK):
            for low in range(high):
                clear = True
                for card in boards[number]:
                    if card in (high, low):
                        clear = False
                if clear:
                    histogram[halves[((high * (high - 1)) >> 1) + low]] += sizes[number]


class Bets(NamedTuple):
    """The levels of chips that the opponent's bets lead to, street by street."""

    after_preflop: NDArray[np.float64]
    """chips in when the flop's bet comes, by level"""
    after_flop: NDArray[np.float64]
    """chips in when the turn's bet comes, by level"""
    to_flop: NDArray[np.int64]
    """level, bet -> level after the flop"""
    to_turn: NDArray[np.int64]
    """level, bet -> level after the turn"""
    rivers: NDArray[np.float64]
    """level, half wins -> value of the river"""


@inlined
def note_rivers(board: Any, on_board: Any, one: Any, room: Any, halves: Any, evaluator: Any) -> None:
    """Write to `halves`, by turn, river and hole, the half wins of all holes on the rivers of a flop."""
    for turn in range(DECK):
        for river in range(turn):
            if on_board[turn] or on_board[river]:
                continue
            board[3], board[4] = turn, river
            half_wins_of_all_holes(board, one, room, evaluator)
            for hole in range(HOLES):
                halves[turn, river, hole] = one[hole]
                halves[river, turn, hole] = one[hole]


@inlined
def sum_rivers(turn: Any, on_board: Any, rivers: Any, halves: Any, at_river: Any) -> None:
    """Write to `at_river`, by level and hole, the sum of what the rivers of a turn are worth."""
    at_river[:] = 0.0
    for river in range(DECK):
        if on_board[river] or river == turn:
            continue
        for level in range(len(rivers)):
            for hole in range(HOLES):
                at_river[level, hole] += rivers[level, halves[turn, river, hole]]
        # A hole with this card has 0 half wins here, which is not a loss but no river of its own.
        for other in range(DECK):
            if other != river:
                high, low = max(other, river), min(other, river)
                for level in range(len(rivers)):
                    at_river[level, ((high * (high - 1)) >> 1) + low] -= rivers[level, 0]


@inlined
def add_turn(turn: Any, opponent: Bets, at_river: Any, at_turn: Any) -> None:
    """Add to `at_turn`, by level and hole, the better of folding and calling each bet of a turn."""
    bets = opponent.to_turn.shape[1]
    for level in range(len(opponent.after_flop)):
        for high in range(1, DECK):
            for low in range(high):
                if high == turn or low == turn:
                    continue
                hole = ((high * (high - 1)) >> 1) + low
                value = 0.0
                for bet in range(bets):
                    called = at_river[opponent.to_turn[level, bet], hole] / 46
                    value += max(called, -opponent.after_flop[level])
                at_turn[level, hole] += value / bets


@njit(error_model="numpy", nogil=True)
def fold_back(flops: Any, sizes: Any, classes: Any, opponent: Bets, values: Any, counted: Any, evaluator: Any) -> None:
    """Add to `values` (level, class) and `counted` (class) every hole on every flop."""
    room, board = np.empty((6, HOLES), np.int32), np.empty(5, np.uint8)
    one = np.empty(HOLES, np.int32)
    halves = np.empty((DECK, DECK, HOLES), np.int16)
    levels, bets = len(opponent.after_preflop), opponent.to_flop.shape[1]
    at_river, at_turn = np.empty((len(opponent.rivers), HOLES)), np.empty((len(opponent.after_flop), HOLES))
    on_board = np.zeros(DECK, np.bool_)
    for number in range(len(flops)):
        on_board[:] = False
        for i in range(3):
            board[i] = flops[number, i]
            on_board[board[i]] = True
        note_rivers(board, on_board, one, room, halves, evaluator)
        at_turn[:] = 0.0
        for turn in range(DECK):
            if not on_board[turn]:
                sum_rivers(turn, on_board, opponent.rivers, halves, at_river)
                add_turn(turn, opponent, at_river, at_turn)
        for high in range(1, DECK):
            for low in range(high):
                if on_board[high] or on_board[low]:
                    continue
                hole = ((high * (high - 1)) >> 1) + low
                counted[classes[hole]] += sizes[number]
                for level in range(levels):
                    value = 0.0
                    for bet in range(bets):
                        called = at_turn[opponent.to_flop[level, bet], hole] / 47
                        value += max(called, -opponent.after_preflop[level])
                    values[level, classes[hole]] += sizes[number] * (value / bets)
