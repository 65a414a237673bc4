"""NEAT: neat-python is the oracle for networks and for evolution; a run is its seed and nothing else."""

import json
import random

import neat
import numpy as np
import pytest
from neat.genes import BaseGene, DefaultConnectionGene, DefaultNodeGene

from nemesis.evolve.neat import (
    ConnectionGene,
    Genome,
    Neat,
    NeatParameters,
    NodeGene,
    computing_order,
    connection_gene,
    decode,
    node_gene,
)

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
    genome = Genome(1)
    genome.nodes = {key: node_gene(key, bias) for key, bias in biases.items()}
    genome.connections = {
        key: connection_gene(key, number, weight, key not in off)
        for number, (key, weight) in enumerate(connections.items())
    }
    return genome


def test_feed_forward_networks_answer_like_neat_pythons() -> None:
    learner = evolved(Neat(3, 2, seed=1, parameters=NeatParameters(40, 0.3, 0.5, feed_forward=True, connected=0.7)), 15)
    chance = np.random.default_rng(0)
    depth = 0
    for genome, candidate in zip(learner.genomes, learner.ask(), strict=True):
        theirs = neat.nn.FeedForwardNetwork.create(genome, learner.config)
        candidate.network.clear()
        assert not candidate.network.feeds_back
        depth = max(depth, len(candidate.network.nodes))
        for inputs in chance.normal(size=(5, 3)):
            np.testing.assert_allclose(candidate.network.activate(inputs), theirs.activate(inputs), rtol=1e-12)
    assert depth > 5


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


def test_a_saved_learner_goes_on_as_if_it_had_never_stopped() -> None:
    whole = evolved(Neat(3, 1, seed=2, parameters=BUSY), 12)
    saved = json.loads(json.dumps(evolved(Neat(3, 1, seed=2, parameters=BUSY), 6).to_json()))
    resumed = evolved(Neat.from_json(saved), 6)
    assert resumed.to_json() == whole.to_json()
    assert resumed.ask() == whole.ask()
    assert any(candidate.network.feeds_back for candidate in whole.ask())
    assert whole.describe()["hidden_nodes"] > 1


def test_it_leaves_the_global_random_state_alone_and_does_not_depend_on_it() -> None:
    random.seed(5)
    undisturbed = random.getstate()
    first = evolved(Neat(3, 1, seed=3, parameters=BUSY), 3)
    assert random.getstate() == undisturbed
    random.seed(99)
    learner = Neat(3, 1, seed=3, parameters=BUSY)
    for _ in range(3):
        random.random()
        evolved(learner, 1)
    assert learner.to_json() == first.to_json()


def test_it_evolves_exactly_like_neat_pythons_own_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """The methods written out for speed draw the same numbers and give the same genomes as neat-python's general ones."""
    ours = evolved(Neat(3, 2, seed=4, parameters=BUSY), 10)
    for gene, default in ((NodeGene, DefaultNodeGene), (ConnectionGene, DefaultConnectionGene)):
        for method in ("mutate", "copy", "crossover"):
            monkeypatch.setattr(gene, method, getattr(BaseGene, method))
        monkeypatch.setattr(gene, "distance", default.distance, raising=False)
    monkeypatch.setattr(NodeGene, "time_constant", 1.0, raising=False)
    monkeypatch.setattr(Genome, "distance", neat.DefaultGenome.distance)
    assert evolved(Neat(3, 2, seed=4, parameters=BUSY), 10).to_json() == ours.to_json()


def test_it_improves() -> None:
    learner = Neat(3, 1, seed=6, parameters=NeatParameters(add_node=0.1, add_connection=0.2))
    best = []
    for _ in range(30):
        evolved(learner, 1)
        best.append(max(genome.fitness or 0.0 for genome in learner.genomes))
    assert max(best[-5:]) > best[0] + 0.5


def test_recurrent_connections_may_start_at_an_output_and_forward_ones_may_not() -> None:
    grown = evolved(Neat(3, 2, seed=7, parameters=NeatParameters(30, 0.1, 0.9, connected=0.0)), 12)
    assert any(source >= 0 and source < 2 for genome in grown.genomes for source, _ in genome.connections)
    forward = NeatParameters(30, 0.1, 0.9, connected=0.0, feed_forward=True)
    grown = evolved(Neat(3, 2, seed=7, parameters=forward), 12)
    assert not any(candidate.network.feeds_back for candidate in grown.ask())


@pytest.mark.parametrize(("connected", "expected"), [(1.0, 9 * 3 + 3), (0.0, 0)])
def test_the_first_networks_are_as_connected_as_asked(connected: float, expected: int) -> None:
    learner = Neat(9, 3, seed=8, parameters=NeatParameters(connected=connected))
    assert {len(genome.connections) for genome in learner.genomes} == {expected}
    assert len(learner.ask()) == 100


def test_the_number_of_species_is_steered() -> None:
    """At a fixed distance nearly everyone stays in one species; aimed at six to ten, there are about that many."""
    loose = NeatParameters(fewest_species=0, most_species=100)
    assert evolved(Neat(3, 1, seed=10, parameters=loose), 15).describe()["species"] < 4
    aimed = Neat(3, 1, seed=10)
    counts = [evolved(aimed, 1).describe()["species"] for _ in range(40)]
    assert 5 <= np.mean(counts[20:]) <= 14


def test_asking_twice_gives_the_same() -> None:
    learner = Neat(3, 1, seed=9, parameters=BUSY)
    assert learner.ask() == learner.ask()


def test_impossible_settings_and_fitness_are_refused() -> None:
    with pytest.raises(ValueError, match="add_node 2"):
        NeatParameters(add_node=2)
    with pytest.raises(ValueError, match="40 genomes was told fitness of shape"):
        Neat(3, 1, seed=1, parameters=BUSY).tell(np.zeros(3))
