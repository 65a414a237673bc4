"""Stretches of a match add up to the match, whoever plays."""

import numpy as np
import pytest

import nemesis
from nemesis.measure.adaptation import earnings_by_stretch
from nemesis.play.match import play_lineups
from nemesis.runtime.streams import Stream, derived_seed

GAME = nemesis.game("no-limit")


def test_the_stretches_of_a_match_add_up_to_the_match() -> None:
    ends = (7, 130, 300)
    first, second = nemesis.agent("nl-la", GAME), nemesis.agent("hp", GAME)
    rates = earnings_by_stretch(GAME, first, second, ends, 3, seed=3)
    seats, numbers = np.tile([[0, 1], [1, 0]], (3, 1)), np.repeat(np.arange(3), 2)
    played = play_lineups(GAME, [first, second], seats, numbers, hands=300, seed=derived_seed(3, Stream.STRETCHES))
    chips = rates @ np.diff([0, *ends]) * 2 * GAME.big_blind / 1000
    assert chips == pytest.approx(played.won[0::2, 0] + played.won[1::2, 1])


def test_workers_change_nothing() -> None:
    agents = nemesis.agent("rg", GAME), nemesis.agent("nl-lp", GAME)
    one, two = (earnings_by_stretch(GAME, *agents, (50, 100), 4, seed=1, workers=workers) for workers in (1, 2))
    assert (one == two).all()


def test_the_calling_machine_never_adapts_and_a_match_longer_than_the_bank_is_dealt_on() -> None:
    rates = earnings_by_stretch(GAME, nemesis.agent("call", GAME), nemesis.agent("fold", GAME), (1100, 2200), 1, seed=2)
    assert rates.shape == (1, 2)
    assert (rates > 0).all()


def test_no_matches_measure_nothing() -> None:
    with pytest.raises(ValueError, match="0 matches measure nothing"):
        earnings_by_stretch(GAME, nemesis.agent("cm", GAME), nemesis.agent("hm", GAME), (10,), 0, seed=0)


@pytest.mark.parametrize("ends", [(), (0, 5), (10, 10), (20, 10)])
def test_stretches_that_cannot_be_are_refused(ends: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="growing numbers from 1 on"):
        earnings_by_stretch(GAME, nemesis.agent("cm", GAME), nemesis.agent("hm", GAME), ends, 1, seed=0)
