"""Python agents may be wrong, never answer or end the process; whatever they do becomes a sentence that names them.

`guarded` gives a `guard` through which agents are called. What an agent raises, `SystemExit` included, becomes an
`AgentError`; Ctrl-C and SIGTERM stay what they are. A call that takes too long is ended in one of two ways. A timer raises
an exception in it, which reaches Python code only. A call that never comes back to Python, or swallows the exception, is
noticed by a watchdog: a thread of machine code that needs no interpreter. It writes the sentence and ends the process,
with exit code 2, or in a worker with a code that tells the parent who it was (`stuck_agent`). Where nobody reads the
code, the sentence can be left in a file (`leave_sentence_in`).
"""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from nemesis.respond.agent import EVERYTHING, Agent, AgentError, blame
from nemesis.rules.deal import FACTS
from nemesis.rules.game import MAX_SEATS
from nemesis.runtime.compiled import COMPILING, entry, njit
from nemesis.runtime.lifetime import Terminated

SHORTEST, LONGEST = 0.001, 86_400.0
MOST_ACTION = 2**63 - 1
MISTAKE = 2
STUCK = 100
"""In a worker, the exit code of the first agent; the others follow."""
_TICKS = 4
_POLL = 50_000  # microseconds
_SENTENCE = 512
_CALL, _LIMIT, _AWAKE, _TO = range(4)
_STANDARD_ERROR = 2
_PLACES = 16  # a call under way is a multiple of this and the place of the agent; 0 is none
_NOBODY = MAX_SEATS + 1

Guard = Callable[..., Any]


class _OutOfTime(BaseException):
    """Raised inside an agent that thinks too long; a BaseException so that an agent's `except Exception` misses it."""


def check_time_limit(seconds: float) -> None:
    """Raise a `ValueError` if the limit cannot be kept."""
    if seconds != 0 and not SHORTEST <= seconds <= LONGEST:
        raise ValueError(
            f"a time limit of {seconds:g} s cannot be kept; give {SHORTEST:g} to {LONGEST:g} seconds, or 0 for no limit"
        )


@contextmanager
def guarded(seconds: float, agents: Sequence[Agent] = (), numbers: Sequence[int] = ()) -> Iterator[Guard]:
    """Gives `guard(agent, method, *arguments)`, which calls the method and turns what goes wrong into an AgentError.

    The limit needs a POSIX timer and the main thread; elsewhere, and with 0 seconds, there is none. The watchdog knows
    the `agents`, at most a table of them, by their places among the players, `numbers`.
    """
    check_time_limit(seconds)
    limited = seconds > 0 and threading.current_thread() is threading.main_thread() and hasattr(signal, "SIGALRM")
    state = _watchdog().state if limited else np.zeros(_TO + 1, np.int64)
    cells, outside = state.data, state.copy()
    places = {id(agent): place for place, agent in enumerate(agents, 1)}
    calls = ticks = ticked = place = 0
    last: Agent | None = None

    def tick(signum: int, frame: object) -> None:
        nonlocal ticks, ticked
        ticks = ticks + 1 if cells[_CALL] and ticked == calls else 0
        ticked = calls
        if ticks > _TICKS:
            raise _OutOfTime

    def guard(agent: Agent, method: Callable[..., Any], *arguments: Any) -> Any:
        nonlocal calls, last, place
        try:
            try:
                if agent is not last:
                    last, place = agent, places.get(id(agent), _NOBODY)
                calls += _PLACES
                cells[_CALL] = calls + place
                return method(*arguments)
            finally:
                cells[_CALL] = 0
        except (KeyboardInterrupt, Terminated):
            raise
        except _OutOfTime:
            raise AgentError(_too_slow(agent, seconds)) from None
        except BaseException as error:
            raise blame(agent.name, error) from error

    if not limited:
        yield guard
        return
    _watchdog().learn([_too_slow(agent, seconds) for agent in agents], numbers or range(len(agents)))
    cells[_CALL], cells[_LIMIT] = 0, int(1e6 * (2 * seconds + 1))
    handler = signal.signal(signal.SIGALRM, tick)
    timer = signal.setitimer(signal.ITIMER_REAL, seconds / _TICKS, seconds / _TICKS)
    try:
        yield guard
    finally:
        signal.setitimer(signal.ITIMER_REAL, *timer)
        signal.signal(signal.SIGALRM, handler)
        state[:_AWAKE] = outside[:_AWAKE]


