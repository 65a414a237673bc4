"""Training of a network that scores holdings (`believe.shown_strength`), by Adam on the cards held among others.

Scoring all 1 326 holdings of every hand would be slow. A lesson is a hand shown with a pool of holdings drawn half
uniformly and half from its posterior; in every epoch the cards held stand among some of the pool, and the logarithm of the
chance of being drawn is taken off each score, which makes the sampled log-loss that of the whole range on average. Beside
it counts the squared error of the mean strength, which is what the model is for. The rate falls along half a cosine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.holding_features import FEATURES, holding_features
from nemesis.believe.shown_hands import COLUMNS, Shown
from nemesis.believe.shown_strength import LEAST_WEIGHT, HoldingNetwork, Scales, holding_scores, situation_layer
from nemesis.runtime.streams import NumpyStream, generator

POOL = 160
DRAWN = 47
"""Holdings of the pool that the cards held stand among in an epoch."""
BATCH = 256
EPOCHS = 12
RATE = 2e-3
DECAY = 1e-2
DROPPED = 0.2
"""Share of the situation's units that are left out at random."""
ERROR_WEIGHT = 5.0
"""Of the squared error of the mean strength, in nats."""
UNITS = (48, 64, 24)
"""Of the situation, of it with a holding, and of the layer after that."""


class Lesson(NamedTuple):
    """A hand shown, or many with a first axis: the cards held, then the pool."""

    row: NDArray[np.float32]
    features: NDArray[np.uint8]
    prior: NDArray[np.float32]
    """The logarithm of the posterior."""
    drawn: NDArray[np.float32]
    """The logarithm of the chance of being drawn."""
    strength: NDArray[np.float32]


def lesson_of(shown: Shown, random: np.random.Generator) -> Lesson:
    """Draw a pool for a hand."""
    possible = np.isfinite(shown.win[0])
    chances = (shown.weights + possible / possible.sum()) / 2
    chances /= chances.sum()
    chosen = np.append(shown.held, random.choice(len(chances), POOL, p=chances))
    return Lesson(
        shown.row,
        holding_features(shown.board, shown.win)[chosen],
        np.log(shown.weights[chosen] + LEAST_WEIGHT).astype(np.float32),
        np.log(chances[chosen]).astype(np.float32),
        shown.win[3, chosen],
    )


def stacked(lessons: Sequence[Lesson]) -> Lesson:
    """Many lessons as one, with a first axis."""
    rows, features, *others = (np.stack(part) for part in zip(*lessons, strict=True))
    return Lesson(rows, features, *others)


def scales_of(lessons: Lesson, learn: NDArray[np.int64]) -> Scales:
    """The scales of the lessons at these places."""
    rows = lessons.row[learn]
    some = lessons.features[learn, 1::20].reshape(-1, len(FEATURES)).astype(np.float32)
    return Scales(
        rows.mean(axis=0), rows.std(axis=0) + np.float32(1e-3), some.mean(axis=0), some.std(axis=0) + np.float32(1)
    )


