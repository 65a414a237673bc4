"""Hands are ranked as the rules of poker say, and all of them are counted as published."""

from itertools import combinations, combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nemesis.rules.cards import parse_cards
from nemesis.rules.evaluator import (
    CATEGORIES,
    CLASSES,
    RANK_KEYS,
    category,
    category_name,
    count_categories,
    evaluator_tables,
    hand_rank,
    hand_ranks,
)
from nemesis.runtime.compiled import COMPILING

compiled_only = pytest.mark.skipif(not COMPILING, reason="millions of hands, too many to compare uncompiled")
law = settings(deadline=None)
hands_of_seven = st.lists(st.integers(0, 51), min_size=7, max_size=7, unique=True)


def rank(text):
    return hand_rank(parse_cards(text))


@compiled_only
def test_all_seven_card_hands_are_counted_as_published():
    assert count_categories() == {
        "high card": 23294460,
        "pair": 58627800,
        "two pair": 31433400,
        "three of a kind": 6461620,
        "straight": 6180020,
        "flush": 4047644,
        "full house": 3473184,
        "four of a kind": 224848,
        "straight flush": 41584,
    }


@compiled_only
def test_all_five_card_hands_are_counted_as_published():
    ranks = hand_ranks(np.array(list(combinations(range(52), 5)), np.uint8))
    counts = np.bincount([category(r) for r in range(1, 7463)], weights=np.bincount(ranks, minlength=7463)[1:])
    assert counts.astype(int).tolist() == [1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40]


@compiled_only
def test_there_are_7462_ranks_and_all_occur():
    ranks = hand_ranks(np.array(list(combinations(range(52), 5)), np.uint8))
    assert sum(CLASSES) == 7462
    assert np.array_equal(np.unique(ranks), np.arange(1, 7463))


IN_ORDER = [
    "7c5d4h3s2c",
    "AcKdQhJs9c",
    "2c2d5h4s3c",
    "AcAdKhQsJc",
    "3c3d2h2s4c",
    "AcAdKhKsQc",
    "2c2d2h4s3c",
    "AcAdAhKsQc",
    "Ac2d3h4s5c",
    "2d3h4s5c6d",
    "AcKdQhJsTc",
    "2c3c4c5c7c",
    "AcKcQcJc9c",
    "2c2d2h3s3c",
    "AcAdAhKsKc",
    "2c2d2h2s3c",
    "AcAdAhAsKc",
    "Ac2c3c4c5c",
    "AcKcQcJcTc",
]


def test_hands_stand_in_the_order_of_the_rules():
    ranks = [rank(hand) for hand in IN_ORDER]
    assert ranks == sorted(set(ranks))
    assert (ranks[0], ranks[-1]) == (1, 7462)


@pytest.mark.parametrize(
    ("hand", "name"),
    [
        ("AsKsQsJsTs2c2d", "straight flush"),
        ("As2s3s4s5sKdKh", "straight flush"),
        ("9c9d9h9s2c2d2h", "four of a kind"),
        ("9c9d9h2s2c3d3h", "full house"),
        ("9c9d9h2s2c2d3h", "full house"),
        ("AsKsQsJs9s9c9d", "flush"),
        ("KdQsJsTs9s9c9d", "straight"),
        ("AcKd5h4s3c2d2h", "straight"),
        ("QcKdAh2s3c9d9h", "pair"),
        ("9c9d9h2s4c6d7h", "three of a kind"),
        ("9c9d4h4s2c2dKh", "two pair"),
        ("AcKdQhJs9c8d", "high card"),
    ],
)
def test_the_best_five_cards_count(hand, name):
    assert category_name(rank(hand)) == name


def test_kickers_decide_and_the_sixth_card_does_not():
    assert rank("AcAdKhQsJc3d2h") > rank("AcAdKhQsTc3d2h")
    assert rank("AcAdKhQsJc3d2h") == rank("AcAdKhQsJc5d4h")
    assert rank("9c9d4h4s2c2dKh") == rank("9c9d4h4sKh")


@law
@given(hands_of_seven)
def test_seven_cards_are_worth_their_best_five(hand):
    assert hand_rank(hand) == max(hand_rank(five) for five in combinations(hand, 5))


@law
@given(hands_of_seven)
def test_six_cards_are_worth_their_best_five(hand):
    assert hand_rank(hand[:6]) == max(hand_rank(five) for five in combinations(hand[:6], 5))


@law
@given(hands_of_seven, st.permutations(range(4)))
def test_suits_have_no_rank(hand, suits):
    assert hand_rank(hand) == hand_rank([card // 4 * 4 + suits[card % 4] for card in hand])


@law
@given(hands_of_seven, hands_of_seven)
def test_pokerkit_orders_two_hands_the_same_way(one, other):
    pokerkit = pytest.importorskip("pokerkit")
    text = ["23456789TJQKA"[card // 4] + "cdhs"[card % 4] for card in range(52)]
    theirs = [pokerkit.StandardHighHand.from_game("".join(text[card] for card in hand)) for hand in (one, other)]
    assert (hand_rank(one) > hand_rank(other)) == (theirs[0] > theirs[1])
    assert (hand_rank(one) == hand_rank(other)) == (theirs[0] == theirs[1])


def test_no_two_sets_of_ranks_have_the_same_sum_of_keys():
    sums = [
        sum(RANK_KEYS[r] for r in ranks)
        for size in range(8)
        for ranks in combinations_with_replacement(range(13), size)
        if all(ranks[i] != ranks[i + 4] for i in range(size - 4))
    ]
    assert len(set(sums)) == len(sums) == 76155


def test_the_tables_stay_in_second_level_cache():
    assert sum(array.nbytes for array in evaluator_tables()) <= 256 * 1024


def test_categories_begin_and_end_where_they_should():
    assert [category_name(r) for r in (1, 1277, 1278, 7452, 7453)] == [
        CATEGORIES[0],
        CATEGORIES[0],
        CATEGORIES[1],
        CATEGORIES[7],
        CATEGORIES[8],
    ]


@pytest.mark.parametrize("number", [0, 7463])
def test_a_number_that_is_no_rank_is_refused(number):
    with pytest.raises(ValueError, match=f"{number} is not the rank of a hand: ranks run from 1 to 7462"):
        category(number)


def test_bad_hands_are_refused_in_a_sentence():
    with pytest.raises(ValueError, match="a hand has 5, 6 or 7 cards, not 4"):
        rank("AsKsQsJs")
    with pytest.raises(ValueError, match="the card As appears twice"):
        hand_rank([51, 51, 0, 1, 2])
    with pytest.raises(ValueError, match="hand number 1 holds a card twice"):
        hand_ranks([[0, 1, 2, 3, 4], [0, 1, 2, 3, 3]])
    with pytest.raises(ValueError, match="a card is a number from 0 to 51; these hands hold 0 to 52"):
        hand_ranks([[0, 1, 2, 3, 52]])
    with pytest.raises(ValueError, match="rows of 5, 6 or 7 cards"):
        hand_ranks([[0, 1, 2, 3]])
