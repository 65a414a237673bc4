"""The sampling solver: how fast it comes near an equilibrium, with which sampling and weights, and that it is right.

Kuhn and Leduc are small enough for exact exploitability, so every method is run there from several seeds, and what is left
to take is told by how many nodes it has visited, which is what it costs on any machine. Their values to the first to act are
known: -1/18 in Kuhn, and in Leduc what OpenSpiel's solvers give. The exploitabilities of our policies agree with OpenSpiel's
own (`tests/solve/test_solving.py`).

At no-limit hold'em only a lower bound within the abstract game is known. Every method that samples actions is given the same
number of nodes in the usual abstraction, and the bound is looked at three times. Following all actions visits too many nodes
for one deal there to be compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from nemesis.measure.charts import as_figure, draw_key, draw_title, draw_trace
from nemesis.measure.interval import mean_interval
from nemesis.measure.picture import BLUE, GREEN, INK, ORANGE, PURPLE, VERMILLION, save_figure
from nemesis.rules.by_name import game
from nemesis.solve.abstract_game import abstract_game
from nemesis.solve.abstract_response import as_policy, exploitability
from nemesis.solve.ceiling import value_against
from nemesis.solve.mccfr import METHODS, Solution
from nemesis.solve.solved import played
from nemesis.solve.solving import Run
from nemesis.studies.study import Report, Row, Setting, Study
from nemesis.studies.verdict import listed

VALUES = {"kuhn": -1 / 18, "leduc": -0.085606}
"""What the games are worth to the first to act."""
STEPS = (1e5, 3e5, 1e6, 3e6, 1e7, 3e7, 1e8)
"""Visited nodes at which exploitability is looked at."""

Figure = tuple[float, float, float]

_PICTURE = "solver.png"
_COLOURS = dict(zip(METHODS, (INK, BLUE, VERMILLION, GREEN, ORANGE, PURPLE), strict=True))


def measure(setting: Setting) -> Report:
    """Small games from several seeds, then no-limit."""
    steps = STEPS[: setting.choose(2, 5, 7)]
    seeds = setting.choose(2, 5, 10)
    rows: list[Row] = []
    small = {name: by_nodes(name, steps, seeds, setting) for name in VALUES}
    for name, known in VALUES.items():
        usual = small[name]["external-linear"]
        value, ci95 = mean_interval(np.array(usual["values"]))
        rows.append(Row(f"{name}, value to the first to act", value, ci95, round(known, 4), sample=f"{seeds} seeds",
                        note="external-linear"))  # fmt: skip
        for method, found in small[name].items():
            left, ci95 = mean_interval(np.array(found["left"])[:, -1])
            note = f"after {steps[-1]:,.0f} nodes; begins at {np.mean(np.array(found['left'])[:, 0]):.4f}"
            rows.append(
                Row(f"{name}, exploitability, {method}", left, ci95, ceiling=0.0, sample=f"{seeds} seeds", note=note)
            )
    budget = setting.choose(30_000, 60_000_000, 1_000_000_000)
    looks = [budget / 16, budget / 4, budget]
    large = {name: at_no_limit(name, looks, setting) for name, method in METHODS.items() if not method.full}
    for method, figures in large.items():
        (mean, low, high), note = figures[-1], f"{budget:,} nodes; begins at {figures[0][0]:,.0f}"
        rows.append(Row(f"no-limit, bound within the abstract game, {method}", mean, (low, high), note=note))
    drawn = {
        "steps": list(steps),
        "small": {
            name: {
                method: [as_figure(mean_interval(column)) for column in np.array(found["left"]).T]
                for method, found in methods.items()
            }
            for name, methods in small.items()
        },
        "looks": looks,
        "no-limit": large,
    }
    return Report(verdict(small, large), rows, {_PICTURE: drawn}, "chips a hand; no-limit mBB/hand")


def by_nodes(name: str, steps: tuple[float, ...], seeds: int, setting: Setting) -> dict[str, dict[str, Any]]:
    """By method, from every seed: what is left to take after so many nodes, and the value of the last strategy."""
    small = abstract_game(game(name))
    found: dict[str, dict[str, Any]] = {}
    for method in METHODS:
        setting.progress(f"{name}, {method}")
        left, values = [], []
        for number in range(seeds):
            run, solution = Run(small, method=method, seed=setting.seed + number), None
            curve = []
            for step in steps:
                solution = go_on(run, solution, step)
                strategy = small.average(solution.sums)
                curve.append(exploitability(small, strategy)[0])
            policy = as_policy(small, strategy)
            left.append(curve)
            values.append(value_against(policy, policy, small.game).by_position[0])
        found[method] = {"left": left, "values": values}
    return found


def go_on(run: Run, solution: Solution | None, nodes: float) -> Solution:
    """Train until so many nodes were visited, by whole epochs."""
    while solution is None or run.progress.nodes < nodes:
        solution = run.train(deals=run.progress.deals + run.epoch, start=solution)
    return solution


def at_no_limit(method: str, looks: list[float], setting: Setting) -> list[Figure]:
    """The bound within the abstract game of no-limit after so many nodes."""
    setting.progress(f"no-limit, {method}")
    large = abstract_game(game("no-limit"), (5, 5, 5) if setting.scale == "smoke" else None)
    run, solution = Run(large, method=method, seed=setting.seed, epoch=setting.choose(100, 10_000, 100_000)), None
    found = []
    for nodes in looks:
        solution = go_on(run, solution, nodes)
        deals = setting.choose(200, 10_000, 40_000)
        found.append(as_figure(exploitability(large, played(large, solution), deals, setting.seed)))
    return found


def verdict(small: Mapping[str, Mapping[str, Mapping[str, Any]]], large: Mapping[str, list[Figure]]) -> str:
    """Which method leaves least, in each game."""
    best = []
    for name, methods in small.items():
        means = {method: float(np.mean(np.array(found["left"])[:, -1])) for method, found in methods.items()}
        least = min(means, key=lambda method: means[method])
        best.append(f"{name} {least} ({means[least]:.4f} chips a hand)")
    least = min(large, key=lambda method: large[method][-1][0])
    best.append(f"no-limit {least} ({large[least][-1][0]:,.0f} mBB/hand)")
    return (
        f"With equally many nodes least is left to take in {listed(best)}. At no-limit that is a lower bound within the "
        f"abstract game, and says nothing of sizes and hands that it does not tell apart; see `exploitability`."
    )


def draw(numbers: Mapping[str, Any], path: Path) -> None:
    """Exploitability by visited nodes, one panel for each game."""
    with save_figure(path, (11, 4.4)) as figure:
        every = figure.subplots(1, 3)
        panels = {name: (numbers["steps"], found) for name, found in numbers["small"].items()}
        panels["no-limit hold'em, abstract"] = (numbers["looks"], numbers["no-limit"])
        for axes, (name, (steps, methods)) in zip(every, panels.items(), strict=True):
            for method, figures in methods.items():
                draw_trace(axes, steps, figures, _COLOURS[method], method)
            axes.set(xscale="log", yscale="log", title=name, xlabel="nodes visited (log scale)")
            axes.xaxis.set_minor_formatter(lambda value, place: "")
        every[0].set_ylabel("exploitability, chips a hand (log scale)")
        every[2].set_ylabel("lower bound, mBB/hand (log scale)")
        draw_title(figure, "What is left to take from what the solver has learned")
        draw_key(figure, every[0])


STUDY = Study(
    "solver",
    "How near the sampling solver comes to an equilibrium",
    "ours; the values of Kuhn and Leduc are known",
    measure,
    {_PICTURE: draw},
    "about two CPU hours",
)
