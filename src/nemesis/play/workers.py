"""Large blocks of work on several processes, in order, surviving the death of a worker.

`run_blocks` is the one `map` of the house. With one worker it runs in this process. With more, blocks go to loky's
processes; when one of those is killed its block is done again by a fresh one. Results come back in the order
of the blocks whatever the number of workers, so a result never depends on it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

Task = TypeVar("Task")
Outcome = TypeVar("Outcome")

_TRIES = 3


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_blocks(work: Callable[[Task], Outcome], blocks: Iterable[Task], workers: int = 1) -> Iterator[Outcome]:
    """Yield `work(block)` for each block, in order."""
    if workers < 1:
        raise ValueError(f"{workers} workers cannot work; give at least 1")
    if workers == 1:
        yield from map(work, blocks)
    else:
        yield from _run_in_processes(work, blocks, workers)


def _run_in_processes(work: Callable[[Task], Outcome], blocks: Iterable[Task], workers: int) -> Iterator[Outcome]:
    from loky import BrokenProcessPool, get_reusable_executor

    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    waiting = iter(blocks)
    running: list[tuple[Task, Any, int]] = []  # in order: block, future, tries
    executor = get_reusable_executor(max_workers=workers, timeout=30)

    def submit(block: Task, tries: int) -> tuple[Task, Any, int]:
        nonlocal executor
        try:
            return block, executor.submit(work, block), tries
        except BrokenProcessPool:  # a worker died while it had nothing to do
            executor = get_reusable_executor(max_workers=workers, timeout=30)
            return block, executor.submit(work, block), tries

    while True:
        while len(running) < 2 * workers and (block := next(waiting, None)) is not None:
            running.append(submit(block, 1))
        if not running:
            return
        block, future, tries = running[0]
        try:
            outcome = future.result()
        except BrokenProcessPool as broken:
            if tries >= _TRIES:
                raise RuntimeError(
                    f"a worker process died {tries} times on the same block of work: {broken}"
                ) from broken
            executor = get_reusable_executor(max_workers=workers, timeout=30)
            running = [entry if _is_done(entry[1]) else submit(entry[0], entry[2] + 1) for entry in running]
            continue
        except BaseException:
            for _, pending, _ in running:
                pending.cancel()
            raise
        running.pop(0)
        yield outcome


def _is_done(future: Any) -> bool:
    return bool(future.done() and not future.cancelled() and future.exception() is None)
