"""Large blocks of work on several processes, in order, surviving the death of a worker.

`run_blocks` is the one `map` of the house. With one worker it runs in this process. A larger number means processes on
this machine (`loky_workers`), a text means Ray's (`ray_workers`): "ray" on this machine, "ray://host:port" or "host:port"
on a cluster that is running. A block is a function of its arguments alone and results come back in the order of the
blocks, so a result never depends on who worked, and a block whose worker died is simply worked again.
"""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, Protocol, TypeVar

Task = TypeVar("Task")
Outcome = TypeVar("Outcome")

Workers = int | str
"""How many processes of this machine, or which Ray: see `checked_workers`."""

TRIES = 3
_PER_CORE = 4
_IN_FLIGHT = 2  # blocks sent for every one that can be worked on, so that nobody waits for the next
_RAY = re.compile(r"ray|(ray://)?(\w[\w.-]*|\[[0-9a-fA-F:.]+\]):\d{1,5}")


class Pending(Protocol):
    """A block that was sent to a worker."""

    def result(self) -> Any:
        """Wait for the outcome, or raise what the work raised."""
        ...


class Pool(Protocol):
    """Processes that work on blocks. One that dies is replaced, and its block worked again, up to `TRIES` times."""

    @property
    def width(self) -> int:
        """How many blocks it can work on at once."""
        ...

    def submit(self, work: Callable[[Any], Any], block: Any) -> Pending:
        """Send a block; results are asked for in the order of sending."""
        ...

    def abandon(self) -> None:
        """Give up what was sent and is not finished."""
        ...


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def checked_workers(given: Workers) -> Workers:
    """The number of workers, or the Ray that is meant; anything else is refused."""
    text = str(given)
    if _RAY.fullmatch(text):
        return text
    most = _PER_CORE * cores()
    if re.fullmatch("[0-9]{1,9}", text) and 1 <= int(text) <= most:
        return int(text)
    raise ValueError(
        f"cannot work with {text} workers; give 1 to {most} ({_PER_CORE} for every core), or ray, or the address of a Ray "
        f"cluster such as ray://host:10001 or host:6379"
    )


def run_blocks(work: Callable[[Task], Outcome], blocks: Iterable[Task], workers: Workers = 1) -> Iterator[Outcome]:
    """Yield `work(block)` for each block, in order."""
    workers = checked_workers(workers)
    if workers == 1:
        yield from map(work, blocks)
        return
    pool = _pool(workers)
    waiting = iter(blocks)
    sent: deque[Pending] = deque()
    try:
        while True:
            sent.extend(pool.submit(work, block) for block in islice(waiting, _IN_FLIGHT * pool.width - len(sent)))
            if not sent:
                return
            yield sent.popleft().result()
    finally:
        if sent:
            pool.abandon()


def blocks_at_once(workers: Workers) -> int:
    """How many blocks these workers can work on at once."""
    workers = checked_workers(workers)
    return 1 if workers == 1 else _pool(workers).width


def worker_died(block: Any, reason: str) -> Exception:
    """What to raise when a block has cost `TRIES` workers their lives; a block may say `who` plays in it.

    If the worker's exit code says that one of the block's `players` was stuck, it is that one's fault.
    """
    from nemesis.play.guard import stuck_agent
    from nemesis.respond.agent import AgentError

    stuck, players = stuck_agent(reason), getattr(block, "players", ())
    if stuck is not None and stuck < len(players):
        return AgentError(f"agent {players[stuck].label} did not answer within {block.time_limit:g} s")
    who = getattr(block, "who", "")
    guess = f"one of {who} probably ends or crashes its process" if who else "it cannot be worked on"
    return AgentError(f"a worker process died {TRIES} times on the same block of work ({reason}); {guess}")


def _pool(workers: Workers) -> Pool:
    if isinstance(workers, int):
        from nemesis.play.loky_workers import LokyPool

        return LokyPool(workers)
    from nemesis.play.ray_workers import RayPool

    return RayPool(workers)
