"""This machine and this installation: `bench` and `doctor`."""

from __future__ import annotations

from typing import Annotated

import typer

from nemesis.commands.console import err, out, print_json, status_line
from nemesis.commands.listing_table import Listing
from nemesis.commands.options import AsJson, within
from nemesis.runtime.limits import BENCH_SECONDS


def bench(
    seconds: Annotated[
        float, typer.Option(help="CPU seconds to spend on each line.", callback=within(BENCH_SECONDS))
    ] = 1.0,
    as_json: AsJson = False,
) -> None:
    """How fast this machine plays, on one core. (make bench puts other libraries beside it.)"""
    from nemesis.measure.speed import measure_speeds

    with status_line("measuring…") as say:
        speeds = measure_speeds(seconds, lambda name: say(f"measuring {name}…"))
    if as_json:
        print_json([{"workload": s.workload, "unit": s.unit, "rate": s.rate} for s in speeds])
        return
    listing = Listing("workload", "rate", "", prose={"workload"})
    for speed in speeds:
        listing.add(speed.workload, f"{speed.rate:,.0f}", speed.unit)
    out.print(listing)


def doctor(as_json: AsJson = False) -> None:
    """Tell versions, cores and the state of the cache; remove damaged tables and kernels and build what is missing."""
    from nemesis.doctor import examine

    report = examine(lambda line: err.print(line, style="dim"))
    if as_json:
        print_json(report)
        return
    listing = Listing("", "")
    for key, value in report.items():
        if key not in ("tables", "kernels"):
            listing.add(key.replace("_", " "), ", ".join(value) if isinstance(value, list) else str(value))
    kernels = report["kernels"]
    listing.add("kernels", f"{kernels['files']:,} files, {kernels['bytes']:,} bytes, ok")
    for entry in report["tables"]:
        state = "ok" if entry["ok"] else "damaged"
        listing.add(f"lookup table {entry['name']}", f"version {entry['version']}, {entry['bytes']:,} bytes, {state}")
    out.print(listing)
