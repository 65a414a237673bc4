"""The evolutions of chapter 7 of Baker 2010, as declarations, and ours on the same inputs.

`limit-neat` recipes are the source's. `limit-all`, `limit-plain`, `limit-belief` and the `limit-dense` specialists show what
the same inputs allow: networks of one shape that imitate best responses (`train.imitation`) and then evolve; from chance,
natural evolution stayed at 88 % of the ceiling against LA, in the one run we made. `limit-la` to `limit-tp` are also
shown the stakes, which the source does not show its network.
"""

from __future__ import annotations

from collections.abc import Iterator

from nemesis.evolve.natural import NaturalParameters
from nemesis.evolve.neat import NeatParameters
from nemesis.train.chips import Chips
from nemesis.train.holdem_kind import HoldemKind
from nemesis.train.holdem_layered_kind import HoldemLayeredKind
from nemesis.train.one_card_recipes import ALL, PURE, STYLES
from nemesis.train.recipe import Recipe

GAME = "limit"
NEAT = NeatParameters()
NATURAL = NaturalParameters(population=40, spread=0.03)
ROUND = "street"


def _published() -> Iterator[Recipe]:
    """Sections 7.3 to 7.9: networks that grow."""
    alone, one_table, by_round = HoldemKind(), HoldemKind(beliefs="plain"), HoldemKind(beliefs=ROUND)
    for style, figure in zip(STYLES, ("7.2", "7.3", "7.4", "7.5"), strict=True):
        about = f"NEAT at limit hold'em against {style.upper()} alone (Baker 2010, fig. {figure})"
        yield Recipe(f"limit-neat-{style}", about, GAME, alone, NEAT, Chips(((style,),)))
    for name, about, player in (
        ("limit-neat-all", "NEAT against all four styles, no belief (Baker 2010, fig. 7.6)", alone),
        ("limit-neat-plain", "NEAT with beliefs by one table, the last 8 actions (Baker 2010, fig. 7.10)", one_table),
        ("limit-neat-belief", "NEAT with round-based beliefs, the last 8 actions (Baker 2010, fig. 7.20)", by_round),
    ):
        yield Recipe(name, about, GAME, player, NEAT, Chips(ALL))
    for name, about, player in (
        ("limit-neat-four", "four seats, recurrent, no belief (Baker 2010, fig. 7.28)", alone),
        ("limit-neat-four-belief", "four seats, recurrent, round-based beliefs (Baker 2010, fig. 7.29)", by_round),
        ("limit-neat-four-30", "four seats, 30 inputs at once (Baker 2010, fig. 7.31)",
         HoldemKind(beliefs=ROUND, at_once=True)),
    ):  # fmt: skip
        yield Recipe(name, about, GAME, player, NEAT, Chips(PURE, spread=0.5))


def _taught() -> Iterator[Recipe]:
    """Ours: networks of one shape that begin as imitations of the best responses."""
    for prefix, told, stakes in (("limit-dense", "the source's inputs", False), ("limit", "stakes too", True)):
        for style in STYLES:
            about = f"one taught network against {style.upper()} alone, {told}"
            player = HoldemLayeredKind(stakes=stakes, teachers=(style,))
            yield Recipe(f"{prefix}-{style}", about, GAME, player, NATURAL, Chips(((style,),), 60, 4))
    for name, what, beliefs in (
        ("all", "no belief", None),
        ("plain", "beliefs by one table", "plain"),
        ("belief", "round-based beliefs", ROUND),
    ):
        about = f"one taught network against all four styles, {what}, the source's inputs"
        player = HoldemLayeredKind(beliefs=beliefs, hidden=24, teachers=STYLES)
        yield Recipe(f"limit-{name}", about, GAME, player, NATURAL, Chips(ALL, 60, 2))


RECIPES = (*_published(), *_taught())
