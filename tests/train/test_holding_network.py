"""Training of a network over holdings: its derivatives, and that it finds what decides which cards are held."""

from typing import Any

import numpy as np
import pytest

from nemesis.believe.holding_features import FEATURES
from nemesis.believe.shown_hands import COLUMNS
from nemesis.believe.shown_strength import HoldingNetwork, holding_scores, situation_layer
from nemesis.train import holding_network as training
from nemesis.train.holding_network import Lesson, scales_of, train_holding_network

HANDS = 600


def lessons_of(random: np.random.Generator) -> Lesson:
    """Suited cards are held if the first column is above 0, pairs otherwise, among a pool of anything."""
    suited, pair = FEATURES.index("suited"), FEATURES.index("pair")
    rows = np.zeros((HANDS, len(COLUMNS)), np.float32)
    rows[:, :2] = random.standard_normal((HANDS, 2))
    features = np.zeros((HANDS, 1 + training.POOL, len(FEATURES)), np.uint8)
    features[:, :, [suited, pair]] = 255 * random.integers(0, 2, (HANDS, 1 + training.POOL, 2), np.uint8)
    likes_suits = rows[:, 0] > 0
    features[:, 0, suited], features[:, 0, pair] = 255 * likes_suits, 255 * ~likes_suits
    flat = np.zeros((HANDS, 1 + training.POOL), np.float32)
    return Lesson(rows, features, flat, flat, random.random(flat.shape).astype(np.float32))


def test_derivatives_agree_with_differences() -> None:
    random = np.random.default_rng(1)
    lessons = lessons_of(random)
    scales = scales_of(lessons, np.arange(HANDS))
    picked = training._picked(lessons, np.arange(5), np.tile(np.arange(9), (5, 1)))
    situation: Any = scales.of_rows(picked.row).astype(np.float64)
    kept: Any = np.ones((5, training.UNITS[0]))
    parts: Any = [part.astype(np.float64) for part in training._first_weights(random)]
    network = HoldingNetwork(*parts)

    def goal(tried: HoldingNetwork) -> float:
        features: Any = scales.of_holdings(picked.features).astype(np.float64)
        scores, *_ = holding_scores(tried, situation_layer(tried, situation), features, picked.prior)
        chances = np.exp(scores - picked.drawn)
        chances /= chances.sum(axis=1, keepdims=True)
        error = (chances * picked.strength).sum(axis=1) - picked.strength[:, 0]
        return float(np.mean(-np.log(chances[:, 0]) + training.ERROR_WEIGHT * error**2))

    _, slopes = training._slopes(network, situation, picked, scales, kept)
    for name, part, slope in zip(HoldingNetwork._fields, network, slopes, strict=True):
        place = np.unravel_index(np.abs(slope).argmax(), slope.shape)
        sides = []
        for step in (1e-4, -1e-4):
            moved = part.copy()
            moved[place] += step
            sides.append(goal(network._replace(**{name: moved})))
        assert slope[place] == pytest.approx((sides[0] - sides[1]) / 2e-4, rel=2e-2, abs=1e-6), name


def test_what_decides_the_cards_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "BATCH", 50)
    random = np.random.default_rng(2)
    lessons = lessons_of(random)
    learn, check = np.arange(HANDS - 100), np.arange(HANDS - 100, HANDS)
    scales = scales_of(lessons, learn)
    network = train_holding_network(lessons, scales, learn, epochs=30)
    situation = situation_layer(network, scales.of_rows(lessons.row[check]))
    features = scales.of_holdings(lessons.features[check])
    scores, *_ = holding_scores(network, situation, features, lessons.prior[check])
    # a quarter of the pool is like the cards held, another has both marks
    assert (scores[:, :1] > scores[:, 1:]).mean() > 0.6
    likes_suits = lessons.row[check, 0] > 0
    only = lessons.features[check][:, :, [FEATURES.index("suited"), FEATURES.index("pair")]] == [255, 0]
    suited_only = only.all(axis=2)
    assert (
        scores[likes_suits][suited_only[likes_suits]].mean()
        > scores[~likes_suits][suited_only[~likes_suits]].mean() + 1
    )
