"""How much can be taken from a solved strategy within its own abstract game?

In a small game the strategy is a policy (`as_policy`) and its best response is exact. In hold'em a bank of deals stands for
the joint distribution of both players' buckets, as in `limit_ceiling`: the tree is folded back over the deals, which are
told apart only by the responder's bucket now. Each bucket takes the action that brings most, if it beats the strategy's own
mix by more than chance explains (`SURE` standard errors), and plays that mix otherwise. A finite bank flatters whoever
chooses on it, so the response is worked out again on other deals, with both players' mixing summed up exactly; that
figure is unbiased for this response, and a lower bound for the best one. It says nothing about opponents
who bet sizes that are not on the menu or tell apart hands that the buckets do not: for those see `local_response`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.interval import Interval, mean_interval
from nemesis.rules.buckets import bucket_rows
from nemesis.rules.deal import deal
from nemesis.rules.menu_tree import OVER
from nemesis.runtime.compiled import njit
from nemesis.runtime.streams import Stream, derived_seed
from nemesis.solve.abstract_game import AbstractGame
from nemesis.solve.ceiling import best_response
from nemesis.solve.mccfr import MOST_ACTIONS
from nemesis.solve.policy import Policy, empty_table
from nemesis.solve.tree import board_seen, trees

DEALS = 40_000
SURE = 3.0
FIND, MEASURE = 1, 2
"""The deals of `Stream.SOLVING` on which a response is found and on which it is measured."""

Floats = NDArray[np.float32]


def exploitability(game: AbstractGame, strategy: Floats, deals: int = DEALS, seed: int = 0) -> tuple[float, Interval]:
    """What the best response found takes from a strategy a hand, both positions together, in the game's unit."""
    if not game.game.is_holdem:
        taken = best_response(as_policy(game, strategy), game.game).value
        return taken, (taken, taken)
    response = strategy.copy()
    for position in (0, 1):
        _fold(game, strategy, response, position, deals, seed, FIND)
    worth = [_fold(game, strategy, response, position, deals, seed, MEASURE) for position in (0, 1)]
    _, per_chip = game.game.unit
    mean, ci95 = mean_interval((worth[0] + worth[1]) / 2 * game.unit * per_chip)
    return mean, ci95


def as_policy(game: AbstractGame, strategy: Floats) -> Policy:
    """A strategy of a small game as a policy, whose values are computed exactly."""
    tree = trees(game.game)[0]
    places = {history: node for node, history in enumerate(tree.histories)}
    table = empty_table(game.game, tree)
    nodes, deck = game.nodes, game.game.ranks * game.game.suits
    for node in np.flatnonzero(nodes["actor"] != OVER).tolist():
        here, first = nodes[node], int(nodes[node]["first"])
        street, actions = int(here["street"]), int(here["actions"])
        count = int(game.buckets.counts[street])
        shares = strategy[int(here["slot"]) : int(here["slot"]) + count * actions]
        seen = board_seen(game.game, street)
        shares = shares.reshape(deck, deck if seen else 1, actions)
        for action in range(actions):
            table[places[game.tree.line(node)], :, :, int(nodes[first + action]["action"])] = shares[..., action]
    return Policy(game.game, {tree.stacks: table})


class Room(NamedTuple):
    """What a fold looks at, and what it needs room for: `live`, `values` and `reach` by depth, action and deal."""

    nodes: NDArray[np.void]
    hands: NDArray[np.uint16]
    """deal, position, street -> bucket"""
    outcomes: NDArray[np.int8]
    strategy: Floats
    response: Floats
    live: NDArray[np.int32]
    reach: Floats
    values: Floats
    position: int
    choosing: bool


