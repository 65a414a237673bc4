"""What a board promises a random hand, against dealing every hand and every rest of the board and looking."""

from functools import cache
from itertools import combinations

import numpy as np
import pytest

from nemesis.rules.cards import parse_cards
from nemesis.rules.evaluator import CATEGORIES, FIRST_RANKS, hand_ranks
from nemesis.rules.texture import FIXED_POINT, RANK_SETS, draw_chance, flush_table, paired, straight_table
from nemesis.runtime.compiled import COMPILING

JOINT = 0.0137
"""How far the answer may be off where straight and flush are both possible."""
ROUNDING = 1e-5

compiled_only = pytest.mark.skipif(not COMPILING, reason="hundreds of thousands of hands, too many uncompiled")


@cache
def outcomes(board: tuple[int, ...]) -> np.ndarray:
    """The category of every seven cards that this board can become in somebody's hand."""
    rest = [card for card in range(52) if card not in board]
    drawn = np.array(list(combinations(rest, 7 - len(board))), np.uint8)
    whole = np.concatenate([np.broadcast_to(np.array(board, np.uint8), (len(drawn), len(board))), drawn], axis=1)
    return np.searchsorted(FIRST_RANKS, hand_ranks(whole), side="right") - 1


def share(board: tuple[int, ...], *names: str) -> float:
    return float(np.isin(outcomes(board), [CATEGORIES.index(name) for name in names]).mean())


def straight_or_flush(board: tuple[int, ...]) -> float:
    return share(board, "straight", "flush", "straight flush")


@compiled_only
@pytest.mark.parametrize("text", ["9s8s7d", "KsKd7c", "2c2d2h"])
def test_a_flop_against_all_211876_ways_to_go_on(text: str) -> None:
    board = parse_cards(text)
    assert 0 <= draw_chance(board) - straight_or_flush(board) + ROUNDING < JOINT / 2


@pytest.mark.parametrize(
    "text", ["9s8s7s6d", "9s8s7s6s", "AsKd7c2h", "7c7d8h9s", "AhAsKhKs", "5c5d5h5s", "Ah2h3d4c", "QsJsTs2d"]
)
def test_a_turn_against_all_17296_ways_to_go_on(text: str) -> None:
    board = parse_cards(text)
    assert -ROUNDING < draw_chance(board) - straight_or_flush(board) < JOINT


def test_rivers_against_all_1081_hands() -> None:
    """Sixty boards, half of them with a pair: never too low, too high only where both are possible."""
    chance = np.random.default_rng(1)
    pairs = 0
    for number in range(60):
        board = tuple(chance.choice(52, 5, replace=False).tolist())
        while number % 2 == (paired(board) > 0):
            board = tuple(chance.choice(52, 5, replace=False).tolist())
        pairs += paired(board) > 0
        suited = max(np.bincount(np.array(board) % 4))
        too_much = draw_chance(board) - straight_or_flush(board)
        assert -ROUNDING < too_much < (JOINT if suited > 2 else ROUNDING), board
    assert pairs == 30


@pytest.mark.parametrize("text", ["7c7d8h9s", "7c7d8h9sTc", "7c7d7h9sTc", "7c7d9h9sTc", "JcTd9h8s", "5c5d5h5s6c"])
def test_the_straight_is_counted_exactly_pairs_or_not(text: str) -> None:
    board = parse_cards(text)
    ranks = sum(1 << rank for rank in {card // 4 for card in board})
    straight = straight_table()[RANK_SETS * (len(board) - 3) + ranks] / FIXED_POINT
    assert straight == pytest.approx(share(board, "straight", "straight flush"), abs=ROUNDING)


@compiled_only
@pytest.mark.parametrize("text", ["9s8s7d", "KsKd7c", "Ks8s5s2d", "AsKs5c9d", "AsKs5c9c", "Ks8s5s2d2c", "Ks8s5s2s2c"])
def test_the_flush_is_counted_exactly(text: str) -> None:
    board = parse_cards(text)
    suits = np.bincount([card % 4 for card in board], minlength=4)
    chance = sum(flush_table()[6 * (len(board) - 3) + count] for count in suits)
    assert chance == pytest.approx(share(board, "flush", "straight flush"), abs=1e-12)


def test_boards_that_decide_it() -> None:
    """A straight or flush on board is everybody's; four of a kind on board leaves no room for either."""
    assert draw_chance(parse_cards("9s8d7c6h5s")) == 1.0
    assert draw_chance(parse_cards("AhJh8h5h2h")) == 1.0
    assert draw_chance(parse_cards("5c4d3h2sAc")) == 1.0
    assert draw_chance(parse_cards("KsKdKhKc2d")) == 0.0
    assert draw_chance(()) == 0.0


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", 0.0), ("9s8s7d", 0.0), ("9s9d7d", 0.5), ("9s9d9h", 1.0), ("9s9d7d7c", 1.0), ("9s9d7d2c", 0.5),
        ("9s9d7d7c2h", 1.0), ("AsKsQsJsTs", 0.0), ("AsAdAhAcKs", 1.0), ("2c9d2hKsQs", 0.5),
    ],
)  # fmt: skip
def test_pairs_on_board(text: str, value: float) -> None:
    assert paired(parse_cards(text)) == value


def test_impossible_boards_are_refused() -> None:
    with pytest.raises(ValueError, match="a board has 0, 3, 4 or 5 cards, not 2"):
        draw_chance(parse_cards("AsKs"))
    with pytest.raises(ValueError, match="60 is not a card"):
        draw_chance((60, 1, 2))
    with pytest.raises(ValueError, match="the card 2d appears twice"):
        paired((1, 1, 2))
