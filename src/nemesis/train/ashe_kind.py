"""ASHE (`respond.ashe`): a genome is all weights of its two estimators, which learners may evolve in turns."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.evolve.plain import check_ranges
from nemesis.evolve.space import Weights
from nemesis.respond.agent import CompiledAgent
from nemesis.respond.ashe import COMPACT, Ashe, Size
from nemesis.respond.ashe_file import BESIDE, beside, from_champion, packed_genes, shipped_genes, unpacked_genes
from nemesis.respond.ashe_sketch import reach, sketch
from nemesis.rules.game import Game
from nemesis.runtime.streams import NumpyStream, generator
from nemesis.train.player_kind import PlayerKind

CHANCE = "chance"
"""The start of an ASHE whose weights are drawn, all alike."""


@dataclass(frozen=True)
class AsheKind(PlayerKind):
    """Its size, what to start from, and who is beside it.

    The start is a shipped champion, `CHANCE`, or if nothing is said the sketch. Beside it may be three shipped champions
    that play against payers, stayers and raisers (`respond.opponent_kind`).
    """

    blocks: int = COMPACT.blocks
    cells: int = COMPACT.cells
    hidden: int = COMPACT.hidden
    start: str | None = None
    beside: tuple[str, ...] = ()
    genomes = Weights
    from_champion = staticmethod(from_champion)

    def __post_init__(self) -> None:
        check_ranges("ASHE", self, blocks=(1, 1000), cells=(1, 1000), hidden=(1, 1000))
        if len(self.beside) not in (0, len(BESIDE)):
            raise ValueError(f"beside ASHE are three champions or none, not {', '.join(self.beside)}")

    @property
    def size(self) -> Size:
        """How large its estimators are."""
        return Size(self.blocks, self.cells, self.hidden)

    def space(self, game: Game, seed: int) -> Weights:
        """The start, how far each weight is drawn, and the two estimators."""
        size = self.size
        modules = (size.win.genes, size.fold.genes)
        if self.start == CHANCE:
            drawn = generator(seed, NumpyStream.FIRST_WEIGHTS).normal(0.0, 1.0, size.genes)
            return Weights(drawn, modules=modules, by_chance=True)
        start = sketch(size)
        return Weights(start if self.start is None else shipped_genes(self.start, size), reach(start), modules)

    def agent(self, genome: Any, game: Game, name: str) -> CompiledAgent:
        """The player of these weights."""
        return Ashe(game, self.size, genome, name=name, specialists=beside(self.beside, self.size))

    def written(self, genome: Any) -> str:
        """The weights as text, in single precision as it plays."""
        return packed_genes(genome)

    def read(self, data: Any) -> NDArray[np.float64]:
        """The weights of a text."""
        return unpacked_genes(data)

    def champion(self, genome: Any, game: Game) -> tuple[dict[str, Any], Any]:
        """Its size, how deep the stacks were, who is beside it, and the weights."""
        depth = max(game.stacks) / game.big_blind
        others = {"beside": list(self.beside)} if self.beside else {}
        return {"kind": "ashe", **dataclasses.asdict(self.size), "depth": depth, **others}, self.written(genome)