def _fold(
    game: AbstractGame, strategy: Floats, response: Floats, position: int, deals: int, seed: int, number: int
) -> NDArray[np.float64]:
    """By deal, what the response takes in one position; on the deals for finding, it is chosen first."""
    bank = deal(game.game, derived_seed(seed, Stream.SOLVING, number), 0, deals)
    hands = np.zeros((deals, 2, game.game.streets), np.uint16)
    bucket_rows(game.buckets, bank, 0, deals, hands)
    outcomes = (1 + np.sign(bank.ranks[:, 0].astype(np.int64) - bank.ranks[:, 1])).astype(np.int8)
    depth = game.tree.depth + 1
    room = Room(
        game.nodes, hands, outcomes, strategy, response,
        np.zeros((depth, deals), np.int32), np.zeros((depth, deals), np.float32),
        np.zeros((depth, MOST_ACTIONS, deals), np.float32), position, number == FIND,
    )  # fmt: skip
    room.live[0] = np.arange(deals)
    room.reach[0] = 1.0
    fold_back(room, 0, 0, deals, 0)
    worth: NDArray[np.float64] = room.values[0, 0].astype(np.float64)
    return worth


@njit(error_model="numpy", nogil=True)
def choose(room: Room, node: int, depth: int, count: int, place: int) -> None:
    """At a node of the responder whose actions are worked out, each bucket takes the one that surely brings most.

    Writes the response and the values of the node.
    """
    n = room.nodes[node]
    live, reach = room.live[depth], room.reach[depth]
    buckets = 1 + np.int64(room.hands[:, n.actor, n.street].max())
    gains = np.zeros((buckets, n.actions))
    squares = np.zeros((buckets, n.actions))
    for i in range(count):
        bucket = np.int64(room.hands[live[i], n.actor, n.street])
        at = n.slot + bucket * n.actions
        mixed = np.float32(0.0)
        for a in range(n.actions):
            mixed += room.strategy[at + a] * room.values[depth + 1, a, i]
        for a in range(n.actions):
            gain = reach[i] * (room.values[depth + 1, a, i] - mixed)
            gains[bucket, a] += gain
            squares[bucket, a] += gain * gain
    for own in range(buckets):
        best, most = -1, 0.0
        for a in range(n.actions):
            sure = gains[own, a] - SURE * np.sqrt(squares[own, a])
            if sure > most:
                best, most = a, sure
        at = n.slot + own * n.actions
        for a in range(n.actions):
            room.response[at + a] = room.strategy[at + a] if best < 0 else 1.0 if a == best else 0.0
    out = room.values[depth, place]
    for i in range(count):
        at = n.slot + np.int64(room.hands[live[i], n.actor, n.street]) * n.actions
        out[i] = np.float32(0.0)
        for a in range(n.actions):
            out[i] += room.response[at + a] * room.values[depth + 1, a, i]


@njit(error_model="numpy", nogil=True, cache=False)  # a kernel that calls itself crashes when it is loaded from a cache
def fold_back(room: Room, node: int, depth: int, count: int, place: int) -> Any:
    """Work out a node for the `count` deals that are live at this depth. Writes values to (depth, `place`)."""
    n = room.nodes[node]
    live, reach = room.live[depth], room.reach[depth]
    out = room.values[depth, place]
    if n.actor == OVER:
        sign = np.float32(1.0 if room.position == 0 else -1.0)
        for i in range(count):
            out[i] = sign * n.payoffs[room.outcomes[live[i]]]
        return 0
    mine = n.actor == room.position
    deeper, further = room.live[depth + 1], room.reach[depth + 1]
    if mine and room.choosing:
        for a in range(n.actions):
            for i in range(count):
                deeper[i], further[i] = live[i], reach[i]
            fold_back(room, n.first + a, depth + 1, count, a)
        choose(room, node, depth, count, place)
        return 0
    for i in range(count):
        out[i] = np.float32(0.0)
    probabilities = room.response if mine else room.strategy
    found = room.values[depth + 1, 0]
    for a in range(n.actions):
        kept = 0
        for i in range(count):
            bucket = np.int64(room.hands[live[i], n.actor, n.street])
            likely = probabilities[n.slot + bucket * n.actions + a]
            if likely > 0.0:
                deeper[kept] = live[i]
                further[kept] = reach[i] * likely
                kept += 1
        if kept == 0:
            continue
        fold_back(room, n.first + a, depth + 1, kept, 0)
        kept = 0
        for i in range(count):
            bucket = np.int64(room.hands[live[i], n.actor, n.street])
            likely = probabilities[n.slot + bucket * n.actions + a]
            if likely > 0.0:
                out[i] += likely * found[kept]
                kept += 1
    return 0
