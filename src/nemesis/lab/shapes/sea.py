"""A map of the grid world with its ships, their wakes, and a belief painted on the water.

A cell is the warmer the more likely a runner is to pass there: for every goal the cells on a shortest way from where the
runner is now count fully, others less by a factor e for every move of detour, weighted by the belief in that goal.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.grid_belief import RECOGNISERS
from nemesis.lab.shapes.svg import Look, svg, tag, text
from nemesis.play.grid_pursuit import OUTCOMES, Pursuits
from nemesis.rules.grid_map import GridMap
from nemesis.rules.grid_paths import grid_paths
from nemesis.rules.grid_search import FAR

CELL = 30
FAINT = 0.06


def belief_at(found: Pursuits, recogniser: str, runner: int, round_: int) -> list[float]:
    """What a recogniser believes of a runner's goal after a round."""
    move = min(round_, int(found.moves[0, runner]))
    belief: list[float] = found.posteriors[0, move, RECOGNISERS[recogniser], runner].tolist()
    return belief


def heat_on_water(world: GridMap, found: Pursuits, recogniser: str, round_: int) -> NDArray[np.float64]:
    """By cell, how likely one of the runners at sea is to pass there, from 0 to 1."""
    paths = grid_paths(world)
    heat = np.zeros(paths.exits.size)
    for runner in range(len(world.runners)):
        moves = int(found.moves[0, runner])
        if round_ >= moves and OUTCOMES[found.outcomes[0, runner]] != "at sea":
            continue
        here = int(found.runners[0, min(round_, moves), runner])
        from_here = paths.moves[here].astype(np.float64)
        for goal, share in enumerate(belief_at(found, recogniser, runner, round_)):
            end = int(paths.goals[goal])
            detour = from_here + paths.moves[end] - from_here[end]
            near = np.where((from_here < FAR) & (paths.moves[end] < FAR), np.exp(-detour), 0.0)
            heat = np.maximum(heat, share * near)
    return heat


def sea_picture(world: GridMap, found: Pursuits, recogniser: str, round_: int, *, heat: bool = True) -> str:
    """The map after a round."""
    paths = grid_paths(world)
    wide, high = world.width * CELL, world.height * CELL
    parts = [tag("rect", width=wide, height=high, rx=8, fill="var(--water)")]
    if heat:
        for cell, warmth in enumerate(heat_on_water(world, found, recogniser, round_)):
            if warmth >= FAINT:
                parts.append(_square(*paths.place(cell), "var(--la)", look="move", fill_opacity=0.85 * warmth))
    parts += [tag("path", d=f"M0 {row * CELL}H{wide}", stroke="var(--water-line)") for row in range(1, world.height)]
    parts += [
        tag("path", d=f"M{column * CELL} 0V{high}", stroke="var(--water-line)") for column in range(1, world.width)
    ]
    places = [(row, column) for row in range(world.height) for column in range(world.width)]
    parts += [_square(*place, "var(--rock)") for place in places if world.is_rock(*place)]
    for mark, place in zip(world.marks, world.goals, strict=True):
        x, y = _middle(*place)
        parts.append(_ring(x, y, 0.42, fill="var(--panel)", stroke="var(--ink)", stroke_width=1.6))
        parts.append(text(x, y + 5, mark, size=15, anchor="middle", bold=True))
    for ways, colour in ((found.interceptors[0], "var(--green)"), (found.runners[0], "var(--ta)")):
        for ship in range(ways.shape[1]):
            way = [paths.place(cell) for cell in ways[: round_ + 1, ship] if cell >= 0]
            points = " ".join(f"{x:g},{y:g}" for x, y in (_middle(*place) for place in way))
            wake: Look = {"stroke_width": 2.4, "stroke_dasharray": "1 5", "stroke_linecap": "round"}
            parts.append(tag("polyline", points=points, fill="none", stroke=colour, **wake))
            parts.append(_ship(*way[-1], colour, runs=colour == "var(--ta)"))
    for runner, moves in enumerate(found.moves[0]):
        if OUTCOMES[found.outcomes[0, runner]] == "intercepted" and moves <= round_:
            x, y = _middle(*paths.place(found.runners[0, moves, runner]))
            parts.append(_ring(x, y, 0.46, fill="none", stroke="var(--bad)", stroke_width=3))
    return svg(wide, high, "".join(parts), says=f"{world.name} after round {round_}")


def _middle(row: int, column: int) -> tuple[float, float]:
    return (column + 0.5) * CELL, (row + 0.5) * CELL


def _square(row: int, column: int, fill: str, **look: float | str) -> str:
    return tag("rect", x=column * CELL, y=row * CELL, width=CELL, height=CELL, fill=fill, **look)


def _ring(x: float, y: float, share: float, **look: float | str) -> str:
    return tag("circle", cx=x, cy=y, r=CELL * share, **look)


def _ship(row: int, column: int, colour: str, *, runs: bool) -> str:
    x, y = _middle(row, column)
    sail = f"M{x} {y - 12}l9 14h-9z" if runs else f"M{x - 1} {y - 12}h10v9h-10zM{x - 1} {y - 12}v15"
    look: Look = {"stroke": "var(--ink)", "stroke_width": 1.2, "stroke_linejoin": "round"}
    return tag("path", d=f"M{x - 11} {y + 4}h22l-5 7h-12z{sail}", fill=colour, **look)
