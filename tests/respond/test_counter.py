"""The anti-players beat their styles and the analysis player answers the most dangerous opponent."""

import dataclasses

import numpy as np
import pytest

from nemesis.believe.style_belief import ActionTable
from nemesis.measure.contest import measure_tournaments
from nemesis.observe.event import ACTS, Event, new_events
from nemesis.observe.view import View, new_view
from nemesis.play.by_name import player
from nemesis.respond.agent import CompiledAgent
from nemesis.respond.counter import ANTI, analysis_with
from nemesis.respond.styles import STYLES
from nemesis.rules import games
from nemesis.rules.betting import CALL, FOLD
from nemesis.rules.game import Game

FOUR = games.one_card().seated(4)

# Every style has an action of its own, so one action settles the matter.
TELLING = ActionTable(
    ("la", "lp", "ta", "tp"),
    np.array([[[0.01, 0.01, 0.98]], [[0.01, 0.98, 0.01]], [[0.5, 0, 0.5]], [[0.98, 0.01, 0.01]]]),
)
SHOWS = {"la": (2, 2, 2), "lp": (1, 1), "ta": (0, 2, 0, 2), "tp": (0, 0, 0)}


def analyst_facing(styles: tuple[str, ...], gone: int | None = None) -> tuple[CompiledAgent, View]:
    """An analysis player in seat 0 that has seen the others act in their styles; seat `gone` has no chips left."""
    agent = analysis_with(TELLING, FOUR)
    agent.sit(FOUR, 0)
    record = new_events()
    record["kind"], record["me"], record["to_call"] = ACTS, 0, 1
    for seat, style in enumerate(styles, 1):
        for action in SHOWS[style]:
            record["seat"], record["action"] = seat, action
            agent.watch(Event(record))
    view = new_view()
    view["chips"][0, :4], view["live"][0, :4] = 10, 1
    view["seats"] = 4
    if gone is not None:
        view["chips"][0, gone], view["live"][0, gone] = 0, 0
        view["seats"] = 3
    view["opponents"], view["to_call"], view["max_to"], view["pot"] = 1, 1, 4, 5
    return agent, View(view)


def thresholds(agent: CompiledAgent, view: View) -> tuple[float, float]:
    """Where it starts to call and where to bet, found by asking."""
    tried = np.arange(0.05, 1.1, 0.1)
    actions = []
    for win in tried:
        view.record["win"] = win
        actions.append(agent.act(view))
    alpha = next((win for win, action in zip(tried, actions, strict=True) if action != FOLD), 1.05)
    beta = next((win for win, action in zip(tried, actions, strict=True) if action not in (FOLD, CALL)), 1.05)
    return round(alpha - 0.05, 2), round(beta - 0.05, 2)


@pytest.mark.parametrize(
    ("opponents", "answered"),
    [
        (("la", "la", "tp"), "tp"),
        (("ta", "tp", "ta"), "tp"),
        (("la", "lp", "ta"), "ta"),
        (("la", "la", "lp"), "la"),
        (("lp", "la", "lp"), "lp"),
        (("la", "la", "la"), "la"),
    ],
)
def test_the_most_dangerous_is_answered(opponents: tuple[str, ...], answered: str) -> None:
    """Algorithm 4.2: any TP, else any TA, else the more frequent loose style."""
    assert thresholds(*analyst_facing(opponents)) == ANTI[answered][2]


def test_who_is_knocked_out_is_dangerous_no_more() -> None:
    assert thresholds(*analyst_facing(("la", "la", "tp"), gone=3)) == ANTI["la"][1]


def test_an_unseen_table_is_taken_for_loose_aggressive() -> None:
    agent, view = analyst_facing(())
    assert thresholds(agent, view) == ANTI["la"][2]


def test_the_analysis_player_needs_the_four_styles() -> None:
    table = dataclasses.replace(TELLING, styles=("a", "b", "c", "d"))
    with pytest.raises(ValueError, match="needs a table of la, lp, ta, tp"):
        analysis_with(table, FOUR)


def share(who: str, opponents: list[str], game: Game, tournaments: int = 1000) -> tuple[float, float, float]:
    players = [player(name) for name in (who, *opponents)]
    score = measure_tournaments(players, game, tournaments, seed=7).scores[0]
    return score.ci95[0], score.mean, score.ci95[1]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("opponents", [1, 3])
def test_an_anti_player_beats_its_style(style: str, opponents: int) -> None:
    """Far more than its fair share: published 63 to 77 %; against three loose opponents ours wins 77 and 67 %."""
    low, _, _ = share(f"anti-{style}", [style] * opponents, games.one_card())
    assert low > (0.6 if opponents == 1 else 0.4)


@pytest.mark.parametrize(("style", "pair", "published"), [("la", (0.6, 0.8), 0.76), ("lp", (0.8, 0.9), 0.63)])
def test_published_win_rates_against_three_loose_players(
    style: str, pair: tuple[float, float], published: float
) -> None:
    """Table 4.2, if it is for tables of four: 76 % against LA, 63 % against LP, from about a hundred tournaments."""
    low, _, high = share(f"style:alpha={pair[0]},beta={pair[1]}", [style] * 3, games.one_card())
    assert low - 0.05 < published < high + 0.05


@pytest.mark.parametrize("style", STYLES)
def test_the_analysis_player_beats_a_table_of_one_style(style: str) -> None:
    low, _, _ = share("analysis", [style] * 3, games.one_card())
    assert low > 0.3
