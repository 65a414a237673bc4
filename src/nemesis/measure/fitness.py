"""How good is every candidate of a population? Tournaments against given tables, all candidates on the same deals.

A fitness never knows the learner: it gets agents and returns numbers. Candidates of one generation meet the same
deals in the same seats (common random numbers), so that luck does not choose between them; another generation gets
other deals.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.play.blocks import in_blocks
from nemesis.play.match import play_lineups
from nemesis.play.workers import Workers, run_blocks
from nemesis.respond.agent import CompiledAgent
from nemesis.rules.game import Game
from nemesis.runtime.streams import FIRST_STAGE, Stage, Stream, derived_seed

_BLOCK_MATCHES = 20_000
DEFAULT_MOST_HANDS = 2_000


class Shares(NamedTuple):
    """By candidate and table: the share of tournaments won, and of the hands played how many brought chips."""

    won: NDArray[np.float64]
    hands: NDArray[np.float64]


def tournament_shares(
    game: Game,
    candidates: Sequence[CompiledAgent],
    tables: Sequence[Sequence[CompiledAgent]],
    tournaments: int,
    *,
    seed: int,
    stage: Stage = FIRST_STAGE,
    workers: Workers = 1,
    most_hands: int = DEFAULT_MOST_HANDS,
    whole: bool = False,
) -> Shares:
    """Each candidate's share of `tournaments` freeze-outs at each table: arrays (candidates, tables).

    A table is the list of opponents; the candidate takes every seat in turn. `stage` (a generation, say) chooses the deals.
    A tournament is left when the candidate has lost everything, unless the `whole` of it is asked for, so that the hands
    played without the candidate count as well.
    """
    seats = {len(table) + 1 for table in tables}
    if len(seats) != 1:
        raise ValueError(f"tables of {sorted(seats)} seats cannot be mixed in one fitness; give each the same number")
    size = max(1, min(-(-tournaments // 2), _BLOCK_MATCHES // (len(candidates) * len(tables))))
    play = partial(_play, game.seated(seats.pop()), candidates, tables, stage_seed(seed, stage), most_hands, whole)
    blocks = run_blocks(play, in_blocks(range(tournaments), size), workers)
    won, took, played = sum(blocks, np.zeros((3, len(candidates), len(tables))))
    return Shares(won / tournaments, took / played)


def stage_seed(seed: int, stage: Stage) -> int:
    """The seed of the deals of one stage."""
    return derived_seed(seed, Stream.TOURNAMENTS, stage)


def _play(
    game: Game,
    candidates: Sequence[CompiledAgent],
    tables: Sequence[Sequence[CompiledAgent]],
    seed: int,
    most_hands: int,
    whole: bool,
    tournaments: range,
) -> NDArray[np.float64]:
    """Tournaments won, hands won and hands played by each candidate at each table, in these tournaments."""
    agents = [*candidates, *(agent for table in tables for agent in table)]
    lineup, numbers = _lineup(game.seats, len(candidates), len(tables), tournaments)
    seat = numbers % game.seats
    played = play_lineups(
        game, agents, lineup, numbers, hands=most_hands, seed=seed, freeze_out=True, until_out=None if whole else seat
    )
    stack = np.array(game.stacks)
    chips = np.take_along_axis(played.won, seat[:, None], axis=1)[:, 0] + stack[seat]
    hands_won = np.take_along_axis(played.took, seat[:, None], axis=1)[:, 0]
    shape = (len(tournaments), len(tables), len(candidates))
    return np.stack([each.reshape(shape).sum(axis=0).T for each in (chips / stack.sum(), hands_won, played.hands)])


def _lineup(seats: int, count: int, tables: int, tournaments: range) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """One row per tournament, table and candidate, in that order, so that rows on the same deals are neighbours."""
    rows = []
    for number in tournaments:
        mine = number % seats
        others = [seat for seat in range(seats) if seat != mine]
        for index in range(tables):
            first = count + index * (seats - 1)
            part = np.empty((count, seats), np.int64)
            part[:, mine] = np.arange(count)
            part[:, others] = np.arange(first, first + seats - 1)
            rows.append(part)
    numbers = np.repeat(np.array(tournaments, np.int64), tables * count)
    return np.concatenate(rows), numbers
