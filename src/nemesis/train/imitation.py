"""A first network for natural evolution: one that imitates the best responses to known opponents.

Evolution from chance finds only some of what its inputs allow: fitness is mostly luck, and good play is far from where it
starts. So a pupil sits down with each opponent in turn. The best response (`solve.limit_ceiling`) tells at every
decision what to do and mostly does it; what the pupil was shown and what it was told are the lessons. A network of one
hidden layer is then fitted to them (cross-entropy, Adam), and evolution goes on from its weights with chips for fitness.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.event import ACTS, ENDS, STARTS, Event
from nemesis.observe.view import View
from nemesis.play.match import play_lineups
from nemesis.respond.agent import Agent, CompiledAgent
from nemesis.respond.by_name import compiled_agent
from nemesis.respond.holdem_network import shown_inputs
from nemesis.respond.layered import STEEPNESS, first_weights
from nemesis.rules.game import Game
from nemesis.runtime.streams import NumpyStream, Stream, derived_seed, generator

MATCHES, HANDS = 40, 300
"""Lessons with each opponent."""
ASTRAY = 0.1
"""How often a lesson leaves the best response, to see what should be done after a mistake."""
EPOCHS, BATCH, RATE = 30, 256, 0.003
_FADE, _FADE_SQUARED, _TINY = 0.9, 0.999, 1e-8

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Pupil(Agent):
    """Sees as the network's player does, and does as it is told."""

    facts = frozenset({"win"})
    hears = (STARTS, ACTS, ENDS)

    def __init__(self, player: CompiledAgent, teacher: CompiledAgent) -> None:
        self.name = "pupil"
        self.player, self.teacher = player, teacher
        self.inputs: list[Floats] = []
        self.answers: list[int] = []

    def sit(self, game: Game, seat: int) -> None:
        """Both forget the last match."""
        self.player.sit(game, seat)
        self.teacher.sit(game, seat)

    def act(self, view: View) -> int:
        """Note what is seen and what should be done, and mostly do it."""
        self.player.act(view)
        answer = self.teacher.act(view)
        self.inputs.append(shown_inputs(self.player))
        self.answers.append(answer)
        return int(view.chance / ASTRAY * 3) if view.chance < ASTRAY else answer

    def watch(self, event: Event) -> None:
        """Both are told what they asked for."""
        for each in (self.player, self.teacher):
            if event.kind in each.hears:
                each.watch(event)


def lessons(player: CompiledAgent, opponents: Sequence[str], game: Game, seed: int) -> tuple[Floats, Ints]:
    """What the player was shown against these opponents, and what the best response did there."""
    inputs: list[Floats] = []
    answers: list[int] = []
    for name in opponents:
        pupil = Pupil(player, compiled_agent(f"counter-{name}", game))
        lineup = np.tile([[0, 1]], (MATCHES, 1))
        play_lineups(
            game, [pupil, compiled_agent(name, game)], lineup, np.arange(MATCHES),
            hands=HANDS, seed=derived_seed(seed, Stream.LESSONS),
        )  # fmt: skip
        inputs += pupil.inputs
        answers += pupil.answers
    return np.array(inputs), np.array(answers)


def imitated(inputs: Floats, answers: Ints, hidden: int, outputs: int, seed: int) -> Floats:
    """Weights, as `respond.layered` takes them, of a network that answers so."""
    chance = generator(seed, NumpyStream.IMITATION)
    width = inputs.shape[1]
    weights = first_weights(width, hidden, outputs, seed)
    inner = weights[: hidden * (1 + width)].reshape(hidden, 1 + width)
    outer = weights[hidden * (1 + width) :].reshape(outputs, 1 + hidden)
    inner[:] *= STEEPNESS
    moments = [(np.zeros_like(part), np.zeros_like(part)) for part in (inner, outer)]
    step = 0
    for epoch in range(EPOCHS):
        rate = RATE * (1 - epoch / EPOCHS)
        for batch in np.array_split(chance.permutation(len(inputs)), max(1, len(inputs) // BATCH)):
            x = inputs[batch]
            h = np.tanh(inner[:, 0] + x @ inner[:, 1:].T)
            z = outer[:, 0] + h @ outer[:, 1:].T
            p = np.exp(z - z.max(axis=1, keepdims=True))
            p /= p.sum(axis=1, keepdims=True)
            p[np.arange(len(batch)), answers[batch]] -= 1
            p /= len(batch)
            back = (p @ outer[:, 1:]) * (1 - h * h)
            slopes = (_slope(back, x), _slope(p, h))
            step += 1
            for part, slope, (mean, square) in zip((inner, outer), slopes, moments, strict=True):
                mean += (1 - _FADE) * (slope - mean)
                square += (1 - _FADE_SQUARED) * (slope * slope - square)
                lifted = mean / (1 - _FADE**step), square / (1 - _FADE_SQUARED**step)
                part -= rate * lifted[0] / (np.sqrt(lifted[1]) + _TINY)
    inner[:] /= STEEPNESS
    return weights


def _slope(back: Floats, seen: Floats) -> Floats:
    """How the error changes with the bias and the weights of a layer."""
    return np.concatenate([back.sum(axis=0)[:, None], back.T @ seen], axis=1)
