"""A network learns what it is told, and its weights are those that a layered network reads."""

import numpy as np
import pytest

from nemesis.respond.layered import layered_network
from nemesis.train.holdem_layered_kind import HoldemLayeredKind
from nemesis.train.imitation import imitated


def test_a_network_learns_what_depends_on_two_inputs() -> None:
    """Fold below .3, raise above .7, otherwise call; with the flag set, never fold."""
    chance = np.random.default_rng(1)
    inputs = np.stack([chance.random(6_000), chance.integers(0, 2, 6_000)], axis=1)
    win, flag = inputs.T
    answers = np.where(win > 0.7, 2, np.where((win < 0.3) & (flag == 0), 0, 1))
    network = layered_network(imitated(inputs, answers, 8, 3, seed=1), 2, 8, 3)
    for win_now, flag_now, due in ((0.1, 0, 0), (0.1, 1, 1), (0.5, 0, 1), (0.9, 0, 2), (0.9, 1, 2)):
        assert int(np.argmax(network.activate([win_now, flag_now]))) == due


def test_the_same_seed_teaches_the_same_network() -> None:
    inputs, answers = np.random.default_rng(2).random((300, 3)), np.arange(300) % 3
    assert imitated(inputs, answers, 4, 3, 5).tolist() == imitated(inputs, answers, 4, 3, 5).tolist()


def test_a_network_with_loops_is_not_taught() -> None:
    with pytest.raises(ValueError, match="cannot be taught"):
        HoldemLayeredKind(loops=True, teachers=("la",))
