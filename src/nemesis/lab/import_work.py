"""An import of hand histories as a job: files that were dropped on the page, or a folder that lies in the lab's `histories`.

Files are named by the lab itself, so that no name from a page becomes a path. The store has one writer at a time; the job
waits until nobody reads from it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

UPLOADS = "uploads"
HISTORIES = "histories"
SAMPLE = "sample"
"""Where hands of our own agents are written before they are imported, for whoever has none."""
SAMPLE_HANDS, SAMPLE_SEED = 3_000, 1
SAMPLE_PLAYERS = ("nl-la", "nl-lp", "nl-ta", "nl-tp", "hp", "cs")
_PATIENCE = 60.0


def import_hands(chosen: dict[str, Any], folder: Path, tell: Callable[[int, int, str], None]) -> dict[str, Any]:
    """Import the files of `chosen["from"]`, a folder of the lab; returns what was new, known and set aside."""
    from nemesis.observe.importing import history_files, import_files
    from nemesis.observe.store import StoreError, open_store, store_path
    from nemesis.rules.by_name import game
    from nemesis.runtime.limits import Limit

    lab = folder.parent.parent
    place = (lab / chosen["from"]).resolve()
    if not place.is_relative_to(lab.resolve()):
        raise ValueError(f"{chosen['from']} does not lie in the lab's folder")
    if chosen["from"] == SAMPLE:
        _play_sample(place, tell)
    files = history_files([place])
    played = game(chosen["game"]) if chosen.get("game") else None
    Limit("files", 1, 1_000_000).check(len(files))
    tell(0, 0, f"{len(files):,} files")
    started, total = time.monotonic(), sum(file.stat().st_size for file in files)

    def told(done: int, size: int, hands: int) -> None:
        rate = hands / max(1e-9, time.monotonic() - started)
        tell(min(done, max(0, size - 1)), size, f"{hands:,} hands, {rate:,.0f} hands/s")

    while True:
        try:
            with open_store(store_path(), writing=True) as store:
                done = import_files(store, files, played, told)
                everything = store.number("SELECT count(*) FROM hands")
                aside = store.rows(
                    f"""SELECT path, line, reason FROM rejected JOIN files USING (file)
                    WHERE file IN ({", ".join(map(str, done.numbers.values())) or "-1"}) ORDER BY path, line LIMIT 20"""
                )
            break
        except StoreError as error:
            if "in use" not in str(error) or time.monotonic() - started > _PATIENCE:
                raise
            time.sleep(0.1)
    tell(total, total, f"{done.hands:,} new hands")
    return {
        "hands": done.hands,
        "known": done.known,
        "rejected": done.rejected,
        "files": done.files,
        "skipped": done.skipped,
        "total": everything,
        "aside": [
            {"file": Path(path).name, "line": line, "reason": reason.replace(str(lab), "")}
            for path, line, reason in aside
        ],
    }


def _play_sample(place: Path, tell: Callable[[int, int, str], None]) -> None:
    """Have six agents play no-limit hold'em and write their hands down."""
    from nemesis import arena

    tell(0, 0, "the agents play")
    place.mkdir(exist_ok=True)
    arena.table(
        SAMPLE_PLAYERS, game="no-limit", hands=SAMPLE_HANDS, seed=SAMPLE_SEED, workers=1,
        hands_to=place / "agents.phhs",
    )  # fmt: skip
