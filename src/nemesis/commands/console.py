"""What the commands share: the two consoles, the options that several take, tables, JSON and the progress bar."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

if TYPE_CHECKING:
    from nemesis.measure.result import Result

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)

GameName = Annotated[
    str,
    typer.Option("--game", "-g", help="A name from [b]nemesis games[/b] or an ACPC game definition file."),
]
Seed = Annotated[int, typer.Option(help="Same seed, same deals, same result.")]
AsJson = Annotated[bool, typer.Option("--json", help="JSON on standard output instead of a table.")]


def _workers(given: str) -> str:
    from nemesis.play.workers import checked_workers

    try:
        return str(checked_workers(given))
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


Workers = Annotated[
    str | None,
    typer.Option(
        help="Processes to use, or [b]ray[/b], or a Ray cluster's address; by default all cores when the work is worth it.",
        metavar="N|ray|ADDRESS",
        parser=_workers,
    ),
]
Stack = Annotated[int | None, typer.Option(help="Chips each player starts with, instead of the game's own.")]
Until = Annotated[
    str | None,
    typer.Option("--precision", help="Play on until the first player's 95 % interval is ±this: 5% of the mean, or 20."),
]
TimeLimit = Annotated[float, typer.Option(help="Seconds a Python agent may think about one decision; 0 for no limit.")]
AgentNames = Annotated[
    list[str],
    typer.Argument(
        metavar="AGENT...",
        help="Names from [b]nemesis agents[/b], or path/to/file.py:ClassName.",
        show_default=False,
    ),
]


def new_listing(*columns: str) -> Table:
    """A table without lines, for people and for pipes."""
    listing = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for column in columns:
        listing.add_column(column)
    return listing


def print_json(report: object) -> None:
    """The report as one line on standard output, for programs."""
    sys.stdout.write(json.dumps(report, ensure_ascii=False, allow_nan=False) + "\n")


def print_result(result: Result, as_json: bool) -> None:
    """What each player took, with its interval, and how it was measured."""
    if as_json:
        print_json(result.to_json())
        return
    digits, sign = (1, "+") if result.unit.startswith("mBB") else (4, "" if result.unit.startswith("share") else "+")
    listing = new_listing("player", result.unit, "95 % interval")
    for score in result.scores:
        low, high = score.ci95
        listing.add_row(
            escape(score.player),
            f"[b]{score.mean:{sign},.{digits}f}[/b]",
            f"{low:{sign},.{digits}f} … {high:{sign},.{digits}f}",
        )
    out.print(listing)
    note = f"; {result.note}" if result.note else ""
    rate = f"{result.hands_per_second:,.0f} hands/s, seed {result.seed}"
    out.print(f"[dim]{result.game}, {result.hands:,} hands{note}; {rate}[/dim]", soft_wrap=True)


@contextmanager
def progress_bar(title: str, unit: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error, for people only."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(unit),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task(escape(title), total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
