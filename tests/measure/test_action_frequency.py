"""Counting actions: notebooks change nothing, and the table agrees with what Python sees."""

import numpy as np
import pytest

import nemesis
from nemesis.believe.situation import take_apart
from nemesis.measure.action_frequency import PUBLISHED, measure_action_table, mixed_lineups
from nemesis.measure.notebook import noting, play_noting
from nemesis.observe.event import ACTS, Event
from nemesis.observe.view import View
from nemesis.play.by_name import player
from nemesis.play.match import play_lineups
from nemesis.respond.agent import Agent, Uncompiled
from nemesis.rules import games

STYLES = [player(name) for name in ("la", "lp", "ta", "tp")]


class Counting(Uncompiled):
    """Counts its own informative actions in Python."""

    def sit(self, game: games.Game, seat: int) -> None:
        super().sit(game, seat)
        self.counts = np.zeros(12, np.int64)

    @property
    def hears(self) -> tuple[int, ...]:
        return tuple(range(5))

    def watch(self, event: Event) -> None:
        self.agent.watch(event)
        if event.kind == ACTS and event.seat == event.me and not (event.to_call == 0 and event.action == 1):
            self.counts[3 * event.street + event.action] += 1


@pytest.mark.parametrize("rival", ["random", "analysis", "lp-to-tp@half"])
def test_notes_are_what_happened_and_change_nothing(rival: str) -> None:
    game = games.limit()
    seats, numbers = np.array([[0, 1]]), np.array([0])
    noted = play_noting(
        game, [nemesis.agent(rival, game), nemesis.agent("ta", game)], seats, numbers, hands=100, seed=4, actions=20
    )
    agents = [nemesis.agent(rival, game), nemesis.agent("ta", game)]
    counting: list[Agent] = [Counting(agent) for agent in agents]  # type: ignore[arg-type]
    played = play_lineups(game, counting, seats, numbers, hands=100, seed=4)
    assert (noted.played.won == played.won).all()
    for seat in (0, 1):
        assert noted.counts[0, seat].tolist() == counting[seat].counts.tolist()  # type: ignore[attr-defined]
        assert noted.seen[0, seat] == noted.counts[0, seat].sum()
    first = noted.actions[0, 1]
    assert (first >= 0).all()
    assert (np.bincount(first, minlength=12) <= noted.counts[0, 1]).all()


def test_choices_are_the_same_actions_with_free_checks_and_cards() -> None:
    """What a notebook keeps as choices holds its informative actions in order; shown hands are marked."""
    game = games.one_card()
    agents = [nemesis.agent("lp", game), nemesis.agent("ta", game)]
    notes = play_noting(
        game, agents, np.array([[0, 1]]), np.array([0]), hands=50, seed=4, freeze_out=True, actions=64, choices=64
    )
    for seat in (0, 1):
        choices = take_apart(notes.choices[0, seat][notes.choices[0, seat] >= 0])
        kinds = (3 * choices.street + choices.action)[choices.informative]
        assert kinds.tolist() == notes.actions[0, seat][: len(kinds)].tolist()
        assert (~choices.informative).any()
        assert 0 < choices.shown.sum() < len(choices.shown)
        cards = np.round(9 * choices.win) + 1
        bets = {0: 10, 1: 7}[seat]
        assert (cards[choices.action == 2] >= bets).all()
        assert (cards[(choices.action == 1) & (choices.faced != 2)] < bets).all()


def test_python_agents_have_no_notebook() -> None:
    class Plain(Agent):
        name = "plain"

        def act(self, view: View) -> int:
            return 1

    with pytest.raises(TypeError, match="plain is written in Python"):
        noting(Plain())


def test_every_lineup_meets_equally_often() -> None:
    lineups = mixed_lineups(4, 2, 40, 0)
    assert len(lineups) == 48
    assert np.unique(lineups, axis=0, return_counts=True)[1].tolist() == [3] * 16
    assert mixed_lineups(4, 10, 40, 0).shape == (40, 10)


@pytest.mark.parametrize(("game", "seats"), [("one-card", 2), ("one-card", 4), ("limit", 2)])
def test_published_orderings(game: str, seats: int) -> None:
    """Who folds and who bets most is as printed in tables 4.3 and 7.1, though not how often."""
    table = measure_action_table(STYLES, nemesis.game(game), hands=20_000, seed=1, seats=seats)
    fold, call, bet = table.pooled().probabilities[:, 0].T
    la, lp, ta, tp = range(4)
    assert fold[la] < fold[lp] < fold[ta] < fold[tp]
    assert bet[la] > bet[ta] > max(bet[lp], bet[tp]) - 0.03
    assert call.argmax() == lp
    published = PUBLISHED[game].probabilities[:, 0]
    assert published[:, 1].argmax() == lp
    assert published[:, 2].argsort()[-2:].tolist() == [ta, la]


def test_a_table_is_the_same_for_the_same_seed_and_says_how_it_was_counted() -> None:
    tables = [measure_action_table(STYLES, games.one_card(), hands=2000, seed=seed) for seed in (1, 1, 2)]
    assert (tables[0].probabilities == tables[1].probabilities).all()
    assert (tables[0].probabilities != tables[2].probabilities).any()
    assert tables[0].how["game"] == "one-card"
    assert tables[0].shown is not None
    assert tables[0].situations is not None
    assert tables[0].shown.sum() == tables[0].situations.sum() > tables[0].counts.sum()  # type: ignore[union-attr]
    assert tables[0].how["hands"] >= 2000
    with pytest.raises(ValueError, match="at least 1"):
        measure_action_table(STYLES, games.one_card(), hands=0)
