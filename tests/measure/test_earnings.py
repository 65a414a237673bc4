"""Earnings of a population: fair to everyone in it, the same however it is played, and right where they are known."""

import numpy as np
import pytest

import nemesis
from nemesis.measure.earnings import earnings
from nemesis.respond.agent import CompiledAgent
from nemesis.respond.ashe import Ashe, Size
from nemesis.rules import games

GAME = games.no_limit()
SMALL = Size(2, 2, 2)


def seat(*who: str) -> list[CompiledAgent]:
    return [nemesis.agent(name, GAME) for name in who]  # type: ignore[misc]


def learner(seed: int) -> Ashe:
    return Ashe(GAME, SMALL, np.random.default_rng(seed).normal(0.0, 1.0, SMALL.genes), room=200)


@pytest.mark.parametrize("hands", [1, 7, 100])
def test_a_player_takes_a_blind_and_a_half_every_two_hands_from_one_who_folds(hands: int) -> None:
    """On the button it raises and gets the big blind, on the big blind it gets the small one: 750 mBB a hand."""
    won = earnings(GAME, seat("raise", "hm"), seat("fold"), 3, hands, seed=1)
    assert won.tolist() == [[[750.0] * 3]] * 2
    assert earnings(GAME, seat("fold"), seat("raise"), 1, hands, seed=1).item() == -750.0


def test_blinds_are_the_unit() -> None:
    """At 5/10 in stacks of 160 the same blind and a half are again 750 thousandths of a big blind a hand."""
    limit = games.limit()
    agents = [nemesis.agent(name, limit) for name in ("raise", "fold")]
    assert earnings(limit, agents[:1], agents[1:], 1, 10, seed=1).item() == 750.0  # type: ignore[arg-type]


def test_the_scared_limper_loses_a_big_blind_a_hand_to_one_who_always_raises() -> None:
    """It limps and folds to the raise, on the button and on the big blind."""
    assert earnings(GAME, seat("raise"), seat("sl"), 2, 50, seed=2).tolist() == [[[1000.0, 1000.0]]]


@pytest.mark.parametrize("name", ["random", "hm", "cm", "cs", "nl-la", "hp", "rg"])
def test_a_player_earns_nothing_from_itself(name: str) -> None:
    """Whatever it is dealt in one half it has against it in the other."""
    assert (earnings(GAME, seat(name), seat(name), 3, 60, seed=3) == 0).all()


def test_a_learner_earns_nothing_from_itself() -> None:
    """So its trees are empty at the start of both halves."""
    assert (earnings(GAME, [learner(1)], [learner(1)], 3, 60, seed=3) == 0).all()


def test_what_one_takes_the_other_loses() -> None:
    one, other = [learner(2), *seat("nl-ta")], [*seat("hm", "nl-lp"), learner(3)]
    taken, lost = (earnings(GAME, a, b, 2, 80, seed=4) for a, b in ((one, other), (other, one)))
    assert taken.shape == (2, 3, 2)
    assert (taken == -lost.transpose(1, 0, 2)).all()
    assert (taken != 0).any()


def test_everyone_gets_the_same_deals_whoever_else_is_measured() -> None:
    opponents = seat("cm", "nl-ta")
    together = earnings(GAME, [learner(1), learner(2), learner(1)], opponents, 2, 80, seed=5)
    assert (together[0] == together[2]).all()
    assert (together[0] != together[1]).any()
    assert (earnings(GAME, [learner(2)], opponents, 2, 80, seed=5)[0] == together[1]).all()
    assert (earnings(GAME, [learner(2)], opponents[1:], 1, 80, seed=5)[0, 0] == together[1, 1, :1]).all()


def test_a_stage_chooses_the_deals() -> None:
    first, again, other, elsewhere = (
        earnings(GAME, seat("cs"), seat("hm"), 2, 50, seed=seed, stage=stage)
        for seed, stage in ((6, 0), (6, 0), (6, 1), (7, 0))
    )
    assert (first == again).all()
    assert (first != other).all()
    assert (first != elsewhere).all()
    assert first[0, 0, 0] != first[0, 0, 1]


@pytest.mark.slow
def test_workers_do_not_matter() -> None:
    candidates = [learner(seed) for seed in range(5)]
    one, two = (earnings(GAME, candidates, seat("cs", "hm"), 2, 40, seed=8, workers=workers) for workers in (1, 2))
    assert (one == two).all()
    assert len(set(one[:, 0, 0])) > 1


@pytest.mark.parametrize(("matches", "hands"), [(0, 10), (1, 0)])
def test_measuring_nothing_is_refused(matches: int, hands: int) -> None:
    with pytest.raises(ValueError, match=f"{matches} matches of {hands} hands measure nothing; play at least 1 of 1"):
        earnings(GAME, seat("cm"), seat("hm"), matches, hands, seed=1)


def test_games_without_big_blinds_or_with_more_seats_are_refused() -> None:
    with pytest.raises(ValueError, match="measured heads-up; ring has 10 seats"):
        earnings(games.ring(), [], [], seed=1)
    with pytest.raises(ValueError, match="measured in big blinds; kuhn has none"):
        earnings(games.kuhn(), [], [], seed=1)
