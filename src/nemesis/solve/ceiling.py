"""Ceilings: the most that anyone can take from a known opponent, exactly.

Against a fixed policy a hand is a decision problem. With my card in hand, the probability that the opponent would have
played so far with each of its cards says how likely each is; folding the tree back from its ends with these weights
gives every decision its value, and the larger one is the best response (as in the best responses of OpenSpiel).

In a freeze-out the end of a hand is worth the probability to win the tournament from the stacks and positions it
leaves. Those probabilities are found by policy iteration (Howard 1960): answer the opponent best for the values at
hand, solve the linear equations of that answer's own values, repeat. It stops when no decision can be improved. Values of a
policy that no decision improves are the highest there are, also where play might never end, since the highest
probability of winning is the least non-negative solution of the optimality equation (Puterman 1994, section 7.2).
`residual` is how far that equation is from holding.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.respond.agent import Agent, CompiledAgent
from nemesis.rules.betting import CALL, FOLD, RAISE
from nemesis.rules.game import Game
from nemesis.solve.policy import Choose, Policy, empty_table, play_policy, policy_of, tabulate
from nemesis.solve.tree import ABSENT, LOSES, TIES, WINS, Deck, Stacks, Tree, board_seen, trees, whole_deck

Opponent = Policy | Agent | Choose

_MOST_ROUNDS = 200
_EXACT = 1e-12
_BUST, _ALL = -1, -2  # position 0 has no chips left, or all of them

NEW_HAND, CHECKED, BET = range(3)


@dataclass(frozen=True)
class Value:
    """What a policy gets: the share of tournaments it wins in a freeze-out, chips per hand elsewhere.

    `value` is from the game's own stacks, half the time in each position; `by_position` is with the position that acts
    first and with the button; `by_stacks` says it for all stacks (by position), again first and with the button.
    """

    value: float
    by_position: tuple[float, float]
    by_stacks: dict[Stacks, tuple[float, float]]


@dataclass(frozen=True)
class BestResponse(Value):
    """The most that can be taken from an opponent, and how.

    `exact` is False when the policy was only sought among some, so that its value is a lower bound of theirs; there is no
    residual then.
    """

    policy: Policy
    residual: float
    rounds: int
    exact: bool = True


def best_response(opponent: Opponent, game: Game) -> BestResponse:
    """The policy that takes most from this opponent, and what it takes.

    The opponent is a policy, a compiled agent that does not watch, or a function `(card, spot) -> (fold, call, raise)`.
    """
    return _respond(_Stage(game, as_policy(opponent, game)))


def best_response_to_change(before: Opponent, after: Opponent, game: Game, least: float) -> BestResponse:
    """The same against an opponent of a freeze-out that plays `after` once a hand has left it fewer than `least` chips.

    It never changes back. Its chips are there to be seen, so the best response knows when. `policy` is for before.
    """
    later = best_response(after, game)
    changed = {
        (number, me): later.by_stacks[tree.stacks][me]
        for number, tree in enumerate(trees(game))
        for me in (0, 1)
        if tree.stacks[1 - me] < least
    }
    return _respond(_Stage(game, as_policy(before, game), changed))


def _respond(stage: _Stage) -> BestResponse:
    mine, _ = stage.improve(chip_shares(stage.game))
    for rounds in range(1, _MOST_ROUNDS + 1):
        values = stage.values_of(mine)
        better, improved = stage.improve(values)
        residual = float(np.abs(improved - values).max())
        if residual <= _EXACT * max(1.0, float(np.abs(values).max())):
            return BestResponse(**stage.told(values), policy=mine, residual=residual, rounds=rounds)
        mine = better
    raise RuntimeError(f"no best response found in {_MOST_ROUNDS} rounds; the values still move by {residual:g}")


def value_against(policy: Opponent, opponent: Opponent, game: Game) -> Value:
    """What one policy gets against another, exactly."""
    stage = _Stage(game, as_policy(opponent, game))
    return Value(**stage.told(stage.values_of(as_policy(policy, game))))


def best_responder(opponent: Opponent, game: Game) -> CompiledAgent:
    """The best response as a player who can sit down at a table of this game."""
    return play_policy(best_response(opponent, game).policy, "best-response")


def exploitability(policy: Opponent, game: Game) -> float:
    """How much more than its fair share the best response to a policy gets: 0 for an equilibrium.

    The fair share is half the tournaments, or no chips.
    """
    return best_response(policy, game).value - (0.5 if game.freeze_out else 0.0)


def best_table(opponent: Opponent, game: Game) -> BestResponse:
    """The best found among players who look only at their card and the opponent's last action in the hand.

    Each of the 30 entries of such a table (Baker 2010, section 5.1: new hand, checked, bet; ten cards) is fold, call or
    raise. Entries are changed one at a time while that helps, from the most common choices of the best response, so the
    value is a lower bound of what such tables can get.
    """
    if game.streets > 1:
        raise ValueError(f"tables by card and last action are for games of one street; {game.name} has {game.streets}")
    theirs = as_policy(opponent, game)
    stage = _Stage(game, theirs)
    cells = _common_choices(best_response(theirs, game))

    def value(choices: NDArray[np.int64]) -> float:
        return float(stage.values_of(_spread(choices, game))[0].mean())

    best, improving, rounds = value(cells), True, 0
    while improving:
        improving, rounds = False, rounds + 1
        for cell in np.ndindex(cells.shape):
            for action in (FOLD, CALL, RAISE) if cell[0] == BET else (CALL, RAISE):
                tried = cells.copy()
                tried[cell] = action
                if (reached := value(tried)) > best + _EXACT:
                    cells, best, improving = tried, reached, True
    policy = _spread(cells, game)
    values = stage.values_of(policy)
    return BestResponse(**stage.told(values), policy=policy, residual=math.nan, rounds=rounds, exact=False)


def _last_action(history: str) -> int:
    return NEW_HAND if not history else BET if history[-1] == "r" else CHECKED


def _common_choices(best: BestResponse) -> NDArray[np.int64]:
    """By last action and card, what the policy does in most of its situations."""
    game = best.policy.game
    votes = np.zeros((3, game.ranks * game.suits, 3))
    for spot, card, chosen in best.policy.rows():
        votes[_last_action(spot.history), card] += chosen
    common: NDArray[np.int64] = votes.argmax(axis=-1)
    return common


def _spread(choices: NDArray[np.int64], game: Game) -> Policy:
    """The policy of a table by last action and card."""
    certain = np.eye(3)
    tables = {}
    for tree in trees(game):
        table = empty_table(game, tree)
        for node in np.flatnonzero(~tree.ends).tolist():
            chosen = choices[_last_action(tree.histories[node])]
            absent = tree.children[node, chosen] == ABSENT
            table[node, :, 0] = certain[np.where(absent, CALL, chosen)]
        tables[tree.stacks] = table
    return Policy(game, tables)


def as_policy(opponent: Opponent, game: Game) -> Policy:
    """The policy itself, of an agent, or of a function."""
    if isinstance(opponent, Policy):
        if opponent.game != game:
            raise ValueError(f"this policy is for {opponent.game.name}, not for {game.name}")
        return opponent
    return policy_of(opponent, game) if isinstance(opponent, Agent) else tabulate(opponent, game)


class _Stage:
    """Every hand that can come up against one opponent. Values are by tree and by my position; some may be `known`."""

    def __init__(self, game: Game, opponent: Policy, known: Mapping[tuple[int, int], float] | None = None) -> None:
        self.game = game
        self.known = known or {}
        self.trees = trees(game)
        deck = whole_deck(game)
        self.hands = [
            [_Hand(game, tree, deck, me, opponent.tables[tree.stacks]) for me in (0, 1)] for tree in self.trees
        ]

    def told(self, values: NDArray[np.float64]) -> dict[str, Any]:
        """The fields of a `Value`."""
        by_stacks = {tree.stacks: (float(a), float(b)) for tree, (a, b) in zip(self.trees, values, strict=True)}
        return {
            "value": float(values[0].mean()),
            "by_position": by_stacks[self.trees[0].stacks],
            "by_stacks": by_stacks,
        }

    def improve(self, values: NDArray[np.float64]) -> tuple[Policy, NDArray[np.float64]]:
        """The best answer when hands are worth `values` afterwards, and what they are then worth before."""
        improved = np.zeros_like(values)
        tables = {}
        for number, tree in enumerate(self.trees):
            tables[tree.stacks] = empty_table(self.game, tree)
            for me in (0, 1):
                ends = worth(self.game, number, me, values)
                improved[number, me] = self.hands[number][me].best(ends, tables[tree.stacks])
        for place, value in self.known.items():
            improved[place] = value
        return Policy(self.game, tables), improved

    def values_of(self, policy: Policy) -> NDArray[np.float64]:
        """What a policy of mine gets, by solving its linear equations."""
        count = len(self.trees)
        moves = np.zeros((count, 2, count, 2))
        gains = np.zeros((count, 2))
        nothing = np.zeros((count, 2))
        for number, tree in enumerate(self.trees):
            for me in (0, 1):
                flow = self.hands[number][me].flow(policy.tables[tree.stacks])
                gains[number, me] = (flow * worth(self.game, number, me, nothing)).sum()
                if self.game.freeze_out:
                    following = next_hands(self.game)[number]
                    on = following >= 0
                    np.add.at(moves[number, me, :, 1 - me], following[on], flow[on])
        for place, value in self.known.items():
            moves[place], gains[place] = 0.0, value
        return _least_solution(moves.reshape(2 * count, 2 * count), gains.ravel()).reshape(count, 2)


def chip_shares(game: Game) -> NDArray[np.float64]:
    """By tree and position, the share of the chips: a first guess at the chance to win them all."""
    shares: NDArray[np.float64] = np.array([tree.stacks for tree in trees(game)]) / sum(game.stacks)
    return shares


def worth(game: Game, number: int, me: int, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """What every end and outcome of a hand (number of its tree) is worth to me: the next hand's value, or the chips."""
    if not game.freeze_out:
        return trees(game)[number].payoffs.astype(np.float64) * (1 if me == 0 else -1)
    following = next_hands(game)[number]
    lost, won = (_BUST, _ALL) if me == 0 else (_ALL, _BUST)
    later = values[np.maximum(following, 0), 1 - me]
    return np.where(following == won, 1.0, np.where(following == lost, 0.0, later))


