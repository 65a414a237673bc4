"""Counting in the arena finds what counting over the recorded hands finds, and does not change play."""

import numpy as np
import pytest

import nemesis
from nemesis.measure.watched import play_watched, statistics_of_agents, watched
from nemesis.observe.statistics import COUNTS, statistics_of_hands
from nemesis.play.match import play_lineups
from nemesis.play.recording import record_match
from nemesis.respond.agent import Agent
from nemesis.rules import games
from nemesis.rules.game import Game


@pytest.mark.parametrize(
    ("game", "players"),
    [
        (games.no_limit(), ["hp", "nl-ta"]),
        (games.no_limit(), ["rg", "nl-la"]),
        (games.limit(), ["lp-to-tp@half", "la"]),
        (games.no_limit_6(), ["hp", "nl-la", "nl-lp", "cs", "nl-tp", "nl-ta"]),
        (games.kuhn(), ["random", "la"]),
    ],
)
def test_the_arena_counts_as_the_record_does(game: Game, players: list[str]) -> None:
    agents: list[Agent] = [nemesis.agent(name, game) for name in players]
    lineup = np.arange(game.seats)[None, :]
    found = play_watched(game, agents, lineup, np.array([0]), hands=150, seed=4)
    pages = statistics_of_agents(agents, lineup, found)
    recorded = statistics_of_hands(record_match(game, agents, 150, seed=4))
    plain = play_lineups(game, agents, lineup, np.array([0]), hands=150, seed=4)
    assert (found.played.won == plain.won).all()
    for page in pages:
        ours, theirs = (
            dict(zip(COUNTS, page.counts, strict=True)),
            dict(zip(COUNTS, recorded[page.player].counts, strict=True)),
        )
        assert ours == pytest.approx(theirs), page.player


def test_python_agents_are_refused_with_a_way_out() -> None:
    class Mine(Agent):
        name = "mine"

    with pytest.raises(TypeError, match=r"agent mine is written in Python; record its hands"):
        watched(Mine())
