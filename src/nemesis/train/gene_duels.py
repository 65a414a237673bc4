"""Chromosomes against chromosomes, heads-up: the same freeze-outs as `measure.duels`, several times as fast.

Coevolution plays a billion of them. A chromosome (`respond.chromosome`) looks only at its card, the opponent's last action
and one die, so it needs no view: a hand is a walk down the tree of the betting (`solve.tree`, grown by stepping the
engine) and a decision is two comparisons. Deals, dice, seats and the end of a match are those of `play.loop`,
number for number, and a test holds the two to the same results.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.fitness import DEFAULT_MOST_HANDS, stage_seed
from nemesis.play.match import deals_apart
from nemesis.play.workers import Workers, run_blocks
from nemesis.respond.chromosome import AFTER_BET, AFTER_CHECK, NEW_HAND, genes_needed
from nemesis.rules.betting import CALL, RAISE
from nemesis.rules.deal import CHUNK, Bank, Tables, deal_key, deal_tables, empty_bank, fill_bank, plan_deals
from nemesis.rules.game import Game
from nemesis.runtime.chance import nth, uniform
from nemesis.runtime.compiled import njit
from nemesis.runtime.streams import FIRST_STAGE, Stage, Stream, stream_keys
from nemesis.solve.tree import ABSENT, LETTERS, OVER, TIES, trees

Genes = NDArray[np.float64]

_BLOCK_MATCHES = 100_000


class Walks(NamedTuple):
    """The trees of all stacks in one: where each begins, by chips of position 0, and what happens at every node."""

    roots: NDArray[np.int64]
    actor: NDArray[np.int64]  # position, or OVER
    section: NDArray[np.int64]  # what the actor's opponent did last
    following: NDArray[np.int64]  # node, action -> node; what is not allowed leads where a check or call does
    payoffs: NDArray[np.int64]  # end, outcome -> chips of position 0


@dataclass(frozen=True)
class _Block:
    game: Game
    rows: Genes
    columns: Genes
    tournaments: range
    seed: int
    most_hands: int


def gene_duel_shares(
    game: Game,
    rows: Sequence[Genes],
    columns: Sequence[Genes],
    tournaments: int,
    *,
    seed: int,
    stage: Stage = FIRST_STAGE,
    workers: Workers = 1,
    most_hands: int = DEFAULT_MOST_HANDS,
) -> NDArray[np.float64]:
    """Each row's share of `tournaments` freeze-outs against each column, as `duel_shares` of their players finds it."""
    if tournaments < 1:
        raise ValueError(f"{tournaments} tournaments decide no duel; play at least 1")
    if game.streets != 1 or not game.freeze_out:
        raise ValueError(f"genes duel in freeze-outs of one street; {game.name} is not such a game")
    if not len(rows) or not len(columns):
        return np.zeros((len(rows), len(columns)))
    first, second = _checked(rows, game), _checked(columns, game)
    chips = np.zeros((len(first), len(second)), np.int64)
    for won in run_blocks(
        _play, _blocks(game, first, second, tournaments, stage_seed(seed, stage), most_hands), workers
    ):
        chips += won
    shares: NDArray[np.float64] = chips / (sum(game.stacks) * tournaments)
    return shares


def _checked(genomes: Sequence[Genes], game: Game) -> Genes:
    genes = np.array(genomes, np.float64)
    if genes.shape[1:] != (genes_needed(game),) or not ((genes >= 0.0) & (genes <= 1.0)).all():
        raise ValueError(f"a chromosome for {game.name} is {genes_needed(game)} probabilities")
    return genes


