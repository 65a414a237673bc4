"""NEAT: neat-python is the oracle for networks and distances; growth and species by their rules."""

from types import SimpleNamespace
from typing import Any

import neat
import numpy as np
import pytest
from neat.activations import ActivationFunctionSet
from neat.aggregations import AggregationFunctionSet
from neat.genes import DefaultConnectionGene, DefaultNodeGene

from nemesis.evolve.neat import Neat, NeatParameters
from nemesis.evolve.neat_genome import (
    Genome,
    computing_order,
    crossed,
    decode,
    edge_name,
    ends,
    first_genome,
    missing_places,
    with_connections,
    with_node,
)
from nemesis.evolve.neat_species import Comparison, offspring

BUSY = NeatParameters(population=40, add_node=0.3, add_connection=0.5)
CASES = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)], float)


def evolved(learner: Neat, generations: int) -> Neat:
    """Evolved towards telling cases with an odd number of ones from the others, and towards having more nodes."""
    for _ in range(generations):
        fitness = []
        for candidate in learner.ask():
            network = candidate.network
            network.clear()
            wrong = sum(abs(network.activate(case)[0] - case.sum() % 2) for case in CASES)
            fitness.append(8 - wrong + len(network.nodes))
        learner.tell(np.array(fitness))
    return learner


def genome_of(
    biases: dict[int, float], connections: dict[tuple[int, int], float], off: tuple[tuple[int, int], ...] = ()
) -> Genome:
    wires = sorted((edge_name(*key), weight, key not in off) for key, weight in connections.items())
    edges, weights, enabled = zip(*wires, strict=True) if wires else ((), (), ())
    nodes = sorted(biases)
    return Genome(
        np.array(nodes, np.int64),
        np.array([biases[node] for node in nodes]),
        np.array(edges, np.int64),
        np.array(weights, float),
        np.array(enabled, bool),
    )


def as_neat_python(genome: Genome) -> Any:
    """The same genome in neat-python's classes."""
    theirs = neat.DefaultGenome(1)
    for node, bias in zip(genome.nodes.tolist(), genome.biases.tolist(), strict=True):
        gene = DefaultNodeGene(node)
        gene.bias, gene.response, gene.activation, gene.aggregation = bias, 1.0, "sigmoid", "sum"
        gene.time_constant = 1.0
        theirs.nodes[node] = gene
    for number, (source, target) in enumerate(zip(*(end.tolist() for end in ends(genome.edges)), strict=True)):
        edge = DefaultConnectionGene((source, target), innovation=number)
        edge.weight, edge.enabled = float(genome.weights[number]), bool(genome.enabled[number])
        theirs.connections[source, target] = edge
    return theirs


def neat_python_config(inputs: int, outputs: int) -> Any:
    return SimpleNamespace(
        genome_config=SimpleNamespace(
            input_keys=[-1 - i for i in range(inputs)],
            output_keys=list(range(outputs)),
            activation_defs=ActivationFunctionSet(),
            aggregation_function_defs=AggregationFunctionSet(),
        )
    )


def test_feed_forward_networks_answer_like_neat_pythons() -> None:
    learner = evolved(Neat(3, 2, 1, NeatParameters(40, 0.3, 0.5, feed_forward=True, connected=0.7)), 15)
    chance = np.random.default_rng(0)
    depth = 0
    for genome, candidate in zip(learner.genomes, learner.ask(), strict=True):
        theirs = neat.nn.FeedForwardNetwork.create(as_neat_python(genome), neat_python_config(3, 2))
        candidate.network.clear()
        assert not candidate.network.feeds_back
        depth = max(depth, len(candidate.network.nodes))
        for inputs in chance.normal(size=(5, 3)):
            np.testing.assert_allclose(candidate.network.activate(inputs), theirs.activate(inputs), rtol=1e-12)
    assert depth > 5


