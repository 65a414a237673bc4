"""Bluffing and changing styles do what their names say."""

import numpy as np
import pytest

import nemesis
from nemesis.observe.event import ENDS, Event, new_events
from nemesis.observe.view import View, new_view
from nemesis.play.match import play_lineups
from nemesis.rules import games

LIMIT = games.limit()


def view(win: float, hand: int = 0, chance: float = 0.5, to_call: int = 10) -> View:
    record = new_view()
    record["win"], record["hand"], record["chance"], record["to_call"] = win, hand, chance, to_call
    record["opponents"], record["max_to"], record["pot"] = 1, 40, 30
    return View(record)


def kind(action: int) -> str:
    return ("fold", "call", "bet")[min(action, 2)]


def test_a_bluff_replaces_a_fold_and_lasts_for_the_hand() -> None:
    """Baker 2010 section 5.4: once it bluffs it bluffs on for the rest of the hand; the next hand is drawn anew."""
    agent = nemesis.agent("tp+bluff=0.3", LIMIT)
    assert kind(agent.act(view(0.2, hand=0, chance=0.29))) == "bet"
    assert kind(agent.act(view(0.2, hand=0, chance=0.99))) == "bet"
    assert kind(agent.act(view(0.6, hand=0, chance=0.99))) == "bet"
    assert kind(agent.act(view(0.2, hand=1, chance=0.31))) == "fold"
    assert kind(agent.act(view(0.2, hand=1, chance=0.01))) == "fold"
    assert kind(agent.act(view(0.6, hand=2, chance=0.01))) == "call"
    assert kind(agent.act(view(0.95, hand=3, chance=0.99))) == "bet"


def test_a_random_bet_replaces_any_decision() -> None:
    """Baker 2010 section 7.7: upon any decision, with probability p."""
    agent = nemesis.agent("tp+bet=0.3", LIMIT)
    assert [kind(agent.act(view(0.2, chance=chance))) for chance in (0.29, 0.31)] == ["bet", "fold"]
    assert [kind(agent.act(view(0.6, chance=chance))) for chance in (0.29, 0.31)] == ["bet", "call"]


def test_bluffing_with_probability_0_and_1() -> None:
    seats, numbers = np.array([[0, 1]]), np.array([0])
    for same, as_this in (("tp+bluff=0", "tp"), ("tp+bet=0", "tp"), ("tp+bet=1", "raise")):
        won = [
            play_lineups(
                LIMIT, [nemesis.agent(name, LIMIT), nemesis.agent("lp", LIMIT)], seats, numbers, hands=200, seed=1
            ).won
            for name in (same, as_this)
        ]
        assert (won[0] == won[1]).all()


def test_a_change_by_hands_goes_through_the_chain_and_stays() -> None:
    """LA bets with .3, LP calls, TA folds, TP folds; TA bets with .7, TP calls."""
    agent = nemesis.agent("la-to-lp-to-ta-to-tp@75", LIMIT)
    assert [kind(agent.act(view(0.3, hand))) for hand in (0, 74, 75, 149, 150)] == [
        "bet",
        "bet",
        "call",
        "call",
        "fold",
    ]
    assert [kind(agent.act(view(0.7, hand))) for hand in (150, 224, 225, 1000)] == ["bet", "bet", "call", "call"]


def test_a_change_by_chips_comes_below_half_and_is_for_good() -> None:
    game = games.one_card()
    agent = nemesis.agent("lp-to-tp@half", game)
    agent.sit(game, 0)
    record = new_events()
    record["kind"] = ENDS
    seen = []
    for payoff in (-5, -1, +10):
        record["payoff"] = payoff
        agent.watch(Event(record))
        seen.append(kind(agent.act(view(0.3))))
    assert seen == ["call", "fold", "fold"]
    agent.sit(game, 0)
    assert kind(agent.act(view(0.3))) == "call"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("tp+bluff=2", "between 0 and 1"),
        ("tp+bluff", "between 0 and 1"),
        ("tp+laugh=0.1", r"can have \+bluff=p"),
        ("xx+bluff=0.1", "'xx', which is no style"),
        ("lp-to-tp", "does not say when"),
        ("lp-to-tp@0", "does not say when"),
        ("lp-to-xx@half", "'xx', which is no style"),
        ("la-to-lp-to-tp@half", "changes once"),
    ],
)
def test_mistakes_are_explained(name: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        nemesis.agent(name, LIMIT)


def test_one_who_reckons_with_one_rival_over_values_its_hand_at_a_full_table() -> None:
    """Against nine, .5 wins .5**9: LA folds it. Reckoning with one rival it raises, with three (.125) it calls."""
    ring = games.ring()
    crowded = view(0.5)
    crowded.record["opponents"] = 9
    does = {name: kind(nemesis.agent(name, ring).act(crowded)) for name in ("la", "la+rivals=1", "la+rivals=3")}
    assert does == {"la": "fold", "la+rivals=1": "bet", "la+rivals=3": "call"}
    assert kind(nemesis.agent("tp+rivals=3", ring).act(view(0.6))) == "call"  # one opponent is one opponent
    for wrong in ("la+rivals=0", "la+rivals=10", "la+rivals", "la+rivals=two"):
        with pytest.raises(ValueError, match="1 to 9 rivals"):
            nemesis.agent(wrong, ring)
