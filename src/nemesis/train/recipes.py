"""Every recipe by name: what `nemesis evolve list` shows."""

from __future__ import annotations

from collections.abc import Mapping

from nemesis import names
from nemesis.train.recipe import Recipe

RECIPES: Mapping[str, Recipe] = {recipe.name: recipe for spec in names.RECIPES for recipe in names.resolve(spec)}


def recipe_named(name: str) -> Recipe:
    """The recipe of that name."""
    if name not in RECIPES:
        raise names.unknown("recipe", name, RECIPES, "nemesis evolve list shows them all")
    return RECIPES[name]
