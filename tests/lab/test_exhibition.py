"""Agents that are watched play the same hands as unwatched ones, and what is shown of them is what they hold."""

import pytest

from nemesis import arena
from nemesis.lab.exhibition import Exhibition
from nemesis.lab.tree_panel import tree_nodes
from nemesis.respond.ashe import Ashe

pytestmark = pytest.mark.usefixtures("own_folder")


def test_a_watched_match_is_the_match_of_that_seed() -> None:
    for players in (("la", "analysis"), ("la", "lp", "tp")):
        match = Exhibition("limit", players, 3)
        assert match.play(20, 60.0) == 20
        plain = arena.session(list(players), game="limit", hands=20, seed=3)
        assert tuple(map(sum, zip(*match.results, strict=True))) == plain.won


def test_a_freeze_out_ends_when_one_has_every_chip() -> None:
    match = Exhibition("one-card", ("la", "tp"), 1)
    while not match.finished:
        match.step()
    assert sorted(seat.chips for seat in match.seats()) == [0, 20]
    assert match.leap(10) == 0  # chips are carried over, so no hand can be played apart


def test_every_decision_is_a_step_and_every_hand_is_shown_to_its_end() -> None:
    match = Exhibition("limit", ("call", "call"), 3)
    shown = 0
    for _ in range(30):
        match.step()
        if match.over:
            shown += 1
            assert all(None not in seat.cards and len(seat.cards) == 2 for seat in match.seats())
            assert sum(seat.won or 0 for seat in match.seats()) == 0
    assert shown == len(match.results) > 1


def test_a_leap_is_remembered_by_whoever_learns() -> None:
    match = Exhibition("no-limit", ("ashe-a4", "cm"), 3)
    assert match.leap(50) == 50
    seen = match.mind(0).in_all
    assert seen is not None
    assert seen.visits == len(match.results)
    ashe = match.agents[0]
    assert isinstance(ashe, Ashe)
    roots = tree_nodes(ashe.trees())
    assert {root["label"].split(" · ")[0] for root in roots} == {"on the button", "on the big blind"}
    assert roots[0]["children"]
    match.step()
    assert not match.over
