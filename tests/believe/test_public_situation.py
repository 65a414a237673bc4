"""What an onlooker knows at each decision of hands written out in full."""

from pathlib import Path

import numpy as np
import pytest

from nemesis.believe import public_situation as public
from nemesis.believe.public_situation import Situations, situations
from nemesis.observe.history import History, read_history

HAND = """variant = 'NT'
ante_trimming_status = false
antes = [0, 0, 0]
blinds_or_straddles = [2, 4, 0]
min_bet = 4
starting_stacks = [400, 200, 800]
actions = ['d dh p1 ????', 'd dh p2 ????', 'd dh p3 ????', 'p3 cbr 12', 'p1 f', 'p2 cc', 'd db 2c7hAs', 'p2 cc',
'p3 cbr 13', 'p2 cbr 188', 'p3 f']
players = ['Ann', 'Bob', 'Cy']
venue = 'Somewhere'
time = 12:00:00
day = 1
month = 1
year = 2020
hand = 'h1'
"""


def rows_of(history: History) -> Situations:
    return situations(history.games, history.hands, history.actions)


@pytest.fixture
def history(tmp_path: Path) -> History:
    file = tmp_path / "one.phh"
    file.write_text(HAND)
    return read_history([file])


def test_rows_tell_what_was_faced(history: History) -> None:
    found = rows_of(history)
    first, small_blind, big_blind, check, bet, shove, last = found.rows
    assert np.expm1(first[public.TO_CALL]) == pytest.approx(1)
    assert (first[public.LIVE], first[public.TO_BUTTON], first[public.FORCED]) == (3, 0, 0)
    assert small_blind[public.RAISES] == 1
    assert np.expm1(small_blind[public.TO_CALL]) == pytest.approx(10 / 4)
    assert big_blind[public.PRICE] == pytest.approx(8 / 26)
    assert np.expm1(check[public.POT]) == pytest.approx(26 / 4)
    assert (check[public.AGGRESSOR_PREFLOP], bet[public.AGGRESSOR_PREFLOP]) == (2, 1)
    assert (check[public.HIGH_CARD], check[public.SUITED], check[public.BOARD_PAIRS]) == (12, 1, 0)
    assert shove[public.BET_SIZE] == pytest.approx(13 / 26)
    assert (last[public.RAISES], last[public.OWN_ROLE]) == (2, 3)
    assert found.size[0] == pytest.approx(8 / 10)
    assert found.shove.tolist() == [False] * 5 + [True, False]


def test_a_row_does_not_depend_on_what_follows(history: History) -> None:
    """Changing the last action changes no row before it."""
    before = rows_of(history).rows
    history.actions["action"][-1] = 1
    history.actions["amount"][-1] = 175
    assert np.array_equal(rows_of(history).rows, before)


def test_rows_of_other_stakes_are_the_same(tmp_path: Path, history: History) -> None:
    file = tmp_path / "ten.phh"
    times_ten = HAND.replace("[2, 4, 0]", "[20, 40, 0]").replace("min_bet = 4", "min_bet = 40")
    times_ten = times_ten.replace("[400, 200, 800]", "[4000, 2000, 8000]")
    for amount in ("12", "188", "13"):
        times_ten = times_ten.replace(f"cbr {amount}'", f"cbr {amount}0'")
    file.write_text(times_ten)
    assert np.allclose(rows_of(read_history([file])).rows, rows_of(history).rows)
