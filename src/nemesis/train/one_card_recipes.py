"""The evolutions of chapters 5 and 6 of Baker 2010, as declarations. Each is a line of `nemesis evolve list`.

All but one section play from 10 chips with ante 1. Section 5.1 plays from 100 with ante 5, where skill decides more; the
`ga-100` recipes are its own, the `ga` ones the same players in the game of the other sections.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from nemesis.evolve.genetic import GeneticParameters
from nemesis.evolve.incremental import IncrementalParameters
from nemesis.evolve.natural import NaturalParameters
from nemesis.evolve.neat import NeatParameters
from nemesis.train.chromosome_kind import ChromosomeKind
from nemesis.train.layered_kind import LayeredKind
from nemesis.train.network_kind import NetworkKind
from nemesis.train.recipe import Recipe
from nemesis.train.tournaments import Tournaments

STYLES = ("la", "lp", "ta", "tp")
ALL = tuple((style,) for style in STYLES)
PURE = tuple((style,) * 3 for style in STYLES)
GAME = "one-card"
GENES = ChromosomeKind()
BELIEVING_GENES = ChromosomeKind(beliefs="plain")
GENETIC, INCREMENTAL, NEAT = GeneticParameters(), IncrementalParameters(), NeatParameters()


def _genetic() -> Iterator[Recipe]:
    """Section 5.1: tables of genes, bred."""
    for style in STYLES:
        about = f"60 genes against {style.upper()} alone (Baker 2010, 5.1)"
        yield Recipe(f"ga-{style}", about, GAME, GENES, GENETIC, Tournaments(((style,),)))
    for name, about, player in (
        ("ga-all", "60 genes against all four styles (Baker 2010, 5.1)", GENES),
        ("ga-belief", "240 genes, a belief picks the block of 60 (Baker 2010, 5.1)", BELIEVING_GENES),
    ):
        yield Recipe(name, about, GAME, player, GENETIC, Tournaments(ALL, games=25))


def _at_100_chips() -> Iterator[Recipe]:
    """Section 5.1 to the letter: 100 chips, ante 5, 100 games against each style, 1000 generations against all."""
    game = "one-card-100"
    for style in STYLES:
        about = f"60 genes against {style.upper()} alone, 100 chips (Baker 2010, 5.1)"
        yield Recipe(f"ga-100-{style}", about, game, GENES, GENETIC, Tournaments(((style,),)))
    for name, about, player in (
        ("ga-100-all", "60 genes against all four styles, 100 chips (Baker 2010, 5.1.1)", GENES),
        ("ga-100-belief", "240 genes, a belief picks the block of 60, 100 chips (Baker 2010, 5.1.1)", BELIEVING_GENES),
    ):
        yield Recipe(name, about, game, player, GENETIC, Tournaments(ALL, generations=1000))


def _incremental() -> Iterator[Recipe]:
    """Ours: the same tables, learned from the statistics of generations."""
    for style in STYLES:
        about = f"incremental learning of a table against {style.upper()} alone"
        school = Tournaments(((style,),), generations=200, games=200)
        yield Recipe(f"specialist-{style}", about, GAME, GENES, INCREMENTAL, school)
    about = "incremental learning of four tables, a belief picks one"
    school = Tournaments(ALL, generations=200)
    yield Recipe("specialist-belief", about, GAME, BELIEVING_GENES, INCREMENTAL, school)


def _neat() -> Iterator[Recipe]:
    """Sections 5.2 and 5.3: networks that grow."""
    for style in STYLES:
        about = f"NEAT against {style.upper()} alone (Baker 2010, 5.2.2)"
        yield Recipe(f"neat-{style}", about, GAME, NetworkKind(), NEAT, Tournaments(((style,),), generations=400))
    believing = NetworkKind(beliefs="plain")
    for name, about, player, tables in (
        ("neat-all", "NEAT against all four styles, no belief (Baker 2010, fig. 5.14)", NetworkKind(), ALL),
        ("neat-belief", "NEAT with the four beliefs as inputs (Baker 2010, fig. 5.16)", believing, ALL),
        ("neat-four", "four seats, no belief (Baker 2010, 5.3)", NetworkKind(), PURE),
        ("neat-four-belief", "four seats, with beliefs (Baker 2010, 5.3)", believing, PURE),
        (
            "neat-four-no-last",
            "ablation: beliefs, no last action",
            NetworkKind(beliefs="plain", last_action=False),
            PURE,
        ),
        (
            "neat-four-no-recurrence",
            "ablation: beliefs, one opponent shown",
            NetworkKind(beliefs="plain", recurrence=False),
            PURE,
        ),
    ):
        yield Recipe(name, about, GAME, player, NEAT, Tournaments(tables, generations=400))


def _dense() -> Iterator[Recipe]:
    """Ours: networks of one shape, with and without a belief."""
    learner = NaturalParameters(population=40, spread=0.5)
    alone, seated = LayeredKind(each_card=True), LayeredKind(loops=True, stakes=True)
    told = "the same with beliefs by showdown"
    for name, about, player, tables, generations in (
        ("dense-all", "one fixed network against all four styles, no belief", alone, ALL, 700),
        ("dense-belief", told, replace(alone, beliefs="showdown"), ALL, 700),
        ("dense-four", "one fixed network at four seats, no belief", seated, PURE, 400),
        ("dense-four-belief", told, replace(seated, beliefs="showdown"), PURE, 400),
    ):
        yield Recipe(name, about, GAME, player, learner, Tournaments(tables, generations, games=40))


RECIPES = (*_genetic(), *_at_100_chips(), *_incremental(), *_neat(), *_dense())
