"""Genetic players against each style, all styles, and all styles with a belief (Baker 2010, figures 5.2 to 5.7).

The game is that of section 5.1: 100 chips, ante 5. What a belief is worth is asked in three ways: 240 genes evolved with .01
mutations a gene, the same with as many mutations a chromosome as 60 genes have, and no evolution of 240 genes at all: the
champions of figures 5.2 to 5.5, the belief choosing which one plays, to which the source likens its 240 genes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from nemesis.respond.agent import CompiledAgent
from nemesis.respond.chromosome import chromosome_player, unbelieving_genes
from nemesis.rules.game import Game
from nemesis.studies.curve_picture import draw_curves
from nemesis.studies.curves import Family, measure_curves
from nemesis.studies.study import Study
from nemesis.train.believing import believing


def chosen_by_belief(champions: Sequence[CompiledAgent], game: Game) -> CompiledAgent:
    """One player of 240 genes from four of 60, in the order of the styles that they were evolved against."""
    blocks = [genes for player in champions if (genes := unbelieving_genes(player, game)) is not None]
    return chromosome_player(np.concatenate(blocks), game, **believing("plain", game), name="chosen by belief")


FAMILY = Family(
    "ga-100",
    # With the belief the source says only "far stronger".
    bests={"la": 1.0, "lp": 0.98, "ta": 1.0, "tp": 0.76, "all": 0.68, "belief": None, "belief-once": None},
    claims={
        ("la", "tp"): "1.00 > .76",
        ("lp", "tp"): ".98 > .76",
        ("ta", "tp"): "1.00 > .76",
        ("alone", "all"): ".94 > .68",
        ("belief", "all"): "far stronger",
        ("belief-once", "all"): "far stronger",
        ("aggressive", "passive"): "1.00 > .36",
    },
    picture="ga-curves.png",
    places={
        **dict(zip(("la", "lp", "ta", "tp", "all", "belief"), (f"fig. 5.{n}" for n in range(2, 8)), strict=True)),
        "belief-once": "fig. 5.7",
    },
    # "almost 70 %"
    begins={"la": 0.70},
    joined=chosen_by_belief,
)

STUDY = Study(
    "ga-curves",
    "60 genes evolved against each style, all of them, and with a belief that picks the genes",
    "Baker 2010, section 5.1, figures 5.2–5.7",
    partial(measure_curves, family=FAMILY),
    {"ga-curves.png": draw_curves},
    "about 2.5 CPU hours: 3 CPU seconds a run against one style, 10 against all, 900 with a belief",
)
