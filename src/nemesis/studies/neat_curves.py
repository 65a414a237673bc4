"""NEAT against each style, all styles, and all with the four beliefs as inputs (Baker 2010, 5.2; Baker et al. 2008).

Two studies, for the two readings of the source's rates: `neat-curves` adds a connection to a network with probability .01,
`neat-growing` between any two of its nodes (see `train.one_card_recipes`).
"""

from __future__ import annotations

from functools import partial

from nemesis.studies.curve_picture import draw_curves
from nemesis.studies.curves import Family, measure_curves, networks_picture
from nemesis.studies.network_picture import draw_networks
from nemesis.studies.study import Study


def _family(name: str, picture: str) -> Family:
    return Family(
        name,
        # Against TP the source says only that it is less.
        bests={"la": 1.0, "lp": 1.0, "ta": 1.0, "tp": None, "all": 0.87, "belief": 0.97},
        claims={
            ("la", "tp"): "1.00 > less",
            ("lp", "tp"): "1.00 > less",
            ("ta", "tp"): "1.00 > less",
            ("alone", "all"): "more > .87",
            ("belief", "all"): ".97 > .87",
        },
        picture=picture,
        places={
            "la": "fig. 5.9",
            "lp": "fig. 5.10",
            "ta": "fig. 5.11",
            "tp": "fig. 5.13",
            "all": "fig. 5.14",
            "belief": "fig. 5.16",
        },
        sooner=("belief", "all", "35 v more than 120"),
        drawn=("ta", "belief"),
    )


def _study(name: str, family: str, about: str) -> Study:
    picture = f"{name}.png"
    return Study(
        name,
        f"Networks evolved against each style, all of them, and with beliefs as inputs{about}",
        "Baker 2010, section 5.2, figures 5.9–5.14, 5.16; Baker et al. 2008, figures 3–7 and 9",
        partial(measure_curves, family=_family(family, picture)),
        {picture: draw_curves, networks_picture(family): draw_networks},
        "about 40 CPU minutes: 30 to 50 CPU seconds a run against one style, 140 to 180 against all",
    )


STUDY = _study("neat-curves", "neat", "")
GROWING = _study("neat-growing", "neat-growing", ", a connection between any two nodes with .01")
