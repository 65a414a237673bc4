"""Everybody of one population against everybody of another, heads-up, all pairs on the same deals.

It is the fitness of `measure.fitness` with one opponent at every table: the row sits in either seat equally often, and
the column wins what the row does not.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.fitness import tournament_shares
from nemesis.play.workers import Workers
from nemesis.respond.agent import CompiledAgent
from nemesis.rules.game import Game
from nemesis.runtime.streams import FIRST_STAGE, Stage


def duel_shares(
    game: Game,
    rows: Sequence[CompiledAgent],
    columns: Sequence[CompiledAgent],
    tournaments: int,
    *,
    seed: int,
    stage: Stage = FIRST_STAGE,
    workers: Workers = 1,
) -> NDArray[np.float64]:
    """Each row's share of `tournaments` freeze-outs against each column: an array (rows, columns).

    An even number of tournaments gives both the same seats; `stage` chooses the deals. Nobody to meet gives an empty array.
    """
    if tournaments < 1:
        raise ValueError(f"{tournaments} tournaments decide no duel; play at least 1")
    if not rows or not columns:
        return np.zeros((len(rows), len(columns)))
    tables = [(column,) for column in columns]
    return tournament_shares(game, rows, tables, tournaments, seed=seed, stage=stage, workers=workers).won
