"""The random gambler (the ASHE paper, table 2): another of the highly exploitable players every 50 hands.

Source: "Randomly switching from other highly exploitable strategies every 50 hands." The text calls HM, CM, SL and CS the
"four agents with highly exploitable strategies", so those are what it switches among. At its first decision of hands
0, 50, 100 … of a match it draws one of the three that it was not playing (of all four at the start), so every change
is one, and every match goes its own way. What it plays now is in its memory: the stretch of 50 hands, and the place in
`STRATEGIES`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.respond.agent import ACT, CompiledAgent, Memory
from nemesis.respond.no_limit_simple import candid, hothead, scared
from nemesis.rules.betting import CALL
from nemesis.rules.game import Game
from nemesis.runtime.chance import another
from nemesis.runtime.compiled import njit

STRATEGIES = ("hm", "cm", "sl", "cs")
HANDS = 50
STRETCH, PLAYING = 0, 1
"""The places of its memory."""

_NONE = -1.0


@njit(ACT, error_model="numpy")
def _gamble(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    """Draw another strategy when a new stretch begins, and play it. Writes `memory`."""
    v = view[0]
    stretch = v.hand // HANDS
    if memory[STRETCH] != stretch:
        memory[STRETCH] = stretch
        if memory[PLAYING] == _NONE:
            memory[PLAYING] = int(chance * 4)
        else:
            memory[PLAYING] = (int(memory[PLAYING]) + 1 + int(chance * 3)) % 4
    playing = memory[PLAYING]
    if playing == 0:
        return hothead(v, another(chance, 1))
    if playing == 1:
        return CALL
    return scared(v) if playing == 2 else candid(v)


def random_gambler(game: Game) -> CompiledAgent:
    """RG: plays HM, CM, SL or CS, and changes to another of them at random every 50 hands."""
    return CompiledAgent("rg", _gamble, memory=(_NONE, _NONE), facts={"strength"})
