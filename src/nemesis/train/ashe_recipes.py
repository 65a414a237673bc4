"""The evolutions of ASHE: the four instances of the ASHE paper, as published and as we raise them.

`tiered` recipes are the source's in all but size: from chance, module by module, fitness the mean of what is earned.
Three more of A4 change the start, the learner, or both, and nothing else: `tiered-sketch-a4`, `natural-a4` and
`natural-sketch-a4`. `published-a4` has the source's size as well, at some forty times the cost.

`ashe` recipes are how the champions were made: natural evolution from the sketch with the mean of logarithms. A4's lessons
begin with the weakest opponents and never leave them, and its matches are shorter, so that the first hands against a
stranger count. `ashe-loose`, `ashe-wild` and `ashe-sharp` go on from A4, `ashe-loose` and A2 against opponents of one
kind; `ashe-team` goes on from A2 with these three beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict

from nemesis.evolve.natural import NaturalParameters
from nemesis.evolve.tiered import TieredParameters
from nemesis.respond.ashe import REFERENCE
from nemesis.respond.ashe_file import BESIDE
from nemesis.train.ashe_kind import CHANCE, AsheKind
from nemesis.train.matches import Matches
from nemesis.train.recipe import Recipe
from nemesis.train.school import Lessons, Tables

WEAK = (("hm",), ("cm",), ("sl",), ("cs",))
CARELESS = (("hm",), ("cm",))
FAIR = (("nl-la",), ("nl-lp",), ("nl-tp",), ("nl-ta",))
PAIRS = (("hm",), ("sl",), ("nl-la",), ("nl-tp",))
WHO_FOLD = (("sl",), ("cs",), ("cs",), ("nl-lp",), ("nl-tp",))
WHO_RAISE = (("nl-ta",),)
WHO_STAY = (("hm",), ("hm",), ("cm",))
WHO_PAY = (("hm",), ("hm",), ("cm",), ("sl",), ("cs",), ("cs",), ("nl-la",), ("nl-lp",))
TERM, TERMS = 20, 10
"""Generations with the same relations, and how many times there are others."""
SPREAD_RATE = 0.1
"""How fast natural evolution changes its spreads: the paper's for a thousand genes, and of ours few matter at first."""

INSTANCES: tuple[tuple[str, str, Tables, Lessons], ...] = (
    ("a1", "against HM, CM, SL and CS", WEAK, ()),
    ("a2", "against LA, LP, TP and TA", FAIR, ()),
    ("a3", "against HM, SL, LA and TP, little variety", PAIRS, ()),
    ("a4", "against A1's opponents, then A2's", FAIR, ((200, WEAK),)),
)


def _published() -> Iterator[Recipe]:
    """All but the size; and for A4 with the other start, the other learner and both."""
    for name, about, tables, lessons in INSTANCES:
        school = Matches(tables, 500, 1, lessons, earnings_scale="linear")
        tiered, natural = TieredParameters(population=50), NaturalParameters(population=50, spread_rate=SPREAD_RATE)
        told = f"ASHE {about}, in all but size as published (the ASHE paper)"
        yield Recipe(f"tiered-{name}", told, "no-limit", AsheKind(start=CHANCE), tiered, school)
        if lessons:
            large = AsheKind(**asdict(REFERENCE), start=CHANCE)
            yield Recipe(f"published-{name}", f"ASHE {about}, as published, size and all (the ASHE paper)", "no-limit",
                         large, tiered, school)  # fmt: skip
            yield Recipe(f"tiered-sketch-{name}", f"{told} but from the sketch", "no-limit", AsheKind(), tiered, school)
            told += " but by natural evolution"
            yield Recipe(f"natural-{name}", told, "no-limit", AsheKind(start=CHANCE), natural, school)
            narrow = NaturalParameters(population=50, spread=0.15, spread_rate=SPREAD_RATE)
            told += " from the sketch"
            yield Recipe(f"natural-sketch-{name}", told, "no-limit", AsheKind(), narrow, school)


def _raised() -> Iterator[Recipe]:
    """How the champions were made."""
    for name, about, tables, lessons in INSTANCES:
        if lessons:
            about, both = "against A1's opponents, then A1's and A2's", (*WEAK, *FAIR)
            lessons, tables = ((20, WEAK), (70, both)), (*WEAK, *CARELESS, *CARELESS, *FAIR)
        learner = NaturalParameters(
            population=40, spread=0.15, spread_rate=SPREAD_RATE, cooling=0.98, cools_from=70 if lessons else 50
        )
        school = Matches(tables, 140, 8, lessons, hands=250) if lessons else Matches(tables, 80, 2)
        about = f"ASHE {about}, natural evolution from the sketch"
        yield Recipe(f"ashe-{name}", about, "no-limit", AsheKind(), learner, school)


def _team() -> Iterator[Recipe]:
    """`ashe-team`: its specialists against who pays, who never folds and who raises, and itself against all who are left.

    HP is met only by relations; those of TP, TA and HP are others every term.
    """
    learner = NaturalParameters(population=40, spread=0.08, spread_rate=SPREAD_RATE, cooling=0.98, cools_from=50)
    about = "ASHE against weak and loose opponents, natural evolution from ashe-a4"
    school = Matches(WHO_PAY, 90, 6, hands=250)
    yield Recipe("ashe-loose", about, "no-limit", AsheKind(start="ashe-a4"), learner, school)
    learner = NaturalParameters(population=40, spread=0.12, spread_rate=SPREAD_RATE, cooling=0.98, cools_from=100)
    about = "ASHE against opponents who never fold, natural evolution from ashe-loose"
    school = Matches(WHO_STAY, 200, 16, hands=250)
    yield Recipe("ashe-wild", about, "no-limit", AsheKind(start="ashe-loose"), learner, school)
    yield _with_kin("ashe-sharp", "ASHE against opponents who raise and fold, natural evolution from ashe-a2",
                    AsheKind(start="ashe-a2"), WHO_RAISE, {"nl-ta": 4, "hp": 6})  # fmt: skip
    about = "ASHE with four pairs of estimators, three champions beside it, natural evolution from ashe-a2"
    yield _with_kin("ashe-team", about, AsheKind(start="ashe-a2", beside=BESIDE), WHO_FOLD, {"nl-tp": 2})


def _with_kin(name: str, about: str, player: AsheKind, always: Tables, kin: Mapping[str, int]) -> Recipe:
    """Against the same opponents always, and every term against so many other relations of some."""
    terms = [(*always, *_relations(kin, term)) for term in range(TERMS)]
    lessons = tuple((TERM * (at + 1), tables) for at, tables in enumerate(terms[:-1]))
    learner = NaturalParameters(
        population=40, spread=0.1, spread_rate=SPREAD_RATE, cooling=0.98, cools_from=TERM * (TERMS - 4)
    )
    return Recipe(name, about, "no-limit", player, learner, Matches(terms[-1], TERM * TERMS, 6, lessons, hands=250))


def _relations(kin: Mapping[str, int], term: int) -> Tables:
    """The relations of a term, none of which has come before."""
    return tuple(
        (f"{name}:kin={number}",)
        for name, each in kin.items()
        for number in range(each * term + 1, each * (term + 1) + 1)
    )


RECIPES = (*_published(), *_raised(), *_team())
