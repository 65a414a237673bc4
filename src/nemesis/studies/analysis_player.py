"""The analysis player, who finds styles out, beside the simulation player, who is told them: fig. 4.3 of Baker 2010.

Both play on the same deals at a table; every table has deals of its own, so tables are independent and their means have
intervals too. The simulation player keeps the pair it found at the start, which is where the source sees its weakness;
the *live* one chooses again whenever somebody is gone.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import NormalDist
from typing import Any

from nemesis.measure.charts import draw_groups, draw_key, draw_level, draw_title
from nemesis.measure.contest import measure_tournaments
from nemesis.measure.interval import Interval, mean_interval
from nemesis.measure.picture import BELIEF_COLOURS, BLUE, SKY, save_figure
from nemesis.measure.result import Score
from nemesis.play.match import Player
from nemesis.respond.agent import CompiledAgent
from nemesis.respond.counter import analysis
from nemesis.rules.game import Game
from nemesis.rules.games import one_card
from nemesis.runtime.streams import Stream, derived_seed
from nemesis.solve.pair_search import SIMULATED_TOURNAMENTS, search_pairs, simulation
from nemesis.studies.one_card_tables import TABLES, Table, mostly_tight, seated, written
from nemesis.studies.ordering import ordering, orderings_summary
from nemesis.studies.study import Report, Row, Setting, Study
from nemesis.studies.verdict import listed, percent, standing

CANDIDATES = {"analysis": BELIEF_COLOURS["belief"], "simulation": BLUE, "simulation, live": SKY}
FAIR = 0.25
NOISE = 0.03
"""The interval the source gives its own figures."""
TOGETHER = NormalDist().inv_cdf(1 - 0.025 / len(TABLES)) / NormalDist().inv_cdf(0.975)
"""How much wider an interval must be for all 20 comparisons to hold together with 95 % (Bonferroni)."""
WEAKEST = ("lp", "lp", "tp")
WIDEST = ("la", "la", "tp")
_PICTURE = "analysis-player.png"
_TIMED = 4
"""How often the cost of both players is timed."""

Scores = Mapping[Table, Mapping[str, Score]]


def measure(setting: Setting) -> Report:
    """Seat each candidate at all 20 tables."""
    tournaments = setting.choose(20, 3_000, 50_000)
    scores = {}
    for index, table in enumerate(TABLES):
        setting.progress(written(table))
        seed = derived_seed(setting.seed, Stream.ANALYSIS_PLAYER, index)
        scores[table] = {
            name: measure_tournaments(
                [Player(name, partial(candidate, name, table)), *seated(table)],
                one_card(), tournaments, seed=seed, workers=setting.workers,
            ).scores[0]
            for name in CANDIDATES
        }  # fmt: skip
    rows = [
        *(Row(what, *mean_of(of, "analysis"), published, note=_note(of)) for what, of, published in groups(scores)),
        *(_row(table, scores[table]) for table in TABLES),
    ]
    rows.append(_cost(setting))
    data: dict[str, Any] = {
        "tournaments": tournaments,
        "shares": {written(t): {name: [s.mean, *s.ci95] for name, s in of.items()} for t, of in scores.items()},
    }
    claims = _claims(scores)
    words = verdict(scores) + orderings_summary(claims)
    return Report(words, [*claims, *rows], {_PICTURE: data["shares"]}, "share of tournaments", data)


def _claims(scores: Scores) -> list[Row]:
    """What section 4.3.1 says of fig. 4.3. Tables have deals of their own, so errors add up as independent ones do."""
    (_, tight, _), (_, loose, _) = groups(scores)
    everywhere = list(scores.values())
    gaps = {table: difference(of) for table, of in scores.items()}
    ahead = max(gaps, key=lambda table: gaps[table][1][0])
    mean = _minus(mean_of(everywhere, "analysis"), mean_of(everywhere, "simulation"))
    weak = {name: mean_of([scores[WEAKEST]], name) for name in ("analysis", "simulation")}
    others = [table for table in scores if table != WEAKEST]
    next_weakest = min(others, key=lambda table: scores[table]["simulation"].mean)
    fair = min(scores, key=lambda table: scores[table]["analysis"].mean)
    return [
        ordering("the analysis player wins more at mostly tight tables than at mostly loose ones", ".85 > .55",
                 _minus(mean_of(tight, "analysis"), mean_of(loose, "analysis"))),
        ordering("the analysis player is comparable: on average at most 3 points below the simulation player", "± .03",
                 (mean[0] + NOISE, (mean[1][0] + NOISE, mean[1][1] + NOISE))),
        ordering(f"on occasion it surpasses the simulation player (most clearly at {written(ahead)})", "on occasion",
                 gaps[ahead], "the interval holds for all 20 tables together"),
        ordering(f"it is well ahead at {written(WIDEST)}", "nearly +.20", gaps[WIDEST],
                 "the interval holds for all 20 tables together"),
        ordering(f"the simulation player is weakest at {written(WEAKEST)}", "< .40",
                 _minus(mean_of([scores[next_weakest]], "simulation"), weak["simulation"]),
                 f"compared with the weakest other, {written(next_weakest)}"),
        ordering(f"the analysis player is impaired at {written(WEAKEST)} too", "significantly impaired",
                 _minus(mean_of([scores[table] for table in others], "analysis"), weak["analysis"])),
        ordering(f"it wins more than a fair quarter even at its weakest table ({written(fair)})", "> .25",
                 _minus(mean_of([scores[fair]], "analysis"), (FAIR, (FAIR, FAIR)))),
    ]  # fmt: skip


def _cost(setting: Setting) -> Row:
    """How many hands of the analysis player take as long as one search of the simulation player, in CPU time."""
    table, game = seated(WIDEST), one_card().seated(len(WIDEST) + 1)
    players = [Player("analysis", analysis), *table]
    hands, searches = [], []
    for number in range(_TIMED + 1):
        began = time.process_time()
        played = measure_tournaments(players, one_card(), setting.choose(20, 200, 400), seed=setting.seed + number)
        hands.append((time.process_time() - began) / max(1, played.hands))
        began = time.process_time()
        search_pairs(table, game, SIMULATED_TOURNAMENTS, seed=setting.seed + number)
        searches.append(time.process_time() - began)
    # The first of each may compile.
    ratio = mean_interval([search / hand for search, hand in zip(searches[1:], hands[1:], strict=True)])
    note = f"a search {min(searches):.2g} CPU seconds, a hand with the analysis player in it {1e6 * min(hands):.2g} µs"
    said = "over 100 times (the text has the analysis player as the slower one)"
    what = "hands of the analysis player in the time of one search of the simulation player"
    return Row(what, *ratio, said, note=note, sample=f"{_TIMED} timings")


def _minus(one: tuple[float, Interval], other: tuple[float, Interval]) -> tuple[float, Interval]:
    """The difference of two independent figures."""
    gap = one[0] - other[0]
    margin = math.hypot(one[1][1] - one[0], other[1][1] - other[0])
    return gap, (gap - margin, gap + margin)


def candidate(name: str, table: Table, game: Game) -> CompiledAgent:
    """The analysis player, or the simulation player told this table."""
    if name == "analysis":
        return analysis(game)
    return simulation(game, "-".join(["simulation", *table, *(["live"] if name.endswith("live") else [])]))


def groups(scores: Scores) -> list[tuple[str, list[Mapping[str, Score]], float]]:
    """The tables the source sums up, and the analysis player's share there."""
    tight = [of for table, of in scores.items() if mostly_tight(table)]
    loose = [of for table, of in scores.items() if not mostly_tight(table)]
    return [("mostly tight tables", tight, 0.85), ("mostly loose tables", loose, 0.55)]


