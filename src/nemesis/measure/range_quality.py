"""How good posteriors over holdings are where the cards are known: log-loss per holding against knowing nothing.

For every position whose cards the source tells, the posterior is walked through the player's decisions and scored after his
last one: −log of the weight of the cards he held. The same walk with `flat` choices (no dependence on cards) stays
uniform over what the board leaves, which is the score to beat. Intervals are over players.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nemesis.believe import public_situation as public
from nemesis.believe.action_model import Timeline
from nemesis.believe.range_posterior import (
    Slopes,
    kind_of,
    learn_decision,
    uniform,
    win_probabilities,
)
from nemesis.believe.style_range import learn_styled
from nemesis.measure.interval import Interval, mean_interval


@dataclass(frozen=True, eq=False)
class RangeScores:
    """One row for every position scored."""

    hand: NDArray[np.int64]
    street: NDArray[np.int64]
    """Of the player's last decision."""
    folded: NDArray[np.bool_]
    loss: NDArray[np.float64]
    uniform_loss: NDArray[np.float64]
    strength: NDArray[np.float64]
    """Win probability of the cards held, on that street."""
    expected: NDArray[np.float64]
    """The same as the posterior expects it."""
    level: NDArray[np.float64]
    """Weight of the holdings likelier than the cards held, and half of equals: uniform if the posterior is calibrated."""
    style_loss: NDArray[np.float64]
    """Log-loss of the posterior that knows styles only (`believe.style_range`); NaN if none was asked for."""

    def gain(self, chosen: NDArray[np.bool_] | None = None) -> tuple[float, Interval]:
        """How much less log-loss than knowing nothing, with its interval over hands."""
        rows = np.ones(len(self.hand), bool) if chosen is None else chosen
        _, which = np.unique(self.hand[rows], return_inverse=True)
        sums = np.bincount(which, (self.uniform_loss - self.loss)[rows])
        return mean_interval(sums / np.bincount(which))


def score_ranges(
    line: Timeline,
    likely: NDArray[np.float64],
    slopes: Slopes,
    hands: NDArray[np.int64],
    told: Callable[[int], None] = lambda count: None,
    styles: NDArray[np.float64] | None = None,
) -> RangeScores:
    """Walk through the hands of these rows and score every position whose cards are known.

    `styles` has by decision what is believed of the player's style before it.
    """
    history = line.history
    rows = line.situations.rows
    found: list[tuple[float, ...]] = []
    for count, hand in enumerate(hands.tolist()):
        told(count)
        row = history.hands[hand]
        actions = np.arange(row["first"], row["first"] + row["actions"])
        win = win_probabilities(row["board"])
        for position in range(int(row["seats"])):
            cards = row["hole"][2 * position : 2 * position + 2]
            own = actions[history.actions["position"][actions] == position]
            if cards.min() < 0 or not len(own):
                continue
            weights = by_style = start = uniform(win)
            for at in own.tolist():
                action = history.actions[at]
                street, done = int(action["street"]), int(action["action"])
                kind = kind_of(street, int(action["to_call"]), int(rows[at, public.RAISES]))
                weights = learn_decision(weights, win[street], likely[at], done, kind, slopes)
                if styles is not None:
                    live = int(rows[at, public.LIVE])
                    by_style = learn_styled(by_style, win[street], live - 1, done, styles[at])
            high, low = int(cards.max()), int(cards.min())
            true = high * (high - 1) // 2 + low
            possible = start > 0
            found.append(
                (
                    hand,
                    street,
                    done == 0,
                    -np.log(max(weights[true], 1e-12)),
                    -np.log(start[true]),
                    win[street, true],
                    float((weights[possible] * win[street, possible]).sum()),
                    float(weights[weights > weights[true]].sum() + weights[weights == weights[true]].sum() / 2),
                    -np.log(max(by_style[true], 1e-12)) if styles is not None else np.nan,
                )
            )
    columns = [np.array(column) for column in zip(*found, strict=True)] or [np.zeros(0)] * 9
    hand_, street_, folded_, *numbers = columns
    return RangeScores(hand_.astype(np.int64), street_.astype(np.int64), folded_.astype(bool), *numbers)
