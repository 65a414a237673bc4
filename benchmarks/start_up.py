"""How long the first commands take: tables built into an empty cache, and the first and a later duel."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator

from benchmarks.command import load, nemesis, python
from benchmarks.section import Finding, Options, Section, Verdict

BUILD = "from nemesis.rules import deal, games; deal.deal_tables(games.limit())"
DUEL = ("duel", "la", "tp", "--hands", "10000")
WARM_RUNS = 3


def measure(options: Options) -> Finding:
    """Wall seconds against caches that begin empty; they stand in the table of targets alone."""
    verdicts = []
    for verdict in _verdicts():
        options.tell(f"{verdict.what}: {verdict.measured:.1f} s, {verdict.note}")
        verdicts.append(verdict)
    return Finding("", verdicts)


def _verdicts() -> Iterator[Verdict]:
    command = f"nemesis {' '.join(DUEL)}"
    with tempfile.TemporaryDirectory() as cache:
        ran = python(["-c", BUILD], cache)
        note = f"{ran.cpu:.1f} s CPU, compiling included; {load()}"
        yield Verdict("tables built into an empty cache", "s", 30, ran.wall, True, note)
    with tempfile.TemporaryDirectory() as cache:
        ran = nemesis(*DUEL, cache=cache)
        note = f"{ran.cpu:.1f} s CPU: tables, compiling, playing; {load()}"
        yield Verdict(f"`{command}`, empty cache", "s", 60, ran.wall, True, note)
        ran = min((nemesis(*DUEL, cache=cache) for _ in range(WARM_RUNS)), key=lambda run: run.wall)
        note = f"{ran.cpu:.1f} s CPU; best of {WARM_RUNS}; {load()}"
        yield Verdict(f"`{command}`, warm", "s", 3, ran.wall, True, note)


SECTIONS = [Section("start", "Starting", 2, measure)]
