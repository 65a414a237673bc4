"""How maps of the grid world are drawn in pictures: rocks, goals, and the ways of ships."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nemesis.measure.picture import BLUE, GREEN, GREY, INK, ORANGE, PURPLE, SKY, VERMILLION
from nemesis.rules.grid_map import ROCK, GridMap

GOAL_COLOURS = (BLUE, ORANGE, GREEN, PURPLE, SKY, VERMILLION)
STEERING_COLOURS: Mapping[str, str] = {
    "directions": BLUE, "cost": ORANGE, "ideal": GREEN, "told": INK, "blind": GREY,
}  # fmt: skip
STEERING_WORDS: Mapping[str, str] = {
    "directions": "by directions (the source's)",
    "cost": "by cost (ours)",
    "ideal": "knows how the runner errs (ceiling)",
    "told": "told the goal",
    "blind": "guesses once",
}


def map_numbers(world: GridMap) -> dict[str, Any]:
    """What `draw_map` needs, as plain data."""
    return {"rows": list(world.rows), "goals": [[*place] for place in world.goals], "marks": world.marks}


def draw_map(axes: Any, numbers: Mapping[str, Any]) -> None:
    """Rocks and goals; the way of a ship is drawn over it by `draw_way`."""
    rocks = np.array([[cell == ROCK for cell in row] for row in numbers["rows"]])
    axes.imshow(np.where(rocks, 0.45, 0.97), cmap="gray", vmin=0, vmax=1, aspect="equal")
    axes.set_xticks(np.arange(-0.5, rocks.shape[1]), minor=True)
    axes.set_yticks(np.arange(-0.5, rocks.shape[0]), minor=True)
    axes.grid(False)
    axes.grid(True, which="minor", color="white", linewidth=0.8)
    axes.tick_params(which="both", length=0, labelbottom=False, labelleft=False)
    for goal, (row, column) in enumerate(numbers["goals"]):
        axes.text(
            column, row, numbers["marks"][goal], ha="center", va="center", color="white", fontsize=9, fontweight="bold",
            bbox={"boxstyle": "square,pad=0.25", "facecolor": GOAL_COLOURS[goal % len(GOAL_COLOURS)], "linewidth": 0},
        )  # fmt: skip


def draw_way(axes: Any, way: Sequence[Sequence[int]], colour: str, label: str, every: int = 0) -> None:
    """A ship's way from its first cell on, with every so many moves numbered."""
    rows, columns = np.array(way, float).T
    axes.plot(columns, rows, color=colour, linewidth=1.6, label=label, marker=".", markersize=4)
    axes.plot(columns[:1], rows[:1], color=colour, marker="o", markersize=8, linestyle="none")
    for move in range(every, len(way), every) if every else ():
        axes.annotate(
            str(move), (columns[move], rows[move]), (4, 2), textcoords="offset points", color=colour, fontsize=7
        )
