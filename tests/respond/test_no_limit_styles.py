"""LA, LP, TP and TA in spots every player knows."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare
from spots import kind, spot

import nemesis
from nemesis.respond.half_a_pro import HABITS as HABITS_OF_HP
from nemesis.respond.half_a_pro import HP
from nemesis.respond.no_limit_styles import HABITS, KIN_SPREAD, SIZES, TA, TP, WEAK
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
    """Eights on a king-high flop: LA raises it, the others call."""
    first = {"pot": 1200, "to_call": 600, "spent": 300}
    assert answers(DRY, "8c7c", **first) == {"la": "raise", "lp": "call", "tp": "call", "ta": "call"}


def test_nobody_folds_the_nuts_and_ta_raises_them() -> None:
    for board, hole in ((DRY, "KdKc"), ("Ks8d3c7h2d", "KdKc"), ("Th9h2h", "AhKh")):
        for to_call in (200, 2_000, 15_000):
            done = answers(board, hole, pot=2 * to_call, to_call=to_call, spent=1_000)
            assert "fold" not in done.values(), (board, hole, to_call, done)
            assert done["ta"] == "raise"


def test_tight_players_do_not_fold_aces_at_a_good_price() -> None:
    """76 big blinds to call into 324, aces still an overpair on the river: once the range is narrow, they are in it."""
    for name in ("nl-tp", "nl-ta", "hp"):
        player = nemesis.agent(name, GAME)
        preflop = {"pot": 400, "to_call": 200, "spent": 100, "wager": 100, "button": False}
        lines = (("", preflop), ("Ks8d3c", {"pot": 1800, "to_call": 600, "spent": 600, "button": False}))
        for board, chips in lines:
            assert kind(player.act(spot("AsAd", board, **chips))) != "fold", (name, board)
        river = spot("AsAd", "Ks8d3c7h2d", pot=32_400, to_call=7_600, spent=12_400, button=False, stack=20_000)
        assert kind(player.act(river)) != "fold", name


def test_ta_does_not_put_two_hundred_blinds_in_with_one_pair() -> None:
    """A bare pair of kings in the fourth raise for 200 big blinds is a fold, for 6 big blinds a call."""
    ta = nemesis.agent("nl-ta", GAME)
    line = (
        {"pot": 600, "to_call": 0, "spent": 300},
        {"pot": 1_800, "to_call": 600, "spent": 600, "wager": 300, "raises": 2},
        {"pot": 20_200, "to_call": 18_000, "spent": 1_200, "wager": 900, "raises": 3},
    )
    assert [kind(ta.act(spot("Kd2c", DRY, **chips))) for chips in line] == ["raise", "call", "fold"]
    assert answers(DRY, "Kd2c", pot=600, to_call=200, spent=200)["ta"] != "fold"


def test_ta_calls_less_the_more_it_costs() -> None:
    """Of all holdings on one flop, more go on against half a pot than against two, and most against a tenth of one."""
    ta = nemesis.agent("nl-ta", GAME)
    holdings = ["AhQh", "AdJc", "9c9h", "8c7c", "QdJd", "7h6h", "5c4c", "Tc6h", "AcAd", "Jh2h"]
    going_on = [
        sum(kind(ta.act(spot(h, DRY, pot=600 + bet, to_call=bet, spent=300, hand=bet + i))) != "fold"
            for i, h in enumerate(holdings))
        for bet in (60, 300, 1200)
    ]  # fmt: skip
    assert going_on == sorted(going_on, reverse=True)
    assert going_on[0] > going_on[2]


DICE = [(i + 0.5) / 20_000 for i in range(20_000)]


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


BLUFF = TA.bets * TA.bluffs / WEAK
"""How often TA bets a hand that has nothing to show, on the button."""


@pytest.mark.parametrize(
    ("hole", "rate", "chips"),
    [
        pytest.param("Tc6h", BLUFF / 2, {"pot": 200, "spent": 100, "button": False}, id="ten high in front"),
        pytest.param("Tc6h", BLUFF, {"pot": 200, "spent": 100}, id="ten high on the button"),
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


def test_ta_raises_the_flop_as_a_bluff_by_the_sizes_of_its_sets() -> None:
    """A hand that just does not call is raised now and then, a set always."""
    facing = {"pot": 1200, "to_call": 600, "spent": 300}
    by_hand = {hole: [to for to in throws("nl-ta", hole, "9sTh3h", **facing) if to > 1] for hole in ("Qs6d", "TcTd")}
    assert 0.01 < len(by_hand["Qs6d"]) / len(DICE) < 0.3
    assert len(by_hand["TcTd"]) == len(DICE)
    for raises in by_hand.values():
        assert set(raises) == {int(600 + 1800 * size) for size in SIZES}
        assert even(raises, 3)


def test_ta_goes_all_in_with_bluffs_where_it_does_with_good_hands() -> None:
    """With one pot left, 2/3 and 5/6 of it are most of the stack: two thirds of all bets are all in."""
    chips = {"pot": 1000, "spent": 500, "stack": 1500, "button": False}
    for hole in ("Tc6h", "KdKc"):
        bets = Counter(to for to in throws("nl-ta", hole, **chips) if to > 1)
        assert set(bets) == {500, 1000}
        assert bets[1000] / bets.total() == pytest.approx(2 / 3, abs=0.03)


def test_la_bets_any_size_with_any_hand() -> None:
    """0.6 to 1.2 pots: a bluff (45 %) and a set (80 %, for it traps) have one distribution of sizes, and it is even."""
    by_hand = {
        hole: [to for to in throws("nl-la", hole, pot=2_000, spent=1_000) if to > 1] for hole in ("4c2h", "KdKc")
    }
    assert len(by_hand["4c2h"]) / len(DICE) == pytest.approx(0.45, abs=0.005)
    assert len(by_hand["KdKc"]) / len(DICE) == pytest.approx(0.8, abs=0.01)
    for bets in by_hand.values():
        assert min(bets) >= 1200
        assert max(bets) < 2400
        assert even([to // 100 for to in bets], 12)


def test_ta_bets_half_as_often_in_front_without_the_initiative() -> None:
    """A middling hand out of position: with the raise before the flop its own, TA bets what it checks without."""
    ta = nemesis.agent("nl-ta", GAME)
    counts = []
    for raised in (False, True):
        bets = 0
        for hand in range(400):
            chips = {"pot": 200, "spent": 100, "button": False, "raises": 0}
            first = spot("AsAd" if raised else "9d4c", "", hand=hand, **chips)
            assert kind(ta.act(first)) == ("raise" if raised else "call")
            u = (hand + 0.5) / 400
            bets += ta.act(spot("Tc6h", DRY, pot=600, spent=300, hand=hand, chance=u, button=False)) > 1
        counts.append(bets / 400)
    assert counts[1] == pytest.approx(2 * counts[0], abs=0.03)
    assert counts[0] > 0.05


@pytest.mark.parametrize(
    ("name", "habits", "place"), [("nl-ta", TA, HABITS), ("nl-tp", TP, HABITS), ("hp", HP, HABITS_OF_HP)]
)
def test_kin_have_habits_near_those_of_their_relation(name: str, habits: Sequence[float], place: int) -> None:
    """Number 0 is the player itself; the others differ, each always in the same way, and about evenly up and down."""
    own = nemesis.agent(name, GAME).template[place:]
    assert own.tolist() == list(habits) == nemesis.agent(f"{name}:kin=0", GAME).template[place:].tolist()
    kin = np.array([nemesis.agent(f"{name}:kin={number}", GAME).template[place:] for number in range(1, 201)])
    assert (kin == [nemesis.agent(f"{name}:kin={number}", GAME).template[place:] for number in range(1, 201)]).all()
    assert len({tuple(each) for each in kin}) == len(kin)
    moved = np.log(kin[:, own > 0] / own[own > 0])
    assert np.abs(np.median(moved, axis=0)).max() < 0.15
    assert moved.std() == pytest.approx(KIN_SPREAD, rel=0.2)
    assert (kin[:, own == 0] == 0).all()


@pytest.mark.parametrize(("name", "place"), [("nl-ta", HABITS), ("hp", HABITS_OF_HP)])
def test_kin_raise_no_more_than_they_play(name: str, place: int) -> None:
    for number in range(200):
        opens, limps, *_ = nemesis.agent(f"{name}:kin={number}", GAME).template[place:]
        assert 0 < opens <= limps <= 1, number


@pytest.mark.parametrize("name", ["nl-ta", "nl-tp", "hp"])
@pytest.mark.parametrize("kin", ["-1", "1.5", "1000000", "nan", "inf"])
def test_kin_are_whole_numbers(name: str, kin: str) -> None:
    with pytest.raises(ValueError, match=f"{name} has kin by whole numbers from 0, itself, to 999999, not"):
        nemesis.agent(f"{name}:kin={kin}", GAME)


def test_kin_of_hp_play_their_own_habits() -> None:
    """On the same deals and dice other chips are won."""
    means = {
        nemesis.duel(f"hp:kin={kin}", "nl-la", game="no-limit", hands=400, seed=4).scores[0].mean for kin in range(4)
    }
    assert len(means) == 4
