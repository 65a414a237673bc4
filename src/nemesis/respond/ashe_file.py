"""ASHE in champion files: a genome as text, and the player that a file tells of."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nemesis.respond.ashe import Ashe, Size
from nemesis.respond.champion import ChampionError, player_option, player_size
from nemesis.rules.game import Game
from nemesis.runtime.cache import tell
from nemesis.runtime.limits import MOST_CHIPS

EVOLVED_DEPTH = 200.0
"""Big blinds in a stack of the source's game."""


def packed_genes(genome: ArrayLike) -> str:
    """A genome as text: its single-precision numbers in base 64."""
    return base64.b64encode(np.asarray(genome, "<f4").tobytes()).decode()


def unpacked_genes(text: str) -> NDArray[np.float64]:
    """The genome that `packed_genes` wrote."""
    try:
        raw = base64.b64decode(text, validate=True)
    except (TypeError, ValueError):
        raw = b"?"
    if len(raw) % 4:
        raise ValueError("a genome is text: single-precision numbers in base 64")
    return np.frombuffer(raw, "<f4").astype(np.float64)


@cache
def say_if_strange(name: str, evolved: float, here: float) -> None:
    """Say once that a player sits down with stacks it was not evolved with; it plays on by pot and stack."""
    if evolved != here:
        tell(
            f"{name} was evolved with {evolved:g} big blinds a stack; here it has {here:g} and plays on by pot and stack"
        )


def from_champion(content: Mapping[str, Any], game: Game) -> Ashe:
    """The player of a champion file: `genome` is all weights and first states, `player` has the size and options."""
    player = content["player"]
    size = Size(*(player_size(content, part) for part in ("blocks", "cells", "hidden")))
    forgets, stepless = (player_option(content, key, False) for key in ("forgets", "stepless"))
    depth = player.get("depth", EVOLVED_DEPTH)
    if type(depth) not in (int, float) or not 0 < depth <= MOST_CHIPS:
        raise ChampionError("its depth must be a number of big blinds")
    genes = unpacked_genes(content["genome"])
    ashe = Ashe(game, size, genes, name=content["name"], forgets=forgets, stepless=stepless)
    say_if_strange(ashe.name, float(depth), max(game.stacks) / max(*game.blinds, *game.antes))
    return ashe
