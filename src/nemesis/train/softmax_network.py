"""A small network of rectified units trained by Adam, whose outputs are added to given logarithms of probabilities.

scikit-learn's network cannot start from given logarithms; with them it need only learn what they miss. The rate falls along
half a cosine. The weights kept are those with the least loss on the rows set aside.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.action_model import Network, network_scores, standardised
from nemesis.runtime.streams import NumpyStream, generator

BATCH = 2048
RATE = 1.5e-3
DECAY = 8e-2
HIDDEN = (128, 48)
EPOCHS = 10


def train_network(
    inputs: NDArray[np.float32],
    begin: NDArray[np.float32],
    done: NDArray[np.int64],
    learn: NDArray[np.int64],
    check: NDArray[np.int64],
    *,
    epochs: int = EPOCHS,
    seed: int = 0,
    number: int = 0,
    told: Callable[[str], None] = lambda line: None,
) -> Network:
    """Learn from the rows `learn`, choose by the rows `check`; `begin` are the logarithms that outputs are added to.

    Networks of one seed and other numbers begin with other weights and see the rows in another order.
    """
    random = generator(seed, NumpyStream.LEARNER, number)
    centre, scale = inputs[learn].mean(axis=0), inputs[learn].std(axis=0) + np.float32(1e-3)
    sizes = (inputs.shape[1], *HIDDEN, begin.shape[1])
    weights = [
        (random.standard_normal((above, below)) * np.sqrt(2 / above)).astype(np.float32)
        for above, below in pairwise(sizes)
    ]
    weights[-1] *= np.float32(0.1)
    biases = [np.zeros(below, np.float32) for below in sizes[1:]]
    parts = [*weights, *biases]
    layers = len(weights)
    first, second = [np.zeros_like(part) for part in parts], [np.zeros_like(part) for part in parts]
    batch = min(BATCH, len(learn))
    steps, step = epochs * (len(learn) // batch), 0
    best, kept = np.inf, [part.copy() for part in parts]
    for epoch in range(epochs):
        rows = random.permutation(learn)
        for start in range(0, len(rows) - batch + 1, batch):
            chosen = rows[start : start + batch]
            step += 1
            rate = np.float32(RATE * 0.5 * (1 + np.cos(np.pi * step / steps)))
            standard = np.clip((inputs[chosen] - centre) / scale, -6, 6)
            slopes = _slopes(parts, layers, standard, begin[chosen], done[chosen])
            for i, slope in enumerate(slopes):
                first[i] += np.float32(0.1) * (slope - first[i])
                second[i] += np.float32(0.001) * (slope * slope - second[i])
                move = first[i] / (1 - 0.9**step) / (np.sqrt(second[i] / (1 - 0.999**step)) + 1e-8)
                parts[i] -= (rate * (move + (DECAY * parts[i] if i < layers else 0))).astype(np.float32)
        loss = _loss(Network(centre, scale, tuple(parts[:layers]), tuple(parts[layers:])), inputs, begin, done, check)
        told(f"network: epoch {epoch + 1} of {epochs}, log-loss {loss:.4f}")
        if loss < best:
            best, kept = loss, [part.copy() for part in parts]
    return Network(centre, scale, tuple(kept[:layers]), tuple(kept[layers:]))


def _slopes(
    parts: list[NDArray[np.float32]],
    layers: int,
    standard: NDArray[np.float32],
    begin: NDArray[np.float32],
    done: NDArray[np.int64],
) -> list[NDArray[np.float32]]:
    """The derivative of the mean log-loss by every part."""
    hidden = [standard]
    for i in range(layers - 1):
        hidden.append(np.maximum(hidden[-1] @ parts[i] + parts[layers + i], 0))
    scores = hidden[-1] @ parts[layers - 1] + parts[-1] + begin
    error = np.exp(scores - scores.max(axis=1, keepdims=True))
    error /= error.sum(axis=1, keepdims=True)
    error[np.arange(len(done)), done] -= 1
    error /= len(done)
    slopes: list[NDArray[np.float32]] = [np.zeros(0, np.float32)] * (2 * layers)
    for i in range(layers - 1, -1, -1):
        slopes[i], slopes[layers + i] = hidden[i].T @ error, error.sum(axis=0)
        if i:
            error = (error @ parts[i].T) * (hidden[i] > 0)
    return slopes


def _loss(
    network: Network,
    inputs: NDArray[np.float32],
    begin: NDArray[np.float32],
    done: NDArray[np.int64],
    check: NDArray[np.int64],
) -> float:
    scores = begin[check] + network_scores(network, standardised(network, inputs[check]))
    shifted = scores - scores.max(axis=1, keepdims=True)
    of_done = shifted[np.arange(len(check)), done[check]]
    return float((np.log(np.exp(shifted).sum(axis=1)) - of_done).mean())
