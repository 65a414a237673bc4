"""Laws of the genetic algorithm: genes in range, groups kept together, roulette in proportion, nothing hidden."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from nemesis.evolve.genetic import Genetic, GeneticParameters, crossed, mutated, next_genomes, roulette, roulette_order


def towards_ones(learner: Genetic, generations: int) -> Genetic:
    """A fitness anyone can see through: the sum of the genes."""
    for _ in range(generations):
        learner.tell(np.array([genes.sum() for genes in learner.ask()]))
    return learner


@given(st.integers(0, 2**32), st.integers(1, 4), st.integers(2, 12), st.integers(1, 8))
def test_crossover_never_parts_a_group_and_cuts_once(seed: int, together: int, groups: int, couples: int) -> None:
    mothers = np.zeros((couples, together * groups))
    children = crossed(mothers, mothers + 1, together, np.random.default_rng(seed))
    assert len(children) == 2 * couples
    for child in children:
        parts = child.reshape(groups, together)
        assert (parts == parts[:, :1]).all()
        assert np.abs(np.diff(parts[:, 0])).sum() == 1


@given(st.integers(0, 2**32))
def test_both_children_of_a_couple_share_its_genes(seed: int) -> None:
    chance = np.random.default_rng(seed)
    mothers, fathers = chance.random((2, 5, 8))
    children = crossed(mothers, fathers, 2, chance).reshape(5, 2, 8)
    np.testing.assert_allclose(children.sum(axis=1), mothers + fathers)


def test_genes_stay_probabilities() -> None:
    learner = towards_ones(Genetic(60, seed=3, parameters=GeneticParameters(mutation=0.5)), 20)
    genomes = np.array(learner.ask())
    assert genomes.shape == (100, 60)
    assert ((genomes >= 0) & (genomes <= 1)).all()


def test_mutation_strikes_single_genes_at_its_rate() -> None:
    genomes = np.full((1000, 60), 2.0)
    struck = mutated(genomes, 0.01, np.random.default_rng(0)) != 2.0
    assert struck.mean() == pytest.approx(0.01, abs=0.002)
    assert (struck.reshape(1000, 30, 2).sum(axis=2) == 1).sum() > (struck.reshape(1000, 30, 2).sum(axis=2) == 2).sum()


def test_roulette_is_proportional_to_fitness() -> None:
    fitness = np.array([0.0, 1.0, 2.0, 3.0, 4.0])
    drawn = np.bincount(roulette(fitness, 10_000, np.random.default_rng(1)), minlength=5)
    assert drawn[0] == 0
    assert chisquare(drawn[1:], fitness[1:] * 1000).pvalue > 1e-4


def test_roulette_order_draws_the_first_in_proportion_and_the_worthless_last() -> None:
    fitness = np.array([0.0, 1.0, 2.0, 3.0, 4.0])
    chance = np.random.default_rng(2)
    orders = np.array([roulette_order(fitness, chance) for _ in range(5000)])
    assert (np.sort(orders, axis=1) == np.arange(5)).all()
    assert (orders[:, -1] == 0).all()
    assert chisquare(np.bincount(orders[:, 0], minlength=5)[1:], fitness[1:] * 500).pvalue > 1e-4


def test_without_any_fitness_all_are_alike() -> None:
    drawn = np.bincount(roulette(np.zeros(4), 8000, np.random.default_rng(3)), minlength=4)
    assert chisquare(drawn).pvalue > 1e-4


def test_the_elite_and_the_kept_live_on_unchanged() -> None:
    chance = np.random.default_rng(4)
    genomes = chance.random((10, 8))
    fitness = np.arange(10.0)
    parameters = GeneticParameters(population=10, mutation=1.0, elite=1, kept=5)
    following = next_genomes(genomes, fitness, parameters, chance)
    assert (following[0] == genomes[9]).all()
    assert sum((genomes == row).all(axis=1).any() for row in following) == 6


def test_it_improves() -> None:
    learner = Genetic(20, seed=5)
    before = np.array(learner.ask()).mean()
    assert np.array(towards_ones(learner, 60).ask()).mean() > before + 0.1


def test_a_fitness_below_0_has_no_place_on_a_roulette_wheel() -> None:
    learner = Genetic(8, seed=9, parameters=GeneticParameters(population=10))
    before = learner.to_json()
    with pytest.raises(ValueError, match="at least 0"):
        learner.tell(np.arange(10.0) - 1)
    assert learner.to_json() == before


def test_genes_that_cannot_be_grouped_are_refused() -> None:
    with pytest.raises(ValueError, match="61 genes cannot be crossed over in groups of 2"):
        Genetic(61, seed=0)
