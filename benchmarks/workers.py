"""`python -m benchmarks.workers`: what a second worker is worth, with loky and with Ray, and what starting them costs.

The same duel is played in this process, by two of loky's processes and by two of Ray's, in turns. Each gets two figures:
how many times as fast as one worker it was, which needs idle cores to mean anything, and the processor seconds of one
worker over those of all processes together, the share of the work that is play, which other programs disturb less.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import nemesis
from nemesis.play.workers import Workers, cores, run_blocks

HANDS = 4_000_000
TURNS = 5
TICK = os.sysconf("SC_CLK_TCK")


def processor_seconds() -> float:
    """Of this process and all its living descendants."""
    spent, parents = {}, {}
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = place.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        number = int(place.parent.name)
        parents[number], spent[number] = int(fields[1]), (int(fields[11]) + int(fields[12])) / TICK
    family = {os.getpid()}
    while more := {number for number, parent in parents.items() if parent in family} - family:
        family |= more
    return sum(spent[number] for number in family)


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds of waiting and of processors."""
    started, spent = time.perf_counter(), processor_seconds()
    work()
    return time.perf_counter() - started, processor_seconds() - spent


def duel(workers: Workers) -> Callable[[], object]:
    return lambda: nemesis.duel("la", "tp", game="limit", hands=HANDS, seed=1, workers=workers)


def empty(workers: Workers) -> Callable[[], object]:
    return lambda: list(run_blocks(abs, range(2), workers))


def main() -> None:
    kinds: dict[str, Workers] = {"one": 1, "loky": 2, "ray": "ray"}
    duel(1)()  # kernels and tables
    print(f"{cores()} cores, load {os.getloadavg()[0]:.1f}; {HANDS:,} hands of limit hold'em, la v tp, {TURNS} turns")
    for name in ("loky", "ray"):
        (start, start_spent), (again, _), (first, _) = (
            timed(work) for work in (empty(kinds[name]), empty(kinds[name]), duel(kinds[name]))
        )
        print(
            f"{name}: start {start:.1f} s ({start_spent:.1f} of processors), two empty blocks {again * 1000:.0f} ms, "
            f"first duel {first:.1f} s"
        )
    turns = [{name: timed(duel(workers)) for name, workers in kinds.items()} for _ in range(TURNS)]
    for name in kinds:
        faster, share = (
            statistics.median(turn["one"][which] / turn[name][which] for turn in turns) for which in range(2)
        )
        waited = statistics.median(turn[name][0] for turn in turns)
        print(f"{name:>4}: {HANDS / waited / 1e6:.2f} M hands/s, {faster:.2f} times one, share of play {share:.2f}")
    print(f"load {os.getloadavg()[0]:.1f} in the end")


if __name__ == "__main__":
    main()
