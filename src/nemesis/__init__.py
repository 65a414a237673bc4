"""Nemesis: opponent modelling and exploitation in poker.

It watches how someone plays, forms a belief about them, answers with the play that costs them most, and measures
honestly how well that worked. The public names below are loaded when first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nemesis.arena import duel, restore_session, session, table, tournament
    from nemesis.play.session import OpenSeat
    from nemesis.respond.agent import Agent, AgentError, CompiledAgent
    from nemesis.respond.by_name import agent
    from nemesis.rules.by_name import game
    from nemesis.rules.equity import equity
    from nemesis.rules.game import Game

__version__ = "0.1.0"

__all__ = [
    "Agent",
    "AgentError",
    "CompiledAgent",
    "Game",
    "OpenSeat",
    "agent",
    "duel",
    "equity",
    "game",
    "restore_session",
    "session",
    "table",
    "tournament",
]

_HOMES = {
    "duel": "nemesis.arena",
    "table": "nemesis.arena",
    "session": "nemesis.arena",
    "restore_session": "nemesis.arena",
    "OpenSeat": "nemesis.play.session",
    "tournament": "nemesis.arena",
    "agent": "nemesis.respond.by_name",
    "game": "nemesis.rules.by_name",
    "Agent": "nemesis.respond.agent",
    "AgentError": "nemesis.respond.agent",
    "CompiledAgent": "nemesis.respond.agent",
    "equity": "nemesis.rules.equity",
    "Game": "nemesis.rules.game",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'nemesis' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOMES[name]), name)
