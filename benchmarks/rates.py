"""The rates of `nemesis bench` that have a target, measured in a process of their own."""

from __future__ import annotations

from dataclasses import asdict

from benchmarks.apart import Jobs, answer, measure_apart, warmed
from benchmarks.section import Finding, Options, Section, Verdict
from benchmarks.workloads import Job
from nemesis.measure.speed import workloads

TARGETS = {
    "seven-card evaluations, random": 250e6,
    "seven-card evaluations, enumerated": 600e6,
    "limit heads-up, la v tp, from a bank": 2e6,
    "limit heads-up, la v tp, fresh deals": 0.5e6,
    "limit heads-up, la v tp, fresh deals, taped": 1e6,
    "no-limit heads-up, la v tp, from a bank": 2.5e6,
    "no-limit heads-up, random v random, from a bank": 2.5e6,
    "no-limit six seats, la and tp, from a bank": 500e3,
    "limit ten seats, la and tp, from a bank": 250e3,
    "limit heads-up, one Python agent": 40e3,
    "grid pursuits, noise 0.2": 100e3 / 60,
}
NOTES = {
    "seven-card evaluations, enumerated": "ranks summed in nested loops; from an array slower: evaluate-enumerated",
    "limit heads-up, la v tp, fresh deals, taped": "every hand and action written to columns",
}


def measure(options: Options) -> Finding:
    """One target a rate; they stand in the table of targets alone."""
    units = {name: unit for name, (unit, _) in workloads(hands=1).items()}
    rows = []
    for row in measure_apart("benchmarks.rates", "nemesis", list(TARGETS), options.seconds):
        options.tell(f"{row.workload}: {row.rate or 0:,.0f} {units[row.workload]} {row.note}")
        rows.append(row)
    verdicts = [
        Verdict(row.workload, units[row.workload], TARGETS[row.workload], row.rate, note=row.note) for row in rows
    ]
    return Finding("", verdicts, [asdict(row) for row in rows])


SECTIONS = [Section("rates", "Rates of `nemesis bench`", 1.5, measure)]


def _bench() -> Jobs:
    return {name: Job(work, NOTES.get(name, "")) for name, (_, work) in workloads().items() if name in TARGETS}


if __name__ == "__main__":
    answer({"nemesis": warmed(_bench)}, {"nemesis": "nemesis-poker"})
