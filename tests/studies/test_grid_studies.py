"""The studies of the grid run from end to end, and what they say about exact things is right."""

from pathlib import Path

import pytest

from nemesis.rules.grid_map import grid_map
from nemesis.studies.grid_noise import starts_above
from nemesis.studies.study import Setting, run_study, study_named

STUDIES = ("grid-directions", "grid-run", "grid-noise", "grid-recognisers", "grid-boats")


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_leaves_a_report_and_its_pictures(name: str, tmp_path: Path) -> None:
    report = run_study(study_named(name), Setting("smoke", 0, 1, tmp_path))
    assert report.rows
    assert {path.name for path in tmp_path.iterdir()} == {
        "report.md", "report.json", *(f"{name}{suffix}" for suffix in (".png", ".json")),
    }  # fmt: skip


def test_table_3_1_is_reproduced_to_its_rounding(tmp_path: Path) -> None:
    report = run_study(study_named("grid-directions"), Setting("smoke", 0, 1, tmp_path))
    assert report.data["largest_difference"] < 0.00006
    assert {row.what: row.published for row in report.rows}["UP-LEFT, target 1"] == 0.3845


def test_a_run_to_the_middle_first_looks_like_one_to_a_side(tmp_path: Path) -> None:
    rows = {row.what: row for row in run_study(study_named("grid-run"), Setting("smoke", 0, 1, tmp_path)).rows}
    assert rows["the middle goal: another goal leads after 3 moves"].ours == 1.0
    assert rows["the right-hand goal: another goal leads after 3 moves"].ours == 0.0
    assert rows["the middle goal: recognised at move, our A* way"].ours == 10


def test_an_interceptor_starts_from_every_cell_above_the_rocks() -> None:
    """Eight rows of fifteen cells, less three goals and the place where it is drawn."""
    starts = starts_above(grid_map("halmoids"))
    assert len(starts) == 8 * 15 - 3 - 1
    assert len({world.interceptors for world in starts}) == len(starts)
