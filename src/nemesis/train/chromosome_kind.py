"""Players with one probability for everything, a table of genes (`respond.chromosome`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nemesis.evolve.space import Probabilities
from nemesis.respond.agent import CompiledAgent
from nemesis.respond.chromosome import chromosome_player, from_champion, genes_needed
from nemesis.rules.game import Game
from nemesis.train.believing import believing, check_belief, styles, told
from nemesis.train.player_kind import PlayerKind


@dataclass(frozen=True)
class ChromosomeKind(PlayerKind):
    """A belief, if any, picks the block of genes."""

    beliefs: str | None = None
    genomes = Probabilities
    from_champion = staticmethod(from_champion)

    def __post_init__(self) -> None:
        check_belief(self.beliefs)

    def space(self, game: Game, seed: int) -> Probabilities:
        """A block of genes for each style."""
        return Probabilities(genes_needed(game, styles(self.beliefs, game) or 1))

    def agent(self, genome: Any, game: Game, name: str) -> CompiledAgent:
        """The player of these genes."""
        return chromosome_player(genome, game, name=name, **believing(self.beliefs, game))

    def champion(self, genome: Any, game: Game) -> tuple[dict[str, Any], Any]:
        """Its belief and its genes."""
        return {"kind": "chromosome", **told(self.beliefs, game)}, self.written(genome)
