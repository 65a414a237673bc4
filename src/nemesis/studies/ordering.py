"""A published ordering: the claim that one thing wins more than another, tested with the interval of our own difference.

Published figures depend on rules and counts that the source does not state, so a figure of ours rarely meets one of theirs.
What it concludes from them is which is larger, and that can be tested: a claim is a difference that should be above 0.
Where both sides meet the same deals the difference is taken deal by deal. An exact difference has no interval but itself.
A claim about evolved players is *reproduced* only with an interval over runs; over deals it *holds* for the players at hand.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from nemesis.measure.interval import Interval
from nemesis.studies.sample import DEALS, EXACT, Sampled, is_over_runs
from nemesis.studies.study import Row

Verdict = Literal["reproduced", "holds", "not reproduced", "does not hold", "undecided"]
_TRUE: tuple[Verdict, ...] = ("reproduced", "holds")
_FALSE: tuple[Verdict, ...] = ("not reproduced", "does not hold")


def decided(ci95: Interval, sample: str = DEALS) -> Verdict:
    """Whether a difference is above 0, below it, or could be either, in the words that its sample allows."""
    runs = is_over_runs(sample)
    if ci95[0] > 0:
        return "reproduced" if runs else "holds"
    return "undecided" if ci95[1] >= 0 else "not reproduced" if runs else "does not hold"


def ordering(
    claim: str, published: str, difference: tuple[float, Interval] | Sampled, note: str = "", place: str = ""
) -> Row:
    """The row of a claim: `difference` is what should be above 0, with its 95 % interval and, if not deals, the sample."""
    gap, ci95 = difference[:2]
    sample = difference.sample if isinstance(difference, Sampled) else EXACT if ci95[0] == ci95[1] else DEALS
    said = decided(ci95, sample) + (f"; {note}" if note else "")
    return Row(claim, gap, ci95, published, note=said, kind="ordering", sample=sample, place=place)


def exactly(gap: float) -> tuple[float, Interval]:
    """A difference that was computed and not measured."""
    return gap, (gap, gap)


def orderings_summary(rows: Iterable[Row]) -> str:
    """`Of 3 published orderings 2 are reproduced and 1 is undecided (…).` Nothing where there are none.

    Those over runs are counted apart from those over deals.
    """
    claims = [row for row in rows if row.kind == "ordering" and row.ci95 is not None]
    sentences = []
    for runs in (True, False):
        those = [row for row in claims if is_over_runs(row.sample) == runs]
        if those:
            sentences.append(_summed_up(those, runs))
    return "\n\n" + " ".join(sentences) if sentences else ""


def _summed_up(claims: list[Row], runs: bool) -> str:
    by: dict[str, list[str]] = {"true": [], "false": [], "undecided": []}
    for row in claims:
        assert row.ci95 is not None
        word = decided(row.ci95, row.sample)
        by["true" if word in _TRUE else "false" if word in _FALSE else "undecided"].append(row.what)
    holds = f"{_are(by['true'])} reproduced" if runs else f"{len(by['true'])} hold{'s' * (len(by['true']) == 1)}"
    parts = [holds]
    if by["false"]:
        parts.append(f"{_are(by['false'])} not ({'; '.join(by['false'])})" if runs else _do_not(by["false"]))
    if by["undecided"]:
        parts.append(f"{_are(by['undecided'])} undecided ({'; '.join(by['undecided'])})")
    others = sorted({row.sample for row in claims if not row.sample.startswith((DEALS, EXACT))})
    over = "over runs" if runs else f"over {', '.join(others)}" if others else "over deals or exactly"
    return f"Of {len(claims)} published ordering{'s' * (len(claims) != 1)} tested {over} {', '.join(parts)}."


def _do_not(some: list[str]) -> str:
    return f"{len(some)} {'does' if len(some) == 1 else 'do'} not ({'; '.join(some)})"


def _are(some: list[str]) -> str:
    return f"{len(some)} {'is' if len(some) == 1 else 'are'}"
