"""The log of a match in ACPC's form, and the match's result.

Every finished hand is written as soon as it is over, so whatever ends a match, the hands before are in the log. It opens
with comments on what is played and ends with the `SCORE` of all hands, or with a comment on why there is none.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import numpy as np

from nemesis.connect.wire import PeerError
from nemesis.measure.interval import mean_interval
from nemesis.measure.result import Result, Score, counted, numbered
from nemesis.rules.game import Game
from nemesis.runtime.atomic import check_folder

_NO_NAME = re.compile(r"[:|\s]")


class MatchLog:
    """What was played so far, by whom, and the file that it is written to."""

    def __init__(self, game: Game, seed: int, handle: TextIO | None) -> None:
        self.hands = 0
        self._game = game
        self._labels: tuple[str, ...] = ()
        self._names: list[str] = []
        self._seed = seed
        self._handle = handle
        self._started = time.perf_counter()
        self._won: list[list[int]] = []

    def begin(self, names: Sequence[str], *comments: str) -> None:
        """Say who plays, by seat, and what; the clock starts."""
        self._labels = numbered(tuple(names))
        self._names = [_NO_NAME.sub("_", name) for name in self._labels]
        self._started = time.perf_counter()
        if self._handle is not None:
            self._handle.writelines(f"# {comment}\n" for comment in comments)

    def add(self, hand: int, betting: str, cards: str, payoffs: Sequence[int], seats: Sequence[int]) -> None:
        """A finished hand: what every position won, and the seats that sat there."""
        self.hands += 1
        if self._handle is not None:
            results = "|".join(map(str, payoffs))
            names = "|".join(self._names[seat] for seat in seats)
            self._handle.write(f"STATE:{hand}:{betting}:{cards}:{results}:{names}\n")
        won = [0] * len(seats)
        for seat, payoff in zip(seats, payoffs, strict=True):
            won[seat] = payoff
        self._won.append(won)

    def finish(self, note: str) -> Result:
        """The match is over; what everyone won a hand."""
        seconds = time.perf_counter() - self._started
        if not self._won:
            raise PeerError("the match ended before a hand was finished")
        won = np.array(self._won)
        if self._handle is not None:
            self._handle.write(f"SCORE:{'|'.join(map(str, won.sum(axis=0).tolist()))}:{'|'.join(self._names)}\n")
        unit, worth = self._game.unit
        scores = (Score(label, *mean_interval(worth * won[:, seat])) for seat, label in enumerate(self._labels))
        return Result(self._game.name, self._labels, self.hands, 1, unit, tuple(scores), self._seed, seconds, note)

    def stopped(self, why: object) -> None:
        """Say in the log why the match ended before its time."""
        if self._handle is not None:
            self._handle.write(f"# stopped after {counted(self.hands, 'hand')}: {' '.join(str(why).split())}\n")


@contextmanager
def match_log(path: Path | None, game: Game, seed: int) -> Iterator[MatchLog]:
    """The log of a match in a new file, or in none; a match that fails says in its sentence where its hands are."""
    if path is None:
        handle = None
    else:
        check_folder(path)
        try:
            handle = path.open("x", buffering=1, encoding="utf-8")  # a line at a time
        except FileExistsError:
            raise ValueError(f"{path} exists; a match is logged to a new file") from None
    log = MatchLog(game, seed, handle)
    try:
        yield log
    except PeerError as error:
        log.stopped(error)
        where = f"; {counted(log.hands, 'hand')} in {path}" if path else f"; {counted(log.hands, 'hand')} finished"
        raise PeerError(f"{error}{where}") from None
    except BaseException as error:
        log.stopped(error or type(error).__name__)
        raise
    finally:
        if handle is not None:
            handle.close()
