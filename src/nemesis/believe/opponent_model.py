"""The Poker Opponent Model: two networks for each player (SOM), kept up to date in a sliding window (DOM).

The *hand network* (HPN) says hand potential and hand strength; it learns only from hands that were shown. The *action
network* (APN) gets the same inputs and what the hand network says, and answers fold, call, raise (the POM thesis, 3.2).
Its three outputs are no distribution, as the thesis says itself; `likely` makes them one by dividing by their sum.

A *static model* is both networks of one player. The *dynamic model* (3.3) keeps one for each player and trains it on from
its present weights whenever the window of the latest hands has moved. Players are independent and trained concurrently.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.back_propagation import Settings, Training
from nemesis.believe.perceptron import NetworkError, Perceptron, new_perceptron, perceptron_from
from nemesis.believe.pom_patterns import ACTIONS, INPUTS, POTENCY, Patterns
from nemesis.runtime.atomic import write_json

FORMAT = 1
LEAST = 0.01
"""No output counts as less than this when outputs are made probabilities."""
WINDOW, MOVE = 75, 5
"""Hands of the window and by how many it moves (the thesis, 4.3; it recommends 50 to 80 and 4 to 8)."""


class Prediction(NamedTuple):
    """What a static model says of decisions."""

    potency: NDArray[np.float64]
    """(decisions, 2) hand potential and strength."""
    tolerance: float
    """How far off these are on average: the hand network's last error (3.2)."""
    outputs: NDArray[np.float64]
    """(decisions, 3) the action network's."""

    @property
    def likely(self) -> NDArray[np.float64]:
        """The outputs as probabilities."""
        floored = np.maximum(self.outputs, LEAST)
        shares: NDArray[np.float64] = floored / floored.sum(axis=1, keepdims=True)
        return shares


class StaticModel:
    """The two networks of one player (SOM), new ones if not given. `number` tells the models of one seed apart."""

    def __init__(
        self,
        settings: Settings | None = None,
        seed: int = 0,
        number: int = 0,
        hand: Perceptron | None = None,
        action: Perceptron | None = None,
    ) -> None:
        hand = hand or new_perceptron("HPN", INPUTS, POTENCY, seed, 2 * number)
        action = action or new_perceptron("APN", (*INPUTS, *POTENCY), ACTIONS, seed, 2 * number + 1)
        for network, inputs, outputs in ((hand, INPUTS, POTENCY), (action, (*INPUTS, *POTENCY), ACTIONS)):
            if (network.inputs, network.outputs) != (inputs, outputs):
                raise NetworkError(f"the network {network.name!r} has not the inputs and outputs of an opponent model")
        self.hand = Training(hand, settings, seed, 2 * number)
        self.action = Training(action, settings, seed, 2 * number + 1)

    def inputs(self, patterns: Patterns) -> NDArray[np.float64]:
        """(decisions, 35) the action network's inputs."""
        return np.concatenate([patterns.inputs, self.hand.network.answer(patterns.inputs)], axis=1)

    def train(self, patterns: Patterns) -> int:
        """Train both networks on from where they are; returns the action network's epochs."""
        before = len(self.action.epochs)
        shown = patterns.shown
        self.hand.start_again()
        self.action.start_again()
        if shown.any():
            self.hand.run(patterns.inputs[shown], patterns.potency[shown])
        self.action.run(self.inputs(patterns), patterns.actions)
        return len(self.action.epochs) - before

    def predict(self, patterns: Patterns) -> Prediction:
        """What the networks say of decisions."""
        inputs = self.inputs(patterns)
        tolerance = self.hand.epochs[-1].error if self.hand.epochs else 0.5
        return Prediction(inputs[:, -len(POTENCY) :], tolerance, self.action.network.answer(inputs))

    def to_json(self) -> dict[str, Any]:
        """Both networks as what JSON can hold."""
        return {
            "opponent_model": FORMAT,
            "hand": self.hand.network.to_json(),
            "action": self.action.network.to_json(),
        }