@lru_cache(maxsize=16)
def next_hands(game: Game) -> tuple[NDArray[np.int64], ...]:
    """For each tree of a freeze-out, the number of the next hand's tree by end and outcome, or who has it all."""
    numbers = {tree.stacks: number for number, tree in enumerate(trees(game))}

    def following(tree: Tree) -> NDArray[np.int64]:
        found = np.full(tree.payoffs.shape, _BUST)
        for node in np.flatnonzero(tree.ends).tolist():
            for outcome in (LOSES, TIES, WINS):
                left, right = tree.ending(node, outcome)
                found[node, outcome] = _BUST if left == 0 else _ALL if right == 0 else numbers[right, left]
        return found

    return tuple(following(tree) for tree in trees(game))


def _least_solution(moves: NDArray[np.float64], gains: NDArray[np.float64]) -> NDArray[np.float64]:
    """The least non-negative x = gains + moves x, or the only one if nothing moves: 0 where no gain can ever be reached."""
    if not moves.any():
        return gains
    reaches = gains > 0
    while (more := reaches | ((moves > 0) @ reaches)).sum() > reaches.sum():
        reaches = more
    values = np.zeros_like(gains)
    values[reaches] = np.linalg.solve(np.eye(reaches.sum()) - moves[np.ix_(reaches, reaches)], gains[reaches])
    return values


