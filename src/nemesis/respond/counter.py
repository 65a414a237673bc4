"""Counter-players: an answer to every style, and a player that finds out which answer it needs (Baker 2010, section 4.2).

An *anti-player* plays the two-threshold pair that beats a table of one style. `ANTI` holds the pairs our own search found
(`nemesis.solve.pair_search`, one-card poker, 10 000 freeze-outs a pair or more) against one, two and three opponents; it
plays the one for the players dealt in. The source's pairs stand beside them: its pairs against tight players never fold,
which pays only where tight players throw away hands that cost them nothing, and by its own rules (and ours) they check.

The *analysis player* holds a belief about the style of every opponent still there (`nemesis.believe.style_belief`), takes
each for the likeliest style, and answers the most dangerous (algorithm 4.2): any TP, else any TA, else the more
frequent loose style, LA when they are equally many. Of an opponent never seen to act every style is as likely, and it
is taken for LA, the first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.style_belief import ActionTable, belief_block, likeliest, see
from nemesis.believe.tables import action_table
from nemesis.observe.event import ACTS
from nemesis.respond.agent import ACT, WATCH, CompiledAgent, Memory
from nemesis.respond.styles import STYLES, choose_by_thresholds
from nemesis.rules.game import Game
from nemesis.runtime.compiled import inlined, njit
from nemesis.runtime.memory import CELL, REST, Layout

Pair = tuple[float, float]

ANTI: Mapping[str, tuple[Pair, Pair, Pair]] = {
    "la": ((0.5, 0.8), (0.5, 0.8), (0.6, 0.8)),
    "lp": ((0.8, 0.8), (0.9, 0.9), (0.9, 0.9)),
    "ta": ((0.7, 0.9), (0.8, 0.9), (0.8, 0.9)),
    "tp": ((0.9, 0.9), (0.9, 0.9), (0.9, 0.9)),
}
"""The pair to play against one, two, and three or more opponents of a style."""

PUBLISHED_ANTI: Mapping[str, tuple[Pair, float]] = {
    "la": ((0.6, 0.8), 0.76),
    "lp": ((0.8, 0.9), 0.63),
    "ta": ((0.0, 0.7), 0.71),
    "tp": ((0.0, 0.8), 0.77),
}
"""The source's pairs and the share of tournaments they won (table 4.2)."""

LA, LP, TA, TP = range(4)
MOST_WINDOW = 100_000
_SIZES = 3


class Places(NamedTuple):
    """The memory of the analysis player: seats at the table, the pairs of `ANTI` by style, and the belief."""

    seats: int = CELL
    pairs: int = len(STYLES) * _SIZES * 2
    belief: int = REST


LAYOUT = Layout(Places)
AT = LAYOUT.at


@inlined
def pair_at(start: int, style: int, opponents: int) -> Any:
    """Where in memory the pair against `opponents` players of a style lies."""
    return start + 2 * (_SIZES * style + min(max(opponents, 1), _SIZES) - 1)


@njit(ACT)
def _answer_one_style(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    v = view[0]
    pair = pair_at(0, 0, v.seats - 1)
    return choose_by_thresholds(v, memory[pair], memory[pair + 1])


@njit(ACT)
def _answer_most_dangerous(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    v = view[0]
    la = lp = ta = tp = 0
    for seat in range(np.int64(memory[AT.seats])):
        if seat == v.me or (v.chips[seat] == 0 and v.live[seat] == 0):
            continue
        style = likeliest(memory, AT.belief, seat)
        la += style == LA
        lp += style == LP
        ta += style == TA
        tp += style == TP
    answered = TP if tp > 0 else TA if ta > 0 else LP if lp > la else LA
    pair = pair_at(AT.pairs, answered, v.seats - 1)
    return choose_by_thresholds(v, memory[pair], memory[pair + 1])


@njit(WATCH, error_model="numpy")
def _believe(event: NDArray[np.void], memory: Memory) -> None:
    see(memory, AT.belief, event[0])


def anti(game: Game, style: str) -> CompiledAgent:
    """The player that beats a table of one style."""
    memory = np.array(ANTI[style]).ravel()
    return CompiledAgent(f"anti-{style}", _answer_one_style, memory=memory, facts={"win"})


def analysis(game: Game, window: float = 0, per_street: float = 0) -> CompiledAgent:
    """Finds out every opponent's style and answers the most dangerous; window=n looks only at the last n actions."""
    for name, value, most in (("window", window, MOST_WINDOW), ("per_street", per_street, 1)):
        if not 0 <= value <= most or value != int(value):
            raise ValueError(f"the {name} of the analysis player is a whole number from 0 to {most:,}, not {value:g}")
    return analysis_with(action_table(game), game, int(window), bool(per_street))


def analysis_with(table: ActionTable, game: Game, window: int = 0, per_street: bool = False) -> CompiledAgent:
    """The analysis player with an action table of one's own, for the four named styles in their order."""
    if table.styles != tuple(STYLES):
        raise ValueError(f"the analysis player needs a table of {', '.join(STYLES)}, not of {', '.join(table.styles)}")
    pairs = np.array([ANTI[style] for style in table.styles]).ravel()
    block = belief_block(table, game.seats, window, "street" if per_street else "plain")
    memory = LAYOUT.template(seats=game.seats, pairs=pairs, belief=block)
    return CompiledAgent("analysis", _answer_most_dangerous, _believe, memory, {"win"}, {ACTS})


def anti_la(game: Game) -> CompiledAgent:
    """Beats loose-aggressive players: waits for the better half and bets its best hands."""
    return anti(game, "la")


def anti_lp(game: Game) -> CompiledAgent:
    """Beats loose-passive players: plays only strong hands, which they will pay for."""
    return anti(game, "lp")


def anti_ta(game: Game) -> CompiledAgent:
    """Beats tight-aggressive players: folds to their bets without a better hand than theirs."""
    return anti(game, "ta")


def anti_tp(game: Game) -> CompiledAgent:
    """Beats tight-passive players: believes their bets and waits for the very best."""
    return anti(game, "tp")
