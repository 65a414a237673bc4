"""Hypercubes in champion files: cells that learn on, or a frozen copy, of which only the parents are kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from nemesis.respond.agent import Memory
from nemesis.respond.betting_curves import GENES
from nemesis.respond.champion import ChampionError, genes_of, player_option
from nemesis.respond.hypercube import BETS, POSITIONS, STREETS, WAYS, Hypercube, hypercube
from nemesis.respond.populations import CANDIDATES, PARENTS
from nemesis.rules.game import Game

_DIGITS = 4


class HypercubeFile:
    """The kind of champion that a hypercube is. No recipe makes one: it evolves at the table."""

    @staticmethod
    def champion(player: Hypercube, memory: Memory, learning: bool) -> tuple[dict[str, Any], list[float]]:
        """What a champion file says of the player, and the genes of its cells in this memory."""
        genes = player.genes(memory)
        kept = genes if learning else genes[..., :PARENTS, :]
        return {"kind": "hypercube", "by": player.by, "learning": learning}, np.round(kept, _DIGITS).ravel().tolist()

    @staticmethod
    def from_champion(content: Mapping[str, Any], game: Game) -> Hypercube:
        """The player of a champion file."""
        by, learning = content["player"].get("by"), player_option(content, "learning", True)
        if by not in WAYS:
            raise ChampionError(f"its groups are by {by!r}; they can be by {', '.join(WAYS)}")
        group = (POSITIONS, BETS, STREETS, CANDIDATES if learning else PARENTS, GENES)
        genes = genes_of(content)
        if genes.size == 0 or genes.size % int(np.prod(group)):
            raise ChampionError(f"it has {genes.size} genes; a group has {np.prod(group)}, and groups must be whole")
        cells = genes.reshape(-1, *group)
        if not learning:
            cells = np.concatenate([cells, cells], axis=-2)
        return hypercube(game, cells, by=by, learning=learning, name=content["name"])
