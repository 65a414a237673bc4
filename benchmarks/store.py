"""What the store of hands and the model of what people do cost: commands on a folder of hand histories, CPU seconds."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from benchmarks.clock import measure as clock
from benchmarks.command import Ran, load, nemesis
from benchmarks.histories import SAMPLE, many_hands
from benchmarks.section import Finding, Options, Section, figure, markdown_table
from nemesis.believe.action_model import forecast, read_model, timeline
from nemesis.observe.history import read_history


def measure(options: Options) -> Finding:
    """Import the folder into a new store, then ask for its players."""
    with tempfile.TemporaryDirectory() as folder:
        place, source = Path(folder) / "hands.duckdb", options.histories or many_hands(Path(folder))
        store = ("--store", str(place))
        rows: list[tuple[str, Ran]] = []

        def ran(what: str, *words: str) -> dict[str, object]:
            options.tell(what)
            rows.append((what, nemesis(*words, "--json")))
            found: dict[str, object] = json.loads(rows[-1][1].printed)
            return found

        imported = ran("import", "import", str(source), *store)
        listed = ran("numbers of all players", "players", "--limit", "1", *store)
        hands, players = imported["hands"], listed["players"]
        assert isinstance(hands, int)
        assert isinstance(listed["results"], list)
        most = listed["results"][0]
        name = most["player"]
        ran(f"numbers of one player with {most['hands']:,} hands", "stats", name, *store)
        ran("the same by position", "stats", name, "--by", "position", *store)
        ran("the hands behind one of those numbers", "stats", name, "--hands", "vpip", "--limit", "1000000", *store)
        ran("that player's profile", "profile", name, *store)
        size = place.stat().st_size / hands
    cells = [(what, f"{run.wall:.2f}", f"{run.cpu:.2f}", f"{run.memory:.0f}") for what, run in rows]
    text = (
        f"{source.name}: {hands:,} hands of {players:,} players, {size:.0f} bytes a hand in the store. CPU "
        f"seconds of all threads, kernels loaded within; {load()}. Importing takes "
        f"{1e6 * rows[0][1].cpu / hands:.0f} µs a hand.\n\n"
    )
    table = markdown_table(("what", "wall, s", "CPU, s", "most memory, MB"), cells, right=range(1, 4))
    figures = {what: {"wall": run.wall, "cpu": run.cpu, "memory": run.memory} for what, run in rows}
    return Finding(text + table, (), {"hands": hands, "players": players, "bytes_a_hand": size, "commands": figures})


def predict(options: Options) -> Finding:
    """Read the folder and predict every decision in it with the shipped model, CPU time of one process."""
    source = options.histories or SAMPLE
    files = sorted(source.rglob("*.phhs"))
    history, model = read_history(files), read_model()
    line = timeline(history)
    forecast(model, line)  # kernels

    def reading() -> int:
        timeline(read_history(files))
        return len(history.actions)

    def predicting() -> int:
        forecast(model, line)
        return len(history.actions)

    rates = {what: clock(work, options.seconds).best for what, work in (("read", reading), ("predicted", predicting))}
    options.tell(f"{len(history.actions):,} decisions, {rates['predicted']:,.0f} predicted a second")
    text = (
        f"{source.name}: {len(history.actions):,} decisions in {len(history):,} hands. On one core "
        f"{figure(rates['read'])} decisions a second are read and put in order, and {figure(rates['predicted'])} are "
        f"predicted by the shipped model, which learns each player as it goes; {load()}."
    )
    return Finding(text, (), {"decisions": len(history.actions), **rates})


SECTIONS = [
    Section("store", "The store of hands", 1, measure),
    Section("predict", "Who does what next", 0.5, predict),
]
