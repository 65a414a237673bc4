"""The account that TP, TA and HP keep of the hands they have come here with."""

import pytest
from spots import spot

from nemesis.respond.own_range import (
    AT,
    HIGH_STAYS,
    LOW_WIDENS,
    fresh_range,
    keep_best,
    lose_best,
    minimum_defence,
    note_choice,
    place,
    recall,
    standing,
)

DRY = "Ks8d3c"


def test_standing_before_the_flop_is_the_part_of_holdings_that_are_worse() -> None:
    assert standing(spot("AsAd", pot=150).record[0]) > 0.995
    assert standing(spot("3c2d", pot=150).record[0]) < 0.01
    assert standing(spot("Js7d", pot=150).record[0]) == pytest.approx(0.6, abs=0.1)


def test_a_range_begins_with_all_hands_and_keeps_its_best() -> None:
    memory = fresh_range()
    recall(spot("AsAd", pot=150, to_call=50, spent=50, wager=50, raises=0).record[0], memory)
    assert (memory[AT.low], memory[AT.high]) == (0.0, 1.0)
    keep_best(memory, 0.5)
    assert (memory[AT.low], memory[AT.high]) == (0.5, 1.0)
    lose_best(memory, 0.2)
    assert (memory[AT.low], memory[AT.high]) == pytest.approx((0.5, 0.9))


def test_a_new_street_widens_the_range_and_a_new_hand_forgets_it() -> None:
    memory = fresh_range()
    recall(spot("AsAd", pot=150).record[0], memory)
    keep_best(memory, 0.5)
    lose_best(memory, 0.5)
    recall(spot("AsAd", DRY, pot=600, spent=300).record[0], memory)
    assert memory[AT.low] == pytest.approx(1 - 0.5 ** LOW_WIDENS[1])
    assert memory[AT.high] == pytest.approx(1 - 0.25 * HIGH_STAYS[1])
    recall(spot("AsAd", pot=150, hand=1).record[0], memory)
    assert (memory[AT.low], memory[AT.high]) == (0.0, 1.0)


def test_the_place_of_a_hand_is_within_the_range_not_within_all_hands() -> None:
    memory = fresh_range()
    view = spot("8c7c", "Ks8d3c7h2d", pot=600, spent=300).record[0]
    recall(view, memory)
    everywhere = place(view, memory)
    memory[AT.low], memory[AT.high] = 0.8, 1.0
    assert place(view, memory) < everywhere
    memory[AT.low], memory[AT.high] = 0.0, 0.5
    assert place(view, memory) > 1.0


@pytest.mark.parametrize(("bet", "share"), [(300, 2 / 3), (600, 1 / 2), (1200, 1 / 3)])
def test_minimum_defence_is_the_pot_before_the_bet_by_the_pot_with_it(bet: int, share: float) -> None:
    view = spot("AsAd", DRY, pot=600 + bet, to_call=bet, spent=300).record[0]
    memory = fresh_range()
    recall(view, memory)
    assert minimum_defence(view, memory) == pytest.approx(share)


def test_a_raise_of_our_bet_is_measured_from_the_pot_we_made() -> None:
    """We bet 300 into 600 and are raised to 1200: 900 in the pot before it, 2100 with it."""
    memory = fresh_range()
    bet = spot("AsAd", DRY, pot=600, spent=300, stack=20_000).record[0]
    recall(bet, memory)
    note_choice(bet, memory, 300)
    raised = spot("AsAd", DRY, pot=2100, to_call=900, spent=600, wager=300, raises=2).record[0]
    recall(raised, memory)
    assert minimum_defence(raised, memory) == pytest.approx(900 / 2100)
