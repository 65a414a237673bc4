"""A hypercube at a table that changes its style in the middle, and at tables it never met.

Both are ours: the source argues for them (the hypercube paper, sections 2 and 5) and measures neither.

All nine opponents change at once, from loose-aggressive to tight-passive or the other way. Beside the hypercube that goes on
learning stand the copy of it that stopped when the change came, A, and one that learned at the second table for as long.
Then cells that learned at the mixed table sit down with styles they never met, learning on or frozen, beside A.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.charts import as_figure, draw_groups, draw_key, draw_level, draw_title, draw_trace
from nemesis.measure.interval import mean_interval
from nemesis.measure.picture import BLUE, GREY, INK, PURPLE, save_figure
from nemesis.studies.hypercube_curve import smoothed
from nemesis.studies.hypercube_runs import EPOCH, TABLES, Seat, play_runs, returns, start_a
from nemesis.studies.ordering import ordering
from nemesis.studies.sample import over_runs, sampled_row
from nemesis.studies.study import Report, Row, Setting, Study

_TRACES, _STRANGERS = "hypercube-changes.png", "hypercube-strangers.png"
CHANGES = {"loose to tight": ("la", "tp"), "tight to loose": ("tp", "la")}
STRANGERS: Mapping[str, Sequence[str]] = {
    "9 LP": ("lp",) * 9,
    "9 TA": ("ta",) * 9,
    "5 LP, 4 TA": ("lp",) * 5 + ("ta",) * 4,
    "all four styles": ("la", "lp", "ta", "tp") * 2 + ("lp",),
    "5 seats: LP, TA": ("lp", "lp", "ta", "ta"),
}
LEARNS, FROZEN, A, FRESH = "learns on", "frozen", "A", "learned there"
_COLOURS = {LEARNS: PURPLE, FROZEN: BLUE, A: GREY}
_FIRST_STAGE = 20  # of deals, apart from the other studies of the hypercube


def measure(setting: Setting) -> Report:
    """Both changes, then the tables of strangers."""
    runs, epochs = setting.evolutions, setting.choose(10, 100, 1000)
    rows: list[Row] = []
    traces: dict[str, Any] = {}
    for number, (change, (old, new)) in enumerate(CHANGES.items()):
        setting.progress(f"from {change}")
        found = _change(setting, old, new, runs, epochs, _FIRST_STAGE + 4 * number)
        rows += _change_rows(change, found)
        traces[change] = _trace(found[LEARNS], epochs)
    learned = play_runs(setting, [Seat(start_a())] * runs, TABLES["mixed"], epochs, _FIRST_STAGE + 8)
    strangers: dict[str, dict[str, NDArray[np.float64]]] = {}
    for stage, (table, names) in enumerate(STRANGERS.items(), start=_FIRST_STAGE + 9):
        setting.progress(table)
        seats = {LEARNS: [Seat(run.genes) for run in learned], FROZEN: [Seat(run.genes, learning=False) for run in learned],
                 A: [Seat(start_a(), learning=False)] * runs}  # fmt: skip
        strangers[table] = {name: returns(play_runs(setting, who, names, epochs, stage)) for name, who in seats.items()}
    rows += [row for table, found in strangers.items() for row in _stranger_rows(table, found)]
    pictures = {_TRACES: {"epochs": epochs, "traces": traces}, _STRANGERS: _numbers(strangers)}
    return Report(_verdict(rows, strangers), rows, pictures, "chips an epoch of 100 hands")


def _change(setting: Setting, old: str, new: str, runs: int, epochs: int, stage: int) -> dict[str, NDArray[np.float64]]:
    """Chips an epoch by run and epoch; of all but the first, after the change only."""
    before, after = (old,) * 9, (new,) * 9
    changing = (f"{old}-to-{new}@{epochs * EPOCH}",) * 9
    home = play_runs(setting, [Seat(start_a())] * runs, before, epochs, stage + 1)
    seats = {
        LEARNS: ([Seat(start_a())] * runs, changing, 2 * epochs, stage),
        FROZEN: ([Seat(run.genes, learning=False) for run in home], after, epochs, stage + 2),
        A: ([Seat(start_a(), learning=False)] * runs, after, epochs, stage + 2),
        FRESH: ([Seat(start_a())] * runs, after, epochs, stage + 2),
    }
    return {
        name: np.array([run.chips[:, 0] for run in play_runs(setting, who, table, length, number)], float)
        for name, (who, table, length, number) in seats.items()
    }


def _last(chips: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean of the last fifth of the epochs, by run."""
    return smoothed(chips, max(1, chips.shape[1] // 5))[:, -1]


def _change_rows(change: str, found: Mapping[str, NDArray[np.float64]]) -> list[Row]:
    epochs = found[FRESH].shape[1]
    before, after = found[LEARNS][:, :epochs], found[LEARNS][:, epochs:]
    soon = max(1, epochs // 50)
    level = _last(after).mean()
    back = np.flatnonzero(np.convolve(after.mean(axis=0), np.ones(soon) / soon, "valid") >= 0.9 * level)
    note = f"at 90 % of its last level after {(int(back[0]) + soon) * EPOCH:,} hands" if back.size else ""
    return [
        ordering(f"{change}: one that learns on ends above the copy frozen at the change", "",
                 over_runs(_last(after) - _last(found[FROZEN]))),
        sampled_row(f"{change}: last fifth before the change", over_runs(_last(before))),
        sampled_row(f"{change}: first {soon * EPOCH:,} hands after it", over_runs(after[:, :soon].mean(axis=1))),
        sampled_row(f"{change}: last fifth after it", over_runs(_last(after)), note=note),
        sampled_row(f"{change}: frozen at the change", over_runs(_last(found[FROZEN]))),
        sampled_row(f"{change}: A", over_runs(_last(found[A]))),
        sampled_row(f"{change}: learned at the second table only", over_runs(_last(found[FRESH]))),
    ]  # fmt: skip


def _stranger_rows(table: str, found: Mapping[str, NDArray[np.float64]]) -> list[Row]:
    return [
        ordering(f"{table}: learning on earns more than A", "", over_runs(found[LEARNS] - found[A])),
        *(sampled_row(f"{table}: {name}", over_runs(chips)) for name, chips in found.items()),
    ]


def _verdict(rows: Sequence[Row], strangers: Mapping[str, Mapping[str, NDArray[np.float64]]]) -> str:
    ours = {row.what: row.ours for row in rows}
    changes = "; ".join(
        f"{change}: {ours[f'{change}: last fifth before the change']:+,.0f} before, "
        f"{ours[f'{change}: last fifth after it']:+,.0f} at the end, the frozen copy "
        f"{ours[f'{change}: frozen at the change']:+,.0f}, "
        f"A {ours[f'{change}: A']:+,.0f}"
        for change in CHANGES
    )
    better = [table for table, found in strangers.items() if found[LEARNS].mean() > found[A].mean()]
    return (
        f"When the whole table changes, {changes} chips an epoch. At {len(better)} of {len(strangers)} tables of "
        f"strangers the cells from the mixed table, learning on, earn more than A on average over the match."
    )


def _trace(chips: NDArray[np.float64], epochs: int) -> dict[str, Any]:
    width = max(1, epochs // 25)
    return {"width": width, "figures": [as_figure(mean_interval(column)) for column in smoothed(chips, width).T]}


def _numbers(strangers: Mapping[str, Mapping[str, NDArray[np.float64]]]) -> dict[str, Any]:
    return {
        "tables": list(strangers),
        "series": {name: [as_figure(mean_interval(found[name])) for found in strangers.values()] for name in _COLOURS},
    }


def draw_traces(numbers: Mapping[str, Any], path: Path) -> None:
    """What the hypercube earns before and after each change, in the band of its interval over runs."""
    with save_figure(path, (9, 3.9)) as figure:
        every = figure.subplots(1, len(numbers["traces"]), sharey=True, squeeze=False)[0]
        for axes, (change, trace) in zip(every, numbers["traces"].items(), strict=True):
            steps = trace["width"] * (np.arange(len(trace["figures"])) + 0.5)
            draw_trace(axes, steps, trace["figures"], PURPLE, "hypercube that learns on, ± 95 % over runs")
            axes.axvline(numbers["epochs"], color=INK, linestyle=":", linewidth=1.2, label="all nine change")
            draw_level(axes, 0, "even")
            axes.set(title=change, xlabel="epoch of 100 hands")
        every[0].set_ylabel("chips an epoch")
        draw_title(figure, "A table of nine that changes its style in the middle")
        draw_key(figure, every[0])


def draw_strangers(numbers: Mapping[str, Any], path: Path) -> None:
    """What cells from the mixed table earn at tables they never met."""
    with save_figure(path, (9, 3.9)) as figure:
        axes = figure.subplots()
        draw_groups(axes, numbers["tables"], numbers["series"], _COLOURS)
        draw_level(axes, 0, "even")
        axes.set_ylabel("chips an epoch of 100 hands")
        draw_title(figure, "Cells that learned at the mixed table, at tables they never met (± 95 % over runs)")
        draw_key(figure, axes)


STUDY = Study(
    "hypercube-changes",
    "A hypercube when the table changes its style, and among strangers",
    "ours; the hypercube paper argues for it in sections 2 and 5",
    measure,
    {_TRACES: draw_traces, _STRANGERS: draw_strangers},
    full_cost="five minutes",
)