def mean_of(tables: Sequence[Mapping[str, Score]], name: str) -> tuple[float, Interval]:
    """A candidate's mean share over tables, with its 95 % interval."""
    of = [scores[name] for scores in tables]
    mean, margin = sum(s.mean for s in of) / len(of), math.hypot(*(s.margin for s in of)) / len(of)
    return mean, (mean - margin, mean + margin)


def difference(scores: Mapping[str, Score]) -> tuple[float, Interval]:
    """By how much the analysis player is above the simulation player; all 20 intervals hold together with 95 %."""
    ours, other = scores["analysis"], scores["simulation"]
    gap, margin = ours.mean - other.mean, TOGETHER * math.hypot(ours.margin, other.margin)
    return gap, (gap - margin, gap + margin)


def verdict(scores: Scores) -> str:
    """The source's sentences about fig. 4.3, with what the intervals say."""
    gaps = {written(table): difference(of) for table, of in scores.items()}
    above = [table for table, (_, (low, _)) in gaps.items() if low > 0]
    below = [table for table, (_, (_, high)) in gaps.items() if high < 0]
    mean = sum(gap for gap, _ in gaps.values()) / len(gaps)
    over_fair = sum(of["analysis"].ci95[0] > FAIR for of in scores.values())
    least = min(scores, key=lambda table: scores[table]["simulation"].mean)
    gap, (low, high) = gaps[written(WIDEST)]
    alive = sum(of["simulation, live"].mean > of["simulation"].mean for of in scores.values())
    return (
        f"The analysis player wins at {listed(_summed_up(*group) for group in groups(scores))}; it has more than its fair "
        f"quarter at {over_fair} of {len(scores)} tables. It is above the simulation player at {len(above)} "
        f"({listed(above)}), below at {len(below)} ({listed(below)}) and level within the intervals at the others, "
        f"{100 * mean:+.1f} points on average: “comparable” (to the source's own 3 points) is {_said(mean >= -NOISE)}, "
        f"“on occasion surpasses” is {_said(bool(above))}. The simulation player is weakest at {written(least)} with "
        f"{percent(scores[least]['simulation'].mean)}, published at {written(WEAKEST)} with less than 40 %. At "
        f"{written(WIDEST)}, where the source has the analysis player ahead by nearly 20 points, it is "
        f"{100 * gap:+.1f} ({100 * low:+.1f} … {100 * high:+.1f}). Choosing again when somebody is gone does better for "
        f"the simulation player at {alive} tables."
    )


