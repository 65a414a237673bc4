import dataclasses
import os
import signal
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import nemesis
from nemesis.measure.contest import Precision, measure_table
from nemesis.play.by_name import player
from nemesis.play.table import default_match_hands
from nemesis.respond.agent import Agent
from nemesis.rules import games


def same(a: nemesis.measure.result.Result, b: nemesis.measure.result.Result) -> bool:  # type: ignore[name-defined]
    return dataclasses.replace(a, seconds=0) == dataclasses.replace(b, seconds=0)


def test_a_duel_is_zero_sum_and_repeatable() -> None:
    first = nemesis.duel("la", "tp", game="limit", hands=10_000, seed=3)
    assert first.scores[0].mean == pytest.approx(-first.scores[1].mean)
    assert first.hands == 10_000
    assert first.unit == "mBB/hand"
    assert same(first, nemesis.duel("la", "tp", game="limit", hands=10_000, seed=3))
    assert not same(first, nemesis.duel("la", "tp", game="limit", hands=10_000, seed=4))


def test_swapping_the_names_swaps_the_scores() -> None:
    one = nemesis.duel("la", "tp", game="no-limit", hands=4000)
    other = nemesis.duel("tp", "la", game="no-limit", hands=4000)
    assert one.scores[0].mean == pytest.approx(other.scores[1].mean)


def test_an_agent_against_itself_is_exactly_even() -> None:
    assert nemesis.duel("ta", "ta", game="no-limit", hands=2000).scores[0].mean == 0


def test_folding_every_hand_loses_the_blinds() -> None:
    """Heads-up 50/100, against a player who always raises: half a big blind, then one, in turn: 750 mBB a hand."""
    result = nemesis.duel("fold", "raise", game="no-limit", hands=1000)
    assert result.scores[0].mean == -750
    assert result.scores[0].ci95 == (-750, -750)


def test_a_table_has_every_rotation_on_the_same_deals() -> None:
    result = nemesis.table(["la", "tp", "call"], game="no-limit", hands=3000)
    assert sum(score.mean for score in result.scores) == pytest.approx(0, abs=1e-6)
    assert result.players == ("la", "tp", "call")
    assert nemesis.table(["call", "call", "call"], game="limit", hands=900).scores[0].mean == pytest.approx(0)


def test_workers_one_equals_workers_two() -> None:
    alone = nemesis.duel("la", "random", game="limit", hands=900_000, seed=5, workers=1)
    assert same(alone, nemesis.duel("la", "random", game="limit", hands=900_000, seed=5, workers=2))


class Fragile(Agent):
    """Kills its own worker process once, in the middle of a block."""

    name = "fragile"
    facts = ()

    def __init__(self, mark: str, parent: int) -> None:
        self.mark, self.parent = mark, parent

    def act(self, view: object) -> int:
        if os.getpid() != self.parent and not Path(self.mark).exists():
            Path(self.mark).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return 1


def test_a_killed_workers_block_is_played_again(tmp_path: Path) -> None:
    fragile = Fragile(str(tmp_path / "killed"), os.getpid())
    survived = nemesis.duel(fragile, "la", game="limit", hands=40_000, workers=2)
    assert (tmp_path / "killed").exists()
    assert same(survived, nemesis.duel(fragile, "la", game="limit", hands=40_000, workers=1))


def test_precision_plays_on_until_the_interval_is_narrow() -> None:
    wide = nemesis.duel("la", "random", game="limit", hands=2000)
    narrow = nemesis.duel("la", "random", game="limit", hands=2000, precision="2%")
    score = narrow.scores[0]
    assert wide.scores[0].margin > 0.02 * abs(wide.scores[0].mean)
    assert score.margin <= 0.02 * abs(score.mean)
    assert narrow.hands > wide.hands


def test_precision_stops_at_the_most_hands() -> None:
    players = [player("la"), player("random")]
    result = measure_table(players, games.limit(), 1000, precision=Precision(margin=1e-9), most_hands=8000)
    assert result.hands <= 8000


@pytest.mark.parametrize("text", ["", "%", "five", "-3%", "0", "nan"])
def test_a_precision_is_a_share_or_a_margin(text: str) -> None:
    with pytest.raises(ValueError, match="not a precision"):
        Precision.parse(text)


def test_few_hands_still_make_enough_rounds() -> None:
    assert default_match_hands(games.no_limit(), 10_000) == 250
    assert default_match_hands(games.no_limit(), 1_000_000) == 1000
    assert default_match_hands(games.no_limit(), 1) == 1


def test_no_hands_cannot_be_played() -> None:
    with pytest.raises(ValueError, match=r"hands must be a whole number from 1 to .*, not 0"):
        nemesis.duel("la", "tp", hands=0)


def test_intervals_cover_the_truth() -> None:
    """Call v random, 200 short duels: the long run mean lies in about 95 % of the intervals."""
    truth = nemesis.duel("call", "random", game="limit", hands=1_000_000, seed=999).scores[0].mean
    inside = 0
    for seed in range(200):
        low, high = nemesis.duel("call", "random", game="limit", hands=2000, seed=seed).scores[0].ci95
        inside += low <= truth <= high
    assert 180 <= inside <= 199


def test_user_agents_can_be_passed_as_objects() -> None:
    class Stubborn(Agent):
        facts = ()

        def act(self, view: object) -> int:
            return np.int64(1)  # type: ignore[return-value]

    mine = nemesis.duel(Stubborn(), "la", game="limit", hands=500)
    assert mine.scores[0].mean == nemesis.duel("call", "la", game="limit", hands=500).scores[0].mean
    assert partial(nemesis.agent, "la")
