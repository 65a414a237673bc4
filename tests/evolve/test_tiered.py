"""Laws of tiered survival: who stays as they are, who mutates, who has children, and what a session leaves alone."""

from typing import Any

import numpy as np
import pytest

from nemesis.evolve.learner import packed
from nemesis.evolve.tiered import Tiered, TieredParameters

MODULES = (6, 4)
FIRST, SECOND = slice(0, 6), slice(6, 10)


def learner(seed: int = 1, **settings: Any) -> Tiered:
    generations = settings.pop("generations", 40)
    parameters = TieredParameters(**{"population": 20, "session": 5, **settings})
    return Tiered(MODULES, seed, parameters, generations=generations)


def towards_ones(tiered: Tiered, generations: int) -> Tiered:
    """A fitness anyone can see through: how near the genes are to one."""
    for _ in range(generations):
        tiered.tell(np.array([-np.abs(genes - 1).sum() for genes in tiered.ask()]))
    return tiered


def is_among(genome: np.ndarray, genomes: np.ndarray) -> bool:
    return bool((genomes == genome).all(axis=1).any())


def test_the_published_settings_are_the_defaults() -> None:
    p = TieredParameters()
    assert (p.population, p.survivors) == (50, 15)
    assert p.mutation(0, 500) == (0.25, 0.5)
    assert p.mutation(499, 500) == (pytest.approx(0.10), pytest.approx(np.sqrt(0.05)))
    assert p.mutation(10_000, 500) == p.mutation(499, 500)


def test_rate_and_variance_fall_in_a_straight_line() -> None:
    p = TieredParameters()
    rates, deviations = zip(*(p.mutation(generation, 101) for generation in range(101)), strict=True)
    np.testing.assert_allclose(rates, np.linspace(0.25, 0.10, 101))
    np.testing.assert_allclose(np.square(deviations), np.linspace(0.25, 0.05, 101))


def test_the_top_tier_lives_on_unchanged_and_nobody_else() -> None:
    """Fitness 19, 18, … 0: six survive, 19 to 14; their mean is 16.5, so 19, 18 and 17 are the top tier."""
    tiered = learner(rates=(1.0, 1.0))
    before = np.array(tiered.ask())
    tiered.tell(np.arange(20.0))
    after = np.array(tiered.ask())
    assert (after[:3] == before[[19, 18, 17]]).all()
    assert sum(is_among(genome, after) for genome in before) == 3
    assert tiered.describe() == {"module": 0.0, "top_tier": 3.0}


def test_the_second_tier_mutates_in_the_module_of_the_session_and_has_no_children() -> None:
    """Without mutation: six survivors as they are, then fourteen children whose genes are all the top tier's."""
    tiered = learner(rates=(0.0, 0.0))
    before = np.array(tiered.ask())
    tiered.tell(np.arange(20.0))
    after = np.array(tiered.ask())
    assert (after[:6] == before[[19, 18, 17, 16, 15, 14]]).all()
    top = before[[19, 18, 17]]
    assert all((child == top).any(axis=0).all() for child in after[6:])
    assert not all(is_among(child[FIRST], top[:, FIRST]) for child in after[6:])

    mutating = learner(rates=(1.0, 1.0))
    mutating.tell(np.arange(20.0))
    second = np.array(mutating.ask())[3:6]
    assert (second[:, FIRST] != before[[16, 15, 14]][:, FIRST]).all()
    assert (second[:, SECOND] == before[[16, 15, 14]][:, SECOND]).all()


def test_children_take_each_gene_from_either_parent_at_even_odds() -> None:
    """Two parents, all zeros and all ones, and no mutation."""
    p = TieredParameters(population=1000, survive=0.002, rates=(0.0, 0.0))
    tiered = Tiered((8,), 2, p)
    state = tiered.to_json()
    genomes = np.array(tiered.ask())
    genomes[:2] = [[0.0] * 8, [1.0] * 8]
    tiered = Tiered.from_json({**state, "genomes": packed(genomes)})
    tiered.tell(np.array([1.0, 1.0, *[0.0] * 998]))
    children = np.array(tiered.ask())[2:]
    assert set(children.ravel()) == {0.0, 1.0}
    mixed = children[(children.max(axis=1) == 1) & (children.min(axis=1) == 0)]
    assert len(mixed) == pytest.approx(998 * 0.5 * (1 - 2 / 2**8), abs=70)
    assert children.mean(axis=0) == pytest.approx(np.full(8, 0.5), abs=0.07)


def test_mutation_strikes_at_its_rate_and_with_its_variance() -> None:
    p = TieredParameters(population=400, rates=(0.25, 0.25), variances=(0.25, 0.25))
    tiered = Tiered((100,), 3, p, start=np.zeros(100), generations=10**6)
    genes = np.array(tiered.ask())[1:]
    struck = genes != 0
    assert struck.mean() == pytest.approx(0.25, abs=0.01)
    assert genes[struck].std() == pytest.approx(0.5, abs=0.01)
    assert genes[struck].mean() == pytest.approx(0.0, abs=0.02)


