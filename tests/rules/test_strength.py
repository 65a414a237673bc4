"""Win probabilities and hand strengths are exact: published where printed, counted one by one elsewhere."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nemesis.rules.cards import parse_cards
from nemesis.rules.evaluator import hand_rank, hand_ranks
from nemesis.rules.holdem import holdem_numbers
from nemesis.rules.strength import hand_strength, strength_tables, win_probability
from nemesis.rules.tabulate import FULL
from nemesis.runtime.compiled import COMPILING

compiled_only = pytest.mark.skipif(not COMPILING, reason="millions of hands, too many to compare uncompiled")
law = settings(deadline=None, max_examples=40)


def spots(board):
    return st.lists(st.integers(0, 51), min_size=2 + board, max_size=2 + board, unique=True).map(
        lambda cards: (cards[:2], cards[2:])
    )


def counted(hole, board):
    """The strength of a hole on a board as it stands, comparing with every opponent's hole."""
    unseen = [card for card in range(52) if card not in (*hole, *board)]
    holdings = np.array([(*board, *holding) for holding in combinations(unseen, 2)])
    theirs, ours = hand_ranks(holdings), hand_rank((*hole, *board))
    return float((theirs < ours).mean() + (theirs == ours).mean() / 2)


def rolled_out(hole, board):
    """The win probability, dealing every board to its end."""
    unseen = [card for card in range(52) if card not in (*hole, *board)]
    ends = combinations(unseen, 5 - len(board))
    return float(np.mean([counted(hole, (*board, *end)) for end in ends]))


@pytest.mark.parametrize(
    ("hole", "published"), [("AsAh", 0.852037), ("3c2d", 0.323032), ("7c2d", 0.345836), ("AsKs", 0.670446)]
)
def test_before_the_flop_as_published(hole, published):
    assert win_probability(parse_cards(hole)) == pytest.approx(published, abs=5e-7)
    assert hand_strength(parse_cards(hole)) == win_probability(parse_cards(hole))


def test_the_published_strength_of_ace_queen_on_three_four_jack():
    assert hand_strength(parse_cards("AdQc"), parse_cards("3h4cJh")) == pytest.approx(632.5 / 1081, abs=1e-12)


@law
@given(spots(3))
def test_the_strength_on_a_flop_is_exact(spot):
    assert hand_strength(*spot) == pytest.approx(counted(*spot), abs=1e-12)


@law
@given(spots(4))
def test_the_strength_on_a_turn_is_exact(spot):
    assert hand_strength(*spot) == pytest.approx(counted(*spot), abs=1e-12)


@settings(deadline=None, max_examples=200)
@given(spots(5))
def test_a_river_is_exact(spot):
    assert win_probability(*spot) == pytest.approx(counted(*spot), abs=1e-12)
    assert hand_strength(*spot) == win_probability(*spot)


@pytest.mark.parametrize(
    ("hole", "board"),
    [
        ("AsKd", "QsJs2s7h7d"),
        ("7c2d", "QsJs2s7h7d"),
        ("2s2d", "QsJs2c7h7d"),
        ("As3d", "KsQs7s2s9d"),
        ("3d3c", "KsQs7s2s9d"),
        ("3d3c", "KsQs7s2s3h"),
        ("AsAh", "KsQs7s2s9s"),
        ("3d3c", "KsQs7s2s9s"),
        ("8s6s", "KsQs7s5s9s"),
        ("3d4c", "AsKsQsJsTs"),
        ("2c2d", "2h2s9c9d9h"),
        ("AcAd", "2h2s2c2d9h"),
    ],
)
def test_rivers_with_flushes_and_full_boards_are_exact(hole, board):
    hole, board = parse_cards(hole), parse_cards(board)
    assert win_probability(hole, board) == pytest.approx(counted(hole, board), abs=1e-12)


@compiled_only
@law
@given(spots(4))
def test_a_turn_is_the_mean_of_its_rivers(spot):
    assert win_probability(*spot) == pytest.approx(rolled_out(*spot), abs=1 / FULL)


