"""How an action network learns: error and generalisation by epoch (the POM thesis, fig. 4.1b).

Each network learns from a player's first 350 action records and is asked about his next ones, which it never sees; the
thesis shows one network, we show the mean of many. Two readings of "how well does it generalise" stand side by side: the
network at the end of its training, and the best of all epochs as judged on the very records that it is then praised for.
Beside the thesis's training stand scikit-learn's network of the same size and a network that was pruned.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.back_propagation import Settings, generalisation, prune
from nemesis.believe.opponent_model import StaticModel
from nemesis.believe.pom_patterns import Patterns
from nemesis.measure.charts import as_figure, draw_key, draw_title, draw_trace
from nemesis.measure.interval import mean_interval
from nemesis.measure.picture import BLUE, GREY, VERMILLION, save_figure
from nemesis.play.workers import run_blocks
from nemesis.studies.sample import Sampled, sampled_row
from nemesis.studies.sklearn_network import library_answers
from nemesis.studies.stored_players import PLAYERS, patterns_by_player, people, players_with, told_of
from nemesis.studies.study import Report, Setting, Study
from nemesis.studies.verdict import percent

LEARNT, UNSEEN = 350, 100
"""Action records that a network learns from (figure 4.1a) and is asked about."""
PRUNE = 0.1
_PICTURE = "pom-learning.png"


class Curve(NamedTuple):
    """One player's network: by epoch its error and the share of unseen records it gets right; other readings."""

    error: NDArray[np.float64]
    right: NDArray[np.float64]
    hand_error: float
    """Of the hand network, at its end."""
    pruned: float
    cut: float
    library: float


class _Task(NamedTuple):
    patterns: Patterns
    epochs: int
    learnt: int
    seed: int
    number: int


def measure(setting: Setting) -> Report:
    """Many players' curves."""
    players, epochs = setting.choose(3, 30, 72), setting.choose(20, 400, 400)
    learnt, unseen = setting.choose(40, LEARNT, LEARNT), setting.choose(10, UNSEEN, UNSEEN)
    with people(setting) as store:
        chosen = players_with(store, learnt + unseen, players)[:players]
        every, data = patterns_by_player(store, chosen, setting), told_of(store)
    tasks = [
        _Task(patterns.part(slice(0, learnt + unseen)), epochs, learnt, setting.seed, number)
        for number, patterns in enumerate(every)
    ]
    setting.progress("training")
    curves = list(run_blocks(_learn, tasks, setting.workers))
    ends, bests = [curve.right[-1] for curve in curves], [curve.right.max() for curve in curves]

    def row(what: str, values: list[Any], published: float | str | None = None, note: str = "") -> Any:
        return sampled_row(what, Sampled(*mean_interval(values), PLAYERS), published, note)

    hand = [curve.hand_error for curve in curves if np.isfinite(curve.hand_error)]
    cut = f"{np.mean([curve.cut for curve in curves]):.0%} of connections cut"
    added = [best - end for best, end in zip(bests, ends, strict=True)]
    example = "about .9 in the example"
    rows = [
        row("generalisation at the end of training", ends, example),
        row("generalisation of the best epoch, chosen on the records it is judged by", bests, example),
        row("what that choice adds", added),
        row("scikit-learn's network of the same size", [curve.library for curve in curves]),
        row(f"pruned below {PRUNE:g} of the largest weight", [curve.pruned for curve in curves], note=cut),
        row("action network: error at the end", [curve.error[-1] for curve in curves]),
        row("hand network: error at the end", hand, 0.06, "mean distance of output and truth"),
    ]
    verdict = (
        f"Over {len(curves)} players the action network gets {percent(rows[0].ours)} of unseen records right at the end "
        f"of its training, and {percent(rows[1].ours)} if the best epoch is chosen on those very records: "
        f"{100 * rows[2].ours:.1f} points are choice, not knowledge. scikit-learn's network gets {percent(rows[3].ours)}. "
        "The example in the figure reaches about 90 %."
    )
    return Report(
        verdict, rows, {_PICTURE: _numbers(curves)}, "shares", {**data, "players": len(curves), "epochs": epochs}
    )


def _learn(task: _Task) -> Curve:
    """Train the hand network, then the action network an epoch at a time, asking it after each."""
    patterns, ahead = task.patterns.part(slice(0, task.learnt)), task.patterns.part(slice(task.learnt, None))
    settings = Settings(epochs=task.epochs, max_error=0.0)
    model = StaticModel(settings, task.seed, task.number)
    shown = patterns.shown
    if shown.any():
        model.hand.run(patterns.inputs[shown], patterns.potency[shown])
    inputs, unseen, wanted = model.inputs(patterns), model.inputs(ahead), patterns.actions
    error, right = [], []
    for _ in range(task.epochs):
        error.append(model.action.epoch(inputs, wanted).error)
        right.append(generalisation(model.action.network, unseen, ahead.done))
    cut = model.action.network.copy()
    connections = cut.hidden.size + cut.output.size
    share = prune(cut, PRUNE) / connections
    library = library_answers(inputs, patterns.done, unseen, task.seed).argmax(axis=1)
    return Curve(
        np.array(error),
        np.array(right),
        model.hand.epochs[-1].error if model.hand.epochs else float("nan"),
        generalisation(cut, unseen, ahead.done),
        share,
        float((library == ahead.done).mean()),
    )


def _numbers(curves: list[Curve]) -> dict[str, Any]:
    def trace(values: list[NDArray[np.float64]]) -> list[Any]:
        return [as_figure(mean_interval(column)) for column in np.array(values).T]

    return {
        "epochs": list(range(1, len(curves[0].error) + 1)),
        "generalisation": trace([curve.right for curve in curves]),
        "error": trace([curve.error for curve in curves]),
        "best": trace([np.maximum.accumulate(curve.right) for curve in curves]),
        "one": {"generalisation": curves[0].right, "error": curves[0].error},
    }


def draw(numbers: Mapping[str, Any], path: Path) -> None:
    """Left one player's curves, as the figure shows; right the mean over players."""
    with save_figure(path, (10, 4.2)) as figure:
        one, every = figure.subplots(1, 2, sharey=True)
        epochs = numbers["epochs"]
        one.plot(epochs, numbers["one"]["generalisation"], color=BLUE, linewidth=1)
        one.plot(epochs, numbers["one"]["error"], color=VERMILLION, linewidth=1)
        one.set(title="one player", xlabel="training epoch", ylabel="share", ylim=(0, 1))
        draw_trace(every, epochs, numbers["best"], GREY, "best epoch so far, chosen on the same records")
        draw_trace(every, epochs, numbers["generalisation"], BLUE, "generalisation: unseen records right")
        draw_trace(every, epochs, numbers["error"], VERMILLION, "error while learning")
        every.set(title="mean over players, ± 95 %", xlabel="training epoch")
        draw_title(figure, "How an action network learns")
        draw_key(figure, every)


STUDY = Study(
    "pom-learning",
    "Learning curves of the action network",
    "the POM thesis, fig. 4.1b",
    measure,
    {_PICTURE: draw},
)
