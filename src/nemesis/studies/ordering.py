"""A published ordering: the claim that one thing wins more than another, tested with the interval of our own difference.

Published figures depend on rules and counts that the source does not state, so a figure of ours rarely meets one of theirs.
What it concludes from them is which is larger, and that can be tested: a claim is a difference that should be above 0.
Where both sides meet the same deals the difference is taken deal by deal. An exact difference has no interval but itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from nemesis.measure.interval import Interval
from nemesis.studies.study import Row

Verdict = Literal["reproduced", "not reproduced", "undecided"]


def decided(ci95: Interval) -> Verdict:
    """Whether a difference is above 0, below it, or could be either."""
    return "reproduced" if ci95[0] > 0 else "not reproduced" if ci95[1] < 0 else "undecided"


def ordering(claim: str, published: str, difference: tuple[float, Interval], note: str = "") -> Row:
    """The row of a claim: `difference` is what should be above 0, with its 95 % interval."""
    gap, ci95 = difference
    return Row(claim, gap, ci95, published, note=decided(ci95) + (f"; {note}" if note else ""), kind="ordering")


def exactly(gap: float) -> tuple[float, Interval]:
    """A difference that was computed and not measured."""
    return gap, (gap, gap)


def orderings_summary(rows: Iterable[Row]) -> str:
    """`Of 3 published orderings 2 are reproduced, 0 are not (…) and 1 is undecided (…).` Nothing where there are none."""
    claims = [row for row in rows if row.kind == "ordering" and row.ci95 is not None]
    if not claims:
        return ""
    by = {word: [row.what for row in claims if row.ci95 and decided(row.ci95) == word] for word in
          ("reproduced", "not reproduced", "undecided")}  # fmt: skip
    parts = [f"{_are(by['reproduced'])} reproduced"]
    for word, short in (("not reproduced", "not"), ("undecided", "undecided")):
        if by[word]:
            parts.append(f"{_are(by[word])} {short} ({'; '.join(by[word])})")
    return f"\n\nOf {len(claims)} published orderings {', '.join(parts)}."


def _are(some: list[str]) -> str:
    return f"{len(some)} {'is' if len(some) == 1 else 'are'}"
