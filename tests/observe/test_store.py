"""The store: every hand once, whatever happens; the same hands out again."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow.ipc
import pytest

from nemesis.observe import store as store_module
from nemesis.observe import stored_hands
from nemesis.observe.exporting import export_hands, export_tables
from nemesis.observe.history import joined, read_history
from nemesis.observe.importing import import_files
from nemesis.observe.store import Store, StoreError, open_store
from nemesis.observe.stored_hands import stored_history

DATA = Path(__file__).parent.parent / "data"
TEXT = (DATA / "pokerstars.phhs").read_text()


def count(store: Store, table: str) -> int:
    return store.number(f"SELECT count(*) FROM {table}")


def copies(folder: Path, files: int) -> Path:
    """Files of the same hands with new names of hands and players."""
    folder.mkdir()
    for number in range(files):
        (folder / f"{number:02}.phhs").write_text(TEXT.replace("hand = 5", f"hand = {100 + number}"))
    return folder


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("store") / "hands.duckdb"
    with open_store(place, writing=True) as store:
        import_files(store, [DATA])
    return place


def test_rows_of_hands_seats_and_actions_fit_together(filled: Path) -> None:
    history = read_history(sorted(DATA.glob("*.phhs")))
    with open_store(filled) as store:
        assert count(store, "hands") == len(history)
        assert count(store, "seats") == history.hands["seats"].sum()
        assert count(store, "actions") == len(history.actions)
        assert count(store, "players") == len({*store.rows("SELECT name, room FROM players")})
        assert count(store, "rejected") == len(history.rejected)
        assert store.number("SELECT count(*) FROM actions WHERE amount > stack") == 0
        lost = "SELECT count(*) FROM seats WHERE spent > stack OR by_rules < -spent"
        assert store.number(lost) == 0


def test_what_comes_out_is_what_went_in(filled: Path) -> None:
    history = read_history(sorted(DATA.glob("*.phhs")))
    with open_store(filled) as store:
        (again,) = stored_history(store)
    for field in ("seats", "actions", "shown", "stacks", "payoffs", "hole", "board", "seat"):
        assert np.array_equal(again.hands[field], history.hands[field]), field
    for field in ("position", "street", "action", "to", "amount", "to_call", "pot"):
        assert np.array_equal(again.actions[field], history.actions[field]), field
    for field in ("key", "time", "scale", "big_blind", "result", "decided", "posts", "live", "spent", "replayed"):
        assert np.array_equal(again.about[field], history.about[field]), field
    assert again.ids.tolist() == history.ids.tolist()
    assert [again.players[p] for p in again.hands["player"][:, 1]] == [
        history.players[p] for p in history.hands["player"][:, 1]
    ]


def test_parts_that_are_read_apart_can_be_joined(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rooms and tables have the same numbers in every part, though a part may not have the first room."""
    with open_store(filled) as store:
        (whole,) = stored_history(store)
        monkeypatch.setattr(stored_hands, "PART", 7)
        again = joined(list(stored_history(store)))
    assert len(set(whole.about["room"].tolist())) > 1
    for field in ("room", "table", "currency"):
        told = [[history.labels[at] for at in history.about[field]] for history in (whole, again)]
        assert told[0] == told[1]


def test_facts_of_known_cards_are_stored(filled: Path) -> None:
    with open_store(filled) as store:
        known = store.rows(
            "SELECT win, strength, cards FROM actions a JOIN seats s USING (hand, position) WHERE cards IS NOT NULL"
        )
        unknown = (
            "SELECT count(*) FROM actions a JOIN seats s USING (hand, position) WHERE cards IS NULL AND win IS NOT NULL"
        )
        assert store.number(unknown) == 0
        aces = store.rows(
            """SELECT win FROM actions a JOIN seats s USING (hand, position)
            WHERE street = 0 AND cards SIMILAR TO 'A.A.'"""
        )
    assert all(0 <= win <= 1 and 0 <= strength <= 1 for win, strength, _ in known)
    assert aces
    assert all(win == pytest.approx(0.8520, abs=1e-4) for (win,) in aces)


def test_a_hand_twice_is_one_hand(tmp_path: Path) -> None:
    first, second = tmp_path / "a.phhs", tmp_path / "b.phhs"
    first.write_text(TEXT)
    second.write_text(TEXT + TEXT.replace("hand = 5", "hand = 6"))
    with open_store(tmp_path / "s.duckdb", writing=True) as store:
        hands = import_files(store, [first]).hands
        done = import_files(store, [first, second])
        assert (done.hands, done.known, done.skipped) == (hands, hands, 1)
        assert count(store, "hands") == 2 * hands
        assert import_files(store, [tmp_path]).skipped == 2


def test_a_changed_file_is_read_again_and_rejected_hands_are_not_doubled(tmp_path: Path) -> None:
    file = tmp_path / "a.phhs"
    file.write_text("[1]\nvariant = 'NO'\n")
    with open_store(tmp_path / "s.duckdb", writing=True) as store:
        import_files(store, [file])
        file.write_text("[1]\nvariant = 'NO'\n[2]\nvariant = 'NS'\n")
        import_files(store, [file])
        (first, second) = store.rejected()
    assert (first.line, second.line) == (2, 4)
    assert "known are NT (no-limit hold'em)" in first.reason


