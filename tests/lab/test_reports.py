"""Reports of studies in the lab: the documentation's, and those that a job measures."""

from pathlib import Path

import pytest

from nemesis.lab.reports import documented_report, measured_report
from nemesis.lab.study_work import REPORT, Measurement, measure


def test_the_documentations_reports_are_found_with_their_pictures() -> None:
    report = documented_report("ashe-table")
    assert report is not None
    assert report.content["rows"]
    assert [picture.name for picture in report.pictures] == ["table3.png"]
    assert documented_report("../reports/ashe-table") is None


def test_a_study_is_measured_as_a_job_and_leaves_its_report(tmp_path: Path) -> None:
    told: list[str] = []
    asked = Measurement("grid-directions", "smoke", 3)
    result = measure(asked.to_json(), tmp_path, lambda done, total, line: told.append(line))
    report = measured_report(tmp_path / REPORT)
    assert report is not None
    assert report.content["seed"] == 3
    assert report.content["verdict"] == result["verdict"]
    assert all(picture.exists() for picture in report.pictures)


def test_a_report_that_is_not_there_or_is_damaged_is_none(tmp_path: Path) -> None:
    assert measured_report(tmp_path) is None
    (tmp_path / "report.json").write_text("[]")
    assert measured_report(tmp_path) is None


def test_what_cannot_be_measured_is_refused_with_a_sentence() -> None:
    for arguments, words in (
        (("../x", "smoke"), "there is no study named"),
        (("grid-run", "huge"), "'huge' is not a scale"),
        (("grid-run", "smoke", -1), "a seed must be"),
    ):
        with pytest.raises(ValueError, match=words):
            Measurement(*arguments)
