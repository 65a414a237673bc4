"""The action tables of the four styles that come with the house, one JSON file per game and number of seats.

Each file says how it was measured; `nemesis.measure.action_frequency.measure_shipped` makes it again. A game without a
table of its own borrows the nearest: the same game with another number of seats, else the nearest number of seats at
limit hold'em, or at one-card poker for the games of one hole card.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from nemesis.believe.action_table import ActionTable, read_table
from nemesis.rules.game import Game

FOLDER = Path(__file__).parent


def file_name(game_name: str, seats: int) -> str:
    """What the file of a game with so many seats is called."""
    return f"{game_name}-{seats}.json"


def action_table(game: Game | str, seats: int = 2) -> ActionTable:
    """The table of a game, or of a game's name and seats; borrowed from the nearest game where it has none."""
    if isinstance(game, Game):
        names: tuple[str, ...] = (game.name, "limit" if game.is_holdem else "one-card")
        seats = game.seats
    else:
        names = (game,)
    for name in names:
        sizes = [int(path.stem.rpartition("-")[2]) for path in FOLDER.glob(f"{name}-*.json") if _name(path) == name]
        if sizes:
            return _read(file_name(name, min(sizes, key=lambda size: (abs(size - seats), size))))
    known = sorted({_name(path) for path in FOLDER.glob("*.json")})
    raise ValueError(f"there is no action table for {names[0]!r}; there are tables for {', '.join(known)}")


def _name(path: Path) -> str:
    return path.stem.rpartition("-")[0]


@lru_cache(maxsize=32)
def _read(name: str) -> ActionTable:
    return read_table(FOLDER / name)
