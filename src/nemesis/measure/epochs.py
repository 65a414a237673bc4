"""One long match, epoch by epoch: how a player that learns while it plays fares (the hypercube paper, section 4.2).

An epoch is a fixed number of hands. Memories last for the whole match, as in `measure.adaptation`, which counts the
stretches; what every agent remembers when the match ends comes back with the chips. Who sits where is drawn from the seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.adaptation import play_stretches
from nemesis.play.match import Arena
from nemesis.respond.agent import CompiledAgent, Memory
from nemesis.rules.game import Game
from nemesis.runtime.compiled import entry
from nemesis.runtime.limits import MATCH_HANDS
from nemesis.runtime.streams import NumpyStream, generator


class Epochs(NamedTuple):
    """Chips won by (epoch, player), and each player's memory at the end."""

    chips: NDArray[np.int64]
    memories: tuple[Memory, ...]


def play_epochs(
    game: Game, agents: Sequence[CompiledAgent], epochs: int, *, hands: int, seed: int, number: int = 0
) -> Epochs:
    """Play match `number` of so many epochs of so many hands; the agents sit in a drawn order."""
    MATCH_HANDS.check(epochs * hands)
    order = generator(seed, NumpyStream.SEATING, number).permutation(game.seats)
    arena = Arena(game, agents, seed)
    lineups = arena.lineups(order[None, :], np.array([number]), epochs * hands, False)
    won = np.zeros((1, epochs, game.seats), np.int64)
    ends = hands * np.arange(1, epochs + 1)
    parts = (arena.rules, arena.dealer, arena.desk, arena.seating, arena.bank, lineups, ends, won)
    entry(play_stretches, *parts)(*parts)
    seat_of = np.argsort(order)
    seating = arena.seating
    memories = tuple(
        seating.memory[seating.offsets[seat] : seating.offsets[seat] + seating.sizes[seat]].copy() for seat in seat_of
    )
    return Epochs(np.diff(won[0], axis=0, prepend=0)[:, seat_of], memories)
