"""Rows into the page `docs/benchmarks.md` or JSON: our targets, then each workload, ours first, then the peers by speed."""

from __future__ import annotations

import datetime
import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict
from importlib import metadata
from pathlib import Path

from benchmarks.targets import Verdict, peer_verdicts
from benchmarks.workloads import OURS, WORKLOADS, Row, Workload, fastest_peer

TOLERANCE = 1e-5

HOW = """\
One core; CPU time, not wall time; each library in a process of its own. A rate is the best of up to seven
repeats after a warm-up (the median is beside it); work longer than a whole measurement is timed once. Peers
are driven in the fastest honest way we found, which the notes name. *Times* is a row's rate divided by that of
the fastest peer. The column before the note shows that they did the same work: equities must agree, decisions
a hand be alike.

Peers that rank hands are asked from Python, one hand a call, which is their interface, so those rows compare
interfaces more than algorithms: of phevaluator's time more than half is the loop and the call, eval7 reads card
objects, treys ranks in Python. We rank arrays; asked for one hand a call we are slower than phevaluator and
eval7, and that row is here too.
"""

TARGETS = """\
What we set out to reach, on one core unless a row says two, and what this run found; nothing fails when one is missed.
Seconds are the wall's, so they grow with whatever else the machine does; the CPU seconds beside them hardly do.
"""


def machine() -> dict[str, str]:
    """What the figures depend on."""
    return {
        "date": datetime.date.today().isoformat(),
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "system": platform.system(),
        "Python": platform.python_version(),
        "NumPy": _version("numpy"),
        "Numba": _version("numba"),
    }


def as_json(rows: Sequence[Row], verdicts: Sequence[Verdict]) -> str:
    """Everything measured, for programs."""
    found = [asdict(verdict) | {"met": verdict.met} for verdict in verdicts]
    return json.dumps({"machine": machine(), "targets": found, "rows": [asdict(row) for row in rows]}, indent=2)


def as_page(rows: Sequence[Row], verdicts: Sequence[Verdict], command: str, sections: Sequence[str] = ()) -> str:
    """The page for people; `sections` go between the targets and the workloads."""
    facts = "\n".join(f"* {name}: {value}" for name, value in machine().items())
    versions = ", ".join(sorted({f"{row.name.split(',')[0]} {row.version}" for row in rows if row.version}))
    parts = [
        "# Benchmarks",
        f"Written by `{command}`; run it again to replace this page.",
        HOW.strip(),
        f"{facts}\n* measured: {versions}",
    ]
    if verdicts:
        parts.append(_targets([*verdicts, *peer_verdicts(rows)]))
    parts += sections
    for name, workload in WORKLOADS.items():
        chosen = [row for row in rows if row.workload == name]
        if chosen:
            parts.append(_section(workload, chosen))
    return "\n\n".join(parts) + "\n"


def _targets(verdicts: Sequence[Verdict]) -> str:
    lines = [
        "## Targets",
        "",
        TARGETS.strip(),
        "",
        "| what | target | measured | met | note |",
        "|---|--:|--:|---|---|",
    ]
    for verdict in verdicts:
        sign = "<" if verdict.at_most else "≥"
        met = "–" if verdict.met is None else "yes" if verdict.met else "**no**"
        target = f"{sign} {_figure(verdict.bound)} {verdict.unit}"
        lines.append(f"| {verdict.what} | {target} | {_figure(verdict.measured)} | {met} | {verdict.note} |")
    return "\n".join(lines)


def _section(workload: Workload, rows: Sequence[Row]) -> str:
    ours = [row for row in rows if row.name.startswith(OURS)]
    peers = sorted((row for row in rows if row not in ours), key=lambda row: -(row.rate or 0))
    fastest = fastest_peer(rows)
    lines = [
        f"## {workload.name}",
        "",
        workload.text,
        "",
        f"| library | {workload.unit}/s | median | times | {workload.check or 'check'} | note |",
        "|---|--:|--:|--:|--:|---|",
    ]
    for row in [*ours, *peers]:
        times = _figure(row.rate / fastest) if row.rate and fastest else ""
        cells = [row.name, _figure(row.rate), _figure(row.median), times, _check(row), row.note]
        lines.append("| " + " | ".join(cell.replace("|", "/") for cell in cells) + " |")
    if workload.check == "equity" and _disagree(rows):
        lines += ["", "**The equities differ: at least one of these libraries did other work.**"]
    return "\n".join(lines)


def _disagree(rows: Sequence[Row]) -> bool:
    found = [row.check for row in rows if row.check is not None]
    return bool(found) and max(found) - min(found) > TOLERANCE


def _check(row: Row) -> str:
    return "" if row.check is None else f"{row.check:.4g}"


def _figure(number: float | None) -> str:
    """Three digits are all a benchmark can promise."""
    if number is None:
        return "–"
    if number >= 100:
        digits = len(str(int(number))) - 3
        return f"{round(number, -digits):,.0f}".replace(",", " ")
    return f"{number:.3g}"


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "not installed"
