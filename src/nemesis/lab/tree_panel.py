"""ASHE's pattern-recognition trees as a tree to browse: every line of play with what followed it."""

from __future__ import annotations

import math
from typing import Any

from nemesis.believe.pattern_tree import BUTTON, Line, Trees

MOST_LINES = 600


def tree_nodes(trees: Trees, most: int = MOST_LINES) -> list[dict[str, Any]]:
    """The most visited lines as nested nodes, each with the keys id, label and children."""
    lines = [line for line in trees.most_visited(most) if line.visits]
    lines.sort(key=lambda line: len(_path(line)))
    nodes: dict[tuple[Any, ...], dict[str, Any]] = {}
    roots = []
    for line in lines:
        path = _path(line)
        node: dict[str, Any] = {"id": repr(path), "label": _label(line), "children": []}
        nodes[path] = node
        parent = nodes.get(path[:-1])
        if parent is not None and len(path) > 1:
            parent["children"].append(node)
        elif len(path) == 1:
            roots.append(node)
    for node in nodes.values():
        node["children"].sort(key=lambda child: -int(child["label"].split("·")[1].split()[0].replace(",", "")))
    return roots


def _path(line: Line) -> tuple[Any, ...]:
    return (line.position, *(action for action in line.actions if action != "/"))


def _label(line: Line) -> str:
    actions = [action for action in line.actions if action != "/"]
    if not actions:
        name = "on the button" if line.position == BUTTON else "on the big blind"
    else:
        last = actions[-1]
        name = f"opponent: {last.removeprefix('v ')}" if last.startswith("v ") else f"itself: {last}"
        if line.actions[-1] == "/":
            name += " (next street)"
    shown = "" if math.isnan(line.strength) else f", strength {line.strength:.2f}"
    showdowns = f"; {line.showdowns:,} showdown{'' if line.showdowns == 1 else 's'}{shown}" if line.showdowns else ""
    return f"{name} · {line.visits:,} × · folds {line.fold_rate:.0%}{showdowns}"
