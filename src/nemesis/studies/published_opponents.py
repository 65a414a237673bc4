"""The eleven opponents of the ASHE paper: their names, what tables 2 and 3 print about them, and who plays them here."""

from __future__ import annotations

from dataclasses import dataclass

from nemesis.respond.agent import CompiledAgent
from nemesis.respond.by_name import compiled_agent
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

    def seated(self, game: Game) -> CompiledAgent:
        """Who plays it here, made for a game."""
        return compiled_agent(self.agent, game)


OPPONENTS = (
    Opponent("HM", "hothead maniac", "very high", 42333, 4988, "hm"),
    Opponent("CM", "calling machine", "very high", 46114, 2761, "cm"),
    Opponent("SL", "scared limper", "high", 999, 702, "sl"),
    Opponent("CS", "candid statistician", "high", 9116, 4512, "cs"),
    Opponent("RG", "random gambler", "high", 8996, 2102, "rg"),
    Opponent("LA", "loose aggressive", "high", 20005, 2449, "nl-la"),
    Opponent("LP", "loose passive", "high", 15372, 623, "nl-lp"),
    Opponent("TP", "tight passive", "high", 1488, 603, "nl-tp"),
    Opponent("TA", "tight aggressive", "moderate", 509, 284, "nl-ta"),
    Opponent("HP", "half-a-pro", "low", 278, 152, "hp"),
    Opponent("SB", "Slumbot, an equilibrium player", "very low", 5, None, "equilibrium"),
)
"""In the order of table 2. Slumbot's place is taken by our own equilibrium player."""

SOLVED = OPPONENTS[-1]
PRESENT = OPPONENTS[:-1]
"""The scripted ones, which have a style to be measured and a weakness to be searched."""
