"""Shared fitness by hand, the hall of fame, and that a saved coevolution goes on the same."""

import json

import numpy as np
import pytest

from nemesis.evolve.coevolution import Coevolution, CoevolutionParameters, Contest, beaten, shared_fitness

SMALL = CoevolutionParameters(population=6, hall_sample=3)


def test_shared_fitness_of_four_players_worked_by_hand() -> None:
    """Rival 0 is beaten by three (worth 1/3 each), rival 1 by one alone (worth 1), rival 2 by two, rival 3 by nobody."""
    beat = np.array([[1, 0, 1, 0], [1, 0, 0, 0], [1, 0, 1, 0], [0, 1, 0, 0]], np.bool_)
    assert shared_fitness(beat) == pytest.approx([1 / 3 + 1 / 2, 1 / 3, 1 / 3 + 1 / 2, 1])


def test_a_lead_of_ten_games_in_a_hundred_beats() -> None:
    wins = np.array([[60, 55, 54, 50, 46, 45, 40]]) / 100
    assert beaten(wins, draws_count=False).tolist() == [[True, True, False, False, False, False, False]]


def test_in_a_draw_both_win() -> None:
    wins = np.array([[55, 54, 50, 46, 45]]) / 100
    assert beaten(wins).tolist() == [[True, True, True, True, False]]
    assert beaten(1 - wins).tolist() == [[False, True, True, True, True]]


def sums(contest: Contest) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Whoever has the larger sum of genes wins in proportion."""
    first, second, old_first, old_second = ([genes.sum() for genes in side] for side in contest)

    def shares(mine: list[float], theirs: list[float]) -> np.ndarray:
        return np.array([[a / (a + b) for b in theirs] for a in mine]).reshape(len(mine), len(theirs))

    return shares(first, second), shares(first, old_second), shares(second, old_first)


def played(learner: Coevolution, generations: int) -> Coevolution:
    for _ in range(generations):
        learner.tell(*sums(learner.ask()))
    return learner


def test_the_best_of_every_generation_enters_the_hall_and_half_a_population_is_sampled() -> None:
    learner = Coevolution(8, seed=1, parameters=SMALL)
    contest = learner.ask()
    assert [len(part) for part in contest] == [6, 6, 0, 0]
    duels, *halls = sums(contest)
    best = contest.first[int(np.argmax(shared_fitness(beaten(duels))))]
    learner.tell(duels, *halls)
    assert (learner.halls[0][0] == best).all()
    played(learner, 4)
    contest = learner.ask()
    assert [len(part) for part in contest] == [6, 6, 3, 3]
    assert len(learner.halls[0]) == len(learner.halls[1]) == 5
    for member in contest.first_hall:
        assert any((member == old).all() for old in learner.halls[0])
    assert learner.describe()["hall"] == 5


def test_the_hall_counts_for_fitness() -> None:
    """With level duels, only who beats the one in the rivals' hall has more than the others."""
    learner = played(Coevolution(8, seed=2, parameters=SMALL), 1)
    before = learner.ask()
    level = np.full((6, 6), 0.5)
    against_hall = np.zeros((6, 1))
    against_hall[4] = 1.0
    learner.tell(level, against_hall, np.zeros((6, 1)))
    assert (learner.halls[0][-1] == before.first[4]).all()
    assert learner.describe()["first_best"] == pytest.approx(2.0)


def test_asking_twice_gives_the_same() -> None:
    learner = played(Coevolution(8, seed=3, parameters=SMALL), 7)
    for one, other in zip(learner.ask(), learner.ask(), strict=True):
        assert (np.array(one) == np.array(other)).all()


def test_a_saved_coevolution_goes_on_as_if_it_had_never_stopped() -> None:
    whole = played(Coevolution(60, seed=4, parameters=SMALL), 12)
    saved = json.loads(json.dumps(played(Coevolution(60, seed=4, parameters=SMALL), 6).to_json()))
    assert played(Coevolution.from_json(saved), 6).to_json() == whole.to_json()


def test_the_first_generation_can_be_saved() -> None:
    fresh = Coevolution(60, seed=5, parameters=SMALL)
    assert Coevolution.from_json(json.loads(json.dumps(fresh.to_json()))).to_json() == fresh.to_json()


def test_shares_of_the_wrong_shape_are_refused_and_change_nothing() -> None:
    learner = Coevolution(8, seed=6, parameters=SMALL)
    before = learner.to_json()
    with pytest.raises(ValueError, match=r"came as \(6, 5\); this generation needs \(6, 6\)"):
        learner.tell(np.zeros((6, 5)), np.zeros((6, 0)), np.zeros((6, 0)))
    with pytest.raises(ValueError, match="between 0 and 1"):
        learner.tell(np.full((6, 6), 60.0), np.zeros((6, 0)), np.zeros((6, 0)))
    assert learner.to_json() == before
