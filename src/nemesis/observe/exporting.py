"""The store for other programs: tables as Parquet, CSV or Arrow files, hands as PHH or PRF text.

A file appears when it is complete and not before. Tables are streamed, so a store larger than memory can be exported.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa

from nemesis.observe.hand_file import SUFFIX
from nemesis.observe.phh_text import hand_text
from nemesis.observe.prf import write_prf
from nemesis.observe.store import TABLES, Store, StoreError
from nemesis.observe.stored_hands import stored_hands
from nemesis.runtime.atomic import becoming, replacing

FORMATS = ("parquet", "csv", "arrow")
ROWS = 100_000


def export_tables(store: Store, target: Path, table: str = "hands", kind: str = "parquet") -> dict[str, int]:
    """Write a table to the file, or all tables into the folder; returns the rows of each file."""
    if target.suffix:
        kind = target.suffix[1:]
    if kind not in FORMATS:
        raise StoreError(f"tables become {', '.join(FORMATS)} files, not {kind!r}")
    if table not in TABLES:
        raise StoreError(f"{table!r} is not a table of the store; choose one of {', '.join(TABLES)}")
    if not target.suffix:
        target.mkdir(parents=True, exist_ok=True)
    places = {target: table} if target.suffix else {target / f"{name}.{kind}": name for name in TABLES}
    return {str(place): _write_table(store, name, place, kind) for place, name in places.items()}


def _write_table(store: Store, table: str, place: Path, kind: str) -> int:
    if place.is_dir():
        raise StoreError(f"{place} is a folder; a table is written to a file")
    with becoming(place) as temporary:
        if kind == "arrow":
            return _write_arrow(store, table, temporary)
        text = str(temporary).replace("'", "''")
        options = "FORMAT parquet" if kind == "parquet" else "FORMAT csv, HEADER"
        store.connection.execute(f"COPY (SELECT * FROM {table}) TO '{text}' ({options})")
    return store.number(f"SELECT count(*) FROM {table}")


def _write_arrow(store: Store, table: str, place: Path) -> int:
    reader: Any = store.connection.sql(f"SELECT * FROM {table}").to_arrow_reader(ROWS)
    rows = 0
    with pa.OSFile(str(place), "wb") as sink, pa.ipc.new_file(sink, reader.schema) as writer:
        for batch in reader:
            writer.write_batch(batch)
            rows += batch.num_rows
    return rows


def export_hands(store: Store, target: Path, player: str | None = None) -> int:
    """Write the hands, or those of one player, as text; returns how many."""
    if target.is_dir():
        raise StoreError(f"{target} is a folder; hands are written to a file")
    count = 0
    with replacing(target) as handle:
        for count, (hand, moves) in enumerate(stored_hands(store, player), 1):
            phh = target.suffix == SUFFIX
            handle.write(f"[{count}]\n{hand_text(hand, moves)}\n" if phh else write_prf(hand, moves))
    return count
