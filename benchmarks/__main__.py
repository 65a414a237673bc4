"""`python -m benchmarks`: measure ourselves and the peers in one run and write docs/benchmarks.md."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks import ashe, evolution, histories, lab, ours, peers_evaluators, peers_hands, report, targets
from benchmarks.apart import measure_apart
from benchmarks.workloads import EVALUATOR_WORKLOADS, HAND_WORKLOADS, WORKLOADS, Row

PAGE = Path(__file__).resolve().parent.parent / "docs" / "benchmarks.md"

PLAN = [
    *(("benchmarks.ours", name, workloads) for name, (_, workloads) in ours.LIBRARIES.items()),
    *(("benchmarks.histories", name, workloads) for name, (_, workloads) in histories.LIBRARIES.items()),
    *(("benchmarks.peers_evaluators", name, EVALUATOR_WORKLOADS) for name in peers_evaluators.PEERS),
    *(("benchmarks.peers_hands", name, HAND_WORKLOADS) for name in peers_hands.PEERS),
]


def main() -> int:
    """Measure, say how it goes, write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", metavar="WORD", help="only libraries or workloads whose name contains WORD; no page")
    parser.add_argument("--quick", action="store_true", help="a fifth of the time and rougher figures; no page")
    parser.add_argument("--json", action="store_true", help="print the rows as JSON; no page")
    options = parser.parse_args()

    rows = _measure(options.only, seconds=0.4 if options.quick else 2.0)
    if not rows:
        print(f"Nothing is called like {options.only!r}. Workloads: {', '.join(WORKLOADS)}.", file=sys.stderr)
        return 2
    if options.only or options.quick:
        print(report.as_json(rows, []) if options.json else report.as_page(rows, [], "python -m benchmarks"))
        return 0
    _tell("ASHE, by size and part")
    spent = ashe.measure_apart(seconds=2.0)
    took = evolution.measure_all(_tell)
    _tell("thirty visitors in the lab")
    visits = lab.measure()
    verdicts = [
        *targets.measure_targets(seconds=2.0, progress=_tell),
        *evolution.verdicts(*took),
        *ashe.verdicts(spent),
        *lab.verdicts(visits),
    ]
    sections = [evolution.as_section(*took), ashe.as_section(spent), lab.as_section(visits)]
    if options.json:
        print(report.as_json(rows, verdicts))
    else:
        PAGE.parent.mkdir(exist_ok=True)
        PAGE.write_text(report.as_page(rows, verdicts, "make bench", sections), encoding="utf-8")
        print(f"Wrote {PAGE.relative_to(PAGE.parent.parent)}.", file=sys.stderr)
    return 0


def _measure(only: str | None, seconds: float) -> list[Row]:
    rows = []
    for module, library, workloads in PLAN:
        chosen = [name for name in workloads if not only or only in name or only in library]
        if not chosen:
            continue
        for row in measure_apart(module, library, chosen, seconds):
            figure = f"{row.rate:,.1f} {WORKLOADS[row.workload].unit}/s" if row.rate else row.note
            _tell(f"{library:26} {row.workload:20} {figure}")
            rows.append(row)
    return rows


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
