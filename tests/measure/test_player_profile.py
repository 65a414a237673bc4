"""A profile tells what is sure, with its hands, and not what chance makes."""

import numpy as np
import pytest

from nemesis.measure.player_numbers import NUMBERS, Prior, Share
from nemesis.measure.player_profile import above, discoveries


def test_of_findings_by_chance_few_are_told() -> None:
    """A hundred uniform chances of being wrong, as when nothing deviates: in most tries nothing is told."""
    chance = np.random.default_rng(1)
    told = [discoveries(chance.uniform(size=100)).any() for _ in range(400)]
    assert np.mean(told) < 0.09


def test_the_rule_of_benjamini_and_hochberg() -> None:
    """Ordered chances are told up to the last that is below its place's share: .02 is, though .013 is above its own."""
    assert discoveries([0.02, 0.9, 0.0124, 0.02], 0.05).tolist() == [True, False, True, True]
    assert not discoveries([0.03, 0.04, 0.9, 0.8], 0.05).any()
    assert not discoveries([]).any()


def test_above_is_the_posterior_weight_beyond_the_population() -> None:
    prior = Prior(10.0, 30.0)
    share = Share(NUMBERS[0], 0.0, 0, 0.25, (0.0, 1.0), 0.25)
    assert above(share, prior) == pytest.approx(0.48, abs=0.02)
    often = Share(NUMBERS[0], 60.0, 100, 0.5, (0.0, 1.0), 0.25)
    assert above(often, prior) > 0.999
