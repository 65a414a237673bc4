"""The player that counts: its rates are what happened, and it acts by the rule or by results."""

from itertools import product

import numpy as np
import pytest
from spots import spot

import nemesis
from nemesis.believe.pattern_tree import ALL_IN, CALL
from nemesis.play.match import play_lineups
from nemesis.respond.agent import Uncompiled
from nemesis.respond.counted_rule import ACTIONS, AT, AT_COUNT, COUNT_SIZE, KINDS, Worth, counted_rule, kind_of
from nemesis.rules.games import no_limit

GAME = no_limit()


def counts_after(opponent: str, hands: int = 300, worth: Worth = "rates") -> np.ndarray:
    """What it has counted against somebody, by kind and action."""
    player = counted_rule(GAME, worth, hands)
    seats = [Uncompiled(player), nemesis.agent(opponent, GAME)]
    play_lineups(GAME, seats, np.array([[0, 1]]), np.array([0]), hands=hands, seed=4)
    return player.memory[int(player.memory[AT.counts]) :].reshape(KINDS, ACTIONS, COUNT_SIZE)


@pytest.mark.parametrize(("opponent", "folds"), [("fold", 1.0), ("call", 0.0)])
def test_counted_folds_are_the_opponents(opponent: str, folds: float) -> None:
    counts = counts_after(opponent)
    asked = counts[..., AT_COUNT.answered] > 0
    assert asked.any()
    assert not asked[:, CALL].any()
    assert (counts[asked][:, AT_COUNT.folds] == folds).all()


def test_wins_and_results_are_those_of_hands_that_were_shown() -> None:
    """Against somebody who always calls and never bets every hand that we do not fold is shown down."""
    counts = counts_after("call")
    taken, shown = counts[..., AT_COUNT.taken], counts[..., AT_COUNT.shown]
    assert 300 <= taken.sum() == shown.sum()
    once = taken == 1
    assert set(counts[once][:, AT_COUNT.wins]) <= {0.0, 0.5, 1.0}
    won = 2.0 * counts[once][:, AT_COUNT.wins] - 1.0
    assert (np.sign(counts[once][:, AT_COUNT.brought]) == won).all()


def test_kinds_are_told_apart() -> None:
    found = {
        int(kind_of(spot(hole, board, pot=pot, to_call=call, spent=spent, button=button).record[0]))
        for hole, board, (pot, call, spent), button in product(
            ("AsAd", "7c2d"), ("", "Ks8d3c"), ((200, 0, 100), (700, 200, 250), (9_000, 4_000, 2_500)), (True, False)
        )
    }
    assert len(found) == 2 * 2 * 3 * 2
    assert 0 <= min(found) <= max(found) < KINDS


def test_the_rule_is_the_papers_and_results_are_the_mean() -> None:
    """On the river with 1 000 each in and nothing to call: check is worth (2w - 1) 1 000, all in by folds and wins."""
    view = spot("AsAd", "Ks8d3c7h2d", pot=2_000, spent=1_000, hand=10)
    for worth, by_rates in (("rates", True), ("results", False)):
        player = counted_rule(GAME, worth, 1)  # type: ignore[arg-type]
        first = int(player.memory[AT.counts]) + int(kind_of(view.record[0])) * ACTIONS * COUNT_SIZE
        cells = player.memory[first : first + ACTIONS * COUNT_SIZE].reshape(ACTIONS, COUNT_SIZE)
        cells[:, AT_COUNT.wins], cells[:, AT_COUNT.folds] = 0.4, 0.0
        cells[ALL_IN, AT_COUNT.wins], cells[ALL_IN, AT_COUNT.folds] = 0.5, 0.2
        cells[CALL, AT_COUNT.brought] = 5.0
        assert player.act(view) == (20_000 - 1_000 if by_rates else 1)


def test_it_must_have_time_to_count() -> None:
    with pytest.raises(ValueError, match="counts for 0 hands knows nothing"):
        counted_rule(GAME, "rates", 0)
