"""Conformance: every registered agent plays every registered game by the rules of the house."""

import re

import numpy as np
import pytest

import nemesis
from nemesis import names
from nemesis.observe.view import VIEW, View, new_view
from nemesis.play.match import play_lineups
from nemesis.respond import by_name, style_variants
from nemesis.respond.agent import Agent, AgentError, CompiledAgent, Uncompiled
from nemesis.respond.champion import shipped_champions
from nemesis.respond.parametric_counter import shipped_counters
from nemesis.respond.styles import style
from nemesis.rules import games
from nemesis.rules.game import Game, GameError
from nemesis.solve.equilibrium_player import shipped_strategies

EXAMPLES = {"style": "style:alpha=0.3,beta=0.7"}
PATTERN_EXAMPLES = (
    *style_variants.EXAMPLES,
    *(f"counter-{opponent}" for opponent in shipped_counters()),
    "simulation-la",
    "simulation-la-lp-ta-tp-la",
    "clone:*",
    str(shipped_strategies()["limit"]),
)
EVERYBODY = [EXAMPLES.get(name, name) for name in (*names.AGENTS, *shipped_champions(), *PATTERN_EXAMPLES)]
LIMIT_ONLY = ("hypercube-a", "hypercube-random")
HOLDEM_ONLY = ("hm", "cm", "sl", "cs", "rg", "nl-la", "nl-lp", "nl-tp", "nl-ta", "hp", "patient", "thief")
PICKY = {
    "equilibrium",
    *shipped_champions(),
    *HOLDEM_ONLY,
    *LIMIT_ONLY,
    *(name for name in PATTERN_EXAMPLES if name.startswith(("simulation", "counter", "clone", "/"))),
}
"""Agents that refuse some games."""


@pytest.fixture(params=EVERYBODY)
def agent_name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def refusal(name: str, game: Game) -> str:
    """Why the agent does not play the game; nothing if it does."""
    try:
        nemesis.agent(name, game)
    except ValueError as error:
        return str(error)
    return ""


@pytest.fixture
def agent(agent_name: str, any_game: Game) -> Agent | None:
    """The agent made for the game; None if it refuses the game with a sentence that names it, as only some may."""
    why = refusal(agent_name, any_game)
    assert not why or (agent_name in PICKY and agent_name in why)
    return None if why else nemesis.agent(agent_name, any_game)


def chips(game: Game, agents: list[Agent], seed: int = 1) -> list[int]:
    lineup = np.arange(game.seats)[None, :]
    return play_lineups(game, agents, lineup, np.array([0]), hands=60, seed=seed).won[0].tolist()


def rivals(name: str, game: Game) -> list[Agent]:
    return [nemesis.agent(name, game) for _ in range(game.seats - 1)]


def test_it_plays_every_game_and_conserves_chips(agent: Agent | None, any_game: Game) -> None:
    if agent is not None:
        assert sum(chips(any_game, [agent, *rivals("random", any_game)])) == 0


def test_it_plays_the_same_from_python(agent: Agent | None, any_game: Game) -> None:
    if isinstance(agent, CompiledAgent):
        others = rivals("random", any_game)
        assert chips(any_game, [Uncompiled(agent), *others]) == chips(any_game, [agent, *others])


def test_it_reads_only_the_facts_it_declares(agent: Agent | None, any_game: Game) -> None:
    """Facts that were not asked for are NaN in views; with all facts dealt it must play the same."""
    if agent is not None:
        declared = chips(any_game, [agent, *rivals("call", any_game)])
        agent.facts = frozenset({"win", "strength"})
        assert chips(any_game, [agent, *rivals("call", any_game)]) == declared


@pytest.mark.parametrize("name", sorted(PICKY))
def test_who_refuses_some_games_plays_another(name: str) -> None:
    played = [games.one_card(), games.kuhn(), games.no_limit(), games.no_limit_6(), games.one_card().seated(4)]
    played += [games.limit(), games.limit().seated(4), games.ring()]
    assert not all(refusal(name, game) for game in played)


def test_every_pattern_of_names_has_an_example_here() -> None:
    for pattern in names.PATTERNS:
        assert any(re.fullmatch(pattern, name) for name in PATTERN_EXAMPLES), pattern


@pytest.mark.parametrize("name", [*HOLDEM_ONLY, "counter-nl-ta"])
def test_an_agent_of_holdem_refuses_other_games(name: str) -> None:
    for game in (games.kuhn(), games.leduc(), games.one_card()):
        with pytest.raises(GameError, match=f"{name} plays hold'em; {game.name} is another game"):
            nemesis.agent(name, game)


def test_it_says_where_it_comes_from(agent_name: str) -> None:
    base = agent_name.partition(":")[0]
    patterns = [spec for pattern, spec in names.PATTERNS.items() if re.fullmatch(pattern, agent_name)]
    told = by_name.agents().get(base) or names.describe(patterns[0])
    assert told.endswith((".", "β=0.7", "beta=0.7."))


@pytest.mark.parametrize(
    ("win", "to_call", "expected"),
    [(0.49, 10, "fold"), (0.50, 10, "call"), (0.89, 10, "call"), (0.90, 10, "raise"), (0.49, 0, "fold")],
)
def test_tight_passive_thresholds(win: float, to_call: int, expected: str) -> None:
    """TP is (.5, .9): below .5 fold (the engine turns a free fold into a check), from .9 on bet."""
    view = new_view()
    view["win"], view["to_call"], view["opponents"], view["max_to"] = win, to_call, 1, 100
    action = nemesis.agent("tp", games.limit()).act(View(view))
    assert {0: "fold", 1: "call"}.get(action, "raise") == expected


def test_a_style_counts_every_opponent_still_in() -> None:
    view = new_view()
    view["win"], view["opponents"] = 0.8, 3
    assert nemesis.agent("style:alpha=0.52,beta=0.9", games.ring()).act(View(view)) == 0
    assert nemesis.agent("style:alpha=0.51,beta=0.9", games.ring()).act(View(view)) == 1


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
        chips(game, [Nonsense(answer), nemesis.agent("call", game)])


def test_an_exception_names_the_agent() -> None:
    game = games.limit()
    with pytest.raises(AgentError, match="agent nonsense raised KeyError: 'oops'"):
        chips(game, [Nonsense(KeyError("oops")), nemesis.agent("call", game)])


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
            [Thinker(), nemesis.agent("call", game)],
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
