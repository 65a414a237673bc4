"""Genetic players against each style, all styles, and all styles with a belief (Baker 2010, figures 5.2 to 5.7).

The game is that of section 5.1: 100 chips, ante 5.
"""

from __future__ import annotations

from functools import partial

from nemesis.studies.curve_picture import draw_curves
from nemesis.studies.curves import Family, measure_curves
from nemesis.studies.study import Study

FAMILY = Family(
    "ga-100",
    # With the belief the source says only "far stronger".
    bests={"la": 1.0, "lp": 0.98, "ta": 1.0, "tp": 0.76, "all": 0.68, "belief": None},
    claims={
        ("la", "tp"): "1.00 > .76",
        ("lp", "tp"): ".98 > .76",
        ("ta", "tp"): "1.00 > .76",
        ("alone", "all"): ".94 > .68",
        ("belief", "all"): "far stronger",
        ("aggressive", "passive"): "1.00 > .36",
    },
    picture="ga-curves.png",
    places=dict(zip(("la", "lp", "ta", "tp", "all", "belief"), (f"fig. 5.{n}" for n in range(2, 8)), strict=True)),
    # "almost 70 %"
    begins={"la": 0.70},
)

STUDY = Study(
    "ga-curves",
    "60 genes evolved against each style, all of them, and with a belief that picks the genes",
    "Baker 2010, section 5.1, figures 5.2–5.7",
    partial(measure_curves, family=FAMILY),
    {"ga-curves.png": draw_curves},
    "about 1.3 CPU hours: 3 CPU seconds a run against one style, 10 against all, 900 with the belief",
)
