"""Networks at limit hold'em of a fixed shape, one hidden layer, whose weights evolve (`respond.layered`).

With `teachers` the first weights imitate the best responses to these opponents (`train.imitation`), else they are
random. A champion keeps the network itself, so it is of the kind `holdem-network`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nemesis.evolve.plain import check_ranges
from nemesis.evolve.space import Weights
from nemesis.respond.agent import CompiledAgent
from nemesis.respond.holdem_network import OUTPUTS, from_champion
from nemesis.respond.layered import first_weights, layered_network
from nemesis.respond.network import Network
from nemesis.rules.game import Game
from nemesis.train.holdem_kind import HoldemInputs
from nemesis.train.imitation import imitated, lessons


@dataclass(frozen=True)
class HoldemLayeredKind(HoldemInputs):
    """So many hidden nodes; with `loops`, each also reads its own value of the step before."""

    hidden: int = 12
    loops: bool = False
    teachers: tuple[str, ...] = ()
    genomes = Weights
    from_champion = staticmethod(from_champion)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_ranges("a layered network", self, hidden=(1, 1000))
        if self.teachers and self.loops:
            raise ValueError("a network with loops cannot be taught: lessons are single decisions")

    def space(self, game: Game, seed: int) -> Weights:
        """The weights to start from."""
        first = first_weights(self.inputs(game), self.hidden, OUTPUTS, seed, loops=self.loops)
        if not self.teachers:
            return Weights(first)
        shown, told = lessons(self.agent(first, game, "pupil"), self.teachers, game, seed)
        return Weights(imitated(shown, told, self.hidden, OUTPUTS, seed))

    def network(self, genome: Any, game: Game) -> Network:
        """The network of these weights."""
        return layered_network(genome, self.inputs(game), self.hidden, OUTPUTS, loops=self.loops)

    def agent(self, genome: Any, game: Game, name: str) -> CompiledAgent:
        """The player of these weights."""
        return self.seated(self.network(genome, game), game, name)

    def champion(self, genome: Any, game: Game) -> tuple[dict[str, Any], Any]:
        """What the player is shown, and the network."""
        return self.champion_of(self.network(genome, game), game)
