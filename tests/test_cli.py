"""The command line as people and programs use it: answers, JSON, and a sentence for every mistake."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from nemesis import __version__

EXAMPLE = str(Path(__file__).parent.parent / "examples" / "patient.py") + ":Patient"


def test_duel_json_has_the_documented_keys(nemesis: Any) -> None:
    out, _ = nemesis("duel", "la", "tp", "--game", "limit", "--hands", "2000", "--seed", "5", "--json")
    report = json.loads(out)
    keys = {"game", "players", "hands", "unit", "results", "seed", "hands_per_second"}
    assert keys <= set(report)
    assert report["players"] == ["la", "tp"]
    assert report["seed"] == 5
    assert [set(row) for row in report["results"]] == [{"player", "mean", "ci95"}] * 2
    low, high = report["results"][0]["ci95"]
    assert low <= report["results"][0]["mean"] <= high


def test_an_interval_without_bound_is_null(nemesis: Any) -> None:
    out, _ = nemesis("duel", "call", "random", "--game", "kuhn", "--hands", "1", "--json")
    assert json.loads(out)["results"][0]["ci95"] == [None, None]


def test_table_and_tournament(nemesis: Any) -> None:
    out, _ = nemesis("table", "la", "la", "tp", "--game", "limit", "--hands", "600", "--json")
    assert json.loads(out)["players"] == ["la", "la#2", "tp"]
    out, _ = nemesis("tournament", "la", "tp", "-n", "200", "--json")
    assert json.loads(out)["unit"] == "share of tournaments"


def test_the_example_agent_plays_by_its_path(nemesis: Any) -> None:
    out, _ = nemesis("duel", EXAMPLE, "la", "--game", "limit", "--hands", "1000", "--json")
    assert json.loads(out)["players"] == ["Patient", "la"]


def test_people_get_a_table(nemesis: Any) -> None:
    out, _ = nemesis("duel", "la", "tp", "--game", "no-limit", "--hands", "1000")
    assert "95 % interval" in out
    assert "hands/s" in out


@pytest.mark.parametrize("command", ["games", "agents"])
def test_listings(nemesis: Any, command: str) -> None:
    out, _ = nemesis(command)
    rows = json.loads(nemesis(command, "--json")[0])
    assert all(row[command[:-1]] in out and row["about"] for row in rows)


def test_matrix_draws_a_picture(nemesis: Any, tmp_path: Path) -> None:
    picture = tmp_path / "matrix.png"
    out, _ = nemesis("matrix", "la", "tp", "call", "-n", "500", "--picture", str(picture), "--json")
    means = json.loads(out)["means"]
    assert means[0][1] == pytest.approx(-means[1][0])
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert list(tmp_path.iterdir()) == [picture]


def test_equity_of_published_hands(nemesis: Any) -> None:
    out, _ = nemesis("equity", "AsAh", "--json")
    report = json.loads(out)
    assert report["equity"] == pytest.approx(0.852037, abs=5e-7)
    assert report["exact"] is True
    out, _ = nemesis("equity", "AsKs", "--board", "7h8h9h", "--json")
    assert {"strength", "positive_potential", "negative_potential"} <= set(json.loads(out))


def test_replay_of_the_sample(nemesis: Any) -> None:
    sample = Path(__file__).parent / "data" / "pluribus.phhs"
    report = json.loads(nemesis("replay", str(sample), "--json")[0])
    assert report["agree"] == report["hands"] > 40
    assert report["results"][0]["payoffs"] == report["results"][0]["published"]


def test_doctor(nemesis: Any) -> None:
    report = json.loads(nemesis("doctor", "--json")[0])
    assert report["cores"] >= 1
    assert all(table["ok"] for table in report["tables"])


def test_play_until_leaving(monkeypatch: pytest.MonkeyPatch, nemesis: Any) -> None:
    answers = iter(["?", "r 9999", "c", "f", "q"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(answers, "q"))
    out, _ = nemesis("play", "raise", "--game", "limit", "--seed", "3", "--hints")
    assert "f fold" in out
    assert "a raise must be to 30, not '9999'" in out
    assert "you left the table" in out


MISTAKES = {
    "an unknown agent, with the nearest": (["duel", "lap", "tp"], "did you mean lp or la"),
    "an unknown game": (["duel", "la", "tp", "--game", "limt"], "did you mean limit"),
    "no such file": (["duel", "nowhere.py:Me", "tp"], "there is no file nowhere.py"),
    "no such class": (["duel", EXAMPLE.replace("Patient", "Patent"), "tp"], "did you mean Patient"),
    "a parameter that is none": (["duel", "style:alpha=x", "tp"], "is not a parameter"),
    "a missing parameter": (["duel", "style:alpha=0.2", "tp"], "needs beta"),
    "an unknown parameter": (["duel", "la:alpha=0.2", "tp"], "does not take alpha"),
    "an impossible style": (["duel", "style:alpha=0.9,beta=0.1", "tp"], "0 <= alpha <= beta <= 1"),
    "an impossible card": (["equity", "1sKs"], "1s is not a card"),
    "a card twice": (["equity", "AsKs", "--board", "As2c3d"], "As appears twice"),
    "too many seats": (["table", *["la"] * 23, "--game", "no-limit"], "cannot be dealt to 23 seats"),
    "a negative stack": (
        ["duel", "la", "tp", "--stack", "-5"],
        "a stack must be a whole number from 1 to 2,147,483,647",
    ),
    "no hands": (["duel", "la", "tp", "--hands", "0"], "hands must be a whole number from 1 to"),
    "a nonsense precision": (["duel", "la", "tp", "--precision", "often"], "is not a precision"),
    "a missing history": (["replay", "missing.phh"], "missing.phh"),
    "a range that is none": (["equity", "AsKs", "--vs", "ZZ+"], "ZZ+"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_a_sentence(nemesis: Any, mistake: str) -> None:
    arguments, sentence = MISTAKES[mistake]
    out, err = nemesis(*arguments, code=2)
    assert out == ""
    assert sentence in " ".join(err.split())
    assert "Traceback" not in err


def test_a_users_agent_that_fails_is_named(nemesis: Any, tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text(
        "import nemesis, time\n"
        "class Raises(nemesis.Agent):\n    def act(self, view): return 1 // 0\n"
        "class Nonsense(nemesis.Agent):\n    def act(self, view): return 'all in'\n"
        "class Sleeper(nemesis.Agent):\n    def act(self, view): time.sleep(60)\n"
    )
    for name, sentence in (
        ("Raises", "agent Raises raised ZeroDivisionError"),
        ("Nonsense", "agent Nonsense answered 'all in'"),
        ("Sleeper", "agent Sleeper did not answer within 0.2 s"),
    ):
        _, err = nemesis("duel", f"{bad}:{name}", "call", "--hands", "10", "--time-limit", "0.2", code=2)
        assert sentence in " ".join(err.split())
    broken = tmp_path / "broken.py"
    broken.write_text("def oops(:\n")
    _, err = nemesis("duel", f"{broken}:Me", "call", code=2)
    assert "cannot be loaded: SyntaxError" in " ".join(err.split())


def test_truncated_history_is_a_sentence(nemesis: Any, tmp_path: Path) -> None:
    sample = (Path(__file__).parent / "data" / "pluribus.phhs").read_text()
    cut = tmp_path / "cut.phhs"
    cut.write_text(sample[:700])
    _, err = nemesis("replay", str(cut), code=1)
    assert "cut.phhs" in " ".join(err.split())


def test_a_cache_that_cannot_be_used_is_a_sentence(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    finished = subprocess.run(
        [sys.executable, "-m", "nemesis.cli", "duel", "la", "tp", "--hands", "10"],
        env={"PATH": "", "NEMESIS_CACHE": str(blocked / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 2
    assert "NEMESIS_CACHE" in finished.stderr
    assert "Traceback" not in finished.stderr


def test_help_teaches(nemesis: Any) -> None:
    for command in ("duel", "table", "tournament", "play", "equity", "replay", "bench", "doctor", "matrix"):
        out, _ = nemesis(command, "--help")
        assert len(out) > 200, command


@pytest.fixture
def ashe_file(tmp_path: Path) -> str:
    """A champion that nobody evolved."""
    import numpy as np

    from nemesis.respond.ashe import COMPACT
    from nemesis.respond.ashe_file import packed_genes
    from nemesis.respond.champion import save_champion

    genes = np.random.default_rng(1).normal(0.0, 1.0, COMPACT.genes)
    player = {"kind": "ashe", "blocks": COMPACT.blocks, "cells": COMPACT.cells, "hidden": COMPACT.hidden}
    path = tmp_path / "wild.json"
    save_champion(path, "wild", player, packed_genes(genes), {"recipe": {"about": "chance"}, "command": "none"})
    return str(path)


def test_a_tree_is_printed_with_its_most_visited_lines_first(nemesis: Any, ashe_file: str) -> None:
    out, _ = nemesis("tree", ashe_file, "nl-lp", "--hands", "100", "--lines", "5", "--json")
    report = json.loads(out)
    visits = [line["visits"] for line in report["lines"]]
    assert visits[:2] == [50, 50]
    assert visits == sorted(visits, reverse=True)
    out, _ = nemesis("tree", ashe_file, "nl-lp", "--hands", "100", "--lines", "5")
    assert "(root)" in out


def test_every_decision_can_be_explained(nemesis: Any, ashe_file: str) -> None:
    out, _ = nemesis("explain", ashe_file, "hm", "--after", "20", "--hands", "2", "--json")
    decisions = json.loads(out)
    assert {decision["hand"] for decision in decisions} == {20, 21}
    assert {"action", "to", "win", "fold", "utility"} == set(decisions[0]["thoughts"][0])
    assert {decision["opponent"] for decision in decisions} == {"anybody"}
    out, _ = nemesis("explain", ashe_file, "hm", "--after", "20", "--hands", "2")
    assert "→" in out
    assert "takes the opponent for" not in out


def test_what_kind_an_opponent_is_taken_for_is_explained(nemesis: Any) -> None:
    out, _ = nemesis("explain", "ashe-team", "hm", "--after", "20", "--hands", "1")
    assert "it takes the opponent for a stayer" in out.replace("\n", " ")


def test_a_player_that_believes_nothing_cannot_be_explained(nemesis: Any) -> None:
    _, err = nemesis("explain", "hp", "hm", code=2)
    assert "give one of the ashe champions" in err


def test_other_stacks_are_played_and_said(nemesis: Any, ashe_file: str) -> None:
    _, err = nemesis("duel", ashe_file, "cm", "--stack", "1000", "--hands", "200", "--match", "100")
    assert "evolved with 200 big blinds a stack; here it has 10" in err


def test_a_champion_of_another_size_is_refused(nemesis: Any, ashe_file: str) -> None:
    from nemesis.respond.champion import read_champion, save_champion

    content = read_champion(Path(ashe_file))
    wrong = Path(ashe_file).with_name("wrong.json")
    save_champion(wrong, "wrong", {**content["player"], "blocks": 9}, content["genome"], content["made"])
    _, err = nemesis("duel", str(wrong), "cm", "--hands", "100", code=2)
    assert "genes, but was given 2650" in err


def test_the_demo_meets_ten_strangers(nemesis: Any, ashe_file: str, tmp_path: Path) -> None:
    out, _ = nemesis("demo", "--player", ashe_file, "--folder", str(tmp_path), "--json")
    assert len(json.loads(out)["strangers"]) == 10


@pytest.mark.parametrize("given", ["0", "-1", "3000", "two", "ray://", "99999999999999999999"])
def test_workers_out_of_reach_are_refused_before_work_starts(given: str, nemesis: Any) -> None:
    for command in ("duel la tp", "tournament la tp", "matrix", "evolve ga-la", "study ordering"):
        _, complaint = nemesis(*command.split(), "--workers", given, code=2)
        assert f"cannot work with {given} workers" in " ".join(complaint.replace("│", " ").split())


@pytest.mark.parametrize("command", ["--version", "--help", "games", "agents", "study list", "evolve list"])
def test_what_plays_nothing_compiles_nothing(command: str, tmp_path: Path) -> None:
    finished = subprocess.run(
        [sys.executable, "-m", "nemesis.cli", *command.split()],
        env={**os.environ, "NEMESIS_CACHE": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (finished.returncode, finished.stderr) == (0, "")
    assert not list(tmp_path.rglob("*.nb[ic]"))


def test_the_version(nemesis: Any) -> None:
    assert nemesis("--version")[0] == f"nemesis {__version__}\n"
    assert "nemesis [OPTIONS] COMMAND" in nemesis()[0]


def test_long_work_tells_its_progress_without_a_terminal(nemesis: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nemesis.commands.console.LINE_SECONDS", 0.05)
    _, told = nemesis("duel", EXAMPLE, "la", "--hands", "30000", "--workers", "1", "--json")
    assert re.search(rf"^nemesis: {re.escape(EXAMPLE)} v la: [0-9,]+ of 30,000 hands \([0-9]+ s\)$", told, re.M)


def test_an_endless_file_tells_that_it_is_being_read(
    nemesis: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def never_ending(files: list[Path]) -> Iterator[Any]:
        time.sleep(0.5)
        yield from ()

    monkeypatch.setattr("nemesis.commands.console.LINE_SECONDS", 0.05)
    monkeypatch.setattr("nemesis.observe.replay.check_files", never_ending)
    (tmp_path / "hands.phhs").write_text("")
    _, told = nemesis("replay", str(tmp_path / "hands.phhs"))
    assert "nemesis: hands replayed (0 s)" in told
