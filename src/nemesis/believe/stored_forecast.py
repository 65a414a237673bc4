"""What the action model says of every decision of one stored hand, from what was known before it.

The model has followed one player of the hand from its first hand in the store, or the last `MOST` of them; of the others it
knows what it learned in training and in the hands that they share with that player.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nemesis.believe.action_model import (
    BUCKETS,
    INPUTS,
    ActionModel,
    bucket_of,
    forecast,
    hand_digests,
    size_likely,
    timeline,
)
from nemesis.observe.store import Store
from nemesis.observe.stored_hands import chosen_history

MOST = 2000
"""Earlier hands of the player that the model is shown."""


@dataclass(frozen=True)
class Prediction:
    """One decision: probabilities of fold, check or call, and raise; how a raise would be sized; and what was done."""

    position: int
    street: int
    likely: tuple[float, float, float]
    public: tuple[float, float, float]
    """The same without knowing who decides."""
    sizes: dict[str, float]
    known: int
    """Decisions of this player that the model had seen."""
    done: int
    """0 fold, 1 check or call, 2 bet or raise."""
    size: str | None


@dataclass(frozen=True)
class HandForecast:
    """The decisions of a hand; `trained_on` says whether the model has seen this very hand in training."""

    predictions: tuple[Prediction, ...]
    trained_on: bool


def stored_forecast(store: Store, model: ActionModel, player: int, hand: int) -> HandForecast:
    """Predict the decisions of the hand after following the player's hands before it."""
    moment = store.rows("SELECT time FROM seats WHERE player = ? AND hand = ?", [player, hand])
    if not moment:
        raise ValueError(f"player {player} has no hand {hand} in the store")
    before = "(time, hand) <= (?, ?)" if moment[0][0] is not None else "(time IS NOT NULL OR hand <= ?)"
    values = [moment[0][0], hand] if moment[0][0] is not None else [hand]
    numbers = store.arrays(
        f"SELECT hand FROM seats WHERE player = ? AND {before} ORDER BY time DESC, hand DESC LIMIT {MOST}",
        [player, *values],
    )["hand"]
    history = next(chosen_history(store, np.sort(numbers)))
    key = store.rows("SELECT key FROM hands WHERE hand = ?", [hand])[0][0]
    line = timeline(history)
    said = forecast(model, line)
    row = int(np.flatnonzero(line.history.about["key"] == np.uint64(key))[0])
    first, count = (int(line.history.hands[name][row]) for name in ("first", "actions"))
    places = range(first, first + count)
    sizes = size_likely(model, said.inputs[first : first + count])
    buckets = bucket_of(line.situations)
    known = np.expm1(said.inputs[:, INPUTS.index("decisions")])
    actions = line.history.actions
    predictions = tuple(
        Prediction(
            int(actions["position"][at]),
            int(actions["street"][at]),
            _three(said.likely[at].tolist()),
            _three(said.public[at].tolist()),
            dict(zip(BUCKETS, size.tolist(), strict=True)),
            round(float(known[at])),
            int(actions["action"][at]),
            BUCKETS[int(buckets[at])] if actions["action"][at] == 2 else None,
        )
        for at, size in zip(places, sizes, strict=True)
    )
    return HandForecast(predictions, bool(np.isin(hand_digests(line.history)[row], model.hands)))


def _three(values: list[float]) -> tuple[float, float, float]:
    fold, call, raise_ = values
    return fold, call, raise_
