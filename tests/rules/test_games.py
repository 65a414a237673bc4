"""Games are values; what cannot be played is refused in a sentence."""

import dataclasses

import numpy as np
import pytest

from nemesis.rules import games
from nemesis.rules.betting import begin, new_hand, step
from nemesis.rules.game import Game, GameError, holdem

ALL = {
    "one-card": games.one_card,
    "one-card-100": games.one_card_100,
    "kuhn": games.kuhn,
    "leduc": games.leduc,
    "limit": games.limit,
    "acpc-limit": games.acpc_limit,
    "ring": games.ring,
    "no-limit": games.no_limit,
    "no-limit-6": games.no_limit_6,
    "pot-limit": games.pot_limit,
}


def most_lost(game: Game) -> int:
    """What a hand costs in which everyone raises whenever they can."""
    rules, hand = game.compiled(), new_hand()
    begin(rules, np.array(game.stacks), hand)
    while not hand[0].over:
        step(rules, hand, 10**6)
    return int(hand[0].spent.max())


@pytest.mark.parametrize("name", ALL)
def test_every_game_carries_its_name_and_one_sentence(name):
    game = ALL[name]()
    assert game.name == name
    assert game.about.endswith(".")
    assert ALL[name].__doc__


@pytest.mark.parametrize(
    ("name", "chips"),
    [
        ("one-card", 5),
        ("one-card-100", 25),
        ("kuhn", 2),
        ("leduc", 13),
        ("limit", 160),
        ("acpc-limit", 240),
        ("ring", 190),
        ("no-limit", 20_000),
        ("no-limit-6", 10_000),
        ("pot-limit", 20_000),
    ],
)
def test_what_a_hand_can_cost(name, chips):
    assert most_lost(ALL[name]()) == chips


def test_one_card_is_dealt_to_ten():
    assert games.one_card().seated(10).stacks == (10,) * 10


def test_kuhns_three_cards_are_enough_for_three():
    assert games.kuhn().seated(3).seats == 3
    with pytest.raises(GameError, match="kuhn needs 4 cards for 4 seats; its deck has 3"):
        games.kuhn().seated(4)


@pytest.mark.parametrize("seats", [2, 3, 6, 9])
def test_no_limit_is_the_same_game_at_every_table(seats):
    game = games.no_limit().seated(seats, stack=5000)
    assert game == dataclasses.replace(
        holdem("no-limit", "no-limit", seats, (50, 100), 5000), about=game.about, match_hands=game.match_hands
    )


def test_results_are_in_thousandths_of_a_big_blind_or_in_chips():
    assert games.no_limit().unit == ("mBB/hand", 10.0)
    assert games.kuhn().unit == ("chips/hand", 1.0)


@pytest.mark.parametrize("seats", [-1, 0, 1, 11, 23])
def test_a_table_has_two_to_ten_seats(seats):
    with pytest.raises(GameError, match=f"limit cannot be dealt to {seats} seats; 2 to 10 can play"):
        games.limit().seated(seats)
    with pytest.raises(GameError, match=f"x cannot be dealt to {seats} seats; 2 to 10 can play"):
        holdem("x", "limit", seats, (5, 10), 100)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"stacks": (100, -5)}, "has stacks .*; each must be at least 1 chip"),
        ({"stacks": (100, 0)}, "has stacks .*; each must be at least 1 chip"),
        ({"stacks": (100,)}, "cannot be dealt to 1 seats; 2 to 10 can play"),
        ({"blinds": (0, 0)}, "has neither antes nor blinds, so there is nothing to play for"),
        ({"blinds": (10,)}, "gives 1 blinds; it needs 2"),
        ({"blinds": (10, -5)}, "has blinds .*; none may be negative"),
        ({"antes": (1, 1, 1)}, "gives 3 antes; it needs 2"),
        ({"bets": (0, 10, 10, 10)}, "has bets .*; each must be at least 1 chip"),
        ({"bets": (10,) * 5}, "has 5 streets; a game has 1 to 4"),
        ({"bets": (1,) * 4}, "has a smallest bet of 1 chip; outside limit games bets start at 2 chips"),
        (
            {"structure": "spread"},
            "'spread' is not a betting structure; choose one of limit, pot-limit, no-limit",
        ),
        ({"first": (2, 0, 0, 0)}, "has first .*; a position is 0 to 1"),
        ({"first": (0,)}, "gives 1 first; it needs 4"),
        ({"max_raises": (3, 4)}, "gives 2 max_raises; it needs 4, one per street"),
        ({"max_raises": (3, 4, -4, 4)}, "has max_raises .*; none may be negative"),
        ({"stacks": (2**31, 100)}, "has stacks above 2,147,483,647, the most that is counted"),
        ({"stacks": (2305843009213693951, 100)}, "has stacks above 2,147,483,647"),
        ({"blinds": (10**18, 50)}, "has blinds above 2,147,483,647"),
        ({"stacks": (100.5, 100)}, "has stacks .*; amounts are whole numbers"),
        ({"street_limit": -1}, "has street_limit .*; none may be negative"),
        ({"match_hands": 0}, "the hands of a match must be a whole number from 1 to 100,000,000, not 0"),
        ({"ranks": 100, "suits": 1}, "has a deck of 100 ranks and 1 suits; at most 4 suits and 52 cards"),
        ({"suits": 5}, "has a deck of 13 ranks and 5 suits"),
        ({"ranks": 3, "suits": 2}, "needs 9 cards for 2 seats; its deck has 6"),
        ({"hole_cards": 3}, "known are hold'em and games of one hole card with at most one board card"),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_sentence(change, sentence):
    with pytest.raises(GameError, match=sentence):
        dataclasses.replace(games.no_limit(), **change)
