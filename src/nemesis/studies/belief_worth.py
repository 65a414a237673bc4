"""What is a belief worth? The same network with and without it, beside the exact ceiling (after Baker 2010, 5.2, 5.3).

The source compares evolved networks with and without beliefs; there luck of evolution and worth of belief are hard to tell
apart. Here both networks have the same shape and the same learner with the same budget, natural evolution of weights, and
differ in four inputs. Heads-up the exact ceiling stands beside them, and what exact answers get that go by the same
belief: what they miss is the belief's share in what is missing. At four seats both were evolved at the tables of one style
and sit down at all 20, on common deals; there is no exact ceiling.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.action_table import Variant
from nemesis.believe.tables import action_table
from nemesis.measure.charts import as_figure, draw_groups, draw_key, draw_level, draw_title
from nemesis.measure.interval import Interval
from nemesis.measure.picture import BELIEF_COLOURS, save_figure
from nemesis.respond.agent import CompiledAgent
from nemesis.respond.answerer import Answerer
from nemesis.respond.by_name import compiled_agent
from nemesis.respond.champion import champion_agent, shipped_champions
from nemesis.respond.styles import STYLES
from nemesis.rules.game import Game
from nemesis.rules.games import one_card
from nemesis.runtime.streams import run_seed
from nemesis.solve.ceiling import best_responder
from nemesis.studies.evolved import caveat, evolve_runs, fresh_shares, game_of, style_ceiling
from nemesis.studies.one_card_tables import TABLES, written
from nemesis.studies.ordering import ordering
from nemesis.studies.sample import over_runs, sampled_row, shares_over_runs
from nemesis.studies.study import Report, Row, Setting, Study
from nemesis.train.one_card_recipes import PURE
from nemesis.train.recipes import RECIPES

HEADS_UP = ("dense-all", "dense-belief")
FOUR_SEATS = ("dense-four", "dense-four-belief")
"""The twins, without the belief first."""
ANSWERED: tuple[Variant, ...] = ("plain", "situation", "showdown")
WANTED = 0.97
"""The share of the mean ceiling that one network should reach against all four styles."""
_PICTURE = "belief-worth.png"


def measure(setting: Setting) -> Report:
    """Both pairs of twins, those of one run on common deals."""
    game, styles = one_card(), [compiled_agent(name, one_card()) for name in STYLES]
    exact = {agent.name: best_responder(agent, game) for agent in styles}
    answers = [Answerer(exact, action_table(game), game, variant) for variant in ANSWERED]
    setting.progress("heads-up")
    alone = _play(HEADS_UP, answers, [[style] for style in styles], game, setting, setting.choose(40, 20_000, 20_000))
    ceilings = [style_ceiling(name, game) for name in STYLES]
    labels = [*HEADS_UP, *(f"exact answers, {variant} belief" for variant in ANSWERED)]
    rows = _heads_up_rows(labels, alone, ceilings)
    four = game_of(RECIPES[FOUR_SEATS[0]])
    setting.progress("four seats")
    tables = [[compiled_agent(style, four) for style in table] for table in TABLES]
    many = _play(FOUR_SEATS, [], tables, four, setting, setting.choose(20, 2_000, 5_000))
    rows += _four_seat_rows(many)
    drawn = {
        "heads-up": {
            "labels": [style.upper() for style in STYLES],
            "shares": _figures(alone, len(STYLES)),
            "most": ceilings,
        },
        "four seats": {"labels": [written(table) for table in TABLES], "shares": _figures(many, len(TABLES))},
    }
    shipped = "The champions that come with the package, one run of each: intervals are over deals. "
    said = shipped if len(alone) == len(many) == 1 and not setting.made else caveat(setting, [len(alone), len(many)])
    return Report(said + verdict(rows), rows, {_PICTURE: drawn}, "share of tournaments")


def _play(
    twins: Sequence[str],
    others: Sequence[CompiledAgent],
    tables: Sequence[Sequence[CompiledAgent]],
    game: Game,
    setting: Setting,
    tournaments: int,
) -> NDArray[np.float64]:
    """Shares by run, batch, player and table: the twins of every run, and others beside them."""
    pairs = zip(*(_runs_of(name, game, setting) for name in twins), strict=False)
    return np.array(
        [
            fresh_shares(game, [*pair, *others], tables, setting, tournaments, run_seed(setting.seed, run))
            for run, pair in enumerate(pairs)
        ]
    )


def _runs_of(name: str, game: Game, setting: Setting) -> list[CompiledAgent]:
    """The champion of every run at full scale; otherwise, or if no run is finished, the one that comes with the house."""
    shipped = shipped_champions()
    runs = evolve_runs(RECIPES[name], setting) if setting.scale == "full" or name not in shipped else []
    return [run.champion for run in runs] or [champion_agent(shipped[name], game)]


def _heads_up_rows(labels: Sequence[str], shares: NDArray[np.float64], ceilings: Sequence[float]) -> list[Row]:
    """Each player against each style and on average, then the twins' difference."""
    highest = float(np.mean(ceilings))
    rows = []
    for index, label in enumerate(labels):
        figure = shares_over_runs(shares[:, :, index].mean(axis=2))
        low, high = figure.ci95
        reached = f"{figure.mean / highest:.1%} of the ceiling ({low / highest:.1%} … {high / highest:.1%})"
        rows.append(replace(sampled_row(f"{label}, mean of the styles", figure, note=reached), ceiling=highest))
        for column, style in enumerate(STYLES):
            row = sampled_row(f"{label} v {style.upper()}", shares_over_runs(shares[:, :, index, column]))
            rows.append(replace(row, ceiling=ceilings[column]))
    gain = over_runs((shares[:, :, 1] - shares[:, :, 0]).mean(axis=2))
    rows.append(ordering("belief − no belief, heads-up", ".97 − .87", gain))
    return rows


