"""A hypercube that starts at random and learns at the mixed table (the hypercube paper, experiment 1, figure 1).

The source's player loses most of its stack at first, is ahead for the first time in epoch 71 and levels off after about 200.
Beside ours stand three that show what holds it back: one as the source's words can be read most plainly, one that is
random only before the flop, and one that is random only after it; those two have the cells of A elsewhere.

Two more learn from random among players who over-value their hands, as the source says of its loose ones. The thresholds of
our styles are on the probability of beating everybody still in, so at ten seats LA folds 97 % of what it is dealt in early
position. The source's A takes 5,294 chips an epoch from nine of its LA: those must have played nearly everything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.charts import as_figure, draw_key, draw_level, draw_title, draw_trace
from nemesis.measure.interval import mean_interval
from nemesis.measure.picture import BLUE, GREEN, GREY, INK, ORANGE, PURPLE, VERMILLION, save_figure
from nemesis.respond.hypercube import Genes
from nemesis.respond.hypercube_starts import random_genes
from nemesis.respond.styles import STYLES
from nemesis.rules.games import ring
from nemesis.runtime.streams import Stream, derived_seed
from nemesis.studies.hypercube_runs import TABLES, Run, Seat, play_runs, start_a
from nemesis.studies.ordering import ordering, orderings_summary
from nemesis.studies.sample import over_runs, sampled_row
from nemesis.studies.study import Report, Row, Setting, Study

_PICTURE = "hypercube-curve.png"
PUBLISHED_PROFIT = 71
RANDOM, PUBLISHED, RANDOM_EARLY, RANDOM_LATE, FROM_A = (
    "random",
    "random, learning as published",
    "random before the flop, A after it",
    "A before the flop, random after it",
    "A",
)
_COLOURS = {RANDOM: BLUE, PUBLISHED: GREY, RANDOM_EARLY: GREEN, RANDOM_LATE: ORANGE, FROM_A: PURPLE}
OVERVALUING: Mapping[str, Sequence[str]] = {
    "random, among 6 LA and 3 TP who reckon with one rival": ("la+rivals=1",) * 6 + ("tp+rivals=1",) * 3,
    "random, among 9 LA who reckon with one rival": ("la+rivals=1",) * 9,
}
_ELSEWHERE = dict(zip((RANDOM, *OVERVALUING), (BLUE, VERMILLION, INK), strict=True))


def measure(setting: Setting) -> Report:
    """Every start in several runs on the same deals."""
    runs, epochs = setting.evolutions, setting.choose(10, 200, 1000)
    played: dict[str, list[Run]] = {}
    for name in (*_COLOURS, *OVERVALUING):
        setting.progress(name)
        seats = [_seat(name, derived_seed(setting.seed, Stream.HYPERCUBE, run)) for run in range(runs)]
        played[name] = play_runs(setting, seats, OVERVALUING.get(name, TABLES["mixed"]), epochs, stage=0)
    curves = {name: np.array([run.chips[:, 0] for run in found], float) for name, found in played.items()}
    width = max(1, epochs // 20)
    claims = _claims(curves[RANDOM], played[RANDOM])
    ours = [ordering(f"start {name}: it is ahead at the end", "", over_runs(_fifths(curves[name])[:, -1]))
            for name in OVERVALUING]  # fmt: skip
    rows = [*claims, *ours, *(row for name, chips in curves.items() for row in _rows(name, chips, width))]
    words = _verdict(curves, width) + orderings_summary(claims)
    return Report(words, rows, {_PICTURE: _numbers(curves, width)}, "chips an epoch of 100 hands")


def _seat(name: str, seed: int) -> Seat:
    genes = random_genes(len(STYLES), seed)
    later: Genes = start_a()
    if name == FROM_A:
        return Seat(later)
    if name == RANDOM_EARLY:
        later[:, :, :, :1] = genes[:, :, :, :1]
        return Seat(later)
    if name == RANDOM_LATE:
        genes[:, :, :, :1] = later[:, :, :, :1]
    return Seat(genes, published=name == PUBLISHED)


def smoothed(chips: NDArray[np.float64], width: int) -> NDArray[np.float64]:
    """Means of `width` epochs in a row, one after another: (runs, stretches)."""
    kept = chips[:, : chips.shape[1] // width * width]
    means: NDArray[np.float64] = kept.reshape(len(chips), -1, width).mean(axis=2)
    return means


def first_profit(chips: NDArray[np.float64], width: int) -> int | None:
    """The epoch at which the mean over runs has been ahead for `width` epochs for the first time; None if never."""
    ahead = np.flatnonzero(np.convolve(chips.mean(axis=0), np.ones(width) / width, "valid") > 0)
    return int(ahead[0]) + width if ahead.size else None


def first_gain(chips: NDArray[np.float64]) -> NDArray[np.int64]:
    """By run the first epoch with a profit, counted from 1; the number of epochs if there is none."""
    ahead = chips > 0
    found: NDArray[np.int64] = np.where(ahead.any(axis=1), ahead.argmax(axis=1) + 1, chips.shape[1])
    return found


def _fifths(chips: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean of every fifth of the epochs, by run."""
    return smoothed(chips, chips.shape[1] // 5)


def _rows(name: str, chips: NDArray[np.float64], width: int) -> list[Row]:
    when = first_profit(chips, width)
    note = (
        f"ahead for {width} epochs in a row from epoch {when}" if when else f"never ahead for {width} epochs in a row"
    )
    note += f"; first epoch with a profit {np.median(first_gain(chips)):.0f} (median of the runs)"
    first, last = (over_runs(_fifths(chips)[:, fifth]) for fifth in (0, -1))
    return [
        sampled_row(f"start {name}: first fifth of the epochs", first),
        sampled_row(f"start {name}: last fifth", last, note=note),
    ]


def _claims(chips: NDArray[np.float64], runs: Sequence[Run]) -> list[Row]:
    fifths, losing = _fifths(chips), _fifths((chips < 0).astype(float))
    said = (
        ("from random, the return rises", "upward trend", fifths[:, -1] - fifths[:, 0]),
        ("from random, it is ahead at the end", f"from epoch {PUBLISHED_PROFIT}", fifths[:, -1]),
        ("from random, fewer epochs are lost", "decreases over time", losing[:, 0] - losing[:, -1]),
        ("the loose-aggressive players' return falls", "falls", _others(runs, "la")),
        ("the tight-passive players' return falls", "falls", _others(runs, "tp")),
    )
    return [ordering(claim, published, over_runs(by_run), place="figure 1") for claim, published, by_run in said]


def _others(runs: Sequence[Run], style: str) -> NDArray[np.float64]:
    """By run, what each player of a style loses from the first fifth of the epochs to the last."""
    seats = [1 + i for i, name in enumerate(TABLES["mixed"]) if name == style]
    fifths = _fifths(np.array([run.chips[:, seats].mean(axis=1) for run in runs]))
    lost: NDArray[np.float64] = fifths[:, 0] - fifths[:, -1]
    return lost


def _verdict(curves: Mapping[str, NDArray[np.float64]], width: int) -> str:
    ends = {name: _fifths(chips)[:, -1].mean() for name, chips in curves.items()}
    when = first_profit(curves[RANDOM], width)
    start = _fifths(curves[RANDOM])[:, 0].mean()
    blinds = sum(ring().blinds) * 100 / ring().seats
    found = f"is ahead for {width} epochs in a row from epoch {when}" if when else "is not ahead by the end"
    first = np.median(first_gain(curves[RANDOM]))
    elsewhere = "; ".join(f"{_table_words(name)} {_ahead(chips, width)}, at the end {ends[name]:+,.0f}"
                          for name, chips in curves.items() if name in OVERVALUING)  # fmt: skip
    return (
        f"From random candidates the return goes from {start:+,.0f} to {ends[RANDOM]:+,.0f} chips an epoch, and the player "
        f"{found}; whoever always folds pays {blinds:,.0f}. The published epoch {PUBLISHED_PROFIT} is the first with a "
        f"profit; of our single epochs that is epoch {first:.0f} (median of the runs), by luck of the cards. What holds it "
        f"back is the play after the flop: random only before the flop it ends at {ends[RANDOM_EARLY]:+,.0f}, random only "
        f"after it at {ends[RANDOM_LATE]:+,.0f}. A generation takes 500 hands in which the cell was used. Cells before the "
        f"flop get them in a few epochs, find that playing on loses money while later cells play at random, and learn to "
        f"fold; later cells are then hardly ever reached. From A it ends at {ends[FROM_A]:+,.0f}; learning as published, "
        f"from random, at {ends[PUBLISHED]:+,.0f}. How soon it is ahead depends on how loose the others are: {elsewhere}."
    )


def _table_words(name: str) -> str:
    return name.removeprefix("random, ")


def _ahead(chips: NDArray[np.float64], width: int) -> str:
    when = first_profit(chips, width)
    return f"it is ahead from epoch {when}" if when else "it is not ahead"


def _numbers(curves: Mapping[str, NDArray[np.float64]], width: int) -> dict[str, Any]:
    means = {name: smoothed(chips, width) for name, chips in curves.items()}
    return {
        "width": width,
        "curves": {
            name: [as_figure(mean_interval(1000 + column)) for column in chips.T] for name, chips in means.items()
        },
    }


def draw(numbers: Mapping[str, Any], path: Path) -> None:
    """The stack at the end of an epoch, epoch by epoch, in the band of its interval over runs."""
    width = numbers["width"]
    with save_figure(path, (10, 6.4)) as figure:
        every = figure.subplots(1, 2, sharey=True)
        for axes, colours, title in zip(
            every, (_COLOURS, _ELSEWHERE), ("6 LA and 3 TP: other starts", "other tables"), strict=True
        ):
            for name, colour in colours.items():
                curve = numbers["curves"][name]
                draw_trace(axes, width * (np.arange(len(curve)) + 0.5), curve, colour, f"start {name}")
            draw_level(axes, 1000, "the stack it starts with")
            axes.axvline(PUBLISHED_PROFIT, color=INK, linestyle=":", linewidth=1.2, label="published first profit")
            axes.set(xlabel=f"epoch of 100 hands (means of {width})", xlim=(0, None), title=title)
        every[0].set_ylabel("stack at the end of an epoch, chips")
        draw_title(figure, "A hypercube learns at a table of ten (bands: 95 % over runs)")
        draw_key(figure, *every, columns=2)


STUDY = Study(
    "hypercube-curve",
    "A hypercube learns from nothing at a table of ten",
    "the hypercube paper, experiment 1, figure 1",
    measure,
    {_PICTURE: draw},
    full_cost="one minute",
)
