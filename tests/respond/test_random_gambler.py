"""The random gambler changes every 50 hands, to another of the four, differently in every match."""

from collections import Counter
from itertools import pairwise

import pytest
from spots import spot

import nemesis
from nemesis.observe.view import View
from nemesis.play.recording import record_match
from nemesis.respond.agent import Agent, CompiledAgent
from nemesis.respond.random_gambler import AT, HANDS, LAYOUT, STRATEGIES
from nemesis.rules import games

GAME = games.no_limit()


class Seen(Agent):
    """The gambler itself, seated as a Python agent that notes what it was playing in every hand."""

    name = "seen"

    def __init__(self) -> None:
        gambler = nemesis.agent("rg", GAME)
        assert isinstance(gambler, CompiledAgent)
        self.gambler = gambler
        self.played: dict[int, set[int]] = {}

    def act(self, view: View) -> int:
        action = self.gambler.act(view)
        self.played.setdefault(view.hand, set()).add(int(self.gambler.memory[AT.playing]))
        return action


def stretches(seed: int) -> list[int]:
    """What it played in each stretch of 50 hands, after checking that it was one thing."""
    seen = Seen()
    record_match(GAME, [seen, nemesis.agent("cm", GAME)], 20 * HANDS, seed=seed)
    by_stretch: dict[int, set[int]] = {}
    for hand, played in seen.played.items():
        by_stretch.setdefault(hand // HANDS, set()).update(played)
    assert all(len(played) == 1 for played in by_stretch.values())
    return [min(by_stretch[stretch]) for stretch in range(20)]


def test_it_changes_at_multiples_of_50_and_only_there() -> None:
    played = stretches(seed=1)
    assert all(now != before for before, now in pairwise(played))
    assert set(played) == set(range(len(STRATEGIES)))


def test_every_match_goes_its_own_way() -> None:
    runs = {tuple(stretches(seed)) for seed in range(5)}
    assert len(runs) == 5
    assert len({run[0] for run in runs}) > 1


def test_it_plays_what_it_says() -> None:
    """A pot-sized bet at 72 offsuit on a dry board: HM raises, CM calls, SL and CS fold."""
    gambler = nemesis.agent("rg", GAME)
    assert isinstance(gambler, CompiledAgent)
    for place, answer in enumerate((2, 1, 0, 0)):
        gambler.memory[:] = LAYOUT.template(playing=place)
        assert min(2, gambler.act(spot("7c2d", "KsQd8c", pot=400, to_call=200, spent=100, hand=7))) == answer


def test_the_first_raise_of_a_stretch_is_half_a_pot_or_one_whatever_was_drawn() -> None:
    """The number that draws the hothead as its new strategy does not decide how much the hothead raises by."""
    gambler = nemesis.agent("rg", GAME)
    assert isinstance(gambler, CompiledAgent)
    view = spot("7c2d", "KsQd8c", pot=400, to_call=200, spent=100)
    raises = Counter[int]()
    for i in range(8_000):
        gambler.memory[:] = (-1.0, -1.0)
        view.record["chance"] = (i + 0.5) / 8_000
        to = gambler.act(view)
        if gambler.memory[AT.playing] == 0:
            raises[to] += 1
    assert raises.total() == 2_000
    assert set(raises) == {500, 800}
    assert raises[500] / 2_000 == pytest.approx(0.5, abs=0.04)
