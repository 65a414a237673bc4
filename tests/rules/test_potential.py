"""Hand potential is what Papp and Billings define, checked with the example they print."""

from itertools import combinations

import numpy as np
import pytest

from nemesis.rules.cards import parse_cards
from nemesis.rules.evaluator import hand_rank
from nemesis.rules.potential import hand_potential, potential_table
from nemesis.runtime.compiled import COMPILING

compiled_only = pytest.mark.skipif(not COMPILING, reason="millions of hands, too many to compare uncompiled")


@compiled_only
def test_the_published_example_ace_queen_on_three_four_jack():
    table = potential_table(parse_cards("AdQc"), parse_cards("3h4cJh"))
    assert table.tolist() == [[449005, 3211, 169504], [0, 8370, 540], [91981, 1036, 346543]]
    positive, negative = hand_potential(parse_cards("AdQc"), parse_cards("3h4cJh"))
    assert positive == pytest.approx(0.208, abs=5e-4)
    assert negative == pytest.approx(0.274, abs=5e-4)


@pytest.mark.parametrize(("hole", "board"), [("AdQc", "3h4cJhAs"), ("7s8s", "9sTs2d2c"), ("2c2d", "2h2sAsKs")])
def test_a_turn_agrees_with_comparing_every_case_one_by_one(hole, board):
    hole, board = parse_cards(hole), parse_cards(board)
    unseen = [card for card in range(52) if card not in hole + board]
    table = np.zeros((3, 3), int)
    for theirs in combinations(unseen, 2):
        now = np.sign(hand_rank(theirs + board) - hand_rank(hole + board)) + 1
        for river in unseen:
            if river not in theirs:
                then = np.sign(hand_rank((*theirs, *board, river)) - hand_rank((*hole, *board, river))) + 1
                table[now, then] += 1
    assert potential_table(hole, board).tolist() == table.tolist()


@compiled_only
def test_a_flop_has_1081_holdings_and_990_ways_to_deal_on():
    assert potential_table(parse_cards("AsKs"), parse_cards("2c7d9h")).sum() == 1081 * 990


@compiled_only
def test_a_royal_flush_has_no_potential_either_way():
    assert hand_potential(parse_cards("AsKs"), parse_cards("QsJsTs")) == (0.0, 0.0)


@compiled_only
def test_suits_have_no_rank():
    assert hand_potential(parse_cards("7s8s"), parse_cards("9sTd2c")) == hand_potential(
        parse_cards("7h8h"), parse_cards("9hTc2s")
    )


def test_bad_spots_are_refused_in_a_sentence():
    with pytest.raises(ValueError, match="defined on a flop or a turn, not on a board of 5 cards"):
        hand_potential(parse_cards("AsKs"), parse_cards("2c3c4c5c6c"))
    with pytest.raises(ValueError, match="the card As appears twice"):
        hand_potential(parse_cards("AsKs"), parse_cards("As3c4c"))
    with pytest.raises(ValueError, match="a hold'em hand has 2 cards, not 1"):
        hand_potential(parse_cards("As"), parse_cards("2s3c4c"))
