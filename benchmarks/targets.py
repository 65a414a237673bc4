"""What the project set out to reach, beside what is measured. A missed target is reported, never asserted.

Rates are those of `nemesis bench`. Seconds are of commands run in processes of their own against a cache folder
that begins empty: building the tables, and the first and a later duel.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from benchmarks.apart import Jobs, answer, measure_apart, warmed
from benchmarks.wire import hands_per_second
from benchmarks.workloads import OURS, WORKLOADS, Job, Row, fastest_peer
from nemesis.measure.speed import workloads

RATES = {
    "seven-card evaluations, random": 250e6,
    "seven-card evaluations, enumerated": 600e6,
    "limit heads-up, la v tp, from a bank": 2e6,
    "limit heads-up, la v tp, fresh deals": 0.5e6,
    "no-limit heads-up, la v tp, from a bank": 2.5e6,
    "no-limit heads-up, random v random, from a bank": 2.5e6,
    "no-limit six seats, la and tp, from a bank": 500e3,
    "limit ten seats, la and tp, from a bank": 250e3,
    "limit heads-up, one Python agent": 40e3,
    "grid pursuits, noise 0.2": 100e3 / 60,
}
NOTES = {
    "seven-card evaluations, enumerated": "ranks summed in nested loops; from an array slower: evaluate-enumerated",
}
TIMES_A_PEER = 10.0
OTHER_WORK = "nemesis, from a bank"

_BUILD = "from nemesis.rules import deal, games; deal.deal_tables(games.limit())"
NEMESIS = "from nemesis.cli import main; main()"
_WARM_RUNS = 3


@dataclass(frozen=True)
class Verdict:
    """One target: the bound, what was measured, and what to know about it."""

    what: str
    unit: str
    bound: float
    measured: float | None
    at_most: bool = False
    note: str = ""

    @property
    def met(self) -> bool | None:
        """Whether it is reached; None if it could not be measured."""
        if self.measured is None:
            return None
        return self.measured < self.bound if self.at_most else self.measured >= self.bound


def measure_targets(seconds: float, progress: Callable[[str], None]) -> list[Verdict]:
    """Every target but those against the peers, which need the peers' rows."""
    verdicts = []
    for verdict in chain(_rates(seconds), _start_up(), _wire()):
        progress(f"{verdict.what}: {verdict.measured:,.1f} {verdict.unit}" if verdict.measured else verdict.note)
        verdicts.append(verdict)
    return verdicts


def peer_verdicts(rows: Sequence[Row]) -> list[Verdict]:
    """Our rate over the fastest peer's for each workload, where the work is the same."""
    verdicts = []
    for name in WORKLOADS:
        chosen = [row for row in rows if row.workload == name]
        fastest = fastest_peer(chosen)
        for row in chosen:
            if fastest and row.rate and row.name.startswith(OURS) and row.name != OTHER_WORK:
                form = row.name.partition(", ")[2]
                verdicts.append(Verdict(f"{name}, {form}", "× the fastest peer", TIMES_A_PEER, row.rate / fastest))
    return verdicts


def _rates(seconds: float) -> Iterator[Verdict]:
    """The rates of `nemesis bench`, from a process of their own."""
    units = {name: unit for name, (unit, _) in workloads(hands=1).items()}
    rows = measure_apart("benchmarks.targets", "nemesis", list(RATES), seconds)
    for row in rows:
        yield Verdict(row.workload, units[row.workload], RATES[row.workload], row.rate, note=row.note)


def _start_up() -> Iterator[Verdict]:
    duel = ["duel", "la", "tp", "--hands", "10000"]
    command = f"nemesis {' '.join(duel)}"
    with tempfile.TemporaryDirectory() as cache:
        wall, cpu = run(["-c", _BUILD], cache)
        yield Verdict(
            "tables built into an empty cache", "s", 30, wall, True, f"{cpu:.1f} s CPU, compiling included; {load()}"
        )
    with tempfile.TemporaryDirectory() as cache:
        wall, cpu = run(["-c", NEMESIS, *duel], cache)
        yield Verdict(
            f"`{command}`, empty cache", "s", 60, wall, True, f"{cpu:.1f} s CPU: tables, compiling, playing; {load()}"
        )
        wall, cpu = min(run(["-c", NEMESIS, *duel], cache) for _ in range(_WARM_RUNS))
        yield Verdict(f"`{command}`, warm", "s", 3, wall, True, f"{cpu:.1f} s CPU; best of {_WARM_RUNS}; {load()}")


def _wire() -> Iterator[Verdict]:
    what = "limit heads-up over loopback, la v tp, one client"
    yield Verdict(what, "hands/s", 3000, hands_per_second(), note=f"ACPC protocol, 20 000 hands; {load()}")


def load() -> str:
    """How much else the machine was doing, without which a wall time says little."""
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


def run(arguments: Sequence[str], cache: str | None = None) -> tuple[float, float]:
    """Wall and CPU seconds of one Python process, with this cache folder or the usual one."""
    environment = {**os.environ, **({"NEMESIS_CACHE": cache} if cache else {})}
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([sys.executable, *arguments], env=environment, check=True, capture_output=True)
    wall, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _bench() -> Jobs:
    return {name: Job(work, NOTES.get(name, "")) for name, (_, work) in workloads().items() if name in RATES}


if __name__ == "__main__":
    answer({"nemesis": warmed(_bench)}, {"nemesis": "nemesis-poker"})
