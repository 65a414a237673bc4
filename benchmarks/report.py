"""The page `docs/benchmarks.md`, made from the last finding of every section, and the file that keeps those findings.

A section that is measured again replaces its own finding only; the others stay, each with its date, so a page may hold
figures of several days. The page says so section by section.
"""

from __future__ import annotations

import datetime
import json
import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib import metadata
from pathlib import Path
from typing import Any

from benchmarks.section import Finding, Section, Verdict, figure, markdown_table
from nemesis.runtime.atomic import write_text

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGE, KEPT = DOCS / "benchmarks.md", DOCS / "benchmarks.json"

Findings = dict[str, dict[str, Any]]

HOW = """\
Written by `make bench`, which measures everything, and `python -m benchmarks SECTION …`, which measures some sections and
keeps the last figures of the others; `--list` names them.

One core and CPU time unless a section says otherwise; each library in a process of its own. A rate is the best of up to
seven repeats after a warm-up (the median is beside it); work longer than a whole measurement is timed once. Peers are driven
in the fastest honest way we found, which the notes name. *Times* is a row's rate divided by that of the fastest peer. The
column before the note shows that they did the same work: equities must agree, decisions a hand be alike."""

TARGETS = """\
What we set out to reach, on one core unless a row says two, and what was found; nothing fails when one is missed. Seconds
are the wall's, so they grow with whatever else the machine does; the CPU seconds beside them hardly do."""


def machine() -> dict[str, str]:
    """What the figures depend on."""
    return {
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "system": platform.system(),
        "Python": platform.python_version(),
        "NumPy": metadata.version("numpy"),
        "Numba": metadata.version("numba"),
    }


def dated(found: Finding, seconds: float) -> dict[str, Any]:
    """A finding as it is kept: with its day, the machine, and how long it took to measure."""
    return {
        "date": datetime.date.today().isoformat(),
        "machine": machine(),
        "seconds": round(seconds, 1),
        "load_after": round(os.getloadavg()[0], 1),
        **asdict(found),
    }


def kept() -> Findings:
    """The last findings of all sections that were ever measured."""
    found: Findings = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    return found


def keep(findings: Mapping[str, Mapping[str, Any]], sections: Sequence[Section]) -> None:
    """Write the findings down, and the page that is made of them."""
    write_text(KEPT, json.dumps(findings, indent=1, ensure_ascii=False) + "\n")
    write_text(PAGE, as_page(findings, sections))


def as_page(findings: Mapping[str, Mapping[str, Any]], sections: Sequence[Section]) -> str:
    """The page for people."""
    found = {section: findings[section.name] for section in sections if section.name in findings}
    missing = [section.name for section in sections if section.name not in findings]
    parts = ["# Benchmarks", HOW]
    if missing:
        parts.append(f"Not measured yet: {', '.join(missing)}.")
    verdicts = [
        (Verdict(**verdict), kept_one["date"]) for kept_one in found.values() for verdict in kept_one["verdicts"]
    ]
    if verdicts:
        parts.append(_targets(verdicts))
    for section, kept_one in found.items():
        if kept_one["text"]:
            facts = ", ".join(f"{name} {value}" for name, value in kept_one["machine"].items())
            command = f"`python -m benchmarks {section.name}`"
            parts += [f"## {section.title}", f"{command}, {kept_one['date']}; {facts}.", kept_one["text"]]
    return "\n\n".join(parts) + "\n"


def _targets(verdicts: Sequence[tuple[Verdict, str]]) -> str:
    rows = []
    for verdict, date in verdicts:
        sign = "<" if verdict.at_most else "≥"
        met = "–" if verdict.met is None else "yes" if verdict.met else "**no**"
        target = f"{sign} {figure(verdict.bound)} {verdict.unit}"
        rows.append((verdict.what, target, figure(verdict.measured), met, date, verdict.note))
    head = ("what", "target", "measured", "met", "measured on", "note")
    return f"## Targets\n\n{TARGETS}\n\n{markdown_table(head, rows, right=(1, 2))}"


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()
