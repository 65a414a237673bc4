"""P(direction | goal) on the terrain of figure 3.1 (Baker 2010, table 3.1, figs 3.1 and 3.2).

The figure is a picture that has not come down to us. Its table gives the terrain away: 13 steps to each of three goals, 7
columns apart, and a way to the middle one that goes 3 columns aside. The map `halmoids` is such a terrain.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from nemesis.believe.grid_directions import direction_counts, direction_table
from nemesis.measure.charts import draw_key, draw_numbers, draw_title
from nemesis.measure.picture import save_figure
from nemesis.rules.grid_map import grid_map
from nemesis.rules.grid_paths import a_star
from nemesis.rules.grid_search import DIRECTIONS, STEPS
from nemesis.studies.grid_picture import GOAL_COLOURS, draw_map, draw_way, map_numbers
from nemesis.studies.sample import EXACT
from nemesis.studies.study import Report, Row, Setting, Study

PUBLISHED: Mapping[str, tuple[float, float, float]] = {
    "UP": (0.3653, 0.3845, 0.3653),
    "DOWN": (0.0003, 0.0003, 0.0003),
    "LEFT": (0.1346, 0.0577, 0.0003),
    "RIGHT": (0.0003, 0.0577, 0.1346),
    "UP-LEFT": (0.3845, 0.2499, 0.1153),
    "UP-RIGHT": (0.1153, 0.2499, 0.3845),
    "DOWN-LEFT": (0.0003, 0.0003, 0.0003),
    "DOWN-RIGHT": (0.0003, 0.0003, 0.0003),
}
"""Table 3.1, by direction and target."""
_PICTURE = "grid-directions.png"


def published_table() -> np.ndarray:
    """Table 3.1 by target and direction, as printed."""
    return np.array([PUBLISHED[direction] for direction in DIRECTIONS]).T


def measure(setting: Setting) -> Report:
    """Our table beside the published one; nothing is drawn at random."""
    world = grid_map("halmoids")
    start = world.runners[0]
    ours, printed = direction_table(world, start), published_table()
    sums = printed.sum(axis=1, keepdims=True)
    normalised = printed / sums
    rows = []
    for target in range(3):
        for direction in PUBLISHED:
            at = DIRECTIONS.index(direction)
            note = f"{normalised[target, at]:.4f} when the printed column is divided by its sum"
            rows.append(
                Row(
                    f"{direction}, target {target + 1}",
                    ours[target, at],
                    None,
                    float(printed[target, at]),
                    None,
                    note,
                    sample=EXACT,
                )
            )
    off, off_normalised = np.abs(ours - printed).max(), np.abs(ours - normalised).max()
    ways = [a_star(world, start, goal) for goal in world.goals]
    said = (
        f"Printed columns sum to {', '.join(f'{total:.4f}' for total in sums.ravel())}. Divided by that they are ours: the "
        f"largest difference of the 24 shares is {off_normalised:.5f} (as printed {off:.4f}; the table has four digits). "
        f"Targets are {', '.join(str(len(way)) for way in ways)} moves away, as the table's counts demand."
    )
    numbers = {
        "map": map_numbers(world),
        "ways": [_places(start, way) for way in ways],
        "counts": [direction_counts(way).tolist() for way in ways],
        "ours": ours.tolist(),
        "published": printed.tolist(),
    }
    return Report(said, rows, {_PICTURE: numbers}, "share", {"largest_difference": float(off_normalised)})


def _places(start: tuple[int, int], way: list[int]) -> list[list[int]]:
    """The cells of a way."""
    places = [[*start]]
    for direction in way:
        places.append([places[-1][0] + STEPS[direction][0], places[-1][1] + STEPS[direction][1]])
    return places


def draw(numbers: Mapping[str, Any], path: Path) -> None:
    """Left the terrain and the three ways, right the table."""
    from matplotlib.colors import Normalize

    with save_figure(path, (10, 4.6)) as figure:
        left, right = figure.subplots(1, 2, width_ratios=(1, 1.5))
        draw_map(left, numbers["map"])
        for target, way in enumerate(numbers["ways"]):
            draw_way(left, way, GOAL_COLOURS[target], f"A* to target {target + 1}")
        order = [DIRECTIONS.index(direction) for direction in PUBLISHED]
        ours, printed, counts = (np.array(numbers[key]).T[order] for key in ("ours", "published", "counts"))
        texts = [
            [f"{share:.4f}\n({was:.4f}; {count:g})" for share, was, count in zip(*row, strict=True)]
            for row in zip(ours, printed, counts, strict=True)
        ]
        draw_numbers(right, ours, texts, Normalize(0, 0.5), "Blues")
        right.set_xticks(range(3), [f"target {target + 1}" for target in range(3)])
        right.set_yticks(range(len(PUBLISHED)), list(PUBLISHED))
        left.set_title("the terrain of fig. 3.1, as table 3.1 tells it")
        right.set_title("P(direction | target): ours (published; steps counted)")
        draw_title(figure, "What a way says about the next move (table 3.1)")
        draw_key(figure, left)


STUDY = Study(
    "grid-directions",
    "What the way to a goal says about the next move",
    "Baker 2010, table 3.1, figs 3.1 and 3.2",
    measure,
    {_PICTURE: draw},
)
