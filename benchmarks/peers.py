"""Ours beside other libraries: one table for every workload, ours first, then the peers by speed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial

from benchmarks import histories, ours, peers_evaluators, peers_hands
from benchmarks.apart import measure_apart
from benchmarks.section import Finding, Options, Section, Verdict, figure, markdown_table
from benchmarks.workloads import (
    EVALUATOR_WORKLOADS,
    HAND_WORKLOADS,
    HISTORY_WORKLOADS,
    OURS,
    WORKLOADS,
    Row,
    Workload,
    fastest_peer,
)

TOLERANCE = 1e-5
TIMES_A_PEER = 10.0
OTHER_WORK = ("nemesis, from a bank", "nemesis, complete reader")

PLAN = [
    *(("benchmarks.ours", name, workloads) for name, (_, workloads) in ours.LIBRARIES.items()),
    *(("benchmarks.histories", name, workloads) for name, (_, workloads) in histories.LIBRARIES.items()),
    *(("benchmarks.peers_evaluators", name, EVALUATOR_WORKLOADS) for name in peers_evaluators.PEERS),
    *(("benchmarks.peers_hands", name, HAND_WORKLOADS) for name in peers_hands.PEERS),
]

RANKED = """\
Peers that rank hands are asked from Python, one hand a call, which is their interface, so these rows compare interfaces more
than algorithms: of phevaluator's time more than half is the loop and the call, eval7 reads card objects, treys ranks in
Python. We rank arrays; asked for one hand a call we are slower than phevaluator and eval7, and that row is here too."""


def measure(workloads: Sequence[str], introduction: str, options: Options) -> Finding:
    """Every library that does one of these workloads."""
    rows = list(_rows(workloads, options.seconds, options.tell))
    versions = ", ".join(sorted({f"{row.name.split(',')[0]} {row.version}" for row in rows if row.version}))
    texts = [_table(WORKLOADS[name], [row for row in rows if row.workload == name]) for name in workloads]
    parts = [introduction, f"Measured: {versions}.", *texts]
    return Finding("\n\n".join(part for part in parts if part), peer_verdicts(rows), [asdict(row) for row in rows])


def _rows(workloads: Sequence[str], seconds: float, tell: Callable[[str], None]) -> list[Row]:
    rows = []
    for module, library, offered in PLAN:
        chosen = [name for name in offered if name in workloads]
        for row in measure_apart(module, library, chosen, seconds) if chosen else ():
            rate = f"{row.rate:,.1f} {WORKLOADS[row.workload].unit}/s" if row.rate else row.note
            tell(f"{library:26} {row.workload:20} {rate}")
            rows.append(row)
    return rows


def peer_verdicts(rows: Sequence[Row]) -> list[Verdict]:
    """Our rate over the fastest peer's for each workload, where the work is the same."""
    verdicts = []
    for name in WORKLOADS:
        chosen = [row for row in rows if row.workload == name]
        fastest = fastest_peer(chosen)
        for row in chosen:
            if fastest and row.rate and row.name.startswith(OURS) and row.name not in OTHER_WORK:
                form = row.name.partition(", ")[2]
                verdicts.append(Verdict(f"{name}, {form}", "× the fastest peer", TIMES_A_PEER, row.rate / fastest))
    return verdicts


def _table(workload: Workload, rows: Sequence[Row]) -> str:
    mine = [row for row in rows if row.name.startswith(OURS)]
    peers = sorted((row for row in rows if row not in mine), key=lambda row: -(row.rate or 0))
    fastest = fastest_peer(rows)
    cells = [
        (
            row.name, figure(row.rate), figure(row.median),
            figure(row.rate / fastest) if row.rate and fastest else "",
            "" if row.check is None else f"{row.check:.4g}", row.note,
        )
        for row in [*mine, *peers]
    ]  # fmt: skip
    head = ("library", f"{workload.unit}/s", "median", "times", workload.check or "check", "note")
    parts = [f"### {workload.name}", workload.text, markdown_table(head, cells, right=range(1, 5))]
    if workload.check == "equity" and _disagree(rows):
        parts.append("**The equities differ: at least one of these libraries did other work.**")
    return "\n\n".join(parts)


def _disagree(rows: Sequence[Row]) -> bool:
    found = [row.check for row in rows if row.check is not None]
    return bool(found) and max(found) - min(found) > TOLERANCE


SECTIONS = [
    Section("evaluators", "Ranking hands and equities", 3, partial(measure, EVALUATOR_WORKLOADS, RANKED)),
    Section("hands", "Complete hands", 3, partial(measure, HAND_WORKLOADS, "")),
    Section("histories", "Reading hand histories", 1, partial(measure, HISTORY_WORKLOADS, "")),
]
