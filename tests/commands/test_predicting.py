"""What people do next, from the command line."""

import json
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).parent.parent / "data"
STARS = str(DATA / "pokerstars.phhs")


def test_the_score_has_the_documented_keys(nemesis: Any) -> None:
    report = json.loads(nemesis("predict", STARS, "--score", "--json")[0])
    keys = {"decisions", "accuracy", "log_loss", "ece", "log_loss_ci95", "public_log_loss", "gain", "gain_ci95"}
    for part in ("all", "voluntary", "unseen"):
        assert keys <= set(report[part])
    assert report["hands_in_training"] == 0
    assert report["unseen"]["decisions"] == report["all"]["decisions"]  # a room that it was not trained on
    low, high = report["all"]["log_loss_ci95"]
    assert low < report["all"]["log_loss"] < high
    assert report["model"]["command"].startswith("nemesis predict ")


def test_every_decision_of_the_last_hand_is_shown(nemesis: Any) -> None:
    rows = json.loads(nemesis("predict", STARS, "--json")[0])["decisions"]
    assert len({row["hand"] for row in rows}) == 1
    for row in rows:
        assert row["fold"] + row["call"] + row["raise"] == pytest.approx(1)
        assert sum(row["sizes"].values()) == pytest.approx(1)
        assert (row["size"] is None) == (row["done"] != "raise")
    name = rows[0]["player"]
    only = json.loads(nemesis("predict", STARS, "--player", name, "--hands", "50", "--json")[0])["decisions"]
    assert {row["player"] for row in only} == {name}
    assert [row["known_decisions"] for row in only] == list(range(len(only)))
    assert name in nemesis("predict", STARS)[0]


def test_without_files_the_store_is_predicted(nemesis: Any, tmp_path: Path) -> None:
    """The same hands, the same answers; and a model is trained from it by one command."""
    store = str(tmp_path / "hands.duckdb")
    nemesis("import", STARS, "--store", store)
    from_store, from_file = (
        json.loads(nemesis("predict", *arguments, "--hands", "5", "--json")[0])["decisions"]
        for arguments in (("--store", store), (STARS,))
    )
    assert from_store == from_file
    told = nemesis("predict", "--store", store, "--train", str(tmp_path / "own.npz"), code=2)[1]
    assert "at least 500 hands to learn from" in told


def test_the_strength_of_the_last_shown_hands(nemesis: Any) -> None:
    ongame = str(DATA / "ongame.phhs")
    rows = json.loads(nemesis("predict", ongame, "--strength", "--hands", "3", "--json")[0])["shown"]
    assert 1 <= len({row["hand"] for row in rows}) <= 3
    for row in rows:
        assert set(row) == {"hand", "player", "median", "mean", "strength"}
        assert all(0 <= row[name] <= 1 for name in ("median", "mean", "strength"))
    name = rows[-1]["player"]
    assert name in nemesis("predict", ongame, "--strength", "--player", name)[0]
    assert "nobody showed cards" in nemesis("predict", ongame, "--strength", "--player", "Nobody", code=2)[1]
    assert "no --score" in nemesis("predict", ongame, "--strength", "--score", code=2)[1]


def test_mistakes_are_sentences(nemesis: Any, tmp_path: Path) -> None:
    assert "there is no store of hands" in nemesis("predict", "--store", str(tmp_path / "none.duckdb"), code=2)[1]
    assert "not both" in nemesis("predict", STARS, "--store", str(tmp_path / "none.duckdb"), code=2)[1]
    (tmp_path / "stars.txt").write_text("PokerStars Hand #1: ")
    assert "nemesis import" in nemesis("predict", str(tmp_path / "stars.txt"), code=2)[1]
    (tmp_path / "stars.txt").unlink()
    assert "nobody called 'Nobody'" in nemesis("predict", STARS, "--player", "Nobody", code=2)[1]
    told = nemesis("predict", STARS, "--train", str(tmp_path / "own.npz"), code=2)[1]
    assert "at least 500 hands to learn from" in told
    assert list(tmp_path.iterdir()) == []
