"""Numbers by counter: SplitMix64, and as many independent dice from one number as a decision asks for."""

import numpy as np
import pytest
from scipy.stats import chi2_contingency, chisquare

from nemesis.runtime.chance import another, below, folded, nth, uniform

UNLIKELY = 1e-6
DRAWS = [uniform(np.uint64(nth(99, number))) for number in range(40_000)]
GRID = [(i + 0.5) / 40_000 for i in range(40_000)]


def test_the_published_numbers_of_splitmix64() -> None:
    """The first five outputs from the state 1234567, as the reference implementation prints them."""
    assert [int(nth(1234567, number)) for number in range(1, 6)] == [
        6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821,
    ]  # fmt: skip


def test_folding_scrambles_as_drawing_does() -> None:
    """A key folded from one number is the next draw after it; folding many gives what folding each gives."""
    assert np.uint64(folded(1234567)[0]) == nth(1234567, 1)
    many = folded(-3, np.arange(5), 7)
    assert many.tolist() == [int(folded(-3, number, 7)[0]) for number in range(5)]


@pytest.mark.parametrize("count", [2, 3, 10, 52, 300])
def test_a_whole_number_below_another_has_equal_shares_and_reaches_all(count: int) -> None:
    """Value v begins at exactly the first of the 2 ** 32 draws that is at least v / count of them."""
    for value in range(count):
        first = -(-(value << 32) // count)
        assert below(np.uint64(first << 32), count) == value
        if value:
            assert below(np.uint64((first << 32) - 1), count) == value - 1
    assert below(np.uint64((1 << 64) - 1), count) == count - 1


@pytest.mark.parametrize("given", [DRAWS, GRID], ids=["drawn", "even"])
@pytest.mark.parametrize(("first", "second"), [(0, 1), (0, 2), (1, 2), (3, 9)])
def test_dice_of_one_decision_are_uniform_and_independent(given: list[float], first: int, second: int) -> None:
    """Die 0 is the number given. Twelve by twelve boxes: each die even, and the joint table without a pattern."""
    dice = [[u if die == 0 else another(u, die) for u in given] for die in (first, second)]
    boxes = [np.floor(12 * np.array(die)).astype(int) for die in dice]
    assert all(box.min() >= 0 and box.max() < 12 for box in boxes)
    joint = np.zeros((12, 12))
    np.add.at(joint, tuple(boxes), 1)
    for die, box in zip((first, second), boxes, strict=True):
        if die > 0:
            assert chisquare(np.bincount(box)).pvalue > UNLIKELY
    assert chi2_contingency(joint).pvalue > UNLIKELY
