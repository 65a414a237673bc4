"""The evolutions of ASHE: the four instances of the ASHE paper, as published and as we raise them.

`tiered` recipes are the source's: from chance, module by module. `ashe` recipes start from the sketch and use natural
evolution; A4's lessons begin with the weakest opponents and never leave them.
"""

from __future__ import annotations

from collections.abc import Iterator

from nemesis.evolve.natural import NaturalParameters
from nemesis.evolve.tiered import TieredParameters
from nemesis.train.ashe_kind import AsheKind
from nemesis.train.matches import Matches
from nemesis.train.recipe import Recipe
from nemesis.train.school import Lessons, Tables

WEAK = (("hm",), ("cm",), ("sl",), ("cs",))
CARELESS = (("hm",), ("cm",))
FAIR = (("nl-la",), ("nl-lp",), ("nl-tp",), ("nl-ta",))
SPREAD_RATE = 0.1
"""How fast natural evolution changes its spreads: the paper's for a thousand genes, and of ours few matter at first."""


def _recipes() -> Iterator[Recipe]:
    pairs = (("hm",), ("sl",), ("nl-la",), ("nl-tp",))
    instances: tuple[tuple[str, str, Tables, Lessons], ...] = (
        ("a1", "against HM, CM, SL and CS", WEAK, ()),
        ("a2", "against LA, LP, TP and TA", FAIR, ()),
        ("a3", "against HM, SL, LA and TP, little variety", pairs, ()),
        ("a4", "against A1's opponents, then A2's", FAIR, ((200, WEAK),)),
    )
    for name, about, tables, lessons in instances:
        yield Recipe(
            f"tiered-{name}", f"ASHE {about}, from chance, as published (the ASHE paper)", "no-limit",
            AsheKind(), TieredParameters(population=50), Matches(tables, 500, 1, lessons),
        )  # fmt: skip
        if lessons:
            about, both = "against A1's opponents, then A1's and A2's", (*WEAK, *FAIR)
            lessons, tables = ((20, WEAK), (120, both)), (*WEAK, *CARELESS, *CARELESS, *FAIR)
        learner = NaturalParameters(
            population=40, spread=0.15, spread_rate=SPREAD_RATE, cooling=0.98, cools_from=120 if lessons else 50
        )
        yield Recipe(
            f"ashe-{name}", f"ASHE {about}, natural evolution from the sketch", "no-limit",
            AsheKind(), learner, Matches(tables, 200 if lessons else 80, 2, lessons),
        )  # fmt: skip


RECIPES = tuple(_recipes())
