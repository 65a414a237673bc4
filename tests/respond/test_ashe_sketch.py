"""What the sketch says it knows is what its estimators answer."""

from collections.abc import Sequence

import numpy as np
import pytest

from nemesis.believe.lstm import Estimator
from nemesis.respond.ashe import COMPACT, Size
from nemesis.respond.ashe_sketch import FOLD_NAMES, LEAST, WIN_NAMES, reach, sketch
from nemesis.rules.game import STREETS

GENOME = sketch(COMPACT)
OFTEN, NEVER = 0.99, 0.5
"""The input that says how often a node was visited: many times, not once."""


def spot(names: Sequence[str], street: str, **said: float) -> list[float]:
    """Inputs of an estimator: a node seen often whose opponent folds a third of the time, and what is said besides."""
    known = {"visits": OFTEN, "folds": 0.3, "shows": 0.3, "shown": 0.5, "strength": 0.5, street: 1.0, **said}
    return [known.get(name, 0.0) for name in names]


def win(street: str, *, before: Sequence[list[float]] = (), size: Size = COMPACT, **said: float) -> float:
    estimator = Estimator(size.win, sketch(size)[: size.win.genes])
    for heard in before:
        estimator.listen(heard)
    return estimator.estimate(spot(WIN_NAMES, street, **said))


def met(folds: float) -> list[float]:
    """The first decision of a hand against somebody who folds so often."""
    return spot(WIN_NAMES, "preflop", folds=folds)


def test_a_strong_hand_wins_and_on_the_river_more_than_before() -> None:
    rates = [[win(street, strength=strength) for strength in (0.1, 0.5, 0.9)] for street in STREETS]
    assert all(weak < even < strong for weak, even, strong in rates)
    assert np.all(np.diff([strong - weak for weak, _, strong in rates]) > 0)


def test_who_has_shown_strong_hands_is_beaten_less_often() -> None:
    assert win("river", strength=0.8, shown=0.9) < 0.5 < win("river", strength=0.8, shown=0.5)


def test_where_nobody_has_been_it_remembers_what_was_shown_on_the_way() -> None:
    fresh = {"visits": NEVER, "shown": 0.85, "strength": 0.7}
    after = [win("river", before=[spot(WIN_NAMES, "turn", shown=shown)], **fresh) for shown in (0.4, 0.85)]
    assert after[0] > after[1] + 0.1


def test_against_somebody_who_never_folds_it_waits_for_the_river() -> None:
    """A raise of a tenth of the stack is worth less than a call before the river, and no less on it."""
    for street in STREETS:
        call, raised = (win(street, before=[met(0.0)], folds=0.0, own=own, theirs=0.02) for own in (0.02, 0.12))
        assert (call > raised + 0.3) == (street != "river")


def test_it_is_wary_of_large_pots_with_somebody_who_folds() -> None:
    for folds, wary in ((0.0, False), (0.6, True)):
        small, large = (win("river", before=[met(folds)], own=own, theirs=own) for own in (0.02, 0.8))
        assert (small > large + 0.2) == wary


def test_who_folded_here_will_fold_again() -> None:
    estimator = Estimator(COMPACT.fold, GENOME[COMPACT.win.genes :])
    rates = [estimator.estimate(spot(FOLD_NAMES, "flop", folds=folds)) for folds in (0.0, 0.3, 0.6, 1.0)]
    assert rates == sorted(rates)
    assert rates[0] < 0.15
    assert rates[-1] > 0.7


def test_a_larger_size_says_the_same() -> None:
    for strength in (0.2, 0.7):
        for before in ((), (met(0.0),), (met(0.6),)):
            said = {"strength": strength, "own": 0.3, "theirs": 0.1}
            other = win("turn", before=before, size=Size(16, 4, 16), **said)
            assert other == pytest.approx(win("turn", before=before, **said), abs=1e-5)


def test_what_is_drawn_moves_further_than_what_is_not() -> None:
    steps = reach(GENOME)
    assert steps[GENOME != 0].min() > 5 * steps[GENOME == 0].max() > 0


def test_a_size_without_room_is_refused() -> None:
    sketch(LEAST)
    with pytest.raises(ValueError, match=r"4 blocks x 2 cells and 8 hidden nodes has no room .* at least 5 x 2 and 7"):
        sketch(Size(4, 2, 8))
