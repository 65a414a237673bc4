"""`nemesis profile`, as it is typed."""

import json
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent.parent
SAMPLE = str(ROOT / "examples/histories")
PLAYER = "ABjbqbnS5RmWmm7K73KQvw"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    from nemesis.observe.importing import history_files, import_files
    from nemesis.observe.store import open_store

    path = tmp_path_factory.mktemp("profiles") / "sample.duckdb"
    with open_store(path, writing=True) as opened:
        import_files(opened, history_files([Path(SAMPLE)]))
    return str(path)


def test_a_profile_for_people_and_for_programs(store: str, tmp_path: Path, nemesis: Any) -> None:
    folder = tmp_path / "his"
    page = nemesis("profile", PLAYER, "--store", store, "--out", str(folder))[0]
    assert "455 hands" in page
    assert "Kind: " in page
    told = json.loads(nemesis("profile", PLAYER, "--store", store, "--json")[0])
    assert told == json.loads((folder / "profile.json").read_text())
    assert (folder / "profile.png").read_bytes().startswith(b"\x89PNG")
    assert (folder / "profile.md").read_text().startswith(f"# {PLAYER}")
    assert told["kind"]["words"].split()[0] == ("loose" if told["kind"]["loose"] else "tight")
    assert told["numbers"]["vpip"]["of"] == 455
    assert len(told["deviations"]) <= told["compared"]


def test_a_deviation_comes_with_hands_that_show_it(store: str, nemesis: Any) -> None:
    """What is listed for doing something more often are hands in which it was done."""
    told = json.loads(nemesis("profile", PLAYER, "--store", store, "--json")[0])
    assert told["deviations"]
    for found in told["deviations"]:
        outside = found["ci95"][0] > found["population"] or found["ci95"][1] < found["population"]
        assert outside
        assert found["hands"]
        if found["position"] is None:
            hands = json.loads(
                nemesis("stats", PLAYER, "--hands", found["number"], "--limit", "9999", "--store", store, "--json")[0]
            )["hands"]
            made = {hand["hand"]: hand["made"] for hand in hands}
            assert all((made[hand] > 0) == found["more"] for hand in found["hands"])


def test_a_player_who_is_not_there_is_named(store: str, nemesis: Any) -> None:
    _, said = nemesis("profile", "nobody", "--store", store, code=2)
    assert "nobody called 'nobody' is in the store" in said