def test_distances_are_neat_pythons() -> None:
    learner = evolved(Neat(3, 2, 5, BUSY), 10)
    theirs = [as_neat_python(genome) for genome in learner.genomes]
    settings = SimpleNamespace(compatibility_disjoint_coefficient=1.0, compatibility_weight_coefficient=0.5)
    compared = Comparison(learner.genomes, 1.0, 0.5)
    for which in (0, 7, 39):
        expected = [_distance(theirs[which], other, settings) for other in theirs]
        np.testing.assert_allclose(compared.distances(which), expected, rtol=1e-12)


def _distance(first: Any, second: Any, settings: Any) -> float:
    """neat-python's distance; where it lines connections up by number, the numbers are made those of the ends."""
    for genome in (first, second):
        for (source, target), gene in genome.connections.items():
            gene.innovation = edge_name(source, target)
    found: float = first.distance(second, settings)
    return found


def test_an_edge_backward_carries_the_step_before() -> None:
    """Input -> 2 -> 0 (output), and 0 -> 2: the hidden node hears the output one step late."""
    genome = genome_of({0: 0.0, 2: 0.0}, {(-1, 2): 1.0, (2, 0): 1.0, (0, 2): -3.0})
    network = decode(genome, 1, 1, activation="identity")
    assert network.activate([5.0]) == [5.0]
    assert network.activate([5.0]) == [5.0 - 3 * 5.0]
    assert network.feeds_back


def test_the_order_of_computing_ignores_edges_that_close_a_loop() -> None:
    assert computing_order([0, 1], {0: [3, -1], 3: [2], 2: [3, 4, -1], 1: [2, 0], 4: []}) == [4, 2, 3, 0, 1]


def test_disabled_connections_and_idle_nodes_are_left_out() -> None:
    genome = genome_of({0: 0.5, 2: 1.0, 3: 1.0}, {(-1, 0): 2.0, (2, 0): 1.0, (-1, 3): 1.0}, off=((2, 0),))
    network = decode(genome, 1, 1, activation="identity")
    assert len(network.nodes) == 1
    assert network.activate([3.0]) == [6.5]


def test_splitting_a_connection_puts_a_node_in_its_place_under_one_name() -> None:
    chance, names = np.random.default_rng(0), dict[int, int]()
    parent = genome_of({0: 0.5}, {(-1, 0): 2.0})
    grown = with_node(parent, names, 1, chance)
    assert grown.nodes.tolist() == [0, 1]
    wires = dict(zip(zip(*(end.tolist() for end in ends(grown.edges)), strict=True), grown.weights, strict=True))
    assert wires == {(-1, 0): 2.0, (-1, 1): 1.0, (1, 0): 2.0}
    assert not grown.enabled[grown.edges.tolist().index(edge_name(-1, 0))]
    again = with_node(parent, names, 1, chance)
    assert again.nodes.tolist() == [0, 1]
    assert names == {edge_name(-1, 0): 1}


def test_a_child_has_the_fitter_parents_structure_and_genes_of_both() -> None:
    fitter = genome_of({0: 1.0, 3: 1.0}, {(-1, 0): 1.0, (3, 0): 1.0})
    other = genome_of({0: 2.0, 4: 2.0}, {(-1, 0): 2.0, (4, 0): 2.0})
    chance = np.random.default_rng(1)
    children = [crossed(fitter, other, chance) for _ in range(200)]
    assert all(child.nodes.tolist() == [0, 3] and child.edges.tolist() == fitter.edges.tolist() for child in children)
    assert {child.biases.tolist()[0] for child in children} == {1.0, 2.0}
    assert {child.biases.tolist()[1] for child in children} == {1.0}
    assert 60 < sum(child.weights[child.edges.tolist().index(edge_name(-1, 0))] == 2.0 for child in children) < 140


def test_a_connection_that_is_off_in_one_parent_mostly_stays_off() -> None:
    on = genome_of({0: 0.0}, {(-1, 0): 1.0})
    off = genome_of({0: 0.0}, {(-1, 0): 1.0}, off=((-1, 0),))
    chance = np.random.default_rng(2)
    kept = np.mean([crossed(on, off, chance).enabled[0] for _ in range(4000)])
    assert kept == pytest.approx(0.5 * 0.25, abs=0.03)


