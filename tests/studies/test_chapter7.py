"""The studies of chapter 7 run, write what they promise, and read what the source prints."""

import json
from pathlib import Path

import numpy as np
import pytest

from nemesis.studies.limit_beliefs import BY_STREET
from nemesis.studies.limit_side_by_side import hands_until_ahead
from nemesis.studies.study import Setting, run_study, study_named

PNG = b"\x89PNG"
STUDIES = (
    "limit-ceilings",
    "limit-beliefs",
    "limit-networks",
    "limit-changes",
    "limit-four-seats",
    "limit-side-by-side",
)


@pytest.mark.slow
@pytest.mark.parametrize("name", STUDIES)
def test_a_study_writes_its_report_and_pictures(name: str, tmp_path: Path) -> None:
    study = study_named(name)
    report = run_study(study, Setting("smoke", 0, 1, tmp_path))
    written = json.loads((tmp_path / "report.json").read_text())
    text = (tmp_path / "report.md").read_text()
    assert written["study"] == name
    assert len(written["rows"]) == len(report.rows) > 0
    assert report.verdict in text
    assert list(report.pictures) == list(study.pictures) != []
    for picture in report.pictures:
        assert (tmp_path / picture).read_bytes().startswith(PNG)
    for row in report.rows:
        assert row.ci95 is None or row.ci95[0] <= row.ours <= row.ci95[1], row


def test_every_printed_row_of_table_7_2_sums_to_one() -> None:
    rows = [row for rows in BY_STREET.values() for row in rows if row is not None]
    assert len(rows) == 13
    assert [round(sum(row), 6) for row in rows] == [1.0] * 13


def test_one_is_ahead_for_good_after_the_last_time_it_was_not() -> None:
    """Stretches of 10 hands: never behind, behind until the third, level at the end."""
    chips = np.array([[1.0, 1, 1, 1], [1.0, -2, 1, 1], [1.0, 1, 1, -3]])
    assert hands_until_ahead(chips).tolist() == [10, 40, np.inf]
