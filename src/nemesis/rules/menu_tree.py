"""The betting of a heads-up hand when raises come from a short menu of sizes.

A *menu* says which raises are considered: by street, and by how many bets and raises the street has seen, fractions of the
pot after a call. All in is always one of them where a raise is allowed. The tree is grown by stepping the betting engine,
so it cannot disagree with what is played; sizes are brought between the smallest and the largest legal raise, and one
that would take most of a stack becomes all in. In a limit game every raise has one size, so a menu has no say.

Nodes are numbered level by level from the root, 0, so that the children of a node follow each other: its action number
`a` leads to node `first + a`. Actions stand in the order fold, call, raises by size.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.rules.betting import CALL, FOLD, HAND, RAISE, divide, post_and_open, take
from nemesis.rules.game import MAX_STREETS, Game, GameError
from nemesis.runtime.compiled import inlined, njit

OVER = -1
ALL_IN = math.inf
MOST_NODES = 4_000_000
COMMITTED = 0.7
"""A raise that takes more than this part of what the player has left becomes all in."""

NODE = np.dtype(
    (
        np.record,
        [
            ("first", np.int32),  # the node that the first action leads to
            ("actions", np.int32),
            ("actor", np.int32),  # position, or OVER where the betting has ended
            ("street", np.int32),
            ("action", np.int32),  # what led here: FOLD, CALL or RAISE
            ("pots", np.float32),  # the raise that led here in pots after the call, infinite when all in
            ("payoffs", np.float32, (3,)),  # of an end, to position 0 in chips: it loses, ties, wins
            ("slot", np.int32),  # where its actions begin among those of all nodes
        ],
    )
)

Levels = tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Menu:
    """Raise sizes in pots by street, and by the number of bets and raises on it; the last entry serves all later ones."""

    streets: tuple[Levels, ...]

    def __post_init__(self) -> None:
        sizes = [size for street in self.streets for level in street for size in level]
        if not self.streets or not all(self.streets) or not all(0 < size < math.inf for size in sizes):
            raise ValueError(f"a menu has sizes above 0 pots, at least one level for every street; not {self.streets}")

    @classmethod
    def same(cls, *levels: Sequence[float]) -> Menu:
        """The same sizes on every street."""
        return cls((tuple(tuple(level) for level in levels),) * MAX_STREETS)

    def array(self, streets: int) -> NDArray[np.float64]:
        """street, level, place -> pots, padded with NaN."""
        levels = max(len(street) for street in self.streets)
        width = max(len(level) for street in self.streets for level in street)
        out = np.full((streets, levels, max(1, width)), np.nan)
        for number in range(streets):
            street = self.streets[min(number, len(self.streets) - 1)]
            for level in range(levels):
                sizes = sorted(street[min(level, len(street) - 1)])
                out[number, level, : len(sizes)] = sizes
        return out


@dataclass(frozen=True, eq=False)
class MenuTree:
    """The tree: `nodes` is an array of `NODE`; `slots` counts the actions of all nodes, `depth` the longest line."""

    game: Game
    menu: Menu
    nodes: NDArray[np.void]
    slots: int
    depth: int

    @property
    def decisions(self) -> int:
        """Nodes at which somebody acts."""
        return int((self.nodes["actor"] != OVER).sum())

    def line(self, node: int) -> str:
        """How the betting came to a node: f, c, r with / between streets, raises followed by pots where they have sizes."""
        parents = self._parents()
        text = ""
        while node:
            parent = int(parents[node])
            taken = self.nodes[node]
            letter = "fcr"[int(taken["action"])]
            if taken["action"] == RAISE and self.game.structure != "limit":
                letter += "A" if np.isinf(taken["pots"]) else f"{taken['pots']:g}"
            over = taken["actor"] == OVER
            text = letter + ("/" if not over and taken["street"] > self.nodes["street"][parent] else "") + text
            node = parent
        return text

    def _parents(self) -> NDArray[np.int64]:
        parents = np.zeros(len(self.nodes), np.int64)
        inner = np.flatnonzero(self.nodes["actor"] != OVER)
        counts = self.nodes["actions"][inner]
        starts = np.repeat(self.nodes["first"][inner] - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts)
        parents[starts + np.arange(counts.sum())] = np.repeat(inner, counts)
        return parents


@lru_cache(maxsize=8)
def grow_menu(game: Game, menu: Menu) -> MenuTree:
    """The tree of one hand from the game's own stacks."""
    if game.seats != 2 or game.freeze_out:
        raise GameError(f"a betting menu is for single hands of heads-up games; {game.name} is another kind")
    rules, sizes = game.compiled(), menu.array(game.streets)
    room = 1 << 16
    while True:
        nodes, hands, levels = np.zeros(room, NODE), np.zeros(room, HAND), np.zeros(room, np.int64)
        stacks = np.array(game.stacks, np.int64)
        count = grow(rules, stacks, sizes, nodes, hands, levels)
        if count > 0:
            break
        room *= 4
        if room > MOST_NODES:
            raise GameError(f"this menu gives {game.name} more than {MOST_NODES:,} nodes; offer fewer sizes")
    nodes = nodes[:count].copy()
    slots = np.cumsum(nodes["actions"])
    nodes["slot"][1:] = slots[:-1]
    return MenuTree(game, menu, nodes, int(slots[-1]), int(levels[count - 1]) + 1)


