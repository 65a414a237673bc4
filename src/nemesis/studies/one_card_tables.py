"""Who sits at the tables of chapter 4 of Baker 2010: the four styles, and every table of three of them.

Twenty tables can be made of three opponents when their order does not count; the source finds that it does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations_with_replacement

from nemesis.play.by_name import player
from nemesis.play.match import Player
from nemesis.respond.styles import STYLES

Table = tuple[str, ...]

TIGHT = ("ta", "tp")


STYLE_PLAYERS: Mapping[str, Player] = {name: player(name) for name in STYLES}

TABLES: tuple[Table, ...] = tuple(combinations_with_replacement(STYLES, 3))
"""In the order of fig. 4.3, from three LA to three TP."""


def seated(table: Iterable[str]) -> list[Player]:
    """The players of a table."""
    return [STYLE_PLAYERS[name] for name in table]


def written(table: Iterable[str]) -> str:
    """A table as the source writes it: LA LA TP."""
    return " ".join(table).upper()


def mostly_tight(table: Table) -> bool:
    """Whether more of its players are tight than loose."""
    return 2 * sum(name in TIGHT for name in table) > len(table)
