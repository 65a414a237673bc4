"""A part of the page that is measured on its own: what it is called, how it is measured, and what measuring it gives."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Verdict:
    """One target: the bound, what was measured, and what to know about it."""

    what: str
    unit: str
    bound: float
    measured: float | None
    at_most: bool = False
    note: str = ""

    @property
    def met(self) -> bool | None:
        """Whether it is reached; None if it could not be measured."""
        if self.measured is None:
            return None
        return self.measured < self.bound if self.at_most else self.measured >= self.bound


@dataclass(frozen=True)
class Finding:
    """What a section found: its text for the page, the targets it judges, and the figures for programs."""

    text: str
    verdicts: Sequence[Verdict] = ()
    figures: Any = None


@dataclass(frozen=True)
class Options:
    """How to measure: about how many seconds a rate takes, which hand histories, if not the sample, and whom to tell."""

    seconds: float
    histories: Path | None
    tell: Callable[[str], None]


@dataclass(frozen=True)
class Section:
    """One section and about how many minutes it takes on two quiet cores."""

    name: str
    title: str
    minutes: float
    measure: Callable[[Options], Finding]


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]], right: Container[int]) -> str:
    """A table for the page; the columns with a number in `right` hold figures."""
    marks = ["--:" if column in right else "---" for column in range(len(head))]
    lines = [head, marks, *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "/") for cell in line) + " |" for line in lines)


def figure(number: float | None) -> str:
    """Three digits are all a benchmark can promise."""
    if number is None:
        return "–"
    if number >= 100:
        digits = len(str(int(number))) - 3
        return f"{round(number, -digits):,.0f}".replace(",", " ")
    return f"{number:.3g}"
