"""How the store grows: copies of the sample's hands under new names, imported a part at a time into one store.

`python -m benchmarks.scale --hands 2000000` says for every tenth what a hand cost in CPU time and how much memory the
process had taken by then, at the end how large the store is and what asking for all players' numbers takes, and what follows
for twenty million hands. Every copy has hands and players of its own, so nothing is known already and the list of players
grows too. All copies have the times of the sample, so every hand is looked for among all that are there.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.command import python
from benchmarks.section import Finding, Options, Section
from nemesis.measure.player_numbers import all_numbers
from nemesis.observe.importing import import_files
from nemesis.observe.store import open_store

SAMPLE = Path(__file__).parent.parent / "examples" / "histories" / "ongame.phhs"
FILE_COPIES = 20
PARTS = 10
HANDS, MANY = 2_000_000, 20_000_000


@dataclass(frozen=True)
class Part:
    """What a tenth of the hands took: CPU and wall microseconds a hand, and the most memory of the process so far, in MB."""

    hands: int
    cpu: float
    wall: float
    memory: float


@dataclass(frozen=True)
class Growth:
    """The parts, the store's bytes a hand, and the CPU seconds of the numbers of all players, with how many they are."""

    parts: list[Part]
    bytes_a_hand: float
    players: int
    numbers: float
    load: float

    @property
    def hands(self) -> int:
        """All hands of the store."""
        return sum(part.hands for part in self.parts)

    @property
    def cpu(self) -> float:
        """CPU microseconds a hand over all parts."""
        return sum(part.hands * part.cpu for part in self.parts) / self.hands


def measure(hands: int = HANDS, tell: Callable[[str], None] = lambda line: None) -> Growth:
    """Make the copies, import them and ask."""
    text = SAMPLE.read_text()
    sample = text.count("\nhand = ")
    files = max(PARTS, round(hands / (sample * FILE_COPIES)))
    load = os.getloadavg()[0]
    parts: list[Part] = []
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "hands.duckdb"
        with open_store(place, writing=True) as store:
            for part in range(PARTS):
                chosen = range(part * files // PARTS, (part + 1) * files // PARTS)
                made = [_copies(Path(folder) / f"{number}.phhs", text, number) for number in chosen]
                cpu, wall = time.process_time(), time.perf_counter()
                done = import_files(store, made).hands
                cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
                memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
                parts.append(Part(done, 1e6 * cpu / done, 1e6 * wall / done, memory))
                tell(f"{done:,} hands, {parts[-1].cpu:.0f} µs CPU a hand, {memory:.0f} MB")
                for file in made:
                    file.unlink()
            cpu = time.process_time()
            players = len(all_numbers(store))
            numbers = time.process_time() - cpu
        size = place.stat().st_size / sum(part.hands for part in parts)
    return Growth(parts, size, players, numbers, load)


def _copies(path: Path, text: str, number: int) -> Path:
    """A file of copies, each with hands and players under names of its own."""
    copies = []
    for copy in range(FILE_COPIES):
        name = f"{number * FILE_COPIES + copy:x}"
        renamed = text.replace("\nhand = 'R5", f"\nhand = 'R{name}").replace("players = ['", f"players = ['{name}/")
        copies.append(renamed)
    path.write_text("\n".join(copies))
    return path


def as_text(found: Growth) -> str:
    """What was found, in Markdown."""
    lines = ["| hands so far | CPU, µs a hand | wall, µs a hand | most memory, MB |", "|--:|--:|--:|--:|"]
    so_far = 0
    for part in found.parts:
        so_far += part.hands
        lines.append(f"| {so_far:,} | {part.cpu:.1f} | {part.wall:.1f} | {part.memory:.0f} |")
    many = MANY / 1e6
    return (
        f"`python -m benchmarks.scale --hands {found.hands}`: copies of the sample's hands, each under new names; load "
        f"{found.load:.1f}. The store has {found.bytes_a_hand:.0f} bytes a hand; the numbers of all {found.players:,} "
        f"players take {found.numbers:.1f} CPU seconds. {many:.0f} million hands would take "
        f"{many * found.cpu / 60:.0f} CPU minutes and {many * found.bytes_a_hand / 1000:.1f} GB.\n\n" + "\n".join(lines)
    )


def for_page(options: Options) -> Finding:
    """Two million hands in a process of their own, whose memory is then theirs alone."""
    text = python(["-m", "benchmarks.scale"]).printed.strip()
    options.tell(text.splitlines()[-1])
    return Finding(text)


SECTIONS = [Section("store-growth", "How the store grows", 2, for_page)]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--hands", type=int, default=HANDS)
    print(as_text(measure(parser.parse_args().hands, lambda line: print(line, file=sys.stderr))))
