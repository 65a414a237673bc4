"""Boosted trees as plain arrays, read by a compiled walk: what a trained booster is once the library that grew it is gone.

Node `i` of a tree sends a row left if its `feature` is at most its `threshold`. A child below 0 is a leaf: child `c` is leaf
`-1 - c` of that tree. Tree `t` adds to the score of class `t % classes`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.runtime.compiled import njit

TOGETHER = 128
"""Rows that are walked through all trees before the next."""


class Trees(NamedTuple):
    """The nodes and leaves of all trees one after another."""

    feature: NDArray[np.int16]
    threshold: NDArray[np.float32]
    left: NDArray[np.int16]
    right: NDArray[np.int16]
    leaf: NDArray[np.float32]
    nodes_from: NDArray[np.int32]
    """The first node of each tree, and the end of the last."""
    leaves_from: NDArray[np.int32]

    @property
    def inputs(self) -> int:
        """How many columns a row needs at least."""
        return int(self.feature.max(initial=-1)) + 1


def trees_of(model: Mapping[str, Any]) -> Trees:
    """The trees of a LightGBM model as its `dump_model` tells them."""
    nodes: list[tuple[int, float, int, int]] = []
    leaves: list[float] = []
    nodes_from, leaves_from = [0], [0]
    for tree in model["tree_info"]:
        first_node, first_leaf = len(nodes), len(leaves)
        pending = [(tree["tree_structure"], -1, 0)]
        while pending:
            node, parent, side = pending.pop()
            if "split_feature" in node:
                number = len(nodes) - first_node
                nodes.append((node["split_feature"], node["threshold"], 0, 0))
                pending += [(node["right_child"], len(nodes) - 1, 3), (node["left_child"], len(nodes) - 1, 2)]
            else:
                number = -1 - (len(leaves) - first_leaf)
                leaves.append(node["leaf_value"])
            if parent >= 0:
                entry = list(nodes[parent])
                entry[side] = number
                nodes[parent] = (int(entry[0]), entry[1], int(entry[2]), int(entry[3]))
        nodes_from.append(len(nodes))
        leaves_from.append(len(leaves))
    feature, threshold, left, right = np.array(nodes, np.float64).reshape(-1, 4).T  # maybe none: trees of one leaf each
    return Trees(
        feature.astype(np.int16),
        _rounded_down(threshold),
        left.astype(np.int16),
        right.astype(np.int16),
        np.array(leaves, np.float32),
        np.array(nodes_from, np.int32),
        np.array(leaves_from, np.int32),
    )


def _rounded_down(values: NDArray[np.float64]) -> NDArray[np.float32]:
    """The largest float32 not above each value: float32 rows then go the same way as at the exact threshold."""
    nearest = values.astype(np.float32)
    lower: NDArray[np.float32] = np.where(nearest > values, np.nextafter(nearest, np.float32(-np.inf)), nearest)
    return lower


def add_scores(trees: Trees, rows: NDArray[np.float32], scores: NDArray[np.float64]) -> None:
    """Add what the trees say of each row. Writes `scores`, by row and class."""
    if rows.shape[1] < trees.inputs:
        raise ValueError(f"these trees read {trees.inputs} columns; the rows have {rows.shape[1]}")
    walk_trees(trees, np.stack([trees.left, trees.right], axis=1).ravel(), rows, scores)


@njit(error_model="numpy")
def walk_trees(trees: Any, children: Any, rows: Any, scores: Any) -> None:
    """Some rows at a time through tree after tree, so that all of it stays in the cache. Writes `scores`.

    The rows go down a tree side by side, a level at a time; those that reach a leaf leave the others. So no step waits for
    the one before, nor is it guessed which way a row goes. `children` are left and right in turn.
    """
    classes = scores.shape[1]
    walking, nodes = np.empty(TOGETHER, np.uint32), np.empty(TOGETHER, np.int32)
    for start in range(0, rows.shape[0], TOGETHER):
        some = min(TOGETHER, rows.shape[0] - start)
        for tree in range(len(trees.nodes_from) - 1):
            first, leaves = trees.nodes_from[tree], trees.leaves_from[tree]
            left = 0 if trees.nodes_from[tree + 1] == first else some
            for i in range(some):
                walking[i], nodes[i] = i, 0 if left else -1
            while left:
                still = np.uint32(0)
                for i in range(left):
                    at = walking[np.uint32(i)]
                    place = np.uint32(first + nodes[at])
                    value = rows[np.uint64(start + at), np.uint32(trees.feature[place])]
                    to = children[2 * place + np.uint32(not value <= trees.threshold[place])]
                    nodes[at] = to
                    walking[still] = at
                    still += np.uint32(to >= 0)
                left = np.int64(still)
            for i in range(some):
                scores[start + i, tree % classes] += trees.leaf[leaves - 1 - nodes[i]]