def _blocks(game: Game, rows: Genes, columns: Genes, tournaments: int, seed: int, most_hands: int) -> Iterator[_Block]:
    size = max(1, min(-(-tournaments // 2), _BLOCK_MATCHES // (len(rows) * len(columns))))
    for start in range(0, tournaments, size):
        yield _Block(game, rows, columns, range(start, min(start + size, tournaments)), seed, most_hands)


def _play(block: _Block) -> NDArray[np.int64]:
    """The chips each row ended with against each column, over the block's tournaments."""
    game = block.game
    chips = np.zeros((len(block.rows), len(block.columns)), np.int64)
    numbers = np.array(block.tournaments, np.int64)
    first = numbers * deals_apart(block.most_hands, True)
    keys = stream_keys(block.seed, Stream.CHOICES, numbers)
    rounds = -(-block.most_hands // CHUNK) * CHUNK
    _play_numbers(
        walks(game), plan_deals(game, ()), deal_tables(game, ()), deal_key(game, block.seed), numbers, first, keys,
        _thresholds(block.rows), _thresholds(block.columns), game.ranks, game.suits, np.array(game.stacks, np.int64),
        block.most_hands, empty_bank(game, rounds), np.zeros((rounds, 3), np.int64), chips,
    )  # fmt: skip
    return chips


def _thresholds(genes: Genes) -> Genes:
    """By genome and pair: below the first the player stays, below the second it bets. The product as the player has it."""
    pairs = genes.reshape(len(genes), -1, 2)
    return np.stack([pairs[..., 0], pairs[..., 0] * pairs[..., 1]], axis=-1).reshape(len(genes), -1)


@lru_cache(maxsize=16)
def walks(game: Game) -> Walks:
    """The trees of a game, laid end to end."""
    roots = np.full(sum(game.stacks) + 1, -1, np.int64)
    actor: list[int] = []
    section: list[int] = []
    following: list[list[int]] = []
    payoffs: list[NDArray[np.int64]] = []
    for tree in trees(game):
        start = roots[tree.stacks[0]] = len(actor)
        for node, history in enumerate(tree.histories):
            actor.append(tree.actor[node])
            # One street of two players: they act in turn, so the last action was always the opponent's.
            section.append(NEW_HAND if not history else AFTER_BET if history[-1] == LETTERS[RAISE] else AFTER_CHECK)
            payoffs.append(tree.payoffs[node])
            children = tree.children[node]
            following.append([start + (children[CALL] if child == ABSENT else child) for child in children])
    return Walks(roots, np.array(actor), np.array(section), np.array(following), np.array(payoffs))


@njit(error_model="numpy", nogil=True)
def _play_numbers(
    walk: Walks,
    plan: NDArray[np.void],
    tables: Tables,
    deals: int,
    numbers: NDArray[np.int64],
    first: NDArray[np.int64],
    keys: NDArray[np.int64],
    rows: Genes,
    columns: Genes,
    ranks: int,
    suits: int,
    stacks: NDArray[np.int64],
    most_hands: int,
    bank: Bank,
    dealt: NDArray[np.int64],
    chips: NDArray[np.int64],
) -> None:
    """Play every number with every pair. Writes `bank`, `dealt` (hand -> two cards and the outcome); adds to `chips`."""
    seats = np.empty((2, rows.shape[1]))
    cards = np.empty(2, np.int64)
    total = stacks[0] + stacks[1]
    for which in range(numbers.size):
        number = numbers[which]
        mine = number % 2
        hands_dealt = 0
        for row in range(rows.shape[0]):
            seats[mine] = rows[row]
            for column in range(columns.shape[0]):
                seats[1 - mine] = columns[column]
                left = stacks[0]  # chips of seat 0
                hand = 0
                draw = 0
                while 0 < left < total and hand < most_hands:
                    if hand >= hands_dealt:
                        fill_bank(plan, tables, deals, first[which] + hand, hand, CHUNK, bank)
                        for i in range(hand, hand + CHUNK):
                            dealt[i, 0] = bank.holes[i, 0, 0] // suits
                            dealt[i, 1] = bank.holes[i, 1, 0] // suits
                            difference = bank.ranks[i, 0] - bank.ranks[i, 1]
                            dealt[i, 2] = TIES + (difference > 0) - (difference < 0)
                        hands_dealt = hand + CHUNK
                    opener = hand & 1  # the seat of position 0
                    cards[opener] = dealt[hand, 0]
                    cards[1 - opener] = dealt[hand, 1]
                    node = walk.roots[left if opener == 0 else total - left]
                    while walk.actor[node] != OVER:
                        seat = walk.actor[node] ^ opener
                        draw += 1
                        at = 2 * (ranks * walk.section[node] + cards[seat])
                        chance = uniform(nth(keys[which], draw))
                        action = np.int64(chance < seats[seat, at]) + np.int64(chance < seats[seat, at + 1])
                        node = walk.following[node, action]
                    won = walk.payoffs[node, dealt[hand, 2]]
                    left += won if opener == 0 else -won
                    hand += 1
                chips[row, column] += left if mine == 0 else total - left
