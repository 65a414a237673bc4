"""Luck taken out: the mean stays, the spread shrinks, and an all-in is worth its equity."""

import numpy as np
import pytest

import nemesis
from nemesis.measure.interval import mean_interval
from nemesis.play.averaged_terms import average_terms
from nemesis.play.luck import KINDS, Kind, known_positions, luck, terms, value_function
from nemesis.play.luck_terms import FEATURES
from nemesis.play.match import play_lineups
from nemesis.rules.equity import equity

NO_LIMIT = nemesis.game("no-limit")
PAIRS = [("nl-ta", "hp"), ("cs", "nl-la"), ("rg", "cm"), ("hm", "nl-lp"), ("rg", "hp")]
KNOWN = ["hp", "nl-la", "random", "call", "equilibrium"]


@pytest.mark.parametrize("pair", PAIRS, ids=" v ".join)
def test_the_mean_stays_and_the_spread_shrinks(pair: tuple[str, str]) -> None:
    """What the cards brought has mean 0 within three and a half standard errors, on 30 000 hands a pair."""
    agents = [nemesis.agent(name, NO_LIMIT) for name in pair]
    tape = play_lineups(NO_LIMIT, agents, np.array([[0, 1]] * 30), np.arange(30), hands=1000, seed=11, taping=True).tape
    assert tape is not None
    won = tape.hands["payoffs"][:, 0].astype(float)
    for kind in KINDS:
        brought = luck(tape, 11, kind)
        assert abs(brought.mean()) <= 3.5 * brought.std() / np.sqrt(len(brought))
        assert (won - brought).std() <= won.std()


@pytest.mark.parametrize("opponent", KNOWN)
def test_a_known_policy_takes_out_which_hand_it_had_and_what_it_chose(opponent: str) -> None:
    """Whatever sizes the opponent bets: the mean stays, on 4 000 hands, and much of the spread goes."""
    agents = [nemesis.agent("equilibrium", NO_LIMIT), nemesis.agent(opponent, NO_LIMIT)]
    lineup, numbers = np.array([[0, 1], [1, 0]] * 20), np.repeat(np.arange(20), 2)
    tape = play_lineups(NO_LIMIT, agents, lineup, numbers, hands=100, seed=17, taping=True).tape
    assert tape is not None
    won = tape.hands["payoffs"][:, 0].astype(float)
    averaged, found = average_terms(tape, agents[0].book, known_positions(tape, 0), 17)
    for taken in (won - averaged, *(found[:, FEATURES:].T), luck(tape, 17, "aivat", agents=agents)):
        assert abs(taken.mean()) <= 4 * taken.std() / np.sqrt(len(taken)) + 1e-9
    left = won - luck(tape, 17, "aivat", agents=agents)
    assert left.std() <= 0.75 * (won - luck(tape, 17, "aivat")).std()


def test_who_always_folds_tells_nothing_of_the_hand_it_met() -> None:
    """Where no chips change hands by cards, the average is what was won."""
    agents = [nemesis.agent("equilibrium", NO_LIMIT), nemesis.agent("fold", NO_LIMIT)]
    tape = play_lineups(NO_LIMIT, agents, np.array([[0, 1]]), np.array([0]), hands=200, seed=3, taping=True).tape
    assert tape is not None
    folds = tape.hands["board"][:, 0] < 0
    averaged, _ = average_terms(tape, agents[0].book, known_positions(tape, 0), 3)
    assert folds.any()
    np.testing.assert_array_equal(averaged[folds], tape.hands["payoffs"][folds, 0])


def test_an_all_in_before_the_flop_is_worth_its_equity() -> None:
    """Two who always raise are all in before the flop; what is left is the pot by the equity, estimated on few boards."""
    agents = [nemesis.agent("raise", NO_LIMIT)] * 2
    shove = nemesis.game("no-limit", stack=300)
    tape = play_lineups(shove, agents, np.array([[0, 1]]), np.array([0]), hands=20, seed=3, taping=True).tape
    assert tape is not None
    left = tape.hands["payoffs"][:, 0] - luck(tape, 3, "all-in")
    for row in range(20):
        ours, theirs = tape.hands["hole"][row, :2].tolist(), tape.hands["hole"][row, 2:4].tolist()
        assert left[row] == pytest.approx(
            600 * equity(ours, versus=theirs).equity - 300, abs=600 * 4 * 0.5 / np.sqrt(300)
        )


def test_the_value_function_is_frozen() -> None:
    """Results that name it can be compared; whoever fits it again changes this digest."""
    assert [value_function(kind).digest for kind in KINDS] == ["c5458521defc", "010a2be18457"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_duel_tells_what_was_taken_out(kind: Kind) -> None:
    plain = nemesis.duel("nl-ta", "hp", hands=4000, seed=2)
    taken = nemesis.duel("nl-ta", "hp", hands=4000, seed=2, without_luck=kind)
    assert value_function(kind).digest in taken.note
    assert taken.scores[0].mean == pytest.approx(-taken.scores[1].mean)
    assert taken.scores[0].mean != plain.scores[0].mean
    assert taken.hands == plain.hands


def test_only_heads_up_holdem_has_it() -> None:
    with pytest.raises(ValueError, match="taken out of heads-up hold'em; leduc is another game"):
        nemesis.duel("call", "random", game="leduc", hands=100, without_luck="aivat")


def test_a_duel_goes_on_until_it_is_clear() -> None:
    result = nemesis.duel("hm", "sl", hands=1000, seed=2, until_significant=True)
    assert result.scores[0].significant
    assert "the answer is clear" in result.note
    even = nemesis.duel("call", "call", hands=100, seed=2, until_significant=True)
    assert even.hands == 6400
    assert "not clear yet" in even.note


def test_terms_of_a_fold_before_the_flop_are_those_of_the_hole_cards() -> None:
    agents = [nemesis.agent("fold", NO_LIMIT)] * 2
    tape = play_lineups(NO_LIMIT, agents, np.array([[0, 1]]), np.array([0]), hands=10, seed=3, taping=True).tape
    assert tape is not None
    found = terms(tape, 3)
    assert not found[:, 0].any()
    assert not found[:, 6:].any()
    assert mean_interval(found[:, 3])[0] != 0
