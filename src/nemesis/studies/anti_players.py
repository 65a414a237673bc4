"""The pair of thresholds that beats each style heads-up, beside table 4.2 of Baker 2010.

The quoted share is that of the best of 66 pairs on deals the search never saw; the ceiling is the exact best response,
which may remember the whole hand and all stacks. The published pair's own share comes from the search, whose deals it
was not chosen on.

The published answers to tight players never fold, which loses here. `studies.free_folds` works out all 66 pairs for players
who throw away hands that cost nothing; there the best answer to TP never folds either.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from nemesis.respond.by_name import compiled_agent
from nemesis.respond.counter import PUBLISHED_ANTI
from nemesis.respond.styles import STYLES, style
from nemesis.rules.games import one_card
from nemesis.solve.ceiling import best_response, value_against
from nemesis.solve.pair_search import PAIRS, PairMap, search_pairs
from nemesis.studies.free_folds import best_of, freeze_out_value, pair_values
from nemesis.studies.heat_map import draw_maps, map_numbers
from nemesis.studies.one_card_tables import seated
from nemesis.studies.ordering import exactly, ordering, orderings_summary
from nemesis.studies.study import Report, Row, Setting, Study
from nemesis.studies.verdict import Standing, between, by_standing, listed, percent, standing

FAIR = 0.5
_PICTURE = "anti-players.png"


def measure(setting: Setting) -> Report:
    """Search against each style, and find what the best of all players would get."""
    game, tournaments = one_card(), setting.choose(20, 2_000, 20_000)
    rows, maps, ceilings = [], [], {}
    for name in STYLES:
        setting.progress(f"anti-{name}")
        found = search_pairs(seated([name]), game, tournaments, seed=setting.seed, workers=setting.workers)
        opponent = compiled_agent(name, game)
        ceilings[name] = ceiling = best_response(opponent, game).value
        pair, published = PUBLISHED_ANTI[name]
        for what, chosen, share, ci95 in (
            (f"anti-{name.upper()}, our best pair", found.best, found.fresh.mean, found.fresh.ci95),
            (f"anti-{name.upper()}, published pair", pair, *found.share_of(*pair)),
        ):
            exact = value_against(style(game, *chosen), opponent, game).value
            rows.append(Row(f"{what} {_pair(chosen)}", share, ci95, published, ceiling, f"exactly {exact:.4f}"))
        maps.append(found)
    setting.progress("every pair exactly, with free hands checked and thrown away")
    every = {throws: {name: pair_values(name, throws) for name in STYLES} for throws in (False, True)}
    rows += [_free_folds_row(name, every[True][name]) for name in STYLES]
    claims = [_claim(name, every[False][name]) for name in STYLES]
    words = verdict(maps, ceilings) + _free_folds_verdict(every[True]) + orderings_summary(claims)
    marked = {index: PUBLISHED_ANTI[name][0] for index, name in enumerate(STYLES)}
    title = "What every pair of thresholds wins heads-up\n(titles: our best pair on fresh deals)"
    drawn = map_numbers(title, maps, [f"against {name.upper()}" for name in STYLES], 2, marked)
    data = {"tournaments": tournaments, "maps": {found.opponents[0]: found.shares.tolist() for found in maps}}
    return Report(words, [*claims, *rows], {_PICTURE: drawn}, "share of tournaments", data)


def _stays() -> NDArray[np.bool_]:
    """The pairs that never fold."""
    return np.array([alpha == 0 for alpha, _ in PAIRS])


def _free_folds_row(name: str, values: NDArray[np.float64]) -> Row:
    """The best pair where everybody throws free hands away."""
    pair, published = PUBLISHED_ANTI[name]
    theirs = freeze_out_value(pair, STYLES[name], free_folds=True)
    staying = float(values[_stays()].max() - values[~_stays()].max())
    what = f"anti-{name.upper()}, best pair {_pair(best_of(values))} if free hands are thrown away"
    note = f"exact; the published pair {_pair(pair)} wins {theirs:.4f}; never folding is worth {staying:+.4f}"
    return Row(what, float(values.max()), None, published, note=note)


def _claim(name: str, values: NDArray[np.float64]) -> Row:
    """Tight answers to loose players, never folding to tight ones; `values` are what the pairs win by our rules."""
    pair, _ = PUBLISHED_ANTI[name]
    if pair[0] > 0:
        chosen, claim = np.array([alpha >= 0.5 for alpha, _ in PAIRS]), "folds the worse half"
    else:
        chosen, claim = _stays(), "never folds"
    gap = float(values[chosen].max() - values[~chosen].max())
    said = f"best pair {_pair(pair)}"
    return ordering(f"against {name.upper()} the best pair {claim}", said, exactly(gap), "exact, best of each kind")


def _free_folds_verdict(values: Mapping[str, NDArray[np.float64]]) -> str:
    never = [f"{name.upper()} {_pair(best_of(of))}" for name, of in values.items() if best_of(of)[0] == 0]
    shares = listed(
        f"anti-{n.upper()} {percent(float(of.max()))} v {PUBLISHED_ANTI[n][1]:.0%}" for n, of in values.items()
    )
    return (
        f" If everybody threw free hands away (see action-table), never folding would be best against {listed(never)}; "
        f"the best pairs would then win: {shares}."
    )


def verdict(maps: list[PairMap], ceilings: Mapping[str, float]) -> str:
    """How our pairs and the published ones stand to the published shares."""
    best: dict[str, Standing] = {}
    theirs: dict[str, Standing] = {}
    as_good, losing, room = [], [], []
    for found, name in zip(maps, STYLES, strict=True):
        pair, published = PUBLISHED_ANTI[name]
        share, ci95 = found.share_of(*pair)
        shown = f"anti-{name.upper()}"
        stands = standing(found.fresh.ci95, published)
        best[f"{shown} ({percent(found.fresh.mean)} v {published:.0%})"] = stands
        if stands == "not reached":
            room.append(f"{shown} {percent(ceilings[name])}")
        theirs[f"{shown} ({percent(share)})"] = standing(ci95, published)
        if ci95[1] >= found.fresh.ci95[0]:
            as_good.append(shown)
        if ci95[1] < FAIR and pair[0] == 0:
            losing.append(f"{shown} ({between(ci95)})")
    why = (
        f" Never folding loses here: {listed(losing)}. It would pay where tight players throw away even hands that cost "
        "them nothing; by the source's rules and ours they check those."
        if losing
        else ""
    )
    more = f" Where no pair gets there, the best response of all wins: {listed(room)}." if room else ""
    return (
        f"Our best pairs against the published shares: {by_standing(best)}.{more} The published pairs played in our game: "
        f"{by_standing(theirs)}; as good as our best within the intervals: {listed(as_good)}.{why}"
    )


def _pair(pair: tuple[float, float]) -> str:
    return f"({pair[0]:g}, {pair[1]:g})"


STUDY = Study(
    "anti-players",
    "The pair of thresholds that beats each style",
    "Baker 2010, table 4.2",
    measure,
    {_PICTURE: draw_maps},
)
