"""Four seats at limit hold'em: recurrent networks with and without a belief, one of 30 inputs, and all 20 tables.

Figures 7.28, 7.29 and 7.31 of Baker 2010 are evolutions against three of a kind, with the spread between best and worst
table taken off; figure 7.32 plays the best network at every table of three styles. The source says that the belief is a
drastic improvement, that 30 inputs at once do about as well as recurrence, and that all 20 tables are won.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from nemesis.measure.charts import draw_generations, draw_groups, draw_key, draw_level, draw_title, panels
from nemesis.measure.picture import GREY, ORANGE, PURPLE, save_figure
from nemesis.respond.by_name import compiled_agent
from nemesis.rules.games import limit
from nemesis.studies.limit_players import HANDS, Chips, fresh_chips, limit_runs, run_figures, run_row, scale_words
from nemesis.studies.one_card_tables import TABLES, written
from nemesis.studies.ordering import ordering, orderings_summary
from nemesis.studies.sample import over_runs
from nemesis.studies.study import Report, Setting, Study
from nemesis.train.one_card_recipes import PURE

KINDS: Mapping[str, str] = {
    "four": "recurrent, no belief",
    "four-belief": "recurrent, round-based belief",
    "four-30": "30 inputs at once",
}
COLOURS = dict(zip(KINDS.values(), (GREY, PURPLE, ORANGE), strict=True))
MET = np.array([table in PURE for table in TABLES])

_CURVES, _TABLES = "limit-four-seats-curves.png", "limit-four-seats.png"


def measure(setting: Setting) -> Report:
    """Run the three recipes and play every table."""
    game = limit().seated(4)
    runs = {kind: limit_runs(f"limit-neat-{kind}", setting) for kind in KINDS}
    setting.progress("20 tables")
    tables = [[compiled_agent(style, game) for style in table] for table in TABLES]
    matches = setting.choose(2, 50, 400)
    chips: dict[str, Chips] = {
        kind: fresh_chips([run.champion for run in found], tables, game, setting, matches).mean(axis=2)
        for kind, found in runs.items()
    }
    rows = []
    for kind, words in KINDS.items():
        rows.append(run_row(f"{words}: 4 tables it was evolved at", chips[kind][:, MET].mean(axis=1)))
        rows.append(run_row(f"{words}: 16 tables never met", chips[kind][:, ~MET].mean(axis=1)))
    for column, table in enumerate(TABLES):
        rows.append(run_row(f"{KINDS['four-belief']} v {written(table)}", chips["four-belief"][:, column]))
    belief, alone, wide = (chips[kind] for kind in ("four-belief", "four", "four-30"))
    claims = [
        ordering("the belief takes more at the tables evolved at", "drastic improvement",
                 over_runs((belief - alone)[:, MET].mean(axis=1))),
        ordering("the belief takes more at tables never met", "vital", over_runs((belief - alone)[:, ~MET].mean(axis=1))),
        ordering("recurrence does not take less than 30 inputs", "comparable",
                 over_runs((belief - wide)[:, MET].mean(axis=1))),
        ordering("every one of the 20 tables is won", "all 20 won", over_runs(belief.min(axis=1))),
    ]  # fmt: skip
    won = int((belief.mean(axis=0) > 0).sum())
    told = ", ".join(f"{words} {chips[kind][:, MET].mean():,.0f}" for kind, words in KINDS.items())
    verdict = f"Chips in {HANDS} hands at the tables evolved at: {told}. With the belief {won} of 20 tables are won."
    drawn = {
        "tables": [written(table) for table in TABLES],
        "met": MET,
        "series": {KINDS[k]: run_figures(found) for k, found in chips.items()},
    }
    curves = [
        {"title": KINDS[kind],
         "metrics": {"generation": [line["generation"] for line in found[0].metrics]}
         | {key: np.mean([[line[key] for line in run.metrics] for run in found], axis=0) for key in ("best", "mean")}}
        for kind, found in runs.items()
    ]  # fmt: skip
    words = scale_words(setting) + verdict + orderings_summary(claims)
    return Report(words, [*claims, *rows], {_CURVES: curves, _TABLES: drawn}, f"chips in {HANDS} hands")


def draw_curves(numbers: Any, path: Path) -> None:
    """A panel for every recipe."""
    with save_figure(path, (10, 3.8)) as figure:
        every = panels(figure, len(numbers), 3, sharey=True)
        for axes, drawn in zip(every, numbers, strict=True):
            draw_generations(axes, drawn["metrics"])
            axes.set_title(drawn["title"])
        every[0].set_ylabel(f"mean chips in {HANDS} hands,\nless half the spread")
        draw_title(figure, "Four seats at limit hold'em: fitness of the generations, mean of all runs")
        draw_key(figure, every[0])


def draw_tables(numbers: Mapping[str, Any], path: Path) -> None:
    """Dots for every table; the tables evolved at are in bold."""
    with save_figure(path, (10, 4.8)) as figure:
        axes = figure.add_subplot()
        draw_groups(axes, [table.replace(" ", "\n") for table in numbers["tables"]], numbers["series"], COLOURS)
        draw_level(axes, 0, "even")
        for tick, met in zip(axes.get_xticklabels(), numbers["met"], strict=True):
            tick.set_fontweight("bold" if met else "normal")
        axes.set_ylabel(f"chips in {HANDS} hands, ± 95 % over runs")
        axes.set_xlabel("the three opponents; bold: tables the networks were evolved at")
        draw_title(figure, "Four seats: what the networks win at each table of three opponents")
        draw_key(figure, axes)


STUDY = Study(
    "limit-four-seats",
    "Four seats at limit hold'em: networks with and without a belief",
    "Baker 2010, section 7.9, figures 7.28–7.32",
    measure,
    {_CURVES: draw_curves, _TABLES: draw_tables},
)
