"""The best known answer to an opponent, by name: exact where one was computed, else the best that a search has found.

No-limit hold'em heads-up has the counters of the study `no-limit-ceilings`, limit hold'em heads-up the computed best
responses to opponents that act on their win probability, one-card poker the anti-players, Kuhn and Leduc an equilibrium.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any, NamedTuple

from nemesis.respond.agent import CompiledAgent
from nemesis.respond.by_name import agent
from nemesis.respond.counter import ANTI
from nemesis.respond.parametric_counter import FILE
from nemesis.rules.game import Game


class Known(NamedTuple):
    """An agent's name, and what it is to the opponent."""

    name: str
    kind: str


def known_counter(opponent: str, game: Game) -> Known | None:
    """The best known counter to an opponent heads-up; None if nobody has looked for one."""
    if game.seats != 2:
        return None
    if game.is_holdem and game.structure == "no-limit":
        found = _ceilings().get(opponent)
        if found is None:
            return None
        return Known(f"counter-{opponent}" if "genome" in found else found["by"], found["kind"])
    if game.is_holdem and game.structure == "limit" and not game.freeze_out:
        made = agent(opponent, game)
        simple = isinstance(made, CompiledAgent) and not made.hears and set(made.facts) <= {"win"}
        return Known(f"counter-{opponent}", "computed best response") if simple else None
    if game.name in ("kuhn", "leduc"):
        return Known("equilibrium", "an equilibrium, which nobody beats")
    if game.hole_cards == 1 and opponent in ANTI:
        return Known(f"anti-{opponent}", "the pair of thresholds that beats this style")
    return None


@lru_cache(maxsize=1)
def _ceilings() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))["ceilings"]
    return found
