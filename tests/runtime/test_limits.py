"""One range for every kind of number: what is outside is refused in a sentence, what is inside can be counted."""

import math

import numpy as np
import pytest

import nemesis
from nemesis.rules import games
from nemesis.rules.game import MAX_SEATS
from nemesis.runtime import limits
from nemesis.runtime.limits import MATCH_HANDS, MOST_CHIPS, SEED, STACK, TIME_LIMIT


def test_a_whole_number_in_its_range_is_accepted() -> None:
    for value in (1, MOST_CHIPS, np.int64(5)):
        STACK.check(value)
    SEED.check(0)


@pytest.mark.parametrize("value", [0, -1, MOST_CHIPS + 1, 10**400, 1.5, math.nan, math.inf, True, "10", None])
def test_anything_else_is_told_with_the_range(value: object) -> None:
    with pytest.raises(ValueError, match=r"a stack must be a whole number from 1 to 2,147,483,647, not .{1,20}$"):
        STACK.check(value)


@pytest.mark.parametrize("value", [-0.1, math.nan, math.inf, 1e300])
def test_a_time_is_a_number_of_seconds(value: float) -> None:
    TIME_LIMIT.check(0.5)
    with pytest.raises(ValueError, match=r"a time limit in seconds must be a number from 0 to 86,400, not "):
        TIME_LIMIT.check(value)


def test_the_largest_winnings_fit_64_bits() -> None:
    assert (MAX_SEATS - 1) * MOST_CHIPS * MATCH_HANDS.most < 2**63


def test_the_largest_stacks_are_won_and_lost_to_the_chip() -> None:
    """Three players, all in with everything they have at every turn: no sum turns negative."""
    game = games.no_limit().seated(3, MOST_CHIPS)
    result = nemesis.table(["raise", "call", "call"], game=game, hands=300, match_hands=10)
    per_hand = [score.mean / game.unit[1] for score in result.scores]
    assert sum(per_hand) == pytest.approx(0, abs=1)
    assert all(abs(chips) <= 2 * MOST_CHIPS for chips in per_hand)


def test_every_limit_is_a_range() -> None:
    found = [value for value in vars(limits).values() if isinstance(value, limits.Limit)]
    assert len(found) > 8
    assert all(limit.least < limit.most for limit in found)
