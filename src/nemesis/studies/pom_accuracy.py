"""How often is the next action predicted? The 92.42 % of the POM thesis (section 4.2) and readings that do not look ahead.

The thesis trains an action network on 50 to 200 past hands of each of 72 players and predicts "their actions for the next 10
hands" with 92.42 %; online it finds 45 to 60 %. Here the same networks are judged in several ways on the same decisions.
The *optimistic* reading takes, for every player, the best of all epochs, training sizes and first weights as judged on those
10 hands. The *honest* one fixes all three beforehand. The *sliding window* is the thesis's dynamic model, walk-forward.
Beside them stand scikit-learn's network, two naive predictors, and the shipped action model, which has seen none of the
judged hands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.action_model import ActionModel, as_ordered, forecast, hand_digests, read_model
from nemesis.believe.back_propagation import Settings
from nemesis.believe.calibration import calibrate
from nemesis.believe.opponent_model import LEAST, MOVE, WINDOW, StaticModel, walk_forward
from nemesis.believe.pom_patterns import ACTIONS, INPUTS, Patterns, patterns_of
from nemesis.measure.charts import as_figure, draw_key, draw_title
from nemesis.measure.interval import mean_interval
from nemesis.measure.picture import BLUE, GREEN, GREY, PUBLISHED_LINE, VERMILLION, save_figure
from nemesis.observe.history import in_order_of_time, joined
from nemesis.observe.store import Store
from nemesis.observe.stored_hands import stored_history
from nemesis.play.workers import run_blocks
from nemesis.studies.ordering import ordering, orderings_summary
from nemesis.studies.sample import Sampled, sampled_row
from nemesis.studies.sklearn_network import library_answers
from nemesis.studies.stored_players import PLAYERS, StoredPlayer, people, players_with, told_of
from nemesis.studies.study import Report, Row, Setting, Study

AHEAD = 10
PUBLISHED = 0.9242
SIZES = (50, 100, 150, 200)
"""Past hands that networks learn from; the thesis says from 50 to 200."""
USUAL = 100
RESTARTS = 3
HONEST, WINDOWED, LIBRARY = "network at its end", "sliding window", "scikit-learn's network"
TABLE, COMMONEST, SHIPPED = "table of his actions", "his most common action", "shipped action model"
PREDICTORS = (HONEST, WINDOWED, LIBRARY, TABLE, COMMONEST, SHIPPED)
EPOCH, EVERYTHING = "best epoch, chosen on the judged hands", "best epoch, size and start, chosen on the judged hands"
_PICTURE = "pom-accuracy.png"


class _Task(NamedTuple):
    patterns: Patterns
    begins: tuple[int, ...]
    """Rounds at which a prediction of the next ones begins."""
    shipped: NDArray[np.float64]
    """(decisions, 3) what the shipped model says, NaN where it has seen the hand."""
    epochs: int
    restarts: int
    seed: int
    number: int


class Judged(NamedTuple):
    """One player's decisions and what was said of them; the choices made on them in hindsight give shares only."""

    done: NDArray[np.int64]
    likely: dict[str, NDArray[np.float64]]
    hindsight: dict[str, float]


def measure(setting: Setting) -> Report:
    """72 players, several starts each."""
    players, starts = setting.choose(3, 24, 72), setting.choose(1, 1, 4)
    past = setting.choose(60, max(SIZES), max(SIZES))
    with people(setting) as store:
        found = players_with(store, past + AHEAD, players)
        tasks = _tasks(store, found, players, starts, past, setting)
        data = told_of(store)
    if len(tasks) < 2:
        raise ValueError(
            f"fewer than 2 players of the store have {past} hands and {AHEAD} more that the shipped model has not seen"
        )
    judged = []
    for each in run_blocks(_judge, tasks, setting.workers):
        judged.append(each)
        setting.progress(f"player {len(judged)} of {len(tasks)}")
    rows = _rows(judged)
    numbers = {row.what: [row.ours, *(row.ci95 or (None, None))] for row in rows if row.what.startswith("right: ")}
    about = {**data, "players": len(judged), "decisions": int(sum(len(each.done) for each in judged)), "starts": starts}
    return Report(_verdict(rows), rows, {_PICTURE: numbers}, "shares, nats", about)


