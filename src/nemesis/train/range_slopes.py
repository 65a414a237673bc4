"""How choices depend on cards, learnt from hands that were shown (`believe.range_posterior`).

The slopes are those under which the posterior gives most weight to the cards that were held, found by moving one at a time
with falling steps. To keep that cheap a hand's posterior is walked over a sample of holdings with the true one among them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.believe import public_situation as public
from nemesis.believe.action_model import Timeline
from nemesis.believe.range_posterior import HOLDINGS, SLOPES, Slopes, kind_of, learn_decision, win_probabilities
from nemesis.runtime.streams import NumpyStream, generator

SAMPLE = 120
FIRST_STEP = 3.0
ROUNDS = 3


class _Decision(NamedTuple):
    win: NDArray[np.float32]
    likely: NDArray[np.float64]
    done: int
    kind: int


def shown_positions(line: Timeline) -> NDArray[np.int64]:
    """(rows, 2) the hands and positions that showed their cards."""
    hands = line.history.hands
    bits = hands["shown"][:, None] >> np.arange(hands["player"].shape[1]) & 1
    found: NDArray[np.int64] = np.argwhere((bits == 1) & (hands["hole"][:, ::2] >= 0))
    return found


def learn_slopes(
    line: Timeline,
    likely: NDArray[np.float64],
    shown: NDArray[np.int64],
    *,
    start: Slopes = SLOPES,
    seed: int = 0,
    told: Callable[[str], None] = lambda line: None,
) -> Slopes:
    """The slopes that explain the shown positions best, given the probabilities of every decision of the timeline."""
    random = generator(seed, NumpyStream.LEARNER)
    walks = [_walk(line, likely, int(hand), int(position), random) for hand, position in shown]
    values = np.array(start)
    best, step = _loss(walks, _slopes(values)), FIRST_STEP
    for number in range(ROUNDS):
        for place in np.ndindex(values.shape):
            for move in (step, -step):
                tried = values.copy()
                tried[place] += move
                loss = _loss(walks, _slopes(tried))
                if loss < best:
                    best, values = loss, tried
                    break
        step /= 2
        told(f"slopes: round {number + 1} of {ROUNDS}, log-loss {best:.4f}")
    return _slopes(values)


def _slopes(values: NDArray[np.float64]) -> Slopes:
    fold, raised, curve = (tuple(float(value) for value in row) for row in values)
    return Slopes(fold, raised, curve)


def _walk(
    line: Timeline, likely: NDArray[np.float64], hand: int, position: int, random: np.random.Generator
) -> list[_Decision]:
    """The decisions of a position, with the win probabilities of the cards held and of a sample of others."""
    history = line.history
    row = history.hands[hand]
    held = np.sort(row["hole"][2 * position : 2 * position + 2])[::-1]
    others = ~np.isin(HOLDINGS, row["board"]).any(axis=1) & (held != HOLDINGS).any(axis=1)
    sample = random.choice(np.flatnonzero(others), SAMPLE, replace=False)
    win = win_probabilities(row["board"], np.concatenate([held[None], HOLDINGS[sample]]))
    actions = np.arange(row["first"], row["first"] + row["actions"])
    decisions = []
    for at in actions[history.actions["position"][actions] == position].tolist():
        action = history.actions[at]
        street = int(action["street"])
        kind = kind_of(street, int(action["to_call"]), int(line.situations.rows[at, public.RAISES]))
        decisions.append(_Decision(win[street], likely[at], int(action["action"]), kind))
    return decisions


def _loss(walks: Sequence[Sequence[_Decision]], slopes: Slopes) -> float:
    """The mean of −log of the weight of the cards held, which stand first."""
    losses = []
    for walk in walks:
        weights = np.full(SAMPLE + 1, 1 / (SAMPLE + 1))
        for decision in walk:
            weights = learn_decision(weights, decision.win, decision.likely, decision.done, decision.kind, slopes)
        losses.append(-np.log(max(float(weights[0]), 1e-12)))
    return float(np.mean(losses))
