"""NEAT against each style, all styles, and all styles with the four beliefs as inputs (Baker 2010, section 5.2; 001)."""

from __future__ import annotations

from functools import partial

from nemesis.studies.curve_picture import draw_curves
from nemesis.studies.curves import measure_curves, networks_picture
from nemesis.studies.network_picture import draw_networks
from nemesis.studies.study import Study

PUBLISHED = {"la": 1.0, "lp": 1.0, "ta": 1.0, "tp": None, "all": 0.87, "belief": 0.97}
"""The best fitness of a population in print; against TP the source says only that it is less."""

CLAIMS = {
    ("la", "tp"): "1.00 > less",
    ("lp", "tp"): "1.00 > less",
    ("ta", "tp"): "1.00 > less",
    ("alone", "all"): "more > .87",
    ("belief", "all"): ".97 > .87",
}
"""Which wins more than which."""

STUDY = Study(
    "neat-curves",
    "Networks evolved against each style, all of them, and with beliefs as inputs",
    "Baker 2010, section 5.2, figures 5.9–5.14, 5.16; Baker et al. 2008, figures 3–7 and 9",
    partial(
        measure_curves,
        family="neat",
        published=PUBLISHED,
        claims=CLAIMS,
        picture="neat-curves.png",
        drawn=("ta", "belief"),
    ),
    {"neat-curves.png": draw_curves, networks_picture("neat"): draw_networks},
)
