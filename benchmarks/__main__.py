"""`python -m benchmarks [SECTION …]`: measure ourselves and others, and write docs/benchmarks.md and benchmarks.json."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from benchmarks import ashe, evolution, lab, peers, rates, report, scale, start_up, store, wire, workers
from benchmarks.section import Options, Section

SECTIONS: dict[str, Section] = {
    section.name: section
    for module in (rates, start_up, peers, store, scale, wire, workers, ashe, evolution, lab)
    for section in module.SECTIONS
}


def main() -> int:
    """Measure, say how it goes, write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "sections", nargs="*", metavar="SECTION", help="measure these and keep the others' last figures"
    )
    parser.add_argument("--list", action="store_true", help="name the sections and about how long each takes")
    parser.add_argument("--quick", action="store_true", help="rates in a fifth of the time and rougher; no page")
    parser.add_argument("--json", action="store_true", help="print what was found as JSON; no page")
    parser.add_argument("--histories", type=Path, help="hand histories of the sections store and predict")
    options = parser.parse_args()

    unknown = [name for name in options.sections if name not in SECTIONS]
    if unknown:
        parser.error(f"there is no section {', '.join(unknown)}; choose from {', '.join(SECTIONS)}")
    if options.histories and not options.histories.is_dir():
        parser.error(f"{options.histories} is not a folder of hand histories")
    chosen = [SECTIONS[name] for name in options.sections] or list(SECTIONS.values())
    if options.list:
        for section in chosen:
            print(f"{section.name:14} {section.title}, about {section.minutes:g} min")
        print(f"{'all':14} about {sum(section.minutes for section in chosen):g} min on two quiet cores")
        return 0

    found, failed = {}, []
    for section in chosen:
        _tell(f"== {section.name}: {section.title}")
        started = time.perf_counter()
        how = Options(0.4 if options.quick else 2.0, options.histories, _tell)
        try:
            finding = section.measure(how)
        except Exception as wrong:  # one section's failure must not take the others with it
            _tell(f"{section.name} could not be measured: {type(wrong).__name__}: {wrong}")
            failed.append(section.name)
            continue
        found[section.name] = report.dated(finding, time.perf_counter() - started)
        if not (options.quick or options.json):
            report.keep({**report.kept(), section.name: found[section.name]}, list(SECTIONS.values()))
    if options.json:
        print(json.dumps(found, indent=2, ensure_ascii=False))
    elif options.quick:
        print(report.as_page(found, chosen))
    return 1 if failed else 0


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
