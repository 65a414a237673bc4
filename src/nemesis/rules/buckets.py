"""Hands that are played alike: card buckets by street.

Before the flop a bucket is one of the 169 kinds of holding. On the flop and the turn hands are told apart by their exact win
probability and by their strength as the board stands, because a draw and a made hand that win equally often are not
the same hand. Clusters of these points (k-means) are the buckets. On the river both numbers agree, and the scale is cut
evenly. Good hands lie close together on the scale of win probabilities and play the large pots, so the scale is stretched
at its upper end first.

A bucket does not tell which bucket the hand was in a street earlier (imperfect recall). In the small games every card,
with every board card, is a bucket of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.rules.canonical import HOLES, hole_cards, hole_index
from nemesis.rules.deal import Bank, deal
from nemesis.rules.game import Game, GameError
from nemesis.rules.games import no_limit
from nemesis.runtime.compiled import inlined, njit
from nemesis.runtime.streams import NumpyStream, Stream, derived_seed, generator

CLASSES = 169
RIVER = 3
MOST = 256
"""Buckets of one street; their numbers are bytes."""
GRID = 256
"""How finely win probability and strength are told apart."""

_SAMPLE = 100_000
_ROUNDS = 12
_STRENGTH = 0.5
"""How much of a difference in strength counts beside one in win probability."""
_STRETCH, _POWER = 0.4, 8

Floats = NDArray[np.float64]


class Buckets(NamedTuple):
    """What a hand is looked up in: the number of buckets by street, kinds of holdings, and a grid for every later street.

    Small games have an empty grid, and the size of the deck instead.
    """

    counts: NDArray[np.int64]
    classes: NDArray[np.uint8]
    grid: NDArray[np.uint8]
    """street, win probability, strength -> bucket"""
    deck: int


@dataclass(frozen=True, eq=False)
class Clusters:
    """The centres of the buckets of flop, turn and river, as (win probability, strength), stretched."""

    centres: tuple[NDArray[np.float32], ...]

    @property
    def counts(self) -> tuple[int, ...]:
        """Buckets by street."""
        return (CLASSES, *(len(street) for street in self.centres))


def hole_classes() -> NDArray[np.int64]:
    """The kind, of 169, of every hole: pairs, suited and offsuit."""
    cards = hole_cards().astype(np.int64)
    ranks, suits = np.sort(cards // 4, axis=1), cards % 4
    suited = suits[:, 0] == suits[:, 1]
    return np.where(suited, ranks[:, 1] * 13 + ranks[:, 0], ranks[:, 0] * 13 + ranks[:, 1])


def cluster(counts: tuple[int, int, int], seed: int = 0) -> Clusters:
    """So many buckets for flop, turn and river, found on random deals."""
    if not all(2 <= count <= MOST for count in counts):
        raise ValueError(f"a street of hold'em has 2 to {MOST} buckets, not {counts}")
    return Clusters(tuple(_clustered(street, count, seed) for street, count in enumerate(counts, 1)))


@lru_cache(maxsize=16)
def _clustered(street: int, count: int, seed: int) -> NDArray[np.float32]:
    if street == RIVER:
        evenly = (np.arange(count) + 0.5) / count * (1 + _STRETCH)
        return np.stack([evenly, np.zeros(count)], axis=1).astype(np.float32)
    from scipy.cluster.vq import kmeans2  # slow to import, and only needed to make new buckets

    bank = deal(no_limit(), derived_seed(seed, Stream.BUCKETS, 0), 0, _SAMPLE // 2)
    points = stretched(bank.win[:, :, street].ravel(), bank.strength[:, :, street].ravel())
    dice = generator(seed, NumpyStream.BUCKETS, street)
    starts = points[dice.choice(len(points), count, replace=False)]
    centres, _ = kmeans2(points, starts, iter=_ROUNDS, minit="matrix", missing="warn")
    order = np.lexsort((centres[:, 1], centres[:, 0]))
    return np.asarray(centres[order], np.float32)


def stretched(win: NDArray[Any], strength: NDArray[Any]) -> Floats:
    """Points in which distance says how differently two hands are played."""
    win, strength = np.asarray(win, np.float64), np.asarray(strength, np.float64)
    return np.stack([win + _STRETCH * win**_POWER, _STRENGTH * strength], axis=-1)


def holdem_buckets(clusters: Clusters) -> Buckets:
    """The tables of these clusters."""
    from scipy.spatial import cKDTree

    middle = (np.arange(GRID) + 0.5) / GRID
    points = stretched(*np.meshgrid(middle, middle, indexing="ij"))
    river = points.copy()
    river[..., 1] = 0.0
    grid = np.stack(
        [
            cKDTree(centres).query(river if street == RIVER else points)[1].astype(np.uint8)
            for street, centres in enumerate(clusters.centres, 1)
        ]
    )
    return Buckets(np.array(clusters.counts), hole_classes().astype(np.uint8), grid, 0)


def small_buckets(game: Game) -> Buckets:
    """Every card, and every card with every board card once that is seen."""
    if game.hole_cards != 1:
        raise GameError(f"the cards of {game.name} are too many to tell all of them apart")
    deck, seen, counts = game.ranks * game.suits, 0, []
    for cards in game.board_cards:
        seen += cards
        counts.append(deck * deck if seen else deck)
    return Buckets(np.array(counts), np.zeros(HOLES, np.uint8), np.zeros((0, 0, 0), np.uint8), deck)


@inlined
def grid_place(share: Any) -> Any:
    """Where a probability lies on the grid."""
    return min(np.int64(share * GRID), GRID - 1)


@inlined
def bucket_holdem(buckets: Any, street: Any, one: Any, two: Any, win: Any, strength: Any) -> Any:
    """The bucket of a hold'em hand: its two cards before the flop, its two numbers later."""
    if street == 0:
        return np.int64(buckets.classes[hole_index(one, two)])
    return np.int64(buckets.grid[street - 1, grid_place(win), grid_place(strength)])


@njit(error_model="numpy")
def bucket_rows(buckets: Buckets, bank: Bank, row: int, rows: int, out: NDArray[np.uint16]) -> None:
    """The buckets of so many deals: row, position, street. Writes `out`."""
    streets = buckets.counts.size
    for i in range(rows):
        for p in range(bank.holes.shape[1]):
            for street in range(streets):
                if buckets.deck == 0:
                    out[i, p, street] = bucket_holdem(
                        buckets,
                        street,
                        bank.holes[row + i, p, 0],
                        bank.holes[row + i, p, 1],
                        bank.win[row + i, p, street],
                        bank.strength[row + i, p, street],
                    )
                elif buckets.counts[street] > buckets.deck:
                    out[i, p, street] = np.int64(bank.holes[row + i, p, 0]) * buckets.deck + bank.boards[row + i, 0]
                else:
                    out[i, p, street] = bank.holes[row + i, p, 0]
