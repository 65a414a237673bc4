import numpy as np
import pytest
from numpy.typing import NDArray

from nemesis.evolve.natural import Natural, NaturalParameters, utilities

TARGET = np.linspace(-2.0, 2.0, 20)


def nearness(genomes: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    return np.array([-np.square(genome - TARGET).sum() for genome in genomes])


def test_it_finds_a_point_through_noise() -> None:
    """Twenty genes, noise as large as being one unit off: the mean ends near the target, and draws have narrowed."""
    learner, noise = Natural(np.zeros(20), seed=3), np.random.default_rng(4)
    for _ in range(300):
        learner.tell(nearness(learner.ask()) + noise.normal(0, 1.0, 100))
    assert np.abs(learner.ask()[0] - TARGET).max() < 0.3
    assert learner.describe()["spread"] < 0.4


def test_draws_cool_from_the_generation_that_was_said() -> None:
    """Equal fitness moves nothing, so what narrows the draws is the cooling alone."""
    learner = Natural(np.zeros(5), 1, NaturalParameters(10, spread=0.4, cooling=0.5, cools_from=2))
    spreads = []
    for _ in range(5):
        spreads.append(learner.describe()["spread"])
        learner = Natural.from_json(learner.to_json())
        learner.tell(np.zeros(10))
    assert spreads == pytest.approx([0.4, 0.4, 0.4, 0.2, 0.1])


def test_units_are_how_far_each_gene_is_drawn() -> None:
    genomes = np.array(Natural(np.zeros(3), 1, NaturalParameters(400, spread=0.5), units=[1.0, 10.0, 0.1]).ask())
    assert genomes.std(axis=0) == pytest.approx([0.5, 5.0, 0.05], rel=0.1)
    with pytest.raises(ValueError, match="the units of 3 genes must be as many positive numbers"):
        Natural(np.zeros(3), 1, units=[1.0, 0.0, 1.0])


def test_only_the_order_of_fitness_counts() -> None:
    plain, scaled = Natural(np.ones(5), seed=1), Natural(np.ones(5), seed=1)
    for _ in range(3):
        scores = nearness([np.resize(genome, 20) for genome in plain.ask()])
        plain.tell(scores)
        scaled.tell(1e6 + 5 * scores)
    assert plain.to_json() == scaled.to_json()


def test_the_first_genome_is_the_mean_of_mirrored_draws() -> None:
    genomes = np.array(Natural(TARGET, seed=2, parameters=NaturalParameters(population=9)).ask())
    assert genomes[0] == pytest.approx(TARGET)
    assert genomes[1:5] + genomes[5:] == pytest.approx(np.tile(2 * TARGET, (4, 1)))


def test_weights_are_the_papers_and_equals_share_alike() -> None:
    """For four draws: places ln 3, ln 1.5 and nothing, as shares, less a quarter each."""
    whole = np.log(3) + np.log(1.5)
    assert utilities(np.array([1.0, 9.0, 4.0, 0.0])) == pytest.approx(
        np.array([0, np.log(3) / whole, np.log(1.5) / whole, 0]) - 0.25
    )
    assert utilities(np.full(6, 3.0)) == pytest.approx(np.zeros(6))


@pytest.mark.parametrize("wrong", [{"spread": 0.0}, {"mean_rate": 11.0}, {"spread_rate": 1.5}])
def test_impossible_settings_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="must be"):
        NaturalParameters(**wrong)  # type: ignore[arg-type]


def test_it_starts_from_a_row_of_finite_numbers() -> None:
    with pytest.raises(ValueError, match="a row of finite numbers"):
        Natural([0.0, np.nan], seed=1)
