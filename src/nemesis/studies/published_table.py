"""The one table of all published figures, from what the studies themselves wrote.

Every row of a report that has a published figure or claim beside it becomes a line: where it stands in which document,
what was published, ours with its interval and what that is over, the ceiling, and a verdict in a word that follows from the
numbers. Nothing is typed in by hand, so the table cannot drift from the reports.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from nemesis.names import STUDIES
from nemesis.studies.ordering import decided
from nemesis.studies.sample import is_over_runs
from nemesis.studies.study import number, study_named

HEADINGS = ("document", "where", "what", "published", "ours", "95 % interval", "sample", "ceiling", "verdict", "report")


def read_reports(folder: Path) -> list[dict[str, Any]]:
    """The reports under a folder, `NAME.json` or `NAME/report.json`, in the order of the registered studies."""
    found: dict[str, dict[str, Any]] = {}
    for path in sorted([*folder.glob("*.json"), *folder.glob("*/report.json")]):
        try:
            report = json.loads(path.read_text(encoding="utf-8"))
            found[report["study"]] = report
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{path} is no report of a study ({error})") from None
    if not found:
        raise ValueError(f"{folder} holds no reports; nemesis study NAME writes them")
    return [found[name] for name in STUDIES if name in found]


def kept(report: Mapping[str, Any]) -> dict[str, Any]:
    """What is kept of a report for the table: all but the long data."""
    return {key: value for key, value in report.items() if key != "data"}


def table_lines(reports: Iterable[Mapping[str, Any]]) -> list[tuple[str, ...]]:
    """The table's lines, a text for every heading."""
    return [_line(report, row) for report in reports for row in report["rows"] if row["published"] not in (None, "")]


def as_markdown(reports: Sequence[Mapping[str, Any]], link: str = "{}.md") -> str:
    """The table for a page; `link` says where the report of a study is."""
    lines = [f"| {' | '.join(HEADINGS)} |", "|---|---|---|--:|--:|:-:|---|--:|---|---|"]
    for *cells, study in table_lines(reports):
        lines.append(f"| {' | '.join(cells)} | [{study}]({link.format(study)}) |")
    return "\n".join(lines)


def _line(report: Mapping[str, Any], row: Mapping[str, Any]) -> tuple[str, ...]:
    document, _, where = report["source"].partition(", ")
    interval = row["ci95"]
    known = interval is not None and interval[0] != interval[1]
    scale = "" if report["scale"] == "full" else f", {report['scale']} scale"
    return (
        document,
        row.get("place") or where,
        row["what"],
        row["published"] if isinstance(row["published"], str) else number(row["published"]),
        f"{row['ours']:+.3g}" if row["kind"] == "ordering" else number(row["ours"]),
        f"{number(interval[0])} … {number(interval[1])}" if known else "",
        (row.get("sample", "deals") if interval is not None else "no interval") + scale,
        number(row["ceiling"]),
        verdict_of(row),
        report["study"],
    )


def verdict_of(row: Mapping[str, Any]) -> str:
    """In a word how our figure or claim stands to the published one, by its interval."""
    published, interval, sample = row["published"], row["ci95"], row.get("sample", "deals")
    if interval is None:
        return ""
    if row["kind"] == "ordering":
        return decided(tuple(interval), sample)
    if isinstance(published, str):
        return ""
    if interval[0] > published:
        return "above"
    if interval[1] < published:
        return "below, and beyond the ceiling" if (row["ceiling"] or published) < published else "below"
    return "reproduced" if is_over_runs(sample) else "agrees"


def missing_scale(reports: Iterable[Mapping[str, Any]]) -> list[str]:
    """For every study whose report is not at the source's scale, or not there: what that would cost."""
    scales = {report["study"]: report["scale"] for report in reports}
    lines = []
    for name in STUDIES:
        if scales.get(name) != "full":
            stands = f"is at {scales[name]} scale" if name in scales else "has no report yet"
            lines.append(f"- `{name}` {stands}; full scale takes {study_named(name).full_cost or 'minutes'}.")
    return lines
