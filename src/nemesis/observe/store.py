"""A store of hands: one DuckDB file with a row for every hand, seat, action, player, file and rejected hand.

Hands come in batches of columns (`History`), each in one transaction with the state of its files, so a crash leaves
whole batches and no half hand. A hand that is there already is left out: its key (`about["key"]`) says so wherever it was
read. What a row says is for `observe.store_rows` to work out.

One process owns the file while it writes; several may read it while nobody writes. The schema has a version, and a store
of an older one is brought up to date when it is opened for writing (`MIGRATIONS`).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from platformdirs import user_data_path

from nemesis.observe.about import NO_TIME
from nemesis.observe.history import History, Rejected
from nemesis.observe.packed_counts import columns
from nemesis.observe.store_rows import action_columns, dealt_seats, hand_columns, moment, rules_text, seat_columns, used
from nemesis.rules.game import Game

VERSION = 1
MIGRATIONS: dict[int, Sequence[str]] = {}
"""By version, the statements that make a store of it one of the next."""
VARIABLE = "NEMESIS_STORE"
ACTIONS = ("fold", "call", "raise")
TABLES = ("hands", "seats", "actions", "players", "files", "rejected")

SCHEMA = f"""
CREATE TABLE about (version INTEGER NOT NULL);
CREATE TABLE games (game INTEGER NOT NULL, structure VARCHAR NOT NULL, rules VARCHAR NOT NULL);
CREATE TABLE players (player INTEGER NOT NULL, name VARCHAR NOT NULL, room VARCHAR NOT NULL);
CREATE TABLE files (
  file INTEGER NOT NULL, path VARCHAR NOT NULL, size BIGINT NOT NULL, modified BIGINT NOT NULL, finished BOOLEAN NOT NULL);
CREATE TABLE rejected (file INTEGER NOT NULL, line BIGINT NOT NULL, hand VARCHAR NOT NULL, reason VARCHAR NOT NULL);
CREATE TABLE hands (
  hand BIGINT NOT NULL, key UBIGINT NOT NULL, name VARCHAR NOT NULL, room VARCHAR NOT NULL, "table" VARCHAR NOT NULL,
  time TIMESTAMP, currency VARCHAR NOT NULL, scale INTEGER NOT NULL, big_blind BIGINT NOT NULL, game INTEGER NOT NULL,
  seats UTINYINT NOT NULL, actions USMALLINT NOT NULL, board VARCHAR NOT NULL, result VARCHAR NOT NULL, rake BIGINT,
  free_folds UTINYINT NOT NULL, file INTEGER NOT NULL, line BIGINT NOT NULL);
CREATE TABLE seats (
  hand BIGINT NOT NULL, position UTINYINT NOT NULL, seat UTINYINT NOT NULL, player INTEGER NOT NULL,
  dealt UTINYINT NOT NULL, time TIMESTAMP, big_blind BIGINT NOT NULL, stack BIGINT NOT NULL, payoff BIGINT, by_rules BIGINT,
  adjusted FLOAT, spent BIGINT NOT NULL, uncalled BIGINT NOT NULL, cards VARCHAR, shown BOOLEAN NOT NULL,
  folded BOOLEAN NOT NULL, post BOOLEAN NOT NULL,
  counts BIGINT NOT NULL, {columns()});
CREATE TABLE actions (
  hand BIGINT NOT NULL, number USMALLINT NOT NULL, player INTEGER NOT NULL, position UTINYINT NOT NULL,
  street UTINYINT NOT NULL, action UTINYINT NOT NULL, amount BIGINT NOT NULL, "to" BIGINT NOT NULL, to_call BIGINT NOT NULL,
  pot BIGINT NOT NULL, stack BIGINT NOT NULL, win FLOAT, strength FLOAT);
INSERT INTO about VALUES ({VERSION});
"""


class StoreError(ValueError):
    """A store that cannot be opened or does not have what was asked for, with the reason."""


class Added(NamedTuple):
    """What a batch brought: hands that are new, hands that were there already, hands that could not be read."""

    new: int
    known: int
    rejected: int


def store_path(given: str | Path | None = None) -> Path:
    """The file of the store: the one given, or that of the environment, or the user's own."""
    named = given or os.environ.get(VARIABLE)
    return Path(named) if named else _own_store()


def _own_store() -> Path:
    return user_data_path("nemesis") / "hands.duckdb"


