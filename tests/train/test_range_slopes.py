"""Slopes are learnt from shown hands."""

from pathlib import Path

import numpy as np

from nemesis.believe.action_model import timeline
from nemesis.believe.range_posterior import Slopes
from nemesis.measure.range_quality import score_ranges
from nemesis.observe.history import read_history
from nemesis.train.range_slopes import learn_slopes, shown_positions

DATA = Path(__file__).parent.parent / "data"
FLAT = Slopes((0.0,) * 4, (0.0,) * 4, (0.0,) * 4)


def test_learnt_slopes_explain_the_hands_better_than_none() -> None:
    """On all cards of a few hands of Pluribus, with the same probabilities for every decision."""
    line = timeline(read_history([DATA / "pluribus.phhs"]))
    likely = np.tile([0.5, 0.3, 0.2], (len(line.done), 1))
    free = line.history.actions["to_call"] == 0
    likely[free] = 0.001, 0.7, 0.299
    hands = np.arange(8)
    positions = np.array([(hand, position) for hand in hands for position in range(6)])
    slopes = learn_slopes(line, likely, positions, start=FLAT)
    learnt, nothing = (score_ranges(line, likely, chosen, hands) for chosen in (slopes, FLAT))
    assert np.allclose(nothing.loss, nothing.uniform_loss)
    assert learnt.loss.mean() < nothing.loss.mean()
    assert learnt.gain()[0] > 0
    assert shown_positions(line).shape[1] == 2
