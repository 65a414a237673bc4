"""The option `beliefs` of a player kind: which style belief is among its inputs, and the action table it stands on."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, cast

from nemesis.believe.action_table import ActionTable, Variant
from nemesis.believe.tables import action_table
from nemesis.names import BELIEFS, unknown
from nemesis.rules.game import Game


def check_belief(beliefs: str | None) -> None:
    """Refuse a belief that has no name."""
    if beliefs is not None and beliefs not in BELIEFS:
        raise unknown("belief", beliefs, BELIEFS)


def believing(beliefs: str | None, game: Game) -> dict[str, Any]:
    """What an agent with this belief is given: its table and which belief it is."""
    return {} if beliefs is None else {"table": _table(game, beliefs), "belief": beliefs}


def styles(beliefs: str | None, game: Game) -> int:
    """How many styles it tells apart; 0 without a belief."""
    return 0 if beliefs is None else len(_table(game, beliefs).styles)


def told(beliefs: str | None, game: Game) -> dict[str, Any]:
    """The same for a champion file."""
    if beliefs is None:
        return {}
    return {"table": _table(game, beliefs).to_json()} | ({} if beliefs == "plain" else {"belief": beliefs})


@lru_cache(maxsize=32)
def _table(game: Game, beliefs: str) -> ActionTable:
    return action_table(game).for_variant(cast(Variant, beliefs))
