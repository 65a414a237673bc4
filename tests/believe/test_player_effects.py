"""A belief about one player is the public model's answer at first, and approaches what the player does."""

import numpy as np
import pytest

from nemesis.believe import public_situation as public
from nemesis.believe.by_player import by_player
from nemesis.believe.player_effects import WEIGHTS, effect_rows, room_for
from nemesis.believe.player_history import HISTORY, history_rows, no_sums

PUBLIC = (0.6, 0.25, 0.15)
COUNT = 400


def decisions_of(folds: list[float]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two players in turn who face the same raise; player `i` folds at the rate `folds[i]`, else calls."""
    rows = np.zeros((COUNT, len(public.FEATURES)), np.float32)
    rows[:, public.RAISES], rows[:, public.TO_CALL], rows[:, public.SEATS] = 1, np.log1p(3), 6
    rows[:, public.BETTOR_BEFORE], rows[:, public.EFFECTIVE] = 5, np.log1p(100)
    player = np.arange(COUNT) % 2
    turn = np.arange(COUNT) // 2
    rate = np.array(folds)[player]
    done = np.where((turn * rate) % 1 + rate >= 1, 0, 1).astype(np.int8)
    return rows, player, done


def say(rows: np.ndarray, player: np.ndarray, done: np.ndarray) -> np.ndarray:
    nowhere = np.full(2, -1, np.int64)
    likely = np.tile(np.array(PUBLIC, np.float32), (len(rows), 1))
    prior = np.eye(WEIGHTS, dtype=np.float32)
    return effect_rows(rows, by_player(player, done, 2), likely, prior, room_for(0), nowhere, room_for(0), nowhere)[0]


def test_strangers_get_the_public_answer_and_known_players_their_own() -> None:
    said = np.exp(say(*decisions_of([0.9, 0.2]))[:, :3])
    assert said[:2] == pytest.approx(np.tile(PUBLIC, (2, 1)), abs=1e-5)
    assert said[-2, 0] == pytest.approx(0.9, abs=0.05)
    assert said[-1, 0] == pytest.approx(0.2, abs=0.05)
    assert said.sum(axis=1) == pytest.approx(1, abs=1e-5)


def test_nothing_is_known_before_it_happened() -> None:
    """Whatever is done at the last decision, what was said of it and before is the same."""
    rows, player, done = decisions_of([0.9, 0.2])
    other = done.copy()
    other[-1] = 2
    assert np.array_equal(say(rows, player, done), say(rows, player, other))
    likely = np.tile(np.array(PUBLIC, np.float32), (len(rows), 1))
    histories = [history_rows(rows, by_player(player, what, 2), likely, no_sums(2)) for what in (done, other)]
    assert np.array_equal(*histories)


def test_history_is_the_shrunk_quotient_of_surplus_and_spread() -> None:
    rows, player, done = decisions_of([1.0, 0.0])
    likely = np.tile(np.array(PUBLIC, np.float32), (len(rows), 1))
    found = history_rows(rows, by_player(player, done, 2), likely, no_sums(2))
    folds = HISTORY.index("all_0_fold")
    assert found[0, folds] == 0
    assert found[6, folds] == pytest.approx(3 * 0.4 / (3 * 0.24 + 5), rel=1e-5)
    assert found[7, folds] == pytest.approx(3 * -0.6 / (3 * 0.24 + 5), rel=1e-5)


def test_others_do_not_matter() -> None:
    rows, player, done = decisions_of([0.9, 0.2])
    alone = player == 0
    assert np.array_equal(say(rows, player, done)[alone], say(rows[alone], player[alone], done[alone]))