@inlined
def write_end(h: Any, ranks: Any, n: Any) -> None:
    """Write what an end pays to position 0 by outcome."""
    n.actor = OVER
    for outcome in range(3):
        ranks[0, 0] = outcome
        ranks[0, 1] = 1
        divide(h, ranks, 0)
        n.payoffs[outcome] = h.payoff[0]


@inlined
def raise_to(r: Any, h: Any, sizes: Any, number: Any) -> Any:
    """The chips that raise `number` of the menu brings the bet to, the last of them all in; -1 if it is not offered."""
    if r.structure == 0 or number == sizes.shape[2]:
        return np.int64(h.max_to)
    size = sizes[h.street, min(h.raises, sizes.shape[1] - 1), number]
    if np.isnan(size):
        return np.int64(-1)
    to = max(np.int64(h.min_to), np.int64(h.bet) + np.int64(np.round(size * (h.pot + h.to_call))))
    return np.int64(h.max_to) if to - h.wager[h.actor] > COMMITTED * h.stack[h.actor] else to


@njit(error_model="numpy")
def grow(
    rules: NDArray[np.void],
    stacks: NDArray[np.int64],
    sizes: NDArray[np.float64],
    nodes: NDArray[np.void],
    hands: NDArray[np.void],
    levels: NDArray[np.int64],
) -> Any:
    """Write the nodes, level by level. Returns how many there are, or 0 if there is no room for them."""
    r = rules[0]
    after = hands[nodes.size - 1 :]
    ranks = np.zeros((1, 10), np.int32)
    post_and_open(r, stacks, hands[0])
    nodes[0].action = CALL
    count = 1
    at = 0
    while at < count:
        h = hands[at]
        n = nodes[at]
        n.street = h.street
        if h.over != 0:
            write_end(h, ranks, n)
            at += 1
            continue
        if count + 3 + sizes.shape[2] >= nodes.size:
            return 0
        n.actor = h.actor
        n.first = count
        before = np.int64(0)
        for choice in range(3 + sizes.shape[2]):
            action = np.int64(choice)
            pots = 0.0
            if choice == FOLD and h.to_call == 0:
                continue
            if choice >= RAISE:
                if h.max_to == 0 or before == h.max_to:
                    break
                action = raise_to(r, h, sizes, choice - RAISE)
                if action in (-1, before):
                    continue
                before = action
                all_in = r.structure == 2 and action == h.max_to
                pots = np.inf if all_in else (action - h.bet) / (h.pot + h.to_call)
                action = max(action, np.int64(RAISE))  # a raise to a single chip
            after[0] = hands[at]
            take(r, after[0], int(action))
            hands[count] = after[0]
            levels[count] = levels[at] + 1
            nodes[count].action = min(choice, RAISE)
            nodes[count].pots = pots
            count += 1
        n.actions = count - n.first
        at += 1
    return count
