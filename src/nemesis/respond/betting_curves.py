"""Betting curves: readiness to fold, call and raise by win probability (the hypercube paper, section 3.2).

    eval(c)  = c / (1 - c)
    fold(x)  = exp(-eval(b) (x - a))
    call(x)  = eval(c) exp(-eval(b)² (x - a)²)
    raise(x) = exp(eval(b) (x + a - 1))

Seven numbers shape them: a and b of the fold, a, b and c of the call, a and b of the raise. The three values over their
sum are the probabilities of the actions. The source takes the numbers from [0, 1]; `eval` has no value at 1, so ours
end at `LARGEST`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.rules.betting import CALL, FOLD, RAISE
from nemesis.runtime.compiled import inlined

GENES = 7
FOLD_A, FOLD_B, CALL_A, CALL_B, CALL_C, RAISE_A, RAISE_B = range(GENES)
LARGEST = 0.99


def _fold(x: Any, a: Any, b: Any) -> Any:
    return np.exp(-b / (1.0 - b) * (x - a))


def _call(x: Any, a: Any, b: Any, c: Any) -> Any:
    return c / (1.0 - c) * np.exp(-((b / (1.0 - b) * (x - a)) ** 2))


def _raise(x: Any, a: Any, b: Any) -> Any:
    return np.exp(b / (1.0 - b) * (x + a - 1.0))


fold_curve, call_curve, raise_curve = inlined(_fold), inlined(_call), inlined(_raise)


@inlined
def suggested(memory: NDArray[np.float64], at: int, x: float, chance: float) -> Any:
    """The action of the candidate whose genes begin at `at`, with win probability `x` and a die in [0, 1).

    Small numbers of the die fold and large ones raise, so with one die a tighter candidate never does more.
    """
    fold = fold_curve(x, memory[at + FOLD_A], memory[at + FOLD_B])
    call = call_curve(x, memory[at + CALL_A], memory[at + CALL_B], memory[at + CALL_C])
    mark = chance * (fold + call + raise_curve(x, memory[at + RAISE_A], memory[at + RAISE_B]))
    if mark < fold:
        return FOLD
    return CALL if mark < fold + call else RAISE


def probabilities(genes: NDArray[np.float64], x: NDArray[np.float64]) -> NDArray[np.float64]:
    """P(fold, call, raise) of candidates at win probabilities: genes (…, 7) and x (points,) give (…, points, 3)."""
    g = np.moveaxis(np.asarray(genes, np.float64)[..., None, :], -1, 0)
    curves = (
        _fold(x, g[FOLD_A], g[FOLD_B]), _call(x, g[CALL_A], g[CALL_B], g[CALL_C]), _raise(x, g[RAISE_A], g[RAISE_B])
    )  # fmt: skip
    values = np.stack(curves, axis=-1)
    shares: NDArray[np.float64] = values / values.sum(axis=-1, keepdims=True)
    return shares


def between(fold_below: float, raise_from: float, steepness: float = 0.96) -> NDArray[np.float64]:
    """The genes of a candidate that mostly folds below one win probability, raises from another on, and calls between.

    At the first a fold is as likely as a call, at the second a raise is.
    """
    width = raise_from - fold_below
    peak = np.exp(0.25)
    genes = np.zeros(GENES)
    genes[[FOLD_A, CALL_A, RAISE_A]] = fold_below, (fold_below + raise_from) / 2, 1.0 - raise_from
    genes[[FOLD_B, RAISE_B]] = steepness
    genes[CALL_B], genes[CALL_C] = 1.0 / (1.0 + width), peak / (1.0 + peak)
    return genes.clip(0.0, LARGEST)
