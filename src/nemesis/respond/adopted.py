"""Objects that are agents in all but name: whatever has an `act(view)` may sit down.

What else an agent may have counts if the object has it: `sit`, `watch`, `hears`, `name`, `facts`. An object without a
`watch` is not told of events, as any agent.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from nemesis.observe.event import Event
from nemesis.observe.view import View
from nemesis.respond.agent import EVERYTHING, Agent
from nemesis.rules.game import Game


def adopted(other: Any) -> Agent:
    """The agent itself, or an object with an `act` of its own made into one."""
    return other if isinstance(other, Agent) else Adopted(other)


class Adopted(Agent):
    """An object with an `act` of its own that is not a subclass of Agent."""

    def __init__(self, other: Any) -> None:
        self.other = other
        self.name = getattr(other, "name", "") or type(other).__name__
        self.facts = getattr(other, "facts", Agent.facts)

    @property
    def hears(self) -> Collection[int]:
        """What it says it wants to hear, or everything if it has a `watch`."""
        if not callable(getattr(self.other, "watch", None)):
            return ()
        wanted: Collection[int] = getattr(self.other, "hears", EVERYTHING)
        return wanted

    def sit(self, game: Game, seat: int) -> None:
        """Pass on, if it has a `sit`."""
        if hasattr(self.other, "sit"):
            self.other.sit(game, seat)

    def act(self, view: View) -> int:
        """Pass on."""
        action: int = self.other.act(view)
        return action

    def watch(self, event: Event) -> None:
        """Pass on; only called if it has a `watch`."""
        self.other.watch(event)
