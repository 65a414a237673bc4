"""Games by name: the registered ones, and ACPC game definition files."""

from __future__ import annotations

from pathlib import Path

from nemesis.names import GAMES, UnknownName, resolve, unknown
from nemesis.rules.acpc import read_game
from nemesis.rules.game import Game, GameError


def game(name: str | Game, seats: int | None = None, stack: int | None = None) -> Game:
    """The game of that name, or of an ACPC game definition file, for `seats` players with `stack` chips each."""
    if isinstance(name, Game):
        found = name
    elif name in GAMES:
        found = resolve(GAMES[name])()
    elif "/" in name or "." in name:
        path = Path(name)
        try:
            found = read_game(path.read_text(), path.stem)
        except OSError as error:
            raise UnknownName(f"the game definition {name} cannot be read: {error.strerror}") from None
        except ValueError as error:
            if isinstance(error, GameError):
                raise
            raise UnknownName(f"{name!r} is not a game definition: it is not text") from None
    else:
        raise unknown("game", name, GAMES, "or the path of an ACPC game definition")
    if seats not in (None, found.seats) or stack is not None:
        found = found.seated(found.seats if seats is None else seats, stack)
    return found
