"""What a player of a known policy may have held, given what it did.

The policy of a solved strategy is written in its book (`respond.solved_player`). Each holding has a probability: how often
it is played as the hand was. A bet that is not on the player's menu is taken for one of two nodes at random, so the player
may be at several nodes at once, on several *paths*; each has its own probabilities.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.play.luck_terms import Floats
from nemesis.respond.solved_player import approach, bucket_at, is_off_tree, neighbours, off_the_tree, played
from nemesis.respond.strategy_file import WHOLE
from nemesis.rules.betting import RAISE, take
from nemesis.rules.canonical import HOLES
from nemesis.rules.deal import Bank
from nemesis.runtime.compiled import inlined, njit

PATHS = 64
"""Nodes at which the player may be at once; each decision at most doubles them."""


class Room(NamedTuple):
    """Working space: the hand, the hand before an action, the player's view, one deal, and numbers by holding."""

    hand: NDArray[np.void]
    tried: NDArray[np.void]
    views: NDArray[np.void]
    bank: Bank
    seat_at: NDArray[np.int64]
    cards: NDArray[np.uint8]
    paths: NDArray[np.int64]
    """Nodes now, and after the decision."""
    chances: Floats
    """By path and holding, now and after the decision."""
    weights: Floats
    wins: Floats
    strengths: Floats
    equities: Floats
    """By street and holding, of the opponent's hand."""
    ratings: Floats
    """Win probabilities by street and holding."""
    choices: Floats
    """By fold, call and raise: how likely it was, and that times the player's equity."""


class Policy(NamedTuple):
    """The arrays of a book."""

    nodes: NDArray[np.void]
    shares: NDArray[np.uint8]
    classes: NDArray[np.uint8]
    grid: NDArray[np.uint8]
    sized: bool


@inlined
def start_range(d: Any, me: Any, room: Room) -> None:
    """Before anybody acts the player holds anything but the opponent's cards. Writes the only path."""
    room.paths[0, 0] = 0
    room.chances[0, 0, :] = 1.0
    drop_seen(room, 1, d.hole[2 * (1 - me)])
    drop_seen(room, 1, d.hole[2 * (1 - me) + 1])


@inlined
def drop_seen(room: Room, paths: Any, card: Any) -> None:
    """A card is seen, so the player does not hold it. Writes the chances."""
    for hole in range(HOLES):
        if card in (room.cards[hole, 0], room.cards[hole, 1]):
            for path in range(paths):
                room.chances[0, path, hole] = 0.0


@inlined
def sum_range(room: Room, paths: Any) -> Any:
    """How likely each holding is at whatever node. Writes the weights; returns their sum."""
    total = 0.0
    for hole in range(HOLES):
        room.weights[hole] = 0.0
        for path in range(paths):
            room.weights[hole] += room.chances[0, path, hole]
        total += room.weights[hole]
    return total


@inlined
def add_path(room: Room, count: Any, node: Any) -> Any:
    """The place of a node among those after the decision, with room for it if it is new, and how many there are then.

    Should there be no room, which takes a very long war of odd raises, it goes on as the last of them.
    """
    for place in range(count):
        if room.paths[1, place] == node or place == PATHS - 1:
            return place, count
    room.paths[1, count] = node
    room.chances[1, count, :] = 0.0
    return count, count + 1


@inlined
def same_action(r: Any, room: Room, action: Any, done: Any, pot: Any) -> Any:
    """Whether this action, brought to what is legal, is the one that was taken: it has its kind and leads to its pot."""
    room.tried[0] = room.hand[0]
    became = take(r, room.tried[0], action)
    return min(became, RAISE) == done and room.tried[0].pot == pot


@inlined
def add_choice(room: Room, kind: Any, mass: Any, street: Any, hole: Any) -> None:
    """This holding takes this kind of action so often. Writes the choices."""
    room.choices[kind, 0] += mass
    room.choices[kind, 1] += mass * (1.0 - room.equities[street, hole])


@njit(error_model="numpy", nogil=True)
def narrow(r: Any, policy: Policy, room: Room, paths: int, done: int, pot: int) -> Any:
    """The player, whose view is filled, does `done`, which brings the pot to `pot`.

    Writes the paths, and how likely every kind of action was; returns how many paths there are.
    """
    v = room.views[0]
    nodes = policy.nodes
    room.choices[:] = 0.0
    found = 0
    for path in range(paths):
        here, raised = approach(v, nodes, room.paths[0, path])
        below, above, share = here, here, 1.0
        if raised != 0:
            below, above, share = neighbours(v, nodes, here, policy.sized)
        for side in range(2):
            node = below if side == 0 else above
            part = share if side == 0 else 1.0 - share
            if part <= 0.0:
                continue
            n = nodes[node]
            if is_off_tree(v, n):
                place, found = add_path(room, found, node)
                for hole in range(HOLES):
                    kind = off_the_tree(v, n, room.wins[hole])
                    mass = part * room.chances[0, path, hole]
                    add_choice(room, kind, mass, v.street, hole)
                    if kind == done:
                        room.chances[1, place, hole] += mass
                continue
            for action in range(n.actions):
                child, told = played(v, nodes, node, np.int64(n.first) + action)
                same = same_action(r, room, told, done, pot)
                place = 0
                if same:
                    place, found = add_path(room, found, child)
                for hole in range(HOLES):
                    if room.chances[0, path, hole] == 0.0:
                        continue
                    bucket = bucket_at(
                        policy.classes, policy.grid, v.street, hole, room.wins[hole], room.strengths[hole]
                    )
                    often = policy.shares[np.int64(n.slot) + bucket * n.actions + action] / WHOLE
                    mass = part * often * room.chances[0, path, hole]
                    add_choice(room, min(told, RAISE), mass, v.street, hole)
                    if same:
                        room.chances[1, place, hole] += mass
    for path in range(found):
        room.paths[0, path] = room.paths[1, path]
        room.chances[0, path, :] = room.chances[1, path]
    return found
