import dataclasses

import pytest

import nemesis


def test_shares_sum_to_one() -> None:
    result = nemesis.tournament(["la", "lp", "ta", "tp"], game="one-card", tournaments=1000)
    assert sum(score.mean for score in result.scores) == pytest.approx(1)
    assert all(low <= score.mean <= high for score in result.scores for low, high in [score.ci95])


def test_a_player_who_only_folds_loses_every_tournament() -> None:
    result = nemesis.tournament(["raise", "fold"], game="one-card", tournaments=500)
    assert result.scores[0].mean == 1
    assert result.scores[0].ci95[0] > 0.98


def test_equal_players_share_evenly() -> None:
    result = nemesis.tournament(["call"] * 4, game="one-card", tournaments=20_000)
    assert all(score.ci95[0] - 0.01 < 0.25 < score.ci95[1] + 0.01 for score in result.scores)


def test_hold_em_freeze_outs_end() -> None:
    result = nemesis.tournament(["random", "random", "random"], game="no-limit", tournaments=50, stack=1000)
    assert result.note == ""
    assert sum(score.mean for score in result.scores) == pytest.approx(1)


def test_an_undecided_tournament_is_shared_by_chips() -> None:
    result = nemesis.tournament(["call", "call"], game="one-card", tournaments=100, most_hands=2)
    assert "undecided" in result.note


def test_workers_do_not_matter() -> None:
    one = nemesis.tournament(["la", "tp"], tournaments=3000, workers=1)
    two = nemesis.tournament(["la", "tp"], tournaments=3000, workers=2)
    assert dataclasses.replace(one, seconds=0) == dataclasses.replace(two, seconds=0)
