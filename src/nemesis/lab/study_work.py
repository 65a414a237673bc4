"""A study as a job: measured at a scale, its report and pictures in the job's folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from nemesis.names import STUDIES, unknown
from nemesis.runtime.limits import SEED
from nemesis.studies.study import SCALES, Setting, run_study, study_named

REPORT = "report"
"""The folder in the job's folder that the study writes into."""


@dataclass(frozen=True)
class Measurement:
    """Which study, at which scale, with which seed."""

    study: str
    scale: str
    seed: int = 0

    def __post_init__(self) -> None:
        if self.study not in STUDIES:
            raise unknown("study", self.study, STUDIES)
        if self.scale not in SCALES:
            raise ValueError(f"{self.scale!r} is not a scale; choose one of {', '.join(SCALES)}")
        SEED.check(self.seed)

    def to_json(self) -> dict[str, Any]:
        """The options of the job."""
        return asdict(self)


def measure(chosen: dict[str, Any], folder: Path, tell: Callable[[int, int, str], None]) -> dict[str, Any]:
    """Run the study with one worker; evolutions that it needs are kept in the folder, so that it can go on."""
    asked = Measurement(**chosen)
    scale = next(scale for scale in SCALES if scale == asked.scale)
    setting = Setting(scale, asked.seed, 1, folder / REPORT, lambda line: tell(0, 0, line), asked.study)
    report = run_study(study_named(asked.study), setting)
    return {"verdict": report.verdict}
