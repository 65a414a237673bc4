"""Two runs on the terrain of figure 3.1, move by move, and all others like them (Baker 2010, figs 3.3, 3.4 and 3.5).

The source follows one ship to the right-hand goal, where the belief settles at once, and one to the middle, which first
looks like a run to a side goal and is recognised only at move 9. Which of many equally short ways its ship took we do
not know, so beside the way of our A* there are runs along any of them. The interceptor guards the goal that is believed
in.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from nemesis.believe.grid_belief import BY_DIRECTIONS
from nemesis.measure.charts import as_figure, draw_key, draw_title, draw_trace
from nemesis.measure.interval import mean_interval, share_interval
from nemesis.measure.picture import GREEN, INK, save_figure
from nemesis.play.grid_loop import INTERCEPTED
from nemesis.play.grid_pursuit import pursue
from nemesis.rules.grid_map import GridMap, grid_map
from nemesis.rules.grid_paths import grid_paths
from nemesis.studies.grid_noise import starts_above
from nemesis.studies.grid_picture import GOAL_COLOURS, draw_map, draw_way, map_numbers
from nemesis.studies.ordering import ordering, orderings_summary
from nemesis.studies.sample import Sampled
from nemesis.studies.study import Report, Row, Setting, Study

MIDDLE, RIGHT = 1, 2
CHANGE = 9
"""The move at which the source's belief changes to the middle goal (fig. 3.5)."""
RUNS = "ways"
"""What the intervals are over: runs along shortest ways drawn at random."""
_PICTURE = "grid-run.png"


def measure(setting: Setting) -> Report:
    """The two runs along our A*'s way, and many along any shortest way."""
    runs = setting.choose(50, 2_000, 20_000)
    world = grid_map("halmoids")
    paths = grid_paths(world)
    drawn: dict[str, Any] = {"map": map_numbers(world), "runs": {}}
    rows, claims = [], []
    for goal, name in ((RIGHT, "the right-hand goal"), (MIDDLE, "the middle goal")):
        one = pursue(world, 1, goal=goal, traced=True, manner="guard", seed=setting.seed)
        free = pursue(world, 1, goal=goal, traced=True, unhindered=True, seed=setting.seed)
        many = pursue(world, runs, goal=goal, traced=True, unhindered=True, any_way=True, seed=setting.seed)
        length, moves = int(free.moves[0, 0]), int(one.moves[0, 0])
        after = many.posteriors[:, : length + 1, BY_DIRECTIONS, 0]
        drawn["runs"][name] = {
            "a_star": free.posteriors[0, : length + 1, BY_DIRECTIONS, 0].tolist(),
            "any": [[as_figure(mean_interval(after[:, move, g])) for move in range(length + 1)] for g in range(3)],
            "runner": [[*paths.place(cell)] for cell in one.runners[0, : moves + 1, 0]],
            "interceptor": [[*paths.place(cell)] for cell in one.interceptors[0, : moves + 1, 0]],
            "intercepted": bool(one.outcomes[0, 0] == INTERCEPTED),
        }
        settled = many.settled[:, 0, BY_DIRECTIONS]
        wrong_first = after[:, 3].argmax(axis=1) != goal
        mine = int(free.settled[0, 0, BY_DIRECTIONS])
        published = CHANGE if goal == MIDDLE else None
        rows += [
            Row(f"{name}: recognised at move, our A* way", mine, None, published),
            Row(f"{name}: recognised at move, any shortest way", *mean_interval(np.where(settled < 0, length, settled)),
                published, None, f"of {length}; {(settled == CHANGE).mean():.1%} of runs at move {CHANGE}", sample=RUNS),
            Row(f"{name}: another goal leads after 3 moves", *share_interval(int(wrong_first.sum()), runs), sample=RUNS),
            Row(f"{name}: belief at the end, any shortest way", *mean_interval(after[:, length, goal]), None, None,
                f"{free.posteriors[0, length, BY_DIRECTIONS, 0, goal]:.3f} along our A* way", sample=RUNS),
        ]  # fmt: skip
        if goal == MIDDLE:
            rows.append(_starts_row(name, world, setting.seed))
            share, (low, high) = share_interval(int(wrong_first.sum()), runs)
            claims.append(
                ordering("a run to the middle first looks like one to a side (share of runs above a half)", "it does",
                         Sampled(share - 0.5, (low - 0.5, high - 0.5), RUNS))
            )  # fmt: skip
        lead = after[:, length, goal] - np.delete(after[:, length], goal, axis=1).max(axis=1)
        final = Sampled(*mean_interval(lead), RUNS)
        claims.append(ordering(f"{name} leads at the end of a run to it", "it does", final))
    said = (
        f"On our A*'s way the run to the right is recognised at move {rows[0].ours:.0f} and the run to the middle at move "
        f"{rows[4].ours:.0f} (published {CHANGE}); over all shortest ways at move {rows[5].ours:.1f} on average. "
        f"A run to the middle looks like one to a side after three moves in {rows[6].ours:.1%} of runs."
    ) + orderings_summary(claims)
    return Report(said, [*claims, *rows], {_PICTURE: drawn}, "moves, shares", {"runs": runs})


def _starts_row(name: str, world: GridMap, seed: int) -> Row:
    """Fig. 3.5 shows an interceptor that turns and is still in time; from where can one start so that it is?"""
    starts = starts_above(world)
    caught = [pursue(each, 1, goal=MIDDLE, manner="guard", seed=seed).outcomes[0, 0] == INTERCEPTED for each in starts]
    return Row(
        f"{name}: intercepted along our A* way by one who guards, share of starts above the rocks",
        sum(caught) / len(starts), None, "from its own start", None, f"{sum(caught)} of {len(starts)} starts",
    )  # fmt: skip


def draw(numbers: Mapping[str, Any], path: Path) -> None:
    """A row for each run: belief against moves, and the map with both ships."""
    with save_figure(path, (10, 8)) as figure:
        grid = figure.subplots(2, 2, width_ratios=(1.5, 1))
        for (left, right), (name, run), fig in zip(grid, numbers["runs"].items(), ("3.3", "3.4 and 3.5"), strict=True):
            moves = range(len(run["a_star"]))
            for goal, figures in enumerate(run["any"]):
                colour = GOAL_COLOURS[goal]
                draw_trace(left, moves, figures, colour, f"goal {goal + 1}, any shortest way, ± 95 %")
                left.plot(
                    moves, [each[goal] for each in run["a_star"]], color=colour, linestyle="--", marker=".",
                    label=f"goal {goal + 1}, our A* way",
                )  # fmt: skip
            if "middle" in name:
                left.axvline(CHANGE, color=INK, linewidth=1, linestyle=":", label="published change")
            left.set(ylim=(0, 1), xlabel="move", ylabel="belief", title=f"a run to {name} (fig. {fig})")
            draw_map(right, numbers["map"])
            draw_way(right, run["runner"], INK, "runner", 3)
            draw_way(right, run["interceptor"], GREEN, "interceptor", 3)
            right.set_title("intercepted" if run["intercepted"] else "not intercepted")
        draw_title(figure, "What is believed of a ship, move by move")
        draw_key(figure, *grid.ravel(), columns=4)


STUDY = Study(
    "grid-run",
    "A run to the side and a run to the middle, move by move",
    "Baker 2010, figs 3.3, 3.4 and 3.5",
    measure,
    {_PICTURE: draw},
)
