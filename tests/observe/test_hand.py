import dataclasses

import pytest
from hypothesis import HealthCheck, given, settings
from playing import hands

from nemesis.observe.hand import DEEP, Hand, HandError, decisions, replay, showdown_rank
from nemesis.rules.cards import parse_cards
from nemesis.rules.game import AFTER_BLINDS, Game, holdem

HEADS_UP = holdem("heads-up", "no-limit", 2, (50, 100), 1000)
THREE = holdem("three", "no-limit", 3, (50, 100), 1000)
BOARD = parse_cards("2c7d9hJsQs")
ACES, KINGS, TENS = parse_cards("AcAd"), parse_cards("KcKd"), parse_cards("TcTd")


def with_stacks(game: Game, *stacks: int) -> Game:
    return dataclasses.replace(game, stacks=stacks)


def test_the_button_folds_heads_up_and_loses_the_small_blind():
    hand = Hand(HEADS_UP, ((), ()), (), (0,))
    assert replay(hand).payoffs == (50, -50)
    assert replay(hand).winnings == (100, 0)
    assert replay(hand).uncalled == (50, 0)


def test_decisions_tell_what_each_position_faced():
    hand = Hand(HEADS_UP, (ACES, KINGS), BOARD[:3], (300, 1, 400, 0))
    seen = [(d.actor, d.street, d.to_call, d.pot, d.action) for d in decisions(hand)]
    assert seen == [(1, 0, 50, 150, 300), (0, 0, 200, 400, 1), (0, 1, 0, 600, 400), (1, 1, 400, 1000, 0)]
    assert replay(hand).payoffs == (300, -300)


def test_the_best_hand_wins_what_each_rival_could_match():
    game = with_stacks(THREE, 200, 600, 1000)
    hand = Hand(game, (ACES, KINGS, TENS), BOARD, (1000, 1, 1), shown=(0, 1, 2))
    assert replay(hand).payoffs == (400, 200, -600)
    assert replay(hand).uncalled == (0, 0, 400)
    assert replay(hand).winnings == (600, 800, 0)


def test_a_mucked_hand_loses_to_a_worse_one_that_was_shown():
    hand = Hand(HEADS_UP, (ACES, KINGS), BOARD, (1,) * 8, shown=(1,))
    assert replay(hand).payoffs == (-100, 100)


def test_an_unknown_hand_loses_to_one_that_was_shown():
    hand = Hand(HEADS_UP, ((), KINGS), BOARD, (1,) * 8, shown=(1,))
    assert replay(hand).payoffs == (-100, 100)


def test_a_showdown_without_cards_is_left_undecided():
    result = replay(Hand(HEADS_UP, ((), ()), BOARD, (1,) * 8, source=(("hand", 7),)))
    assert result.payoffs is None
    assert result.winnings is None
    assert result.undecided == "hand 7 comes to a showdown, but of p1, p2 nobody showed cards"


def test_a_side_pot_that_nobody_showed_for_is_left_undecided():
    game = with_stacks(THREE, 200, 1000, 1000)
    hand = Hand(game, (ACES, (), ()), BOARD, (1000, 1, 1), shown=(0,))
    assert "of p2, p3 nobody" in (replay(hand).undecided or "")


def test_a_board_that_was_not_recorded_leaves_the_showdown_undecided():
    hand = Hand(HEADS_UP, (ACES, KINGS), BOARD[:3], (1000, 1), shown=(0, 1))
    assert "board ends after 3 cards" in (replay(hand).undecided or "")


def test_an_ante_of_one_player_belongs_to_the_pot_where_antes_are_dead():
    game = dataclasses.replace(with_stacks(THREE, 1000, 1100, 1000), antes=(0, 100, 0))
    played = {"hole": (ACES, KINGS, TENS), "board": BOARD, "actions": (1000, 1, 1), "shown": (0, 1, 2)}
    assert replay(Hand(game, **played, dead_antes=True)).payoffs == (2100, -1100, -1000)
    assert replay(Hand(game, **played, dead_antes=False)).payoffs == (2000, -1000, -1000)


def test_dead_antes_go_to_the_main_pot_and_not_to_a_side_pot():
    game = dataclasses.replace(with_stacks(THREE, 300, 1100, 1000), antes=(0, 100, 0))
    hand = Hand(game, (ACES, KINGS, TENS), BOARD, (1000, 1, 1), shown=(0, 1, 2), dead_antes=True)
    assert replay(hand).payoffs == (700, 300, -1000)


