"""A genome to start from: estimators that a poker player could have drawn, before any evolution.

The source begins with random weights. This genome has a few blocks drawn by hand; all other weights are 0 and are left to
evolution. Random starts are there too (`tiered-a1` to `tiered-a4`). Winning at showdown is a sum of logits, one LSTM block
each: *strength* counts more the later the street; *shown* is what the opponent showed at this node or, if that was seldom
visited, at the nodes before it; *general* is how often the opponent folds at all; *patience* waits for the river against
somebody who never folds; *caution* takes chips that somebody who can fold did not fold to for a hand. A fold is the node's
fold rate, kept like *shown*.

Its numbers were settled against the opponents that A4 meets in training, so A1, A2 and A3 start with a hint of players
they never meet; see `docs/explanation/ashe.md`. The same numbers serve every size that has the blocks, cells and hidden
nodes they need.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.lstm import Shape
from nemesis.respond.ashe import Size
from nemesis.rules.game import STREETS

LEAST = Size(5, 2, 7)
"""The smallest size that the sketch has room in."""

WIN_NAMES = ("visits", "folds", "shows", "shown", "own", *STREETS, "strength", "theirs")
FOLD_NAMES = ("visits", "folds", "own", *STREETS, "theirs", "draws", "pairs")
"""The inputs of the two estimators, in their order (`ashe.write_node`, `ashe.state_inputs`)."""

_OPEN = 4.0
_LITTLE = 0.5
"""The weight into a hidden node: small, so that its hyperbolic tangent is nearly straight."""
_FULL = 0.75
"""About what a cell that is full gives, tanh(tanh(2))."""

Weights = Mapping[str, float]


def sketch(size: Size) -> NDArray[np.float64]:
    """The genome of that size."""
    if size.blocks < LEAST.blocks or size.cells < LEAST.cells or size.hidden < LEAST.hidden:
        raise ValueError(
            f"an ASHE of {size.blocks} blocks x {size.cells} cells and {size.hidden} hidden nodes has no room for the "
            f"sketch; it needs at least {LEAST.blocks} x {LEAST.cells} and {LEAST.hidden}"
        )
    return np.concatenate([_winning(size.win), _folding(size.fold)])


def reach(genome: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far a step of 1 moves each gene: as far as it is large where the sketch has something, little elsewhere."""
    drawn = np.abs(genome)
    return np.where(drawn > 0, np.maximum(drawn, 0.7), 0.1)


def _winning(shape: Shape) -> NDArray[np.float64]:
    strength, patience, shown, caution, general = range(5)
    late = {"preflop": -2.0, "flop": -1.5, "turn": -0.5, "river": 3.0}
    early = {"preflop": 2.0, "flop": 2.0, "turn": 2.0, "river": -6.0}
    draft = _Draft(shape, WIN_NAMES)

    draft.gates(strength, inward=late)
    draft.cell(strength, 0, {"strength": 2.0}, -1.0, reads=6.0)

    draft.gates(shown, inward={"visits": 8.0}, in_bias=-5.7, kept={"visits": -8.0}, keep_bias=5.7, outward=late)
    draft.cell(shown, 0, {"shown": 2.0}, -1.0, first=0.5, reads=-6.0)

    draft.gates(general, inward={"preflop": 6.0}, in_bias=-4.0, keep_bias=_OPEN)
    remembered = draft.cell(general, 0, {"folds": 3.0}, -0.45)

    call, pause = 1.0, 3.0
    draft.gates(patience, inward={**early, "folds": -3.0}, hears={remembered: -8.0})
    draft.cell(patience, 0, {"own": 300.0, "theirs": -300.0}, -1.5, reads=-(pause + call) / 2 / _FULL)
    draft.cell(patience, 1, {}, 2.0, reads=(call - pause) / 2 / _FULL)

    wary = 1.5
    draft.gates(caution, in_bias=-2.0, hears={remembered: 12.0})
    draft.cell(caution, 0, {"own": 25.0, "theirs": -12.5}, -2.0, reads=-wary / _FULL)
    draft.cell(caution, 1, {}, 2.0, reads=-wary / _FULL)
    return draft.genome


def _folding(shape: Shape) -> NDArray[np.float64]:
    dear, rate = range(2)
    draft = _Draft(shape, FOLD_NAMES)
    draft.gates(dear, in_bias=_OPEN)
    draft.cell(dear, 0, {"own": 2.0}, 0.0, reads=0.5)
    draft.gates(rate, inward={"visits": 8.0}, in_bias=-5.0, kept={"visits": -8.0}, keep_bias=5.0)
    draft.cell(rate, 0, {"folds": 2.0}, -1.0, first=-0.3, reads=5.0)
    draft.parts["out_bias"][0] = -0.5
    return draft.genome


class _Draft:
    """An estimator that is being drawn: gates and cells by name. Forget gates are shut and output gates open if not said."""

    def __init__(self, shape: Shape, names: Sequence[str]) -> None:
        self.genome = np.zeros(shape.genes)
        self.parts: dict[str, NDArray[np.floating[Any]]] = shape.split(self.genome)
        self._shape, self._names, self._hidden = shape, names, 0

    def gates(
        self,
        block: int,
        *,
        inward: Weights | None = None,
        in_bias: float = 0.0,
        kept: Weights | None = None,
        keep_bias: float = -_OPEN,
        outward: Weights | None = None,
        hears: Mapping[int, float] | None = None,
    ) -> None:
        """Set the gates of a block; `hears` are cells whose outputs its input gate reads."""
        opens = self._shape.states + block
        keeps, gives = opens + self._shape.blocks, opens + 2 * self._shape.blocks
        self._weigh(opens, inward or {}, in_bias)
        self._weigh(keeps, kept or {}, keep_bias)
        self._weigh(gives, outward or {}, 0.0 if outward else _OPEN)
        for cell, weight in (hears or {}).items():
            self.parts["recurrent"][cell, opens] = weight

    def cell(
        self, block: int, number: int, inputs: Weights, bias: float, *, first: float = 0.0, reads: float = 0.0
    ) -> int:
        """Set a cell; `first` is what it holds when a hand begins, `reads` what its output adds to the logit. Its place."""
        at = number * self._shape.blocks + block
        self._weigh(at, inputs, bias)
        self.parts["first_cells"][at] = first
        if reads:
            self.parts["hidden"][at, self._hidden] = _LITTLE
            self.parts["out"][self._hidden] = reads / _LITTLE
            self._hidden += 1
        return at

    def _weigh(self, row: int, inputs: Weights, bias: float) -> None:
        for name, weight in inputs.items():
            self.parts["input"][self._names.index(name), row] = weight
        self.parts["bias"][row] = bias
