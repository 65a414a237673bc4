"""A player kind: how a genome becomes an agent at the table, a line in a run folder, and a champion.

A kind is a frozen dataclass of options. Each has a file of its own and a line in `names.PLAYER_KINDS`, which is how
recipes and champion files know it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from nemesis.evolve.space import Space
from nemesis.respond.agent import CompiledAgent
from nemesis.rules.game import Game


class PlayerKind:
    """What training and champion files need of a kind; genomes are written as lists of numbers unless it overrides that."""

    genomes: ClassVar[type]
    """What its genomes are: one of the classes of `evolve.space`."""

    def space(self, game: Game, seed: int) -> Space:
        """What a learner must know of its genomes in a game; `seed` is for a start that is random."""
        raise NotImplementedError(f"{type(self).__name__} does not say what its genomes are")

    def agent(self, genome: Any, game: Game, name: str) -> CompiledAgent:
        """The player of a genome that a learner asked about, or that was read."""
        raise NotImplementedError(f"{type(self).__name__} does not make agents")

    def champion(self, genome: Any, game: Game) -> tuple[dict[str, Any], Any]:
        """What a champion file says of the player, its kind included, and the genome there."""
        raise NotImplementedError(f"{type(self).__name__} does not make champions")

    @staticmethod
    def from_champion(content: Mapping[str, Any], game: Game) -> CompiledAgent:
        """The player of a champion file."""
        raise NotImplementedError("this kind does not read champions")

    def written(self, genome: Any) -> Any:
        """A genome as plain data, for a run's folder."""
        return np.asarray(genome).tolist()

    def read(self, data: Any) -> Any:
        """The genome that was written."""
        return np.array(data, np.float64)
