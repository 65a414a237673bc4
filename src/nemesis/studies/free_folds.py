"""What if the source's players throw away even hands that cost them nothing? Worked out exactly, outside the engine.

By the source's words (Baker 2010, section 4.2.2) a player below its α checks where that is free, and so do ours. Its
tables do not look like it: table 4.3 has every style fold far more often than such players can, and table 4.2 has
pairs that never fold beat the tight styles. Both would follow if its program folded below α, free or not. Such folds are
not poker (decision 8), so the engine does not have them; here hands of two-threshold players are played by a small rule of
their own, over every deal, which makes the figures exact. With free checks the rule agrees with the engine, and a test
holds it to that.

A hand is one round: antes of 1, bets of 1, at most `cap` of them, win probability `p ** opponents`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

import numpy as np
from numba import types
from numpy.typing import NDArray

from nemesis.observe.view import win_against
from nemesis.respond.styles import STYLES
from nemesis.runtime.compiled import njit
from nemesis.solve.pair_search import PAIRS

CARDS = 10
CAP = 4
STACK = 10
FOLD, CALL, BET = range(3)

Pair = tuple[float, float]
Shares = NDArray[np.float64]
"""By style and action."""


@dataclass(frozen=True)
class Reading:
    """One way to read the source's rules.

    `free_folds`: hands below α are thrown away even when checking is free. `all_opponents`: the win probability is against
    everyone dealt in, also against those who have folded. `wishes`: a bet beyond the cap, which becomes a call, is
    counted as the bet it was meant to be.
    """

    seats: int
    free_folds: bool = False
    all_opponents: bool = False
    wishes: bool = False


@lru_cache(maxsize=16)
def action_shares(reading: Reading) -> Shares:
    """What each style does against tables of each style, free checks left out: exact, with full stacks in every hand."""
    thresholds = np.array(list(STYLES.values()))
    others = reading.seats - 1
    counts = np.zeros((len(STYLES), 3))
    deals = _deals(reading.seats)
    for mine in range(len(STYLES)):
        for theirs in range(len(STYLES)):
            for place in range(reading.seats):
                styles = [*[theirs] * place, mine, *[theirs] * (others - place)]
                done = np.zeros((reading.seats, 3))
                _play_all(deals, thresholds[styles], CAP, *_flags(reading), done, np.zeros((len(deals), reading.seats)))
                counts[mine] += done[place]
    shares: Shares = counts / counts.sum(axis=1, keepdims=True)
    return shares


@lru_cache(maxsize=512)
def freeze_out_value(mine: Pair, theirs: Pair, free_folds: bool = False) -> float:
    """The share of heads-up freeze-outs from 10 chips that the first pair wins from the second, exactly."""
    flags = _flags(Reading(2, free_folds))
    deals = _deals(2)
    won = np.zeros((CAP + 1, 2, len(deals)))
    for cap in range(CAP + 1):
        for place, pairs in enumerate(([mine, theirs], [theirs, mine])):
            gains = np.zeros((len(deals), 2))
            _play_all(deals, np.array(pairs), cap, *flags, np.zeros((2, 3)), gains)
            won[cap, place] = gains[:, place]
    chips = 2 * STACK
    outcomes = [[np.unique(won[cap, place], return_counts=True) for place in range(2)] for cap in range(CAP + 1)]
    moves, sure = np.zeros((chips - 1, 2, chips - 1, 2)), np.zeros((chips - 1, 2))
    for mine_now in range(1, chips):
        cap = min(CAP, mine_now - 1, chips - mine_now - 1)
        for place in range(2):
            for gain, times in zip(*outcomes[cap][place], strict=True):
                after = mine_now + int(gain)
                if after == chips:
                    sure[mine_now - 1, place] += times / len(deals)
                elif after > 0:
                    moves[mine_now - 1, place, after - 1, 1 - place] += times / len(deals)
    size = 2 * (chips - 1)
    values = np.linalg.solve(np.eye(size) - moves.reshape(size, size), sure.ravel()).reshape(chips - 1, 2)
    return float(values[STACK - 1].mean())


def pair_values(style: str, free_folds: bool) -> NDArray[np.float64]:
    """What each of the 66 pairs wins from a style, in the order of `PAIRS`."""
    return np.array([freeze_out_value(pair, STYLES[style], free_folds) for pair in PAIRS])


def _flags(reading: Reading) -> tuple[bool, bool, bool]:
    return reading.free_folds, reading.all_opponents, reading.wishes


@lru_cache(maxsize=4)
def _deals(seats: int) -> NDArray[np.int64]:
    return np.array(list(permutations(range(CARDS), seats)), np.int64)


def distance(ours: Shares, theirs: Shares) -> float:
    """How far two tables are apart: the mean absolute difference of their shares."""
    return float(np.abs(ours - theirs).mean())


def best_of(values: Sequence[float] | NDArray[np.float64]) -> Pair:
    """The pair that wins most."""
    return PAIRS[int(np.argmax(values))]


@njit(
    types.void(
        types.int64[:, ::1], types.float64[:, ::1], types.int64, types.boolean, types.boolean, types.boolean,
        types.float64[:, ::1], types.float64[:, ::1],
    ),
    error_model="numpy",
)  # fmt: skip
def _play_all(
    deals: NDArray[np.int64],
    pairs: NDArray[np.float64],
    cap: int,
    free_folds: bool,
    all_opponents: bool,
    wishes: bool,
    counts: NDArray[np.float64],
    gains: NDArray[np.float64],
) -> None:
    """Play every deal. Adds what each seat did to `counts` and writes the chips it won to `gains`."""
    seats = deals.shape[1]
    for deal in range(deals.shape[0]):
        live, acted, paid = np.ones(seats, np.bool_), np.zeros(seats, np.bool_), np.zeros(seats, np.int64)
        left, level, seat = seats, 0, 0
        while left > 1 and not (acted[seat] and (not live[seat] or paid[seat] == level)):
            if live[seat]:
                win = win_against(deals[deal, seat] / (CARDS - 1), seats - 1 if all_opponents else left - 1)
                costs = level > paid[seat]
                if win < pairs[seat, 0]:
                    if costs or free_folds:
                        live[seat] = False
                        left -= 1
                        counts[seat, FOLD] += 1
                elif win < pairs[seat, 1] or level == cap:
                    if win >= pairs[seat, 1] and wishes:
                        counts[seat, BET] += 1
                    elif costs:
                        counts[seat, CALL] += 1
                    paid[seat] = level
                else:
                    level += 1
                    paid[seat] = level
                    counts[seat, BET] += 1
            acted[seat] = True
            seat = (seat + 1) % seats
            # Who has folded is passed over; the round ends at somebody who has acted and has nothing to match.
            for _ in range(seats):
                if live[seat] or not acted[seat]:
                    break
                seat = (seat + 1) % seats
        best = -1
        for other in range(seats):
            if live[other] and (best < 0 or deals[deal, other] > deals[deal, best]):
                best = other
        for other in range(seats):
            gains[deal, other] = -(1 + paid[other])
        gains[deal, best] += seats + paid.sum()
