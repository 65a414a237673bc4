"""One player as the action model knows him after some hands, and what he would do at any decision.

`player_after` learns a player's decisions in hands that the model was not trained on, from what the model knew of him
already, and stops: the belief about him stays as it is then. `decide` gives the probabilities of a decision for him, by the
same parts as `action_model.forecast`. Of somebody unknown it gives what people in general do. `follow` predicts his
decisions one after another, learning as it goes on, and keeps those of hands that the model has never seen.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.action_model import (
    ActionModel,
    Known,
    Timeline,
    hand_digests,
    known_habits,
    nothing_known,
    personal_inputs,
    personal_likely,
    public_likely,
    sitting_of,
    size_likely,
    usual_sitting,
)
from nemesis.believe.by_player import Decisions, by_player
from nemesis.believe.player_effects import effect_rows, room_for
from nemesis.believe.player_history import Sums, history_rows, no_sums
from nemesis.believe.sitting import no_habits


class KnownPlayer(NamedTuple):
    """A model and what it knows of one player; `decisions` is how many of his own it learnt from."""

    model: ActionModel
    known: Known
    decisions: int
    sitting: NDArray[np.float32]
    """How he sat when he decided, on average."""


class Choice(NamedTuple):
    """What a player would do: probabilities of fold, call and raise, and of the sizes of a raise."""

    likely: NDArray[np.float64]
    sizes: NDArray[np.float64]


def anybody(model: ActionModel) -> KnownPlayer:
    """Somebody of whom nothing is known."""
    return KnownPlayer(model, nothing_known(), 0, usual_sitting(model))


class Followed(NamedTuple):
    """A player's decisions in hands that the model was not trained on, and what it said before each."""

    hand: NDArray[np.int64]
    done: NDArray[np.int64]
    likely: NDArray[np.float64]
    public: NDArray[np.float64]
    """Without knowing who decides."""


class _Own(NamedTuple):
    """The decisions to learn from, in order, and what is known before the first."""

    at: NDArray[np.int64]
    fresh: NDArray[np.bool_]
    rows: NDArray[np.float32]
    sitting: NDArray[np.float32]
    decisions: Decisions
    known_as: NDArray[np.int64]
    sums: Sums
    habits: NDArray[np.float32]


def player_after(model: ActionModel, line: Timeline, player: int) -> KnownPlayer:
    """The player with this digest after the hands of a timeline."""
    own = _own(model, line, player)
    public = public_likely(model, own.rows)
    kept, first = room_for(1), np.zeros(1, np.int64)
    effect_rows(own.rows, own.decisions, public, model.prior, model.known.beliefs, own.known_as, kept, first)
    history_rows(own.rows, own.decisions, public, own.sums)
    known = Known(np.array([player], np.uint64), own.sums, kept, own.habits)
    return KnownPlayer(model, known, int(own.sums.decisions[0]), _sat(model, line, player))


def _sat(model: ActionModel, line: Timeline, player: int) -> NDArray[np.float32]:
    """How the player sat at all decisions of the timeline, on average; as people do if there are none."""
    own = line.player == np.uint64(player)
    if not own.any():
        return usual_sitting(model)
    mean: NDArray[np.float32] = sitting_of(line, np.array([player], np.uint64), no_habits(1))[own].mean(axis=0)
    return mean


def follow(model: ActionModel, line: Timeline, player: int) -> Followed:
    """Predict the decisions of the player with this digest, walk-forward."""
    own = _own(model, line, player)
    public = public_likely(model, own.rows)
    inputs = personal_inputs(own.rows, own.sitting, own.decisions, public, model.prior, model.known, own.known_as)
    at, fresh = own.at[own.fresh], own.fresh
    return Followed(
        line.history.actions["hand"][at],
        line.done[at].astype(np.int64),
        personal_likely(model, inputs[fresh]),
        public[fresh].astype(np.float64),
    )


def _own(model: ActionModel, line: Timeline, player: int) -> _Own:
    """The player's decisions; if the model knows him, those of hands that it was not trained on."""
    place = int(np.searchsorted(model.known.players, np.uint64(player)))
    met = place < len(model.known.players) and int(model.known.players[place]) == player
    new = ~np.isin(hand_digests(line.history), model.hands)
    fresh = new[line.history.actions["hand"]]
    at = np.flatnonzero((line.player == np.uint64(player)) & (fresh if met else True))
    sums = no_sums(1)
    if met:
        for ours, theirs in zip(sums, model.known.sums, strict=True):
            ours[0] = theirs[place]
    decisions = by_player(np.zeros(len(at), np.int64), line.done[at], 1)
    known_as = np.array([place if met else -1], np.int64)
    habits = known_habits(model.known, known_as)
    sitting = sitting_of(line, np.array([player], np.uint64), habits, new if met else None)[at]
    return _Own(at, fresh[at], line.situations.rows[at], sitting, decisions, known_as, sums, habits)


def decide(player: KnownPlayer, rows: NDArray[np.float32], sitting: NDArray[np.float32] | None = None) -> Choice:
    """What the player would do at these public situations, each by itself; he sits as he usually does, or as told."""
    model = player.model
    public = public_likely(model, rows)
    each = by_player(np.arange(len(rows)), np.ones(len(rows), np.int8), len(rows))
    known_as = np.full(len(rows), 0 if len(player.known.players) else -1, np.int64)
    sits = np.tile(player.sitting, (len(rows), 1)) if sitting is None else sitting
    inputs = personal_inputs(rows, sits, each, public, model.prior, player.known, known_as)
    return Choice(personal_likely(model, inputs), size_likely(model, inputs))
