"""Four seats: does a belief help at tables never met before? (000, section 5.3; document 001)

Both networks are evolved against the four tables of one style and then sit down at all 20 tables of three styles, on common
deals. The source's fitness adds hands won / hands played to the tournament share; ours is the share alone, which is what
is reported. A fair share is a quarter; there is no exact ceiling for more than two seats.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.interval import mean_interval
from nemesis.measure.picture import save_figure
from nemesis.respond.styles import STYLES
from nemesis.studies.evolved import caveat, evolve_champion, fresh_shares, game_of, judged, opponent, share_of
from nemesis.studies.recipes import PURE, RECIPES
from nemesis.studies.study import Report, Row, Setting, Study

TABLES = tuple(combinations_with_replacement(STYLES, 3))
PUBLISHED = {"neat-four": 0.54, "neat-four-belief": 0.97}
_PICTURE = "four-seats.png"


def measure(setting: Setting) -> Report:
    """Evolve both, play the 20 tables."""
    game = game_of(RECIPES["neat-four"])
    champions = [evolve_champion(RECIPES[name], setting).champion for name in PUBLISHED]
    tables = [[opponent(style, game) for style in table] for table in TABLES]
    tournaments = setting.choose(40, 4_000, 20_000)
    batches = fresh_shares(game, champions, tables, setting, tournaments)
    pure = np.array([table in PURE for table in TABLES])
    rows = []
    for index, (name, published) in enumerate(PUBLISHED.items()):
        share, interval = share_of(batches[:, index][:, pure].mean(axis=1), tournaments * 4)
        note = judged(interval, published)
        rows.append(Row(f"{name}, 4 tables it was evolved at", share, interval, published, note=note))
        met = share_of(batches[:, index][:, ~pure].mean(axis=1), tournaments * 16)
        rows.append(Row(f"{name}, 16 tables never met", *met))
    gains = batches[:, 1] - batches[:, 0]
    for what, chosen in (("evolved at", pure), ("never met", ~pure)):
        rows.append(Row(f"belief − no belief, tables {what}", *mean_interval(gains[:, chosen].mean(axis=1))))
    for column, table in enumerate(TABLES):
        gain = mean_interval(gains[:, column])
        rows.append(Row(f"belief − no belief v {' '.join(table).upper()}", *gain))
    _draw(batches, setting.folder / _PICTURE)
    return Report(caveat(setting) + _verdict(rows), rows, [_PICTURE], "share of tournaments")


def _verdict(rows: list[Row]) -> str:
    evolved, never = rows[4], rows[5]
    helped = sum(row.ci95 is not None and row.ci95[0] > 0 for row in rows[6:])
    harmed = sum(row.ci95 is not None and row.ci95[1] < 0 for row in rows[6:])
    ours = ", ".join(f"{row.what.partition(',')[0]} {row.ours:.2f} ({row.note})" for row in (rows[0], rows[2]))
    sign = "better" if never.ci95 and never.ci95[0] > 0 else "worse" if never.ci95 and never.ci95[1] < 0 else "neither"
    return (
        f"At the tables evolved at: {ours}. With the belief the share changes by {evolved.ours:+.3f} there and by "
        f"{never.ours:+.3f} at tables never met ({sign if sign != 'neither' else 'no difference we can see'}); of the 20 "
        f"tables {helped} are clearly better and {harmed} clearly worse."
    )


def _draw(batches: NDArray[np.float64], path: Path) -> None:
    places = np.arange(len(TABLES))
    with save_figure(path, (11, 4.5)) as figure:
        axes = figure.add_subplot()
        for index, (label, colour) in enumerate((("no belief", "tab:orange"), ("belief", "tab:blue"))):
            shares = [mean_interval(batches[:, index, column]) for column in places]
            margins = [interval[1] - mean for mean, interval in shares]
            heights = [mean for mean, _ in shares]
            axes.bar(places + 0.4 * index - 0.2, heights, 0.4, yerr=margins, label=label, color=colour, capsize=2)
        axes.axhline(0.25, color="black", linewidth=0.8, label="fair share")
        axes.set_xticks(places, [" ".join(table).upper() for table in TABLES], rotation=60, fontsize=8)
        axes.set(ylabel="share of tournaments", ylim=(0, 1), title="Four seats, evolved at the tables of one style")
        axes.legend()


STUDY = Study(
    "four-seats",
    "Four seats: networks with and without a belief at tables met and never met",
    "000, section 5.3, and 001",
    measure,
)
