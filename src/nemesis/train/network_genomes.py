"""Player kinds whose genomes become networks: graphs that evolve whole, or one hidden layer whose weights do.

A game's own file says what its networks are shown, how they sit at the table and what a champion keeps (`network_kind`,
`holdem_kind`); joined with one of these two forms of genome that is a kind.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from nemesis.evolve.neat import Candidate
from nemesis.evolve.plain import check_ranges
from nemesis.evolve.space import Graph, Weights
from nemesis.respond.agent import CompiledAgent
from nemesis.respond.layered import first_weights, layered_network
from nemesis.respond.network import Network
from nemesis.rules.game import Game
from nemesis.train.believing import check_belief
from nemesis.train.player_kind import PlayerKind


@dataclass(frozen=True)
class NetworkInputs(PlayerKind):
    """What a network is shown and which belief; each game adds the options of its player."""

    beliefs: str | None = None
    outputs: ClassVar[int]

    def __post_init__(self) -> None:
        check_belief(self.beliefs)

    def inputs(self, game: Game) -> int:
        """How many inputs it has in a game."""
        raise NotImplementedError(f"{type(self).__name__} does not say what a network is shown")

    def seated(self, network: Network, game: Game, name: str) -> CompiledAgent:
        """The player of a network."""
        raise NotImplementedError(f"{type(self).__name__} does not seat networks")

    def champion_of(self, network: Network, game: Game) -> tuple[dict[str, Any], Any]:
        """What a champion file says of the player of a network, and the network there."""
        raise NotImplementedError(f"{type(self).__name__} does not make champions")

    def network(self, genome: Any, game: Game) -> Network:
        """The network of a genome."""
        raise NotImplementedError(f"{type(self).__name__} does not make networks")

    def agent(self, genome: Any, game: Game, name: str) -> CompiledAgent:
        """The player of a genome's network."""
        return self.seated(self.network(genome, game), game, name)

    def champion(self, genome: Any, game: Game) -> tuple[dict[str, Any], Any]:
        """What the player is shown, and the network."""
        return self.champion_of(self.network(genome, game), game)


@dataclass(frozen=True)
class GraphGenomes(NetworkInputs):
    """Genomes are networks, or NEAT's candidates, which have one."""

    genomes = Graph

    def space(self, game: Game, seed: int) -> Graph:
        """Inputs and outputs; all between them evolves."""
        return Graph(self.inputs(game), self.outputs)

    def network(self, genome: Candidate | Network, game: Game) -> Network:
        """The network of a genome."""
        return _network_of(genome)

    def written(self, genome: Candidate | Network) -> dict[str, Any]:
        """The network."""
        return _network_of(genome).to_json()

    def read(self, data: Any) -> Network:
        """The network that was written."""
        return Network.from_json(data)


@dataclass(frozen=True)
class LayeredGenomes(NetworkInputs):
    """Genomes are the weights of so many hidden nodes; with `loops`, each also reads its own value of the step before."""

    hidden: int = 12
    loops: bool = False
    genomes = Weights

    def __post_init__(self) -> None:
        super().__post_init__()
        check_ranges("a layered network", self, hidden=(1, 1000))

    def space(self, game: Game, seed: int) -> Weights:
        """Weights to start from are random."""
        return Weights(first_weights(self.inputs(game), self.hidden, self.outputs, seed, loops=self.loops))

    def network(self, genome: Any, game: Game) -> Network:
        """The network of these weights."""
        return layered_network(genome, self.inputs(game), self.hidden, self.outputs, loops=self.loops)


def _network_of(genome: Candidate | Network) -> Network:
    return genome.network if isinstance(genome, Candidate) else genome
