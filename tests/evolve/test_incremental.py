import numpy as np
import pytest

from nemesis.evolve.incremental import Incremental, IncrementalParameters


def ones(genomes: list[np.ndarray]) -> np.ndarray:  # type: ignore[type-arg]
    return np.array([genome.mean() for genome in genomes])


def test_it_finds_the_genome_of_all_ones_through_noise() -> None:
    learner = Incremental(40, seed=3)
    noise = np.random.default_rng(4)
    for _ in range(200):
        learner.tell(ones(learner.ask()) + noise.normal(0, 0.05, 100))
    assert learner.ask()[0].mean() == 1
    assert learner.describe()["undecided"] < 0.2


@pytest.mark.parametrize("wrong", [{"rate": 0.0}, {"teaching": 1.5}, {"margin": 0.5}])
def test_impossible_settings_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="must lie between"):
        IncrementalParameters(**wrong)  # type: ignore[arg-type]