def train_holding_network(
    lessons: Lesson,
    scales: Scales,
    learn: NDArray[np.int64],
    *,
    epochs: int | None = None,
    seed: int = 0,
    number: int = 0,
    told: Callable[[str], None] = lambda line: None,
) -> HoldingNetwork:
    """Learn from the lessons of these places. Networks of one seed and other numbers begin with other weights."""
    rounds = EPOCHS if epochs is None else epochs
    random = generator(seed, NumpyStream.LEARNER, number)
    network = _first_weights(random)
    means, squares = [np.zeros_like(part) for part in network], [np.zeros_like(part) for part in network]
    situations = scales.of_rows(lessons.row)
    batch = min(BATCH, len(learn))
    steps, step = rounds * (len(learn) // batch), 0
    for epoch in range(rounds):
        order, total = random.permutation(learn), 0.0
        for start in range(0, len(order) - batch + 1, batch):
            step += 1
            chosen = order[start : start + batch]
            among = np.zeros((batch, 1 + min(DRAWN, POOL)), np.int64)
            among[:, 1:] = 1 + random.random((batch, POOL)).argsort(axis=1)[:, :DRAWN]
            kept = (random.random((batch, UNITS[0])) >= DROPPED).astype(np.float32) / np.float32(1 - DROPPED)
            loss, slopes = _slopes(network, situations[chosen], _picked(lessons, chosen, among), scales, kept)
            total += loss
            rate = RATE * 0.5 * (1 + np.cos(np.pi * step / steps))
            for part, slope, mean, square in zip(network, slopes, means, squares, strict=True):
                mean += np.float32(0.1) * (slope - mean)
                square += np.float32(0.001) * (slope * slope - square)
                move = mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
                part -= (rate * (move + (DECAY * part if part.ndim == 2 else 0))).astype(np.float32)
        told(f"network {number + 1}: epoch {epoch + 1} of {rounds}, log-loss {total / (len(order) // batch):.4f}")
    return network


def _first_weights(random: np.random.Generator) -> HoldingNetwork:
    own, both, second = UNITS

    def drawn(above: int, below: int, share: float) -> NDArray[np.float32]:
        found: NDArray[np.float32] = (random.standard_normal((above, below)) * share * np.sqrt(2 / above)).astype(
            np.float32
        )
        return found

    def zeros(count: int) -> NDArray[np.float32]:
        return np.zeros(count, np.float32)

    return HoldingNetwork(
        drawn(len(COLUMNS), own, 1.0), zeros(own), drawn(len(FEATURES), both, 0.7), drawn(own, both, 0.7), zeros(both),
        drawn(both, second, 1.0), zeros(second), drawn(second, 1, 0.3), np.ones(1, np.float32),
    )  # fmt: skip


def _picked(lessons: Lesson, chosen: NDArray[np.int64], among: NDArray[np.int64]) -> Lesson:
    """Some holdings of some lessons."""
    at = chosen[:, None], among
    return Lesson(lessons.row[chosen], lessons.features[at], lessons.prior[at], lessons.drawn[at], lessons.strength[at])


def _slopes(
    network: HoldingNetwork,
    situation: NDArray[np.float32],
    picked: Lesson,
    scales: Scales,
    kept: NDArray[np.float32],
) -> tuple[float, list[NDArray[np.float32]]]:
    """The mean log-loss, and the derivative of what is made small by every part of the network."""
    hands, holdings = picked.prior.shape
    features = scales.of_holdings(picked.features)
    before = situation_layer(network, situation)
    units = before * kept
    scores, joint, second = holding_scores(network, units, features, picked.prior)
    chances = np.exp((shifted := scores - picked.drawn) - shifted.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    loss = -float(np.log(chances[:, 0] + 1e-12).mean())
    mean = (chances * picked.strength).sum(axis=1, keepdims=True)
    missed = 2 * ERROR_WEIGHT * (mean - picked.strength[:, :1])
    error = chances + missed * chances * (picked.strength - mean)
    error[:, 0] -= 1
    error /= hands
    of_prior = np.array([(error * picked.prior).sum()], np.float32)
    column = error.reshape(-1, 1)
    of_second = (column @ network.score.T) * (second > 0)
    of_joint = (of_second @ network.second.T) * (joint > 0)
    by_hand = of_joint.reshape(hands, holdings, -1).sum(axis=1)
    of_units = (by_hand @ network.joint.T) * kept * (before > 0)
    return loss, [
        situation.T @ of_units, of_units.sum(axis=0), features.reshape(hands * holdings, -1).T @ of_joint,
        units.T @ by_hand, by_hand.sum(axis=0), joint.T @ of_second, of_second.sum(axis=0), second.T @ column, of_prior,
    ]  # fmt: skip