def test_frozen_modules_never_change_within_a_session() -> None:
    """Also in the first session, when everybody's frozen module is their own: it is passed on whole."""
    tiered = learner(session=4)
    frozen_at_first = np.array(tiered.ask())[:, SECOND]
    for generation in range(16):
        module = generation // 4 % 2
        assert tiered.describe()["module"] == module
        frozen = np.array(tiered.ask())[:, SECOND if module == 0 else FIRST]
        if generation < 4:
            assert all(is_among(genes, frozen_at_first) for genes in frozen)
        else:
            assert (frozen == frozen[0]).all()
        towards_ones(tiered, 1)


def test_a_session_begins_with_the_champion_of_the_last_one() -> None:
    """It stays as it is once; all others are copies with the module to be evolved mutated, the other the champion's."""
    tiered = towards_ones(learner(rates=(1.0, 1.0)), 4)
    champion = np.array(tiered.ask())[7]
    tiered.tell(np.eye(20)[7])
    after = np.array(tiered.ask())
    assert tiered.describe()["module"] == 1
    assert (after[0] == champion).all()
    assert (after[:, FIRST] == champion[FIRST]).all()
    assert (after[1:, SECOND] != champion[SECOND]).all()


def test_a_genome_to_begin_from_is_the_champion_of_a_session_before() -> None:
    start = np.linspace(-1, 1, 10)
    genomes = np.array(Tiered(MODULES, 4, TieredParameters(rates=(1.0, 0.0)), start=start).ask())
    assert (genomes[0] == start).all()
    assert (genomes[:, SECOND] == start[SECOND]).all()
    assert (genomes[1:, FIRST] != start[FIRST]).all()


def test_a_single_module_is_evolved_without_new_beginnings() -> None:
    """Sessions of one generation would make every generation copies of one; with one module there are none."""
    tiered = Tiered((10,), 5, TieredParameters(population=20, session=1))
    before = np.array(tiered.ask())
    tiered.tell(np.arange(20.0))
    assert (np.array(tiered.ask())[:3] == before[[19, 18, 17]]).all()


@pytest.mark.parametrize("value", [0.1, 0.0, -750.0, 1e300])
def test_equal_fitness_puts_all_survivors_into_the_top_tier(value: float) -> None:
    """The mean of fifteen times .1 is rounded to more than .1, and still somebody is in the top tier."""
    tiered = Tiered(MODULES, 6)
    before = np.array(tiered.ask())
    tiered.tell(np.full(50, value))
    assert (np.array(tiered.ask())[:15] == before[:15]).all()
    assert tiered.describe()["top_tier"] == 15


def test_it_improves_in_both_modules() -> None:
    tiered = learner(seed=7, generations=200)
    before = np.abs(np.array(tiered.ask()) - 1)
    after = np.abs(np.array(towards_ones(tiered, 200).ask()) - 1)
    for module in (FIRST, SECOND):
        assert after[:, module].mean() < before[:, module].mean() / 2
        assert after[0, module].mean() < 0.2


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"population": 3}, "tiered evolution has population 3; it must be a whole number from 4"),
        ({"survive": 0.0}, "0.0 of 50 survive; at least 2 must, and not all"),
        ({"survive": 0.02}, "0.02 of 50 survive; at least 2 must"),
        ({"survive": 0.999}, "0.999 of 50 survive; at least 2 must, and not all"),
        ({"survive": 1.5}, "1.5 of 50 survive"),
        ({"rates": (0.25, 1.5)}, r"mutation rates \(0.25, 1.5\) must lie between 0 and 1"),
        ({"rates": (-0.1, 0.1)}, r"mutation rates \(-0.1, 0.1\) must lie between 0 and 1"),
        ({"variances": (0.25, -1.0)}, r"variances \(0.25, -1.0\) .* must be at least 0"),
        ({"first": -0.5}, "the first deviation -0.5 must be at least 0"),
        ({"session": 0}, "tiered evolution has session 0; it must be a whole number from 1"),
    ],
)
def test_impossible_settings_are_refused(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        TieredParameters(**settings)


@pytest.mark.parametrize("modules", [(), (3, 0)])
def test_modules_without_genes_are_refused(modules: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"modules of \[.*\] genes cannot be evolved; give at least one gene to each"):
        Tiered(modules, 1)


@pytest.mark.parametrize("start", [np.zeros(9), np.zeros(11), np.zeros((2, 5))])
def test_a_genome_of_another_size_cannot_begin(start: np.ndarray) -> None:
    with pytest.raises(ValueError, match=r"modules of \[6, 4\] genes cannot begin from a genome of shape"):
        Tiered(MODULES, 1, start=start)
