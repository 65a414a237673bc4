"""P(direction | goal) is table 3.1's, and beliefs are what Bayes' rule says."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nemesis.believe.grid_belief import BETA, BY_COST, BY_DIRECTIONS, IDEAL
from nemesis.believe.grid_directions import FLOOR, direction_counts, direction_shares, direction_table
from nemesis.play.grid_pursuit import pursue
from nemesis.rules.grid_map import grid_map, parse_map
from nemesis.rules.grid_paths import grid_paths
from nemesis.rules.grid_search import DIRECTIONS
from nemesis.studies.grid_directions import published_table

UP, RIGHT = DIRECTIONS.index("UP"), DIRECTIONS.index("RIGHT")


def test_a_step_counts_one_and_half_for_its_neighbours() -> None:
    counted = dict(zip(DIRECTIONS, direction_counts([UP, UP, RIGHT]), strict=True))
    assert counted == {
        "UP": 2, "UP-RIGHT": 1.5, "RIGHT": 1, "DOWN-RIGHT": 0.5, "DOWN": 0, "DOWN-LEFT": 0, "LEFT": 0, "UP-LEFT": 1,
    }  # fmt: skip


def test_the_table_is_the_published_one() -> None:
    """As printed to ±.0004; its columns sum to 1.0006 and 1.0009, and divided by that they agree to the last digit."""
    world = grid_map("halmoids")
    ours, printed = direction_table(world, world.runners[0]), published_table()
    assert np.abs(ours - printed).max() < 0.0004
    assert np.abs(ours - printed / printed.sum(axis=1, keepdims=True)).max() < 0.00006


@given(st.lists(st.integers(0, 7), min_size=1, max_size=40))
def test_shares_are_a_distribution_without_zeros(way: list[int]) -> None:
    shares = direction_shares(way)
    assert shares.sum() == pytest.approx(1.0)
    assert shares.min() >= FLOOR / (1 + 8 * FLOOR)


def test_beliefs_follow_bayes_rule_move_by_move() -> None:
    world = grid_map("islands")
    paths, table = grid_paths(world), direction_table(world, world.runners[0])
    found = pursue(world, 20, noise=0.3, traced=True, unhindered=True, seed=5)
    offsets = [int(offset) for offset in paths.offsets]
    for run in range(20):
        cells = found.runners[run, : found.moves[run, 0] + 1, 0]
        likelihood = np.ones(len(world.goals))
        for move in range(1, len(cells)):
            likelihood = likelihood * table[:, offsets.index(int(cells[move] - cells[move - 1]))]
            likelihood /= likelihood.sum()
            costs = paths.costs[:, cells[move]] - paths.costs[:, cells[0]]
            by_cost = np.exp(-BETA * (costs - costs.min()))
            believed = found.posteriors[run, move, :, 0]
            assert believed[BY_DIRECTIONS] == pytest.approx(likelihood)
            assert believed[BY_COST] == pytest.approx(by_cost / by_cost.sum())
        assert np.isnan(found.posteriors[run, len(cells) :]).all()


def test_the_ideal_observer_knows_the_chances() -> None:
    """From the middle of open water, 1 is up and 2 is down: a step up is .9 + .1 / 8 for one and .1 / 8 for the other."""
    world = parse_map("..1..\n.....\n..r..\n.....\n..2..")
    found = pursue(world, 1, noise=0.1, goal=0, traced=True, unhindered=True, seed=0)
    up = grid_paths(world).offsets[UP]
    assert found.runners[0, 1, 0] - found.runners[0, 0, 0] == up
    chances = np.array([0.9 + 0.1 / 8, 0.1 / 8])
    assert found.posteriors[0, 1, IDEAL, 0] == pytest.approx(chances / chances.sum())


def test_the_ideal_observer_is_calibrated_and_has_the_smallest_loss() -> None:
    found = pursue(grid_map("harbour"), 1500, noise=0.2, any_way=True, traced=True, unhindered=True, seed=1)
    seen = np.arange(found.posteriors.shape[1])[None, :] <= found.moves[:, :1]
    truths = np.broadcast_to(found.goals[:, :1], seen.shape)[seen]
    losses = [
        -np.log(found.posteriors[:, :, k, 0][seen][np.arange(len(truths)), truths]).mean()
        for k in (BY_DIRECTIONS, BY_COST, IDEAL)
    ]
    assert losses[IDEAL] < min(losses[BY_DIRECTIONS], losses[BY_COST])
    leading = found.posteriors[:, :, IDEAL, 0][seen]
    right = leading.argmax(axis=1) == truths
    assert right.mean() == pytest.approx(leading.max(axis=1).mean(), abs=0.02)
