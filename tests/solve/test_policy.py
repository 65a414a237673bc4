from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import nemesis
from nemesis.observe.event import ACTS, DEALT, STARTS, Event
from nemesis.observe.view import View
from nemesis.respond.agent import ACT, Agent, CompiledAgent, Memory
from nemesis.rules.game import Game
from nemesis.runtime.compiled import njit
from nemesis.solve.policy import Policy, Spot, play_policy, policy_of, tabulate
from nemesis.solve.tree import LETTERS, trees

ONE_CARD, LEDUC, KUHN = nemesis.game("one-card"), nemesis.game("leduc"), nemesis.game("kuhn")


def style_rule(alpha: float, beta: float, deck: int) -> Any:
    """A style written down a second time, from its definition."""

    def choose(card: int, spot: Spot) -> tuple[float, float, float]:
        win = card / (deck - 1)
        return (1, 0, 0) if win < alpha else (0, 1, 0) if win < beta else (0, 0, 1)

    return choose


@pytest.mark.parametrize(
    ("name", "alpha", "beta"), [("la", 0.1, 0.2), ("lp", 0.1, 0.9), ("ta", 0.5, 0.6), ("tp", 0.5, 0.9)]
)
def test_the_policy_of_a_style_is_its_definition(name: str, alpha: float, beta: float) -> None:
    asked = policy_of(nemesis.agent(name, ONE_CARD), ONE_CARD)
    written = tabulate(style_rule(alpha, beta, 10), ONE_CARD)
    for stacks, table in asked.tables.items():
        np.testing.assert_array_equal(table, written.tables[stacks])


def test_dice_are_met_exactly() -> None:
    policy = policy_of(nemesis.agent("random", LEDUC), LEDUC)
    assert policy.at(0).tolist() == [0, 0.5, 0.5]
    assert policy.at(3, "r").tolist() == [1 / 3, 1 / 3, 1 / 3]
    assert policy.at(3, "rr").tolist() == [0.5, 0.5, 0]
    assert policy.at(3, "rrc/cr", board=2).tolist() == [1 / 3, 1 / 3, 1 / 3]


class Recorder(Agent):
    """Plays as a compiled agent does and writes down in which situation it did what."""

    def __init__(self, agent: CompiledAgent) -> None:
        self.agent, self.name, self.facts = agent, agent.name, agent.facts
        self.seen: list[tuple[tuple[int, int], str, int, int | None, int]] = []
        self.history = ""

    def act(self, view: View) -> int:
        chosen = self.agent.act(view)
        mine = view.stack + view.spent
        theirs = view.chips[1 - view.me] + view.pot - view.spent
        stacks = (mine, theirs) if view.position == 0 else (theirs, mine)
        action = 1 if chosen == 0 and view.to_call == 0 else min(chosen, 2 if view.max_to else 1)
        board = view.board[0] if view.board_count else None
        self.seen.append((stacks, self.history, view.hole[0], board, action))
        return chosen

    def watch(self, event: Event) -> None:
        if event.kind == STARTS:
            self.history = ""
        elif event.kind == ACTS:
            self.history += LETTERS[event.action]
        elif event.kind == DEALT:
            self.history += "/"


@pytest.mark.parametrize("name", ["la", "ta", "tp"])
@pytest.mark.parametrize("game", [ONE_CARD, LEDUC], ids=lambda game: game.name)
def test_the_policy_is_what_is_played(game: Game, name: str) -> None:
    recorder = Recorder(nemesis.agent(name, game))  # type: ignore[arg-type]
    if game.freeze_out:
        nemesis.tournament([recorder, "random"], game=game, tournaments=60, workers=1)
    else:
        nemesis.duel(recorder, "random", game=game, hands=1000, workers=1)
    policy = policy_of(recorder.agent, game)
    assert len({row[:4] for row in recorder.seen}) > 100
    for stacks, history, card, board, action in recorder.seen:
        assert policy.at(card, history, stacks, board)[action] == 1


