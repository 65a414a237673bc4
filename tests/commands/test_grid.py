"""`nemesis grid`: prints a pursuit and ends where there is no terminal, draws it where there is one, JSON for programs."""

import json
from pathlib import Path
from typing import Any

import pytest

from nemesis.commands import grid as command
from nemesis.commands.console import out
from nemesis.rules.grid_map import shipped_maps


def test_without_a_terminal_the_whole_pursuit_is_printed(nemesis: Any) -> None:
    told, _ = nemesis("grid", "--goal", "2", "--noise", "0", "--manner", "guard")
    assert "runner, move 13: arrived" in told
    assert "goal 2 #" in told
    assert told.count("UP") == 13
    assert "halmoids, noise 0, directions steers, guard; 13 rounds, seed 0" in told


def test_on_a_terminal_every_round_is_shown(nemesis: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(command.time, "sleep", slept.append)
    monkeypatch.setattr(type(out), "is_terminal", property(lambda console: True))
    nemesis("grid", "--goal", "3", "--noise", "0", "--manner", "guard", "--delay", "0.01")
    assert slept == [0.01] * 14


def test_json_has_every_position_and_belief(nemesis: Any) -> None:
    told = json.loads(nemesis("grid", "--map", "fleet", "--seed", "3", "--json")[0])
    assert len(told["runners"]) == len(told["interceptors"]) == 3
    for runner in told["runners"]:
        assert runner["goal"] in told["goals"]
        assert len(runner["way"]) == runner["moves"] + 1 == len(runner["beliefs"]["directions"])
        assert all(sum(belief) == pytest.approx(1) for belief in runner["beliefs"]["cost"])
    assert told == json.loads(nemesis("grid", "--map", "fleet", "--seed", "3", "--json")[0])


def test_many_pursuits_are_counted_with_intervals(nemesis: Any) -> None:
    told = json.loads(nemesis("grid", "-n", "500", "--noise", "0.2", "--manner", "guard", "--json")[0])
    assert [row["outcome"] for row in told["results"]] == ["intercepted", "arrived", "at sea"]
    assert sum(row["mean"] for row in told["results"]) == pytest.approx(1)
    assert all(row["ci95"][0] <= row["mean"] <= row["ci95"][1] for row in told["results"])
    assert "share of runners" in nemesis("grid", "-n", "500", "--map", "fleet")[0]


def test_maps_are_listed(nemesis: Any) -> None:
    assert [row["map"] for row in json.loads(nemesis("grid", "--map", "list", "--json")[0])] == list(shipped_maps())
    assert "3 v 3" in nemesis("grid", "--map", "list")[0]


def test_a_map_of_ones_own_is_played_and_a_wrong_one_told(nemesis: Any, tmp_path: Path) -> None:
    (tmp_path / "bay.txt").write_text("1..2\n....\n.ri.\n")
    assert json.loads(nemesis("grid", "--map", str(tmp_path / "bay.txt"), "--json")[0])["map"] == "bay"
    (tmp_path / "bay.txt").write_text("1..2\n.?..\n.ri.\n")
    told, error = nemesis("grid", "--map", str(tmp_path / "bay.txt"), code=2)
    assert not told
    assert "line 2, column 2: '?' means nothing" in error
    assert "has no goal '7'" in nemesis("grid", "--goal", "7", code=2)[1]
