"""Who sits where on a tape: its players by hand and seat, and the table turned so that one of them is in seat 0."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.tape import Tape
from nemesis.rules.game import MAX_SEATS

NOBODY = -1


def players_dealt(tape: Tape) -> NDArray[np.int64]:
    """By hand and seat, which player of the tape was dealt in there, or `NOBODY`."""
    at = np.full((len(tape), tape.seats), NOBODY, np.int64)
    dealt = np.arange(MAX_SEATS) < tape.hands["seats"][:, None]
    rows = np.nonzero(dealt)[0]
    at[rows, tape.hands["seat"][dealt]] = tape.hands["player"][dealt]
    return at


def players_seated(tape: Tape) -> NDArray[np.int64]:
    """The same with those who are dealt out: a player keeps its seat through a match until somebody else takes it."""
    at = players_dealt(tape)
    begins = np.ones(len(tape), bool)
    begins[1:] = tape.hands["match"][1:] != tape.hands["match"][:-1]
    known = (at != NOBODY) | begins[:, None]
    last = np.maximum.accumulate(np.where(known, np.arange(len(tape))[:, None], 0), axis=0)
    seated: NDArray[np.int64] = np.take_along_axis(at, last, axis=0)
    return seated


def around(tape: Tape, player: str) -> Tape:
    """The hands of one player of the tape, who sits in seat 0 in all of them, the next to act after it in seat 1."""
    dealt = np.arange(MAX_SEATS) < tape.hands["seats"][:, None]
    mine = dealt & (tape.hands["player"] == tape.players.index(player))
    rows = np.flatnonzero(mine.any(axis=1))
    hands = tape.hands[rows].copy()
    own = mine[rows].argmax(axis=1)
    hands["seat"] = (np.arange(MAX_SEATS) - own[:, None]) % hands["seats"][:, None]
    return Tape(tape.games, tape.players, hands, tape.actions, tape.seed)
