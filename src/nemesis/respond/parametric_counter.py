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
`no-limit-ceilings`; `counter-nl-ta` seats the one found against `nl-ta`. Each is the best
known counter, no ceiling, and it knows its opponent beforehand and only that one.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nemesis.observe.view import win_against
from nemesis.respond.agent import ACT, CompiledAgent, Memory, holdem_only
from nemesis.respond.bet_sizes import price, raise_or_shove
from nemesis.respond.initiative import HAS, INITIATIVE, forget_last_hand, note_initiative
from nemesis.rules.betting import CALL, FOLD
from nemesis.rules.game import Game
from nemesis.runtime.compiled import njit
from nemesis.runtime.memory import CELL, REST, Layout

FILE = Path(__file__).parent / "counters" / "no-limit.json"

CENTRES = (0.65, 0.0, 0.2, 0.0, 0.35, 0.15, -0.5, 0.25, 0.4, 0.2)
SPREADS = (0.15, 0.3, 0.3, 1.5, 0.15, 0.3, 1.0, 0.15, 0.3, 0.3)
STREETS, SITUATIONS = 4, 4
MOST_POTS = 8.0
"""log2 of the largest raise, in pots: far more than any stack."""


class Cell(NamedTuple):
    """The ten numbers that decide in one street and situation."""

    raise_at: int = CELL
    raise_price: int = CELL
    raise_depth: int = CELL
    raise_size: int = CELL
    bluff_below: int = CELL
    bluff_rate: int = CELL
    bluff_size: int = CELL
    call_at: int = CELL
    call_price: int = CELL
    call_depth: int = CELL


class Genes(NamedTuple):
    """What its memory has behind the hand and the initiative: every cell."""

    cells: int = REST


CELLS, MEMORY = Layout(Cell), Layout(Genes, after=INITIATIVE)
GENE, AT = CELLS.at, MEMORY.at
WIDTH = CELLS.size
GENES = STREETS * SITUATIONS * WIDTH


@njit(ACT, error_model="numpy")
def _play(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    """Writes `memory`."""
    v = view[0]
    forget_last_hand(v, memory)
    situation = min(v.raises, 2) + 1 if v.raises > 0 else np.int64(memory[HAS.initiative])
    cell = AT.cells + WIDTH * (SITUATIONS * min(v.street, STREETS - 1) + situation)
    win = win_against(v.win, v.opponents)
    q = price(v)
    depth = np.log2(max(1.0, (v.spent + v.to_call) / v.big_blind)) / 8.0
    raised = (
        memory[cell + GENE.raise_at] + memory[cell + GENE.raise_price] * q + memory[cell + GENE.raise_depth] * depth
    )
    called = memory[cell + GENE.call_at] + memory[cell + GENE.call_price] * q + memory[cell + GENE.call_depth] * depth
    if win >= raised:
        chosen = raise_or_shove(v, 2.0 ** min(memory[cell + GENE.raise_size], MOST_POTS))
    elif win < memory[cell + GENE.bluff_below] and chance < memory[cell + GENE.bluff_rate]:
        chosen = raise_or_shove(v, 2.0 ** min(memory[cell + GENE.bluff_size], MOST_POTS))
    elif v.to_call == 0 or win >= called:
        chosen = CALL
    else:
        chosen = FOLD
    note_initiative(memory, chosen)
    return chosen


def parametric_counter(game: Game, genome: ArrayLike, name: str = "searched") -> CompiledAgent:
    """The member of the family with this genome."""
    genes = np.asarray(genome, np.float64)
    if genes.shape != (GENES,) or not np.isfinite(genes).all():
        raise ValueError(f"a parametric counter-strategy has {GENES} finite genes, not {genes.shape}")
    numbers = np.tile(CENTRES, GENES // WIDTH) + np.tile(SPREADS, GENES // WIDTH) * genes
    memory = np.concatenate([INITIATIVE.template(hand=-1), MEMORY.template(cells=numbers)])
    return holdem_only(CompiledAgent(name, _play, memory=memory, facts={"win"}), game)


def counter(game: Game, name: str) -> CompiledAgent:
    """The counter-strategy found by search against one opponent of no-limit hold'em, e.g. counter-nl-ta."""
    found = shipped_counters()
    opponent = name.removeprefix("counter-")
    if opponent not in found:
        raise ValueError(f"no counter-strategy was searched against {opponent!r}; there are {', '.join(found)}")
    return parametric_counter(game, found[opponent], name)


@lru_cache(maxsize=1)
def shipped_counters() -> dict[str, Sequence[float]]:
    """The genomes that come with the house, by the opponent they were searched against."""
    ceilings = json.loads(FILE.read_text(encoding="utf-8"))["ceilings"]
    return {opponent: entry["genome"] for opponent, entry in ceilings.items() if "genome" in entry}
