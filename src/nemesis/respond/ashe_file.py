"""ASHE in champion files: a genome as text, and the player that a file tells of."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nemesis.respond.ashe import Ashe, Size, Specialists
from nemesis.respond.champion import ChampionError, player_option, player_size, read_champion, shipped_champions
from nemesis.rules.game import Game
from nemesis.runtime.cache import tell
from nemesis.runtime.limits import MOST_CHIPS

EVOLVED_DEPTH = 200.0
"""Big blinds in a stack of the source's game."""
BESIDE = ("ashe-loose", "ashe-wild", "ashe-sharp")
"""The champions that play against payers, stayers and raisers for one that has specialists beside it."""


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


def shipped_genes(name: str, size: Size) -> NDArray[np.float64]:
    """The genome of a shipped ASHE of this size."""
    shipped = shipped_champions()
    if name not in shipped:
        raise ChampionError(f"{name!r} is not among the shipped champions")
    content = read_champion(shipped[name])
    genes = unpacked_genes(content["genome"]) if content["player"].get("kind") == "ashe" else np.zeros(0)
    if genes.size != size.genes:
        raise ChampionError(
            f"{name} is not an ASHE of {size.blocks} blocks x {size.cells} cells and {size.hidden} nodes"
        )
    return genes


def beside(names: Sequence[str], size: Size) -> Specialists | None:
    """Who plays against payers, stayers and raisers: three shipped champions of this size, or nobody special."""
    return Specialists(*(shipped_genes(name, size) for name in names)) if names else None


@cache
def say_if_strange(name: str, evolved: float, here: float) -> None:
    """Say once that a player sits down with stacks it was not evolved with; it plays on by pot and stack."""
    if evolved != here:
        tell(
            f"{name} was evolved with {evolved:g} big blinds a stack; here it has {here:g} and plays on by pot and stack"
        )


def from_champion(content: Mapping[str, Any], game: Game) -> Ashe:
    """The player of a champion file: `genome` is all weights and first states, `player` has the size and options.

    Whoever is to be beside it is a shipped champion, as in `BESIDE`.
    """
    player = content["player"]
    size = Size(*(player_size(content, part) for part in ("blocks", "cells", "hidden")))
    forgets, stepless = (player_option(content, key, False) for key in ("forgets", "stepless"))
    depth = player.get("depth", EVOLVED_DEPTH)
    if type(depth) not in (int, float) or not 0 < depth <= MOST_CHIPS:
        raise ChampionError("its depth must be a number of big blinds")
    genes = unpacked_genes(content["genome"])
    names = player.get("beside", [])
    if not isinstance(names, list) or len(names) not in (0, len(BESIDE)) or {*map(type, names)} - {str}:
        raise ChampionError(
            f"it has {names!r} beside it; it must be three champions, against payers, stayers and raisers"
        )
    specialists = beside(names, size)
    ashe = Ashe(game, size, genes, name=content["name"], forgets=forgets, stepless=stepless, specialists=specialists)
    say_if_strange(ashe.name, float(depth), max(game.stacks) / max(*game.blinds, *game.antes))
    return ashe
