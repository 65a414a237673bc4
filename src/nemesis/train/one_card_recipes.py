"""The evolutions of chapters 5 and 6 of Baker 2010, as declarations. Each is a line of `nemesis evolve list`.

All but one section play from 10 chips with ante 1. Section 5.1 plays from 100 with ante 5, where skill decides more; the
`ga-100` recipes are its own, the `ga` ones the same players in the game of the other sections.

Section 5.2.2 can be read in two ways. It gives .01 as the probability of adding a connection, which its software and most
others apply to a whole network (the `neat` recipes), and says that this adds "around one connection" to every network in
every generation, which it does if it is the probability of each pair of nodes (Baker et al. 2008: "between any two nodes").
The `neat-growing` recipes are that reading. They also start with hardly a connection, as SharpNEAT does: the source
reports that a link from the card to an output evolved after 20 to 56 generations.

Section 5.1 can be read in two ways too. It gives .01 as the probability of a mutation and says that it is meant for one
mutation of a chromosome in a generation. With 60 genes that is nearly so; a chromosome of 240 would have four times as many.
`ga-100-belief-once` has as many as 60 genes have.

At four seats the fitness has hands won / hands played added, as equation 4 has it.
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
RARER = replace(GENETIC, mutation=GENETIC.mutation / len(STYLES))
GROWING = NeatParameters(each_place=True, connected=0.05)


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
    told = "240 genes, a belief picks the block of 60, 100 chips (Baker 2010, 5.1.1)"
    for name, about, player, learner in (
        ("ga-100-all", "60 genes against all four styles, 100 chips (Baker 2010, 5.1.1)", GENES, GENETIC),
        ("ga-100-belief", told, BELIEVING_GENES, GENETIC),
        ("ga-100-belief-once", f"{told}, as many mutations as 60 genes have", BELIEVING_GENES, RARER),
    ):
        yield Recipe(name, about, game, player, learner, Tournaments(ALL, generations=1000))


def _incremental() -> Iterator[Recipe]:
    """Ours: the same tables, learned from the statistics of generations."""
    for style in STYLES:
        about = f"incremental learning of a table against {style.upper()} alone"
        school = Tournaments(((style,),), generations=200, games=200)
        yield Recipe(f"specialist-{style}", about, GAME, GENES, INCREMENTAL, school)
    about = "incremental learning of four tables, a belief picks one"
    school = Tournaments(ALL, generations=200)
    yield Recipe("specialist-belief", about, GAME, BELIEVING_GENES, INCREMENTAL, school)


def _neat(family: str, learner: NeatParameters, reading: str) -> Iterator[Recipe]:
    """Sections 5.2 and 5.3: networks that grow, by one reading of the rates."""
    for style in STYLES:
        about = f"NEAT{reading} against {style.upper()} alone (Baker 2010, 5.2.2)"
        school = Tournaments(((style,),), generations=400)
        yield Recipe(f"{family}-{style}", about, GAME, NetworkKind(), learner, school)
    believing = NetworkKind(beliefs="plain")
    alone, seated = Tournaments(ALL, generations=400), Tournaments(PURE, generations=400, hands_won=1.0)
    for name, about, player, school in (
        ("all", "against all four styles, no belief (Baker 2010, fig. 5.14)", NetworkKind(), alone),
        ("belief", "with the four beliefs as inputs (Baker 2010, fig. 5.16)", believing, alone),
        ("four", "at four seats, no belief (Baker 2010, fig. 5.20)", NetworkKind(), seated),
        ("four-belief", "at four seats, with beliefs (Baker 2010, fig. 5.21)", believing, seated),
    ):
        yield Recipe(f"{family}-{name}", f"NEAT{reading} {about}", GAME, player, learner, school)


def _ablated() -> Iterator[Recipe]:
    """Figure 5.24: the network of four seats without a part."""
    school = Tournaments(PURE, generations=400, hands_won=1.0)
    for name, about, player in (
        ("no-last", "no last action", NetworkKind(beliefs="plain", last_action=False)),
        ("no-recurrence", "one opponent shown", NetworkKind(beliefs="plain", recurrence=False)),
    ):
        yield Recipe(
            f"neat-four-{name}", f"ablation: beliefs, {about} (Baker 2010, fig. 5.24)", GAME, player, NEAT, school
        )


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


RECIPES = (
    *_genetic(),
    *_at_100_chips(),
    *_incremental(),
    *_neat("neat", NEAT, ""),
    *_ablated(),
    *_neat("neat-growing", GROWING, ", a connection between any two nodes with .01,"),
    *_dense(),
)
