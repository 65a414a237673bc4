"""Rows into the page `docs/benchmarks.md` or JSON: each workload, ours first, then the peers by speed."""

from __future__ import annotations

import datetime
import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict
from importlib import metadata
from pathlib import Path

from benchmarks.workloads import WORKLOADS, Row, Workload

OURS = "nemesis"
TOLERANCE = 1e-5

HOW = """\
One core; CPU time, not wall time; each library in a process of its own. A rate is the best of up to seven
repeats after a warm-up (the median is beside it); work longer than a whole measurement is timed once. Peers
are driven in the fastest honest way we found, which the notes name. *Times* is our rate divided by that
library's. The column before the note shows that they did the same work: equities must agree, decisions a
hand be alike.
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


def as_json(rows: Sequence[Row]) -> str:
    """Everything measured, for programs."""
    return json.dumps({"machine": machine(), "rows": [asdict(row) for row in rows]}, indent=2)


def as_page(rows: Sequence[Row], command: str) -> str:
    """The page for people."""
    facts = "\n".join(f"* {name}: {value}" for name, value in machine().items())
    versions = ", ".join(sorted({f"{row.name} {row.version}" for row in rows if row.version}))
    parts = [
        "# Benchmarks",
        f"Written by `{command}`; run it again to replace this page.",
        HOW.strip(),
        f"{facts}\n* measured: {versions}",
    ]
    for name, workload in WORKLOADS.items():
        chosen = [row for row in rows if row.workload == name]
        if chosen:
            parts.append(_section(workload, chosen))
    return "\n\n".join(parts) + "\n"


def _section(workload: Workload, rows: Sequence[Row]) -> str:
    ours = next((row for row in rows if row.name == OURS), None)
    peers = sorted((row for row in rows if row.name != OURS), key=lambda row: -(row.rate or 0))
    check = workload.check or "check"
    lines = [
        f"## {workload.name}",
        "",
        workload.text,
        "",
        f"| library | {workload.unit}/s | median | times | {check} | note |",
        "|---|--:|--:|--:|--:|---|",
    ]
    for row in [*([ours] if ours else []), *peers]:
        cells = [row.name, _figure(row.rate), _figure(row.median), _times(ours, row), _check(row), row.note]
        lines.append("| " + " | ".join(cell.replace("|", "/") for cell in cells) + " |")
    fastest = next((row for row in peers if row.rate), None)
    if ours and ours.rate and fastest and fastest.rate:
        lines += [
            "",
            f"Against the fastest peer, {fastest.name}: **{_figure(ours.rate / fastest.rate)} times**.",
        ]
    if workload.check == "equity" and _disagree(rows):
        lines += ["", "**The equities differ: at least one of these libraries did other work.**"]
    return "\n".join(lines)


def _disagree(rows: Sequence[Row]) -> bool:
    found = [row.check for row in rows if row.check is not None]
    return bool(found) and max(found) - min(found) > TOLERANCE


def _times(ours: Row | None, row: Row) -> str:
    if ours is None or not ours.rate or not row.rate or row is ours:
        return ""
    return _figure(ours.rate / row.rate)


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
