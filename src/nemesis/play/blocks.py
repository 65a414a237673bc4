"""Work cut into blocks for `run_blocks`: ranges of numbered matches, which any worker can play."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from nemesis.play.match import Player
from nemesis.rules.game import Game


def in_blocks(numbers: range, size: int) -> Iterator[range]:
    """The numbers in order, cut into ranges of `size`; the last may be shorter."""
    for start in range(numbers.start, numbers.stop, size):
        yield range(start, min(start + size, numbers.stop))


@dataclass(frozen=True)
class Block:
    """Numbered matches of so many hands at most, and everything a worker needs to play them."""

    game: Game
    players: tuple[Player, ...]
    numbers: range
    hands: int
    seed: int
    time_limit: float
    writing: bool = False
    """Whether the hands are wanted as text too."""
    without_luck: Literal["all-in", "aivat"] | None = None
    """Whether, and how, the luck of the cards is taken out of what was won."""

    @property
    def who(self) -> str:
        """The players, for a message."""
        return ", ".join(player.label for player in self.players)
