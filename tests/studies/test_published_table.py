"""The table of all published figures is made from the reports, its verdicts from the numbers."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from nemesis.evolve.run import read_metrics
from nemesis.names import STUDIES
from nemesis.respond.champion import champion_agent
from nemesis.studies.ashe_training import LARGE
from nemesis.studies.evolved import game_of
from nemesis.studies.published_table import as_markdown, kept, missing_scale, read_reports, table_lines, verdict_of
from nemesis.train.evolution import resumed
from nemesis.train.recipes import RECIPES

DOCS = Path(__file__).parents[2] / "docs" / "studies"


def row(**changed: Any) -> dict[str, Any]:
    usual = {"what": "best", "ours": 0.9, "ci95": [0.85, 0.95], "published": 0.9, "ceiling": None, "note": ""}
    return {**usual, "kind": "figure", "sample": "5 runs", "place": "fig. 5.2", **changed}


@pytest.mark.parametrize(
    ("changed", "verdict"),
    [
        ({}, "reproduced"),
        ({"sample": "deals"}, "agrees"),
        ({"sample": "deals of 1 run"}, "agrees"),
        ({"published": 0.8}, "above"),
        ({"published": 0.97}, "below"),
        ({"published": 1.0, "ceiling": 0.99}, "below, and beyond the ceiling"),
        ({"published": "excellent"}, ""),
        ({"ci95": None}, ""),
        ({"kind": "ordering", "ci95": [0.01, 0.2], "published": "a > b"}, "reproduced"),
        ({"kind": "ordering", "ci95": [0.01, 0.2], "published": "a > b", "sample": "deals"}, "holds"),
        ({"kind": "ordering", "ci95": [-0.2, -0.01], "published": "a > b", "sample": "exact"}, "does not hold"),
    ],
)
def test_a_verdict_follows_from_interval_and_sample(changed: dict[str, Any], verdict: str) -> None:
    assert verdict_of(row(**changed)) == verdict


def test_a_line_says_where_the_figure_stands_and_at_what_scale_ours_is(tmp_path: Path) -> None:
    report = {"study": "ga-curves", "source": "Baker 2010, section 5.1", "scale": "quick", "data": {"long": 1}}
    (tmp_path / "ga-curves").mkdir()
    rows = [row(), row(published=None), row(what="all", place="", published=0.68, ci95=None)]
    (tmp_path / "ga-curves" / "report.json").write_text(json.dumps({**report, "rows": rows}))
    reports = read_reports(tmp_path)
    first, second = table_lines(reports)
    assert first[:2] == ("Baker 2010", "fig. 5.2")
    assert first[6] == "5 runs, quick scale"
    assert second[1] == "section 5.1"
    assert second[6] == "no interval, quick scale"
    assert as_markdown(reports).count("[ga-curves](ga-curves.md)") == 2
    assert "data" not in kept(reports[0])


def test_a_file_that_is_no_report_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="holds no reports"):
        read_reports(tmp_path)
    (tmp_path / "some.json").write_text("[1, 2]")
    with pytest.raises(ValueError, match=r"some\.json is no report of a study"):
        read_reports(tmp_path)


def make_module() -> ModuleType:
    """The script that makes the docs' reports."""
    spec = importlib.util.spec_from_file_location("make_reports", DOCS / "make.py")
    assert spec is not None
    assert spec.loader is not None
    make = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make)
    return make


def test_the_page_of_the_docs_is_what_the_reports_give() -> None:
    assert make_module().readme() == (DOCS / "README.md").read_text(encoding="utf-8")


def test_finished_runs_are_kept_without_what_only_a_running_one_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done, going = tmp_path / "ga-la-full-0", tmp_path / "ga-la-full-7"
    for run in (done, going):
        run.mkdir()
        for name in ("recipe.json", "metrics.jsonl", "cost.json", "checkpoint.json"):
            (run / name).write_text("{}\n")
        (run / "bests.jsonl").write_text('{"generation": 0}\n{"generation": 1}\n')
    (done / "champion.json").write_text("{}")
    make = make_module()
    monkeypatch.setattr(make, "EVOLUTIONS", tmp_path / "kept")
    make.keep_runs(tmp_path)
    kept_files = sorted(str(path.relative_to(make.EVOLUTIONS)) for path in make.EVOLUTIONS.rglob("*.json*"))
    assert kept_files == [
        f"ga-la-full-0/{name}" for name in ("bests.jsonl", "champion.json", "cost.json", "metrics.jsonl", "recipe.json")
    ]
    assert (make.EVOLUTIONS / "ga-la-full-0" / "bests.jsonl").read_text() == '{"generation": 0}\n'


@pytest.mark.parametrize("folder", sorted(path.name for path in (DOCS / "evolutions").glob("*")))
def test_kept_evolutions_are_whole_and_of_the_recipes_of_today(folder: str) -> None:
    run = DOCS / "evolutions" / folder
    recipe, seed, checkpoint = resumed(run)
    assert folder == f"{recipe.name}-full-{seed}"
    assert recipe == RECIPES[recipe.name]
    assert checkpoint is None
    played = len(read_metrics(run))
    if recipe.name == LARGE:  # too long to be finished; only how far it went is kept
        assert 0 < played < recipe.school.generations
        return
    assert played == recipe.school.generations
    assert champion_agent(run / "champion.json", game_of(recipe)).name


def test_a_study_without_a_report_or_below_the_documents_scale_is_said_to_be() -> None:
    reports = read_reports(DOCS / "reports")
    full = {report["study"] for report in reports if report["scale"] == "full"}
    said = "\n".join(missing_scale(reports))
    assert {name for name in STUDIES if f"- `{name}` " in said} == set(STUDIES) - full
