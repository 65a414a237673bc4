"""What cards a player may hold if all that is known of him is a belief over the four styles.

A style (α, β) folds below α, raises from β on and calls in between, by the probability to beat everybody still in (Baker
2010, section 4.2.1). The chance of an action given a holding is the believed mixture of the styles' rules; a small share of
every decision is thought random, so that nothing is ruled out. It stands beside `range_posterior`, which knows the player.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

STYLES = {"la": (0.1, 0.2), "lp": (0.1, 0.9), "ta": (0.5, 0.6), "tp": (0.5, 0.9)}
RANDOM = 0.1
"""The share of decisions that follow no rule; fixed beforehand."""


def learn_styled(
    weights: NDArray[np.float64], win: NDArray[np.float32], opponents: int, done: int, styles: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The posterior after one decision of a player whose style is believed so (in the order of `STYLES`)."""
    chance = np.nan_to_num(win, nan=0.0).astype(np.float64) ** max(1, opponents)
    follows = np.zeros(len(weights))
    for believed, (alpha, beta) in zip(styles, STYLES.values(), strict=True):
        rule = np.where(chance < alpha, 0, np.where(chance >= beta, 2, 1))
        follows += believed * (rule == done)
    after = weights * ((1 - RANDOM) * follows + RANDOM / 3)
    total = after.sum()
    return after / total if total > 0 else weights
