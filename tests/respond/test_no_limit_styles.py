"""LA, LP, TP and TA in spots every player knows."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from scipy.stats import chisquare
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


DICE = [(i + 0.5) / 20_000 for i in range(20_000)]
SIZES = (0.5, 0.67, 0.85)


def throws(name: str, hole: str, board: str = DRY, **chips: Any) -> list[int]:
    """What a player does in one spot, hand after hand, with every number of `DICE`."""
    agent, view = nemesis.agent(name, GAME), spot(hole, board, **chips)
    done = []
    for hand, chance in enumerate(DICE):
        view.record["hand"], view.record["chance"] = hand, chance
        done.append(agent.act(view))
    return done


def even(sizes: Sequence[int], count: int) -> bool:
    """Whether there are so many different sizes, one as frequent as another."""
    found = Counter(sizes)
    return len(found) == count and bool(chisquare(list(found.values())).pvalue > 1e-6)


@pytest.mark.parametrize(
    ("hole", "rate", "chips"),
    [
        pytest.param("Tc6h", 0.1, {"pot": 200, "spent": 100, "button": False}, id="ten high in front"),
        pytest.param("Tc6h", 0.2, {"pot": 200, "spent": 100}, id="ten high on the button"),
        pytest.param("KdKc", 1.0, {"pot": 200, "spent": 100, "button": False}, id="a set"),
        pytest.param("Kd9h", 1.0, {"pot": 200, "spent": 100, "button": False}, id="top pair"),
    ],
)
def test_ta_bets_at_its_rate_and_the_size_tells_nothing(hole: str, rate: float, chips: dict[str, Any]) -> None:
    """In a limped pot: of each size a third, whether bluff or value."""
    bets = [to for to in throws("nl-ta", hole, **chips) if to > 1]
    assert len(bets) / len(DICE) == pytest.approx(rate, abs=0.005)
    assert set(bets) == {int(200 * size) for size in SIZES}
    assert even(bets, 3)


def test_ta_raises_the_flop_with_draws_by_the_sizes_of_its_sets() -> None:
    """A flush draw with two overcards is raised one time in four, a set always."""
    facing = {"pot": 600, "to_call": 200, "spent": 200}
    for hole, rate in (("AhJh", 0.25), ("TcTd", 1.0)):
        raises = [to for to in throws("nl-ta", hole, "9sTh3h", **facing) if to > 1]
        assert len(raises) / len(DICE) == pytest.approx(rate, abs=0.01)
        assert set(raises) == {int(200 + 800 * size) for size in SIZES}
        assert even(raises, 3)


def test_ta_raises_before_the_flop_as_a_bluff_by_the_sizes_of_its_aces() -> None:
    """A middling holding facing a raise, 12 %; aces always."""
    facing = {"pot": 400, "to_call": 200, "spent": 100, "wager": 100, "raises": 1, "button": False}
    for hole, rate in (("Qs7d", 0.12), ("AsAd", 1.0)):
        raises = [to for to in throws("nl-ta", hole, "", **facing) if to > 1]
        assert len(raises) / len(DICE) == pytest.approx(rate, abs=0.005)
        assert set(raises) == {int(300 + 600 * size) for size in SIZES}
        assert even(raises, 3)


def test_ta_goes_all_in_with_bluffs_where_it_does_with_good_hands() -> None:
    """With one pot left, 2/3 and 5/6 of it are most of the stack: two thirds of all bets are all in."""
    chips = {"pot": 1000, "spent": 500, "stack": 1500, "button": False}
    for hole in ("Tc6h", "KdKc"):
        bets = Counter(to for to in throws("nl-ta", hole, **chips) if to > 1)
        assert set(bets) == {500, 1000}
        assert bets[1000] / bets.total() == pytest.approx(2 / 3, abs=0.03)


def test_la_bets_any_size_with_any_hand() -> None:
    """0.6 to 1.2 pots: a bluff (45 %) and a set have one distribution of sizes, and it is even."""
    by_hand = {
        hole: [to for to in throws("nl-la", hole, pot=2_000, spent=1_000) if to > 1] for hole in ("4c2h", "KdKc")
    }
    assert len(by_hand["4c2h"]) / len(DICE) == pytest.approx(0.45, abs=0.005)
    assert len(by_hand["KdKc"]) == len(DICE)
    for bets in by_hand.values():
        assert min(bets) >= 1200
        assert max(bets) < 2400
        assert even([to // 100 for to in bets], 12)


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
