"""A file that hands are written to while they are played, in the PHH format.

The file appears when everything is written and not before: a run that fails or is stopped leaves what was there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from nemesis.observe.hand import HandError
from nemesis.observe.phh_text import check_game
from nemesis.rules.game import Game
from nemesis.runtime.atomic import replacing

SUFFIX = ".phhs"


class HandFile:
    """Hands of a `.phhs` file in the order in which they come."""

    def __init__(self, handle: TextIO) -> None:
        self.hands = 0
        self._handle = handle

    def add(self, texts: Iterable[str]) -> None:
        """Write hands, each as the text of a `.phh` file (`phh_text`)."""
        for text in texts:
            self.hands += 1
            self._handle.write(f"[{self.hands}]\n{text}\n")


@contextmanager
def new_hand_file(path: str | Path, game: Game) -> Iterator[HandFile]:
    """A new file for hands of the game; what cannot be written is refused before anything is played."""
    place = Path(path)
    check_game(game)
    if place.suffix != SUFFIX:
        raise HandError(f"hands are written to a file whose name ends in {SUFFIX}, not to {place.name or path!r}")
    if place.is_dir():
        raise HandError(f"hands cannot be written to {path}: it is a folder")
    try:
        with replacing(place) as handle:
            yield HandFile(handle)
    except OSError as error:
        raise HandError(f"hands cannot be written to {path}: {error.strerror or error}") from error
