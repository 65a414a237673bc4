"""The simulation player (Baker 2010, section 4.2.6): told its opponents' styles, it plays the pair that a search finds.

The source gives the search 100 tournaments a pair, five minutes a decision, and says both that the player looks at the
players still there and that it does not adjust when some are gone: `simulation-la-lp-tp` does not,
`simulation-la-lp-tp-live` does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.respond.agent import ACT, CompiledAgent, Memory
from nemesis.respond.styles import STYLES, choose_by_thresholds
from nemesis.rules.game import Game
from nemesis.runtime.compiled import njit
from nemesis.runtime.memory import CELL, REST, Layout

Pair = tuple[float, float]

_MOST_LIVE_OPPONENTS = 5


class Places(NamedTuple):
    """The memory: seats at the table, then the pair of thresholds for every subset of opponents."""

    seats: int = CELL
    pairs: int = REST


LAYOUT = Layout(Places)
AT = LAYOUT.at


def simulation_player(game: Game, name: str, best: Callable[[Game, tuple[str, ...]], Pair]) -> CompiledAgent:
    """The player of that name; `best` finds the pair against a table of styles."""
    _, *words = name.split("-")
    live = words[-1:] == ["live"]
    styles = tuple(words[:-1] if live else words)
    unknown = [word for word in styles if word not in STYLES]
    if unknown or len(styles) != game.seats - 1:
        example = "-".join(["simulation", *("la", "lp", "ta", "tp") * 3][: game.seats])
        raise ValueError(
            f"{name!r} must name the style of each of its {game.seats - 1} opponents, as in {example}"
            + (f"; {unknown[0]!r} is no style" if unknown else "")
        )
    if live and len(styles) > _MOST_LIVE_OPPONENTS:
        raise ValueError(
            f"{name!r} would search every subset of {len(styles)} opponents; up to {_MOST_LIVE_OPPONENTS} can"
        )
    pairs = []
    for subset in range(1 << len(styles)):
        present = [style for bit, style in enumerate(styles) if subset >> bit & 1]
        pairs.append(best(game, tuple(sorted(present if live and present else styles))))
    memory = LAYOUT.template(seats=game.seats, pairs=pairs)
    return CompiledAgent(name, _play_pair_for_those_left, memory=memory, facts={"win"})


@njit(ACT)
def _play_pair_for_those_left(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    """The pair of the subset of opponents who still have chips; opponent k sits k + 1 places to the left."""
    v = view[0]
    seats = np.int64(memory[AT.seats])
    subset = 0
    for k in range(seats - 1):
        seat = (v.me + 1 + k) % seats
        if v.chips[seat] > 0 or v.live[seat] == 1:
            subset |= 1 << k
    pair = AT.pairs + 2 * subset
    return choose_by_thresholds(v, memory[pair], memory[pair + 1])