class _Hand:
    """One hand from one position against one opponent."""

    def __init__(self, game: Game, tree: Tree, deck: Deck, me: int, theirs: NDArray[np.float64]) -> None:
        self.tree = tree
        self.me = me
        self.seen = [board_seen(game, int(street)) for street in tree.street]
        deals = deck.by_outcome if me == 0 else deck.by_outcome.transpose(0, 2, 1, 3)
        # By node, my card, board and outcome: the probability of the deal and of all the opponent did to get here.
        self.weights = np.einsum("omtb,ntb->nmbo", deals, reach(tree, theirs, 1 - me)) * tree.ends[:, None, None, None]

    def best(self, worth: NDArray[np.float64], table: NDArray[np.float64]) -> float:
        """Fold the tree back from what its ends are worth. Writes my decisions to `table`; returns the hand's value."""
        value = np.einsum("nmbo,no->nmb", self.weights, worth)
        certain = np.eye(3)
        for node in np.flatnonzero(~self.tree.ends)[::-1].tolist():
            allowed = self.tree.allowed(node)
            options = value[self.tree.children[node, allowed]]
            if self.tree.actor[node] != self.me:
                value[node] = options.sum(axis=0)
                continue
            known = options if self.seen[node] else np.broadcast_to(options.sum(axis=2, keepdims=True), options.shape)
            chosen = known.argmax(axis=0)
            value[node] = np.take_along_axis(options, chosen[None], axis=0)[0]
            table[node] = certain[np.array(allowed)[chosen]]
        return float(value[0].sum())

    def flow(self, table: NDArray[np.float64]) -> NDArray[np.float64]:
        """The probability of every end and outcome when I play by `table`."""
        flow: NDArray[np.float64] = np.einsum("nmbo,nmb->no", self.weights, reach(self.tree, table, self.me))
        return flow


def reach(tree: Tree, table: NDArray[np.float64], position: int) -> NDArray[np.float64]:
    """By node, card and board: the probability that this position does its part to get there."""
    reached = np.ones(table.shape[:3])
    for node in np.flatnonzero(~tree.ends).tolist():
        for action in tree.allowed(node):
            child = tree.children[node, action]
            reached[child] = reached[node] * (table[node, :, :, action] if tree.actor[node] == position else 1.0)
    return reached
