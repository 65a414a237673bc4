"""Players by name: whatever a user names or hands over, as somebody who can sit down."""

from __future__ import annotations

from functools import partial

from nemesis.play.match import Player
from nemesis.respond.adopted import adopted
from nemesis.respond.agent import Agent
from nemesis.respond.by_name import agent
from nemesis.rules.game import Game


def player(who: str | Agent | Player) -> Player:
    """Somebody who can sit down, from a name or an agent of your own."""
    if isinstance(who, Player):
        return who
    if isinstance(who, str):
        return Player(_label(who), partial(agent, who))
    if isinstance(who, type):
        raise TypeError(f"{who.__name__} is a class; pass an agent made from it, {who.__name__}()")
    if not callable(getattr(who, "act", None)):
        raise TypeError(f"{who!r} is not an agent: it has no act(view) method")
    seated = adopted(who)
    return Player(seated.name or type(seated).__name__, partial(_same, seated))


def _same(who: Agent, for_game: Game) -> Agent:
    return who


def _label(name: str) -> str:
    base, _, given = name.partition(":")
    return given if base.endswith(".py") and given else name
