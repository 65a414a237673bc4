"""Chromosomes against chromosomes, heads-up: how often each wins a freeze-out, worked out instead of played.

A chromosome (`respond.chromosome`) looks only at its card and the opponent's last action, and a style (`respond.styles`) is
such a chromosome too, one of certainties. So a hand between two of them is a distribution over payoffs, summed over the
tree of the betting (`solve.tree`, grown by stepping the engine) and the cards; and a freeze-out is a random walk of
chips, whose chance of ending with all of them is the solution of a banded system of linear equations. That takes a few
microseconds a pair, where playing a hundred games takes a hundred.

Learners are told the result of games all the same: `gene_duel_shares` draws how many of so many independent games are
won, which has the law of playing them. (The source's candidates meet different deals too.) A freeze-out that never
ends, such as one in which whoever opens bets and the other folds, is worth the share of chips.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.play.blocks import in_blocks
from nemesis.play.workers import Workers, run_blocks
from nemesis.respond.agent import CompiledAgent
from nemesis.respond.chromosome import AFTER_BET, AFTER_CHECK, NEW_HAND, SECTIONS, genes_needed, unbelieving_genes
from nemesis.respond.styles import thresholds_of
from nemesis.rules.betting import CALL, FOLD, RAISE
from nemesis.rules.game import Game
from nemesis.runtime.compiled import inlined, njit
from nemesis.solve.tree import ABSENT, LETTERS, LOSES, OVER, TIES, WINS, trees

Genes = NDArray[np.float64]

OUTCOMES = 3
_BLOCK_PAIRS = 10_000
_GIVEN_UP = 1e-9
"""The chance that a freeze-out is given up after a hand, which makes one that never ends solvable."""


class Walks(NamedTuple):
    """The different trees of all stacks, laid end to end, and what happens at every node; chips in units of the game's."""

    tree_at: NDArray[np.int64]  # chips of position 0 -> tree, or ABSENT where no hand can begin
    first: NDArray[np.int64]  # tree -> its root; one more at the end
    actor: NDArray[np.int64]  # position, or OVER
    section: NDArray[np.int64]  # what the actor's opponent did last
    following: NDArray[np.int64]  # node, action -> node; what is not allowed leads where a check or call does
    payoffs: NDArray[np.int64]  # end, outcome -> chips of position 0
    most: int  # chips that a hand can bring
    start: int  # chips of position 0 in the first hand


def gene_duel_shares(
    game: Game,
    rows: Sequence[Genes],
    columns: Sequence[Genes],
    tournaments: int,
    chance: np.random.Generator,
    workers: Workers = 1,
) -> NDArray[np.float64]:
    """Each row's share of `tournaments` freeze-outs against each column, drawn with the chances of winning them.

    The row acts first in the first hand of every other one, beginning with the first.
    """
    if tournaments < 1:
        raise ValueError(f"{tournaments} tournaments decide no duel; play at least 1")
    chances = duel_chances(game, rows, columns, workers)
    opened = tournaments - tournaments // 2
    won = chance.binomial(opened, chances[..., 0]) + chance.binomial(tournaments - opened, chances[..., 1])
    shares: NDArray[np.float64] = won / tournaments
    return shares


