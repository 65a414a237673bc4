"""Posteriors over holdings: what choices say about cards."""

import numpy as np
import pytest

from nemesis.believe.range_posterior import (
    HOLDINGS,
    Slopes,
    choice_given_holding,
    kind_of,
    learn_decision,
    uniform,
    win_probabilities,
)
from nemesis.rules.cards import parse_cards

SLOPES = Slopes((-6.0,) * 4, (6.0,) * 4, (0.0,) * 4)
FLAT = Slopes((0.0,) * 4, (0.0,) * 4, (0.0,) * 4)
PREFLOP = np.full(5, -1, np.int8)


def place(text: str) -> int:
    high, low = sorted(parse_cards(text), reverse=True)
    return high * (high - 1) // 2 + low


def test_holdings_are_numbered_by_their_cards() -> None:
    assert HOLDINGS[place("AsKs")].tolist() == [51, 47]
    assert len(HOLDINGS) == 1326


def test_a_board_rules_out_its_own_cards() -> None:
    board = np.array([*parse_cards("2c7hAs"), -1, -1], np.int8)
    win = win_probabilities(board)
    weights = uniform(win)
    assert weights[place("AsKs")] == 0
    assert (weights > 0).sum() == 49 * 48 // 2
    assert np.isnan(win[2]).all()
    assert win[1, place("AhAd")] > win[1, place("3d4d")]
    assert win_probabilities(PREFLOP)[0, place("AhAd")] == pytest.approx(0.852, abs=1e-3)


def test_choices_depend_on_cards_and_are_as_frequent_as_the_model_says() -> None:
    win = win_probabilities(PREFLOP)[0]
    weights = uniform(win_probabilities(PREFLOP))
    likely = np.array([0.7, 0.2, 0.1])
    chances = choice_given_holding(weights, win, likely, 0, SLOPES)
    assert weights @ chances == pytest.approx(likely, abs=1e-3)
    assert chances[place("AsAh"), 2] > 0.4 > chances[place("7c2d"), 2]
    assert chances[place("7c2d"), 0] > 0.9


def test_a_raise_makes_good_cards_likelier_and_a_fold_bad_ones() -> None:
    win = win_probabilities(PREFLOP)[0]
    weights = uniform(win_probabilities(PREFLOP))
    likely = np.array([0.7, 0.2, 0.1])
    raised = learn_decision(weights, win, likely, 2, 0, SLOPES)
    folded = learn_decision(weights, win, likely, 0, 0, SLOPES)
    assert raised.sum() == pytest.approx(1)
    assert raised[place("AsAh")] > weights[place("AsAh")] > folded[place("AsAh")]
    assert learn_decision(weights, win, likely, 2, 0, FLAT) == pytest.approx(weights)


def test_kinds_of_decisions() -> None:
    assert [kind_of(0, 4, 0), kind_of(0, 8, 1), kind_of(1, 0, 0), kind_of(3, 5, 1)] == [0, 1, 2, 3]
