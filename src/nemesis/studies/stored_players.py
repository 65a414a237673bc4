"""The people that a study is about: players of the store with enough hands, by a rule that does not look at the results.

Studies of real players measure on the store of hands (`NEMESIS_STORE`, or the user's own). Ours are made from the Ongame
hands of the PHH dataset, files 1 to 100 of 400NL. Groups are the POM thesis's: weak, average and strong by what a player won
over his first hands in the store, here in big blinds; it takes five players each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from nemesis.believe.pom_patterns import Patterns, player_patterns
from nemesis.observe.store import Store, StoreError, open_store, store_path
from nemesis.studies.study import Setting

GROUPS = ("weak", "average", "strong")
GROUP_HANDS = 400
"""Hands of a player in the thesis's groups."""
PLAYERS = "players"
"""What the intervals are over."""


class StoredPlayer(NamedTuple):
    """A player of the store, and the big blinds won in the hands that were asked for."""

    name: str
    room: str
    won: float


@contextmanager
def people(setting: Setting) -> Iterator[Store]:
    """The store that the study measures on."""
    path = store_path()
    try:
        with open_store(path) as store:
            yield store
    except StoreError as error:
        raise StoreError(f"this study measures real players: {error} (NEMESIS_STORE names another file)") from None


def players_with(store: Store, hands: int, least: int) -> list[StoredPlayer]:
    """Everybody with so many hands, the most first, and what they won in their first ones; at least `least` of them."""
    query = """
        WITH numbered AS (
            SELECT player, payoff / big_blind AS won, row_number() OVER (PARTITION BY player ORDER BY time, hand) AS turn,
                   count(*) OVER (PARTITION BY player) AS hands
            FROM seats)
        SELECT name, room, coalesce(sum(won), 0) FROM numbered JOIN players USING (player)
        WHERE turn <= ? AND hands >= ? GROUP BY player, name, room, hands ORDER BY hands DESC, player"""
    found = [StoredPlayer(*row) for row in store.rows(query, [hands, hands])]
    if len(found) < least:
        raise StoreError(
            f"the store {store.path} has {len(found)} players with at least {hands} hands; this study needs {least}"
        )
    return found


def result_groups(store: Store, size: int, hands: int = GROUP_HANDS) -> dict[str, list[StoredPlayer]]:
    """Groups of so many players by result: who lost most, who is nearest to even, who won most."""
    ranked = sorted(players_with(store, hands, 3 * size), key=lambda player: (player.won, player.name))
    weak, strong = ranked[:size], ranked[-size:]
    between = sorted(ranked[size:-size], key=lambda player: (abs(player.won), player.name))
    return dict(zip(GROUPS, (weak, between[:size], strong), strict=True))


def patterns_by_player(store: Store, players: Sequence[StoredPlayer], setting: Setting) -> list[Patterns]:
    """The patterns of each."""
    found = []
    for number, player in enumerate(players, 1):
        setting.progress(f"reading player {number} of {len(players)}")
        found.append(player_patterns(store, player.name, player.room))
    return found


def told_of(store: Store) -> Mapping[str, Any]:
    """What a report says of its hands."""
    hands, first, last = store.rows("SELECT count(*), min(time)::DATE, max(time)::DATE FROM hands")[0]
    rooms = [room for (room,) in store.rows("SELECT DISTINCT room FROM hands ORDER BY room")]
    return {"hands": hands, "rooms": rooms, "from": str(first), "to": str(last)}
