"""Pattern-recognition trees (the ASHE paper, section 3.1.1): what followed each sequence of actions in this match.

There are two trees, one for each position. A node is a decision point, reached by a sequence of actions: our own raises in
five sizes, the opponent's in seven buckets by their size in pots; boards are not distinguished. A node counts its visits,
the showdowns that followed, the strength the opponent showed in them, and how often the opponent folded later in the hand.
A tree grows as sequences occur and is updated along the path of a hand when the hand ends.

Both trees lie in one block of float64, so a match allocates nothing; nodes 0 and 1 are the roots. When there is no room left
the trees stop growing and go on counting.

The source leaves three things open. A showdown that ends a hand gets a node of its own, so that a call that ends the hand
can be looked up like any other action. A raise is measured against the pot after calling. A size on the edge of two
buckets is in the larger one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.runtime.compiled import inlined
from nemesis.runtime.memory import CELL, REST, Layout

Block = NDArray[np.float64]

BUTTON, BLIND = 0, 1
OWN_SIZES = (0.5, 1.0, 1.5, 2.0)
ALL_IN = 5
EDGES = (0.125, 0.375, 0.75, 1.25, 2.0, 4.0)
CALL = 0
CHILDREN = 8
OWN_NAMES = ("call", "½ pot", "1 pot", "1½ pot", "2 pot", "all-in")
OPPONENT_NAMES = ("call", "<⅛", "⅛–⅜", "⅜–¾", "¾–1¼", "1¼–2", "2–4", ">4")

DEEPEST = 64
NOWHERE = -1.0

DEFAULT_ROOM = 3_000


class Places(NamedTuple):
    """A block: nodes used and room for them, the path of the hand in play and its last node, and all nodes."""

    used: int = CELL
    room: int = CELL
    depth: int = CELL
    now: int = CELL
    path: int = DEEPEST
    nodes: int = REST


class NodePlaces(NamedTuple):
    """A node: which nodes follow it, and what followed it in the hands that came here."""

    children: int = CHILDREN
    visits: int = CELL
    showdowns: int = CELL
    strength: int = CELL
    folds: int = CELL


LAYOUT, NODE_LAYOUT = Layout(Places), Layout(NodePlaces)
TREE, NODE = LAYOUT.at, NODE_LAYOUT.at
NODE_SIZE = NODE_LAYOUT.size


def tree_block(room: int = DEFAULT_ROOM) -> Block:
    """Two trees with nothing but their roots, and room for so many nodes."""
    if room < 2:
        raise ValueError(f"a pair of trees needs room for at least its 2 roots, not {room}")
    return LAYOUT.template(room=room, used=2, now=NOWHERE, nodes=np.zeros(room * NODE_SIZE))


@inlined
def clear_trees(memory: Block, at: Any) -> None:
    """Forget everything."""
    memory[at + TREE.used] = 2
    memory[at + TREE.depth] = 0
    memory[at + TREE.now] = NOWHERE
    for i in range(TREE.nodes, TREE.nodes + 2 * NODE_SIZE):
        memory[at + i] = 0.0


@inlined
def begin_hand(memory: Block, at: Any, position: Any) -> None:
    """A hand begins, at the root of this position. Writes the path."""
    memory[at + TREE.depth] = 1
    memory[at + TREE.path] = position
    memory[at + TREE.now] = position


@inlined
def child_of(memory: Block, at: Any, node: Any, label: Any) -> Any:
    """The node that action `label` leads to, or NOWHERE if it has not been seen."""
    if node < 0:
        return np.int64(NOWHERE)
    child = np.int64(memory[at + TREE.nodes + node * NODE_SIZE + NODE.children + label])
    return child if child > 0 else np.int64(NOWHERE)


@inlined
def follow(memory: Block, at: Any, label: Any) -> None:
    """An action was taken: go to the node it leads to, making it if there is room."""
    node = np.int64(memory[at + TREE.now])
    if node < 0:
        return
    child = child_of(memory, at, node, label)
    depth = np.int64(memory[at + TREE.depth])
    used = np.int64(memory[at + TREE.used])
    if child < 0 and used < np.int64(memory[at + TREE.room]) and depth < DEEPEST:
        child = used
        memory[at + TREE.used] = used + 1
        memory[at + TREE.nodes + node * NODE_SIZE + NODE.children + label] = child
        for i in range(NODE_SIZE):
            memory[at + TREE.nodes + child * NODE_SIZE + i] = 0.0
    memory[at + TREE.now] = child
    if child >= 0 and depth < DEEPEST:
        memory[at + TREE.path + depth] = child
        memory[at + TREE.depth] = depth + 1


@inlined
def end_hand(memory: Block, at: Any, opponent_folded: bool, shown: float) -> None:
    """The hand is over: count it at every node of its path. `shown` is the opponent's strength, below 0 if not shown."""
    for i in range(np.int64(memory[at + TREE.depth])):
        node = at + TREE.nodes + np.int64(memory[at + TREE.path + i]) * NODE_SIZE
        memory[node + NODE.visits] += 1.0
        if opponent_folded:
            memory[node + NODE.folds] += 1.0
        if shown >= 0.0:
            memory[node + NODE.showdowns] += 1.0
            memory[node + NODE.strength] += shown
    memory[at + TREE.depth] = 0
    memory[at + TREE.now] = NOWHERE


