"""Who has the initiative: a player has it who made the last bet or raise of the hand and has not checked since."""

from __future__ import annotations

from typing import Any, NamedTuple

from nemesis.respond.agent import Memory
from nemesis.rules.betting import RAISE
from nemesis.runtime.compiled import inlined
from nemesis.runtime.memory import CELL, Layout


class Initiative(NamedTuple):
    """The first places of a memory: the hand under way, and whether the player has the initiative in it."""

    hand: int = CELL
    initiative: int = CELL


INITIATIVE = Layout(Initiative)
HAS = INITIATIVE.at


@inlined
def forget_last_hand(v: Any, memory: Memory) -> None:
    """A new hand begins without the initiative; a raise by somebody else takes it. Writes `memory`."""
    if memory[HAS.hand] != v.hand or (v.to_call > 0 and v.raises > 0):
        memory[HAS.initiative] = 0.0
    memory[HAS.hand] = v.hand


@inlined
def note_initiative(memory: Memory, chosen: int) -> None:
    """A bet or raise of our own takes it, anything else gives it up. Writes `memory`."""
    memory[HAS.initiative] = 1.0 if chosen >= RAISE else 0.0
