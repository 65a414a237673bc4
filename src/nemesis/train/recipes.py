"""The evolutions of chapters 5 and 6 of document 000, as declarations. Each is a line of `nemesis evolve list`.

All but one section play from 10 chips with ante 1. Section 5.1 plays from 100 with ante 5, where skill decides more; the
`ga-100` recipes are its own, the `ga` ones the same players in the game of the other sections.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from nemesis.names import unknown
from nemesis.train.recipe import Recipe

STYLES = ("la", "lp", "ta", "tp")
ALL = tuple((style,) for style in STYLES)
PURE = tuple((style,) * 3 for style in STYLES)
GENES = {"kind": "chromosome"}
NETWORK = {"kind": "network"}
Tables = tuple[tuple[str, ...], ...]
Lessons = tuple[tuple[int, Tables], ...]


def _at_100_chips() -> Iterator[Recipe]:
    """Section 5.1 to the letter: 100 chips, ante 5, 100 games against each style, 1000 generations against all."""
    game = "one-card-100"
    for style in STYLES:
        about = f"60 genes against {style.upper()} alone, 100 chips (5.1)"
        yield Recipe(f"ga-100-{style}", about, "genetic", GENES, ((style,),), game)
    about = "60 genes against all four styles, 100 chips (5.1.1)"
    yield Recipe("ga-100-all", about, "genetic", GENES, ALL, game, generations=1000)
    about = "240 genes, a belief picks the block of 60, 100 chips (5.1.1)"
    yield Recipe("ga-100-belief", about, "genetic", {**GENES, "beliefs": True}, ALL, game, generations=1000)


def _recipes() -> Iterator[Recipe]:
    for style in STYLES:
        yield Recipe(f"ga-{style}", f"60 genes against {style.upper()} alone (5.1)", "genetic", GENES, ((style,),))
    yield Recipe("ga-all", "60 genes against all four styles (5.1)", "genetic", GENES, ALL, tournaments=25)
    about = "240 genes, a belief picks the block of 60 (5.1)"
    yield Recipe("ga-belief", about, "genetic", {**GENES, "beliefs": True}, ALL, tournaments=25)
    yield from _at_100_chips()
    for style in STYLES:
        about = f"incremental learning of a table against {style.upper()} alone"
        yield Recipe(f"specialist-{style}", about, "incremental", GENES, ((style,),), generations=200, tournaments=200)
    about = "incremental learning of four tables, a belief picks one"
    yield Recipe("specialist-belief", about, "incremental", {**GENES, "beliefs": True}, ALL, generations=200)
    for style in STYLES:
        about = f"NEAT against {style.upper()} alone (5.2.2)"
        yield Recipe(f"neat-{style}", about, "neat", NETWORK, ((style,),), generations=400)
    yield Recipe(
        "neat-all", "NEAT against all four styles, no belief (fig. 5.14)", "neat", NETWORK, ALL, generations=400
    )
    about = "NEAT with the four beliefs as inputs (fig. 5.16)"
    yield Recipe("neat-belief", about, "neat", {**NETWORK, "beliefs": True}, ALL, generations=400)
    for name, about, player in (
        ("neat-four", "four seats, no belief (5.3)", NETWORK),
        ("neat-four-belief", "four seats, with beliefs (5.3)", {**NETWORK, "beliefs": True}),
        ("neat-four-no-last", "ablation: beliefs, no last action", {**NETWORK, "beliefs": True, "last_action": False}),
        (
            "neat-four-no-recurrence",
            "ablation: beliefs, one opponent shown",
            {**NETWORK, "beliefs": True, "recurrence": False},
        ),
    ):
        yield Recipe(name, about, "neat", player, PURE, generations=400)
    alone = {**NETWORK, "hidden": 12, "each_card": True}
    seated = {**NETWORK, "hidden": 12, "loops": True, "stakes": True}
    told = "the same with beliefs by showdown"
    for name, about, player, tables, generations in (
        ("dense-all", "one fixed network against all four styles, no belief", alone, ALL, 700),
        ("dense-belief", told, {**alone, "beliefs": "showdown"}, ALL, 700),
        ("dense-four", "one fixed network at four seats, no belief", seated, PURE, 400),
        ("dense-four-belief", told, {**seated, "beliefs": "showdown"}, PURE, 400),
    ):
        yield Recipe(
            name, about, "natural", player, tables,
            population=40, generations=generations, tournaments=40, spread=0.5,
        )  # fmt: skip


WEAK = (("hm",), ("cm",), ("sl",), ("cs",))
CARELESS = (("hm",), ("cm",))
FAIR = (("nl-la",), ("nl-lp",), ("nl-tp",), ("nl-ta",))


def _ashe_recipes() -> Iterator[Recipe]:
    pairs = (("hm",), ("sl",), ("nl-la",), ("nl-tp",))
    instances: tuple[tuple[str, str, Tables, Lessons], ...] = (
        ("a1", "against HM, CM, SL and CS", WEAK, ()),
        ("a2", "against LA, LP, TP and TA", FAIR, ()),
        ("a3", "against HM, SL, LA and TP, little variety", pairs, ()),
        ("a4", "against A1's opponents, then A2's", FAIR, ((200, WEAK),)),
    )
    for name, about, tables, lessons in instances:
        yield Recipe(
            f"tiered-{name}", f"ASHE {about}, from chance, as published (003)", "tiered", {"kind": "ashe"}, tables,
            game="no-limit", population=50, generations=500, tournaments=1, lessons=lessons,
        )  # fmt: skip
        if lessons:
            about, both = "against A1's opponents, then A1's and A2's", (*WEAK, *FAIR)
            lessons, tables = ((20, WEAK), (120, both)), (*WEAK, *CARELESS, *CARELESS, *FAIR)
        yield Recipe(
            f"ashe-{name}", f"ASHE {about}, natural evolution from the sketch", "natural", {"kind": "ashe"}, tables,
            game="no-limit", population=40, generations=200 if lessons else 80, tournaments=2, spread=0.15,
            cooling=0.98, cools_from=120 if lessons else 50, lessons=lessons,
        )  # fmt: skip


RECIPES: Mapping[str, Recipe] = {recipe.name: recipe for recipe in (*_recipes(), *_ashe_recipes())}


def recipe_named(name: str) -> Recipe:
    """The recipe of that name."""
    if name not in RECIPES:
        raise unknown("recipe", name, RECIPES, "nemesis evolve list shows them all")
    return RECIPES[name]
