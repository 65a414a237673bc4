"""A result: what was played, by whom, how it came out and how sure that is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from nemesis.measure.interval import Interval


@dataclass(frozen=True)
class Score:
    """One player's mean and its 95 % interval, in the result's unit."""

    player: str
    mean: float
    ci95: Interval

    @property
    def margin(self) -> float:
        """Half the width of the interval."""
        return (self.ci95[1] - self.ci95[0]) / 2

    @property
    def significant(self) -> bool:
        """Whether the interval lies wholly on one side of zero."""
        return self.ci95[0] > 0 or self.ci95[1] < 0


@dataclass(frozen=True)
class Result:
    """The outcome of a duel, a table or a tournament."""

    game: str
    players: tuple[str, ...]
    hands: int
    matches: int
    unit: str
    scores: tuple[Score, ...]
    seed: int
    seconds: float
    note: str = ""

    @property
    def hands_per_second(self) -> float:
        """Hands played per second of waiting, all workers together."""
        return self.hands / self.seconds if self.seconds > 0 else math.inf

    def to_json(self) -> dict[str, Any]:
        """The documented keys (docs/reference/json.md); an interval without bound is null."""
        return {
            "game": self.game,
            "players": list(self.players),
            "hands": self.hands,
            "matches": self.matches,
            "unit": self.unit,
            "results": [
                {
                    "player": score.player,
                    "mean": score.mean,
                    "ci95": [bound if math.isfinite(bound) else None for bound in score.ci95],
                }
                for score in self.scores
            ],
            "seed": self.seed,
            "hands_per_second": round(self.hands_per_second),
            "seconds": round(self.seconds, 4),
            "note": self.note,
        }


def counted(number: int, what: str) -> str:
    """`1 hand`, `2 hands`."""
    return f"{number:,} {what}" + ("" if number == 1 else "s")


def numbered(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names with a number behind the second and later player of the same name."""
    seen: dict[str, int] = {}
    labels = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        labels.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return tuple(labels)
