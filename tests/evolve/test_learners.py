"""Conformance: the laws of asking and telling, of seeds and of saving, for every registered learner."""

import json
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from nemesis import names
from nemesis.evolve.learner import Learner, Settings
from nemesis.evolve.plain import from_plain, plain
from nemesis.evolve.run import RunError, restored
from nemesis.evolve.space import Graph, Probabilities, Weights

GENERATIONS, POPULATION = 12, 12
SPACES: dict[type, Any] = {
    Probabilities: Probabilities(genes=8),
    Weights: Weights(np.linspace(-1.0, 1.0, 10), units=np.linspace(0.5, 1.5, 10), modules=(6, 4)),
    Graph: Graph(inputs=3, outputs=2),
}


@pytest.fixture(params=list(names.LEARNERS))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def settings(name: str) -> Settings:
    found: Settings = names.find("learner", name, names.LEARNERS)(population=POPULATION)
    return found


def begun(settings: Settings, seed: int = 1) -> Learner[Any]:
    return settings.begin(SPACES[settings.genomes], seed, GENERATIONS)


def numbers(genome: Any) -> NDArray[np.float64]:
    """The numbers of a genome, whatever it is."""
    return np.asarray(genome.network.block if hasattr(genome, "network") else genome)


def played(learner: Learner[Any], generations: int) -> Learner[Any]:
    """Told that genomes with larger numbers are better."""
    for _ in range(generations):
        learner.tell(np.array([np.abs(numbers(genome)).sum() for genome in learner.ask()]))
    return learner


def asked(learner: Learner[Any]) -> list[list[float]]:
    return [numbers(genome).tolist() for genome in learner.ask()]


def test_a_generation_is_a_population_and_asking_again_changes_nothing(settings: Settings) -> None:
    learner = begun(settings)
    for generation in range(4):
        assert learner.generation == generation
        assert len(learner.ask()) == POPULATION
        assert asked(learner) == asked(learner)
        played(learner, 1)


def test_whoever_asks_cannot_change_a_genome(settings: Settings) -> None:
    for genome in played(begun(settings), 2).ask():
        if isinstance(genome, np.ndarray):
            with pytest.raises(ValueError, match="read-only"):
                genome[0] = 0.5


def test_the_same_seed_is_the_same_run_and_another_is_another(settings: Settings) -> None:
    first, second, other = (played(begun(settings, seed), GENERATIONS) for seed in (7, 7, 8))
    assert first.to_json() == second.to_json()
    assert asked(first) == asked(second)
    assert asked(first) != asked(other)


@pytest.mark.parametrize("after", [0, 1, 5, 11])
def test_a_saved_learner_goes_on_as_if_it_had_never_stopped(settings: Settings, name: str, after: int) -> None:
    whole = played(begun(settings), GENERATIONS)
    saved = json.loads(json.dumps(played(begun(settings), after).to_json(), allow_nan=False))
    again = restored(settings.resume, saved, name)
    assert again.generation == after
    assert played(again, GENERATIONS - after).to_json() == whole.to_json()
    assert asked(again) == asked(whole)


def test_a_damaged_state_is_refused_with_a_sentence(settings: Settings, name: str) -> None:
    state = played(begun(settings), 2).to_json()
    for damaged in ({**state, "learner": "another"}, {**state, "generation": -1}, {**state, "genomes": 5, "draws": 5}):
        with pytest.raises(RunError, match="the checkpoint is damaged"):
            restored(settings.resume, damaged, name)


@pytest.mark.parametrize(
    ("fitness", "sentence"),
    [
        (np.ones(POPULATION - 1), f"a generation of {POPULATION} genomes was told fitness of shape"),
        (np.ones((POPULATION, 2)), f"a generation of {POPULATION} genomes was told fitness of shape"),
        (np.array([1.0] * (POPULATION - 1) + [np.nan]), f"the fitness of genome {POPULATION - 1} is nan"),
        (np.array([np.inf] + [1.0] * (POPULATION - 1)), "the fitness of genome 0 is inf"),
    ],
)
def test_impossible_fitness_is_refused_and_changes_nothing(settings: Settings, fitness: Any, sentence: str) -> None:
    learner = played(begun(settings), 3)
    before = learner.to_json()
    with pytest.raises(ValueError, match=sentence):
        learner.tell(fitness)
    assert learner.to_json() == before


def test_equal_fitness_does_no_harm(settings: Settings) -> None:
    learner = begun(settings)
    for value in (0.0, 1.0, 0.1):
        learner.tell(np.full(POPULATION, value))
        assert np.isfinite([number for genome in asked(learner) for number in genome]).all()


def test_what_it_tells_of_a_generation_are_numbers_and_a_leader_who_is_there(settings: Settings) -> None:
    learner = played(begun(settings), 2)
    assert all(isinstance(value, float) and np.isfinite(value) for value in learner.describe().values())
    assert 0 <= learner.leader(np.arange(float(POPULATION))) < POPULATION


def test_its_settings_are_plain_data_and_read_back_the_same(settings: Settings, name: str) -> None:
    assert from_plain(type(settings), json.loads(json.dumps(plain(settings))), name) == settings
    assert names.name_of(names.LEARNERS, settings) == name


@pytest.mark.parametrize("population", [0, -5, 1, 10**9, 12.5, True, "12"])
def test_an_impossible_population_is_refused_with_its_range(name: str, population: Any) -> None:
    with pytest.raises(ValueError, match=r"has population .*; it must be a whole number from \d to 10,000"):
        names.find("learner", name, names.LEARNERS)(population=population)


@pytest.mark.parametrize("wrong", [{"populaton": 12}, {"population": "many"}, {"population": None}, 5, [1, 2]])
def test_settings_that_cannot_be_read_are_refused_with_a_sentence(name: str, wrong: Any) -> None:
    with pytest.raises(ValueError, match=r"the learner (has|is)"):
        from_plain(names.find("learner", name, names.LEARNERS), wrong, "the learner")
