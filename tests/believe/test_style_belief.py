"""Bayes' rule against plain NumPy, windows against recomputation, and the Python face against the kernels."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from nemesis import names
from nemesis.believe.style_belief import (
    ActionTable,
    StyleBelief,
    belief_block,
    belief_size,
    believed,
    learn_action,
    likeliest,
    score,
)
from nemesis.believe.tables import FOLDER, action_table
from nemesis.measure.match import play_lineups
from nemesis.observe.event import ACTS, DEALT, Event, new_events
from nemesis.observe.hand import Hand
from nemesis.observe.view import View
from nemesis.respond.agent import Agent
from nemesis.rules import games

PUBLISHED = ActionTable(
    ("la", "lp", "ta", "tp"),
    np.array([[[0.36, 0.05, 0.59]], [[0.60, 0.29, 0.11]], [[0.73, 0.02, 0.25]], [[0.87, 0.07, 0.06]]]),
)
BY_STREET = action_table("limit")

seen_actions = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), max_size=60)


def bayes(table: ActionTable, seen: list[tuple[int, int]], per_street: bool) -> NDArray[np.float64]:
    """Posterior of the styles after (street, action) pairs, in logarithms."""
    shares = np.log((table if per_street else table.pooled()).floored())
    logs = np.zeros(len(table.styles))
    for street, action in seen:
        logs += shares[:, min(street, shares.shape[1] - 1), action]
    weights = np.exp(logs - logs.max())
    return weights / weights.sum()


def test_one_bet_by_the_published_table() -> None:
    """Prior 1/4 each: after one bet LA has .59 / (.59 + .11 + .25 + .06)."""
    belief = StyleBelief(PUBLISHED, seats=2)
    belief.learn(action=2, street=0, to_call=0, seat=1)
    assert belief.posterior(1) == pytest.approx(np.array([0.59, 0.11, 0.25, 0.06]) / 1.01)
    assert belief.posterior(0) == pytest.approx([0.25] * 4)


@given(seen=seen_actions, per_street=st.booleans(), table=st.sampled_from([PUBLISHED, BY_STREET]))
def test_the_posterior_is_bayes_rule(seen: list[tuple[int, int]], per_street: bool, table: ActionTable) -> None:
    belief = StyleBelief(table, seats=3, per_street=per_street)
    for street, action in seen:
        belief.learn(action, street, 10, seat=2)
    assert belief.posterior(2).sum() == pytest.approx(1.0)
    assert (belief.posterior(2) > 0).all()
    assert belief.posterior(2) == pytest.approx(bayes(table, seen, per_street), rel=1e-9, abs=1e-12)


@given(seen=seen_actions, window=st.integers(1, 50), per_street=st.booleans())
def test_a_window_is_the_last_actions_alone(seen: list[tuple[int, int]], window: int, per_street: bool) -> None:
    belief = StyleBelief(BY_STREET, seats=2, window=window, per_street=per_street)
    for street, action in seen:
        belief.learn(action, street, 10, seat=0)
    assert belief.posterior(0) == pytest.approx(bayes(BY_STREET, seen[-window:], per_street), rel=1e-9, abs=1e-12)


def test_nothing_becomes_impossible() -> None:
    """After ten thousand bets TP is all but ruled out, yet enough folds bring it back."""
    table = ActionTable(("never", "always"), np.array([[[1.0, 0.0, 0.0]], [[0.0, 0.0, 1.0]]]))
    belief = StyleBelief(table, seats=1)
    for _ in range(10_000):
        belief.learn(2, 0, 1, 0)
    assert 0 < belief.posterior(0)[0] < 1e-200
    for _ in range(1000):
        belief.learn(0, 0, 1, 0)
    assert belief.posterior(0)[0] > 0.99


def test_free_checks_own_actions_and_other_events_say_nothing() -> None:
    belief = StyleBelief(PUBLISHED, seats=2)
    record = new_events()
    event = Event(record)
    fresh = belief.memory.copy()
    for kind, me, seat, action, to_call in (
        (ACTS, 0, 1, 1, 0),  # a free check
        (ACTS, 1, 1, 0, 5),  # my own fold
        (DEALT, 0, 1, 2, 5),
    ):
        record["kind"], record["me"], record["seat"], record["action"], record["to_call"] = (
            kind,
            me,
            seat,
            action,
            to_call,
        )
        belief.watch(event)
        assert (belief.memory == fresh).all()
    record["kind"], record["me"], record["seat"], record["action"], record["to_call"] = ACTS, 0, 1, 2, 0
    belief.watch(event)
    assert belief.posterior(1)[0] > 0.5


def test_forgetting_puts_a_seat_back() -> None:
    belief = StyleBelief(PUBLISHED, seats=2, window=3)
    for action in (0, 0, 1, 2):
        belief.learn(action, 0, 1, 0)
    belief.forget(0)
    assert belief.posterior(0) == pytest.approx([0.25] * 4)
    belief.learn(2, 0, 1, 0)
    assert belief.posterior(0) == pytest.approx(bayes(PUBLISHED, [(0, 2)], False))


@pytest.mark.parametrize("window", [0, 8])
def test_blocks_can_lie_anywhere_in_a_memory(window: int) -> None:
    block = belief_block(BY_STREET, 2, window, per_street=True)
    assert block.size == belief_size(2, 4, 4, window)
    memory = np.concatenate([np.full(7, 9.0), block, np.full(5, 9.0)])
    alone = StyleBelief(BY_STREET, 2, window, per_street=True)
    for street, action in ((0, 1), (1, 2), (3, 0)):
        learn_action(memory, 7, 1, street, action)
        alone.learn(action, street, 1, 1)
    assert memory[7:-5] == pytest.approx(alone.memory)
    assert [believed(memory, 7, 1, style) for style in range(4)] == pytest.approx(alone.posterior(1))
    assert likeliest(memory, 7, 1) == alone.posterior(1).argmax()
    assert (memory[:7] == 9).all()
    assert (memory[-5:] == 9).all()


class Watcher(Agent):
    """Raises, watches, and keeps what it saw."""

    facts = ()

    def __init__(self) -> None:
        self.belief = StyleBelief(BY_STREET, seats=2, per_street=True)
        self.seen: list[tuple[int, int]] = []

    def act(self, view: View) -> int:
        return 2

    def watch(self, event: Event) -> None:
        self.belief.watch(event)
        if event.kind == ACTS and event.seat != event.me and (event.to_call or event.action != 1):
            self.seen.append((event.street, event.action))


def test_at_the_table_a_tight_passive_player_is_found_out() -> None:
    game, watcher = games.limit(), Watcher()
    play_lineups(game, [names.agent("tp", game), watcher], np.array([[0, 1]]), np.array([0]), hands=300, seed=3)
    assert watcher.belief.posterior(0) == pytest.approx(bayes(BY_STREET, watcher.seen, True), abs=1e-9)
    assert watcher.belief.posterior(0)[3] > 0.99
    assert watcher.belief.posterior(1) == pytest.approx([0.25] * 4)


def test_recorded_hands_are_scored_by_player() -> None:
    """Heads-up: the button raises, the blind folds. Followed by name, A looks LA and B looks TP."""
    hand = Hand(games.limit(), ((), ()), (), (20, 0), players=("B", "A"))
    scored = score(BY_STREET.pooled(), [hand] * 5, {"A": "la", "B": "tp"})
    assert scored.observations == 10
    assert scored.accuracy == 1.0
    wrong = score(BY_STREET.pooled(), [hand] * 5, {"A": "tp", "B": "la"})
    assert wrong.log_loss > scored.log_loss > 0
    with pytest.raises(ValueError, match="knows nothing of zz"):
        score(BY_STREET, [hand], {"A": "zz"})
    with pytest.raises(ValueError, match="no informative action"):
        score(BY_STREET, [hand], {"C": "la"})


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=4, max_size=4))
def test_a_table_survives_json(rows: list[list[int]]) -> None:
    counts = np.array(rows).reshape(2, 2, 3)
    counts[:, :, 0] += 1
    table = ActionTable.from_counts(("a", "b"), counts, {"game": "toy"})
    again = ActionTable.from_json(json.loads(json.dumps(table.to_json())))
    assert again.styles == table.styles
    assert again.how == table.how
    assert again.probabilities == pytest.approx(table.probabilities)
    assert again.pooled().probabilities == pytest.approx(table.pooled().probabilities)


def test_a_street_nobody_reached_borrows_from_the_others() -> None:
    table = ActionTable.from_counts(("a", "b"), np.array([[[1, 1, 2], [0, 0, 0]], [[1, 0, 0], [0, 1, 0]]]))
    assert table.probabilities[0, 1] == pytest.approx([0.25, 0.25, 0.5])


@pytest.mark.parametrize(
    ("styles", "probabilities", "sentence"),
    [
        (("a", "b"), [[[0.5, 0.5, 0.5]], [[1, 0, 0]]], "sum to 1"),
        (("a", "a"), [[[1, 0, 0]], [[1, 0, 0]]], "different styles"),
        (("a", "b"), [[[1, 0, 0]]], "shape"),
    ],
)
def test_impossible_tables_are_refused(styles: tuple[str, ...], probabilities: list[object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        ActionTable(styles, np.array(probabilities))


def test_every_shipped_table_says_how_it_was_made() -> None:
    files = sorted(FOLDER.glob("*.json"))
    assert len(files) >= 3
    for path in files:
        table = ActionTable.from_json(json.loads(path.read_text()))
        assert table.styles == ("la", "lp", "ta", "tp")
        assert f"{table.how['game']}-{table.how['seats']}" == path.stem
        assert table.how["hands"] >= 100_000


def test_every_game_finds_a_table(any_game: games.Game) -> None:
    assert action_table(any_game).styles == ("la", "lp", "ta", "tp")
    with pytest.raises(ValueError, match="no action table for 'chess'"):
        action_table("chess")
