"""What the studies of the hypercube share: tables, runs of learning, frozen copies (the hypercube paper, part 4).

A run learns in one match of many epochs. The unit of every interval is the run: a new seed, new deals, new mutations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.epochs import play_epochs
from nemesis.play.workers import run_blocks
from nemesis.respond.agent import CompiledAgent
from nemesis.respond.by_name import compiled_agent
from nemesis.respond.hypercube import By, Genes, Hypercube, hypercube
from nemesis.respond.hypercube_starts import tight_aggressive_genes
from nemesis.respond.styles import STYLES
from nemesis.rules.game import Game
from nemesis.rules.games import ring
from nemesis.runtime.streams import Stream, derived_seed
from nemesis.studies.study import Setting

EPOCH = 100
TABLES: Mapping[str, Sequence[str]] = {
    "mixed": ("la",) * 6 + ("tp",) * 3,
    "loose": ("la",) * 9,
    "tight": ("tp",) * 9,
}
"""The source's tables: who sits there beside the hypercube."""
LOOSE, TIGHT = list(STYLES).index("la"), list(STYLES).index("tp")


@dataclass(frozen=True)
class Seat:
    """A hypercube to be seated, as what can be sent to a worker."""

    genes: Genes
    by: By = "style"
    learning: bool = True
    published: bool = False

    def agent(self, game: Game) -> Hypercube:
        """The player."""
        return hypercube(game, self.genes, by=self.by, learning=self.learning, published=self.published)

    def frozen(self) -> Seat:
        """The same without learning."""
        return replace(self, learning=False)


class Run(NamedTuple):
    """Chips by (epoch, player), the first the one that is watched, and the genes of its cells at the end, if it has any."""

    chips: NDArray[np.int64]
    genes: Genes


def start_a() -> Genes:
    """The cells of A, for the four styles."""
    return tight_aggressive_genes(len(STYLES))


def against_all(genes: Genes, group: int) -> Seat:
    """The frozen cells against one group, played against everybody: the source's A^tight and A^loose."""
    return Seat(genes[group : group + 1], "together", learning=False)


def play_runs(
    setting: Setting,
    seats: Sequence[Seat | str],
    table: Sequence[str],
    epochs: int,
    stage: int,
) -> list[Run]:
    """Seat one player a run at a table, run `i` on the deals of number `i` of this stage; a text is an agent's name."""
    seed = derived_seed(setting.seed, Stream.HYPERCUBE, stage)
    play = partial(_play, tuple(table), epochs, seed)
    return list(run_blocks(play, list(enumerate(seats)), setting.workers))


def _play(table: Sequence[str], epochs: int, seed: int, task: tuple[int, Seat | str]) -> Run:
    number, seat = task
    game = ring().seated(len(table) + 1)
    first: CompiledAgent = compiled_agent(seat, game) if isinstance(seat, str) else seat.agent(game)
    others = [compiled_agent(name, game) for name in table]
    played = play_epochs(game, [first, *others], epochs, hands=EPOCH, seed=seed, number=number)
    genes = first.genes(played.memories[0]) if isinstance(first, Hypercube) else np.zeros(0)
    return Run(played.chips, genes)


def returns(runs: Sequence[Run]) -> NDArray[np.float64]:
    """Chips an epoch that the watched player won, by run."""
    return np.array([run.chips[:, 0].mean() for run in runs])
