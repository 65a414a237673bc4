"""Pursuits obey the rules: moves of one cell, never onto rocks, one end for every runner, the same under the same seed."""

import itertools

import numpy as np
import pytest

from nemesis.measure.grid_recognition import outcome_shares, recognition, success
from nemesis.play.grid_loop import ARRIVED, AT_SEA, INTERCEPTED
from nemesis.play.grid_pursuit import STEERING, pursue, rounds_of
from nemesis.respond.grid_interceptor import MANNERS
from nemesis.rules.grid_map import GridMap, grid_map, parse_map
from nemesis.rules.grid_paths import a_star, grid_paths
from nemesis.rules.grid_random import random_map

WORLDS = [grid_map("halmoids"), grid_map("fleet"), random_map(3, 0, boats=2)]


@pytest.mark.parametrize("world", WORLDS, ids=lambda world: world.name)
@pytest.mark.parametrize("manner", MANNERS)
@pytest.mark.parametrize("noise", [0.0, 0.4, 1.0])
def test_every_pursuit_obeys_the_rules(world: GridMap, manner: str, noise: float) -> None:
    paths = grid_paths(world)
    found = pursue(world, 30, noise=noise, manner=manner, traced=True, seed=2)
    for run in range(30):
        rounds = int(found.moves[run].max())
        for ship in range(len(world.runners)):
            moves = int(found.moves[run, ship])
            way = found.runners[run, : moves + 1, ship]
            assert [paths.place(way[0])] == [world.runners[ship]]
            assert all(paths.moves[a, b] == 1 for a, b in itertools.pairwise(way))
            at_goal, met = way[-1] == paths.goals[found.goals[run, ship]], way[-1] in found.interceptors[run, moves]
            outcome = found.outcomes[run, ship]
            assert outcome != ARRIVED or at_goal
            assert outcome != INTERCEPTED or met or way[-1] in found.interceptors[run, moves - 1]
            assert outcome != AT_SEA or (moves == rounds_of(world) and not met)
            assert not any(cell == paths.goals[found.goals[run, ship]] for cell in way[:-1])
        for ship in range(len(world.interceptors)):
            way = found.interceptors[run, : rounds + 1, ship]
            assert all(paths.moves[a, b] <= 1 for a, b in itertools.pairwise(way))


def test_without_noise_or_interceptors_a_runner_sails_the_way_of_a_star() -> None:
    world = grid_map("halmoids")
    for goal, place in enumerate(world.goals):
        found = pursue(world, 1, goal=goal, unhindered=True)
        assert found.outcomes[0, 0] == ARRIVED
        assert found.moves[0, 0] == len(a_star(world, world.runners[0], place)) == 13


def test_any_way_is_as_short_and_not_always_the_same() -> None:
    world = grid_map("halmoids")
    found = pursue(world, 200, goal=1, any_way=True, traced=True, unhindered=True)
    assert (found.moves == 13).all()
    assert len({tuple(way) for way in found.runners[:, :14, 0]}) > 50


def test_the_same_seed_gives_the_same_pursuits_however_they_are_counted() -> None:
    world = grid_map("islands")
    whole, part = pursue(world, 40, noise=0.3, seed=9), pursue(world, 10, noise=0.3, seed=9, first=30, traced=True)
    assert np.array_equal(whole.outcomes[30:], part.outcomes)
    assert np.array_equal(whole.settled[30:], part.settled)
    assert not np.array_equal(whole.goals, pursue(world, 40, noise=0.3, seed=10).goals)


def test_an_interceptor_in_the_way_meets_the_runner_head_on() -> None:
    corridor = parse_map("#######\n1....ri\n#######".replace("ri", "r."))
    open_end = parse_map("#######\n1i...r.\n#######")
    assert pursue(corridor).outcomes[0, 0] == ARRIVED
    met = pursue(open_end, traced=True)
    assert met.outcomes[0, 0] == INTERCEPTED
    assert met.moves[0, 0] == 2
    assert pursue(open_end, manner="guard").outcomes[0, 0] == INTERCEPTED
    assert pursue(open_end, manner="guard").moves[0, 0] == 5


def test_a_chaser_of_equal_speed_behind_the_runner_comes_too_late() -> None:
    behind = parse_map("#######\n1...r.i\n#######")
    assert pursue(behind).outcomes[0, 0] == ARRIVED


def test_being_told_is_never_worse_than_guessing() -> None:
    for manner in MANNERS:
        by = {
            steering: success(grid_map("harbour"), [0.1], 2000, steering=steering, manner=manner).intercepted[0]
            for steering in STEERING
        }
        assert by["told"] >= max(by["directions"], by["cost"], by["ideal"]) - 0.02
        assert min(by["directions"], by["cost"]) > by["blind"]


def test_two_interceptors_share_two_runners() -> None:
    world = parse_map("1.......2\n.........\n..i...i..\n.........\n.........\nr.......r")
    found = pursue(world, 50, steering="told", seed=4)
    assert (found.outcomes == INTERCEPTED).all()


def test_recognition_counts_runs_that_are_never_recognised_in_full() -> None:
    found = recognition(grid_map("halmoids"), 300, noise=0.0, seed=1)
    assert set(found.scores) == {"directions", "cost", "ideal"}
    assert found.moves["ideal"].max() <= 13
    assert (found.shares["directions"] <= 1).all()
    assert found.scores["ideal"].log_loss < found.scores["directions"].log_loss


def test_shares_of_outcomes_sum_to_one() -> None:
    found = pursue(grid_map("fleet"), 100, noise=0.5, manner="guard")
    assert sum(mean for mean, _ in outcome_shares(found.outcomes).values()) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"noise": 1.5}, "noise must be a number from 0 to 1, not 1.5"),
        ({"steering": "star"}, "nobody called 'star' can steer; choose one of directions, cost, ideal, told, blind"),
        ({"manner": "ram"}, "an interceptor cannot 'ram'"),
        ({"goal": 3}, "halmoids has goals 0 to 2, not 3"),
    ],
)
def test_wrong_settings_are_told(wrong: dict[str, object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        pursue(grid_map("halmoids"), **wrong)
