"""The style that the belief takes a player for, whatever it is.

The player is followed from tournament to tournament against one rival, its informative actions cut into sequences of equal
length. Each sequence ends with a posterior; the verdict is their mean.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.style_belief import ActionTable
from nemesis.measure.belief_quality import posteriors_along
from nemesis.measure.fitness import DEFAULT_MOST_HANDS
from nemesis.measure.notebook import play_noting
from nemesis.respond.agent import CompiledAgent
from nemesis.rules.game import Game

_ROOM = 512


def style_verdicts(
    player: CompiledAgent,
    rival: CompiledAgent,
    game: Game,
    table: ActionTable,
    *,
    actions: int,
    tournaments: int,
    seed: int,
) -> NDArray[np.float64]:
    """The posterior at the end of every sequence of so many actions, by sequence and style; one of all alike if none."""
    numbers = np.arange(tournaments)
    seats = np.where((numbers % 2 == 0)[:, None], [0, 1], [1, 0])
    notes = play_noting(
        game, [player, rival], seats, numbers, hands=DEFAULT_MOST_HANDS, seed=seed, freeze_out=True, actions=_ROOM
    )
    kinds = notes.actions[seats == 0]
    seen = kinds[kinds >= 0]
    sequences = seen.size // actions
    if sequences == 0:
        return np.full((1, len(table.styles)), 1 / len(table.styles))
    cut = seen[: sequences * actions].reshape(sequences, actions)
    posteriors: NDArray[np.float64] = posteriors_along(table, cut)[:, -1]
    return posteriors
