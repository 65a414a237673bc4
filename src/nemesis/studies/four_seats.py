"""Four seats: does a belief help at tables never met before? (Baker 2010, section 5.3; Baker et al. 2008)

Both networks are evolved against the four tables of one style and then sit down at all 20 tables of three styles, on common
deals. The source's fitness adds hands won / hands played to the tournament share; ours is the share alone, which is what
is reported. A fair share is a quarter; there is no exact ceiling for more than two seats. Where the house ships
champions of both recipes, they are measured beside the two evolved here.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.charts import as_figure, draw_groups, draw_key, draw_level, draw_title
from nemesis.measure.interval import mean_interval
from nemesis.measure.picture import BELIEF_COLOURS, ORANGE, SKY, save_figure
from nemesis.respond.agent import CompiledAgent
from nemesis.respond.by_name import compiled_agent
from nemesis.respond.champion import champion_agent, shipped_champions
from nemesis.rules.game import Game
from nemesis.studies.curve_picture import curve_numbers, curve_panel, draw_curves
from nemesis.studies.evolved import (
    Evolved,
    caveat,
    evolve_champion,
    fresh_shares,
    game_of,
    judged,
    share_of,
)
from nemesis.studies.network_picture import draw_networks, network_numbers
from nemesis.studies.one_card_tables import TABLES, mostly_tight, written
from nemesis.studies.ordering import ordering, orderings_summary
from nemesis.studies.study import Report, Row, Setting, Study
from nemesis.train.one_card_recipes import PURE
from nemesis.train.recipes import RECIPES

PUBLISHED = {"neat-four": 0.54, "neat-four-belief": 0.97}
FAIR = 0.25
MET = np.array([table in PURE for table in TABLES])
TIGHT = np.array([mostly_tight(table) for table in TABLES])

_CURVES, _TABLES, _NETWORK = "four-seats-curves.png", "four-seats.png", "four-seats-network.png"

TABLE_COLOURS = {**BELIEF_COLOURS, "whole": BELIEF_COLOURS["belief"], "no last action": ORANGE, "no recurrence": SKY}
"""Players at the 20 tables, here and in `ablations`."""

Batches = NDArray[np.float64]
"""By batch, player and table."""


def measure(setting: Setting) -> Report:
    """Evolve both, play the 20 tables."""
    game = game_of(RECIPES["neat-four"])
    runs = {name: evolve_champion(RECIPES[name], setting) for name in PUBLISHED}
    players = {name: run.champion for name, run in runs.items()} | _shipped(game)
    tournaments = setting.choose(40, 2_000, 20_000)
    setting.progress("20 tables")
    batches = play_tables(list(players.values()), game, setting, tournaments)
    rows = [row for i, name in enumerate(players) for row in _rows(name, batches[:, i], tournaments)]
    claims = _claims(batches[:, :2], "" if len(players) == 2 else ", evolved here")
    if len(players) > 2:
        claims += _claims(batches[:, 2:], ", shipped")
    gains = batches[:, 1] - batches[:, 0]
    for column, table in enumerate(TABLES):
        rows.append(Row(f"belief − no belief v {written(table)}", *mean_interval(gains[:, column])))
    pictures = {
        _CURVES: _curves(runs, batches, tournaments),
        _TABLES: table_numbers(
            "Four seats: what the networks win with and without a belief at each table of three opponents",
            {"no belief": batches[:, 0], "belief": batches[:, 1]},
        ),
        _NETWORK: network_numbers([runs["neat-four-belief"]]),
    }
    words = caveat(setting) + _verdict(rows, gains, runs) + orderings_summary(claims)
    return Report(words, [*claims, *rows], pictures, "share of tournaments")


def play_tables(players: list[CompiledAgent], game: Game, setting: Setting, tournaments: int) -> Batches:
    """Every player at every table of three styles, on common deals."""
    tables = [[compiled_agent(style, game) for style in table] for table in TABLES]
    return fresh_shares(game, players, tables, setting, tournaments)


def _shipped(game: Game) -> dict[str, CompiledAgent]:
    """The champions of both recipes that come with the house, if both do."""
    shipped = shipped_champions()
    if not all(name in shipped for name in PUBLISHED):
        return {}
    return {f"{name}, shipped": champion_agent(shipped[name], game) for name in PUBLISHED}


def _rows(name: str, batches: Batches, tournaments: int) -> list[Row]:
    """What one network wins at the tables it was evolved at and at those it never met."""
    published = PUBLISHED[name.removesuffix(", shipped")]
    share, interval = share_of(batches[:, MET].mean(axis=1), tournaments * 4)
    note = judged(interval, published)
    never = share_of(batches[:, ~MET].mean(axis=1), tournaments * 16)
    return [
        Row(f"{name}: 4 tables it was evolved at", share, interval, published, note=note),
        Row(f"{name}: 16 tables never met", *never),
    ]


def _claims(batches: Batches, whose: str) -> list[Row]:
    """What section 5.3 says; `batches` are of the network without a belief and of the one with."""
    none, belief = batches[:, 0], batches[:, 1]
    lowest = belief[:, ~MET][:, belief[:, ~MET].mean(axis=0).argmin()]
    return [
        ordering(f"the belief network wins more at the tables of one style{whose}", ".97 > .54",
                 mean_interval((belief - none)[:, MET].mean(axis=1))),
        ordering(f"it wins more at the 16 tables it never met{whose}", "excellent",
                 mean_interval((belief - none)[:, ~MET].mean(axis=1))),
        ordering(f"it wins more than a fair share at every table it never met{whose}", "> .25",
                 mean_interval(lowest - FAIR)),
        ordering(f"it wins more at mostly tight tables than at mostly loose ones{whose}", "slightly lower at loose tables",
                 mean_interval(belief[:, TIGHT].mean(axis=1) - belief[:, ~TIGHT].mean(axis=1))),
        ordering(f"even without a belief a network wins more than a fair share{whose}", ".54 > .25",
                 mean_interval(none[:, MET].mean(axis=1) - FAIR)),
    ]  # fmt: skip


def _verdict(rows: list[Row], gains: NDArray[np.float64], runs: Mapping[str, Evolved]) -> str:
    met, never = mean_interval(gains[:, MET].mean(axis=1)), mean_interval(gains[:, ~MET].mean(axis=1))
    by_table = [mean_interval(gains[:, column])[1] for column in range(len(TABLES))]
    helped, harmed = sum(low > 0 for low, _ in by_table), sum(high < 0 for _, high in by_table)
    ours = ", ".join(f"{row.what.partition(':')[0]} {row.ours:.2f} ({row.note})" for row in (rows[0], rows[2]))
    rising = [name for name, run in runs.items() if run.rising]
    unfinished = f" Still rising when the run ended: {', '.join(rising)}." if rising else ""
    return (
        f"At the tables evolved at: {ours}. With the belief the share changes by {met[0]:+.3f} there and by "
        f"{never[0]:+.3f} at tables never met; of the 20 tables {helped} are clearly better and {harmed} clearly worse."
        f"{unfinished}"
    )


def table_numbers(title: str, shares: Mapping[str, Batches]) -> dict[str, Any]:
    """The numbers of a picture of all tables: what every player wins at each."""
    series = {
        label: [as_figure(mean_interval(batches[:, column])) for column in range(len(TABLES))]
        for label, batches in shares.items()
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


def _curves(runs: Mapping[str, Evolved], batches: Batches, tournaments: int) -> dict[str, Any]:
    """What is drawn: both evolutions, and what their champions win at the tables evolved at."""
    drawn = []
    for index, (name, run) in enumerate(runs.items()):
        champion = as_figure(share_of(batches[:, index][:, MET].mean(axis=1), tournaments * int(MET.sum())))
        with_belief = "with a belief" if name.endswith("belief") else "without a belief"
        drawn.append(curve_panel(f"{with_belief} ({name})", run, champion, published=PUBLISHED[name]))
    return curve_numbers("Four seats: share of tournaments won by each generation", drawn, FAIR)


STUDY = Study(
    "four-seats",
    "Four seats: networks with and without a belief at tables met and never met",
    "Baker 2010, section 5.3, figures 5.20–5.23; Baker et al. 2008, figures 10–12",
    measure,
    {_CURVES: draw_curves, _TABLES: draw_tables, _NETWORK: draw_networks},
)