def duel_chances(
    game: Game, rows: Sequence[Genes], columns: Sequence[Genes], workers: Workers = 1
) -> NDArray[np.float64]:
    """The chance of each row to win a freeze-out against each column: row, column, position of the row in the first hand."""
    if game.streets != 1 or not game.freeze_out:
        raise ValueError(f"genes duel in freeze-outs of one street; {game.name} is not such a game")
    if not len(rows) or not len(columns):
        return np.zeros((len(rows), len(columns), 2))
    first, second = _checked(rows, game), _checked(columns, game)
    work = partial(_chances, game, first, second)
    blocks = in_blocks(range(len(first)), max(1, _BLOCK_PAIRS // len(second)))
    return np.concatenate(list(run_blocks(work, blocks, workers)))


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


def _chances(game: Game, rows: Genes, columns: Genes, block: range) -> NDArray[np.float64]:
    """`duel_chances` of some of the rows."""
    walk = walks(game)
    shape = (2, len(walk.actor), game.ranks)
    reached, faced = np.zeros((len(block), *shape)), np.zeros((len(columns), *shape))
    _reach(walk, rows[block.start : block.stop], reached)
    _reach(walk, columns, faced)
    chances = np.zeros((len(block), len(columns), 2))
    _walk_chips(walk, reached, _met(faced, game), chances)
    return chances


def _met(faced: Genes, game: Game) -> Genes:
    """By genome, position, node, outcome and my card: the probability of meeting the genome there and ending so.

    Two cards of one deck: an opponent's card of another rank comes in any suit, one of my own rank in the others.
    """
    other, same = game.suits, game.suits - 1
    unseen = game.ranks * game.suits - 1
    met = np.zeros((*faced.shape[:-1], OUTCOMES, game.ranks))
    met[..., TIES, :] = same * faced
    met[..., WINS, 1:] = other * np.cumsum(faced, axis=-1)[..., :-1]
    met[..., LOSES, :-1] = other * np.cumsum(faced[..., ::-1], axis=-1)[..., -2::-1]
    return met / (unseen * game.ranks)


@lru_cache(maxsize=16)
def walks(game: Game) -> Walks:
    """The trees of a game; stacks from which the betting is the same share one."""
    unit = math.gcd(*(stack for tree in trees(game) for stack in tree.stacks))
    tree_at = np.full(sum(game.stacks) // unit + 1, ABSENT, np.int64)
    numbers: dict[tuple[tuple[str, ...], bytes], int] = {}
    first: list[int] = [0]
    actor: list[int] = []
    section: list[int] = []
    following: list[list[int]] = []
    payoffs: list[NDArray[np.int64]] = []
    for tree in trees(game):
        alike = (tree.histories, tree.payoffs.tobytes())
        if alike not in numbers:
            numbers[alike] = len(numbers)
            start = first[-1]
            for node, history in enumerate(tree.histories):
                actor.append(tree.actor[node])
                # One street of two players: they act in turn, so the last action was always the opponent's.
                section.append(NEW_HAND if not history else AFTER_BET if history[-1] == LETTERS[RAISE] else AFTER_CHECK)
                payoffs.append(tree.payoffs[node] // unit)
                children = tree.children[node]
                following.append([start + (children[CALL] if child == ABSENT else child) for child in children])
            first.append(len(actor))
        tree_at[tree.stacks[0] // unit] = numbers[alike]
    ends = np.array(payoffs)
    return Walks(
        tree_at, np.array(first), np.array(actor), np.array(section), np.array(following), ends,
        int(np.abs(ends).max()), game.stacks[0] // unit,
    )  # fmt: skip


@njit(error_model="numpy", nogil=True)
def _reach(walk: Walks, genes: Genes, reached: Genes) -> None:
    """By genome, position, node and card: the probability that it does its part to get there. Adds to `reached`."""
    ranks = reached.shape[3]
    for genome in range(genes.shape[0]):
        for position in range(2):
            mine = reached[genome, position]
            for root in walk.first[:-1]:
                mine[root] = 1.0
            for node in range(walk.actor.size):
                if walk.actor[node] == OVER:
                    continue
                for card in range(ranks):
                    before = mine[node, card]
                    if walk.actor[node] != position:
                        for child in walk.following[node]:
                            mine[child, card] = before
                        continue
                    pair = 2 * (ranks * walk.section[node] + card)
                    stay, bet = genes[genome, pair], genes[genome, pair] * genes[genome, pair + 1]
                    mine[walk.following[node, FOLD], card] += before * (1.0 - stay)
                    mine[walk.following[node, CALL], card] += before * (stay - bet)
                    mine[walk.following[node, RAISE], card] += before * bet


@njit(error_model="numpy", nogil=True)
def _walk_chips(walk: Walks, reached: Genes, met: Genes, chances: Genes) -> None:
    """The chances of every pair. Writes `chances`."""
    states, width = 2 * (walk.tree_at.size - 2), 2 * walk.most + 1
    brings = np.empty((walk.first.size - 1, 2, 2 * walk.most + 1))
    band, gains = np.empty((states, 2 * width + 1)), np.empty(states)
    start = 2 * (walk.start - 1)
    for row in range(reached.shape[0]):
        for column in range(met.shape[0]):
            _bring(walk, reached[row], met[column], brings)
            _equations(walk, brings, width, band, gains)
            _solve(width, band, gains)
            chances[row, column, 0] = min(max(gains[start], 0.0), 1.0)
            chances[row, column, 1] = min(max(gains[start + 1], 0.0), 1.0)


@inlined
def _bring(walk: Walks, mine: Genes, met: Genes, brings: Genes) -> None:
    """By tree, my position and chips won: the probability that a hand brings so much. Writes `brings`."""
    brings[:] = 0.0
    for tree in range(walk.first.size - 1):
        for node in range(walk.first[tree], walk.first[tree + 1]):
            if walk.actor[node] != OVER:
                continue
            for position in range(2):
                for outcome in range(OUTCOMES):
                    flow = 0.0
                    for card in range(mine.shape[2]):
                        flow += mine[position, node, card] * met[1 - position, node, outcome, card]
                    won = walk.payoffs[node, outcome] if position == 0 else -walk.payoffs[node, WINS - outcome]
                    brings[tree, position, won + walk.most] += flow


@inlined
def _equations(walk: Walks, brings: Genes, width: int, band: Genes, gains: Genes) -> None:
    """A row for my chips and position: the value there minus those of the next hands is `gains`. Writes the last two."""
    total = walk.tree_at.size - 1
    band[:] = 0.0
    gains[:] = 0.0
    for chips in range(1, total):
        for position in range(2):
            at = 2 * (chips - 1) + position
            band[at, width] = 1.0
            tree = walk.tree_at[chips if position == 0 else total - chips]
            if tree == ABSENT:
                continue
            gains[at] = _GIVEN_UP * chips / total
            for won in range(-walk.most, walk.most + 1):
                moved = (1.0 - _GIVEN_UP) * brings[tree, position, won + walk.most]
                if chips + won >= total:
                    gains[at] += moved
                elif chips + won > 0:
                    band[at, 2 * (chips + won - 1) + 1 - position - at + width] -= moved


@inlined
def _solve(width: int, band: Genes, gains: Genes) -> None:
    """Gauss's elimination in a band, which needs no pivots where diagonals dominate. Leaves the solution in `gains`."""
    size = gains.size
    for pivot in range(size):
        for below in range(pivot + 1, min(pivot + width, size - 1) + 1):
            factor = band[below, pivot - below + width] / band[pivot, width]
            if factor != 0.0:
                for ahead in range(1, min(width, size - 1 - pivot) + 1):
                    band[below, pivot - below + width + ahead] -= factor * band[pivot, width + ahead]
                gains[below] -= factor * gains[pivot]
    for row in range(size - 1, -1, -1):
        for ahead in range(1, min(width, size - 1 - row) + 1):
            gains[row] -= band[row, width + ahead] * gains[row + ahead]
        gains[row] /= band[row, width]
