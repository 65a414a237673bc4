"""What a second worker is worth, with loky and with Ray, and what starting them costs.

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
from benchmarks.command import load
from benchmarks.section import Finding, Options, Section, markdown_table
from nemesis.play.workers import Workers, run_blocks

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


def measure(options: Options) -> Finding:
    """One worker, two of loky's and two of Ray's, in turns."""
    kinds: dict[str, Workers] = {"one worker": 1, "`--workers 2` (loky)": 2, "`--workers ray`": "ray"}
    duel(1)()  # kernels and tables
    before, starts = load(), {"one worker": ("–", "–")}
    for name in list(kinds)[1:]:
        (start, spent), (again, _), _ = (timed(work(kinds[name])) for work in (empty, empty, duel))
        starts[name] = f"{start:.1f} ({spent:.1f})", f"{again * 1000:.0f}"
        options.tell(f"{name}: start {start:.1f} s, two empty blocks {again * 1000:.0f} ms")
    turns = [{name: timed(duel(workers)) for name, workers in kinds.items()} for _ in range(TURNS)]
    rows, figures = [], {}
    for name in kinds:
        faster, share = (
            statistics.median(turn["one worker"][which] / turn[name][which] for turn in turns) for which in range(2)
        )
        rate = HANDS / statistics.median(turn[name][0] for turn in turns)
        options.tell(f"{name}: {rate / 1e6:.2f} M hands/s, {faster:.2f} times one, share of play {share:.2f}")
        rows.append((name, *starts[name], f"{share:.2f}", f"{rate / 1e6:.2f} M", f"{faster:.2f}"))
        figures[name] = {"hands_per_second": rate, "times_one": faster, "share_of_play": share}
    text = (
        f"{HANDS:,} hands of limit hold'em, la v tp, {TURNS} turns, medians; {before} before. *Share of play* is the "
        "processor time of one worker over that of all processes together: 1 when sending blocks costs nothing.\n\n"
    )
    head = ("workers", "start, s (of processors)", "two empty blocks, ms", "share of play", "hands/s", "times one")
    return Finding(text + markdown_table(head, rows, right=range(1, 6)), (), figures)


SECTIONS = [Section("workers", "A second worker", 2, measure)]
