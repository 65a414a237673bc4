"""Four seats: does a belief help at tables never met before? (Baker 2010, section 5.3; Baker et al. 2008)

Both networks are evolved against the four tables of one style and then sit down at all 20 tables of three styles, those of
one run on common deals. Fitness is equation 4, with hands won / hands played added to the share of tournaments; what is
reported is the share alone, as in the source. A fair share is a quarter; there is no exact ceiling for more than two seats.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.charts import as_figure, draw_groups, draw_key, draw_level, draw_title
from nemesis.measure.picture import BELIEF_COLOURS, ORANGE, SKY, save_figure
from nemesis.respond.by_name import compiled_agent
from nemesis.studies.curve_picture import curve_numbers, curve_panel, draw_curves
from nemesis.studies.evolved import Evolved, caveat, evolve_runs, game_of, judged, run_shares, unrun
from nemesis.studies.network_picture import draw_networks, hidden_nodes, loops, network_numbers
from nemesis.studies.one_card_tables import TABLES, mostly_tight, written
from nemesis.studies.ordering import ordering, orderings_summary
from nemesis.studies.sample import over_runs, sampled_row, shares_over_runs
from nemesis.studies.study import Report, Row, Setting, Study
from nemesis.train.one_card_recipes import PURE
from nemesis.train.recipes import RECIPES

PUBLISHED = {"neat-four": 0.54, "neat-four-belief": 0.97}
PUBLISHED_MEANS = {"neat-four": 0.38, "neat-four-belief": 0.70}
"""The mean of a population; with the belief the source says "over 70 %"."""
PLACES = {"neat-four": "fig. 5.20", "neat-four-belief": "fig. 5.21"}
FAIR = 0.25
MET = np.array([table in PURE for table in TABLES])
TIGHT = np.array([mostly_tight(table) for table in TABLES])

_CURVES, _TABLES, _NETWORK = "four-seats-curves.png", "four-seats.png", "four-seats-network.png"

TABLE_COLOURS = {**BELIEF_COLOURS, "whole": BELIEF_COLOURS["belief"], "no last action": ORANGE, "no recurrence": SKY}
"""Players at the 20 tables, here and in `ablations`."""

Shares = NDArray[np.float64]
"""By run, batch and table."""


def measure(setting: Setting) -> Report:
    """Evolve both several times, play the 20 tables."""
    runs = finished_runs(list(PUBLISHED), setting)
    shares = {name: play_tables(of, setting) for name, of in runs.items()}
    rows = [row for name, of in runs.items() for row in _rows(name, of, shares[name])]
    claims: list[Row] = []
    tables = {label: shares[name] for label, name in zip(BELIEF_COLOURS, PUBLISHED, strict=True) if name in shares}
    if len(shares) == len(PUBLISHED):
        none, belief = paired(*shares.values())
        claims = _claims(none, belief)
        gains = belief - none
        for column, table in enumerate(TABLES):
            rows.append(sampled_row(f"belief − no belief v {written(table)}", over_runs(gains[:, :, column])))
    pictures = {
        _CURVES: _curves(runs, shares),
        _TABLES: table_numbers(
            "Four seats: what the networks win with and without a belief at each table of three opponents", tables
        ),
        _NETWORK: network_numbers([list(runs.values())[-1][0]]),
    }
    words = (
        caveat(setting, [len(of) for of in runs.values()])
        + _verdict(rows, runs)
        + unrun(list(PUBLISHED), setting)
        + orderings_summary(claims)
    )
    return Report(words, [*claims, *rows], pictures, "share of tournaments")


def finished_runs(names: Sequence[str], setting: Setting) -> dict[str, list[Evolved]]:
    """The runs of each recipe; recipes of which only finished runs are wanted and none is are left out."""
    runs = {name: evolve_runs(RECIPES[name], setting) for name in names}
    found = {name: of for name, of in runs.items() if of}
    if not found:
        raise ValueError(f"no run of {' or '.join(names)} is finished at {setting.scale} scale in {setting.run_folder}")
    return found


def play_tables(runs: Sequence[Evolved], setting: Setting) -> Shares:
    """The champion of every run at every table of three styles; those of the same number on the same deals."""
    game = game_of(runs[0].recipe)
    setting.progress(f"{runs[0].recipe.name} at 20 tables")
    tables = [[compiled_agent(style, game) for style in table] for table in TABLES]
    return run_shares(runs, tables, setting, setting.choose(20, 1_000, 5_000))


def paired(*shares: Shares) -> list[Shares]:
    """The same number of runs of each."""
    runs = min(map(len, shares))
    return [each[:runs] for each in shares]


def _rows(name: str, runs: Sequence[Evolved], shares: Shares) -> list[Row]:
    """The best and the mean of a population, and what the champions win at the tables evolved at and at others."""
    best, mean = (np.array([[line[key] for line in run.metrics] for run in runs]) for key in ("best", "mean"))
    highest = int(best.mean(axis=0).argmax())
    last = max(1, best.shape[1] // 10)
    met = shares_over_runs(shares[:, :, MET].mean(axis=2))
    rows = []
    for what, figure, published in (
        ("highest best of a population", shares_over_runs(best[:, highest : highest + 1]), PUBLISHED[name]),
        ("mean of the population in the last tenth", shares_over_runs(mean[:, -last:]), PUBLISHED_MEANS[name]),
    ):
        known = np.isfinite(figure.ci95).all()
        note = judged(figure.ci95, published, sample=figure.sample) if known else ""
        rows.append(sampled_row(f"{name}: {what}", figure, published, note, PLACES[name]))
    rows += [
        sampled_row(f"{name}: champions at the 4 tables evolved at", met, None, "fresh deals, fair share .25"),
        sampled_row(f"{name}: champions at the 16 tables never met", shares_over_runs(shares[:, :, ~MET].mean(axis=2))),
        sampled_row(f"{name}: hidden nodes of the champions", over_runs([[hidden_nodes(run)] for run in runs])),
        sampled_row(f"{name}: recurrent connections of the champions", over_runs([[loops(run)] for run in runs])),
    ]
    return rows


def _claims(none: Shares, belief: Shares) -> list[Row]:
    """What section 5.3 says; shares of the networks without a belief and with it, by run, batch and table."""
    gains = belief - none
    lowest = belief[:, :, ~MET].mean(axis=1).min(axis=1)[:, None] if len(belief) > 1 else _lowest(belief[0])[None]
    return [
        ordering("the belief network wins more at the tables of one style", ".97 > .54",
                 over_runs(gains[:, :, MET].mean(axis=2)), place="fig. 5.21"),
        ordering("it wins more at the 16 tables it never met", "excellent",
                 over_runs(gains[:, :, ~MET].mean(axis=2)), place="fig. 5.23"),
        ordering("it wins more than a fair share at every table it never met", "> .25",
                 over_runs(lowest - FAIR), "its lowest table", place="fig. 5.23"),
        ordering("it wins more at mostly tight tables than at mostly loose ones", "slightly lower at loose tables",
                 over_runs(belief[:, :, TIGHT].mean(axis=2) - belief[:, :, ~TIGHT].mean(axis=2)), place="fig. 5.23"),
        ordering("even without a belief a network wins more than a fair share", ".54 > .25",
                 over_runs(none[:, :, MET].mean(axis=2) - FAIR), place="fig. 5.20"),
    ]  # fmt: skip


def _lowest(belief: Shares) -> NDArray[np.float64]:
    """By batch, what one network wins at the table it never met where it wins least."""
    never = belief[:, ~MET]
    return never[:, never.mean(axis=0).argmin()]


def _verdict(rows: Sequence[Row], runs: Mapping[str, Sequence[Evolved]]) -> str:
    met = [row for row in rows if row.what.endswith("evolved at")]
    ours = ", ".join(f"{row.what.partition(':')[0]} {row.ours:.3f}" for row in met)
    gains = [row for row in rows if row.what.startswith("belief − no belief v") and row.ci95]
    helped = sum(row.ci95[0] > 0 for row in gains if row.ci95)
    harmed = sum(row.ci95[1] < 0 for row in gains if row.ci95)
    by_table = (
        f" Of the 20 tables {helped} are clearly better with the belief and {harmed} clearly worse." if gains else ""
    )
    rising = [name for name, of in runs.items() if any(run.rising for run in of)]
    unfinished = f" Still rising when a run ended: {', '.join(rising)}." if rising else ""
    return f"At the tables evolved at the champions win, on fresh deals, {ours}.{by_table}{unfinished}"


def table_numbers(title: str, shares: Mapping[str, Shares]) -> dict[str, Any]:
    """The numbers of a picture of all tables: what every player wins at each."""
    series = {
        label: [as_figure(shares_over_runs(by_run[:, :, column])[:2]) for column in range(len(TABLES))]
        for label, by_run in shares.items()
    }
    return {"title": title, "tables": [written(table) for table in TABLES], "met": MET, "series": series}


def draw_tables(numbers: Mapping[str, Any], path: Path) -> None:
    """Dots with intervals for every table, side by side for every player; the tables evolved at are in bold."""
    with save_figure(path, (10, 4.8)) as figure:
        axes = figure.add_subplot()
        draw_groups(axes, [table.replace(" ", "\n") for table in numbers["tables"]], numbers["series"], TABLE_COLOURS)
        draw_level(axes, FAIR, "fair share")
        for tick, met in zip(axes.get_xticklabels(), numbers["met"], strict=True):
            tick.set_fontweight("bold" if met else "normal")
        axes.set(ylabel="share of tournaments won, ± 95 %", ylim=(-0.02, 1.02))
        axes.set_xlabel("the three opponents; bold: tables the network was evolved at")
        draw_title(figure, numbers["title"])
        draw_key(figure, axes)


def _curves(runs: Mapping[str, Sequence[Evolved]], shares: Mapping[str, Shares]) -> dict[str, Any]:
    """What is drawn: both evolutions, and what their champions win at the tables evolved at."""
    drawn = []
    for name, of in runs.items():
        champion = as_figure(shares_over_runs(shares[name][:, :, MET].mean(axis=2))[:2])
        with_belief = "with a belief" if name.endswith("belief") else "without a belief"
        drawn.append(curve_panel(f"{with_belief} ({name}), {len(of)} run{'s' * (len(of) > 1)}", of, champion,
                                 published=PUBLISHED[name]))  # fmt: skip
    return curve_numbers("Four seats: share of tournaments won by each generation", drawn, FAIR)


STUDY = Study(
    "four-seats",
    "Four seats: networks with and without a belief at tables met and never met",
    "Baker 2010, section 5.3, figures 5.20–5.23; Baker et al. 2008, figures 10–12",
    measure,
    {_CURVES: draw_curves, _TABLES: draw_tables, _NETWORK: draw_networks},
    "about 2 CPU hours: 600 to 700 CPU seconds a run",
)
