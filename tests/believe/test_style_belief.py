"""Bayes' rule against plain NumPy, windows against recomputation, and the Python face against the kernels."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import nemesis
from nemesis.believe.action_table import ActionTable, Variant
from nemesis.believe.style_belief import (
    StyleBelief,
    belief_block,
    belief_size,
    believed,
    learn_action,
    likeliest,
    score,
    see_event,
)
from nemesis.believe.tables import FOLDER, action_table
from nemesis.observe.event import ACTS, DEALT, Event, new_events
from nemesis.observe.hand import Hand
from nemesis.observe.retell import teach
from nemesis.observe.tape_of_hands import tape_of
from nemesis.observe.view import View
from nemesis.play.match import play_lineups
from nemesis.play.recording import record_match
from nemesis.respond.agent import Agent
from nemesis.rules import games
from observed import ObservedBelief

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
    belief = ObservedBelief(PUBLISHED, seats=2)
    belief.learn(action=2, street=0, to_call=0, seat=1)
    assert belief.posterior(1) == pytest.approx(np.array([0.59, 0.11, 0.25, 0.06]) / 1.01)
    assert belief.posterior(0) == pytest.approx([0.25] * 4)


@given(seen=seen_actions, per_street=st.booleans(), table=st.sampled_from([PUBLISHED, BY_STREET]))
def test_the_posterior_is_bayes_rule(seen: list[tuple[int, int]], per_street: bool, table: ActionTable) -> None:
    belief = ObservedBelief(table, seats=3, variant="street" if per_street else "plain")
    for street, action in seen:
        belief.learn(action, street, 10, seat=2)
    assert belief.posterior(2).sum() == pytest.approx(1.0)
    assert (belief.posterior(2) > 0).all()
    assert belief.posterior(2) == pytest.approx(bayes(table, seen, per_street), rel=1e-9, abs=1e-12)


@given(seen=seen_actions, window=st.integers(1, 50), per_street=st.booleans())
def test_a_window_is_the_last_actions_alone(seen: list[tuple[int, int]], window: int, per_street: bool) -> None:
    belief = ObservedBelief(BY_STREET, seats=2, window=window, variant="street" if per_street else "plain")
    for street, action in seen:
        belief.learn(action, street, 10, seat=0)
    assert belief.posterior(0) == pytest.approx(bayes(BY_STREET, seen[-window:], per_street), rel=1e-9, abs=1e-12)


def test_nothing_becomes_impossible() -> None:
    """After ten thousand bets TP is all but ruled out, yet enough folds bring it back."""
    table = ActionTable(("never", "always"), np.array([[[1.0, 0.0, 0.0]], [[0.0, 0.0, 1.0]]]))
    belief = ObservedBelief(table, seats=1)
    for _ in range(10_000):
        belief.learn(2, 0, 1, 0)
    assert 0 < belief.posterior(0)[0] < 1e-200
    for _ in range(1000):
        belief.learn(0, 0, 1, 0)
    assert belief.posterior(0)[0] > 0.99


def test_free_checks_own_actions_and_other_events_say_nothing() -> None:
    belief = ObservedBelief(PUBLISHED, seats=2)
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
    belief = ObservedBelief(PUBLISHED, seats=2, window=3)
    for action in (0, 0, 1, 2):
        belief.learn(action, 0, 1, 0)
    belief.forget(0)
    assert belief.posterior(0) == pytest.approx([0.25] * 4)
    belief.learn(2, 0, 1, 0)
    assert belief.posterior(0) == pytest.approx(bayes(PUBLISHED, [(0, 2)], False))


@pytest.mark.parametrize("window", [0, 8])
def test_blocks_can_lie_anywhere_in_a_memory(window: int) -> None:
    block = belief_block(BY_STREET, 2, window, variant="street")
    assert block.size == belief_size(2, 4, 4, window)
    memory = np.concatenate([np.full(7, 9.0), block, np.full(5, 9.0)])
    alone = ObservedBelief(BY_STREET, 2, window, variant="street")
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
        self.belief = StyleBelief(BY_STREET, seats=2, variant="street")
        self.seen: list[tuple[int, int]] = []

    def act(self, view: View) -> int:
        return 2

    def watch(self, event: Event) -> None:
        self.belief.watch(event)
        if event.kind == ACTS and event.seat != event.me and (event.to_call or event.action != 1):
            self.seen.append((event.street, event.action))


def test_at_the_table_a_tight_passive_player_is_found_out() -> None:
    game, watcher = games.limit(), Watcher()
    play_lineups(game, [nemesis.agent("tp", game), watcher], np.array([[0, 1]]), np.array([0]), hands=300, seed=3)
    assert watcher.belief.posterior(0) == pytest.approx(bayes(BY_STREET, watcher.seen, True), abs=1e-9)
    assert watcher.belief.posterior(0)[3] > 0.99
    assert watcher.belief.posterior(1) == pytest.approx([0.25] * 4)


Done = tuple[int, int, int, bool, int]
"""Street, action, to_call, can_raise, opponents."""

done = st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 1), st.booleans(), st.integers(1, 5))
hands_done = st.lists(
    st.tuples(st.lists(done, min_size=1, max_size=5), st.none() | st.lists(st.floats(0, 1), min_size=4, max_size=4)),
    max_size=8,
)


def rows_met(hands: list[tuple[list[Done], list[float] | None]], showdown: bool) -> list[tuple[int, int]]:
    """Each action that counts, as (row, action), by the definitions: facing, previous action, crowd; or the strength."""
    met = []
    for actions, win in hands:
        previous = 0
        for street, action, to_call, can_raise, opponents in actions:
            if not to_call and not can_raise:
                continue
            faced = 0 if not to_call else 1 if can_raise else 2
            if showdown and win is not None:
                strength = min(int(10 * win[street] ** opponents), 9)
                met.append((4 * 27 + (street * 3 + faced) * 10 + strength, action))
            else:
                met.append((((street * 3 + faced) * 3 + previous) * 3 + min(opponents, 3) - 1, action))
            previous = 1 if action == 1 else 2
    return met


@settings(deadline=None)
@given(hands=hands_done, variant=st.sampled_from(["situation", "showdown"]), window=st.sampled_from([0, 0, 1, 3, 10]))
def test_situations_and_shown_hands_are_bayes_rule(
    hands: list[tuple[list[Done], list[float] | None]], variant: Variant, window: int
) -> None:
    belief = ObservedBelief(BY_STREET, seats=2, window=window, variant=variant)
    for actions, win in hands:
        for street, action, to_call, can_raise, opponents in actions:
            belief.learn(action, street, to_call, 1, can_raise=can_raise, opponents=opponents)
        if win is not None:
            belief.show(1, win)
        belief.next_hand()
    logs = np.log(BY_STREET.floored(variant=variant))
    met = rows_met(hands, variant == "showdown")[-window:]
    weights = np.exp(sum((logs[:, row, action] for row, action in met), start=np.zeros(4)))
    assert belief.posterior(1) == pytest.approx(weights / weights.sum(), rel=1e-6, abs=1e-12)
    assert belief.posterior(0) == pytest.approx([0.25] * 4)


def test_a_showdown_tells_a_bluff_from_a_habit() -> None:
    """One-card heads-up: a bet with the third card is LA's alone, one with the best card is anybody's."""
    table = action_table("one-card")
    shown = {}
    for card in (3, 10):
        belief = ObservedBelief(table, 1, variant="showdown")
        belief.learn(2, 0, 0, 0)
        before = belief.posterior(0)
        belief.show(0, [(card - 1) / 9])
        shown[card] = belief.posterior(0)
    assert before[0] == pytest.approx(0.8 / (0.8 + 0.1 + 0.4 + 0.1), abs=0.02)
    assert shown[3][0] > 0.99
    assert shown[10] == pytest.approx([0.25] * 4, abs=0.001)


def test_a_shown_hand_of_unknown_strength_or_another_hand_changes_nothing() -> None:
    belief = ObservedBelief(action_table("one-card"), 1, variant="showdown")
    belief.learn(2, 0, 0, 0)
    before = belief.posterior(0)
    belief.show(0, [np.nan])
    assert (belief.posterior(0) == before).all()
    belief.next_hand()
    belief.show(0, [0.2])
    assert (belief.posterior(0) == before).all()


def test_a_very_long_hand_keeps_what_a_showdown_cannot_reconsider() -> None:
    """Sixty actions in one hand: the first 24 are reconsidered, the others stay as they were."""
    belief = ObservedBelief(BY_STREET, 1, variant="showdown")
    for _ in range(60):
        belief.learn(1, 0, 1, 0)
    belief.show(0, [0.05] * 4)
    logs = np.log(BY_STREET.floored(variant="showdown"))
    weights = 24 * logs[:, 4 * 27 + 10, 1] + 36 * logs[:, 12, 1]
    expected = np.exp(weights - weights.max())
    assert belief.posterior(0) == pytest.approx(expected / expected.sum(), rel=1e-6, abs=1e-12)


def test_a_table_without_situations_says_so() -> None:
    with pytest.raises(ValueError, match="no counts by situation"):
        belief_block(PUBLISHED, 2, variant="situation")
    with pytest.raises(ValueError, match="no belief by 'mood'; there are plain, street, situation, showdown"):
        belief_block(PUBLISHED, 2, variant="mood")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="has shown of shape"):
        PUBLISHED.with_situations(np.zeros((4, 27, 3)), np.zeros((4, 7, 3)))


class Onlooker(Agent):
    """Calls everything and believes."""

    name = "onlooker"

    def __init__(self, belief: StyleBelief) -> None:
        self.belief = belief

    def act(self, view: View) -> int:
        return 1

    def watch(self, event: Event) -> None:
        self.belief.watch(event)


@pytest.mark.parametrize(("game", "seats"), [("one-card", 2), ("one-card", 4), ("limit", 3), ("leduc", 2)])
@pytest.mark.parametrize("variant", ["plain", "situation", "showdown"])
@pytest.mark.parametrize("freeze_out", [False, True])
def test_recorded_hands_teach_what_the_table_taught(game: str, seats: int, variant: Variant, freeze_out: bool) -> None:
    """The same hands, watched as events or retold from the record, end in the same memory, bit for bit."""
    seated = nemesis.game(game, seats)
    table = action_table(seated)
    watcher = Onlooker(StyleBelief(table, seats, window=3, variant=variant))
    others = [nemesis.agent(name, seated) for name in ("ta", "lp", "la")[: seats - 1]]
    hands = record_match(seated, [watcher, *others], 60, seed=5, freeze_out=freeze_out)
    fresh = belief_block(table, seats, window=3, variant=variant)
    memories = np.tile(fresh, (seats, 1))
    teach(tape_of(hands), see_event, memories)
    assert memories[0].tobytes() == watcher.belief.memory.tobytes()
    assert memories[0].tobytes() != fresh.tobytes()


def test_recorded_hands_score_better_the_more_is_looked_at() -> None:
    game = nemesis.game("one-card", 2)
    hands = record_match(game, [nemesis.agent("ta", game), nemesis.agent("la", game)], 60, seed=1)
    table, truth = action_table(game), {"ta": "ta", "la": "la"}
    losses = [score(table, hands, truth, variant=v).log_loss for v in ("plain", "situation", "showdown")]
    assert losses[0] > losses[1] > losses[2]


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