@compiled_only
@pytest.mark.parametrize(("hole", "board"), [("AsKs", "Qs7s2d"), ("7c2d", "9h9s9d"), ("5h4h", "6h7h8h")])
def test_a_flop_is_the_mean_of_its_turns_and_rivers(hole, board):
    hole, board = parse_cards(hole), parse_cards(board)
    assert win_probability(hole, board) == pytest.approx(rolled_out(hole, board), abs=1 / FULL)


@law
@given(st.lists(st.integers(0, 51), min_size=2, max_size=2, unique=True), st.permutations(range(4)))
def test_before_the_flop_suits_have_no_rank(hole, suits):
    renamed = [card // 4 * 4 + suits[card % 4] for card in hole]
    assert win_probability(hole) == pytest.approx(win_probability(renamed), abs=1e-15)


@law
@given(spots(5), st.permutations(range(4)), st.sampled_from([3, 4, 5]))
def test_suits_have_no_rank(spot, suits, seen):
    hole, board = spot[0], spot[1][:seen]
    new_hole, new_board = ([card // 4 * 4 + suits[card % 4] for card in cards] for cards in (hole, board))
    assert win_probability(hole, board) == win_probability(new_hole, new_board)
    assert hand_strength(hole, board) == hand_strength(new_hole, new_board)


def test_the_average_hand_wins_half_the_time():
    assert strength_tables().preflop.mean() == pytest.approx(0.5, abs=1e-12)


def test_a_batch_of_deals_holds_the_same_numbers():
    deck = [np.random.default_rng(deal).permutation(52) for deal in range(300)]
    holes = np.array([cards[:6].reshape(3, 2) for cards in deck])
    boards = np.array([cards[6:11] for cards in deck])
    numbers = holdem_numbers(holes, boards)
    for deal in range(0, 300, 10):
        for seat in range(3):
            hole, board = holes[deal, seat].tolist(), boards[deal].tolist()
            assert numbers.ranks[deal, seat] == hand_rank(hole + board)
            for street, seen in enumerate((0, 3, 4, 5)):
                assert numbers.win[deal, seat, street] == pytest.approx(win_probability(hole, board[:seen]), abs=1e-6)
                assert numbers.strength[deal, seat, street] == pytest.approx(
                    hand_strength(hole, board[:seen]), abs=1e-6
                )


def test_a_batch_leaves_out_what_is_not_wanted():
    holes, boards = [[parse_cards("AsAh"), parse_cards("KsKh")]], [parse_cards("2c7d9hJs4c")]
    both = holdem_numbers(holes, boards)
    only_win = holdem_numbers(holes, boards, strength=False)
    only_strength = holdem_numbers(holes, boards, win=False)
    neither = holdem_numbers(holes, boards, win=False, strength=False)
    assert np.array_equal(only_win.win, both.win)
    assert np.array_equal(only_strength.strength, both.strength)
    assert only_win.strength.size == only_strength.win.size == neither.win.size == 0
    assert both.ranks.tolist() == neither.ranks.tolist()
    assert both.ranks[0, 0] > both.ranks[0, 1]


def test_bad_spots_are_refused_in_a_sentence():
    with pytest.raises(ValueError, match="a hold'em hand has 2 cards, not 3"):
        win_probability(parse_cards("AsKsQs"))
    with pytest.raises(ValueError, match="a hold'em board has 0, 3, 4 or 5 cards, not 2"):
        win_probability(parse_cards("AsKs"), parse_cards("2c3c"))
    with pytest.raises(ValueError, match="the card As appears twice"):
        hand_strength(parse_cards("AsKs"), parse_cards("As3c4c"))
    with pytest.raises(ValueError, match="deal number 0 holds a card twice"):
        holdem_numbers([[[0, 1], [1, 2]]], [[3, 4, 5, 6, 7]])
    with pytest.raises(ValueError, match=r"boards must have the shape \(1, 5\)"):
        holdem_numbers([[[0, 1], [8, 2]]], [[3, 4, 5, 6]])
    with pytest.raises(ValueError, match="a card is a number from 0 to 51; these run from 0 to 99"):
        holdem_numbers([[[0, 1], [8, 2]]], [[3, 4, 5, 6, 99]])
