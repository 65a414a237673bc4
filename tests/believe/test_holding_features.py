"""How holdings play on a board: rows read from cards whose part in the hand is plain."""

import numpy as np
import pytest

from nemesis.believe.holding_features import FEATURES, MADE, holding_features
from nemesis.believe.range_posterior import HOLDINGS, win_probabilities
from nemesis.rules.cards import cards_text, parse_cards

BOARD = "Ks9s4d8c2s"


def row_of(board: str, held: str) -> dict[str, int]:
    on = np.array(parse_cards(board), np.int8)
    high, low = sorted(parse_cards(held), reverse=True)
    row = holding_features(on, win_probabilities(on))[high * (high - 1) // 2 + low]
    return dict(zip(FEATURES, row.tolist(), strict=True))


def made(row: dict[str, int], street: str) -> str:
    found = [name for name in MADE if row[f"{name}_{street}"]]
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize(
    ("board", "held", "flop", "river"),
    [
        (BOARD, "KhQh", "top_pair", "top_pair"),
        (BOARD, "AhAd", "overpair", "overpair"),
        (BOARD, "JhJd", "second_pocket_pair", "second_pocket_pair"),
        (BOARD, "5h5d", "low_pocket_pair", "low_pocket_pair"),
        (BOARD, "9h4h", "two_pair", "two_pair"),
        (BOARD, "4h4s", "set", "set"),
        (BOARD, "Ah9d", "second_pair", "second_pair"),
        (BOARD, "AhQd", "nothing", "nothing"),
        (BOARD, "AsQs", "nothing", "flush"),
        (BOARD, "JdTd", "nothing", "nothing"),
        ("Ks9s4dQcJh", "AhTd", "nothing", "straight"),
        ("Ah2d3cKs5h", "4s4d", "second_pocket_pair", "straight"),
        ("KsKd4d8c8s", "KhQh", "trips", "full_house"),
        ("KsQsJsTsAs", "2h2d", "low_pocket_pair", "low_pocket_pair"),
    ],
)
def test_what_hole_cards_make(board: str, held: str, flop: str, river: str) -> None:
    row = row_of(board, held)
    assert (made(row, "flop"), made(row, "river")) == (flop, river)


def test_draws_are_told_on_the_streets_before_the_river() -> None:
    flush = row_of(BOARD, "AsQs")
    assert flush["flush_draw_of_two_flop"]
    assert flush["flush_draw_of_two_turn"]
    assert flush["flush_draw_high_flop"] == 12 * 20
    assert not flush["flush_draw_of_two_river"]
    assert row_of(BOARD, "AsQd")["backdoor_flush_draw_flop"] == 0
    assert row_of("Ks9d4d8c2s", "AsQs")["backdoor_flush_draw_flop"]
    assert row_of("Ks9s4s8c2d", "AsQd")["flush_draw_of_one_flop"]
    assert row_of(BOARD, "JdTd")["gutshot_flop"]
    assert row_of(BOARD, "JdTd")["open_straight_draw_turn"]


def test_cards_and_win_probability() -> None:
    row = row_of(BOARD, "AhQh")
    assert (row["high"], row["low"], row["pair"], row["suited"], row["one_gap"]) == (240, 200, 0, 255, 255)
    assert row["overcards_flop"] == 127
    on = np.array(parse_cards(BOARD), np.int8)
    win = win_probabilities(on)
    rows = holding_features(on, win)
    possible = np.isfinite(win[0])
    place = FEATURES.index("win_river")
    np.testing.assert_allclose(rows[possible, place] / 255, win[3, possible], atol=1 / 255)
    assert not rows[~possible].any()
    assert rows[possible, FEATURES.index("percentile_river")].mean() == pytest.approx(127, abs=1.5)


def test_suits_that_play_no_part_change_nothing() -> None:
    """The same hand with hearts and diamonds exchanged on board and in the hand is the same row."""
    other = str.maketrans("hd", "dh")
    for at in range(0, len(HOLDINGS), 97):
        held = cards_text(HOLDINGS[at])
        if {*HOLDINGS[at].tolist()} & {*parse_cards(BOARD)}:
            continue
        assert row_of(BOARD, held) == row_of(BOARD.translate(other), held.translate(other))


def test_a_board_without_a_river_is_refused() -> None:
    on = np.array([*parse_cards("Ks9s4d8c"), -1], np.int8)
    with pytest.raises(ValueError, match="a board of five cards"):
        holding_features(on, win_probabilities(on))
