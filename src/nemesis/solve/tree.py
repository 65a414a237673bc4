"""Whole games, small enough to hold: every betting sequence and every deal of a heads-up game of one hole card.

A `Tree` is one hand's betting from given stacks, grown by stepping the betting engine itself, so it cannot disagree with
what is played. A `Deck` is chance: the probability of every deal and who wins it, from the deals' own ranks. Ends and deals
meet only in the outcome (position 0 loses, ties, wins), so a tree does not depend on cards and a deck not on chips.

In a freeze-out a hand's end is the next hand's beginning with the positions changed over: `trees` finds every pair of
stacks that can come up. Stacks are by position; position 0 acts first and position 1 has the button.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from nemesis.rules.betting import CALL, FOLD, RAISE, begin, new_hand, settle, step
from nemesis.rules.deal import deal_cards
from nemesis.rules.game import Game

ACTIONS = (FOLD, CALL, RAISE)
LETTERS = "fcr"
LOSES, TIES, WINS = range(3)
OVER = -1
ABSENT = -1

Stacks = tuple[int, int]


@dataclass(frozen=True)
class Tree:
    """One hand's betting. Nodes are numbered from the root, 0, parents before children."""

    stacks: Stacks
    histories: tuple[str, ...]  # f, c, r as in the ACPC, with / between streets
    actor: NDArray[np.int64]  # position, or OVER where the betting has ended
    street: NDArray[np.int64]
    to_call: NDArray[np.int64]
    children: NDArray[np.int64]  # node, action -> node, or ABSENT when that action is not allowed
    payoffs: NDArray[np.int64]  # end, outcome -> chips of position 0

    @property
    def ends(self) -> NDArray[np.bool_]:
        """Which nodes have nobody left to act."""
        ends: NDArray[np.bool_] = self.actor == OVER
        return ends

    def allowed(self, node: int) -> list[int]:
        """What the actor may do."""
        return [action for action in ACTIONS if self.children[node, action] != ABSENT]

    def ending(self, node: int, outcome: int) -> Stacks:
        """Both stacks after this end, by the position they had in the hand."""
        won = int(self.payoffs[node, outcome])
        return self.stacks[0] + won, self.stacks[1] - won


@dataclass(frozen=True)
class Deck:
    """Every deal: its probability, and its outcome for position 0, by card of position 0, of position 1, and board.

    A game without a board has one column for it.
    """

    chance: NDArray[np.float64]
    outcome: NDArray[np.int64]

    @property
    def by_outcome(self) -> NDArray[np.float64]:
        """The probability of every deal that ends so, and 0 for the others: outcome, card, card, board."""
        return np.stack([np.where(self.outcome == outcome, self.chance, 0.0) for outcome in (LOSES, TIES, WINS)])


def check_small(game: Game) -> None:
    """Raise a sentence if this game cannot be held whole."""
    if game.seats != 2:
        raise ValueError(f"exact values are for two players; {game.name} has {game.seats} seats")
    if game.structure != "limit" or game.hole_cards != 1:
        raise ValueError(
            f"exact values are for limit games of one hole card such as one-card or leduc, not {game.name}"
        )


def grow(game: Game, stacks: Stacks) -> Tree:
    """The tree of one hand of a small game from these stacks."""
    check_small(game)
    return grow_betting(game, stacks)


def grow_betting(game: Game, stacks: Stacks) -> Tree:
    """The betting of one hand of any heads-up limit game, whatever its cards."""
    rules = game.compiled()
    hands: list[NDArray[np.void]] = []
    histories: list[str] = []
    children: list[list[int]] = []

    def visit(hand: NDArray[np.void], history: str) -> int:
        node = len(hands)
        hands.append(hand)
        histories.append(history)
        children.append([ABSENT] * len(ACTIONS))
        for action in ACTIONS if not hand["over"][0] else ():
            after = hand.copy()
            if min(step(rules, after, action), RAISE) == action:
                dealt = "/" if after["street"] > hand["street"] and not after["over"][0] else ""
                children[node][action] = visit(after, history + LETTERS[action] + dealt)
        return node

    root = new_hand()
    begin(rules, np.array(stacks, np.int64), root)
    visit(root, "")
    over = np.array([bool(hand["over"][0]) for hand in hands])
    return Tree(
        stacks,
        tuple(histories),
        np.array([OVER if hand["over"][0] else int(hand["actor"][0]) for hand in hands]),
        np.array([int(hand["street"][0]) for hand in hands]),
        np.array([int(hand["to_call"][0]) for hand in hands]),
        np.array(children),
        np.array([_payoffs(hand) if end else [0, 0, 0] for hand, end in zip(hands, over, strict=True)]),
    )


def _payoffs(hand: NDArray[np.void]) -> list[int]:
    won = []
    for ranks in ((0, 1), (0, 0), (1, 0)):
        settled = hand.copy()
        settle(settled, np.array(ranks, np.int32))
        won.append(int(settled["payoff"][0, 0]))
    return won


@lru_cache(maxsize=16)
def trees(game: Game) -> tuple[Tree, ...]:
    """The tree from the game's stacks, and in a freeze-out those from all stacks that can follow; the first comes first."""
    first = (game.stacks[0], game.stacks[1])
    found = {first: grow(game, first)}
    waiting = deque(found.values())
    while waiting and game.freeze_out:
        tree = waiting.popleft()
        for node in np.flatnonzero(tree.ends):
            for outcome in (LOSES, TIES, WINS):
                left, right = tree.ending(int(node), outcome)
                if min(left, right) > 0 and (right, left) not in found:
                    found[right, left] = grow(game, (right, left))
                    waiting.append(found[right, left])
    return tuple(found.values())


@lru_cache(maxsize=16)
def whole_deck(game: Game) -> Deck:
    """Every deal of the game with its probability and outcome."""
    check_small(game)
    cards, boards = game.ranks * game.suits, sum(game.board_cards)
    deals = list(permutations(range(cards), 2 + boards))
    bank = deal_cards(game, [((a,), (b,)) for a, b, *_ in deals], [board for _, _, *board in deals], facts=())
    shape = (cards, cards, cards if boards else 1)
    chance, outcome = np.zeros(shape), np.full(shape, TIES)
    for deal, (left, right) in zip(deals, bank.ranks.astype(np.int64), strict=True):
        at = deal if boards else (*deal, 0)
        chance[at] = 1 / len(deals)
        outcome[at] = TIES + np.sign(left - right)
    return Deck(chance, outcome)


def board_seen(game: Game, street: int) -> bool:
    """Whether the board card is seen on this street."""
    return any(game.board_cards[: street + 1])
