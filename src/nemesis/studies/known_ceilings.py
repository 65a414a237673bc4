"""What can be taken from each no-limit opponent, as far as it has been worked out.

The study `no-limit-ceilings` works the figures out and the package keeps them; here they are only looked up, and as long
as there are none nothing is said. A figure is exact where the opponent allows it, and elsewhere what the best
counter-strategy found takes, a lower bound.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from nemesis.respond.champion import SHIPPED
from nemesis.studies.published_opponents import OPPONENTS

FILE = SHIPPED.parent / "counters" / "no-limit.json"


@dataclass(frozen=True)
class Ceiling:
    """The most that is known to be takeable from an opponent, in mBB/hand."""

    mbb: float
    exact: bool

    def share(self, taken: float) -> str:
        """`87% of the ceiling`, or of a lower bound on it."""
        return f"{taken / self.mbb:.0%} of {'the ceiling' if self.exact else 'a lower bound on the ceiling'}"


def known_ceilings(path: Path = FILE) -> Mapping[str, Ceiling]:
    """By the opponent's code; empty while none has been written down."""
    if not path.exists():
        return {}
    written = json.loads(path.read_text(encoding="utf-8"))["ceilings"]
    return {
        opponent.code: Ceiling(float(written[opponent.agent]["mean"]), written[opponent.agent]["kind"] == "exact")
        for opponent in OPPONENTS
        if opponent.agent in written
    }