def _summed_up(what: str, tables: Sequence[Mapping[str, Score]], published: float) -> str:
    mean, ci95 = mean_of(tables, "analysis")
    stands = standing(ci95, published)
    why = f", where being told the styles gives {percent(mean_of(tables, 'simulation')[0])}"
    return f"{what} {percent(mean)} v {published:.0%} ({stands}{why if stands == 'not reached' else ''})"


def _said(holds: bool) -> str:
    return "true" if holds else "not true"


def _note(tables: Sequence[Mapping[str, Score]]) -> str:
    return f"mean of {len(tables)} tables; simulation {mean_of(tables, 'simulation')[0]:.3f}"


def _row(table: Table, scores: Mapping[str, Score]) -> Row:
    other, live = scores["simulation"], scores["simulation, live"]
    _, (low, high) = difference(scores)
    stands = "above" if low > 0 else "below" if high < 0 else "level"
    note = f"{stands}: simulation {other.mean:.3f} ({other.ci95[0]:.3f} … {other.ci95[1]:.3f}), live {live.mean:.3f}"
    return Row(written(table), scores["analysis"].mean, scores["analysis"].ci95, note=note)


def draw(numbers: Mapping[str, Mapping[str, Sequence[float]]], path: Path) -> None:
    """Dots with intervals, table by table, in the order of fig. 4.3."""
    series = {name: [figures[name] for figures in numbers.values()] for name in CANDIDATES}
    with save_figure(path, (10, 4.8)) as figure:
        axes = figure.add_subplot()
        draw_groups(axes, [table.replace(" ", "\n") for table in numbers], series, CANDIDATES)
        draw_level(axes, FAIR, "fair share")
        axes.set(ylabel="share of tournaments won, ± 95 %", ylim=(-0.02, 1.02), xlabel="the three opponents")
        draw_title(figure, "Finding styles out (analysis), beside being told them (simulation)")
        draw_key(figure, axes)


STUDY = Study(
    "analysis-player",
    "Finding styles out, beside being told them, at 20 tables",
    "Baker 2010, fig. 4.3",
    measure,
    {_PICTURE: draw},
)
