"""The pair of thresholds that beats each style heads-up, beside table 4.2 of document 000.

The quoted share is that of the best of 66 pairs on deals the search never saw; the ceiling is the exact best response,
which may remember the whole hand and all stacks. The published pair's own share comes from the search, whose deals it
was not chosen on.
"""

from __future__ import annotations

from collections.abc import Mapping

from nemesis.measure.ceiling import best_response, value_against
from nemesis.measure.pair_search import PairMap, search_pairs
from nemesis.respond.counter import PUBLISHED_ANTI
from nemesis.respond.styles import STYLES, style
from nemesis.rules.games import one_card
from nemesis.studies.heat_map import draw_maps
from nemesis.studies.one_card_tables import named_style, seated
from nemesis.studies.study import Report, Row, Setting, Study
from nemesis.studies.verdict import Standing, between, by_standing, listed, percent, standing

FAIR = 0.5


def measure(setting: Setting) -> Report:
    """Search against each style, and find what the best of all players would get."""
    game, tournaments = one_card(), setting.choose(20, 2_000, 20_000)
    rows, maps, ceilings = [], [], {}
    for name in STYLES:
        setting.progress(f"anti-{name}")
        found = search_pairs(seated([name]), game, tournaments, seed=setting.seed, workers=setting.workers)
        opponent = named_style(name, game)
        ceilings[name] = ceiling = best_response(opponent, game).value
        pair, published = PUBLISHED_ANTI[name]
        for what, chosen, share, ci95 in (
            (f"anti-{name.upper()}, our best pair", found.best, found.fresh.mean, found.fresh.ci95),
            (f"anti-{name.upper()}, published pair", pair, *found.share_of(*pair)),
        ):
            exact = value_against(style(game, *chosen), opponent, game).value
            rows.append(Row(f"{what} {_pair(chosen)}", share, ci95, published, ceiling, f"exactly {exact:.4f}"))
        maps.append(found)
    marked = {index: PUBLISHED_ANTI[name][0] for index, name in enumerate(STYLES)}
    draw_maps(maps, [f"against {name.upper()}" for name in STYLES], setting.folder / "anti-players.png", 2, marked)
    data = {"tournaments": tournaments, "maps": {found.opponents[0]: found.shares.tolist() for found in maps}}
    return Report(verdict(maps, ceilings), rows, ["anti-players.png"], "share of tournaments", data)


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


STUDY = Study("anti-players", "The pair of thresholds that beats each style", "000, table 4.2", measure)