def _tasks(
    store: Store, found: Sequence[StoredPlayer], players: int, starts: int, past: int, setting: Setting
) -> list[_Task]:
    """The players with the most hands who have enough, and where their predictions begin."""
    model = read_model()
    tasks: list[_Task] = []
    for player in found:
        if len(tasks) == players:
            break
        setting.progress(f"reading player {len(tasks) + 1} of {players}")
        patterns, shipped = _known(store, player, model)
        fresh = np.unique(patterns.round[~np.isnan(shipped[:, 0])])
        fresh = fresh[fresh >= past]
        begins = [first for first in fresh.tolist() if np.isin(np.arange(first, first + AHEAD), fresh).all()]
        apart = [first for first in begins if (first - begins[0]) % AHEAD == 0][:starts]
        if apart:
            restarts, epochs = setting.choose(1, RESTARTS, RESTARTS), setting.choose(6, 200, 200)
            tasks.append(_Task(patterns, tuple(apart), shipped, epochs, restarts, setting.seed, len(tasks)))
    return tasks


def _known(store: Store, player: StoredPlayer, model: ActionModel) -> tuple[Patterns, NDArray[np.float64]]:
    """The patterns of a player and what the shipped model says of each decision whose hand it has not seen."""
    number = store.find_player(player.name, player.room)[0]
    history = in_order_of_time(joined(list(stored_history(store, player.name, player.room))))
    seen = np.isin(hand_digests(history), model.hands)
    own = history.hands["player"][history.actions["hand"], history.actions["position"]] == number
    shipped = np.full((len(own), len(ACTIONS)), np.nan)
    if not seen.all():
        shipped[~seen[history.actions["hand"]]] = forecast(model, as_ordered(history.part(~seen))).likely
    return patterns_of(history, number), shipped[own]


def _judge(task: _Task) -> Judged:
    """All predictors on one player's judged hands."""
    done: list[NDArray[np.int64]] = []
    likely: dict[str, list[NDArray[np.float64]]] = {name: [] for name in PREDICTORS}
    hindsight: dict[str, list[float]] = {EPOCH: [], EVERYTHING: []}
    for first in task.begins:
        ahead = task.patterns.between(first, first + AHEAD)
        usual = task.patterns.between(max(0, first - USUAL), first)
        bests = {}
        for size in SIZES:
            known = task.patterns.between(max(0, first - size), first)
            for restart in range(task.restarts):
                model = StaticModel(Settings(epochs=task.epochs), task.seed, task.number * RESTARTS + restart)
                bests[size, restart] = _best_epoch(model, known, ahead)
                if (size, restart) == (USUAL, 0):
                    likely[HONEST].append(model.predict(ahead).likely)
                    inputs, unseen = model.inputs(known), model.inputs(ahead)
                    likely[LIBRARY].append(library_answers(inputs, known.done, unseen, task.seed))
        hindsight[EPOCH].append(bests[USUAL, 0])
        hindsight[EVERYTHING].append(max(bests.values()))
        window = task.patterns.between(max(0, first - WINDOW), first + AHEAD)
        window = window._replace(round=window.round - window.round[0])
        walk = walk_forward(
            window,
            Settings(epochs=task.epochs),
            window=min(WINDOW, first),
            move=MOVE,
            seed=task.seed,
            number=task.number,
        )
        likely[WINDOWED].append(walk.likely)
        likely[TABLE].append(_table(usual, ahead))
        shares = np.bincount(usual.done, minlength=3) + 1.0
        likely[COMMONEST].append(np.tile(shares / shares.sum(), (len(ahead.done), 1)))
        between = slice(*np.searchsorted(task.patterns.round, [first, first + AHEAD]).tolist())
        likely[SHIPPED].append(task.shipped[between])
        done.append(ahead.done)
    return Judged(
        np.concatenate(done),
        {name: np.concatenate(each) for name, each in likely.items()},
        {name: float(np.mean(each)) for name, each in hindsight.items()},
    )


def _best_epoch(model: StaticModel, known: Patterns, ahead: Patterns) -> float:
    """Train as ever, and give the best share that any epoch had on the hands ahead."""
    if known.shown.any():
        model.hand.run(known.inputs[known.shown], known.potency[known.shown])
    inputs, unseen, wanted = model.inputs(known), model.inputs(ahead), known.actions
    best = 0.0
    for _ in range(model.action.settings.epochs):
        model.action.epoch(inputs, wanted)
        best = max(best, float((model.action.network.answer(unseen).argmax(axis=1) == ahead.done).mean()))
        if model.action.finished:
            break
    return best


