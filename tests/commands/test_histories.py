"""The commands about real players, as they are typed."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent.parent
SAMPLE = str(ROOT / "examples/histories")
PLAYER = "ABjbqbnS5RmWmm7K73KQvw"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("commands") / "sample.duckdb")


@pytest.fixture
def typed(nemesis: Any) -> Callable[..., str]:
    return lambda *arguments: str(nemesis(*arguments)[0])


@pytest.fixture
def reported(nemesis: Any) -> Callable[..., Any]:
    return lambda *arguments: json.loads(nemesis(*arguments, "--json")[0])


def test_from_a_folder_to_a_players_numbers(
    store: str, tmp_path: Path, typed: Callable[..., str], reported: Callable[..., Any]
) -> None:
    first = reported("import", SAMPLE, "--store", store)
    assert (first["hands"], first["known"], first["rejected"]) == (600, 0, 0)
    again = reported("import", SAMPLE, "--store", store)
    assert (again["hands"], again["skipped_files"], again["total_hands"]) == (0, 1, 600)
    found = reported("players", "--store", store, "--least", "100")
    best = found["results"][0]
    assert (best["player"], best["room"], best["hands"]) == (PLAYER, "Ongame Network", 455)
    stats = reported("stats", PLAYER, "--by", "position", "--store", store)
    assert stats["numbers"] == best["numbers"]
    vpip = stats["numbers"]["vpip"]
    assert vpip["ci95"][0] < vpip["estimate"] < vpip["ci95"][1]
    assert vpip["of"] == 455 == sum(part["hands"] for part in stats["parts"])
    raised = reported("stats", PLAYER, "--hands", "three_bet", "--limit", "999", "--store", store)["hands"]
    assert sum(hand["made"] for hand in raised) == stats["numbers"]["three_bet"]["made"]
    file = str(tmp_path / "his.phhs")
    (written,) = reported("export", file, "--player", PLAYER, "--store", store)["files"]
    assert written == {"file": file, "rows": 455}
    table = typed("stats", PLAYER, "--store", store)
    assert "455 hands" in table
    assert "fold to 3-bet" in table
    assert "all-ins adjusted" in table
    assert PLAYER in typed("players", "--named", PLAYER[:6], "--store", store)
    assert "600 rows" in typed("export", str(tmp_path / "hands.csv"), "--store", store)


def test_hands_set_aside_are_listed(tmp_path: Path, typed: Callable[..., str], reported: Callable[..., Any]) -> None:
    (tmp_path / "omaha.phhs").write_text("[1]\nvariant = 'PO'\n")
    (tmp_path / "stud.txt").write_text("PokerStars Hand #1:  7 Card Stud Limit ($1/$2) - 2024/01/01 10:00:00 ET\n\n\n")
    (tmp_path / "notes.txt").write_text("call more\n")
    store = str(tmp_path / "s.duckdb")
    told = reported("import", str(tmp_path), "--rejected", "--store", store)
    assert told["rejected"] == 3
    reasons = {Path(hand["file"]).name: hand["reason"] for hand in told["set_aside"]}
    assert "known are NT" in reasons["omaha.phhs"]
    assert reasons["stud.txt"] == "this is Stud; only Texas hold'em is read"
    assert "no hand history that is known" in reasons["notes.txt"]
    assert "3 hands set aside" in typed("import", "--rejected", "--store", store)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["stats", "Nobody", "--store", "STORE"], "nobody called 'Nobody' is in the store"),
        (["stats", PLAYER, "--by", "mood", "--store", "STORE"], "'mood' divides no hands"),
        (["stats", PLAYER, "--hands", "luck", "--store", "STORE"], "'luck' is not a number"),
        (["stats", PLAYER, "--since", "July", "--store", "STORE"], "'July' is not a day"),
        (["players", "--store", "missing.duckdb"], "there is no store of hands at missing.duckdb"),
        (["import", "missing.phhs", "--store", "STORE"], "there is no file missing.phhs"),
        (["import", "--store", "STORE"], "name the files or folders to import"),
        (["export", "x.xls", "--store", "STORE"], "not 'xls'"),
    ],
)
def test_mistakes_are_sentences(store: str, nemesis: Any, arguments: list[str], sentence: str) -> None:
    nemesis("import", SAMPLE, "--store", store)
    _, said = nemesis(*(store if word == "STORE" else word for word in arguments), code=2)
    assert sentence in " ".join(said.split())
