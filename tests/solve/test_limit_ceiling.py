"""Ceilings at limit hold'em: the betting tree, opponents as tables, and best responses that earn what they promise."""

from dataclasses import replace

import numpy as np
import pytest

import nemesis
from nemesis.measure.chips import chips_won
from nemesis.measure.interval import mean_interval
from nemesis.observe.view import View, new_view
from nemesis.respond.by_name import compiled_agent
from nemesis.rules import games
from nemesis.solve.limit_ceiling import GRAIN, LimitCeiling, betting, limit_ceiling, table_of

FOLD, CALL, RAISE = 0, 1, 2
GAME = games.limit()


def node(history: str) -> int:
    return betting(GAME).histories.index(history)


def test_the_betting_has_seven_ways_to_the_flop_and_nine_through_every_street() -> None:
    tree = betting(GAME)
    reached = [sum(text.count("/") == street and text.endswith("/") for text in tree.histories) for street in (1, 2, 3)]
    assert reached == [7, 7 * 9, 7 * 9 * 9]
    shown_down = sum(
        actor == -1 and not text.endswith("f") for text, actor in zip(tree.histories, tree.actor, strict=True)
    )
    assert shown_down == 7 * 9**3


def test_a_style_is_asked_at_its_thresholds() -> None:
    """TA folds below .5, calls to .6 and raises from there on; a fold that costs nothing is a check."""
    table = table_of(compiled_agent("ta", GAME), GAME)
    facing = table[node("r")].argmax(axis=1)
    assert facing.tolist() == [FOLD] * 50 + [CALL] * 10 + [RAISE] * 40
    free = table[node("cc/")].argmax(axis=1)
    assert free.tolist() == [CALL] * 60 + [RAISE] * 40


def test_a_bluffer_is_asked_with_many_chances() -> None:
    table = table_of(compiled_agent("tp+bet=0.25", GAME), GAME)
    assert table[node("r")][10].tolist() == [0.75, 0, 0.25]
    assert table.shape == (len(betting(GAME).actor), GRAIN, 3)


@pytest.fixture(scope="module")
def against_fold() -> LimitCeiling:
    return limit_ceiling(compiled_agent("fold", GAME), GAME, buckets=30, deals=2_000, fresh=2_000)


def test_one_who_folds_to_every_bet_loses_its_blinds(against_fold: LimitCeiling) -> None:
    """Against `fold`, betting at once takes 5 from the small blind's seat and 10 from the big blind's."""
    found = against_fold
    assert found.value == pytest.approx(7.5)
    assert found.found == pytest.approx(7.5)


def test_against_one_who_calls_the_answer_raises_good_hands_and_never_folds_them() -> None:
    """`call` never tells anything: with .8 or more on the river every raise gains, with .2 it loses."""
    found = limit_ceiling(compiled_agent("call", GAME), GAME, buckets=10, deals=20_000, fresh=20_000)
    river = node("cc/cc/cc/")
    assert found.choices[river, 8:].tolist() == [RAISE, RAISE]
    assert found.choices[river, :2].tolist() == [CALL, CALL]


def test_played_it_earns_what_was_worked_out() -> None:
    """The value is worked out on fresh deals, not on those the answer was found on; play must agree with it."""
    opponent = compiled_agent("tp", GAME)
    found = limit_ceiling(opponent, GAME, buckets=10, deals=20_000, fresh=40_000)
    played, (low, high) = mean_interval(chips_won(GAME, [found.player()], [[opponent]], 150, 300, seed=5)[0, 0] / 300)
    margin = (high - low) / 2 + (found.ci95[1] - found.ci95[0]) / 2
    assert abs(played - found.value) < 1.5 * margin
    assert found.value > 4.0


def test_a_frozen_copy_of_a_hypercube_has_a_ceiling_that_play_earns() -> None:
    """Its candidates mix: asked with a hundred random numbers at every decision, what they do is its table."""
    frozen = compiled_agent("hypercube-a:learning=0,by_seat=1", GAME)
    found = limit_ceiling(frozen, GAME, buckets=10, deals=20_000, fresh=40_000)
    played, (low, high) = mean_interval(chips_won(GAME, [found.player()], [[frozen]], 150, 300, seed=5)[0, 0] / 300)
    margin = (high - low) / 2 + (found.ci95[1] - found.ci95[0]) / 2
    assert abs(played - found.value) < 1.5 * margin
    assert found.value > 5.0
    with pytest.raises(ValueError, match="must act on its win probability"):
        table_of(compiled_agent("hypercube-a", GAME), GAME)


def test_who_remembers_has_no_ceiling_here() -> None:
    for name, why in (("tp+bluff=0.5", "remembers"), ("la-to-tp@75", "counts the hands"), ("analysis", "alone")):
        with pytest.raises(ValueError, match=why):
            table_of(compiled_agent(name, GAME), GAME)
    with pytest.raises(ValueError, match="heads-up limit hold'em for chips, not ring"):
        betting(games.ring())
    with pytest.raises(ValueError, match="1 to 1000 buckets, not 0"):
        limit_ceiling(compiled_agent("tp", GAME), GAME, buckets=0)
    with pytest.raises(ValueError, match="as counter-la"):
        nemesis.agent("counter-la", games.one_card())


def test_choices_survive_their_packing(against_fold: LimitCeiling) -> None:
    """What the agent plays is what the table says, in every bucket of a node."""
    choices = against_fold.choices.copy()
    choices[node("")] = np.arange(30) % 3
    agent = replace(against_fold, choices=choices).player()
    chosen = []
    for bucket in range(30):
        view = new_view()
        view["win"] = (bucket + 0.5) / 30
        chosen.append(agent.act(View(view)))
    assert chosen == (np.arange(30) % 3).tolist()
