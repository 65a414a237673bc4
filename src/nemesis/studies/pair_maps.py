"""All 66 pairs against all 20 tables of three opponents: figs 4.4–4.7 and appendix A of Baker 2010.

The source's maps survive only as pictures, but it says what it sees in them, and that can be checked on ours: a map with
one tight-passive player resembles that of three (fig. 4.6), one with a loose-passive player changes little (fig. 4.7),
and against three tight-passive players it is best to stay in every hand (fig. 4.5). For these four tables the search is
repeated in batches on deals of their own, so that what is read from a map has an interval.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.interval import jackknife_interval, mean_interval
from nemesis.rules.games import one_card
from nemesis.runtime.streams import Stream, derived_seed
from nemesis.solve.pair_search import PAIRS, PairMap, search_pairs
from nemesis.studies.heat_map import draw_maps, map_numbers
from nemesis.studies.one_card_tables import TABLES, Table, seated, written
from nemesis.studies.ordering import ordering, orderings_summary
from nemesis.studies.study import Report, Row, Setting, Study

BATCHES = 10
_PICTURE = "pair-maps.png"
FIGURES: Mapping[Table, str] = {
    ("la", "la", "la"): "fig. 4.4",
    ("tp", "tp", "tp"): "fig. 4.5",
    ("la", "la", "tp"): "fig. 4.6",
    ("la", "la", "lp"): "fig. 4.7",
}


def measure(setting: Setting) -> Report:
    """Search every table; the best pair's share is from fresh deals."""
    tournaments = setting.choose(20, 300, 10_000)
    maps: dict[Table, PairMap] = {}
    for table in TABLES:
        setting.progress(written(table))
        maps[table] = search_pairs(
            seated(table), one_card(), tournaments, seed=setting.seed, workers=setting.workers
        )  # fmt: skip
    claims = _claims(setting, tournaments)
    rows = [
        Row(written(table), found.fresh.mean, found.fresh.ci95, FIGURES.get(table), note=f"best pair {found.best}")
        for table, found in maps.items()
    ]
    title = "What every pair of thresholds wins from three opponents (titles: its best pair on fresh deals)"
    drawn = map_numbers(title, list(maps.values()), [written(table) for table in maps], 5)
    data = {
        "tournaments": tournaments,
        "pairs": PAIRS,
        "shares": {written(table): found.shares.tolist() for table, found in maps.items()},
    }
    words = verdict(maps) + orderings_summary(claims)
    return Report(words, [*claims, *rows], {_PICTURE: drawn}, "share of tournaments", data)


def _claims(setting: Setting, tournaments: int) -> list[Row]:
    """What section 4.3.2 sees in its maps; a map by batch for each of the four tables."""
    setting.progress("the four tables of the figures again, in batches")
    each = max(1, tournaments // BATCHES)
    # By batch, table and pair:
    batches = np.array(
        [
            [
                search_pairs(
                    seated(table), one_card(), each,
                    seed=derived_seed(setting.seed, Stream.PAIR_MAPS, number), workers=setting.workers,
                ).shares
                for table in FIGURES
            ]
            for number in range(BATCHES)
        ]
    )  # fmt: skip
    loose, tight, with_tp, with_lp = range(len(FIGURES))
    stays = np.array([alpha == 0 for alpha, _ in PAIRS])
    return [
        ordering("the map of LA LA TP is more like that of three TP than that of three LA", "fig. 4.4–4.6",
                 jackknife_interval(batches, lambda m: _like(m[with_tp], m[tight]) - _like(m[with_tp], m[loose])),
                 "difference of correlations"),
        ordering("the map of LA LA LP is more like that of three LA than that of LA LA TP is", "fig. 4.7",
                 jackknife_interval(batches, lambda m: _like(m[with_lp], m[loose]) - _like(m[with_tp], m[loose])),
                 "difference of correlations"),
        ordering("three TP leave fewer wins than three LA, on average over all pairs", "fig. 4.5",
                 mean_interval((batches[:, loose] - batches[:, tight]).mean(axis=1))),
        ordering("LA LA TP leave fewer wins than three LA, on average over all pairs", "fig. 4.6",
                 mean_interval((batches[:, loose] - batches[:, with_tp]).mean(axis=1))),
        ordering("against three TP it is best to stay in every hand", "fig. 4.5",
                 mean_interval([_held_out(batches[:, tight], number, stays) for number in range(BATCHES)]),
                 "best pair with α = 0 − best other, chosen on the other batches"),
    ]  # fmt: skip


def _held_out(maps: NDArray[np.float64], number: int, some: NDArray[np.bool_]) -> float:
    """By how much the best of some pairs beats the best of the others in one batch, both chosen on all the other batches."""
    mean = np.delete(maps, number, axis=0).mean(axis=0)
    best, other = (int(np.where(mask, mean, -1.0).argmax()) for mask in (some, ~some))
    return float(maps[number, best] - maps[number, other])


def verdict(maps: Mapping[Table, PairMap]) -> str:
    """What the source sees in its maps, looked up in ours."""
    loose, tight, with_tp, with_lp = (maps[table] for table in FIGURES)
    to_tight, to_loose = likeness(with_tp, tight), likeness(with_tp, loose)
    lp = likeness(with_lp, loose)
    never_folding = tight.shares[[alpha == 0 for alpha, _ in PAIRS]].max()
    stays = tight.best[0] == 0
    return (
        f"LA LA TP is more like three TP (correlation {to_tight:.2f}) than three LA ({to_loose:.2f}): "
        f"{_said(to_tight > to_loose)}. "
        f"LA LA LP is more like three LA ({lp:.2f}) than LA LA TP is: {_said(lp > to_loose)}. "
        f"Three TP leave fewer wins than three LA over the whole map ({tight.shares.mean():.2f} v "
        f"{loose.shares.mean():.2f}): {_said(float(tight.shares.mean()) < float(loose.shares.mean()))}. "
        f"Staying in every hand against three TP is best: {_said(stays)}, our best pair is {tight.best} with "
        f"{tight.fresh.mean:.2f} and the best that never folds wins {never_folding:.2f}."
    )


def likeness(one: PairMap, other: PairMap) -> float:
    """The correlation of two maps over the 66 pairs; 0 for a map that is flat."""
    return _like(one.shares, other.shares)


def _like(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    return float(np.corrcoef(one, other)[0, 1]) if one.std() and other.std() else 0.0


def _said(holds: bool) -> str:
    return "true" if holds else "not true"


STUDY = Study(
    "pair-maps",
    "What every pair of thresholds wins at every table of three",
    "Baker 2010, figs 4.4–4.7, appendix A",
    measure,
    {_PICTURE: draw_maps},
    "about 15 CPU minutes",
)
