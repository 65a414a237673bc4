"""Conformance: every registered agent plays every registered game by the rules of the house."""

import re

import numpy as np
import pytest

from nemesis import names
from nemesis.observe.view import VIEW, View, new_view
from nemesis.play.match import play_lineups
from nemesis.respond import style_variants
from nemesis.respond.agent import Agent, AgentError, CompiledAgent, Uncompiled
from nemesis.respond.styles import style
from nemesis.rules import games
from nemesis.rules.game import Game

EXAMPLES = {"style": "style:alpha=0.3,beta=0.7"}


@pytest.fixture(params=[*names.AGENTS, *style_variants.EXAMPLES])
def agent_name(request: pytest.FixtureRequest) -> str:
    return EXAMPLES.get(request.param, request.param)


def chips(game: Game, agents: list[Agent], seed: int = 1) -> list[int]:
    lineup = np.arange(game.seats)[None, :]
    return play_lineups(game, agents, lineup, np.array([0]), hands=60, seed=seed).won[0].tolist()


def test_it_plays_every_game_and_conserves_chips(agent_name: str, any_game: Game) -> None:
    rivals: list[Agent] = [names.agent("random", any_game) for _ in range(any_game.seats - 1)]
    assert sum(chips(any_game, [names.agent(agent_name, any_game), *rivals])) == 0


def test_it_plays_the_same_from_python(agent_name: str, any_game: Game) -> None:
    rivals: list[Agent] = [names.agent("random", any_game) for _ in range(any_game.seats - 1)]
    agent = names.agent(agent_name, any_game)
    if isinstance(agent, CompiledAgent):
        assert chips(any_game, [Uncompiled(agent), *rivals]) == chips(any_game, [agent, *rivals])


def test_it_reads_only_the_facts_it_declares(agent_name: str, any_game: Game) -> None:
    """Facts that were not asked for are NaN in views; with all facts dealt it must play the same."""
    agent = names.agent(agent_name, any_game)
    rivals: list[Agent] = [names.agent("call", any_game) for _ in range(any_game.seats - 1)]
    declared = chips(any_game, [agent, *rivals])
    agent.facts = frozenset({"win", "strength"})
    assert chips(any_game, [agent, *rivals]) == declared


def test_it_says_where_it_comes_from(agent_name: str) -> None:
    base = agent_name.partition(":")[0]
    patterns = [spec for pattern, spec in names.PATTERNS.items() if re.fullmatch(pattern, agent_name)]
    assert names.describe(names.AGENTS.get(base) or patterns[0]).endswith((".", "β=0.7", "beta=0.7."))


@pytest.mark.parametrize(
    ("win", "to_call", "expected"),
    [(0.49, 10, "fold"), (0.50, 10, "call"), (0.89, 10, "call"), (0.90, 10, "raise"), (0.49, 0, "fold")],
)
def test_tight_passive_thresholds(win: float, to_call: int, expected: str) -> None:
    """TP is (.5, .9): below .5 fold (the engine turns a free fold into a check), from .9 on bet."""
    view = new_view()
    view["win"], view["to_call"], view["opponents"], view["max_to"] = win, to_call, 1, 100
    action = names.agent("tp", games.limit()).act(View(view))
    assert {0: "fold", 1: "call"}.get(action, "raise") == expected


def test_a_style_counts_every_opponent_still_in() -> None:
    view = new_view()
    view["win"], view["opponents"] = 0.8, 3
    assert names.agent("style:alpha=0.52,beta=0.9", games.ring()).act(View(view)) == 0
    assert names.agent("style:alpha=0.51,beta=0.9", games.ring()).act(View(view)) == 1


@pytest.mark.parametrize(("alpha", "beta"), [(0.5, 0.4), (-0.1, 0.5), (0.5, 1.1)])
def test_impossible_styles_are_refused(alpha: float, beta: float) -> None:
    with pytest.raises(ValueError, match="0 <= alpha <= beta <= 1"):
        style(games.limit(), alpha, beta)


class Nonsense(Agent):
    name = "nonsense"
    facts = ()

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def act(self, view: View) -> int:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer  # type: ignore[return-value]


@pytest.mark.parametrize("answer", ["raise", None, -1, 2.5, True])
def test_a_nonsense_answer_names_the_agent(answer: object) -> None:
    game = games.limit()
    with pytest.raises(AgentError, match=r"agent nonsense answered .* an action is 0"):
        chips(game, [Nonsense(answer), names.agent("call", game)])


def test_an_exception_names_the_agent() -> None:
    game = games.limit()
    with pytest.raises(AgentError, match="agent nonsense raised KeyError: 'oops'"):
        chips(game, [Nonsense(KeyError("oops")), names.agent("call", game)])


class Thinker(Agent):
    name = "thinker"
    facts = ()

    def act(self, view: View) -> int:
        while True:
            try:
                while True:
                    pass
            except Exception:
                continue


def test_an_agent_that_never_answers_is_stopped() -> None:
    game = games.limit()
    with pytest.raises(AgentError, match=r"agent thinker did not answer within 0\.2 s"):
        play_lineups(
            game,
            [Thinker(), names.agent("call", game)],
            np.array([[0, 1]]),
            np.array([0]),
            hands=2,
            seed=0,
            time_limit=0.2,
        )


def test_a_view_reads_like_its_record() -> None:
    record = new_view()
    record["to_call"], record["win"] = 30, 0.25
    record["chips"][0, :3] = (5, 6, 7)
    view = View(record)
    assert (view.to_call, view.win, view.chips[:3]) == (30, 0.25, (5, 6, 7))
    assert isinstance(view.to_call, int)
    assert set(VIEW.names or ()) <= set(dir(view))
    with pytest.raises(AttributeError, match="a view has no 'secret'"):
        _ = view.secret
