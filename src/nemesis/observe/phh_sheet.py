"""The arrays that compiled reading of PHH text works on: the rows it writes, and the scratch that one hand lies on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.about import ABOUT_ROW
from nemesis.observe.columns import ACTION_ROW, HAND_ROW
from nemesis.observe.phh_fields import FIELDS
from nemesis.observe.toml_bytes import Names
from nemesis.rules.betting import new_hand
from nemesis.rules.game import MAX_SEATS, RULES

SHORTEST_HAND, SHORTEST_ACTION = 64, 6
"""Bytes of text that a hand and an action have at least."""
LABELS = 3
"""Labels that a hand has: its room, its table and its currency."""
MOST_TURNS = 1024
_MOST_AMOUNTS = 16
_NEW_GAMES = 256

ODD_ROW = np.dtype(
    (
        np.record,
        [("row", np.int64), ("span", np.int64), ("start", np.int64), ("end", np.int64), ("line", np.int64)],
    )
)
"""A hand that is left to the complete reader: its row, and where its text is."""

PLACE = np.dtype(
    (
        np.record,
        [
            ("span", np.int64),
            ("at", np.int64),
            ("line", np.int64),
            ("hands", np.int64),
            ("actions", np.int64),
            ("odd", np.int64),
            ("ids", np.int64),  # bytes of the hands' names
        ],
    )
)
"""How far the texts have been read, and how many rows are written."""

READING = np.dtype(
    (
        np.record,
        [
            ("trimming", np.int64),  # 1 if antes are trimmed to the shortest stack
            ("small", np.int64),  # the bets, in millionths
            ("big", np.int64),
            ("finishing", np.int64),  # how many final stacks the source gives, and whether they are EXACT
            ("finishing_precision", np.int64),
            ("winnings", np.int64),
            ("winnings_precision", np.int64),
            ("given", np.int64),  # positions that were given cards, as bits
            ("board", np.int64),  # board cards
            ("showdown", np.int64),  # 1 if anybody showed or threw cards away at the end
            ("finest", np.int64),  # the largest power of ten that divides every amount but the results
            ("parts", np.int64),  # millionths of the source's unit that are a chip
        ],
    )
)
"""What is known of the hand that is being read, beyond its rows."""


class Amounts(NamedTuple):
    """The lists of amounts of a hand, in millionths."""

    stacks: NDArray[np.int64]
    antes: NDArray[np.int64]
    blinds: NDArray[np.int64]
    finishing: NDArray[np.int64]
    winnings: NDArray[np.int64]


class Scratch(NamedTuple):
    """What the hand that is being read lies on."""

    fields: NDArray[np.int64]  # field -> start and end of its value, or -1
    reading: NDArray[np.void]
    amounts: Amounts
    turns: NDArray[np.int64]  # position, code, millionths, board cards
    cards: NDArray[np.int64]  # by position: dealt and shown cards, two each, -1 for none
    rules: NDArray[np.void]
    hand: NDArray[np.void]
    stacks: NDArray[np.int64]  # by position, in chips
    ranks: NDArray[np.int32]
    numbers: NDArray[np.int64]  # for whoever needs a list for a moment


class Games(NamedTuple):
    """The rules met so far by their hash, and the records of those that are new. `counts` is (all, new)."""

    hashes: NDArray[np.uint64]
    numbers: NDArray[np.int64]
    fresh: NDArray[np.void]
    counts: NDArray[np.int64]


class Sheet(NamedTuple):
    """Where rows are written, and the names that they speak of."""

    place: NDArray[np.void]
    hands: NDArray[np.void]
    actions: NDArray[np.void]
    about: NDArray[np.void]
    ids: NDArray[np.uint8]  # the hands' own names one after another
    id_ends: NDArray[np.int64]
    odd: NDArray[np.void]
    players: Names
    labels: Names
    games: Games
    scratch: Scratch


def new_scratch() -> Scratch:
    """Room for one hand."""
    return Scratch(
        np.zeros((len(FIELDS), 2), np.int64),
        np.zeros(1, READING),
        Amounts(*np.zeros((len(Amounts._fields), _MOST_AMOUNTS), np.int64)),
        np.zeros((MOST_TURNS, 4), np.int64),
        np.zeros((MAX_SEATS, 4), np.int64),
        np.zeros(1, RULES),
        new_hand(),
        np.zeros(MAX_SEATS, np.int64),
        np.zeros((1, MAX_SEATS), np.int32),
        np.zeros(_MOST_AMOUNTS, np.int64),
    )


def new_games(known: int, room: int = 1 << 12) -> Games:
    """An empty table of games; the next new one gets the number `known`."""
    return Games(
        np.zeros(room, np.uint64),
        np.full(room, -1, np.int64),
        np.zeros(_NEW_GAMES, RULES),
        np.array([known, 0], np.int64),
    )


def new_sheet(size: int, hands: int, players: Names, labels: Names, games: Games, scratch: Scratch) -> Sheet:
    """Room for `hands` hands in `size` bytes of text, with whatever actions those can hold."""
    return Sheet(
        np.zeros(1, PLACE),
        np.zeros(hands, HAND_ROW),
        np.zeros(size // SHORTEST_ACTION + 2, ACTION_ROW),
        np.zeros(hands, ABOUT_ROW),
        np.zeros(size, np.uint8),
        np.zeros(hands, np.int64),
        np.zeros(hands, ODD_ROW),
        players,
        labels,
        games,
        scratch,
    )
