"""A genome to start from: estimators that a poker player could have drawn, before any evolution.

The source begins with random weights, and most of its generations are spent on finding out that a strong hand wins and
that who has folded will fold again. This genome knows what follows; all other weights are 0 and wait for evolution. It is
our departure; random starts are there too (`tiered-a1` to `tiered-a4`).

It names no opponent, but it is not innocent: its numbers were settled by trying a few dozen variants against the eight that
A4 meets in training (neither RG nor HP was among them). So A1, A2 and A3 begin with a hint of players they never meet,
which makes them worse witnesses of what variety in training is worth.

Winning at showdown, as a sum of logits, one block of the LSTM each:

* *Strength.* Our hand's strength, the more the later the street: raw strength says little while cards are to come. The
  input gate reads the street.
* *Shown.* What the opponent has shown down at this node, against us. A node seen often is believed; one seen seldom
  says little, and then what the nodes before it said is kept: the input and the forget gate read the visits.
* *General.* How often the opponent folds at all, kept from before the flop through the hand. It acts by the next two.
* *Patience.* Before the river, against somebody who never folds, a call is worth more than its price, since the river
  will tell who should go on, and a raise is worth less. The input gate reads the street and *general*.
* *Caution.* Chips that somebody who can fold does not fold to mean a hand. The input gate reads *general*.

A fold: the node's fold rate, kept like *shown*, and a little more the more is put in.

The same numbers serve every size of at least 5 blocks of 2 cells and 7 hidden nodes; a larger one has more that is 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.lstm import Shape
from nemesis.respond.ashe import Size

LEAST = Size(5, 2, 7)
"""The smallest size that the sketch has room in."""

STREETS = ("preflop", "flop", "turn", "river")
WIN_NAMES = ("visits", "folds", "shows", "shown", "own", *STREETS, "strength", "theirs")
FOLD_NAMES = ("visits", "folds", "own", *STREETS, "theirs", "draws", "pairs")
"""The inputs of the two estimators, in their order (`ashe.win_node_inputs`, `ashe.state_inputs`)."""

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
