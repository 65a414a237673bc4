"""This machine and this installation: `bench` and `doctor`."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.markup import escape

from nemesis.commands.console import AsJson, err, new_listing, out, print_json


def bench(
    seconds: Annotated[float, typer.Option(help="CPU seconds to spend on each line.")] = 1.0,
    as_json: AsJson = False,
) -> None:
    """How fast this machine plays, on one core. (make bench puts other libraries beside it.)"""
    from nemesis.measure.speed import measure_speeds

    with err.status("measuring…") as status:
        speeds = measure_speeds(seconds, lambda name: status.update(f"measuring {name}…"))
    if as_json:
        print_json([{"workload": s.workload, "unit": s.unit, "rate": s.rate} for s in speeds])
        return
    listing = new_listing("workload", "rate", "")
    for speed in speeds:
        listing.add_row(escape(speed.workload), f"{speed.rate:,.0f}", speed.unit)
    out.print(listing)


def doctor(as_json: AsJson = False) -> None:
    """Tell versions, cores and the state of the cache; remove damaged tables and build what is missing."""
    from nemesis.doctor import examine

    report = examine(lambda line: err.print(f"[dim]{escape(line)}[/dim]"))
    if as_json:
        print_json(report)
        return
    listing = new_listing("", "")
    listing.show_header = False
    for key, value in report.items():
        if key != "tables":
            listing.add_row(key.replace("_", " "), escape(str(value)))
    for entry in report["tables"]:
        state = "ok" if entry["ok"] else "damaged"
        listing.add_row(f"table {entry['name']}", f"version {entry['version']}, {entry['bytes']:,} bytes, {state}")
    out.print(listing)