def mixed(game: Game, seed: int) -> Policy:
    """A policy that does everything allowed with some probability, different in every situation."""
    random = np.random.default_rng(seed)
    return tabulate(lambda card, spot: random.dirichlet([1, 1, 1]), game)


@pytest.mark.parametrize("game", [KUHN, LEDUC, ONE_CARD], ids=lambda game: game.name)
def test_a_played_policy_answers_as_its_table_says(game: Game) -> None:
    """With the random number just below and above each threshold, wherever the betting goes."""
    policy = mixed(game, 5)
    recorder = Recorder(play_policy(policy))

    class Watching(Recorder):
        def act(self, view: View) -> int:
            record = view.record.copy()
            stacks, history, card, board, _ = self.look(view)
            fold, call, _ = policy.at(card, history, stacks, board)
            for chance, action in (
                (fold - 1e-9, 0),
                (fold + 1e-9, 1),
                (fold + call - 1e-9, 1),
                (fold + call + 1e-9, 2),
            ):
                if 0 <= chance < 1 and policy.at(card, history, stacks, board)[action] > 1e-6:
                    record["chance"] = chance
                    assert self.agent.act(View(record)) == action
            return super().act(view)

        def look(self, view: View) -> tuple[tuple[int, int], str, int, int | None, int]:
            before = len(self.seen)
            super().act(view)
            found = self.seen[-1]
            del self.seen[before:]
            return found

        def watch(self, event: Event) -> None:
            super().watch(event)
            self.agent.watch(event)

    watching = Watching(recorder.agent)
    if game.freeze_out:
        nemesis.tournament([watching, "random"], game=game, tournaments=60, workers=1)
    else:
        nemesis.duel(watching, "random", game=game, hands=1000, workers=1)
    assert len(watching.seen) > 500


def test_every_situation_is_listed_once() -> None:
    rows = list(mixed(LEDUC, 0).rows())
    assert len(rows) == 6 * 6 + 30 * 30
    assert len({(spot, card) for spot, card, _ in rows}) == len(rows)
    assert all(chosen.sum() == pytest.approx(1) for _, _, chosen in rows)


@njit(ACT)
def _alternate(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    memory[0] = 3 - memory[0]
    return np.int64(memory[0])


@njit(ACT)
def _seldom_bet_on(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    """Once it has bet, which it does one time in twenty, it always will."""
    if chance < 0.05:
        memory[0] = 2
    return np.int64(memory[0])


@njit(ACT)
def _wake_up(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    return np.int64(1 if view[0].hand < 75 else 2)


@pytest.mark.parametrize("kernel", [_alternate, _seldom_bet_on, _wake_up])
@pytest.mark.parametrize("game", [KUHN, ONE_CARD], ids=lambda game: game.name)
def test_agents_that_are_not_one_policy_are_refused(game: Game, kernel: Any) -> None:
    with pytest.raises(ValueError, match="remembers what it did or counts the hands"):
        policy_of(CompiledAgent("somebody", kernel, memory=(1,), facts=()), game)


def test_agents_whose_kernel_cannot_be_asked_are_refused() -> None:
    with pytest.raises(ValueError, match="watches the game"):
        policy_of(play_policy(mixed(KUHN, 0)), KUHN)
    with pytest.raises(TypeError, match="not a compiled agent"):
        policy_of(Recorder(nemesis.agent("la", KUHN)), KUHN)  # type: ignore[arg-type]


def test_mistakes_are_told_in_sentences() -> None:
    with pytest.raises(ValueError, match="three probabilities are due"):
        tabulate(lambda card, spot: (0.5, 0.6, 0.5), KUHN)
    policy = mixed(ONE_CARD, 0)
    with pytest.raises(ValueError, match="cannot come up"):
        policy.at(0, "", (7, 7))
    with pytest.raises(ValueError, match="nobody acts after 'cc'"):
        policy.at(0, "cc")
    assert policy.at(0, "", trees(ONE_CARD)[1].stacks).sum() == pytest.approx(1)