def _four_seat_rows(shares: NDArray[np.float64]) -> list[Row]:
    pure = np.array([table in PURE for table in TABLES])
    gains = shares[:, :, 1] - shares[:, :, 0]
    rows = []
    for what, chosen in (("4 tables evolved at", pure), ("16 tables never met", ~pure)):
        for index, name in enumerate(FOUR_SEATS):
            rows.append(
                sampled_row(f"{name}, {what}", shares_over_runs(shares[:, :, index][:, :, chosen].mean(axis=2)))
            )
        gain = over_runs(gains[:, :, chosen].mean(axis=2))
        rows.append(ordering(f"belief − no belief, {what}", ".97 − .54" if chosen[0] else "better", gain))
    for column, table in enumerate(TABLES):
        rows.append(sampled_row(f"belief − no belief v {' '.join(table).upper()}", over_runs(gains[:, :, column])))
    return rows


def verdict(rows: Sequence[Row]) -> str:
    """Whether the network reaches what is wanted, and whether the belief is what made the difference."""
    found = {row.what: row for row in rows}
    network = found[f"{HEADS_UP[1]}, mean of the styles"]
    exact = found[f"exact answers, {ANSWERED[-1]} belief, mean of the styles"]
    assert network.ceiling is not None
    assert network.ci95 is not None
    reached = "reaches" if network.ci95[0] >= WANTED * network.ceiling else "does not reach"
    sentences = [
        f"Heads-up the network with a belief by showdown gets {network.note}, so it {reached} {WANTED:.0%} for certain; "
        f"exact answers that go by the same belief get {exact.note}."
    ]
    for where in ("heads-up", "4 tables evolved at", "16 tables never met"):
        gain = found[f"belief − no belief, {where}"]
        assert gain.ci95 is not None
        sentences.append(f"The belief is worth {gain.ours:+.3f} ({_sure(gain.ci95)}), {where}.")
    return " ".join(sentences)


def _sure(ci95: Interval) -> str:
    low, high = ci95
    sure = "better for certain" if low > 0 else "worse for certain" if high < 0 else "no difference we can see"
    return f"{low:+.3f} … {high:+.3f}, {sure}"


def _figures(shares: NDArray[np.float64], columns: int) -> dict[str, Any]:
    """What the twins win in each column, the one without a belief first."""
    return {
        label: [as_figure(shares_over_runs(shares[:, :, index, column])[:2]) for column in range(columns)]
        for index, label in enumerate(BELIEF_COLOURS)
    }


def draw(numbers: Mapping[str, Any], path: Path) -> None:
    """Left the styles heads-up with their ceilings, right the 20 tables."""
    with save_figure(path, (10, 4.6)) as figure:
        left, right = figure.subplots(1, 2, width_ratios=(1, 3.4), sharey=True)
        alone, many = numbers["heads-up"], numbers["four seats"]
        draw_groups(
            left, alone["labels"], alone["shares"], BELIEF_COLOURS, ceilings=alone["most"], ceiling="exact ceiling"
        )
        draw_level(left, 0.5, "fair share")
        draw_groups(right, [label.replace(" ", "\n") for label in many["labels"]], many["shares"], BELIEF_COLOURS)
        draw_level(right, 0.25, "fair share")
        left.set(ylabel="share of tournaments won, ± 95 %", ylim=(-0.02, 1.02), title="heads-up", xlabel="opponent")
        right.set(title="four seats, evolved at the tables of one style", xlabel="the three opponents")
        draw_title(figure, "What a belief is worth: the same network with and without it")
        draw_key(figure, left)


STUDY = Study(
    "belief-worth",
    "What a belief is worth: the same network with and without",
    "after Baker 2010, sections 5.2 and 5.3, and Baker et al. 2008",
    measure,
    {_PICTURE: draw},
    "about an hour of CPU time",
)
