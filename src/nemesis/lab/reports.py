"""Reports of studies: those that come with the documentation, and those that jobs of the lab have written."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nemesis.names import STUDIES

DOCUMENTED = Path(__file__).resolve().parents[3] / "docs" / "studies"
"""Beside the sources in a clone; a wheel does not have it."""


@dataclass(frozen=True)
class Found:
    """A report, where its pictures are, and whether it is one of the documentation's."""

    content: dict[str, Any]
    folder: Path
    documented: bool

    @property
    def pictures(self) -> list[Path]:
        """The pictures that are there."""
        places = [self.folder / Path(name).name for name in self.content.get("pictures", [])]
        return [place for place in places if place.is_file()]


def documented_report(name: str) -> Found | None:
    """The report of the documentation; None if there is none, or no documentation."""
    return _read(DOCUMENTED / "reports" / f"{name}.json", DOCUMENTED, True) if name in STUDIES else None


def measured_report(folder: Path) -> Found | None:
    """The report that a job has written into a folder; None as long as it has not."""
    return _read(folder / "report.json", folder, False)


def _read(path: Path, pictures: Path, documented: bool) -> Found | None:
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return Found(content, pictures, documented) if isinstance(content, dict) and "rows" in content else None
