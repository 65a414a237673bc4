"""An abstract game: one of our heads-up games with a short menu of bets and cards in buckets, small enough to be solved.

The tree (`rules.menu_tree`) is grown by the betting engine and the buckets (`rules.buckets`) come from the exact tables of
win probability and strength. A *slot* is one action of one bucket at one node; a solution has two numbers for each. How
many there are, and how much memory they take, is known before anything is solved (`Sizes`).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.rules.buckets import Buckets, Clusters, cluster, holdem_buckets, small_buckets
from nemesis.rules.game import Game, GameError
from nemesis.rules.menu_tree import OVER, Menu, MenuTree, grow_menu
from nemesis.solve.mccfr import Solution

SMALL = Menu.same((1.0,))
LIMIT = Menu.same((1.0,))
NO_LIMIT = Menu(
    (
        ((0.5, 1.0, 2.0, 5.0), (1.0, 2.5), (1.0,), (1.0,), ()),
        ((0.5, 1.0, 2.0, 5.0), (1.0,), (1.0,), ()),
        ((0.5, 1.0, 2.0), (1.0,), ()),
        ((0.5, 1.0, 2.0), (1.0,), ()),
    )
)
"""What pot-limit and no-limit games offer unless told otherwise; all in comes on top."""

NO_LIMIT_BUCKETS = (150, 150, 100)
LIMIT_BUCKETS = (80, 80, 60)
"""Of flop, turn and river."""

MOST_SLOTS = 2**31 - 1


@dataclass(frozen=True)
class Sizes:
    """How large an abstract game is."""

    nodes: int
    decisions: int
    information_sets: int
    slots: int
    megabytes: float
    """of regrets and averages"""

    def to_json(self) -> dict[str, Any]:
        """The documented keys."""
        return asdict(self)


@dataclass(frozen=True, eq=False)
class AbstractGame:
    """A game, its menu and its clusters; small games have none."""

    game: Game
    menu: Menu
    clusters: Clusters | None

    def __reduce__(self) -> tuple[Any, ...]:
        """Only what it is made from travels to other processes."""
        return AbstractGame, (self.game, self.menu, self.clusters)

    @cached_property
    def tree(self) -> MenuTree:
        """The betting."""
        return grow_menu(self.game, self.menu)

    @cached_property
    def buckets(self) -> Buckets:
        """What hands are looked up in."""
        return small_buckets(self.game) if self.clusters is None else holdem_buckets(self.clusters)

    @cached_property
    def nodes(self) -> NDArray[np.void]:
        """The nodes of the tree; `slot` is now where the slots of a node's first bucket begin, payoffs are in big blinds."""
        nodes = self.tree.nodes.copy()
        widths = nodes["actions"].astype(np.int64) * self.buckets.counts[nodes["street"]]
        ends = np.cumsum(widths)
        if ends[-1] > MOST_SLOTS:
            raise GameError(f"{self.game.name} has {ends[-1]:,} slots with this menu and these buckets; take fewer")
        nodes["slot"][1:] = ends[:-1]
        nodes["payoffs"] /= self.unit
        return nodes

    @property
    def unit(self) -> float:
        """Chips of one unit of payoffs: a big blind, or a chip in a game without blinds."""
        return float(self.game.big_blind or 1)

    @property
    def slots(self) -> int:
        """Actions of all buckets at all nodes."""
        last = self.nodes[-1]
        return int(last["slot"]) + int(last["actions"]) * int(self.buckets.counts[last["street"]])

    @property
    def sizes(self) -> Sizes:
        """What to expect."""
        nodes = self.nodes
        acting = nodes["actor"] != OVER
        sets = int(self.buckets.counts[nodes["street"][acting]].sum())
        return Sizes(len(nodes), int(acting.sum()), sets, self.slots, round(8 * self.slots / 2**20, 1))

    def empty(self) -> Solution:
        """A solution in which nothing was learned yet."""
        return Solution(np.zeros(self.slots, np.float32), np.zeros(self.slots, np.float32))

    def average(self, sums: NDArray[np.float32]) -> NDArray[np.float32]:
        """The average strategy: probabilities by slot, all alike where nobody has been."""
        widths = self.widths
        starts = np.concatenate([[0], np.cumsum(widths)[:-1]])
        totals = np.repeat(np.add.reduceat(sums, starts, dtype=np.float64), widths)
        alike = 1.0 / np.repeat(widths, widths)
        return np.where(totals > 0, sums / np.maximum(totals, 1e-30), alike).astype(np.float32)

    @cached_property
    def widths(self) -> NDArray[np.int64]:
        """Actions by information set, in the order of their slots."""
        acting = self.nodes["actor"] != OVER
        return np.repeat(
            self.nodes["actions"][acting].astype(np.int64), self.buckets.counts[self.nodes["street"][acting]]
        )


def abstract_game(
    game: Game, buckets: tuple[int, int, int] | None = None, menu: Menu | None = None, seed: int = 0
) -> AbstractGame:
    """The usual abstraction of a game, or one with other buckets (flop, turn, river) or another menu."""
    if not game.is_holdem:
        if buckets is not None:
            raise GameError(f"{game.name} is small enough for all of its cards; buckets are for hold'em")
        return AbstractGame(game, menu or SMALL, None)
    limit = game.structure == "limit"
    counts = buckets or (LIMIT_BUCKETS if limit else NO_LIMIT_BUCKETS)
    return AbstractGame(game, menu or (LIMIT if limit else NO_LIMIT), cluster(counts, seed))
