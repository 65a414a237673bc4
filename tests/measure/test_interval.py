import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nemesis.measure.interval import jackknife_interval, mean_interval, share_interval


def test_students_interval_of_a_worked_example() -> None:
    """1..5: mean 3, s = 1.5811, t(4, .975) = 2.7764, margin 1.9632."""
    mean, (low, high) = mean_interval([1, 2, 3, 4, 5])
    assert mean == 3
    assert (low, high) == pytest.approx((3 - 1.96324, 3 + 1.96324), abs=1e-4)


def test_one_match_says_nothing_about_its_error() -> None:
    assert mean_interval([4.0]) == (4.0, (-math.inf, math.inf))


def test_wilsons_interval_of_a_worked_example() -> None:
    """9 of 10: 0.5958 … 0.9821 (Wilson 1927, as tabulated widely)."""
    share, (low, high) = share_interval(9, 10)
    assert share == 0.9
    assert (low, high) == pytest.approx((0.5958, 0.9821), abs=1e-4)


@given(st.integers(1, 10_000), st.floats(0, 1))
def test_a_share_lies_in_its_interval_and_that_in_the_unit_interval(trials: int, part: float) -> None:
    share, (low, high) = share_interval(part * trials, trials)
    assert 0 <= low <= share <= high <= 1


def test_no_matches_have_no_mean() -> None:
    with pytest.raises(ValueError, match="no matches"):
        mean_interval(np.zeros(0))
    with pytest.raises(ValueError, match="make no share"):
        share_interval(3, 2)


def test_leaving_one_out_gives_students_interval_of_a_mean_and_serves_where_there_is_none() -> None:
    units = np.array([1.0, 2, 3, 4, 5])
    mean, ends = jackknife_interval(units, float)
    assert mean == 3
    assert ends == pytest.approx((3 - 1.96324, 3 + 1.96324), abs=1e-4)
    pairs = np.random.default_rng(0).normal(size=(400, 2)) + 10
    ratio, (low, high) = jackknife_interval(pairs, lambda mean: mean[0] / mean[1])
    assert low < 1.0 < high
    assert low < ratio < high
    with pytest.raises(ValueError, match="at least 2 units, not 1"):
        jackknife_interval(units[:1], float)
