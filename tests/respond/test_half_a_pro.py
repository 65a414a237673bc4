"""Half-a-pro floats, check-raises and fires again, as it says and as often as it says."""

from collections import Counter

import numpy as np
import pytest
from scipy.stats import chi2_contingency, chisquare
from spots import kind, spot

import nemesis
from nemesis.observe.hand import Hand, decisions
from nemesis.play.recording import record_match
from nemesis.respond.half_a_pro import BARRELS, FLOATS, HP
from nemesis.respond.no_limit_styles import SIZES
from nemesis.rules import games

GAME = games.no_limit()
FLOP, TURN, RIVER = "Ks8d3c", "Ks8d3c7h", "Ks8d3c7h2d"
DICE = [(i + 0.5) / 4000 for i in range(4000)]


def roll(u: float) -> float:
    """Another number between 0 and 1 that has nothing to do with `u`."""
    return float(np.random.default_rng(int(1e9 * u)).random())


def test_it_floats_a_hand_that_ta_folds_and_takes_the_pot_away_on_the_turn() -> None:
    hp, ta = nemesis.agent("hp", GAME), nemesis.agent("nl-ta", GAME)
    floats, takes = 0, 0
    for hand, u in enumerate(DICE):
        facing = spot("5c4h", FLOP, pot=1000, to_call=400, spent=300, hand=hand, chance=u)
        assert kind(ta.act(facing)) == "fold"
        if kind(hp.act(facing)) == "call":
            floats += 1
            takes += kind(hp.act(spot("5c4h", TURN, pot=1400, spent=700, hand=hand, chance=roll(u)))) == "raise"
    assert floats / len(DICE) == pytest.approx(FLOATS, abs=0.02)
    assert takes / floats == pytest.approx(BARRELS, abs=0.05)


def test_it_does_not_float_out_of_position_or_at_a_bad_price() -> None:
    hp = nemesis.agent("hp", GAME)
    for hand, u in enumerate(DICE):
        out = spot("5c4h", FLOP, pot=1000, to_call=400, spent=300, button=False, hand=hand, chance=u)
        dear = spot("5c4h", FLOP, pot=3000, to_call=2000, spent=500, hand=hand + 4000, chance=u)
        assert kind(hp.act(out)) == kind(hp.act(dear)) == "fold"


def test_it_check_raises_some_of_its_sets_by_the_sizes_of_its_bets() -> None:
    hp = nemesis.agent("hp", GAME)
    sprung = Counter[int]()
    for hand, u in enumerate(DICE):
        checked = kind(hp.act(spot("8c8h", FLOP, pot=600, spent=300, button=False, hand=hand, chance=u))) == "call"
        if checked:
            facing = spot("8c8h", FLOP, pot=1000, to_call=400, spent=300, button=False, hand=hand, chance=roll(u))
            sprung[hp.act(facing)] += 1
    assert sprung.total() / len(DICE) == pytest.approx(HP.traps, abs=0.02)
    assert set(sprung) == {int(400 + 1400 * size) for size in SIZES}


def test_its_sizes_tell_nothing_about_its_plans() -> None:
    """Out of position with a set it traps at times and bets the rest; the bets are a third of each size all the same."""
    hp = nemesis.agent("hp", GAME)
    view = spot("8c8h", FLOP, pot=600, spent=300, button=False)
    bets = Counter[int]()
    for hand in range(20_000):
        view.record["hand"], view.record["chance"] = hand, (hand + 0.5) / 20_000
        bets[hp.act(view)] += 1
    assert bets.pop(1) / 20_000 == pytest.approx(HP.traps, abs=0.01)
    assert set(bets) == {300, 402, 510}
    assert chisquare(list(bets.values())).pvalue > 1e-6


def test_barrels_of_each_size_are_equally_likely() -> None:
    """The turn after a called bluff: some of them go on, by any size, whatever the size before."""
    hp = nemesis.agent("hp", GAME)
    flop, turn = (spot("5c4h", board, pot=600, spent=300) for board in (FLOP, TURN))
    joint = Counter[tuple[int, int]]()
    for hand in range(20_000):
        for view, chance in ((flop, (hand + 0.5) / 20_000), (turn, roll((hand + 0.5) / 20_000))):
            view.record["hand"], view.record["chance"] = hand, chance
        first = hp.act(flop)
        if first > 1:
            joint[first, hp.act(turn)] += 1
    sizes = (300, 402, 510)
    table = [[joint[first, second] for second in (1, *sizes)] for first in sizes]
    assert sum(map(sum, table)) == joint.total()
    assert chi2_contingency(table).pvalue > 1e-6
    by_second = [sum(column) for column in zip(*table, strict=True)]
    assert by_second[0] / joint.total() == pytest.approx(1 - BARRELS, abs=0.02)
    assert chisquare(by_second[1:]).pvalue > 1e-6


def test_a_bluff_that_was_called_stops_when_the_hand_is_worth_a_showdown() -> None:
    hp = nemesis.agent("hp", GAME)
    bluffs = [
        u
        for u in DICE
        if kind(nemesis.agent("hp", GAME).act(spot("5c4h", FLOP, pot=600, spent=300, chance=u))) == "raise"
    ]
    assert bluffs
    for hand, u in enumerate(bluffs):
        assert kind(hp.act(spot("5c4h", FLOP, pot=600, spent=300, hand=hand, chance=u))) == "raise"
        assert kind(hp.act(spot("5c4h", "Ks8d3c5h", pot=1400, spent=700, hand=hand, chance=0.999))) == "call"


def test_in_play_it_does_all_three() -> None:
    """Against TA, 3000 hands: counted from the actions and cards alone."""
    done = Counter[str]()
    for hand in record_match(GAME, [nemesis.agent("hp", GAME), nemesis.agent("nl-ta", GAME)], 3000, seed=2):
        done.update(tactics(hand))
    assert done["check-raise"] > 20
    assert done["float"] > 15
    assert done["two barrels"] > 50
    assert done["three barrels"] > 10


def tactics(hand: Hand) -> set[str]:
    """What HP did in this hand: raised after a check, called and then bet the next street, bet two or three streets."""
    me = hand.players.index("hp")
    by_street: dict[int, list[tuple[int, int]]] = {}
    for d in decisions(hand):
        if d.actor == me and d.street > 0:
            by_street.setdefault(d.street, []).append((d.to_call, min(d.action, 2)))
    found = set()
    for street, mine in by_street.items():
        if len(mine) > 1 and mine[0] == (0, 1) and mine[1][1] == 2:
            found.add("check-raise")
        after = by_street.get(street + 1)
        if me == 1 and mine[-1][0] > 0 and mine[-1][1] == 1 and after and after[0] == (0, 2):
            found.add("float")
    barrels = sum(mine[0] == (0, 2) for mine in by_street.values())
    return found | {name for count, name in ((2, "two barrels"), (3, "three barrels")) if barrels >= count}
