"""Networks at one-card poker (`respond.network_player`) whose shape evolves with their weights."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from nemesis.respond.agent import CompiledAgent
from nemesis.respond.network import Network
from nemesis.respond.network_player import OUTPUTS, from_champion, inputs_needed, network_player
from nemesis.rules.game import Game
from nemesis.train.believing import believing, styles, told
from nemesis.train.network_genomes import GraphGenomes, NetworkInputs


@dataclass(frozen=True)
class OneCardInputs(NetworkInputs):
    """What a network at one-card poker is shown; the options of `network_player`."""

    last_action: bool = True
    recurrence: bool = True
    stakes: bool = False
    each_card: bool = False
    outputs = OUTPUTS
    from_champion = staticmethod(from_champion)

    @property
    def options(self) -> dict[str, Any]:
        """The options of `network_player`."""
        names = ("last_action", "recurrence", "stakes", "each_card")
        return {name: getattr(self, name) for name in names}

    def inputs(self, game: Game) -> int:
        """How many inputs it has in a game."""
        return inputs_needed(
            last_action=self.last_action,
            stakes=self.stakes,
            styles=styles(self.beliefs, game),
            cards=game.ranks if self.each_card else 1,
        )

    def seated(self, network: Network, game: Game, name: str) -> CompiledAgent:
        """The player of a network."""
        return network_player(network, game, name=name, **believing(self.beliefs, game), **self.options)

    def champion_of(self, network: Network, game: Game) -> tuple[dict[str, Any], Any]:
        """What differs from the usual options, the belief, and the network."""
        usual = {field.name: field.default for field in dataclasses.fields(OneCardInputs)}
        unusual = {name: value for name, value in self.options.items() if value != usual[name]}
        if game.seats > 2:
            unusual["cleared"] = True
        return {"kind": "network", **unusual, **told(self.beliefs, game)}, network.to_json()


@dataclass(frozen=True)
class NetworkKind(GraphGenomes, OneCardInputs):
    """A network that evolves whole."""
