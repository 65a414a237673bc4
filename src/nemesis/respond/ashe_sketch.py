"""A genome to start from: estimators that repeat what the trees say, before any evolution.

The source begins with random weights, and most of its generations are spent on finding out that a strong hand wins
and that who has folded will fold again. This genome knows just that. Through one cell of one block, its gates held
open and its memory shut, the logit of winning at showdown is `SHARPNESS` times how much our hand's strength exceeds
what the opponent has shown at the node; the logit of a fold is `TRUST` times how far the node's fold rate is from one
half. All other weights are 0 and wait for evolution. It is our departure; random starts are there too (`tiered-a1` to
`tiered-a4`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.lstm import Shape
from nemesis.respond.ashe import WIN_VARYING, Size

SHARPNESS = 8.0
TRUST = 5.0
_OPEN = 4.0
_SCALE = 6.0
_STRETCH = 1.5
"""Two hyperbolic tangents in a row flatten what they pass on; this makes up for it near zero."""

_FOLD_RATE, _SHOWN = 1, 3
_STRENGTH = WIN_VARYING + 4


def sketch(size: Size) -> NDArray[np.float64]:
    """The genome of that size."""
    win = np.zeros(size.win.inputs)
    win[_STRENGTH], win[_SHOWN] = SHARPNESS, -SHARPNESS
    fold = np.zeros(size.fold.inputs)
    fold[_FOLD_RATE] = TRUST
    return np.concatenate([_through_one_cell(size.win, win, 0.0), _through_one_cell(size.fold, fold, -TRUST / 2)])


def _through_one_cell(shape: Shape, weights: NDArray[np.float64], bias: float) -> NDArray[np.float64]:
    """An estimator whose logit is nearly `weights` times the inputs plus `bias`."""
    genome = np.zeros(shape.genes)
    parts = shape.split(genome)
    inward = slice(shape.states, shape.states + shape.blocks)
    kept = slice(shape.states + shape.blocks, shape.states + 2 * shape.blocks)
    outward = slice(shape.states + 2 * shape.blocks, shape.rows)
    parts["bias"][inward] = parts["bias"][outward] = _OPEN
    parts["bias"][kept] = -_OPEN
    parts["input"][:, 0] = weights / _SCALE
    parts["bias"][0] = bias / _SCALE
    parts["hidden"][0, 0] = 1.0
    parts["out"][0] = _SCALE * _STRETCH
    return genome
