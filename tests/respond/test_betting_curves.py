"""The curves of section 3.2 of the hypercube paper."""

import math

import numpy as np
import pytest

from nemesis.respond.betting_curves import GENES, LARGEST, between, probabilities


def shares(genes: list[float], x: float) -> list[float]:
    found: list[float] = probabilities(np.array(genes), np.array([x]))[0].tolist()
    return found


def test_the_three_functions_are_those_of_the_source() -> None:
    """eval(.5) is 1 and eval(.75) is 3."""
    fold, call, raise_ = math.exp(-(0.6 - 0.2)), 3 * math.exp(-((0.6 - 0.4) ** 2)), math.exp(0.6 + 0.3 - 1)
    together = fold + call + raise_
    assert shares([0.2, 0.5, 0.4, 0.5, 0.75, 0.3, 0.5], 0.6) == pytest.approx(
        [fold / together, call / together, raise_ / together]
    )


def test_the_most_extreme_candidates_still_have_probabilities() -> None:
    corners = np.array(np.meshgrid(*[[0.0, LARGEST]] * GENES)).reshape(GENES, -1).T
    found = probabilities(corners, np.array([0.0, 0.5, 1.0]))
    assert np.isfinite(found).all()
    assert np.allclose(found.sum(axis=-1), 1)


def test_a_candidate_between_two_thresholds_wavers_only_there() -> None:
    fold, call, _ = shares(between(0.4, 0.7).tolist(), 0.4)
    assert fold == pytest.approx(call, rel=0.01)
    _, call, raise_ = shares(between(0.4, 0.7).tolist(), 0.7)
    assert raise_ == pytest.approx(call, rel=0.01)
    assert shares(between(0.4, 0.7).tolist(), 0.2)[0] > 0.95
    assert shares(between(0.4, 0.7).tolist(), 0.9)[2] > 0.95
