"""What the cells of a hypercube have learned, drawn as the source draws it (the hypercube paper, figures 2 and 3).

A grid of plots for every street: position gets later from top to bottom, bets to call increase from left to right, and each
plot has the probability of every action over the win probability. The source draws the average candidate; a mean of
genes plays like none of them, so we draw the mean of what the parents in the cell do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.charts import draw_key, draw_title
from nemesis.measure.picture import ACTION_COLOURS, save_figure
from nemesis.respond.betting_curves import probabilities
from nemesis.respond.hypercube import BETS, POSITION_NAMES, POSITIONS, Genes
from nemesis.respond.populations import PARENTS
from nemesis.rules.game import STREETS

POINTS = np.linspace(0.0, 1.0, 41)


def controller(genes: Genes, x: NDArray[np.float64] = POINTS) -> NDArray[np.float64]:
    """P(fold, call, raise) of the parents in every cell, on average: (…, points, 3) of genes (…, candidates, 7)."""
    mean: NDArray[np.float64] = probabilities(genes[..., :PARENTS, :], x).mean(axis=-3)
    return mean


def controller_numbers(genes: Genes, streets: Sequence[int], title: str) -> dict[str, Any]:
    """What is drawn of one group's cells: curves by street, position, bets to call and action."""
    curves = np.round(controller(genes)[:, :, list(streets)], 4)
    return {"title": title, "streets": list(streets), "curves": np.moveaxis(curves, (2, -1), (0, 3))}


def draw_controller(numbers: Mapping[str, Any], path: Path) -> None:
    """The grids, one below the other."""
    streets = numbers["streets"]
    with save_figure(path, (9, 1.2 + 1.55 * POSITIONS * len(streets))) as figure:
        grid = figure.subplots(POSITIONS * len(streets), BETS, sharex=True, sharey=True, squeeze=False)
        for row, (street, position) in enumerate((s, p) for s in range(len(streets)) for p in range(POSITIONS)):
            for bets, axes in enumerate(grid[row]):
                curves = numbers["curves"][street][position][bets]
                for action, curve in zip(ACTION_COLOURS, curves, strict=True):
                    label = "fold (a check where that is free)" if action == "fold" else action
                    axes.plot(POINTS, curve, color=ACTION_COLOURS[action], label=label)
                if row == 0:
                    axes.set_title(f"{bets} bet{'' if bets == 1 else 's'} to call")
            grid[row][0].set_ylabel(f"{STREETS[streets[street]]}\n{POSITION_NAMES[position]}")
        for axes in grid[-1]:
            axes.set(xlabel="win probability", xlim=(0, 1), ylim=(0, 1))
        draw_title(figure, numbers["title"])
        draw_key(figure, grid[0][0])
