"""The player with one probability for everything: 60 genes that a genetic algorithm sets (Baker 2010, sections 5.1 and 6.3).

For each thing the opponent did last in this hand (bet, checked or called, nothing yet) and each of the ten cards there
is a pair of genes: the probability of staying in the hand, and of betting if staying. A player who does not stay folds, or
checks when that is free. Section 6.3 compares one random number with both genes, which would make the second a share
of all hands; sections 5.1 and 6.1 say to bet with that probability "if staying in the hand", and so do we.

With a table of styles' actions (section 5.1.1) there is a block of genes for each style, and the block is that of the style
the opponent most probably plays. The source's player is for two seats and a deck of ten; ours takes any heads-up game of
one card.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nemesis.believe.action_table import ActionTable, Variant
from nemesis.believe.style_belief import belief_block, heard_by, likeliest, see
from nemesis.observe.view import NOT_YET
from nemesis.respond.agent import ACT, WATCH, CompiledAgent, Memory
from nemesis.respond.champion import genes_of
from nemesis.rules.betting import CALL, FOLD, RAISE
from nemesis.rules.game import Game
from nemesis.runtime.compiled import inlined, njit
from nemesis.runtime.memory import CELL, REST, WHERE, Layout

AFTER_BET, AFTER_CHECK, NEW_HAND = range(3)
SECTIONS = 3


class Places(NamedTuple):
    """The memory: the deck, how many genes answer one style, the belief if there is one, and all genes."""

    ranks: int = CELL
    suits: int = CELL
    each: int = CELL
    belief: int = WHERE
    genes: int = REST


LAYOUT = Layout(Places)
AT = LAYOUT.at


def genes_needed(game: Game, styles: int = 1) -> int:
    """How many genes a player of this game has, for each of `styles` styles: 60 in one-card poker."""
    return styles * SECTIONS * 2 * game.ranks


@inlined
def section_of(last: int) -> Any:
    """Which section answers an opponent's last action of this hand."""
    if last == NOT_YET:
        return NEW_HAND
    return AFTER_BET if last == RAISE else AFTER_CHECK


@inlined
def chosen(v: Any, memory: Memory, block: int, chance: float) -> Any:
    """The action that the genes of one block choose."""
    ranks = np.int64(memory[AT.ranks])
    card = v.hole[0] // np.int64(memory[AT.suits])
    pair = AT.genes + block * np.int64(memory[AT.each]) + 2 * (ranks * section_of(v.last[1 - v.me]) + card)
    stay = memory[pair]
    if chance >= stay:
        return FOLD
    return RAISE if chance < stay * memory[pair + 1] else CALL


@njit(ACT, error_model="numpy")
def _act(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    return chosen(view[0], memory, 0, chance)


@njit(ACT, error_model="numpy")
def _act_on_belief(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    v = view[0]
    belief: Any = np.int64(memory[AT.belief])
    return chosen(v, memory, likeliest(memory, belief, 1 - v.me), chance)


@njit(WATCH, error_model="numpy")
def _watch(event: NDArray[np.void], memory: Memory) -> None:
    belief: Any = np.int64(memory[AT.belief])
    see(memory, belief, event[0])


def chromosome_player(
    genes: ArrayLike,
    game: Game,
    *,
    table: ActionTable | None = None,
    belief: Variant = "plain",
    name: str = "chromosome",
) -> CompiledAgent:
    """A player from its genes; with a `table` of styles, one block of genes for each of them."""
    genome = np.asarray(genes, np.float64)
    if game.seats != 2 or game.hole_cards != 1:
        raise ValueError(f"{name} plays games of two seats and one card each; {game.name} is not one")
    needed = genes_needed(game, len(table.styles) if table else 1)
    if genome.shape != (needed,):
        raise ValueError(f"{name} needs {needed} genes for {game.name}, but was given {genome.shape}")
    if not ((genome >= 0.0) & (genome <= 1.0)).all():
        raise ValueError(f"{name} has a gene outside 0 to 1; each is a probability")
    block = belief_block(table, game.seats, variant=belief) if table else ()
    memory = LAYOUT.template(ranks=game.ranks, suits=game.suits, each=genes_needed(game), belief=block, genes=genome)
    if table is None:
        return CompiledAgent(name, _act, memory=memory, facts=())
    hears, facts = heard_by(belief)
    return CompiledAgent(name, _act_on_belief, _watch, memory, facts, hears)


def unbelieving_genes(player: CompiledAgent, game: Game) -> NDArray[np.float64] | None:
    """The genes of a player made here without a belief; None of any other."""
    return player.template[AT.genes : AT.genes + genes_needed(game)] if player.act_kernel is _act else None


def from_champion(content: Mapping[str, Any], game: Game) -> CompiledAgent:
    """The player of a champion file: `genome` is the list of genes, `player` may have a `table` of styles."""
    player = content["player"]
    table = player.get("table")
    return chromosome_player(
        genes_of(content),
        game,
        table=ActionTable.from_json(table) if table else None,
        belief=player.get("belief", "plain"),
        name=content["name"],
    )
