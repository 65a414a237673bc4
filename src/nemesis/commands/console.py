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
from typing import TYPE_CHECKING

from rich.console import Console, ConsoleDimensions
from rich.text import Text

from nemesis.commands.listing_table import Listing

if TYPE_CHECKING:
    from nemesis.measure.result import Result

PULSE_SECONDS = 30.0
_UNBROKEN = ConsoleDimensions(100_000, 25)


class _Output(Console):
    """Standard output: as wide as the terminal or COLUMNS; through a pipe no line is broken."""

    @property
    def size(self) -> ConsoleDimensions:
        return super().size if self.is_terminal or "COLUMNS" in os.environ else _UNBROKEN

    @size.setter
    def size(self, new_size: tuple[int, int]) -> None:
        self._width, self._height = new_size


out = _Output(highlight=False, markup=False, emoji=False)
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


class Pulse:
    """Says how far a long job is, where there is no terminal to draw a bar on: a line now and then, none for short jobs."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._next = clock() + PULSE_SECONDS

    def __call__(self, line: str) -> None:
        """Print the line on standard error if the last one is long ago."""
        if self._clock() >= self._next:
            self._next = self._clock() + PULSE_SECONDS
            err.print(f"nemesis: {line}", soft_wrap=True)


@contextmanager
def progress_bar(title: str, unit: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error; where that is no terminal, a line every half minute."""
    if not err.is_terminal:
        pulse = Pulse()
        yield lambda done, total: pulse(f"{title}: {done:,} of {total:,} {unit}")
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
