"""Networks at limit hold'em (`respond.holdem_network`) whose shape evolves with their weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nemesis.evolve.neat import Candidate
from nemesis.evolve.plain import check_ranges
from nemesis.evolve.space import Graph
from nemesis.respond.agent import CompiledAgent
from nemesis.respond.holdem_network import OUTPUTS, WINDOW, from_champion, holdem_network, inputs_needed
from nemesis.respond.network import Network
from nemesis.rules.game import Game
from nemesis.train.believing import believing, check_belief, styles, told
from nemesis.train.network_kind import network_of
from nemesis.train.player_kind import PlayerKind


@dataclass(frozen=True)
class HoldemInputs(PlayerKind):
    """What a network at limit hold'em is shown; the options of `holdem_network` and which belief."""

    beliefs: str | None = None
    window: int = WINDOW
    stakes: bool = False
    at_once: bool = False

    def __post_init__(self) -> None:
        check_belief(self.beliefs)
        check_ranges("a network at hold'em", self, window=(1, 1000))

    @property
    def options(self) -> dict[str, Any]:
        """The options of `holdem_network`."""
        return {"stakes": self.stakes, "at_once": self.at_once, "window": self.window}

    def inputs(self, game: Game) -> int:
        """How many inputs it has in a game."""
        known = styles(self.beliefs, game)
        return inputs_needed(game.seats, stakes=self.stakes, at_once=self.at_once, styles=known)

    def seated(self, network: Network, game: Game, name: str) -> CompiledAgent:
        """The player of a network."""
        return holdem_network(network, game, name=name, **believing(self.beliefs, game), **self.options)

    def champion_of(self, network: Network, game: Game) -> tuple[dict[str, Any], Any]:
        """The table it was raised at, its options, the belief, and the network."""
        belief = {} if self.beliefs is None else {**told(self.beliefs, game), "belief": self.beliefs}
        return {"kind": "holdem-network", "seats": game.seats, **self.options, **belief}, network.to_json()


@dataclass(frozen=True)
class HoldemKind(HoldemInputs):
    """Genomes are networks, or NEAT's candidates, which have one."""

    genomes = Graph
    from_champion = staticmethod(from_champion)

    def space(self, game: Game, seed: int) -> Graph:
        """Inputs and outputs; all between them evolves."""
        return Graph(self.inputs(game), OUTPUTS)

    def agent(self, genome: Candidate | Network, game: Game, name: str) -> CompiledAgent:
        """The player of a network."""
        return self.seated(network_of(genome), game, name)

    def written(self, genome: Candidate | Network) -> dict[str, Any]:
        """The network."""
        return network_of(genome).to_json()

    def read(self, data: Any) -> Network:
        """The network that was written."""
        return Network.from_json(data)

    def champion(self, genome: Candidate | Network, game: Game) -> tuple[dict[str, Any], Any]:
        """What the player is shown, and the network."""
        return self.champion_of(network_of(genome), game)