def check_agent(agent: Agent) -> None:
    """Raise an `AgentError` if what the agent says about itself cannot be used."""
    try:
        facts, hears = set(agent.facts), list(agent.hears)
        unknown = facts - FACTS
    except Exception as error:
        raise blame(agent.name, error, "says which facts and events it wants, but that raised") from error
    if unknown:
        raise AgentError(f"agent {agent.name} wants the facts {sorted(map(str, unknown))}; known are {sorted(FACTS)}")
    if sorted(set(EVERYTHING) & set(hears)) != sorted(hears, key=str):
        raise AgentError(f"agent {agent.name} hears {hears}; events are numbers from 0 to {EVERYTHING[-1]}, each once")


def checked_action(agent: Agent, action: object) -> int:
    """The action as an int, or an AgentError that says what an action is."""
    if isinstance(action, (int, np.integer)) and not isinstance(action, bool) and 0 <= action <= MOST_ACTION:
        return int(action)
    raise AgentError(
        f"agent {agent.name} answered {_shown(action)}; an action is 0 (fold), 1 (check or call) or a whole number of "
        "chips from 2 on to raise to"
    )


def stuck_agent(exit_codes: str) -> int | None:
    """Which player of its block a watchdog ended a worker for, by what is said of the exit code; None if it did not."""
    found = re.search(rf"EXIT\({STUCK // 100}(\d\d)\)", exit_codes)
    return int(found[1]) if found else None


def leave_sentence_in(descriptor: int | None) -> None:
    """Let the watchdog of this process write to this open file before it ends the process; None: to standard error."""
    _watchdog().state[_TO] = _STANDARD_ERROR if descriptor is None else descriptor


def _too_slow(agent: Agent, seconds: float) -> str:
    return f"agent {agent.name} did not answer within {seconds:g} s"


def _shown(value: object) -> str:
    """What an agent answered, if it can be shown, and not at length."""
    try:
        text = repr(value)
    except Exception:
        return f"something of type {type(value).__name__}"
    return text if len(text) <= 80 else f"{text[:60]}… ({len(text)} characters)"


class _Watchdog:
    """What the watchdog thread reads: who is in a call, and what to say if it does not end."""

    def __init__(self) -> None:
        self.process = os.getpid()
        self.working = multiprocessing.parent_process() is not None
        self.state = np.zeros(_TO + 1, np.int64)
        self.state[_TO] = _STANDARD_ERROR
        self.sentences = np.zeros((_PLACES, _SENTENCE), np.uint8)
        self.lengths = np.zeros(_PLACES, np.int64)
        self.codes = np.full(_PLACES, MISTAKE, np.int64)

    def learn(self, sentences: Sequence[str], numbers: Sequence[int]) -> None:
        """Write down what to say about the agent in each place, and with which code to leave; a worker's parent says it."""
        for place, (sentence, number) in enumerate(zip(sentences, numbers, strict=True), 1):
            line = b"" if self.working else f"nemesis: {sentence}\n".encode()[:_SENTENCE]
            self.sentences[place, : len(line)] = np.frombuffer(line, np.uint8)
            self.lengths[place] = len(line)
            self.codes[place] = STUCK + min(number, 99) if self.working else MISTAKE

    def start(self) -> None:
        """Start the thread and wait until it needs the interpreter no more."""
        data = (self.state, self.sentences, self.lengths, self.codes)
        threading.Thread(target=entry(_watch, *data), args=data, daemon=True, name="watchdog of agents").start()
        while not self.state[_AWAKE]:
            time.sleep(0.001)


_started: list[_Watchdog] = []


def _watchdog() -> _Watchdog:
    """The watchdog of this process, started when the first agent is guarded."""
    if not _started or _started[-1].process != os.getpid():
        dog = _Watchdog()
        if COMPILING:
            dog.start()
        _started[:] = [dog]
    return _started[-1]


_sleep = types.ExternalFunction("usleep", types.intc(types.uintc))
_write = types.ExternalFunction("write", types.intp(types.intc, types.voidptr, types.uintp))
_leave = types.ExternalFunction("_exit", types.void(types.intc))


@njit(nogil=True)
def _watch(
    state: NDArray[np.int64], sentences: NDArray[np.uint8], lengths: NDArray[np.int64], codes: NDArray[np.int64]
) -> None:
    """Look again and again at the call that is under way; when it is the same for too long, say who it is and leave."""
    state[_AWAKE] = 1
    call = waited = 0
    while True:
        _sleep(_POLL)
        if state[_CALL] != call:
            call = state[_CALL]
            waited = 0
        waited += _POLL
        if call != 0 and waited > state[_LIMIT]:
            who = call % _PLACES
            _write(state[_TO], sentences[who].ctypes, lengths[who])
            _leave(codes[who])