def _table(known: Patterns, ahead: Patterns) -> NDArray[np.float64]:
    """The player's shares of actions by street and whether there is something to call, from his past hands."""

    def kind(patterns: Patterns) -> NDArray[np.int64]:
        street = patterns.inputs[:, [INPUTS.index(name) for name in ("flop", "turn", "river")]] @ np.arange(1, 4)
        faced = patterns.inputs[:, INPUTS.index("immediate pot ratio")] > 0
        return (2 * street + faced).astype(np.int64)

    counts = np.tile(np.bincount(known.done, minlength=3) / max(1, len(known.done)) * 2 + 0.1, (8, 1))
    np.add.at(counts, (kind(known), known.done), 1.0)
    shares: NDArray[np.float64] = counts / counts.sum(axis=1, keepdims=True)
    return shares[kind(ahead)]


def _rows(judged: Sequence[Judged]) -> list[Row]:
    def over(values: Sequence[float] | NDArray[np.float64]) -> Sampled:
        return Sampled(*mean_interval(values), PLAYERS)

    right = {
        name: np.array([float((each.likely[name].argmax(axis=1) == each.done).mean()) for each in judged])
        for name in PREDICTORS
    }
    hindsight = {name: np.array([each.hindsight[name] for each in judged]) for name in (EVERYTHING, EPOCH)}
    claims = [
        ordering(
            "the best network in hindsight is praised for more than it can do",
            "92.42 %, then 45 to 60 % online",
            over(hindsight[EVERYTHING] - right[HONEST]),
        ),
        ordering("a network predicts more than his most common action", "", over(right[HONEST] - right[COMMONEST])),
        ordering("a network predicts more than a table of his actions", "", over(right[HONEST] - right[TABLE])),
        ordering("the shipped model predicts more than a network", "", over(right[SHIPPED] - right[HONEST])),
    ]
    published: dict[str, float | str] = {
        EVERYTHING: PUBLISHED,
        EPOCH: PUBLISHED,
        HONEST: PUBLISHED,
        WINDOWED: "45 to 60 % online",
    }
    figures = [
        sampled_row(f"right: {name}", over(values), published.get(name))
        for name, values in {**hindsight, **right}.items()
    ]
    for name in PREDICTORS:
        losses = [
            float(-np.log(np.maximum(each.likely[name][np.arange(len(each.done)), each.done], LEAST)).mean())
            for each in judged
        ]
        likely, done = np.concatenate([each.likely[name] for each in judged]), np.concatenate([e.done for e in judged])
        error = calibrate(likely, done).error
        figures.append(sampled_row(f"log-loss: {name}", over(losses), note=f"calibration error {error:.3f}"))
    return [*claims, *figures]


def _verdict(rows: Sequence[Row]) -> str:
    told = {row.what: row.ours for row in rows}

    def share(name: str) -> str:
        return f"{100 * told[f'right: {name}']:.1f} %"

    return (
        f"A network that is fixed beforehand predicts {share(HONEST)} of the actions of the next {AHEAD} hands, the sliding "
        f"window {share(WINDOWED)}. Choosing the best epoch on those hands makes it {share(EPOCH)}, choosing size and first "
        f"weights too {share(EVERYTHING)}; the thesis says 92.42 %. His most common action is right in "
        f"{share(COMMONEST)}, a table of his actions in {share(TABLE)}, scikit-learn's network in {share(LIBRARY)}, and the "
        f"shipped action model in {share(SHIPPED)}." + orderings_summary(row for row in rows if row.published)
    )


def draw(numbers: Mapping[str, Any], path: Path) -> None:
    """A line for every reading."""
    with save_figure(path, (9, 4.4)) as figure:
        axes = figure.subplots()
        names = [name.removeprefix("right: ") for name in numbers]
        places = np.arange(len(names))[::-1]
        for place, name, found in zip(places, names, numbers.values(), strict=True):
            naive = name in (TABLE, COMMONEST)
            colour = VERMILLION if "chosen" in name else GREEN if name == SHIPPED else GREY if naive else BLUE
            mean, low, high = as_figure((found[0], (found[1], found[2])))
            axes.errorbar([mean], [place], xerr=[[mean - low], [high - mean]], fmt="o", color=colour)
        axes.axvline(PUBLISHED, **PUBLISHED_LINE, label="published offline")
        axes.axvspan(0.45, 0.6, color=GREY, alpha=0.15, linewidth=0, label="published online")
        axes.set_yticks(places, names)
        axes.set(
            xlabel=f"share of the actions of the next {AHEAD} hands predicted, ± 95 % over players", xlim=(0.4, 1.0)
        )
        draw_title(figure, "The next ten hands")
        draw_key(figure, axes)


STUDY = Study(
    "pom-accuracy",
    "How often the next action is predicted",
    "the POM thesis, section 4.2",
    measure,
    {_PICTURE: draw},
)