def test_it_improves() -> None:
    learner = Neat(3, 1, seed=6, parameters=NeatParameters(add_node=0.1, add_connection=0.2))
    first = len(learner.ask()[0].network.nodes)
    grown = evolved(learner, 30)
    assert grown.describe()["hidden_nodes"] > 1
    assert max(len(candidate.network.nodes) for candidate in grown.ask()) > first + 1


def test_recurrent_connections_may_start_at_an_output_and_forward_ones_may_not() -> None:
    grown = evolved(Neat(3, 2, seed=7, parameters=NeatParameters(30, 0.1, 0.9, connected=0.0)), 12)
    assert any(0 <= source < 2 for genome in grown.genomes for source in ends(genome.edges)[0].tolist())
    forward = NeatParameters(30, 0.1, 0.9, connected=0.0, feed_forward=True)
    grown = evolved(Neat(3, 2, seed=7, parameters=forward), 12)
    assert not any(candidate.network.feeds_back for candidate in grown.ask())


@pytest.mark.parametrize(("connected", "expected"), [(1.0, 9 * 3 + 3), (0.0, 0)])
def test_the_first_networks_are_as_connected_as_asked(connected: float, expected: int) -> None:
    learner = Neat(9, 3, seed=8, parameters=NeatParameters(connected=connected))
    assert {genome.edges.size for genome in learner.genomes} == {expected}
    assert len(learner.ask()) == 100


def test_a_rate_for_each_place_adds_that_share_of_what_is_missing() -> None:
    """Ten inputs and two outputs, nothing connected: 24 places at a rate of .25 each are six connections a child."""
    added = {}
    for each_place in (False, True):
        parameters = NeatParameters(100, 0.0, 0.25, each_place=each_place, connected=0.0)
        learner = Neat(10, 2, seed=3, parameters=parameters)
        learner.tell(np.zeros(100))
        added[each_place] = learner.describe()["connections"]
    assert added[False] == pytest.approx(0.25, abs=0.15)
    assert added[True] == pytest.approx(6.0, abs=0.6)


def test_connections_are_added_only_where_there_are_none() -> None:
    genome = first_genome(3, 2, 0.5, True, np.random.default_rng(4))
    assert genome.edges.size == 4
    assert missing_places(genome, 3).size == 3 * 2 + 2 * 2 - 4
    whole = with_connections(genome, 3, 100, np.random.default_rng(5))
    assert whole.edges.size == 3 * 2 + 2 * 2
    assert missing_places(whole, 3).size == 0
    assert len(set(whole.edges.tolist())) == whole.edges.size


def test_the_number_of_species_is_steered() -> None:
    """At a fixed distance nearly everyone stays in one species; aimed at six to ten, there are about that many."""
    loose = NeatParameters(fewest_species=0, most_species=100)
    assert evolved(Neat(3, 1, seed=10, parameters=loose), 15).describe()["species"] < 4
    aimed = Neat(3, 1, seed=10)
    counts = [evolved(aimed, 1).describe()["species"] for _ in range(40)]
    assert 5 <= np.mean(counts[20:]) <= 14


@pytest.mark.parametrize("population", [2, 10, 100])
@pytest.mark.parametrize("kinds", [1, 2, 5])
def test_offspring_fill_the_population_and_nobody_is_left_out(population: int, kinds: int) -> None:
    if kinds > population // 2:
        kinds = population // 2
    means = np.linspace(0.1, 0.9, kinds)
    sizes = np.full(kinds, population / kinds)
    counts = offspring(means, sizes, population)
    assert sum(counts) == population
    assert min(counts) >= 1
    assert counts[-1] == max(counts)


def test_impossible_settings_and_fitness_are_refused() -> None:
    with pytest.raises(ValueError, match="add_node 2"):
        NeatParameters(add_node=2)
    with pytest.raises(ValueError, match="40 genomes was told fitness of shape"):
        Neat(3, 1, seed=1, parameters=BUSY).tell(np.zeros(3))


def test_networks_grow_and_feed_back() -> None:
    whole = evolved(Neat(3, 1, seed=2, parameters=BUSY), 12)
    assert any(candidate.network.feeds_back for candidate in whole.ask())
