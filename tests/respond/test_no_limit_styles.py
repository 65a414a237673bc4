"""LA, LP, TP and TA in spots every player knows."""

import pytest
from spots import kind, spot

import nemesis
from nemesis.respond.commitment import needed_to_call, share_left, standing
from nemesis.rules import games

GAME = games.no_limit()
DRY = "Ks8d3c"


def answers(board: str, hole: str, chance: float = 0.999, **chips: int) -> dict[str, str]:
    return {
        name: kind(nemesis.agent(f"nl-{name}", GAME).act(spot(hole, board, chance=chance, **chips)))
        for name in ("la", "lp", "tp", "ta")
    }


@pytest.mark.parametrize("hole", ["AsAd", "KdKc", "7c2d"])
def test_opening_the_button(hole: str) -> None:
    """With aces the aggressive two raise and the passive two limp; seven-deuce only LA and LP may play."""
    done = answers("", hole, pot=150, to_call=50, spent=50, wager=50, raises=0)
    if hole == "7c2d":
        assert (done["tp"], done["ta"]) == ("fold", "fold")
    else:
        assert done == {"la": "raise", "lp": "call", "tp": "call", "ta": "raise"}


def test_middle_pair_against_a_pot_sized_bet() -> None:
    """Eights on a king-high flop: LA raises it, LP and TA call one bet, TP folds once the bets become big."""
    first = {"pot": 1200, "to_call": 600, "spent": 300}
    assert answers(DRY, "8c7c", **first)["lp"] == "call"
    assert answers(DRY, "8c7c", **first)["la"] == "raise"
    assert answers(DRY, "8c7c", **first)["ta"] == "call"
    assert answers(DRY, "8c7c", pot=20_000, to_call=10_000, spent=5_000)["tp"] == "fold"


def test_nobody_folds_the_nuts_and_ta_raises_them() -> None:
    for board, hole in ((DRY, "KdKc"), ("Ks8d3c7h2d", "KdKc"), ("Th9h2h", "AhKh")):
        for to_call in (200, 2_000, 15_000):
            done = answers(board, hole, pot=2 * to_call, to_call=to_call, spent=1_000)
            assert "fold" not in done.values(), (board, hole, to_call, done)
            assert done["ta"] == "raise"


def test_ta_does_not_put_two_hundred_blinds_in_with_one_pair() -> None:
    """A bare pair of kings in the fourth raise for 200 big blinds is a fold, for 6 big blinds a call."""
    deep = {"pot": 24_000, "to_call": 12_000, "spent": 6_000, "wager": 6_000, "raises": 4, "stack": 20_000}
    assert answers("Ks8d3c", "Kd2c", **deep)["ta"] == "fold"
    assert answers("Ks8d3c", "Kd2c", pot=600, to_call=200, spent=200)["ta"] != "fold"


def test_ta_calls_less_the_more_it_costs_and_the_more_is_in() -> None:
    view = spot("8c7c", DRY, pot=600, to_call=200, spent=200).record[0]
    same_price_deeper = spot("8c7c", DRY, pot=6000, to_call=2000, spent=2000).record[0]
    dearer = spot("8c7c", DRY, pot=600, to_call=600, spent=200).record[0]
    assert needed_to_call(view, 2.0) < needed_to_call(same_price_deeper, 2.0)
    assert needed_to_call(view, 2.0) < needed_to_call(dearer, 2.0)
    assert share_left(2.0, 400.0, 100.0) == 1.0
    assert share_left(2.0, 1600.0, 100.0) == pytest.approx(0.5)


def test_standing_before_the_flop_is_the_part_of_holdings_that_are_worse() -> None:
    assert standing(spot("AsAd", pot=150).record[0]) > 0.995
    assert standing(spot("3c2d", pot=150).record[0]) < 0.01
    assert standing(spot("Js7d", pot=150).record[0]) == pytest.approx(0.6, abs=0.1)


def test_ta_bluffs_at_its_rate_and_with_the_sizes_of_its_good_hands() -> None:
    """Ten high in front after a limped pot: one hand in ten is bet; a set always, both at 1/2, 2/3 or 5/6 pot."""
    ta = nemesis.agent("nl-ta", GAME)
    dice = [(i + 0.5) / 2000 for i in range(2000)]
    sizes = {}
    for hole, rate in (("Tc6h", 0.1), ("KdKc", 1.0)):
        bets = [ta.act(spot(hole, DRY, pot=200, spent=100, button=False, chance=u, hand=i)) for i, u in enumerate(dice)]
        sizes[hole] = {bet for bet in bets if bet > 1}
        assert sum(bet > 1 for bet in bets) / 2000 == pytest.approx(rate, abs=0.01)
    assert sizes["Tc6h"] == sizes["KdKc"] == {100, 134, 170}


def test_ta_bets_the_flop_more_often_with_the_initiative() -> None:
    ta = nemesis.agent("nl-ta", GAME)
    counts = []
    for raised in (False, True):
        bets = 0
        for hand in range(400):
            u = (hand + 0.5) / 400
            opening = spot(
                "Tc6h", pot=150, to_call=50, spent=50, wager=50, raises=0, hand=hand, chance=0.0 if raised else 0.99
            )
            assert kind(ta.act(opening)) == ("raise" if raised else "call")
            bets += ta.act(spot("Tc6h", DRY, pot=600, spent=300, hand=hand, chance=u)) > 1
        counts.append(bets / 400)
    assert counts == pytest.approx([0.2, 0.55], abs=0.02)


def test_shorter_stacks_are_played_for_with_less() -> None:
    """Ace-nine offsuit against a shove: a fold for 200 big blinds, a call for 8."""
    ta = nemesis.agent("nl-ta", GAME)
    assert kind(ta.act(spot("As9d", pot=20_100, to_call=19_900, spent=100, wager=100))) == "fold"
    assert kind(ta.act(spot("As9d", pot=900, to_call=700, spent=100, wager=100, stack=800))) != "fold"
