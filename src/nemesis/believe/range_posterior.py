"""What cards a player may hold, given what he did: a posterior over the 1 326 holdings.

A decision says something about cards only through how the choice depends on them. We take the player's probabilities of
fold, call and raise from the model of actions, for which every decision of every hand counts, shown or not. Among his
possible holdings the choice follows their rank u in the present range (0 the worst, 1 the best win probability against a
random hand):

    P(action | u) ∝ exp(level + slope · (u − ½) + curve · (u − ½)²),

with slopes by kind of decision (`KINDS`), and the levels set so that over the whole range every action is as frequent as
the model of actions says. That corrects for the *selection of shown hands*: slopes are learnt from hands that were shown, in
which nobody folded, but how often the player folds is not. Bayes' rule does the rest, decision by decision.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.rules.cards import DECK
from nemesis.rules.holdem import holdem_numbers
from nemesis.runtime.compiled import njit

HOLDINGS = np.array([(high, low) for high in range(1, DECK) for low in range(high)], np.int8)
"""All holdings, the higher card first."""
BOARD = (0, 3, 4, 5)
KINDS = ("unopened", "raised", "free", "bet")
"""Before the flop without and with a raise; after it with nothing to call and with something."""
_ROUNDS = 12
_LEAST = 1e-9


class Slopes(NamedTuple):
    """How choices depend on the rank of a holding, by kind of decision and action (a call is the reference)."""

    fold: tuple[float, ...]
    raised: tuple[float, ...]
    curve: tuple[float, ...]
    """The second-order term of a raise: above 0 the worst holdings are raised too, as bluffs."""


SLOPES = Slopes((-3.75, -4.5, -4.0, -5.25), (2.25, 6.25, 2.25, 1.75), (6.0, 9.0, 4.0, 2.0))
"""Learnt by `train.range_slopes` from 260 shown hands of the Ongame training files."""


def win_probabilities(board: NDArray[np.int8], holdings: NDArray[np.int8] = HOLDINGS) -> NDArray[np.float32]:
    """(4, holdings) win probability against a random hand on each street reached; NaN beyond and for clashes."""
    known = [int(card) for card in board if card >= 0]
    found = np.full((len(BOARD), len(holdings)), np.nan, np.float32)
    fits = ~np.isin(holdings, known).any(axis=1)
    boards = np.zeros((len(holdings), 5), np.int8)
    spare = np.array([card for card in range(DECK) if card not in known][:7], np.int8)  # 2 held, 4 filled in, 1 free
    boards[:, : len(known)] = known
    for missing in range(len(known), 5):
        taken = np.concatenate([boards[:, len(known) : missing], holdings], axis=1)
        free = ~(spare[None, :, None] == taken[:, None, :]).any(axis=2)
        boards[:, missing] = spare[free.argmax(axis=1)]
    win = holdem_numbers(holdings[fits, None, :], boards[fits], strength=False).win[:, 0]
    for street, cards in enumerate(BOARD):
        if len(known) >= cards:
            found[street, fits] = win[:, street]
    return found


def uniform(win: NDArray[np.float32]) -> NDArray[np.float64]:
    """Every holding that the board leaves, alike."""
    possible = np.isfinite(win[0])
    weights: NDArray[np.float64] = possible / possible.sum()
    return weights


def choice_given_holding(
    weights: NDArray[np.float64], win: NDArray[np.float32], likely: NDArray[np.float64], kind: int, slopes: Slopes
) -> NDArray[np.float64]:
    """(holdings, 3) probabilities of fold, call and raise; their mean over `weights` is `likely`."""
    order = np.argsort(np.nan_to_num(win, nan=-1.0), kind="stable")
    below = np.cumsum(weights[order])
    rank = np.empty(len(weights))
    rank[order] = below - weights[order] / 2
    t = rank - 0.5
    bent = slopes.raised[kind] * t + slopes.curve[kind] * t * t
    shape = np.exp(np.stack([slopes.fold[kind] * t, np.zeros_like(t), bent], axis=1))
    chances = np.empty_like(shape)
    _balance(shape, weights, np.maximum(likely, _LEAST), chances)
    return chances


@njit(error_model="numpy")
def _balance(shape: Any, weights: Any, wanted: Any, chances: Any) -> None:
    """Scale the columns of `shape` until the mean of the rows over `weights` is `wanted`. Writes `chances`."""
    level, mean = wanted.copy(), np.zeros(3)
    for _ in range(_ROUNDS):
        mean[:] = 0.0
        for at in range(len(shape)):
            total = shape[at, 0] * level[0] + shape[at, 1] * level[1] + shape[at, 2] * level[2]
            for choice in range(3):
                chances[at, choice] = shape[at, choice] * level[choice] / total
                mean[choice] += weights[at] * chances[at, choice]
        for choice in range(3):
            level[choice] *= wanted[choice] / max(mean[choice], _LEAST)


def learn_decision(
    weights: NDArray[np.float64],
    win: NDArray[np.float32],
    likely: NDArray[np.float64],
    done: int,
    kind: int,
    slopes: Slopes,
) -> NDArray[np.float64]:
    """The posterior after one decision."""
    after = weights * choice_given_holding(weights, win, likely, kind, slopes)[:, done]
    total = after.sum()
    return after / total if total > 0 else weights


def kind_of(street: int, to_call: int, raises: int) -> int:
    """Which of `KINDS` a decision is."""
    if street == 0:
        return 1 if raises > 0 else 0
    return 3 if to_call > 0 else 2
