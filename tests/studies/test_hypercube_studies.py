"""The studies of the hypercube write what they say they measure."""

from pathlib import Path

import numpy as np
import pytest

from nemesis.studies.hypercube_curve import first_gain, first_profit, smoothed
from nemesis.studies.study import Setting, run_study, study_named


@pytest.mark.parametrize("name", ["hypercube-curve", "hypercube-specialists", "hypercube-changes"])
def test_it_writes_a_report_and_its_pictures(name: str, tmp_path: Path) -> None:
    study = study_named(name)
    report = run_study(study, Setting("smoke", 0, 1, tmp_path))
    assert (tmp_path / "report.md").read_text().startswith(f"# {study.title}")
    for picture in study.pictures:
        assert (tmp_path / picture).read_bytes().startswith(b"\x89PNG")
    assert all(row.ci95 is not None for row in report.rows)


def test_profit_comes_when_the_mean_over_runs_has_been_above_nothing_for_so_long() -> None:
    chips = np.array([[-3.0, -3, 1, 3, 5, 5], [-3.0, -3, 1, 3, 5, 5]])
    assert first_profit(chips, 2) == 4
    assert first_profit(-abs(chips), 2) is None
    assert first_gain(np.array([[-3.0, -3, 1], [-3.0, 0, -1]])).tolist() == [3, 3]
    assert smoothed(chips, 3)[0].tolist() == [-5 / 3, 13 / 3]
