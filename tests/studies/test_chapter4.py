"""The studies of chapter 4 run, write what they promise, and say what their numbers say."""

import json
from pathlib import Path

import pytest

from nemesis.measure.interval import share_interval
from nemesis.studies.study import Setting, run_study, study_named
from nemesis.studies.verdict import by_standing, listed, standing

PNG = b"\x89PNG"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["action-table", "anti-players", "pair-maps", "analysis-player", "belief-growth"])
def test_a_study_writes_its_report_and_pictures(name: str, tmp_path: Path) -> None:
    study = study_named(name)
    assert study.name == name
    report = run_study(study, Setting("smoke", 0, 1, tmp_path / name))
    written = json.loads((tmp_path / name / "report.json").read_text())
    text = (tmp_path / name / "report.md").read_text()
    assert written["study"] == name
    assert len(written["rows"]) == len(report.rows) > 0
    assert report.verdict in text
    assert list(report.pictures) == list(study.pictures) != []
    for picture in report.pictures:
        assert (tmp_path / name / picture).read_bytes().startswith(PNG)
        assert picture in text
    assert any(row.kind == "ordering" for row in report.rows)
    for row in report.rows:
        assert row.what in text
        assert row.ci95 is not None or row.note.startswith("exact"), row
        assert row.ci95 is None or row.ci95[0] <= row.ours <= row.ci95[1], row


def test_the_standing_follows_from_the_interval() -> None:
    assert standing((0.70, 0.80), 0.75) == "as published"
    assert standing((0.76, 0.80), 0.70) == "better"
    assert standing((0.60, 0.70), 0.77) == "not reached"
    assert standing(share_interval(755, 1000)[1], 0.76) == "as published"


def test_standings_are_grouped_and_nothing_is_none() -> None:
    assert by_standing({"LA": "better", "TP": "not reached", "LP": "better"}) == "better: LA, LP; not reached: TP"
    assert listed([]) == "none"
    assert listed(["LA", "LP", "TA"]) == "LA, LP and TA"


def test_the_habits_of_the_published_table_are_read_from_it() -> None:
    from nemesis.measure.action_frequency import PUBLISHED
    from nemesis.studies.action_table import habits

    published = PUBLISHED["one-card"].probabilities[:, 0]
    assert all(habits(published).values())
    assert not habits(published[::-1])["LA bets most"]


def test_a_difference_is_only_claimed_where_the_intervals_allow_it() -> None:
    from nemesis.measure.result import Score
    from nemesis.studies.analysis_player import difference

    def score(won: int) -> Score:
        return Score("", *share_interval(won, 1000))

    assert difference({"analysis": score(600), "simulation": score(500)})[1][0] > 0
    assert difference({"analysis": score(500), "simulation": score(600)})[1][1] < 0
    _, (low, high) = difference({"analysis": score(510), "simulation": score(500)})
    assert low < 0 < high
