"""The ranges of the numbers that people give: chips, hands, seeds and seconds have one rule everywhere.

The largest are chosen so that no sum of the engine leaves 64 bits: what a player can win from nine others in the longest
match with the largest stacks is about 2·10¹⁸. A tournament is no longer than the deals that belong to its number.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral, Real
from typing import cast


@dataclass(frozen=True)
class Limit:
    """A range of numbers, whole ones unless `parts` are allowed, and what they count."""

    what: str
    least: float
    most: float
    parts: bool = False

    def check(self, value: object) -> None:
        """Raise a `ValueError` that names the value and the range if the value is not in it."""
        right = not isinstance(value, bool) and isinstance(value, Real if self.parts else Integral)
        if not right or not self.least <= cast(float, value) <= self.most:
            kind = "a number" if self.parts else "a whole number"
            raise ValueError(
                f"{self.what} must be {kind} from {_shown(self.least)} to {_shown(self.most)}, not {_shown(value)}"
            )


def _shown(value: object) -> str:
    """A number as people read it; a very long one only by its size."""
    if isinstance(value, int) and abs(value) >= 10**24:
        return f"{'-' if value < 0 else ''}10^{math.floor(math.log10(abs(value)))}"
    return f"{value:,}" if isinstance(value, int) else f"{value:g}" if isinstance(value, float) else repr(value)


MOST_CHIPS = 2**31 - 1
ENDLESS = 10**15
"""The stack of a player who cannot run out of chips, in recorded hands that do not tell stacks."""
MOST_CARDS = 52
MOST_SUITS = 4
FREEZE_OUT_HANDS = 1 << 20
"""Deals that belong to each tournament's number."""

STACK = Limit("a stack", 1, MOST_CHIPS)
HANDS = Limit("hands", 1, 10**11)
MATCH_HANDS = Limit("the hands of a match", 1, 10**8)
EARLIER_HANDS = Limit("the hands played before", 0, 10**8)
TOURNAMENTS = Limit("tournaments", 1, 10**9)
TOURNAMENT_HANDS = Limit("the hands of a tournament", 1, FREEZE_OUT_HANDS)
SEED = Limit("a seed", 0, 2**63 - 1)
PURSUITS = Limit("pursuits", 1, 10**7)
NOISE = Limit("noise", 0, 1, parts=True)
FRAME_SECONDS = Limit("seconds between two moves", 0, 60, parts=True)
MINUTES = Limit("minutes", 0.001, 100_000, parts=True)
SAMPLES = Limit("samples", 1, 10**10)
LINES = Limit("lines", 1, 10**6)
BENCH_SECONDS = Limit("seconds", 0.001, 3600, parts=True)
TIME_LIMIT = Limit("a time limit in seconds", 0, 86_400, parts=True)
