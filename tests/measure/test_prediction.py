"""Scores of predictions that are known in advance."""

from pathlib import Path

import numpy as np
import pytest

from nemesis.believe.action_model import Forecast, timeline
from nemesis.measure.prediction import score
from nemesis.observe.history import read_history

SAMPLE = Path(__file__).parent.parent / "data" / "ongame.phhs"


def test_scores_of_a_forecast_that_says_the_same_of_everything() -> None:
    line = timeline(read_history([SAMPLE]))
    count = len(line.done)
    flat, sharp = np.full((count, 3), 1 / 3), np.full((count, 3), 0.01)
    sharp[np.arange(count), line.done] = 0.98
    found = score(Forecast(sharp, flat, np.zeros((count, 0), np.float32)), line, np.ones(count, bool))
    assert found.decisions == count
    assert found.accuracy == 1
    assert found.log_loss == pytest.approx(-np.log(0.98))
    assert found.public_log_loss == pytest.approx(np.log(3))
    assert found.gain == pytest.approx(np.log(3 * 0.98))
    assert found.gain_ci95 == pytest.approx((found.gain, found.gain))
    assert found.ece == pytest.approx((0.02 + 2 * 0.01) / 3, abs=1e-9)