@inlined
def hands_and_folds(memory: Block, at: Any) -> Any:
    """Hands counted so far, from either position, and those in which the opponent folded."""
    button, blind = at + TREE.nodes + BUTTON * NODE_SIZE, at + TREE.nodes + BLIND * NODE_SIZE
    return (
        memory[button + NODE.visits] + memory[blind + NODE.visits],
        memory[button + NODE.folds] + memory[blind + NODE.folds],
    )


@inlined
def bucket(share: float) -> Any:
    """The label of an opponent's raise by so many pots: 1 to 7."""
    label = 1
    for edge in EDGES:
        if share >= edge:
            label += 1
    return label


class Line(NamedTuple):
    """A sequence of actions and what followed it."""

    position: Any
    actions: tuple[str, ...]
    visits: int
    showdowns: int
    strength: float
    """mean strength the opponent showed, NaN if never"""
    folds: int

    @property
    def fold_rate(self) -> float:
        """How often the opponent folded later in the hand."""
        return self.folds / self.visits if self.visits else float("nan")


class Trees:
    """Both trees of a player, for looking at: the lines that were played and what followed them.

    Who acts at a node is not written in it; it follows from the actions, heads-up: the button first before the flop and last
    after it, turns alternate, and a call ends the street unless it opens it (a check, or the small blind's completion).
    """

    def __init__(self, block: Block) -> None:
        self.block = block
        self.used = int(block[TREE.used])

    def lines(self) -> Iterator[Line]:
        """Every line that has occurred, parents before children; those of the hand in play may have no visits yet."""
        for position in (BUTTON, BLIND):
            yield from self._below(position, position, (), position == BUTTON, 0, 1)

    def most_visited(self, count: int = 20) -> list[Line]:
        """The lines that occurred most often, the roots first."""
        return sorted(self.lines(), key=lambda line: (bool(line.actions), -line.visits))[:count]

    def in_all(self) -> Line:
        """What the opponent did in all hands, from either position."""
        button, blind = self._line(BUTTON, BUTTON, ()), self._line(BLIND, BLIND, ())
        showdowns = button.showdowns + blind.showdowns
        shown = sum(line.strength * line.showdowns for line in (button, blind) if line.showdowns)
        strength = shown / showdowns if showdowns else float("nan")
        return Line(BUTTON, (), button.visits + blind.visits, showdowns, strength, button.folds + blind.folds)

    def _line(self, position: int, node: int, actions: tuple[str, ...]) -> Line:
        cells = self.block[TREE.nodes + node * NODE_SIZE :][:NODE_SIZE]
        shown = cells[NODE.strength] / cells[NODE.showdowns] if cells[NODE.showdowns] else float("nan")
        return Line(
            position, actions, int(cells[NODE.visits]), int(cells[NODE.showdowns]), float(shown), int(cells[NODE.folds])
        )

    def _below(
        self, position: int, node: int, actions: tuple[str, ...], mine: bool, street: int, on_street: int
    ) -> Iterator[Line]:
        cells = self.block[TREE.nodes + node * NODE_SIZE :][:NODE_SIZE]
        yield self._line(position, node, actions)
        names = OWN_NAMES if mine else OPPONENT_NAMES
        who = "" if mine else "v "
        for label in range(CHILDREN):
            child = int(cells[NODE.children + label])
            if child > 0 and label < len(names):
                ends = label == CALL and on_street > 1
                turn = (position == BLIND) if ends else not mine
                over = street == 3 or (bool(actions) and actions[-1] == OWN_NAMES[ALL_IN])
                said = (*actions, who + names[label], *(["/"] if ends and not over else []))
                yield from self._below(position, child, said, turn, street + ends, 1 if ends else on_street + 1)
