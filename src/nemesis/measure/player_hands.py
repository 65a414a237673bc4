"""The hands behind a player's number, a page at a time, and the player's trail through time."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass

from nemesis.measure.player_numbers import BY_NAME, Numbers, Prior, numbers_of_row, sums_sql
from nemesis.observe.store import Store

STRETCHES = 12
"""How many parts a trail has, if there are hands enough."""
LEAST = 25
"""Hands of a stretch, at least."""


@dataclass(frozen=True)
class PlayedHand:
    """A hand of a player; `made` and `of` are what it adds to the number that was asked for."""

    hand: int
    """The store's number of the hand."""
    name: str
    time: datetime.datetime | None
    seats: int
    cards: str | None
    board: str
    won: float | None
    """In big blinds."""
    made: float
    of: int


@dataclass(frozen=True)
class Stretch:
    """Some consecutive hands of a player, and the numbers of these hands alone."""

    since: datetime.datetime | None
    until: datetime.datetime | None
    first: int
    """How many hands come before."""
    numbers: Numbers


def count_hands(store: Store, player: int, number: str | None = None, made: bool = False) -> int:
    """How many hands `played_hands` would give."""
    return store.number(f"SELECT count(*) FROM seats WHERE player = ? AND {_condition(number, made)}", [player])


def played_hands(
    store: Store, player: int, number: str | None = None, made: bool = False, first: int = 0, count: int = 50
) -> list[PlayedHand]:
    """The hands of a player, the latest first; those that a number counts, or only those in which it was made."""
    condition = _condition(number, made)
    did, could = (BY_NAME[number].made, BY_NAME[number].of) if number else ("0", "1")
    rows = store.rows(
        f"""SELECT s.hand, h.name, s.time, s.dealt, s.cards, h.board, s.payoff / s.big_blind, s.made, s.of FROM (
            SELECT hand, time, dealt, cards, payoff::DOUBLE AS payoff, big_blind, ({did})::DOUBLE AS made,
            ({could})::BIGINT AS of FROM seats WHERE player = ? AND {condition}
            ORDER BY time DESC, hand DESC LIMIT {int(count)} OFFSET {int(first)}) s
        JOIN hands h USING (hand) ORDER BY s.time DESC, s.hand DESC""",
        [player],
    )
    return [PlayedHand(*row) for row in rows]


def _condition(number: str | None, made: bool) -> str:
    if number is None:
        return "true"
    if number not in BY_NAME:
        raise ValueError(f"{number!r} is not a number; known are {', '.join(BY_NAME)}")
    share = BY_NAME[number]
    return f"({share.made if made else share.of}) > 0"


def style_trail(store: Store, player: int, priors: Mapping[str, Prior], stretches: int = STRETCHES) -> list[Stretch]:
    """The player's numbers in consecutive parts of its hands, so that a change of style shows."""
    hands = store.number("SELECT count(*) FROM seats WHERE player = ?", [player])
    parts = max(1, min(stretches, hands // LEAST))
    sums = store.arrays(
        f"""SELECT {sums_sql("stretch")}, min(time) AS since, max(time) AS until, min(place) AS first FROM (
            SELECT *, ntile({parts}) OVER (ORDER BY time, hand) AS stretch,
            row_number() OVER (ORDER BY time, hand) - 1 AS place FROM seats WHERE player = ?)
        GROUP BY player, part ORDER BY part""",
        [player],
    )
    since, until = (column.tolist() for column in (sums["since"], sums["until"]))
    return [
        Stretch(_day(since[at]), _day(until[at]), int(sums["first"][at]), numbers_of_row(sums, at, "", "", priors))
        for at in range(len(sums["hands"]))
    ]


def _day(moment: object) -> datetime.datetime | None:
    if isinstance(moment, int):  # nanoseconds, as NumPy tells them
        return datetime.datetime.fromtimestamp(moment / 1e9, datetime.UTC).replace(tzinfo=None)
    return moment if isinstance(moment, datetime.datetime) else None
