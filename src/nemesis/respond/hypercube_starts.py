"""Where a hypercube starts: the tight-aggressive player A, or candidates drawn at random (the hypercube paper, part 4).

The source designed its A after Findler's static players and does not print it. Ours folds below one win probability and
raises from another on, both higher the more bets there are to call and the earlier it must act.
"""

from __future__ import annotations

import numpy as np

from nemesis.respond.betting_curves import GENES, LARGEST, between
from nemesis.respond.hypercube import BETS, POSITIONS, STREETS, By, Genes, Hypercube, groups_of, hypercube
from nemesis.respond.populations import CANDIDATES
from nemesis.rules.game import Game
from nemesis.runtime.streams import NumpyStream, generator

# Fold below, raise from: by bets to call, in early position.
_PREFLOP = ((0.50, 0.64), (0.60, 0.68), (0.67, 0.77), (0.72, 0.84))
_LATER = ((0.42, 0.67), (0.57, 0.77), (0.67, 0.87), (0.77, 0.92))
_LATER_IN_LINE = 0.02


def tight_aggressive_genes(groups: int) -> Genes:
    """The cells of A, every candidate of a cell the same."""
    genes = np.empty((groups, POSITIONS, BETS, STREETS, CANDIDATES, GENES))
    for position, bets, street in np.ndindex(POSITIONS, BETS, STREETS):
        fold_below, raise_from = (_PREFLOP if street == 0 else _LATER)[bets]
        earlier = -_LATER_IN_LINE * position
        genes[:, position, bets, street] = between(fold_below + earlier, raise_from + earlier)
    return genes


def random_genes(groups: int, seed: int) -> Genes:
    """The start of experiment 1: every gene drawn from the whole range."""
    drawn = generator(seed, NumpyStream.RANDOM_CELLS).random((groups, POSITIONS, BETS, STREETS, CANDIDATES, GENES))
    return LARGEST * drawn


def from_tight_aggressive(game: Game, by_seat: float = 0, learning: float = 1) -> Hypercube:
    """A hypercube that learns from a tight-aggressive start; learning=0 only plays it, by_seat=1 tells seats apart."""
    by = _by(by_seat)
    frozen = not _flag("learning", learning)
    genes = tight_aggressive_genes(groups_of(by, game))
    return hypercube(game, genes, by=by, learning=not frozen, name="hypercube-a")


def from_random(game: Game, by_seat: float = 0, seed: float = 0) -> Hypercube:
    """A hypercube that learns from random candidates, drawn with seed=n; by_seat=1 tells seats apart."""
    if not 0 <= seed <= 2**53 or seed != int(seed):
        raise ValueError(f"the seed of a random hypercube is a whole number from 0 on, not {seed:g}")
    by = _by(by_seat)
    return hypercube(game, random_genes(groups_of(by, game), int(seed)), by=by, name="hypercube-random")


def _by(by_seat: float) -> By:
    return "seat" if _flag("by_seat", by_seat) else "style"


def _flag(what: str, value: float) -> bool:
    if value not in (0, 1):
        raise ValueError(f"{what} of a hypercube is 0 or 1, not {value:g}")
    return bool(value)