def test_dead_antes_and_the_bets_below_them_are_one_pot_for_the_same_winners():
    """The last two tie: 17 chips of antes and 3 of bets are ten each, not nine and two for one and eight and one."""
    game = dataclasses.replace(
        holdem("four", "no-limit", 4, (50, 100), 1000), stacks=(1, 1, 58, 12), antes=(0, 10, 5, 11)
    )
    hole = tuple(map(parse_cards, ("3c4d", "3h4s", "AcAd", "AhAs")))
    hand = Hand(game, hole, BOARD, (1, 1), shown=(0, 1, 2, 3), dead_antes=True)
    assert replay(hand).payoffs == (-1, -1, 4, -2)


def test_whole_units_divide_into_whole_units_though_a_chip_is_finer():
    game = dataclasses.replace(with_stacks(THREE, 100_00, 100_00, 100_00), blinds=(1_00, 2_00, 0), bets=(2_00,) * 4)
    hole = ((), parse_cards("AcAd"), parse_cards("AhAs"))
    hand = Hand(game, hole, BOARD, (1, 0, 1, *(1,) * 6), shown=(1, 2), scale=100)
    assert replay(hand).payoffs == (-1_00, 1_00, 0)
    told_in_halves = dataclasses.replace(hand, payoffs=(-1_00, 50, 50))
    assert replay(told_in_halves).payoffs == (-1_00, 50, 50)


def test_kuhn_and_leduc_showdowns_are_replayed_too():
    leduc = Game("leduc", "limit", (13, 13), (1, 1), (0, 0), (2, 4), (0, 0), (2, 2), 0, False, "full", 3, 2, 1, (0, 1))
    pair = Hand(leduc, ((0,), (4,)), (1,), (1, 1, 1, 1), shown=(0, 1))
    assert replay(pair).payoffs == (1, -1)
    assert showdown_rank(leduc, (4,), (1,)) == 2


@pytest.mark.parametrize(
    ("actions", "complaint"),
    [
        ((300, 0, 1), "goes on with action 3 of 3 after its end"),
        ((300,), "ends after 1 actions when p1 must act"),
        ((150, 1), "raise to 150 as action 1; legal was to fold, call 50 or raise to 200 … 1000"),
        ((5000, 1), "raise to 5000 as action 1; legal was to fold, call 50 or raise to 200 … 1000"),
        ((1, 0), "p1 fold as action 2; legal was to check or raise to 200 … 1000"),
        ((1000, 1500), "raise to 1500 as action 2; legal was to fold, call 900"),
        ((1, 1, 1), "bets on street 2 with only 0 board cards"),
        ((-1,), "raise to -1 as action 1"),
    ],
)
def test_an_action_that_the_rules_would_change_is_an_error(actions, complaint):
    with pytest.raises(HandError, match=complaint) as caught:
        replay(Hand(HEADS_UP, ((), ()), (), actions, source=(("hand", "A-12"),)))
    assert "hand A-12" in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"hole": (ACES,)}, "hole cards for 1 positions of 2"),
        ({"hole": (ACES, (5,))}, "gives p2 1 cards, not 2"),
        ({"hole": (ACES, ACES)}, "deals the card Ac twice"),
        ({"hole": (ACES, (60, 61))}, "not in the deck of 52"),
        ({"board": BOARD[:2]}, r"has 2 board cards; streets end at \[0, 3, 4, 5\]"),
        ({"payoffs": (1, 2, 3)}, "3 payoffs for 2 positions"),
        ({"players": ("a",)}, "1 players for 2 positions"),
        ({"shown": (1,), "hole": (ACES, ())}, "showed cards that it does not tell"),
        ({"scale": 3}, "a scale of 3"),
        ({"actions": (DEEP + 1,)}, "amounts stay below"),
    ],
)
def test_a_hand_that_does_not_fit_its_game_is_refused(changes, complaint):
    with pytest.raises(HandError, match=complaint):
        dataclasses.replace(Hand(HEADS_UP, (ACES, KINGS), BOARD, (0,)), **changes)


@given(hands())
@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_chips_are_conserved_and_nobody_loses_more_than_a_stack(hand):
    payoffs = replay(hand).payoffs
    assert payoffs is not None
    assert sum(payoffs) == 0
    assert all(won >= -stack for won, stack in zip(payoffs, hand.game.stacks, strict=True))


def test_a_deep_stack_never_ends():
    game = dataclasses.replace(HEADS_UP, stacks=(DEEP, DEEP), first=(AFTER_BLINDS, 0, 0, 0))
    assert replay(Hand(game, ((), ()), (), (10**12, 0))).payoffs == (-100, 100)
