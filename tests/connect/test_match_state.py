"""Match states as the specification of the protocol 2.0.0 prints them, read and written."""

import pytest

import nemesis
from nemesis.connect.match_state import Betting, Notation, StateError, tokens
from nemesis.rules.betting import CALL, FOLD, RAISE
from nemesis.rules.cards import parse_cards


def test_a_state_of_the_specification() -> None:
    notation = Notation(nemesis.game("no-limit"))
    state = notation.read("MATCHSTATE:1:31:r300r900c/r1800r3600r9000c/:|JdTc/6dJc9c/Kh")
    assert state[:3] == (1, 31, "r300r900c/r1800r3600r9000c/")
    assert notation.read_cards(state.cards) == ({1: parse_cards("JdTc")}, parse_cards("6dJc9cKh"))
    assert list(tokens("r300r900c/r1800")) == ["r300", "r900", "c", "/", "r1800"]


def test_raises_name_all_chips_of_the_hand() -> None:
    """The no-limit hand 31 of the specification: 300, 900, then 1800 in all is a bet of 900 on the flop."""
    notation = Notation(nemesis.game("no-limit"))
    betting = Betting(notation)
    for action, to, street in (
        (2, 300, 0),
        (2, 900, 0),
        (1, 900, 1),
        (2, 900, 1),
        (2, 2700, 1),
        (2, 8100, 1),
        (1, 8100, 2),
    ):
        betting.add(action, to)
        betting.reach(street)
    betting.add(RAISE, 11000)
    betting.add(CALL, 11000)
    betting.reach(3)
    assert betting.text == "r300r900c/r1800r3600r9000c/r20000c/"
    assert notation.read_action("r1800", 900, 0) == 900
    assert notation.action_text(FOLD, 900) == "f"


def test_limit_raises_name_nothing() -> None:
    notation = Notation(nemesis.game("limit"))
    assert notation.action_text(20, 10) == "r"
    assert notation.read_action("r", 10, 20) == 20
    with pytest.raises(StateError, match="f, c or r would be one"):
        notation.read_action("r20", 10, 20)


def test_small_decks_have_the_highest_cards() -> None:
    assert Notation(nemesis.game("kuhn")).hole_text([0, 1, 2]) == "QsKsAs"
    assert Notation(nemesis.game("leduc")).hole_text([0, 1, 5]) == "QhQsAs"


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("", "no match state"),
        ("MATCHSTATE:0:0", "no match state"),
        ("MATCHSTATE:0:0:x:AsKs|", "no match state"),
        ("MATCHSTATE:2:0::AsKs|", "position 2"),
        ("MATCHSTATE:0:99999999999999999999::AsKs|", "no match state"),
        ("MATCHSTATE:0:٣::AsKs|", "no match state"),
    ],
)
def test_lines_that_are_no_states(line: str, complaint: str) -> None:
    with pytest.raises(StateError, match=complaint):
        Notation(nemesis.game("no-limit")).read(line)


@pytest.mark.parametrize(
    ("cards", "complaint"),
    [
        ("AsKs", "1 positions"),
        ("AsKs|AsQd", "twice"),
        ("AsK|", "no card"),
        ("As|", "other than 2"),
        ("AsKs|/2c3c", "2 board cards"),
        ("AsKs|/2c3c4c/5c/6c/7c", "board cards on street 5"),
    ],
)
def test_cards_that_cannot_be(cards: str, complaint: str) -> None:
    with pytest.raises(StateError, match=complaint):
        Notation(nemesis.game("no-limit")).read_cards(cards)


@pytest.mark.parametrize("text", ["", "x", "r", "r-5", "r" + "9" * 19, "r5.0", "cc", "r٣"])
def test_no_limit_actions_that_are_none(text: str) -> None:
    with pytest.raises(StateError, match="is no action"):
        Notation(nemesis.game("no-limit")).read_action(text, 0, 0)
