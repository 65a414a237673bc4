"""How many past actions, how many future ones: training against validation size for three groups (POM thesis, fig. 4.2).

For every start in a player's records a network learns from the last 4 to 100 of them and is asked about the next 2 to 50.
The thesis draws "the maximal success the APN achieves": the best epoch as judged on the records asked about. Beside that map
we draw the honest one, the network at the end of its training, which looked at none of them. From the map the thesis
concludes that weak players are easier, that looking further ahead needs more past records, and that at 12 records ahead 48
past ones are best. Intervals are over players.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.back_propagation import Settings
from nemesis.believe.opponent_model import StaticModel
from nemesis.believe.pom_patterns import Patterns
from nemesis.measure.charts import as_figure, draw_key, draw_title, draw_trace
from nemesis.measure.interval import mean_interval
from nemesis.measure.picture import BLUE, GREEN, INK, VERMILLION, save_figure
from nemesis.play.workers import run_blocks
from nemesis.studies.ordering import ordering, orderings_summary
from nemesis.studies.sample import Sampled, sampled_row
from nemesis.studies.stored_players import (
    GROUP_HANDS,
    GROUPS,
    PLAYERS,
    patterns_by_player,
    people,
    result_groups,
    told_of,
)
from nemesis.studies.study import Report, Row, Setting, Study

PAST = tuple(range(4, 101, 4))
AHEAD = tuple(range(2, 51, 2))
LINE = 12
"""Records ahead on which the thesis reads the best training size."""
BEST = 48
READINGS = ("best epoch, chosen on the records judged", "end of training")
COLOURS = {"weak": GREEN, "average": BLUE, "strong": VERMILLION}
_PICTURE = "pom-windows.png"


class _Task(NamedTuple):
    patterns: Patterns
    past: tuple[int, ...]
    starts: int
    epochs: int
    seed: int
    number: int


def measure(setting: Setting) -> Report:
    """A map for each player, averaged by group."""
    size, starts = setting.choose(2, 5, 20), setting.choose(1, 2, 6)
    epochs, hands = setting.choose(5, 200, 200), setting.choose(160, GROUP_HANDS, GROUP_HANDS)
    past = PAST if setting.scale != "smoke" else (4, 48, 100)
    with people(setting) as store:
        groups = result_groups(store, size, hands)
        chosen = [player for name in GROUPS for player in groups[name]]
        every, data = patterns_by_player(store, chosen, setting), told_of(store)
    tasks = [_Task(known, past, starts, epochs, setting.seed, n) for n, known in enumerate(every)]
    maps = []
    for found in run_blocks(_map, tasks, setting.workers):
        maps.append(found)
        setting.progress(f"player {len(maps)} of {len(tasks)}")
    by_group = dict(zip(GROUPS, np.array(maps).reshape(len(GROUPS), size, 2, len(past), len(AHEAD)), strict=True))
    rows = [*_claims(by_group, past), *_figures(by_group, past)]
    won = {name: [round(player.won, 1) for player in groups[name]] for name in GROUPS}
    numbers = {
        "past": past,
        "maps": {name: found.mean(axis=0) for name, found in by_group.items()},
        "line": {
            name: [as_figure(mean_interval(found[:, 1, at, AHEAD.index(LINE)])) for at in range(len(past))]
            for name, found in by_group.items()
        },
    }
    return Report(
        _verdict(rows), rows, {_PICTURE: numbers}, "shares", {**data, "won_big_blinds": won, "starts": starts}
    )


def _map(task: _Task) -> NDArray[np.float64]:
    """(2, past, ahead) success by reading, mean over starts."""
    records = len(task.patterns.done)
    begins = np.linspace(max(PAST), records - max(AHEAD), task.starts + 1, dtype=np.int64)[: task.starts]
    success = np.zeros((2, len(task.past), len(AHEAD)))
    upto = np.array(AHEAD)
    for start in begins.tolist():
        ahead = task.patterns.part(slice(start, start + max(AHEAD)))
        for row, past in enumerate(task.past):
            known = task.patterns.part(slice(start - past, start))
            model = StaticModel(Settings(epochs=task.epochs, max_error=0.0), task.seed, task.number)
            if known.shown.any():
                model.hand.run(known.inputs[known.shown], known.potency[known.shown])
            inputs, unseen, wanted = model.inputs(known), model.inputs(ahead), known.actions
            best = np.zeros(len(AHEAD))
            for _ in range(task.epochs):
                model.action.epoch(inputs, wanted)
                right = model.action.network.answer(unseen).argmax(axis=1) == ahead.done
                shares = np.cumsum(right)[upto - 1] / upto
                best = np.maximum(best, shares)
            success[0, row] += best / len(begins)
            success[1, row] += shares / len(begins)
    return success


def _claims(by_group: Mapping[str, NDArray[np.float64]], past: tuple[int, ...]) -> list[Row]:
    """What the thesis reads from its map, on both of ours."""
    claims = []
    line, most = AHEAD.index(LINE), len(past) - 1
    best = past.index(BEST)
    every = np.concatenate(list(by_group.values()))
    for reading, words in enumerate(READINGS):
        weak, strong = (by_group[name][:, reading].mean(axis=(1, 2)) for name in ("weak", "strong"))
        claims.append(ordering(f"weak players are easier than strong ones ({words})", "easier", _apart(weak, strong)))
        gains = every[:, reading, most] - every[:, reading, 0]
        further = gains[:, -1] - gains[:, 0]
        claims.append(
            ordering(
                f"{AHEAD[-1]} records ahead gain more from a longer past than {AHEAD[0]} ({words})",
                "diagonal",
                _mean(further),
            )
        )
        claims.append(
            ordering(
                f"at {LINE} ahead {BEST} past records are better than {past[0]} ({words})",
                "grows until 48",
                _mean(every[:, reading, best, line] - every[:, reading, 0, line]),
            )
        )
        claims.append(
            ordering(
                f"at {LINE} ahead {BEST} past records are better than {past[-1]} ({words})",
                "then slightly falls",
                _mean(every[:, reading, best, line] - every[:, reading, most, line]),
            )
        )
    return claims  # fmt: skip


def _figures(by_group: Mapping[str, NDArray[np.float64]], past: tuple[int, ...]) -> list[Row]:
    best, line = past.index(BEST), AHEAD.index(LINE)
    return [
        sampled_row(f"{name}: {BEST} past, {LINE} ahead, {words}", _mean(found[:, reading, best, line]))
        for name, found in by_group.items()
        for reading, words in enumerate(READINGS)
    ]


def _mean(values: NDArray[np.float64]) -> Sampled:
    return Sampled(*mean_interval(values), PLAYERS)


def _apart(one: NDArray[np.float64], other: NDArray[np.float64]) -> Sampled:
    """The difference of the means of two groups of players (Welch's interval)."""
    from scipy.stats import ttest_ind

    found = ttest_ind(one, other, equal_var=False)
    interval = found.confidence_interval(0.95)
    return Sampled(float(one.mean() - other.mean()), (float(interval.low), float(interval.high)), PLAYERS)


def _verdict(rows: list[Row]) -> str:
    told = {row.what: row.ours for row in rows}
    both = [np.mean([told[f"{name}: {BEST} past, {LINE} ahead, {words}"] for name in GROUPS]) for words in READINGS]
    return (
        f"With {BEST} past records the next {LINE} are predicted to {100 * both[1]:.1f} %; choosing the best epoch on "
        f"those very records makes it {100 * both[0]:.1f} %, which is the map that the thesis draws."
        + orderings_summary(rows)
    )


def draw(numbers: Mapping[str, Any], path: Path) -> None:
    """Both maps of the three groups, and the honest line at 12 records ahead."""
    with save_figure(path, (11, 8.6)) as figure:
        grid = figure.subplots(3, 3, height_ratios=(1, 1, 0.8))
        past = numbers["past"]
        for column, (name, found) in enumerate(numbers["maps"].items()):
            for reading, words in enumerate(READINGS):
                axes = grid[reading, column]
                image = axes.pcolormesh(past, AHEAD, np.array(found[reading]).T, vmin=0.4, vmax=0.9, cmap="viridis")
                axes.grid(False)
                axes.axhline(LINE, color="white", linewidth=0.8, linestyle=":")
                axes.set_title(f"{name}\n{words}" if column != 1 else f"{name}\n", fontsize=9)
                axes.set_xlabel("past records learnt from")
            axes = grid[2, column]
            draw_trace(
                axes,
                past,
                numbers["line"][name],
                COLOURS[name],
                f"{name}: end of training, {LINE} records ahead, ± 95 % over players",
            )
            axes.axvline(BEST, color=INK, linewidth=1, linestyle=":", label="best past in the thesis")
            axes.set(xlabel="past records learnt from", ylim=(0.3, 0.9))
        for reading in range(2):
            grid[reading, 0].set_ylabel("records ahead")
        grid[2, 0].set_ylabel("share right")
        figure.colorbar(image, ax=grid[:2].ravel().tolist(), label="share of actions predicted", shrink=0.8)
        draw_title(figure, "How far back to look, how far ahead")
        draw_key(figure, *grid[2], columns=2)  # fmt: skip


STUDY = Study(
    "pom-windows",
    "Training size against validation size",
    "the POM thesis, fig. 4.2",
    measure,
    {_PICTURE: draw},
)
