"""Tracking a moving target: an action network in a sliding window (the POM thesis, section 4.3 and fig. 4.3).

The network learns from 75 hands of a player for 230 cycles; then the window moves on by 5 hands, again after 100 and after
110 cycles. After every cycle it is asked about the 8 hands behind the window. The thesis sees the generalisation break down
at every move and come back in about 100 cycles, half of what the first training took. A move also changes the hands that are
asked about, so the mean over many players tells what one curve cannot. Rate .1 and momentum .5 are the thesis's.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.back_propagation import Settings, generalisation
from nemesis.believe.opponent_model import MOVE, WINDOW, StaticModel
from nemesis.believe.pom_patterns import Patterns
from nemesis.measure.charts import as_figure, draw_key, draw_title, draw_trace
from nemesis.measure.interval import mean_interval
from nemesis.measure.picture import BLUE, GREY, VERMILLION, save_figure
from nemesis.play.workers import run_blocks
from nemesis.studies.ordering import ordering, orderings_summary
from nemesis.studies.sample import Sampled, sampled_row
from nemesis.studies.stored_players import PLAYERS, patterns_by_player, people, players_with, told_of
from nemesis.studies.study import Report, Setting, Study

ASKED = 8
"""Hands behind the window that are asked about."""
PHASES = (230, 100, 110, 100)
"""Cycles before the first move, between moves, and after the last."""
LEARNT = 0.9
"""A phase has learnt when this part of its whole fall in error is done."""
_PICTURE = "pom-tracking.png"


class _Task(NamedTuple):
    patterns: Patterns
    phases: tuple[int, ...]
    starts: int
    seed: int
    number: int


class Track(NamedTuple):
    """By start and cycle, the share of asked decisions that were right, and the error on the window."""

    right: NDArray[np.float64]
    error: NDArray[np.float64]


def measure(setting: Setting) -> Report:
    """Many players, several starts each."""
    players, starts = setting.choose(3, 30, 72), setting.choose(1, 2, 4)
    phases = PHASES if setting.scale != "smoke" else (6, 4, 4, 4)
    needed = WINDOW + ASKED + MOVE * (len(phases) - 1)
    with people(setting) as store:
        chosen = players_with(store, needed + 20, players)[:players]
        every, data = patterns_by_player(store, chosen, setting), told_of(store)
    tasks = [_Task(known, phases, starts, setting.seed, n) for n, known in enumerate(every) if known.rounds >= needed]
    setting.progress("training")
    tracks = list(run_blocks(_track, tasks, setting.workers))
    moves = np.cumsum(phases)[:-1]
    right = np.array([track.right.mean(axis=0) for track in tracks])
    drop = (right[:, moves - 1] - right[:, moves]).mean(axis=1)
    regained = (right[:, np.append(moves[1:], sum(phases)) - 1] - right[:, moves]).mean(axis=1)
    cycles = np.array([[_cycles(row, phases) for row in track.error] for track in tracks]).mean(axis=1)
    first, later = cycles[:, 0], cycles[:, 1:].mean(axis=1)

    def over(values: NDArray[np.float64]) -> Sampled:
        return Sampled(*mean_interval(values), PLAYERS)

    rows = [
        ordering("generalisation breaks down when the window moves", "broke down each time", over(drop)),
        ordering("it comes back with more training", "adopted again", over(regained)),
        ordering("learning again takes fewer cycles than the first training", "about the half", over(first - later)),
        sampled_row("cycles of the first training", over(first), "200 to 230"),
        sampled_row("cycles to learn again after a move", over(later), 100.0),
        sampled_row("generalisation at the end of the first training", over(right[:, moves[0] - 1])),
        sampled_row("generalisation at the end of the last phase", over(right[:, -1])),
    ]
    verdict = (
        f"Over {len(tracks)} players a move of the window changes the generalisation by {100 * -drop.mean():+.1f} points "
        f"and the training after it by {100 * regained.mean():+.1f}. {LEARNT:.0%} of the fall in error takes "
        f"{first.mean():.0f} cycles at first and {later.mean():.0f} after a move. Curves of single players do jump at a "
        "move, up as well as down: 8 hands hold few decisions, and a move replaces most of them."
        + orderings_summary(rows)
    )
    numbers = {
        "moves": moves,
        "generalisation": [as_figure(mean_interval(column)) for column in right.T],
        "error": [
            as_figure(mean_interval(column)) for column in np.array([track.error.mean(axis=0) for track in tracks]).T
        ],
        "one": tracks[0].right[0],
    }
    return Report(
        verdict, rows, {_PICTURE: numbers}, "shares, cycles", {**data, "players": len(tracks), "starts": starts}
    )


def _track(task: _Task) -> Track:
    """Follow one player from several starts."""
    needed = WINDOW + ASKED + MOVE * (len(task.phases) - 1)
    begins = np.linspace(0, task.patterns.rounds - needed, task.starts, dtype=np.int64)
    right, error = [], []
    for start in begins.tolist():
        model = StaticModel(
            Settings(rate=0.1, momentum=0.5, max_error=0.0, epochs=task.phases[0]), task.seed, task.number
        )
        shares, errors = [], []
        for move, cycles in enumerate(task.phases):
            first = start + MOVE * move
            window = task.patterns.between(first, first + WINDOW)
            asked = task.patterns.between(first + WINDOW, first + WINDOW + ASKED)
            if window.shown.any():
                model.hand.run(window.inputs[window.shown], window.potency[window.shown])
            inputs, unseen, wanted = model.inputs(window), model.inputs(asked), window.actions
            model.action.start_again()
            for _ in range(cycles):
                errors.append(model.action.epoch(inputs, wanted).error)
                shares.append(generalisation(model.action.network, unseen, asked.done))
        right.append(shares)
        error.append(errors)
    return Track(np.array(right), np.array(error))


def _cycles(error: NDArray[np.float64], phases: tuple[int, ...]) -> list[int]:
    """By phase, the cycle at which `LEARNT` of the fall from its first to its lowest error is done."""
    found = []
    for part in np.split(error, np.cumsum(phases)[:-1]):
        wanted = part[0] - LEARNT * (part[0] - part.min())
        found.append(int(np.argmax(part <= wanted)) + 1)
    return found


def draw(numbers: Mapping[str, Any], path: Path) -> None:
    """One player's curve, thin, and the mean over players."""
    with save_figure(path, (10, 4.4)) as figure:
        axes = figure.subplots()
        cycles = np.arange(1, len(numbers["generalisation"]) + 1)
        axes.plot(cycles, numbers["one"], color=GREY, linewidth=0.8, label="one player: next 8 hands right")
        draw_trace(axes, cycles, numbers["generalisation"], BLUE, "mean over players, ± 95 %")
        draw_trace(axes, cycles, numbers["error"], VERMILLION, "error on the window")
        for move in numbers["moves"]:
            axes.axvline(move + 0.5, color=GREY, linewidth=1, linestyle=":")
        axes.set(xlabel="training cycle (dotted: the window moves)", ylabel="share", ylim=(0, 1))
        draw_title(figure, "Tracking a moving target")
        draw_key(figure, axes)


STUDY = Study(
    "pom-tracking",
    "Tracking a moving target",
    "the POM thesis, section 4.3 and fig. 4.3",
    measure,
    {_PICTURE: draw},
)
