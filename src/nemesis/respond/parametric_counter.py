"""A family of counter-strategies wide enough to search: when to call, raise and bluff, and how much, by situation.

There are sixteen *cells*: four streets by four situations (nothing to call but a blind, without and with the
initiative; facing the first bet; facing a raise). In each, ten numbers decide, w being the win probability against a
random hand, q the price of a call, d the chips that would be in (as log2 of big blinds, over 8):

    raise  if w >= raise_at + raise_price q + raise_depth d        by 2 ** raise_size pots
    raise  else if w < bluff_below, with probability bluff_rate    by 2 ** bluff_size pots
    call   else if w >= call_at + call_price q + call_depth d      (or if it is free)
    fold   otherwise

A raise for most of the stack becomes all in. Genomes are in units of `SPREADS` from `CENTRES`, so that a step means
about the same in every gene. What was found against each opponent is in `counters/no-limit.json`, written by the study
`no-limit-ceilings`; `counter-nl-ta` seats the one found against `nl-ta`. Each is a lower bound on what can be had, and
nothing else: it knows its opponent beforehand and only that one.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nemesis.observe.view import win_against
from nemesis.respond.agent import ACT, CompiledAgent, Memory
from nemesis.respond.commitment import price, raise_or_shove
from nemesis.respond.no_limit_styles import HAND, INITIATIVE, forget_last_hand
from nemesis.rules.betting import CALL, FOLD, RAISE
from nemesis.rules.game import Game
from nemesis.runtime.compiled import njit

FILE = Path(__file__).parent / "counters" / "no-limit.json"

CELL = (
    "raise_at", "raise_price", "raise_depth", "raise_size", "bluff_below", "bluff_rate", "bluff_size",
    "call_at", "call_price", "call_depth",
)  # fmt: skip
CENTRES = (0.65, 0.0, 0.2, 0.0, 0.35, 0.15, -0.5, 0.25, 0.4, 0.2)
SPREADS = (0.15, 0.3, 0.3, 1.5, 0.15, 0.3, 1.0, 0.15, 0.3, 0.3)
STREETS, SITUATIONS = 4, 4
GENES = STREETS * SITUATIONS * len(CELL)
MOST_POTS = 8.0
"""log2 of the largest raise, in pots: far more than any stack."""

(
    _RAISE_AT, _RAISE_PRICE, _RAISE_DEPTH, _RAISE_SIZE, _BLUFF_BELOW, _BLUFF_RATE, _BLUFF_SIZE,
    _CALL_AT, _CALL_PRICE, _CALL_DEPTH,
) = range(len(CELL))  # fmt: skip
_GENES = 2  # after the hand and the initiative
_WIDTH = len(CELL)


@njit(ACT, error_model="numpy")
def _searched(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    """Writes `memory`."""
    v = view[0]
    forget_last_hand(v, memory)
    situation = min(v.raises, 2) + 1 if v.raises > 0 else np.int64(memory[INITIATIVE])
    cell = _GENES + _WIDTH * (SITUATIONS * min(v.street, STREETS - 1) + situation)
    win = win_against(v.win, v.opponents)
    q = price(v)
    depth = np.log2(max(1.0, (v.spent + v.to_call) / v.big_blind)) / 8.0
    raised = memory[cell + _RAISE_AT] + memory[cell + _RAISE_PRICE] * q + memory[cell + _RAISE_DEPTH] * depth
    called = memory[cell + _CALL_AT] + memory[cell + _CALL_PRICE] * q + memory[cell + _CALL_DEPTH] * depth
    if win >= raised:
        chosen = raise_or_shove(v, 2.0 ** min(memory[cell + _RAISE_SIZE], MOST_POTS))
    elif win < memory[cell + _BLUFF_BELOW] and chance < memory[cell + _BLUFF_RATE]:
        chosen = raise_or_shove(v, 2.0 ** min(memory[cell + _BLUFF_SIZE], MOST_POTS))
    elif v.to_call == 0 or win >= called:
        chosen = CALL
    else:
        chosen = FOLD
    memory[INITIATIVE] = 1.0 if chosen >= RAISE else 0.0
    return chosen


def searched(game: Game, genome: ArrayLike, name: str = "searched") -> CompiledAgent:
    """The member of the family with this genome."""
    genes = np.asarray(genome, np.float64)
    if genes.shape != (GENES,) or not np.isfinite(genes).all():
        raise ValueError(f"a searched counter-strategy has {GENES} finite genes, not {genes.shape}")
    numbers = np.tile(CENTRES, GENES // _WIDTH) + np.tile(SPREADS, GENES // _WIDTH) * genes
    memory = np.concatenate([np.zeros(_GENES), numbers])
    memory[HAND] = -1.0
    return CompiledAgent(name, _searched, memory=memory, facts={"win"})


def counter(game: Game, name: str) -> CompiledAgent:
    """The counter-strategy found by search against one opponent of no-limit hold'em, e.g. counter-nl-ta."""
    found = shipped_counters()
    opponent = name.removeprefix("counter-")
    if opponent not in found:
        raise ValueError(f"no counter-strategy was searched against {opponent!r}; there are {', '.join(found)}")
    return searched(game, found[opponent], name)


@lru_cache(maxsize=1)
def shipped_counters() -> dict[str, Sequence[float]]:
    """The genomes that come with the house, by the opponent they were searched against."""
    told = json.loads(FILE.read_text(encoding="utf-8"))["ceilings"]
    return {opponent: entry["genome"] for opponent, entry in told.items() if "genome" in entry}
