"""The studies of real players run from end to end on a store, and refuse one that is too small."""

from pathlib import Path

import pytest

import nemesis
from nemesis.observe.importing import import_files
from nemesis.observe.store import StoreError, open_store
from nemesis.studies.stored_players import result_groups
from nemesis.studies.study import Setting, run_study, study_named

STUDIES = (
    "pom-learning", "pom-windows", "pom-tracking", "pom-accuracy", "real-styles", "clone-fidelity", "range-posterior",
    "shown-strength",
)  # fmt: skip
SIX = ("nl-la", "nl-lp", "nl-ta", "hp", "cs", "rg")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of hands of six of our own players, some with five of them at the table."""
    folder = tmp_path_factory.mktemp("six")
    nemesis.table(SIX, game="no-limit-6", hands=240, match_hands=240, seed=5, hands_to=folder / "six.phhs", workers=1)
    nemesis.table(
        SIX[:5], game="no-limit-6", hands=60, match_hands=60, seed=6, hands_to=folder / "five.phhs", workers=1
    )
    with open_store(folder / "six.duckdb", writing=True) as opened:
        import_files(opened, [folder / "six.phhs", folder / "five.phhs"])
    return folder / "six.duckdb"


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_leaves_a_report_and_its_picture(
    name: str, store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEMESIS_STORE", str(store))
    report = run_study(study_named(name), Setting("smoke", 0, 1, tmp_path))
    assert report.rows
    assert (tmp_path / f"{name}.png").read_bytes().startswith(b"\x89PNG")


def test_a_store_that_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEMESIS_STORE", str(tmp_path / "none.duckdb"))
    with pytest.raises(StoreError, match=r"this study measures real players: there is no store of hands at .*none"):
        run_study(study_named("pom-learning"), Setting("smoke", 0, 1, tmp_path))


def test_players_are_grouped_by_what_they_won(store: Path) -> None:
    with open_store(store) as opened:
        groups = result_groups(opened, 2, 200)
        with pytest.raises(StoreError, match="has 6 players with at least 200 hands; this study needs 9"):
            result_groups(opened, 3, 200)
    most = [max(player.won for player in groups[name]) for name in ("weak", "average")]
    assert most[0] < min(player.won for player in groups["average"])
    assert most[1] < min(player.won for player in groups["strong"])
