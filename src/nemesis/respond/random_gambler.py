"""The random gambler (the ASHE paper, table 2): another of the highly exploitable players every 50 hands.

Source: "Randomly switching from other highly exploitable strategies every 50 hands." The text calls HM, CM, SL and CS the
"four agents with highly exploitable strategies", so those are what it switches among. At its first decision of hands
0, 50, 100 … of a match it draws one of the three that it was not playing (of all four at the start), so every change
is one, and every match goes its own way. What it plays now is in its memory: the stretch of 50 hands, and the place in
`STRATEGIES`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.respond.agent import ACT, CompiledAgent, Memory, holdem_only
from nemesis.respond.no_limit_simple import candid, hothead, scared
from nemesis.rules.betting import CALL
from nemesis.rules.game import Game
from nemesis.runtime.chance import another
from nemesis.runtime.compiled import njit
from nemesis.runtime.memory import CELL, Layout

STRATEGIES = ("hm", "cm", "sl", "cs")
HANDS = 50
_NONE = -1.0


class Places(NamedTuple):
    """The memory: the stretch of hands, and which of the `STRATEGIES` is played in it."""

    stretch: int = CELL
    playing: int = CELL


LAYOUT = Layout(Places)
AT = LAYOUT.at


@njit(ACT, error_model="numpy")
def _gamble(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    """Draw another strategy when a new stretch begins, and play it. Writes `memory`."""
    v = view[0]
    stretch = v.hand // HANDS
    if memory[AT.stretch] != stretch:
        memory[AT.stretch] = stretch
        if memory[AT.playing] == _NONE:
            memory[AT.playing] = int(chance * 4)
        else:
            memory[AT.playing] = (int(memory[AT.playing]) + 1 + int(chance * 3)) % 4
    playing = memory[AT.playing]
    if playing == 0:
        return hothead(v, another(chance, 1))
    if playing == 1:
        return CALL
    return scared(v) if playing == 2 else candid(v)


def random_gambler(game: Game) -> CompiledAgent:
    """RG: plays HM, CM, SL or CS, and changes to another of them at random every 50 hands."""
    memory = LAYOUT.template(stretch=_NONE, playing=_NONE)
    return holdem_only(CompiledAgent("rg", _gamble, memory=memory, facts={"strength"}), game)
