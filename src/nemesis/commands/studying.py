"""Published tables and figures, measured again: `study`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nemesis.commands.console import out, print_json, status_line
from nemesis.commands.listing_table import Listing
from nemesis.commands.options import AsJson, Seed, Workers, new_folder

if TYPE_CHECKING:
    from nemesis.studies.study import Report


def study(
    name: Annotated[
        str,
        typer.Argument(
            help="A study's name, [b]list[/b], or [b]table[/b] (all published figures).",
            show_default=False,
        ),
    ],
    scale: Annotated[
        str, typer.Option(help="smoke (does it work?), quick (a minute or so) or full (the source's).")
    ] = "quick",
    out_folder: Annotated[
        Path | None,
        typer.Option(
            "--out", help="Where the report goes; runs/studies/NAME by default.", parser=new_folder, metavar="FOLDER"
        ),
    ] = None,
    runs: Annotated[
        int | None,
        typer.Option(
            help="Runs of everything that evolves: 2 at smoke, 3 at quick, 5 at full scale.", show_default=False
        ),
    ] = None,
    runs_in: Annotated[
        Path | None,
        typer.Option(
            help="Where runs are kept and found again, by several studies if they are given the same; OUT/runs by default.",
            parser=new_folder,
            metavar="FOLDER",
        ),
    ] = None,
    finished: Annotated[
        bool, typer.Option("--finished", help="Report over the runs that are finished; evolve nothing.")
    ] = False,
    redraw: Annotated[
        bool, typer.Option("--redraw", help="Draw the pictures again from the numbers in the folder; measure nothing.")
    ] = False,
    seed: Seed = 0,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Measure one published table or figure again: published, ours with its interval, ceiling, one sentence.

    Example: [b]nemesis study anti-players --scale quick[/b]
    """
    from nemesis.play.workers import cores
    from nemesis.studies.study import SCALES, Setting, draw_pictures, report_json, run_study, study_named

    if name == "list":
        _list(as_json)
        return
    if name == "table":
        _table(out_folder or Path("runs") / "studies", as_json)
        return
    chosen = study_named(name)
    if scale not in SCALES:
        raise ValueError(f"{scale!r} is not a scale; choose one of {', '.join(SCALES)}")
    folder = out_folder or Path("runs") / "studies" / name
    if redraw:
        draw_pictures(chosen, folder)
        if not as_json:
            out.print(f"drawn again in {folder}: {', '.join(chosen.pictures)}", style="dim", soft_wrap=True)
        else:
            print_json({"study": name, "pictures": list(chosen.pictures)})
        return
    with status_line(f"{name}…") as say:
        setting = Setting(
            scale, seed, workers or cores(), folder, lambda line: say(f"{name}: {line}"), name, runs, runs_in, finished
        )
        report = run_study(chosen, setting)
    if as_json:
        print_json(report_json(chosen, setting, report))
    else:
        _print_report(report, folder)


def _list(as_json: bool) -> None:
    """Every study by name."""
    from nemesis.names import STUDIES
    from nemesis.studies.study import study_named

    listed = [study_named(known) for known in STUDIES]
    if as_json:
        print_json([{"study": s.name, "title": s.title, "source": s.source} for s in listed])
        return
    listing = Listing("study", "what it measures", "source", prose={"what it measures", "source"})
    for found in listed:
        listing.add(found.name, found.title, found.source)
    out.print(listing)


def _print_report(report: Report, folder: Path) -> None:
    from nemesis.studies.study import number

    headings = ("what", "published", f"ours ({report.unit})", "95 % interval", "sample", "ceiling", "note")
    listing = Listing(*headings, prose={"what", "note"})
    for row in report.rows:
        interval = f"{number(row.ci95[0])} … {number(row.ci95[1])}" if row.ci95 else ""
        published = row.published if isinstance(row.published, str) else number(row.published)
        sample = row.sample if row.ci95 else ""
        listing.add(row.what, published, number(row.ours), interval, sample, number(row.ceiling), row.note)
    out.print(listing)
    out.print(report.verdict)
    out.print(f"report: {folder / 'report.md'}", style="dim", soft_wrap=True)


def _table(folder: Path, as_json: bool) -> None:
    """Every published figure in the reports of a folder."""
    from nemesis.studies.published_table import HEADINGS, read_reports, table_lines

    lines = table_lines(read_reports(folder))
    if as_json:
        print_json([dict(zip(HEADINGS, line, strict=True)) for line in lines])
        return
    listing = Listing(*HEADINGS, prose={"where", "what", "verdict"})
    for line in lines:
        listing.add(*line)
    out.print(listing)
