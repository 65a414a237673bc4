"""Classes of hands: what a board offers to an unknown holding, and how often a hand improves."""

from itertools import combinations

import pytest

from nemesis.rules.cards import DECK, parse_cards
from nemesis.rules.evaluator import category, hand_rank
from nemesis.rules.hand_classes import CLASSES, board_texture, improvement


def test_three_suited_cards_in_a_row_offer_everything_that_two_cards_can_make() -> None:
    """The thesis's flop of 7, 8 and 9 of hearts: of 1176 holdings 3 make a straight flush and 45 - 3 a flush."""
    offered = dict(zip(CLASSES, board_texture(parse_cards("7h8h9h")), strict=True))
    assert offered["straight flush"] == pytest.approx(3 / 1176)
    assert offered["flush"] == pytest.approx(42 / 1176)
    assert offered["straight"] == pytest.approx((3 * 16 - 3) / 1176)
    assert offered["three of a kind"] == pytest.approx(9 / 1176)
    assert offered["two pair"] == pytest.approx(27 / 1176)
    assert sum(offered.values()) == pytest.approx(1)


def test_before_the_flop_a_holding_is_a_pair_or_not() -> None:
    assert board_texture(())[1] == pytest.approx(78 / 1326)


def test_a_royal_flush_is_a_class_of_its_own() -> None:
    assert board_texture(parse_cards("AsKsQs"))[CLASSES.index("royal flush")] == pytest.approx(1 / 1176)


@pytest.mark.parametrize(("hole", "board"), [("9sTs", "Kd9h6s"), ("9sTs", "Kd9h6s2c"), ("AhAd", "AcKsKd")])
def test_improvement_is_the_share_of_boards_with_a_higher_class(hole: str, board: str) -> None:
    cards = (*parse_cards(hole), *parse_cards(board))
    left = [card for card in range(DECK) if card not in cards]
    finals = [category(hand_rank((*cards, *more))) for more in combinations(left, 7 - len(cards))]
    now = category(hand_rank(cards))
    assert improvement(cards[:2], cards[2:]) == pytest.approx(sum(final > now for final in finals) / len(finals))


def test_before_the_flop_only_ranks_and_suitedness_count() -> None:
    assert improvement(parse_cards("AsKs"), ()) == improvement(parse_cards("KdAd"), ())
    assert improvement(parse_cards("AsKs"), ()) > improvement(parse_cards("AsKd"), ())


def test_on_the_river_nothing_improves() -> None:
    assert improvement(parse_cards("9sTs"), parse_cards("Kd9h6s2c2d")) == 0
