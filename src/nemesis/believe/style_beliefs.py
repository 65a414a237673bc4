"""The style beliefs by name: what each tells apart. Each is made for a game, about everybody at its table."""

from __future__ import annotations

from nemesis.believe.action_table import Variant
from nemesis.believe.style_belief import StyleBelief
from nemesis.believe.tables import action_table
from nemesis.rules.game import Game


def plain(game: Game) -> StyleBelief:
    """Actions alone, on whatever street (Baker 2010, section 4.2.4)."""
    return _belief(game, "plain")


def street(game: Game) -> StyleBelief:
    """Actions by street (Baker 2010, section 7.6)."""
    return _belief(game, "street")


def situation(game: Game) -> StyleBelief:
    """Actions by street and situation: what it cost, who had raised, how many were in."""
    return _belief(game, "situation")


def showdown(game: Game) -> StyleBelief:
    """Actions by situation, and once a hand is shown by how strong it was."""
    return _belief(game, "showdown")


def _belief(game: Game, variant: Variant) -> StyleBelief:
    return StyleBelief(action_table(game).for_variant(variant), game.seats, variant=variant)
