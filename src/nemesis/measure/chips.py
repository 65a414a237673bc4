"""What every candidate of a population wins at given tables, in chips a match, all on the same deals.

The fitness of Baker 2010, chapter 7: matches of 300 hands from endless stacks, at a table of any number of seats. The
button goes round, so a match has every position; from match to match the candidate takes the next seat. Like
`measure.fitness` it gets agents and returns numbers; a stage (a generation, say) chooses the deals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from nemesis.play.blocks import in_blocks
from nemesis.play.match import play_lineups
from nemesis.play.workers import Workers, blocks_at_once, run_blocks
from nemesis.respond.agent import CompiledAgent
from nemesis.rules.game import Game
from nemesis.runtime.streams import FIRST_STAGE, Stage, Stream, derived_seed

Table = Sequence[CompiledAgent]

_Block = tuple[int, int, Sequence[CompiledAgent]]
"""The match, the number of the first candidate, and the candidates."""


def chips_won(
    game: Game,
    candidates: Sequence[CompiledAgent],
    tables: Sequence[Table],
    matches: int = 1,
    hands: int = 300,
    *,
    seed: int,
    stage: Stage = FIRST_STAGE,
    workers: Workers = 1,
) -> NDArray[np.float64]:
    """Chips that each candidate wins at each table in each match: (candidates, tables, matches)."""
    if any(len(table) + 1 != game.seats for table in tables):
        raise ValueError(f"{game.name} has {game.seats} seats; every table names all the others")
    if matches < 1 or hands < 1:
        raise ValueError(f"{matches} matches of {hands} hands measure nothing; play at least 1 of 1")
    key = derived_seed(seed, Stream.CHIPS, stage)
    won = np.zeros((len(candidates), len(tables), matches))
    play = partial(_play, game, tuple(map(tuple, tables)), hands, key)
    for match, first, chips in run_blocks(play, _blocks(candidates, matches, blocks_at_once(workers)), workers):
        won[first : first + len(chips), :, match] = chips
    return won


def _blocks(candidates: Sequence[CompiledAgent], matches: int, at_once: int) -> Iterator[_Block]:
    """Blocks of one match's deals and as many candidates as give every worker some."""
    size = max(1, -(-len(candidates) // max(1, at_once if matches < at_once else 1)))
    for match in range(matches):
        for part in in_blocks(range(len(candidates)), size):
            yield match, part.start, candidates[part.start : part.stop]


def _play(
    game: Game, tables: Sequence[Table], hands: int, seed: int, block: _Block
) -> tuple[int, int, NDArray[np.int64]]:
    """Chips won by each candidate of the block at each table, in its match."""
    match, first, candidates = block
    count, others, mine = len(candidates), game.seats - 1, match % game.seats
    lineup = np.zeros((count * len(tables), game.seats), np.int64)
    lineup[:, mine] = np.repeat(np.arange(count), len(tables))
    rest = [seat for seat in range(game.seats) if seat != mine]
    lineup[:, rest] = count + np.tile(np.arange(len(tables) * others).reshape(len(tables), others), (count, 1))
    agents = [*candidates, *(agent for table in tables for agent in table)]
    played = play_lineups(game, agents, lineup, np.full(len(lineup), match), hands=hands, seed=seed)
    return match, first, played.won[:, mine].reshape(count, len(tables))
