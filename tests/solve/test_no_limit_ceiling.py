"""Exact ceilings against what is known without them: small trees by hand, and players who reach them."""

import numpy as np
import pytest

import nemesis
from nemesis.rules import games
from nemesis.rules.deal import deal
from nemesis.rules.tabulate import RIVER_HALVES
from nemesis.solve.no_limit_ceiling import (
    CALLING,
    HOTHEAD,
    _levels,
    _river_values,
    ceiling_against_careless,
    ceiling_against_scared,
    shipped_ceilings,
)

GAME = games.no_limit()


def test_the_chips_in_after_each_street_against_the_hothead() -> None:
    levels, nexts = _levels(100, 20_000, HOTHEAD)
    assert levels == [[100], [200, 300], [400, 600, 900], [800, 1200, 1800, 2700]]
    assert nexts[1].tolist() == [[0, 1], [1, 2]]
    assert _levels(100, 250, HOTHEAD)[0][-1] == [250]


def test_a_river_is_worth_the_stack_or_the_cheapest_way_out() -> None:
    """800 in before the river: bets of half the pot and the pot make it 1600 or 2400."""
    values = _river_values(800, 20_000, HOTHEAD)
    assert values[RIVER_HALVES] == 20_000
    assert values[0] == -800
    three_tenths = round(0.3 * RIVER_HALVES)
    assert values[three_tenths] == pytest.approx((-0.4 * 1600 - 800) / 2)
    assert _river_values(100, 20_000, CALLING)[0] == -100


def test_waiting_against_cm_is_worth_what_random_rivers_say() -> None:
    """The shipped figure, counted over every board, against a sample of deals."""
    dealt = deal(GAME, seed=5, count=200_000, facts={"win"})
    edge = 2 * dealt.win[:, :, 3].astype(np.float64) - 1
    worth = np.where(edge > 0, 20_000 * edge, 100 * edge).mean(axis=1) * 10
    margin = 4 * worth.std() / np.sqrt(len(worth))
    assert shipped_ceilings()["cm"].mean == pytest.approx(worth.mean(), abs=margin)


@pytest.mark.parametrize(("opponent", "share"), [("cm", 0.999), ("hm", 0.98)])
def test_the_patient_player_takes_the_ceiling_or_nearly(opponent: str, share: float) -> None:
    """Against CM patience is the best response; against HM its rule for the turn is a little too simple."""
    result = nemesis.duel("patient", opponent, hands=400_000, seed=3, workers=1)
    low, high = result.scores[0].ci95
    ceiling = shipped_ceilings()[opponent].mean
    assert low < ceiling < high or share * ceiling < result.scores[0].mean < ceiling * 1.02
    assert high > share * ceiling


def test_the_thief_takes_the_big_blind_from_sl_every_hand() -> None:
    result = nemesis.duel("thief", "sl", hands=2000, seed=1, workers=1)
    assert result.scores[0].mean == 1000
    assert shipped_ceilings()["sl"].ci95[0] == 1000


@pytest.mark.slow
def test_sl_has_little_more_to_give_than_its_blinds() -> None:
    exact = ceiling_against_scared(GAME)
    assert exact.low == 100
    assert 100 < exact.high < 101


def test_other_games_are_refused() -> None:
    with pytest.raises(ValueError, match=r"heads-up no-limit hold'em without antes, not limit"):
        ceiling_against_careless(games.limit(), CALLING)


def test_every_opponent_has_a_ceiling_and_its_kind() -> None:
    ceilings = shipped_ceilings()
    assert set(ceilings) == {"hm", "cm", "sl", "cs", "rg", "nl-la", "nl-lp", "nl-tp", "nl-ta", "hp"}
    assert {name for name, ceiling in ceilings.items() if ceiling.kind == "exact"} == {"hm", "cm", "sl"}
    for ceiling in ceilings.values():
        assert ceiling.ci95[0] <= ceiling.mean <= ceiling.ci95[1]
