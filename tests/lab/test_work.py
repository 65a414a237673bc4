"""What jobs do: evolutions, imports and contests end as they do on the command line, however often they are ended."""

import json
import shutil
from pathlib import Path

import pytest

from nemesis.lab.arena_work import Contest, cells, play, read_curves
from nemesis.lab.evolve_work import evolve, fresh_scores, metrics, options, run_folder
from nemesis.lab.import_work import import_hands
from nemesis.names import UnknownName
from nemesis.observe.store import open_store
from nemesis.respond.champion import read_champion

DATA = Path(__file__).parent.parent / "data"


def quiet(done: int, total: int, line: str) -> None:
    assert 0 <= done <= max(done, total)


def job(tmp_path: Path, name: str) -> Path:
    folder = tmp_path / "jobs" / name
    folder.mkdir(parents=True)
    return folder


def test_an_evolution_is_the_run_of_its_recipe_and_goes_on_where_it_was(tmp_path: Path) -> None:
    folder = job(tmp_path, "ga-la-1")
    asked = options("ga-la", seed=3, generations=4, population=6, games=4)
    score = evolve(asked, folder, quiet)
    run = run_folder(folder)
    assert run == tmp_path / "runs" / "ga-la-1"
    assert read_champion(run / "champion.json")["made"]["score"] == score
    assert [line["generation"] for line in metrics(run)] == [0, 1, 2, 3]
    assert [line["generation"] for line in fresh_scores(run)] == [0, 1, 2]
    assert all(0 <= line["fitness"] <= 1 for line in fresh_scores(run))
    again = evolve({**asked, "generations": 6}, folder, quiet)
    assert [line["generation"] for line in metrics(run)] == list(range(6))
    whole = job(tmp_path, "ga-la-2")
    assert evolve({**asked, "generations": 6}, whole, quiet) == again
    assert (run / "bests.jsonl").read_text() == (run_folder(whole) / "bests.jsonl").read_text()


def test_impossible_evolutions_are_refused_before_they_are_jobs() -> None:
    with pytest.raises(UnknownName, match="no recipe named 'ga-lx'; did you mean"):
        options("ga-lx", 0)
    with pytest.raises(ValueError, match="generations must be a whole number from 1 to 100,000, not 0"):
        options("ga-la", 0, generations=0)
    with pytest.raises(ValueError, match="a seed must be"):
        options("ga-la", -1)


def test_an_import_tells_what_was_new_and_why_something_was_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEMESIS_STORE", str(tmp_path / "hands.duckdb"))
    folder = job(tmp_path, "import-1")
    place = tmp_path / "uploads" / "import-1"
    place.mkdir(parents=True)
    shutil.copy(DATA / "pokerstars.phhs", place / "a.phhs")
    (place / "b.txt").write_text("this is a shopping list: eggs, milk, bread")
    done = import_hands({"from": "uploads/import-1", "game": None}, folder, quiet)
    with open_store(tmp_path / "hands.duckdb") as store:
        assert done["hands"] == done["total"] == store.number("SELECT count(*) FROM hands") > 20
    assert done["rejected"] == 1
    assert done["aside"][0]["file"] == "b.txt"
    assert "no hand history that is known" in done["aside"][0]["reason"]
    again = import_hands({"from": "uploads/import-1", "game": None}, folder, quiet)
    assert (again["hands"], again["skipped"]) == (0, 2)
    with pytest.raises(ValueError, match="does not lie in the lab's folder"):
        import_hands({"from": "../..", "game": None}, folder, quiet)


def test_a_contest_fills_its_cells_one_by_one_and_plays_only_what_is_missing(tmp_path: Path) -> None:
    folder = job(tmp_path, "arena-1")
    contest = Contest(("la", "tp", "call"), "limit", hands=400, seed=2, matches=4, length=40)
    told: list[str] = []
    done = play(contest.to_json(), folder, lambda at, total, line: told.append(f"{at}/{total} {line}"))
    assert done == {"unit": "mBB/hand", "hands": 1200}
    assert told[0] == "0/5 la against tp"
    assert [(cell.row, cell.column) for cell in cells(folder)] == contest.pairs
    assert all(cell.margin > 0 for cell in cells(folder))
    curves = read_curves(folder)
    assert [curve["column"] for curve in curves] == [1, 2]
    assert curves[0]["ends"][-1] == 40
    assert all(low <= mean <= high for mean, low, high in curves[0]["points"])
    lines = (folder / "pairs.jsonl").read_text().splitlines(keepends=True)
    (folder / "pairs.jsonl").write_text(lines[0] + lines[1][:10])  # as a killed process may leave it
    play(contest.to_json(), folder, quiet)
    assert [json.loads(line) for line in lines] == [vars(cell) for cell in cells(folder)]


def test_impossible_contests_are_refused() -> None:
    with pytest.raises(ValueError, match="an agent is named twice"):
        Contest(("la", "la"), "limit")
    with pytest.raises(ValueError, match="agents must be a whole number from 2"):
        Contest(("la",), "limit")
    with pytest.raises(UnknownName, match="no game named 'limt'; did you mean limit"):
        Contest(("la", "tp"), "limt")
