"""Belief and exact answers: at the ceiling when the belief is right from the start, below it when it must find out."""

import numpy as np
import pytest

import nemesis
from nemesis.believe.action_table import ActionTable
from nemesis.believe.tables import action_table
from nemesis.measure.fitness import tournament_shares
from nemesis.respond.agent import CompiledAgent
from nemesis.respond.answerer import Answerer
from nemesis.rules import games
from nemesis.solve.ceiling import best_responder, best_response

GAME = games.one_card()
STYLES = [nemesis.agent(name, GAME) for name in ("la", "lp", "ta", "tp")]


def exact(styles: list[CompiledAgent]) -> dict[str, CompiledAgent]:
    return {agent.name: best_responder(agent, GAME) for agent in styles}


def test_sure_of_the_style_it_plays_that_styles_best_response() -> None:
    """By a table in which all styles act alike LA stays the likeliest, the first of equals: the answer to LA."""
    table = ActionTable.from_counts(("la", "lp", "ta", "tp"), np.ones((4, 1, 3), np.int64))
    players = [Answerer(exact(STYLES), table, GAME), best_responder(STYLES[0], GAME)]
    found = tournament_shares(GAME, players, [[STYLES[0]], [STYLES[3]]], 200, seed=1).won
    assert found[0].tolist() == found[1].tolist()


def test_more_to_look_at_comes_nearer_to_the_ceiling() -> None:
    players = [
        Answerer(exact(STYLES), action_table(GAME), GAME, variant) for variant in ("plain", "situation", "showdown")
    ]
    means = tournament_shares(GAME, players, [[style] for style in STYLES], 1000, seed=2).won.mean(axis=1)
    ceiling = np.mean([best_response(style, GAME).value for style in STYLES])
    assert means[0] < means[1] < means[2] < ceiling + 0.01
    assert means[2] > 0.97 * ceiling


def test_answers_and_table_must_be_of_the_same_styles() -> None:
    with pytest.raises(ValueError, match="answers to la, lp"):
        Answerer(exact(STYLES[:2]), action_table(GAME), GAME)


def test_it_plays_the_same_in_processes_of_its_own() -> None:
    """It holds addresses, which mean nothing in another process; two workers used to die of them."""
    player = Answerer(exact(STYLES), action_table(GAME), GAME, "showdown")
    here, there = (
        tournament_shares(GAME, [player], [[style] for style in STYLES], 40, seed=3, workers=workers).won
        for workers in (1, 2)
    )
    assert here.tolist() == there.tolist()
