"""Networks at limit hold'em (`respond.holdem_network`) whose shape evolves with their weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nemesis.evolve.plain import check_ranges
from nemesis.respond.agent import CompiledAgent
from nemesis.respond.holdem_network import OUTPUTS, WINDOW, from_champion, holdem_network, inputs_needed
from nemesis.respond.network import Network
from nemesis.rules.game import Game
from nemesis.train.believing import believing, styles, told
from nemesis.train.network_genomes import GraphGenomes, NetworkInputs


@dataclass(frozen=True)
class HoldemInputs(NetworkInputs):
    """What a network at limit hold'em is shown; the options of `holdem_network`."""

    window: int = WINDOW
    stakes: bool = False
    at_once: bool = False
    outputs = OUTPUTS
    from_champion = staticmethod(from_champion)

    def __post_init__(self) -> None:
        super().__post_init__()
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
class HoldemKind(GraphGenomes, HoldemInputs):
    """A network that evolves whole."""
