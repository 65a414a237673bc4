"""Boards that differ only in the names of their suits are one board."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nemesis.rules.canonical import (
    FLOPS,
    HOLES,
    PERMUTATIONS,
    RIVERS,
    TURNS,
    canonical_board,
    canonical_boards,
    canonical_tables,
    code_index,
    code_permutation,
    flop_code,
    hole_cards,
    hole_number,
    turn_code,
)
from nemesis.rules.cards import parse_cards

law = settings(deadline=None)
cards = st.integers(0, 51)
boards = st.integers(3, 5).flatmap(lambda size: st.lists(cards, min_size=size, max_size=size, unique=True))


def renamed(board, permutation):
    return sorted(card // 4 * 4 + permutation[card % 4] for card in board)


@pytest.mark.parametrize(("size", "published"), [(3, 1755), (4, 16432), (5, 134459)])
def test_as_many_boards_as_published_and_together_all_boards(size, published):
    table = canonical_boards(size)
    assert len(table.forms) == published
    assert table.sizes.sum() == {3: 22100, 4: 270725, 5: 2598960}[size]


def test_the_published_counts_are_the_named_constants():
    assert (FLOPS, TURNS, RIVERS, HOLES) == (1755, 16432, 134459, 1326)


@pytest.mark.parametrize(("one", "other"), [("AsKs2d", "AhKh2c"), ("AsKd2d", "AcKh2h"), ("9c9d4s4h", "9h9s4c4d")])
def test_renamed_suits_make_the_same_board(one, other):
    assert canonical_board(parse_cards(one))[0] == canonical_board(parse_cards(other))[0]


@pytest.mark.parametrize(("one", "other"), [("AsKs2d", "AsKd2d"), ("AsKs2d", "AsKs2s"), ("9c9d4c4d", "9c9d4c4h")])
def test_another_pattern_of_suits_is_another_board(one, other):
    assert canonical_board(parse_cards(one))[0] != canonical_board(parse_cards(other))[0]


@law
@given(boards, st.sampled_from(PERMUTATIONS))
def test_any_renaming_of_suits_leaves_the_index_alone(board, permutation):
    assert canonical_board(board)[0] == canonical_board(renamed(board, permutation))[0]


@law
@given(boards)
def test_the_permutation_leads_to_the_cards_of_the_canonical_board(board):
    index, permutation = canonical_board(board)
    assert renamed(board, permutation) == canonical_boards(len(board)).cards[index].tolist()


@law
@given(st.lists(cards, min_size=4, max_size=4, unique=True))
def test_lookups_in_any_order_of_the_cards_agree_with_the_sorting_of_suits(board):
    tables = canonical_tables()
    for code, size in ((flop_code(*board[:3], tables), 3), (turn_code(*board, tables), 4)):
        index, permutation = canonical_board(board[:size])
        assert (code_index(code), PERMUTATIONS[code_permutation(code)]) == (index, permutation)


def test_a_hole_has_one_number_in_either_order():
    numbers = [hole_number(pair) for pair in combinations(range(52), 2)]
    assert sorted(numbers) == list(range(1326))
    assert hole_number(parse_cards("AsKd")) == hole_number(parse_cards("KdAs"))
    assert [hole_number(pair) for pair in hole_cards()] == list(range(1326))


def test_a_permutation_moves_a_hole_as_it_moves_its_cards():
    swap = PERMUTATIONS.index((1, 0, 2, 3))
    moved = canonical_tables().holes[swap]
    assert moved[hole_number(parse_cards("AcKh"))] == hole_number(parse_cards("AdKh"))
    assert np.array_equal(np.sort(moved), np.arange(1326))


def test_a_board_has_three_to_five_cards():
    with pytest.raises(ValueError, match="a board has 3, 4 or 5 cards, not 2"):
        canonical_board(parse_cards("AsKs"))