def test_killed_imports_leave_whole_hands_and_are_resumed(tmp_path: Path) -> None:
    folder, place = copies(tmp_path / "hands", 12), tmp_path / "s.duckdb"
    code = (
        "import sys; from pathlib import Path; from nemesis.observe import importing; importing.BATCH = 1 << 14\n"
        "from nemesis.observe.store import open_store\n"
        "with open_store(Path(sys.argv[1]), writing=True) as store:\n"
        "    print('open', flush=True); importing.import_files(store, [sys.argv[2]])\n"
    )
    chance = random.Random(5)
    for _ in range(3):
        with subprocess.Popen([sys.executable, "-c", code, place, folder], stdout=subprocess.PIPE) as child:
            assert child.stdout is not None
            child.stdout.readline()
            time.sleep(chance.random() * 0.5)
            os.kill(child.pid, signal.SIGKILL)
        with open_store(place) as store:
            assert_whole(store)
    with open_store(place, writing=True) as store:
        import_files(store, [folder])
        assert_whole(store)
        assert count(store, "hands") == len(read_history([folder]))
        assert store.number("SELECT count(*) FROM files WHERE NOT finished") == 0


def assert_whole(store: Store) -> None:
    """No hand twice, none without its seats and actions, none of these without a hand."""
    assert store.number("SELECT count(*) - count(DISTINCT key) FROM hands") == 0
    for table, field in (("seats", "seats"), ("actions", "actions")):
        parts = f"SELECT coalesce(hand, h) AS hand FROM (SELECT hand AS h, count(*) AS n FROM {table} GROUP BY hand)"
        wrong = f"{parts} FULL JOIN hands ON h = hand WHERE h IS NULL AND {field} > 0 OR hand IS NULL OR n <> {field}"
        assert store.rows(wrong) == []


def test_tables_for_other_programs(filled: Path, tmp_path: Path) -> None:
    with open_store(filled) as store:
        hands = count(store, "hands")
        assert export_tables(store, tmp_path / "hands.parquet") == {str(tmp_path / "hands.parquet"): hands}
        assert export_tables(store, tmp_path / "hands.csv") == {str(tmp_path / "hands.csv"): hands}
        export_tables(store, tmp_path / "seats.arrow", "seats")
        assert len(export_tables(store, tmp_path / "all")) == 6
        with pytest.raises(StoreError, match="'odds' is not a table"):
            export_tables(store, tmp_path / "x.csv", "odds")
        with pytest.raises(StoreError, match="parquet, csv, arrow files, not 'xls'"):
            export_tables(store, tmp_path / "x.xls")
        there = store.number("SELECT count(*) FROM read_parquet(?)", [str(tmp_path / "all" / "hands.parquet")])
    assert there == hands == len((tmp_path / "hands.csv").read_text().splitlines()) - 1
    with pyarrow.ipc.open_file(tmp_path / "seats.arrow") as reader:
        assert reader.read_all().column("player").null_count == 0


@pytest.mark.parametrize("suffix", [".phhs", ".prf"])
def test_hands_go_out_as_text_and_are_the_same_hands_when_they_come_in(
    filled: Path, tmp_path: Path, suffix: str
) -> None:
    file = tmp_path / f"hands{suffix}"
    sums = "SELECT sum(payoff), sum(spent), sum(stack), sum(uncalled), sum(counts) FROM seats"
    with open_store(filled) as store:
        written = export_hands(store, file)
        assert written == count(store, "hands")
        keys, before = store.rows("SELECT key FROM hands ORDER BY key"), store.rows(sums)
    with open_store(tmp_path / "again.duckdb", writing=True) as store:
        done = import_files(store, [file])
        assert (done.hands, done.rejected) == (written, 0)
        assert store.rows("SELECT key FROM hands ORDER BY key") == keys
        assert store.rows(sums) == before


def test_stores_that_cannot_be_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(StoreError, match="there is no store of hands at"), open_store(tmp_path / "no.duckdb"):
        pass
    text = tmp_path / "text.duckdb"
    text.write_text("not a store" * 1000)
    with (
        pytest.raises(StoreError, match="is not a store of hands; nemesis import makes one"),
        open_store(text, writing=True),
    ):
        pass
    place = tmp_path / "s.duckdb"
    with open_store(place, writing=True) as store:
        store.connection.execute("UPDATE about SET version = 99")
    with pytest.raises(StoreError, match="version 99"), open_store(place):
        pass
    with open_store(tmp_path / "old.duckdb", writing=True):
        pass
    monkeypatch.setattr(store_module, "VERSION", 2)
    monkeypatch.setattr(store_module, "MIGRATIONS", {1: ["ALTER TABLE hands ADD COLUMN weather VARCHAR"]})
    with pytest.raises(StoreError, match="open it once with nemesis import"), open_store(tmp_path / "old.duckdb"):
        pass
    with open_store(tmp_path / "old.duckdb", writing=True) as store:
        assert store.rows("SELECT weather FROM hands") == []
        assert store.number("SELECT version FROM about") == 2


def test_a_player_is_found_in_one_room(filled: Path) -> None:
    with open_store(filled) as store:
        name, room = store.rows("SELECT name, room FROM players LIMIT 1")[0]
        assert store.find_player(name)[1:] == (name, room)
        with pytest.raises(StoreError, match="nobody called 'Nobody' is in the store; the nearest names are"):
            store.find_player("Nobody")
