import numpy as np
import pytest

import nemesis
from nemesis.measure.fitness import tournament_shares
from nemesis.rules import games

GAME = games.one_card()


def seat(*who: str) -> list:  # type: ignore[type-arg]
    return [nemesis.agent(name, GAME) for name in who]


def test_equal_candidates_get_equal_fitness() -> None:
    """Common random numbers: the same player twice in a population meets the same luck."""
    shares = tournament_shares(GAME, seat("la", "tp", "la"), [seat("ta"), seat("lp")], 60, seed=1).won
    assert shares.shape == (3, 2)
    assert shares[0].tolist() == shares[2].tolist()
    assert shares[0].tolist() != shares[1].tolist()


def test_another_generation_meets_other_deals() -> None:
    first, again, other = (
        tournament_shares(GAME, seat("la", "lp", "call"), [seat("tp"), seat("ta")], 100, seed=1, stage=stage).won
        for stage in (0, 0, 1)
    )
    assert first.tolist() == again.tolist() != other.tolist()


def test_fitness_is_the_share_that_tournaments_give() -> None:
    """Against an even opponent every seat and deal is fair: a player against itself wins half."""
    share = tournament_shares(GAME, seat("ta"), [seat("ta")], 4000, seed=2).won[0, 0]
    assert abs(share - 0.5) < 4 * np.sqrt(0.25 / 4000)


def test_hands_won_are_those_that_brought_chips() -> None:
    """One who always bets takes every hand from one who folds to a bet, all but those that antes put all in."""
    shares = tournament_shares(GAME, seat("raise"), [seat("fold")], 40, seed=1, whole=True)
    assert 0.9 < shares.hands[0, 0] < 1.0
    assert shares.won[0, 0] > 0.9
    even = tournament_shares(GAME, seat("call"), [seat("call")], 400, seed=1, whole=True).hands[0, 0]
    assert even == pytest.approx(0.5, abs=0.02)


def test_leaving_when_the_candidate_is_out_changes_no_share() -> None:
    candidates, tables = seat("la", "tp", "call"), [seat("ta", "lp", "la"), seat("tp", "tp", "tp")]
    left, whole = (tournament_shares(GAME, candidates, tables, 60, seed=3, whole=whole) for whole in (False, True))
    assert left.won.tolist() == whole.won.tolist()
    assert (left.hands >= whole.hands).all()


def test_workers_do_not_matter() -> None:
    one, two = (
        tournament_shares(GAME, seat("la", "tp"), [seat("ta", "lp", "la")], 60, seed=3, workers=w).won for w in (1, 2)
    )
    assert one.tolist() == two.tolist()


def test_tables_must_have_the_same_number_of_seats() -> None:
    with pytest.raises(ValueError, match="cannot be mixed"):
        tournament_shares(GAME, seat("la"), [seat("tp"), seat("tp", "ta")], 10, seed=1)
