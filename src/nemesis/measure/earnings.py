"""What every candidate of a population earns against given opponents, all on the same deals, each deal from both seats.

The fitness of the ASHE paper: two matches against every opponent, on the same decks with seats swapped, models empty at
the start of each. Like `measure.fitness` it gets agents and returns numbers; a stage (a generation, say) chooses the deals.
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

SEATS = 2

_Block = tuple[int, int, Sequence[CompiledAgent]]
"""The match, the number of the first candidate, and the candidates."""


def earnings(
    game: Game,
    candidates: Sequence[CompiledAgent],
    opponents: Sequence[CompiledAgent],
    matches: int = 1,
    hands: int = 1000,
    *,
    seed: int,
    stage: Stage = FIRST_STAGE,
    workers: Workers = 1,
) -> NDArray[np.float64]:
    """Milli-big-blinds a hand that each candidate takes from each opponent in each match: (candidates, opponents, matches).

    A match is `hands` hands played twice, seats swapped, and counts as one: its two halves share their deals.
    """
    if game.seats != SEATS:
        raise ValueError(f"earnings are measured heads-up; {game.name} has {game.seats} seats")
    if not game.big_blind:
        raise ValueError(f"earnings are measured in big blinds; {game.name} has none")
    if matches < 1 or hands < 1:
        raise ValueError(f"{matches} matches of {hands} hands measure nothing; play at least 1 of 1")
    key = derived_seed(seed, Stream.EARNINGS, stage)
    won = np.zeros((len(candidates), len(opponents), matches))
    play = partial(_play, game, tuple(opponents), hands, key)
    for match, first, chips in run_blocks(play, _blocks(candidates, matches, blocks_at_once(workers)), workers):
        won[first : first + len(chips), :, match] = chips
    return won * 1000.0 / (game.big_blind * SEATS * hands)


def _blocks(candidates: Sequence[CompiledAgent], matches: int, at_once: int) -> Iterator[_Block]:
    """Blocks of one match's deals and as many candidates as give every worker some."""
    size = max(1, -(-len(candidates) // max(1, at_once * 2 if matches < at_once * 2 else 1)))
    for match in range(matches):
        for part in in_blocks(range(len(candidates)), size):
            yield match, part.start, candidates[part.start : part.stop]


def _play(
    game: Game, opponents: Sequence[CompiledAgent], hands: int, seed: int, block: _Block
) -> tuple[int, int, NDArray[np.int64]]:
    """Chips won by each candidate of the block from each opponent, over both halves of its match."""
    match, first, candidates = block
    count, faced = len(candidates), len(opponents)
    mine = np.repeat(np.arange(count), faced)
    theirs = count + np.tile(np.arange(faced), count)
    lineup = np.concatenate([np.stack([mine, theirs], axis=1), np.stack([theirs, mine], axis=1)])
    played = play_lineups(game, [*candidates, *opponents], lineup, np.full(len(lineup), match), hands=hands, seed=seed)
    chips = played.won[: count * faced, 0] + played.won[count * faced :, 1]
    return match, first, chips.reshape(count, faced)
