"""Calibration of a belief whose quality is known."""

import numpy as np
import pytest

from nemesis.believe.calibration import calibrate, score_posteriors


def test_a_belief_that_says_what_happens_is_calibrated() -> None:
    """Says 75 % for style 0 ten times out of which it is right in half: stated .75, happened .5."""
    posteriors = np.tile([0.75, 0.25], (10, 1))
    found = calibrate(posteriors, np.array([0, 1] * 5), bins=4)
    assert found.statements.tolist() == [0, 10, 0, 10]
    assert found.stated[3] == pytest.approx(0.75)
    assert found.happened[3] == pytest.approx(0.5)
    assert found.error == pytest.approx(0.25)
    assert np.isnan(found.stated[0])


def test_log_loss_and_accuracy() -> None:
    scored = score_posteriors(np.array([[0.9, 0.1], [0.5, 0.5], [0.2, 0.8]]), np.array([0, 1, 0]))
    assert scored.log_loss == pytest.approx(-np.log([0.9, 0.5, 0.2]).mean())
    assert scored.accuracy == pytest.approx(1 / 3)


def test_nothing_to_score_is_an_error() -> None:
    with pytest.raises(ValueError, match="do not fit"):
        score_posteriors(np.zeros((0, 2)), np.zeros(0, np.int64))