def static_model_from(told: Mapping[str, Any], settings: Settings | None = None) -> StaticModel:
    """The model whose networks `to_json` described, to predict with or to train on."""
    if told.get("opponent_model") != FORMAT:
        raise NetworkError("this is not an opponent model of this version")
    hand, action = (perceptron_from(told.get(kind) or {}) for kind in ("hand", "action"))
    return StaticModel(settings, hand=hand, action=action)


def write_model(path: Path, model: StaticModel) -> None:
    """Export a player's networks to a JSON file."""
    write_json(path, model.to_json())


def read_model(path: Path) -> StaticModel:
    """Import a player's networks from a JSON file."""
    try:
        return static_model_from(json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise NetworkError(f"{path} cannot be read: {error.strerror or error}") from None
    except (ValueError, AttributeError) as error:
        raise NetworkError(f"{path}: {error}") from None


class Walk(NamedTuple):
    """A dynamic model's way through one player's hands: what was said before each decision."""

    likely: NDArray[np.float64]
    done: NDArray[np.int64]
    epochs: NDArray[np.int64]
    """Of the action network, by move of the window."""


def walk_forward(
    patterns: Patterns,
    settings: Settings | None = None,
    *,
    window: int = WINDOW,
    move: int = MOVE,
    seed: int = 0,
    number: int = 0,
) -> Walk:
    """Train on a window of hands, predict the next `move` hands, move on by as many, and train on."""
    model = StaticModel(settings, seed, number)
    likely, done, epochs = [], [], []
    for first in range(0, patterns.rounds - window, move):
        epochs.append(model.train(patterns.between(first, first + window)))
        ahead = patterns.between(first + window, first + window + move)
        likely.append(model.predict(ahead).likely)
        done.append(ahead.done)
    nothing = np.zeros((0, len(ACTIONS)))
    return Walk(
        np.concatenate([nothing, *likely]), np.concatenate([np.zeros(0, np.int64), *done]), np.array(epochs, np.int64)
    )


@dataclass
class DynamicModel:
    """One static model for each player, trained on whenever `move` more of his hands are known (DOM)."""

    window: int = WINDOW
    move: int = MOVE
    settings: Settings = field(default_factory=Settings)
    seed: int = 0
    threads: int = field(default_factory=lambda: os.cpu_count() or 1)
    players: dict[str, StaticModel] = field(default_factory=dict)
    _trained: dict[str, int] = field(default_factory=dict)

    def update(self, patterns: Mapping[str, Patterns]) -> dict[str, int]:
        """Take every player's hands so far; train, each player in a thread of its own, where the window has moved.

        Returns the epochs of those who were trained. A player's result does not depend on the others.
        """
        due = [
            name
            for name, known in patterns.items()
            if known.rounds and (name not in self._trained or known.rounds - self._trained[name] >= self.move)
        ]
        for name in due:
            self.players.setdefault(name, StaticModel(self.settings, self.seed, _number_of(name)))

        def train(name: str) -> int:
            rounds = patterns[name].rounds
            return self.players[name].train(patterns[name].between(max(0, rounds - self.window), rounds))

        with ThreadPoolExecutor(self.threads) as pool:
            epochs = dict(zip(due, pool.map(train, due), strict=True))
        self._trained |= {name: patterns[name].rounds for name in due}
        return epochs

    def predict(self, name: str, patterns: Patterns) -> Prediction:
        """What a player's model says of decisions."""
        if name not in self.players:
            raise NetworkError(f"there is no model of {name!r} yet; update it with his hands first")
        return self.players[name].predict(patterns)


def _number_of(name: str) -> int:
    """A number by name, so that a player's first weights do not depend on when he came."""
    value = 0
    for byte in name.encode():
        value = (value * 131 + byte) % (1 << 30)
    return value
