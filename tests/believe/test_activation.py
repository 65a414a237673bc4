"""The fast activations keep their promised distance from the exact ones over the whole range of single precision."""

from collections.abc import Callable

import numpy as np
import pytest

from nemesis.believe.activation import SIGMOID_ERROR, TANH_ERROR, sigmoid, sigmoid_all, tanh, tanh_all
from nemesis.runtime.compiled import COMPILING

INFINITY = 0x7F800000
"""The bits of positive infinity: every number below is a finite one, in order."""


def sweep() -> np.ndarray:
    """Single-precision numbers from 0 over the smallest and the largest to infinity, evenly by their bits, and dense
    where the functions bend."""
    bits = np.arange(0, INFINITY + 1, 2999 if COMPILING else 2999_999, dtype=np.uint32)
    bent = np.linspace(0, 25, 400_001 if COMPILING else 2001, dtype=np.float32)
    ends = np.array([1e30, np.finfo(np.float32).max, np.inf], np.float32)
    return np.sort(np.concatenate([bits.view(np.float32), bent, ends]))


def fast(all_of_them: Callable[[np.ndarray], None], values: np.ndarray) -> np.ndarray:
    found = values.copy()
    all_of_them(found)
    return found.astype(np.float64)


def test_errors_stay_below_their_bounds() -> None:
    x = sweep()
    exact = x.astype(np.float64)
    assert np.abs(fast(tanh_all, x) - np.tanh(exact)).max() < TANH_ERROR
    for sign in (1, -1):
        truth = 0.5 + 0.5 * np.tanh(sign * exact / 2)
        assert np.abs(fast(sigmoid_all, np.float32(sign) * x) - truth).max() < SIGMOID_ERROR


def test_the_bounds_are_not_idle() -> None:
    """A bound twice as small would be wrong, so the test above looks where the error is."""
    x = sweep()
    assert np.abs(fast(tanh_all, x) - np.tanh(x.astype(np.float64))).max() > TANH_ERROR / 2


def test_the_tangent_is_odd_bit_for_bit() -> None:
    x = sweep()
    assert (fast(tanh_all, -x) == -fast(tanh_all, x)).all()


def test_they_never_fall_by_more_than_rounding() -> None:
    x = sweep()
    both = np.concatenate([-x[::-1], x])
    for activation in (tanh_all, sigmoid_all):
        found = fast(activation, both)
        assert np.diff(found).min() > -6e-7
        assert found[-1] > found[0] + 0.9


def test_they_stay_within_their_range_at_the_ends() -> None:
    """Neither leaves ±1 or 0 … 1, so a rate is always a rate; infinity is only very large."""
    ends = np.array([-np.inf, -1e30, -100, 100, 1e30, np.inf], np.float32)
    for activation, low, high in ((tanh_all, -1.0, 1.0), (sigmoid_all, 0.0, 1.0)):
        found = fast(activation, ends)
        assert np.isfinite(found).all()
        assert (found >= low).all()
        assert (found <= high).all()
        assert (found[:3] == found[0]).all()
        assert (found[3:] == found[3]).all()


def test_a_whole_array_is_what_single_numbers_are() -> None:
    values = np.linspace(-8, 8, 101, dtype=np.float32)
    assert fast(tanh_all, values).tolist() == [float(tanh(value)) for value in values]
    assert fast(sigmoid_all, values).tolist() == [float(sigmoid(value)) for value in values]
    assert tanh(np.float32(0)) == 0
    assert sigmoid(np.float32(0)) == 0.5


@pytest.mark.parametrize(("x", "value"), [(0.5, 0.46211716), (1.0, 0.76159416), (-2.0, -0.96402758), (4.0, 0.99932930)])
def test_values_from_a_table(x: float, value: float) -> None:
    assert tanh(np.float32(x)) == pytest.approx(value, abs=TANH_ERROR)
