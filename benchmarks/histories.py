"""How fast hand histories are read: ours into columns, ours into the store, our complete reader, and PokerKit's.

Everyone reads the same file from disk. PokerKit's hands are read and their states played to the end, as our readers do
with the betting engine.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks.apart import Jobs, answer, warmed
from benchmarks.workloads import HISTORIES, HISTORY_WORKLOADS, Job
from nemesis.observe.history import read_history
from nemesis.observe.importing import import_files
from nemesis.observe.replay import check_file
from nemesis.observe.store import open_store

SAMPLE = HISTORIES.parent
COPIES = 60


def many_hands(folder: Path) -> Path:
    """Write the sample hands into a folder in there many times, each time under other numbers."""
    there = folder / f"sample × {COPIES}"
    there.mkdir()
    text = HISTORIES.read_text()
    for copy in range(COPIES):
        (there / f"{copy:02}.phhs").write_text(text.replace("hand = 'R5", f"hand = 'R{100 + copy}"))
    return there


def columns() -> Jobs:
    """Compiled: text to rows of hands and actions."""

    def work() -> int:
        return len(read_history([HISTORIES] * COPIES))

    def actions() -> float:
        history = read_history([HISTORIES])
        return len(history.actions) / len(history)

    return {"histories": Job(work, "rows of hands and actions", actions)}


def store() -> Jobs:
    """The same with everything that is stored, into a new DuckDB file; CPU time of all its threads."""
    folder = Path(tempfile.mkdtemp())
    many_hands(folder)

    def work() -> int:
        place = folder / "hands.duckdb"
        place.unlink(missing_ok=True)
        with open_store(place, writing=True) as opened:
            return import_files(opened, [folder]).hands

    return {"histories": Job(work, "import into a new store")}


def complete() -> Jobs:
    """The complete reader, hand by hand."""

    def work() -> int:
        return sum(1 for _ in check_file(HISTORIES))

    return {"histories": Job(work, "one record a hand, in Python, and its replay")}


def pokerkit() -> Jobs:
    """PokerKit's reader, and its states played to the end."""
    from pokerkit import HandHistory

    def work() -> int:
        with HISTORIES.open("rb") as handle:
            hands = list(HandHistory.load_all(handle))
        for hand in hands:
            for _ in hand:
                pass
        return len(hands)

    return {"histories": Job(work, "load_all, then every state")}


LIBRARIES = {
    "nemesis, columns": (columns, HISTORY_WORKLOADS),
    "nemesis, into the store": (store, HISTORY_WORKLOADS),
    "nemesis, complete reader": (complete, HISTORY_WORKLOADS),
    "pokerkit": (pokerkit, HISTORY_WORKLOADS),
}

if __name__ == "__main__":
    ours = {name: "nemesis-poker" for name in LIBRARIES if name.startswith("nemesis")}
    answer({name: warmed(jobs) for name, (jobs, _) in LIBRARIES.items()}, {**ours, "pokerkit": "pokerkit"})
