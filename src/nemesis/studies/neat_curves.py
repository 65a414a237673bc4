"""NEAT against each style, all styles, and all styles with the four beliefs as inputs (000, figures 5.9 to 5.16)."""

from __future__ import annotations

from functools import partial

from nemesis.studies.curves import measure_curves
from nemesis.studies.study import Study

PUBLISHED = {
    "neat-la": 1.0,
    "neat-lp": 1.0,
    "neat-ta": 1.0,
    "neat-tp": None,
    "neat-all": 0.87,
    "neat-belief": 0.97,
}
"""The best fitness of a population in print; against TP the source says only that it is less."""

STUDY = Study(
    "neat-curves",
    "Networks evolved against each style, all of them, and with beliefs as inputs",
    "000, section 5.2, figures 5.9–5.16",
    partial(measure_curves, published=PUBLISHED, picture="neat-curves.png", rival="neat-all"),
)
