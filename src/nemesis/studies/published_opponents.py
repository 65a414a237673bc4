"""The eleven opponents of document 003: their names, what tables 2 and 3 print about them, and who plays them here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from nemesis.respond.agent import CompiledAgent
from nemesis.respond.half_a_pro import half_a_pro
from nemesis.respond.no_limit_simple import calling_machine, candid_statistician, hothead_maniac, scared_limper
from nemesis.respond.no_limit_styles import loose_aggressive, loose_passive, tight_aggressive, tight_passive
from nemesis.respond.random_gambler import random_gambler
from nemesis.rules.game import Game


@dataclass(frozen=True)
class Opponent:
    """One line of table 2; `a4` and `sb` are what the instance A4 and Slumbot took from it, in mBB/hand (table 3)."""

    code: str
    name: str
    exploitability: str
    a4: float
    sb: float | None
    agent: str
    make: Callable[[Game], CompiledAgent] | None


OPPONENTS = (
    Opponent("HM", "hothead maniac", "very high", 42333, 4988, "hm", hothead_maniac),
    Opponent("CM", "calling machine", "very high", 46114, 2761, "cm", calling_machine),
    Opponent("SL", "scared limper", "high", 999, 702, "sl", scared_limper),
    Opponent("CS", "candid statistician", "high", 9116, 4512, "cs", candid_statistician),
    Opponent("RG", "random gambler", "high", 8996, 2102, "rg", random_gambler),
    Opponent("LA", "loose aggressive", "high", 20005, 2449, "nl-la", loose_aggressive),
    Opponent("LP", "loose passive", "high", 15372, 623, "nl-lp", loose_passive),
    Opponent("TP", "tight passive", "high", 1488, 603, "nl-tp", tight_passive),
    Opponent("TA", "tight aggressive", "moderate", 509, 284, "nl-ta", tight_aggressive),
    Opponent("HP", "half-a-pro", "low", 278, 152, "hp", half_a_pro),
    Opponent("SB", "Slumbot, an equilibrium player", "very low", 5, None, "sb", None),
)
"""In the order of table 2. The equilibrium player is not there yet."""

PRESENT = tuple(opponent for opponent in OPPONENTS if opponent.make is not None)
MISSING = tuple(opponent for opponent in OPPONENTS if opponent.make is None)


def opponent_named(name: str, game: Game) -> CompiledAgent:
    """The opponent whose agent has this name, made for a game."""
    made = next((opponent.make for opponent in PRESENT if opponent.agent == name), None)
    if made is None:
        raise ValueError(f"{name!r} is none of the opponents {', '.join(opponent.agent for opponent in PRESENT)}")
    return made(game)
