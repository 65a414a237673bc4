"""The little rule outside the engine agrees with the engine where both can say something."""

import numpy as np
import pytest

from nemesis.measure.action_frequency import PUBLISHED, measure_action_table
from nemesis.respond.styles import STYLES, style
from nemesis.rules.games import one_card
from nemesis.solve.ceiling import value_against
from nemesis.studies.free_folds import Reading, action_shares, distance, freeze_out_value
from nemesis.studies.one_card_tables import STYLE_PLAYERS


@pytest.mark.parametrize(("mine", "theirs"), [((0.6, 0.8), "la"), ((0.0, 0.7), "ta"), ((0.9, 0.9), "tp")])
def test_with_free_checks_it_is_the_engines_game(mine: tuple[float, float], theirs: str) -> None:
    game = one_card()
    exact = value_against(style(game, *mine), style(game, *STYLES[theirs]), game).value
    assert freeze_out_value(mine, STYLES[theirs]) == pytest.approx(exact, abs=1e-12)


def test_it_counts_what_the_engine_counts() -> None:
    """Hands from full stacks, so a deck of one hand a match: stacks so deep that none is ever short."""
    game = one_card().seated(2, 10_000)
    counted = measure_action_table(list(STYLE_PLAYERS.values()), game, 40_000, seed=1).pooled().probabilities[:, 0]
    assert np.abs(counted - action_shares(Reading(2))).max() < 0.015


def test_hands_below_alpha_are_folded_once_each_when_free_hands_are_thrown_away() -> None:
    shares = action_shares(Reading(2, free_folds=True))
    kept = action_shares(Reading(2))
    assert (shares[:, 0] > kept[:, 0]).all()
    assert np.allclose(shares.sum(axis=1), 1)


def test_the_published_table_is_nearest_when_free_hands_are_thrown_away_at_four_seats() -> None:
    published = PUBLISHED["one-card"].probabilities[:, 0]
    assert distance(action_shares(Reading(4, free_folds=True, all_opponents=True)), published) < 0.05
    assert distance(action_shares(Reading(4)), published) > 0.15


def test_never_folding_beats_tp_only_where_free_hands_are_thrown_away() -> None:
    never = (0.0, 0.9)
    assert freeze_out_value(never, STYLES["tp"]) < 0.5 < freeze_out_value(never, STYLES["tp"], free_folds=True)
