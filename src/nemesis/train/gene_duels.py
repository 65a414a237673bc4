"""Chromosomes against chromosomes, heads-up: the same freeze-outs as `measure.duels`, several times as fast.

Coevolution plays a billion of them. A chromosome (`respond.chromosome`) looks only at its card, the opponent's last action
and one die, so it needs no view: a hand is a walk down the tree of the betting (`solve.tree`, grown by stepping the
engine) and a decision is two comparisons. A style (`respond.styles`) is such a chromosome too, one of certainties. Deals,
dice, seats and the end of a match are those of `play.loop`, number for number, and a test holds the two to the same
results.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.fitness import DEFAULT_MOST_HANDS, stage_seed
from nemesis.play.blocks import in_blocks
from nemesis.play.match import deals_apart
from nemesis.play.workers import Workers, run_blocks
from nemesis.respond.agent import CompiledAgent
from nemesis.respond.chromosome import AFTER_BET, AFTER_CHECK, NEW_HAND, SECTIONS, genes_needed, unbelieving_genes
from nemesis.respond.styles import thresholds_of
from nemesis.rules.betting import CALL, RAISE
from nemesis.rules.deal import CHUNK, Bank, Dealer, empty_bank, fill_bank, new_dealer
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


class Duel(NamedTuple):
    """The game as the kernel plays it: the trees, who deals, the deck, the stacks and when a match is given up."""

    walk: Walks
    dealer: Dealer
    ranks: int
    suits: int
    stacks: NDArray[np.int64]
    most_hands: int


class Numbered(NamedTuple):
    """The matches to play: their numbers, their first deals and the keys of their dice."""

    numbers: NDArray[np.int64]
    first: NDArray[np.int64]
    keys: NDArray[np.int64]


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
    size = max(1, min(-(-tournaments // 2), _BLOCK_MATCHES // chips.size))
    play = partial(_play, game, first, second, stage_seed(seed, stage), most_hands)
    for won in run_blocks(play, in_blocks(range(tournaments), size), workers):
        chips += won
    shares: NDArray[np.float64] = chips / (sum(game.stacks) * tournaments)
    return shares


def genes_of_players(players: Sequence[CompiledAgent], game: Game) -> list[Genes] | None:
    """The genes of players that gene duels can play, chromosomes without a belief and styles; None if one is neither."""
    if game.seats != 2 or game.streets != 1 or game.hole_cards != 1 or not game.freeze_out:
        return None
    found = [_genes_of(player, game) for player in players]
    return None if any(genes is None for genes in found) else [genes for genes in found if genes is not None]


def _genes_of(player: CompiledAgent, game: Game) -> Genes | None:
    """The genes of a chromosome, or of a style, where to stay and to bet are certain or out of the question."""
    thresholds = thresholds_of(player)
    if thresholds is None:
        return unbelieving_genes(player, game)
    win = np.arange(game.ranks) / (game.ranks - 1)
    stays, bets = (win >= threshold for threshold in thresholds)
    return np.tile(np.stack([stays, bets], axis=1).astype(np.float64).ravel(), SECTIONS)


def _checked(genomes: Sequence[Genes], game: Game) -> Genes:
    genes = np.array(genomes, np.float64)
    if genes.shape[1:] != (genes_needed(game),) or not ((genes >= 0.0) & (genes <= 1.0)).all():
        raise ValueError(f"a chromosome for {game.name} is {genes_needed(game)} probabilities")
    return genes


def _play(game: Game, rows: Genes, columns: Genes, seed: int, most_hands: int, tournaments: range) -> NDArray[np.int64]:
    """The chips each row ended with against each column, over these tournaments."""
    chips = np.zeros((len(rows), len(columns)), np.int64)
    numbers = np.array(tournaments, np.int64)
    first = numbers * deals_apart(most_hands, True)
    matches = Numbered(numbers, first, stream_keys(seed, Stream.CHOICES, numbers))
    stacks = np.array(game.stacks, np.int64)
    duel = Duel(walks(game), new_dealer(game, seed, ()), game.ranks, game.suits, stacks, most_hands)
    room = -(-most_hands // CHUNK) * CHUNK
    bank, dealt = empty_bank(game, room), np.zeros((room, 3), np.int64)
    _play_numbers(duel, matches, _thresholds(rows), _thresholds(columns), bank, dealt, chips)
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
    duel: Duel,
    matches: Numbered,
    rows: Genes,
    columns: Genes,
    bank: Bank,
    dealt: NDArray[np.int64],
    chips: NDArray[np.int64],
) -> None:
    """Play every number with every pair. Writes `bank`, `dealt` (hand -> two cards and the outcome); adds to `chips`."""
    walk, dealer, ranks, suits, stacks, most_hands = duel
    numbers, first, keys = matches
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
                        fill_bank(dealer.plan, dealer.tables, dealer.key, first[which] + hand, hand, CHUNK, bank)
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
