"""Maps of the grid world (Halmoids; Baker 2010, chapter 3): water, rocks, goals and ships, drawn as text.

A map is a file of equally long lines, one character a cell: `.` water, `#` rock, `1` to `9` goals, `r` a runner, who
sails for one of the goals, `i` an interceptor, who wants to stop it. A ship starts on water. Lines that begin with `;`
are remarks; the first says what the map is. A map that cannot be played is refused with a sentence that names the line
and the column; whether every runner can reach every goal is found out by `grid_paths`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from nemesis.names import unknown

WATER, ROCK, RUNNER, INTERCEPTOR, REMARK = ".", "#", "r", "i", ";"
GOAL_MARKS = "123456789"
MOST_SIDE = 64
MOST_SHIPS = 8
"""On each side."""
SHIPPED_MAPS = Path(__file__).parent / "grid_maps"

Place = tuple[int, int]
"""Row and column, from 0 at the top left."""


class MapError(ValueError):
    """A map that cannot be played, with the place and the reason."""


@dataclass(frozen=True)
class GridMap:
    """A map as it is drawn. Goals are in the order of their digits, ships in reading order."""

    name: str
    about: str
    rows: tuple[str, ...]
    goals: tuple[Place, ...]
    marks: str
    runners: tuple[Place, ...]
    interceptors: tuple[Place, ...]
    source: str = "the map"
    lines: tuple[int, ...] = ()
    """The numbers of the rows' lines in the source."""

    def where(self, place: Place) -> str:
        """A place as an error names it, counted from 1."""
        row, column = place
        return f"line {self.lines[row] if self.lines else row + 1}, column {column + 1}"

    @property
    def height(self) -> int:
        """How many rows it has."""
        return len(self.rows)

    @property
    def width(self) -> int:
        """How many columns it has."""
        return len(self.rows[0])

    def is_rock(self, row: int, column: int) -> bool:
        """Whether a cell is impassable."""
        return self.rows[row][column] == ROCK


def shipped_maps() -> dict[str, Path]:
    """The maps that come with the package, by name."""
    return {path.stem: path for path in sorted(SHIPPED_MAPS.glob("*.txt"))}


def grid_map(name: str) -> GridMap:
    """A map that comes with the package, by its name, or from a file."""
    shipped = shipped_maps()
    if name in shipped:
        return read_map(shipped[name])
    path = Path(name)
    if not name or (path.suffix != ".txt" and not path.is_file()):
        raise unknown("map", name, shipped, "or give the path of a map file")
    return read_map(path)


def read_map(path: Path) -> GridMap:
    """The map in a file."""
    most = 4 * MOST_SIDE * (MOST_SIDE + 2)
    try:
        if path.exists() and not path.is_file():
            raise MapError(f"{path} is not a file; a map is a text file")
        if path.stat().st_size > most:
            raise MapError(f"{path} is larger than {most:,} bytes; a map has at most {MOST_SIDE} x {MOST_SIDE} cells")
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise MapError(f"{path} is not text: byte {error.start + 1:,} is not UTF-8") from None
    except OSError as error:
        raise MapError(f"the map {path} cannot be read: {error.strerror}") from None
    return parse_map(text, path.stem, str(path))


def parse_map(text: str, name: str = "map", source: str = "the map") -> GridMap:
    """The map drawn in a text; `source` is what an error calls it."""
    lines = list(enumerate(text.split("\n"), 1))
    remarks = [line[1:].strip() for _, line in lines if line.startswith(REMARK)]
    drawn = [(number, line.rstrip("\r ")) for number, line in lines if not line.startswith(REMARK)]
    while drawn and not drawn[-1][1]:
        drawn.pop()
    while drawn and not drawn[0][1]:
        drawn.pop(0)
    if not drawn:
        raise MapError(f"{source} has no cells; draw water as '{WATER}' and rocks as '{ROCK}'")
    _check_shape(drawn, source)
    goals: dict[str, Place] = {}
    ships: dict[str, list[Place]] = {RUNNER: [], INTERCEPTOR: []}
    for row, (number, line) in enumerate(drawn):
        for column, mark in enumerate(line):
            where = f"{source}, line {number}, column {column + 1}"
            if mark in GOAL_MARKS:
                if mark in goals:
                    raise MapError(f"{where}: goal {mark} is there twice; every goal has a digit of its own")
                goals[mark] = row, column
            elif mark in ships:
                ships[mark].append((row, column))
                if len(ships[mark]) > MOST_SHIPS:
                    raise MapError(f"{where}: more than {MOST_SHIPS} ships '{mark}'")
            elif mark not in (WATER, ROCK):
                raise MapError(
                    f"{where}: {mark!r} means nothing; a cell is '{WATER}' water, '{ROCK}' rock, '1' to '9' a goal, "
                    f"'{RUNNER}' a runner or '{INTERCEPTOR}' an interceptor"
                )
    for what, missing in (("goal: draw one as '1'", not goals), (f"runner: draw one as '{RUNNER}'", not ships[RUNNER])):
        if missing:
            raise MapError(f"{source}, lines {drawn[0][0]} to {drawn[-1][0]}, has no {what}")
    marks = "".join(sorted(goals))
    return GridMap(
        name,
        remarks[0] if remarks else "",
        tuple(line for _, line in drawn),
        tuple(goals[mark] for mark in marks),
        marks,
        tuple(ships[RUNNER]),
        tuple(ships[INTERCEPTOR]),
        source,
        tuple(number for number, _ in drawn),
    )


def _check_shape(drawn: list[tuple[int, str]], source: str) -> None:
    number, line = drawn[0]
    width = len(line)
    for other, row in drawn:
        if len(row) != width:
            raise MapError(
                f"{source}, line {other}, column {min(len(row), width) + 1}: the line has {len(row)} cells, "
                f"line {number} has {width}; all lines must be equally long"
            )
    if width > MOST_SIDE or len(drawn) > MOST_SIDE:
        raise MapError(
            f"{source} has {len(drawn)} lines of {width} cells; at most {MOST_SIDE} of {MOST_SIDE} can be played"
        )