@contextmanager
def open_store(path: Path, writing: bool = False) -> Iterator[Store]:
    """The store in this file; a new one is made only for writing."""
    if not path.exists() and not writing:
        raise StoreError(f"there is no store of hands at {path}; nemesis import makes one")
    if path.is_dir():
        raise StoreError(f"{path} is a folder; a store of hands is one file")
    if path == _own_store():
        path.parent.mkdir(parents=True, exist_ok=True)
    if not path.parent.is_dir():
        raise StoreError(f"a store cannot be made at {path}: there is no folder {path.parent}")
    try:
        connection = duckdb.connect(str(path), read_only=not writing)
    except duckdb.Error as error:
        text = str(error)
        if "lock" in text.lower():
            raise StoreError(f"the store {path} is in use by another process; try again when that has ended") from error
        if "not a valid" in text:
            raise StoreError(f"{path} is not a store of hands; nemesis import makes one in a new file") from error
        reason = text.splitlines()[0].rpartition(": ")[2]
        raise StoreError(f"{path} cannot be opened as a store of hands: {reason}") from error
    try:
        connection.execute("SET memory_limit = '1GB'; SET checkpoint_threshold = '256MB'")
        yield Store(connection, path, writing)
    finally:
        connection.close()


class Store:
    """Hands in a DuckDB file. `connection` answers any SQL; see the tables' columns in `SCHEMA`."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, path: Path, writing: bool) -> None:
        self.connection = connection
        self.path = path
        self._prepare(writing)
        self._numbers: dict[tuple[str, str], int] = {}
        self._games: dict[str, int] = {}
        self._game_of: dict[Game, int] = {}  # the same by game, which is found faster than by text
        if writing:
            self._numbers = {(room, name): number for number, name, room in self.rows("SELECT * FROM players")}
            self._games = {rules: number for number, rules in self.rows("SELECT game, rules FROM games")}
            self._next = self.number("SELECT coalesce(max(hand) + 1, 0) FROM hands")
            told = self.rows("SELECT path, file, size, modified, finished FROM files")
            self._files = {path: state for path, *state in told}
            self._new_files: list[tuple[int, str, int, int]] = []

    def _prepare(self, writing: bool) -> None:
        """Make the tables of a new store, bring an old one up to date."""
        has = {name for (name,) in self.rows("SELECT table_name FROM information_schema.tables")}
        if not has and writing:
            with self.transaction():
                self.connection.execute(SCHEMA)
            return
        if "about" not in has or "hands" not in has:
            raise StoreError(f"{self.path} is a DuckDB file, but not a store of hands")
        version = self.number("SELECT version FROM about")
        if version > VERSION:
            raise StoreError(
                f"the store {self.path} has version {version}; this program knows up to {VERSION}, a newer one made it"
            )
        if version < VERSION and not writing:
            raise StoreError(
                f"the store {self.path} has version {version}, not {VERSION}; open it once with nemesis import, "
                "which brings it up to date"
            )
        for older in range(version, VERSION):
            with self.transaction():
                for statement in MIGRATIONS[older]:
                    self.connection.execute(statement)
                self.connection.execute("UPDATE about SET version = ?", [older + 1])

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of the block's changes or none."""
        self.connection.execute("BEGIN")
        try:
            yield
        except BaseException:
            self.connection.execute("ROLLBACK")
            raise
        self.connection.execute("COMMIT")

    def rows(self, query: str, values: Sequence[object] = ()) -> list[Any]:
        """The rows of a query."""
        return self.connection.execute(query, values).fetchall()

    def number(self, query: str, values: Sequence[object] = ()) -> int:
        """The one number of a query."""
        return int(self.rows(query, values)[0][0])

    def arrays(self, query: str, values: Sequence[object] = ()) -> dict[str, NDArray[Any]]:
        """The columns of a query as arrays."""
        return dict(self.connection.execute(query, values).fetchnumpy())

    def open_file(self, path: Path) -> int | None:
        """The number of a file that is to be read, or None if it was read to its end and has not changed since."""
        status = path.stat()
        place = str(path.resolve())
        size, modified = status.st_size, status.st_mtime_ns
        if place not in self._files:
            self._files[place] = [len(self._files), size, modified, False]
            self._new_files.append((self._files[place][0], place, size, modified))
            return int(self._files[place][0])
        number, old_size, old_modified, finished = self._files[place]
        if finished and (old_size, old_modified) == (size, modified):
            return None
        self._files[place] = [number, size, modified, False]
        with self.transaction():
            self.connection.execute("DELETE FROM rejected WHERE file = ?", [number])
            self.connection.execute(
                "UPDATE files SET size = ?, modified = ?, finished = false WHERE file = ?", [size, modified, number]
            )
        return int(number)

    def add(self, history: History, files: dict[str, int], finished: Iterable[int] = ()) -> Added:
        """Add a batch in one transaction; `files` has the store's numbers of its files, `finished` those read to the end."""
        new = self._new(history)
        fresh = history if new.all() else history.part(new)
        with self.transaction():
            self._note_files()
            self._note_rejected(history.rejected, files)
            if len(fresh):
                players = self._players(fresh)
                hands = self._next + np.arange(len(fresh))
                self._insert("hands", hand_columns(fresh, hands, files, self._game_numbers(fresh)))
                self._insert("seats", seat_columns(fresh, hands, players))
                self._insert("actions", action_columns(fresh, hands, players))
            ended = set(finished)
            if ended:
                numbers = ", ".join(map(str, ended))
                self.connection.execute(f"UPDATE files SET finished = true WHERE file IN ({numbers})")
        if ended:
            for state in self._files.values():
                state[3] = state[3] or state[0] in ended
        self._next += len(fresh)
        return Added(len(fresh), len(history) - len(fresh), len(history.rejected))

    def _new(self, history: History) -> NDArray[np.bool_]:
        """Which hands are not in the store, nor earlier in the batch. Equal keys have equal times."""
        keys = history.about["key"]
        first = np.zeros(len(keys), bool)
        first[np.unique(keys, return_index=True)[1]] = True
        times = history.about["time"]
        timed = times[times != NO_TIME]
        when, between = [], []
        if timed.size:
            when, between = ["time BETWEEN ? AND ?"], [moment(timed.min()), moment(timed.max())]
        if timed.size < len(keys):
            when.append("time IS NULL")
        if not when:
            return first
        self.connection.register("batch", pa.table({"key": keys}))
        query = f"SELECT key FROM hands SEMI JOIN batch USING (key) WHERE {' OR '.join(when)}"
        known = self.arrays(query, between)["key"]
        self.connection.unregister("batch")
        return first & ~np.isin(keys, known) if known.size else first

    def _note_files(self) -> None:
        if self._new_files:
            number, path, size, modified = zip(*self._new_files, strict=True)
            finished = [False] * len(path)
            self._insert(
                "files", {"file": number, "path": path, "size": size, "modified": modified, "finished": finished}
            )
            self._new_files = []

    def _note_rejected(self, rejected: Sequence[Rejected], files: dict[str, int]) -> None:
        if rejected:
            rows = [(files[hand.file], hand.line, hand.hand, hand.reason) for hand in rejected]
            self.connection.executemany("INSERT INTO rejected VALUES (?, ?, ?, ?)", rows)

    def _insert(self, table: str, values: dict[str, Any]) -> None:
        self.connection.register("batch", pa.table(values))
        names = ", ".join(f'"{name}"' for name in values)
        self.connection.execute(f"INSERT INTO {table} ({names}) SELECT * FROM batch")
        self.connection.unregister("batch")

    def _players(self, history: History) -> NDArray[np.int64]:
        """By hand and position, the store's number of the player. A name means another person in another room."""
        rooms, which = used(history.about["room"], len(history.labels))
        dealt = dealt_seats(history)
        names = len(history.players)
        pairs = which[:, None] * names + history.hands["player"]
        found, places = used(pairs[dealt], len(rooms) * names)
        numbers, fresh = [], []
        for pair in found.tolist():
            who = (history.labels[rooms[pair // names]], history.players[pair % names])
            if who not in self._numbers:
                self._numbers[who] = len(self._numbers)
                fresh.append((self._numbers[who], who[1], who[0]))
            numbers.append(self._numbers[who])
        if fresh:
            number, name, room = zip(*fresh, strict=True)
            self._insert("players", {"player": pa.array(number, pa.int32()), "name": name, "room": room})
        players = np.zeros(dealt.shape, np.int64)
        players[dealt] = np.array(numbers)[places]
        return players

    def _game_numbers(self, history: History) -> NDArray[np.int32]:
        """The store's numbers of the games; those of its hands are written down."""
        numbers = np.full(len(history.games), -1, np.int32)
        fresh = []
        for at in np.unique(history.hands["rules"]).tolist():
            game = history.games[at]
            if game not in self._game_of:
                rules = rules_text(game)
                if rules not in self._games:
                    self._games[rules] = len(self._games)
                    fresh.append((self._games[rules], game.structure, rules))
                self._game_of[game] = self._games[rules]
            numbers[at] = self._game_of[game]
        if fresh:
            number, structure, rules_of = zip(*fresh, strict=True)
            self._insert("games", {"game": number, "structure": structure, "rules": rules_of})
        return numbers

    def rejected(self) -> list[Rejected]:
        """Every hand that was set aside."""
        query = "SELECT path, line, hand, reason FROM rejected JOIN files USING (file) ORDER BY path, line"
        return [Rejected(*row) for row in self.rows(query)]

    def find_player(self, name: str, room: str | None = None) -> tuple[int, str, str]:
        """Number, name and room of a player; `StoreError` if nobody or several are called that."""
        found = self.rows("SELECT player, name, room FROM players WHERE name = ?", [name])
        if room is not None:
            found = [row for row in found if row[2] == room]
        if len(found) == 1:
            return found[0][0], found[0][1], found[0][2]
        where = f" in {room}" if room is not None else ""
        if found:
            rooms = ", ".join(repr(row[2]) for row in found)
            raise StoreError(f"{name!r} plays in {len(found)} rooms: choose one of {rooms} with --room")
        near = self.rows("SELECT name FROM players ORDER BY jaro_winkler_similarity(name, ?) DESC LIMIT 3", [name])
        hint = f"; the nearest names are {', '.join(repr(row[0]) for row in near)}" if near else ""
        raise StoreError(f"nobody called {name!r}{where} is in the store{hint}")
