"""The players of limit hold'em that the studies of chapter 7 compare: runs of recipes, shipped champions and ceilings.

The sample is the run: a recipe is run several times, each from its own first genomes and on its own deals, and intervals
are over runs. Chips are counted in 300 hands, the source's match.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.charts import as_figure
from nemesis.measure.chips import Table, chips_won
from nemesis.measure.interval import Interval
from nemesis.measure.picture import GREEN, GREY, PURPLE
from nemesis.respond.agent import CompiledAgent
from nemesis.respond.by_name import compiled_agent
from nemesis.respond.champion import champion_agent, shipped_champions
from nemesis.respond.styles import STYLES
from nemesis.rules.game import Game
from nemesis.rules.games import limit
from nemesis.runtime.streams import Stages
from nemesis.solve.limit_ceiling import limit_ceiling
from nemesis.studies.evolved import Evolved, evolve_runs
from nemesis.studies.sample import over_runs
from nemesis.studies.study import Row, Setting
from nemesis.train.recipes import RECIPES

HANDS = 300
KINDS: Mapping[str, str] = {"all": "no belief", "plain": "one-table belief", "belief": "round-based belief"}
"""The recipes against all four styles, by what they believe."""
KIND_COLOURS: Mapping[str, str] = {"no belief": GREY, "one-table belief": GREEN, "round-based belief": PURPLE}

Chips = NDArray[np.float64]


def limit_runs(name: str, setting: Setting) -> list[Evolved]:
    """The runs of a recipe; those that the folder holds are not run again."""
    found = evolve_runs(RECIPES[name], setting)
    if not found:
        raise ValueError(f"no run of {name} is finished at {setting.scale} scale in {setting.run_folder}")
    return found


def fresh_matches(setting: Setting) -> int:
    """Fresh matches of 300 hands that a player plays at a table; 210,000 hands at full scale."""
    return setting.choose(2, 100, 700)


def fresh_chips(
    players: Sequence[CompiledAgent], tables: Sequence[Table], game: Game, setting: Setting, matches: int = 0
) -> Chips:
    """Chips by player, table and match on deals that no generation saw."""
    return chips_won(
        game, players, tables, matches or fresh_matches(setting), HANDS,
        seed=setting.seed, stage=Stages.LIMIT_STUDIES.at(0), workers=setting.workers,
    )  # fmt: skip


def style_tables(game: Game) -> list[Table]:
    """One table with each style."""
    return [[compiled_agent(style, game)] for style in STYLES]


def shipped_player(name: str, game: Game | None = None) -> CompiledAgent | None:
    """The champion of that name that comes with the house, if there is one."""
    path = shipped_champions().get(name)
    return None if path is None else champion_agent(path, game or limit())


@lru_cache(maxsize=64)
def chip_ceiling(name: str, deals: int) -> tuple[float, Interval]:
    """What the best response takes from an opponent in 300 hands, with its 95 % interval."""
    game = limit()
    found = limit_ceiling(compiled_agent(name, game), game, deals=deals, fresh=2 * deals)
    return HANDS * found.value, (HANDS * found.ci95[0], HANDS * found.ci95[1])


def style_ceilings(setting: Setting) -> dict[str, float]:
    """The ceilings of the four styles in chips of 300 hands."""
    deals = setting.choose(2_000, 100_000, 200_000)
    return {style: chip_ceiling(style, deals)[0] for style in STYLES}


def run_row(
    what: str, by_run: Chips, published: float | None = None, ceiling: float | None = None, note: str = ""
) -> Row:
    """The row of a number by run."""
    found = over_runs(by_run)
    return Row(what, found.mean, found.ci95, published, ceiling, note, sample=found.sample)


def run_figures(by_run: Chips) -> list[tuple[float, float, float]]:
    """Means with intervals over runs, for every column of numbers by run."""
    return [as_figure(over_runs(column)[:2]) for column in np.asarray(by_run).T]


def scale_words(setting: Setting) -> str:
    """What a reader must know about the scale, as the start of a verdict."""
    return {
        "smoke": "Smoke scale shows that it works and nothing else. ",
        "quick": "Evolved here at quick scale: 100 of the source's 500 generations. ",
        "full": "",
    }[setting.scale]
