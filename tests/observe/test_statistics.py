"""Statistics of hands whose every action is written out."""

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from playing import hands as any_hand

from nemesis.observe.hand import Hand
from nemesis.observe.phh import parse_hand, passages
from nemesis.observe.statistics import COUNTS, Statistics, statistics_of_hands, summary
from nemesis.rules import games
from nemesis.rules.cards import parse_cards
from nemesis.rules.game import Game

NO_LIMIT = games.no_limit()
FOLD, CALL = 0, 1


def played(actions: list[int], board: str = "Ks8d3c7h2d", holes: str = "AsAdQcJc", shown: tuple[int, ...] = ()) -> Hand:
    """Position 0, "bb", holds aces, position 1, "button", queen-jack; the button acts first before the flop."""
    cards = parse_cards(holes)
    return Hand(
        game=NO_LIMIT,
        hole=(tuple(cards[:2]), tuple(cards[2:])),
        board=tuple(parse_cards(board)),
        actions=tuple(actions),
        shown=shown,
        players=("bb", "button"),
    )


def counted(hand: Hand, player: str) -> dict[str, float]:
    """The counts of a player that are not 0."""
    page = statistics_of_hands([hand])[player]
    return {name: page[name] for name in COUNTS if page[name] != 0}


def test_a_blind_that_is_folded_is_not_voluntary() -> None:
    hand = played([250, FOLD], board="")
    assert counted(hand, "bb") == {"hands": 1, "three_bet_chances": 1, "faced_0": 1, "folded_0": 1, "mbb": -1000}
    assert counted(hand, "button") == {"hands": 1, "vpip": 1, "pfr": 1, "mbb": 1000}


def test_a_limp_is_voluntary_and_a_check_of_the_blind_is_not() -> None:
    hand = played([CALL, CALL, *[CALL] * 6], shown=(0, 1))
    both = {"hands": 1, "checks": 3, "saw_flop": 1, "showdowns": 1}
    assert counted(hand, "button") == {**both, "vpip": 1, "mbb": -1000}
    assert counted(hand, "bb") == {**both, "showdown_halves": 2, "mbb": 1000}


def test_a_three_bet_pot_with_a_continuation_bet_and_a_second_barrel() -> None:
    """Button raises, bb re-raises, button calls; bb bets flop and turn, button folds the turn."""
    hand = played([300, 900, CALL, 900, CALL, 2000, FOLD], board="Ks8d3c7h")
    assert counted(hand, "bb") == {
        "hands": 1, "vpip": 1, "pfr": 1, "three_bet_chances": 1, "three_bets": 1, "c_bet_chances": 1, "c_bets": 1, "bets": 2,
        "barrel_chances": 1, "barrels": 1, "saw_flop": 1, "faced_0": 1, "mbb": 18_000,
    }  # fmt: skip
    assert counted(hand, "button") == {
        "hands": 1, "vpip": 1, "pfr": 1, "calls": 1, "folds": 1, "saw_flop": 1, "faced_0": 1, "faced_1": 1, "faced_2": 1,
        "folded_2": 1, "mbb": -18_000,
    }  # fmt: skip


def test_a_check_raise_and_a_float() -> None:
    """The flop goes check, bet, raise, call; on the turn bb checks and the button bets: a float, called; river checked."""
    hand = played([300, CALL, CALL, 300, 900, CALL, CALL, 1000, CALL, CALL, CALL], shown=(0, 1))
    bb, button = counted(hand, "bb"), counted(hand, "button")
    assert (bb["check_raise_chances"], bb["check_raises"]) == (2, 1)
    assert (bb["barrel_chances"], "barrels" in bb) == (1, False)
    assert (button["float_chances"], button["floats"]) == (1, 1)
    assert (button["c_bet_chances"], button["c_bets"]) == (1, 1)
    assert (button["barrel_chances"], "barrels" in button) == (1, False)
    assert "float_chances" not in bb


def test_all_in_before_the_flop_sees_the_flop_and_the_showdown() -> None:
    hand = played([20_000, CALL], shown=(0, 1))
    assert counted(hand, "button") == {
        "hands": 1, "vpip": 1, "pfr": 1, "saw_flop": 1, "showdowns": 1, "mbb": -200_000,
    }  # fmt: skip


def test_ratios_and_their_sum() -> None:
    first = statistics_of_hands([played([250, FOLD], board="")])["button"]
    second = statistics_of_hands([played([FOLD], board="")])["button"]
    both = first + second
    assert (both.vpip, both.pfr, both.mbb_per_hand) == (0.5, 0.5, 250.0)
    assert math.isnan(both.c_bet)
    assert summary(both)["VPIP"] == 0.5
    bettor = Statistics("x", np.array([float(name == "bets") for name in COUNTS]))
    assert bettor.aggression_factor == math.inf


@settings(max_examples=60, deadline=None)
@given(any_hand())
def test_counts_hold_together(hand: Hand) -> None:
    """No part exceeds its whole, whatever is played by how many, and the chips come from each other."""
    found = statistics_of_hands([hand])
    assert sum(page["mbb"] for page in found.values()) == pytest.approx(0, abs=1e-6)
    for page in found.values():
        for name in COUNTS:
            if name.endswith("_chances"):
                assert page[name.replace("_chances", "s")] <= page[name]
        assert page["pfr"] <= page["vpip"] <= page["hands"] == 1
        assert page["showdowns"] <= page["saw_flop"] <= 1
        assert page["folds"] + page["folded_0"] <= 1
        assert all(page[f"folded_{s}"] <= page[f"faced_{s}"] for s in range(4))


def test_real_hands_are_counted_for_everybody_in_them() -> None:
    """Pluribus against professionals: six at every table, and chips only change hands."""
    file = Path(__file__).parent.parent / "data" / "pluribus.phhs"
    hands = [parse_hand(passage) for passage in passages(file)][:200]
    found = statistics_of_hands(hands)
    assert sum(page["hands"] for page in found.values()) == sum(hand.game.seats for hand in hands)
    assert sum(page["mbb"] for page in found.values()) == pytest.approx(0, abs=1)
    assert 0.1 < found["Pluribus"].vpip < 0.5
    assert found["Pluribus"].pfr < found["Pluribus"].vpip


def test_games_without_blinds_count_in_the_smallest_bet() -> None:
    kuhn: Game = games.kuhn()
    hand = Hand(kuhn, ((2,), (0,)), (), (2, FOLD), players=("a", "b"))
    assert statistics_of_hands([hand])["a"].mbb_per_hand == 1000
