"""Anything that chooses an action.

One protocol: an agent *sits* down to a match (and forgets the last one), *acts* on a view, and *watches* events.
An agent never sees a state, only views and events of its own seat.

`Agent` is the plain Python form: subclass it and write `act`. `CompiledAgent` is the fast form: two kernels of fixed
signature over a flat float64 memory,

    act(view, memory, chance) -> int        watch(event, memory)

that the arena calls by address. Its Python face calls the very same kernels, so no policy is written twice.
The first line of a kernel takes the record out of its one-element array: `v = view[0]`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.event import KINDS, Event, new_events
from nemesis.observe.event import WATCH as WATCH
from nemesis.observe.event import call_watch as call_watch
from nemesis.observe.view import ACT as ACT
from nemesis.observe.view import View, new_view
from nemesis.observe.view import call_act as call_act
from nemesis.rules.deal import FACTS
from nemesis.rules.game import Game, GameError
from nemesis.runtime.compiled import address, entry

Memory = NDArray[np.float64]
EVERYTHING = tuple(range(len(KINDS)))


class AgentError(RuntimeError):
    """An agent raised, answered nonsense or did not answer; the sentence names it."""


def blame(name: str, error: BaseException, doing: str = "raised") -> AgentError:
    """What to raise for what an agent raised: its name, the kind of error and the first line of what it says."""
    try:
        said = next(iter(str(error).strip().splitlines()), "")
    except Exception:
        said = "(and could not say why)"
    return AgentError(f"agent {name} {doing} {type(error).__name__}: {said}".removesuffix(": "))


class Agent:
    """A player written in plain Python.

    `facts` names the exact numbers of its own hand that it reads from views (`win`, `strength`); an agent that
    needs none makes dealing cheaper.
    """

    name: str = ""
    facts: Collection[str] = FACTS

    @property
    def hears(self) -> Collection[int]:
        """The kinds of events this agent wants to be told of: all if it overrides `watch`, else none."""
        return () if type(self).watch is Agent.watch else EVERYTHING

    def sit(self, game: Game, seat: int) -> None:
        """A match begins at this seat; forget whatever was learned in another."""

    def act(self, view: View) -> int:
        """Choose: 0 fold, 1 check or call, 2 or more raise to that many chips on this street (clamped to what is legal)."""
        raise NotImplementedError(f"{type(self).__name__} does not say how to act")

    def watch(self, event: Event) -> None:
        """Something happened at the table. Agents that do not override this are never told, which is faster."""


class CompiledAgent(Agent):
    """A player whose policy is two kernels and a memory, and their Python face.

    An agent whose model needs only some kinds of events says so with `hears`, which saves the telling of the others.
    `addresses` is where the loop finds the kernels: (act, watch), the second 0 for an agent that does not watch.
    """

    def __init__(
        self,
        name: str,
        act: Callable[[NDArray[np.void], Memory, float], int],
        watch: Callable[[NDArray[np.void], Memory], None] | None = None,
        memory: Memory | Collection[float] = (),
        facts: Collection[str] = FACTS,
        hears: Collection[int] = EVERYTHING,
    ) -> None:
        self.name = name
        self._hears = tuple(hears)
        self.facts = frozenset(facts)
        self.act_kernel = act
        self.watch_kernel = watch
        self.template: Memory = np.array(memory, dtype=np.float64)
        self.memory = self._fresh_memory()
        self.addresses = _address(act, "act"), _address(watch, "watch") if watch is not None else 0

    @property
    def hears(self) -> Collection[int]:
        """The kinds of events its model wants to be told of."""
        return self._hears if self.watch_kernel is not None else ()

    def _fresh_memory(self) -> Memory:
        return self.template.copy() if self.template.size else np.zeros(1)

    def sit(self, game: Game, seat: int) -> None:
        """Put the memory back to what it was before any match."""
        self.memory = self._fresh_memory()

    def act(self, view: View) -> int:
        """Call the compiled policy."""
        return int(_entry(self.act_kernel, "act")(view.record, self.memory, view.chance))

    def watch(self, event: Event) -> None:
        """Call the compiled model, if there is one."""
        if self.watch_kernel is not None:
            _entry(self.watch_kernel, "watch")(event.record, self.memory)

    def __reduce__(self) -> tuple[Any, ...]:
        """Kernels travel to other processes by name, not as code."""
        return _again, (
            type(self),
            self.name,
            _name(self.act_kernel),
            _name(self.watch_kernel),
            self.template,
            self.facts,
            self._hears,
        )


def _again(
    kind: type[CompiledAgent],
    name: str,
    act: str,
    watch: str,
    template: Memory,
    facts: Collection[str],
    hears: Collection[int],
) -> CompiledAgent:
    agent = kind.__new__(kind)
    CompiledAgent.__init__(agent, name, _kernel(act), _kernel(watch) if watch else None, template, facts, hears)
    return agent


def _name(kernel: Any) -> str:
    if kernel is not None and kernel.__module__ == "__main__":
        raise ValueError(
            f"kernel {kernel.__name__} is defined in a script; put it in a file of its own to use several workers"
        )
    return "" if kernel is None else f"{kernel.__module__}:{kernel.__name__}"


def _kernel(name: str) -> Any:
    module, _, attribute = name.partition(":")
    return getattr(importlib.import_module(module), attribute)


@lru_cache(maxsize=256)
def _address(kernel: Any, role: str) -> int:
    try:
        return address(kernel, ACT if role == "act" else WATCH)
    except TypeError:
        name = getattr(kernel, "__name__", repr(kernel))
        raise TypeError(f"{name} is not compiled as {role}: decorate it with @njit({role.upper()})") from None


@lru_cache(maxsize=256)
def _entry(kernel: Any, role: str) -> Callable[..., Any]:
    memory = np.zeros(1)
    return entry(kernel, new_view(), memory, 0.0) if role == "act" else entry(kernel, new_events(), memory)


def holdem_only(agent: CompiledAgent, game: Game) -> CompiledAgent:
    """The agent, if the game is hold'em; a `GameError` says that it plays nothing else."""
    if not game.is_holdem:
        raise GameError(f"{agent.name} plays hold'em; {game.name} is another game")
    return agent


class Uncompiled(Agent):
    """The Python face of a compiled agent, seated as a Python agent: plays the same hands, slowly."""

    def __init__(self, agent: CompiledAgent) -> None:
        self.agent = agent
        self.name = agent.name
        self.facts = agent.facts

    @property
    def hears(self) -> Collection[int]:
        """As the agent itself."""
        return self.agent.hears

    def sit(self, game: Game, seat: int) -> None:
        """Pass on."""
        self.agent.sit(game, seat)

    def act(self, view: View) -> int:
        """Pass on."""
        return self.agent.act(view)

    def watch(self, event: Event) -> None:
        """Pass on."""
        self.agent.watch(event)
