"""Networks at limit hold'em of a fixed shape, one hidden layer, whose weights evolve (`respond.layered`).

With `teachers` the first weights imitate the best responses to these opponents (`train.imitation`), else they are
random. A champion keeps the network itself, so it is of the kind `holdem-network`.
"""

from __future__ import annotations

from dataclasses import dataclass

from nemesis.evolve.space import Weights
from nemesis.rules.game import Game
from nemesis.train.holdem_kind import HoldemInputs
from nemesis.train.imitation import imitated, lessons
from nemesis.train.network_genomes import LayeredGenomes


@dataclass(frozen=True)
class HoldemLayeredKind(LayeredGenomes, HoldemInputs):
    """A network of one hidden layer, with teachers or without."""

    teachers: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.teachers and self.loops:
            raise ValueError("a network with loops cannot be taught: lessons are single decisions")

    def space(self, game: Game, seed: int) -> Weights:
        """The weights to start from."""
        by_chance = super().space(game, seed)
        if not self.teachers:
            return by_chance
        shown, told = lessons(self.agent(by_chance.start, game, "pupil"), self.teachers, game, seed)
        return Weights(imitated(shown, told, self.hidden, self.outputs, seed))
