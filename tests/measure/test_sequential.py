"""Intervals that hold at every look: what they cover, and what an ordinary interval would."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from nemesis.measure.interval import mean_interval
from nemesis.measure.sequential import FEWEST, sequential_interval

Look = Callable[[NDArray[np.float64]], tuple[float, tuple[float, float]]]


def misses(interval: Look, runs: int = 300) -> float:
    """How often zero, the truth, is outside at any of many looks at heavy-tailed units."""
    dice = np.random.default_rng(5)
    wrong = 0
    for _ in range(runs):
        units = dice.standard_t(4, size=2000) + dice.choice([-3.0, 3.0], 2000)
        looks = (interval(units[:count]) for count in range(FEWEST, 2001, 20))
        wrong += any(low > 0 or high < 0 for _, (low, high) in looks)
    return wrong / runs


def test_it_holds_at_every_look_and_an_ordinary_interval_does_not() -> None:
    assert misses(sequential_interval) <= 0.05
    assert misses(mean_interval) > 0.2


def test_it_finds_what_is_there() -> None:
    units = np.random.default_rng(6).normal(0.5, 1.0, 400)
    mean, (low, high) = sequential_interval(units)
    assert 0 < low < mean < high
    assert high - low < 2 * (mean_interval(units)[1][1] - mean_interval(units)[1][0])


def test_few_units_say_nothing() -> None:
    assert sequential_interval(np.ones(FEWEST - 1))[1] == (-np.inf, np.inf)
    with pytest.raises(ValueError, match="no matches were played"):
        sequential_interval(np.zeros(0))
