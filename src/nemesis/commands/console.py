"""What the commands share: the two consoles, JSON, results and the progress bar.

Consoles read no markup, because agents, files and folders may be called anything, `[b]` included. What is to be bold
is a `Text` with a style.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import TYPE_CHECKING

from rich.console import Console, ConsoleDimensions
from rich.text import Text

from nemesis.commands.listing_table import Listing

if TYPE_CHECKING:
    from nemesis.measure.result import Result

_UNBROKEN = ConsoleDimensions(100_000, 25)
LINE_SECONDS = 10.0


class _Output(Console):
    """Standard output: as wide as the terminal or COLUMNS; through a pipe no line is broken."""

    def __init__(self) -> None:
        super().__init__(highlight=False, markup=False, emoji=False)
        self._width = self._height = None  # COLUMNS is read when something is printed, not now

    @property
    def size(self) -> ConsoleDimensions:
        return super().size if self.is_terminal or "COLUMNS" in os.environ else _UNBROKEN

    @size.setter
    def size(self, new_size: tuple[int, int]) -> None:
        self._width, self._height = new_size


out = _Output()
err = Console(stderr=True, highlight=False, markup=False, emoji=False)


def bold(text: str) -> Text:
    """Text that stands out."""
    return Text(text, "bold")


def print_json(report: object) -> None:
    """The report as one line on standard output, for programs."""
    sys.stdout.write(json.dumps(report, ensure_ascii=False, allow_nan=False) + "\n")


def print_result(result: Result, as_json: bool) -> None:
    """What each player took, with its interval, and how it was measured."""
    if as_json:
        print_json(result.to_json())
        return
    digits, sign = (1, "+") if result.unit.startswith("mBB") else (4, "" if result.unit.startswith("share") else "+")
    listing = Listing("player", result.unit, "95 % interval")
    for score in result.scores:
        low, high = score.ci95
        listing.add(
            score.player, bold(f"{score.mean:{sign},.{digits}f}"), f"{low:{sign},.{digits}f} … {high:{sign},.{digits}f}"
        )
    out.print(listing)
    note = f"; {result.note}" if result.note else ""
    rate = f"{result.hands_per_second:,.0f} hands/s, seed {result.seed}"
    out.print(f"{result.game}, {result.hands:,} hands{note}; {rate}", style="dim", soft_wrap=True)


@contextmanager
def progress_bar(title: str, unit: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error, or lines now and then where there is no terminal."""
    if not err.is_terminal:
        with progress_lines(title) as say:
            yield lambda done, total: say(f"{title}: {done:,} of {total:,} {unit}")
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(unit),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=err, transient=True) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def status_line(text: str) -> Iterator[Callable[[str], None]]:
    """Gives a function that says on standard error what is being done; where there is no terminal, now and then."""
    if not err.is_terminal:
        with progress_lines(text) as say:
            yield say
        return
    with err.status(Text(text)) as status:
        yield lambda line: status.update(Text(line))


@contextmanager
def progress_lines(text: str) -> Iterator[Callable[[str], None]]:
    """Gives a function that takes what is being done, and prints the latest every `LINE_SECONDS`; short work is silent."""
    latest, over, started = text, Event(), time.monotonic()

    def say(line: str) -> None:
        nonlocal latest
        latest = line

    def repeat() -> None:
        while not over.wait(LINE_SECONDS):
            err.print(f"nemesis: {latest} ({time.monotonic() - started:.0f} s)", soft_wrap=True)

    thread = Thread(target=repeat, daemon=True)
    thread.start()
    try:
        yield say
    finally:
        over.set()
        thread.join()
