"""Genetic players against each style, all styles, and all styles with a belief (000, figures 5.2 to 5.7)."""

from __future__ import annotations

from functools import partial

from nemesis.studies.curves import measure_curves
from nemesis.studies.study import Study

PUBLISHED = {"ga-la": 1.0, "ga-lp": 0.98, "ga-ta": 1.0, "ga-tp": 0.76, "ga-all": 0.68, "ga-belief": None}
"""The best fitness of a population in print; with the belief the source says only "far better"."""

STUDY = Study(
    "ga-curves",
    "60 genes evolved against each style, all of them, and with a belief that picks the genes",
    "000, section 5.1, figures 5.2–5.7",
    partial(measure_curves, published=PUBLISHED, picture="ga-curves.png", rival="ga-all"),
)
