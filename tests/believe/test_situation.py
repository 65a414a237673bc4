"""What is faced becomes a row, and a choice keeps all of it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nemesis.believe.situation import (
    BET,
    FORCED,
    FREE,
    LAST_BET,
    SITUATIONS,
    STRENGTHS,
    choice_code,
    facing,
    mark_shown,
    shown_row,
    situation_row,
    strength_of,
    take_apart,
)

FOLD, CALL, RAISE = 0, 1, 2


def test_what_somebody_faces() -> None:
    assert facing(to_call=0, max_to=3) == FREE
    assert facing(to_call=1, max_to=3) == BET
    assert facing(to_call=1, max_to=0) == LAST_BET
    assert facing(to_call=0, max_to=0) == FORCED


def test_a_hand_of_strength_two_thirds_against_three() -> None:
    """(2/3)**3 is .296, the third tenth; the best possible hand is in the last."""
    assert strength_of(2 / 3, 3) == 2
    assert strength_of(2 / 3, 1) == 6
    assert strength_of(1.0, 5) == STRENGTHS - 1
    assert strength_of(0.0, 1) == 0


def test_every_situation_has_a_row_of_its_own() -> None:
    rows = {situation_row(s, f, p, n) for s in range(4) for f in range(3) for p in range(3) for n in (1, 2, 3)}
    assert rows == set(range(4 * SITUATIONS))
    assert situation_row(1, 0, 0, 9) == situation_row(1, 0, 0, 3)


@given(st.integers(0, 1), st.integers(0, 2), st.integers(0, 3), st.integers(0, 2), st.integers(1, 9), st.floats(0, 1))
def test_a_choice_can_be_taken_apart(
    first: int, action: int, street: int, faced: int, opponents: int, win: float
) -> None:
    choices = take_apart([mark_shown(choice_code(first, action, street, faced, opponents, win))])
    assert [int(part[0]) for part in choices[:6]] == [first, 1, action, street, faced, opponents]
    assert choices.win[0] == pytest.approx(win, abs=1e-5)
    assert bool(choices.informative[0]) == (faced != FREE or action != CALL)


def test_rows_of_choices_are_those_of_the_kernels() -> None:
    """Two hands heads-up with the eighth of ten cards (7/9): check, call; then bet, raise."""
    told = [(1, CALL, FREE), (0, CALL, BET), (1, RAISE, FREE), (0, RAISE, BET)]
    choices = take_apart([choice_code(first, action, 0, faced, 1, 7 / 9) for first, action, faced in told])
    expected = [situation_row(0, faced, previous, 1) for faced, previous in ((FREE, 0), (BET, 1), (FREE, 0), (BET, 2))]
    assert choices.situation_rows().tolist() == expected
    assert choices.shown_rows().tolist() == [shown_row(0, faced, 7) for faced in (FREE, BET, FREE, BET)]
    assert np.array_equal(choices.informative, [False, True, True, True])
