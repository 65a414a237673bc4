"""Worker processes on this machine, kept between calls by loky.

When one dies, loky gives up all of them and every block that was sent, and fresh ones take over. It does not say which
block was at fault. So the last try of a block is made alone: only one that kills a worker by itself is blamed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Any

from nemesis.play.workers import TRIES, worker_died
from nemesis.runtime.lifetime import begin_worker

_IDLE_SECONDS = 30
_TRACKER = "ignore::UserWarning:loky.backend.resource_tracker"
"""loky's keeper of semaphores complains, in a process of its own, when killed workers took some with them."""


class LokyPool:
    """So many processes of this machine."""

    def __init__(self, workers: int) -> None:
        self.width = workers
        self._sent: list[_Sent] = []

    def submit(self, work: Callable[[Any], Any], block: Any) -> _Sent:
        """Send a block, or keep it back while an older one is tried alone."""
        sent = _Sent(self, work, block)
        if all(earlier.future is not None for earlier in self._sent):
            self._send(sent)
        self._sent.append(sent)
        return sent

    def abandon(self) -> None:
        """End the processes: what they do is of no use any more, and may take long."""
        self._sent.clear()
        end_processes()

    def wait_for(self, sent: _Sent) -> Any:
        """The outcome of a block; those behind it are sent again with it when a worker dies."""
        from loky import BrokenProcessPool

        from nemesis.play.guard import stuck_agent

        while True:
            if sent.future is None:
                self._send_again(sent)
            try:
                outcome = sent.future.result()
            except BrokenProcessPool as broken:
                self._count_deaths()
                codes = _exit_codes(broken)
                if sent.deaths >= TRIES or stuck_agent(codes) is not None:
                    raise worker_died(sent.block, codes) from None
            else:
                self._sent.remove(sent)
                return outcome

    def _count_deaths(self) -> None:
        from loky import BrokenProcessPool

        for sent in self._sent:
            if sent.future is not None and isinstance(sent.future.exception(), BrokenProcessPool):
                sent.deaths += 1
                sent.future = None

    def _send_again(self, first: _Sent) -> None:
        again = [first] if first.deaths == TRIES - 1 else self._sent
        for sent in again:
            if sent.future is None:
                self._send(sent)

    def _send(self, sent: _Sent) -> None:
        from loky import BrokenProcessPool

        try:
            sent.future = _processes(self.width).submit(sent.work, sent.block)
        except BrokenProcessPool:  # a worker died while it had nothing to do
            sent.future = _processes(self.width).submit(sent.work, sent.block)


class _Sent:
    """A block, its future (None while it waits to be sent again) and the deaths of workers that it saw."""

    def __init__(self, pool: LokyPool, work: Callable[[Any], Any], block: Any) -> None:
        self.pool, self.work, self.block = pool, work, block
        self.future: Any = None
        self.deaths = 0

    def result(self) -> Any:
        """Wait for the outcome."""
        return self.pool.wait_for(self)


_kept: Any = None


def end_processes() -> None:
    """Kill the processes of this machine that wait or work for us, if there are any."""
    if _kept is not None:
        _kept.shutdown(wait=True, kill_workers=True)


def _processes(workers: int) -> Any:
    from loky import get_reusable_executor

    global _kept
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # processes are the parallelism
    os.environ.setdefault("PYTHONWARNINGS", _TRACKER)
    _kept = get_reusable_executor(
        max_workers=workers, timeout=_IDLE_SECONDS, initializer=begin_worker, initargs=(os.getpid(),)
    )
    return _kept


def _exit_codes(broken: BaseException) -> str:
    found = re.search(r"exit codes of the workers are \{(.*)\}", str(broken))
    return found[1] if found else "it was killed"
