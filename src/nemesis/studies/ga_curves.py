"""Genetic players against each style, all styles, and all styles with a belief (Baker 2010, figures 5.2 to 5.7).

The game is that of section 5.1: 100 chips, ante 5. What the source says of its figures is in `CLAIMS`.
"""

from __future__ import annotations

from functools import partial

from nemesis.studies.curve_picture import draw_curves
from nemesis.studies.curves import measure_curves
from nemesis.studies.study import Study

PUBLISHED = {"la": 1.0, "lp": 0.98, "ta": 1.0, "tp": 0.76, "all": 0.68, "belief": None}
"""The best fitness of a population in print; with the belief the source says only "far stronger"."""

BEGINS = {"la": 0.70}
"""The best of a first generation, "almost 70 %"."""

CLAIMS = {
    ("la", "tp"): "1.00 > .76",
    ("lp", "tp"): ".98 > .76",
    ("ta", "tp"): "1.00 > .76",
    ("alone", "all"): ".94 > .68",
    ("belief", "all"): "far stronger",
    ("aggressive", "passive"): "1.00 > .36",
}
"""Which wins more than which."""

STUDY = Study(
    "ga-curves",
    "60 genes evolved against each style, all of them, and with a belief that picks the genes",
    "Baker 2010, section 5.1, figures 5.2–5.7",
    partial(
        measure_curves, family="ga-100", published=PUBLISHED, claims=CLAIMS, picture="ga-curves.png", begins=BEGINS
    ),
    {"ga-curves.png": draw_curves},
)
