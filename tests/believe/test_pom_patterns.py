"""The 35 inputs of the POM thesis's table A.1, on a hand whose every number is known."""

from pathlib import Path

import numpy as np
import pytest

from nemesis.believe.pom_patterns import INPUTS, Patterns, patterns_of, player_patterns
from nemesis.observe.history import read_history
from nemesis.observe.importing import import_files
from nemesis.observe.store import open_store
from nemesis.rules.cards import parse_cards
from nemesis.rules.hand_classes import board_texture, improvement
from nemesis.rules.strength import hand_strength

HAND = """variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [200, 200, 200]
actions = ["d dh p1 ????", "d dh p2 ????", "d dh p3 ????", "p3 cbr 6", "p1 f", "p2 cc",
  "d db AhKd7d", "p2 cc", "p3 cbr 8", "p2 cc", "d db 2d", "p2 cbr 20", "p3 cc", "d db 9c", "p2 cc", "p3 cc",
  "p2 sm AsQd", "p3 sm KsKc"]
players = ["ann", "bob", "cat"]
hand = 1
"""


@pytest.fixture
def bob(tmp_path: Path) -> Patterns:
    path = tmp_path / "hand.phh"
    path.write_text(HAND)
    history = read_history([path])
    return patterns_of(history, history.players.index("bob"))


def said(patterns: Patterns, row: int) -> dict[str, float]:
    return dict(zip(INPUTS, patterns.inputs[row].tolist(), strict=True))


def test_there_are_33_inputs_and_a_pattern_for_each_of_his_five_decisions(bob: Patterns) -> None:
    assert len(INPUTS) == 33
    assert bob.inputs.shape == (5, 33)
    assert bob.done.tolist() == [1, 1, 1, 2, 1]
    assert bob.rounds == 1


def test_before_the_flop_he_faces_a_raise_from_the_button(bob: Patterns) -> None:
    first = said(bob, 0)
    assert first["last action"] == 0
    assert first["preflop betting frequency"] == pytest.approx((1.0 + 0.0) / 2)
    assert first["one-pair probability"] == pytest.approx(1 / 17)
    assert (first["is the dealer"], first["paid the small blind"], first["paid the big blind"]) == (0, 0, 1)
    assert first["relative position"] == pytest.approx(2 / 3)
    assert (first["active players"], first["heads-up"]) == (pytest.approx(2 / 3), 1)
    assert first["pot ratio"] == pytest.approx(4 / 9)
    assert first["immediate pot ratio"] == pytest.approx(4 / 13)
    amounts = [first[f"amount to call is {amount}"] for amount in ("1", "2", "2 or more")]
    assert amounts == [0, 1, 1]


def test_on_the_turn_the_board_and_the_betting_are_told(bob: Patterns) -> None:
    third = said(bob, 3)
    assert third["last action"] == 0.5
    assert third["preflop betting frequency"] == pytest.approx((1.0 + 0.0 + 0.5) / 3)
    assert third["flop betting frequency"] == pytest.approx((0.25 + 0.75 + 0.5) / 3)
    assert third["turn betting frequency"] == 0
    assert third["A, K, Q among the board cards"] == pytest.approx(2 / 4)
    assert (third["a King on the board"], third["an Ace on the board"]) == (1, 1)
    assert (third["a flush is possible"], third["a straight is possible"]) == (1, 0)
    assert third["flush probability"] == pytest.approx(board_texture(parse_cards("AhKd7d2d"))[5])
    assert (third["flop"], third["turn"], third["river"]) == (0, 1, 0)
    assert (third["pot ratio"], third["amount to call is 2 or more"]) == (0, 0)


def test_shown_cards_are_walked_back_street_by_street(bob: Patterns) -> None:
    hole = parse_cards("AsQd")
    boards = ["", "AhKd7d", "AhKd7d", "AhKd7d2d", "AhKd7d2d9c"]
    for row, board in enumerate(boards):
        potential, strength = bob.potency[row]
        assert potential == pytest.approx(improvement(hole, parse_cards(board)))
        assert strength == pytest.approx(hand_strength(hole, parse_cards(board)), abs=1e-4)
    assert [card for card in bob.board[3].tolist() if card >= 0] == list(parse_cards("AhKd7d2d"))


def test_a_player_who_showed_nothing_has_no_potency(tmp_path: Path) -> None:
    path = tmp_path / "hand.phh"
    path.write_text(HAND)
    history = read_history([path])
    ann = patterns_of(history, history.players.index("ann"))
    assert ann.done.tolist() == [0]
    assert np.isnan(ann.potency).all()
    assert not ann.shown.any()
    assert (ann.hole == -1).all()


def test_the_store_gives_the_same_patterns(tmp_path: Path, bob: Patterns) -> None:
    with open_store(tmp_path / "hands.duckdb", writing=True) as store:
        import_files(store, [tmp_path / "hand.phh"])
        for ours, theirs in zip(bob, player_patterns(store, "bob"), strict=True):
            np.testing.assert_array_equal(ours, theirs)
