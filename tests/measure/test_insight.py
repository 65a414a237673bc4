"""Looking into a player's head changes nothing it does, and shows the sums its decision came from."""

import math
from pathlib import Path

import numpy as np
import pytest

import nemesis
from nemesis.measure.insight import Explanation, look_inside
from nemesis.play.match import play_lineups
from nemesis.respond.ashe import COMPACT, Ashe

GAME = nemesis.game("no-limit")


def some_ashe(seed: int = 4) -> Ashe:
    return Ashe(GAME, COMPACT, np.random.default_rng(seed).normal(0.0, 1.0, COMPACT.genes))


def test_a_match_looked_into_is_the_same_match() -> None:
    opponent = nemesis.agent("nl-lp", GAME)
    brought: list[int] = []
    rate = look_inside(
        GAME, some_ashe(), opponent, 200, seed=6, on_hand_end=lambda hand, payoff: brought.append(payoff)
    )
    played = play_lineups(GAME, [some_ashe(), opponent], np.array([[0, 1]]), np.array([0]), hands=200, seed=6)
    assert len(brought) == 200
    assert sum(brought) == played.won[0, 0]
    assert rate == pytest.approx(sum(brought) * 1000 / (100 * 200))


def test_what_is_told_is_the_published_sum_and_the_largest_is_taken() -> None:
    explained: list[Explanation] = []
    look_inside(GAME, some_ashe(), nemesis.agent("nl-la", GAME), 60, seed=1, on_decision=explained.append)
    assert {decision.street for decision in explained} >= {0, 1}
    for decision in explained:
        best = max(decision.thoughts, key=lambda thought: thought.utility)
        assert decision.chosen == best.action
        for thought in decision.thoughts:
            assert thought.action != ("call" if decision.to_call == 0 else "check")
            if thought.action not in ("fold", "check", "call"):
                assert 0.0 < thought.win < 1.0
                assert 0.0 < thought.fold < 1.0
        fold, call = decision.thoughts[:2]
        own = -fold.utility
        theirs = decision.pot - own
        assert call.utility == pytest.approx((2 * call.win - 1) * theirs)
        assert math.isnan(fold.win)


def test_the_trees_know_every_hand_afterwards() -> None:
    player = some_ashe()
    look_inside(GAME, player, nemesis.agent("sl", GAME), 100, seed=2)
    trees = player.trees()
    assert trees.in_all().visits == 100
    assert [line.visits for line in trees.lines() if not line.actions] == [50, 50]


def test_a_player_without_trees_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="keeps no trees"):
        look_inside(GAME, nemesis.agent("hp", GAME), nemesis.agent("cm", GAME), 10, seed=0)


def test_a_raise_is_answered_with_a_fold_or_not() -> None:
    answers: list[tuple[Explanation, bool]] = []
    for name in ("sl", "cm"):
        look_inside(
            GAME, some_ashe(), nemesis.agent(name, GAME), 100, seed=3, on_answer=lambda *answer: answers.append(answer)
        )
        assert all(decision.choice.action not in ("fold", "call") for decision, _ in answers)
        assert all(decision.choice.utility == max(t.utility for t in decision.thoughts) for decision, _ in answers)
        assert answers
        assert {folded for _, folded in answers} == {name == "sl"}
        answers.clear()
