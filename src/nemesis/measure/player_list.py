"""A list of all players of a store that is filtered, sorted and turned page by page, however many there are.

The sums of all players are read once and kept as columns; a page makes the numbers of its own players only. Sorting is by
the estimates that are shown, so a player of three hands does not lead every list.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from nemesis.measure.player_numbers import (
    ALL,
    BY_NAME,
    Filter,
    Numbers,
    Prior,
    counted,
    numbers_of_row,
    priors_of,
    sums_sql,
)
from nemesis.observe.store import Store

ORDERS = ("player", "room", "hands", "won", *BY_NAME)
"""What a list can be sorted by."""


@dataclass(frozen=True, eq=False)
class PlayerList:
    """Everybody in a store, by row: the store's number, name and room, and the sums of all numbers."""

    number: NDArray[np.int64]
    names: pa.Array
    rooms: pa.Array
    hands: NDArray[np.int64]
    sums: Mapping[str, NDArray[Any]]
    priors: Mapping[str, Prior]
    ranks: Mapping[str, NDArray[np.float64]]
    """The places of names and of rooms in the alphabet."""

    def __len__(self) -> int:
        return len(self.number)

    def find(
        self, named: str = "", room: str | None = None, least: int = 1, order: str = "hands", descending: bool = True
    ) -> NDArray[np.int64]:
        """The rows of players whose name has `named` in it and who have played `least` hands, sorted by one of `ORDERS`."""
        if order not in ORDERS:
            raise ValueError(f"a list of players cannot be sorted by {order!r}; choose one of {', '.join(ORDERS)}")
        wanted = self.hands >= least
        if named:
            wanted &= pc.match_substring(self.names, named, ignore_case=True).to_numpy(zero_copy_only=False)
        if room is not None:
            wanted &= pc.equal(self.rooms, room).to_numpy(zero_copy_only=False)
        rows: NDArray[np.int64] = np.flatnonzero(wanted)
        keys = self._keys(order, rows)
        unknown = np.isnan(keys)
        keys = np.where(unknown, np.inf, -keys if descending else keys)  # who has no such number comes last
        return rows[np.lexsort((rows, keys))]

    def numbers(self, rows: NDArray[np.int64]) -> list[Numbers]:
        """The numbers of the players in these rows."""
        return [
            numbers_of_row(self.sums, at, self.names[at].as_py(), self.rooms[at].as_py(), self.priors)
            for at in rows.tolist()
        ]

    def _keys(self, order: str, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        if order == "hands":
            return self.hands[rows].astype(np.float64)
        if order in self.ranks:
            return self.ranks[order][rows]
        if order == "won":
            played = self.sums["n_won"][rows].astype(np.float64)
            with np.errstate(invalid="ignore", divide="ignore"):
                won: NDArray[np.float64] = counted(self.sums["sum_won"][rows]) / played
            return won
        prior = self.priors[order]
        made, of = (counted(self.sums[f"{kind}_{order}"][rows]) for kind in ("made", "of"))
        a, b = prior.a + made, prior.b + of - made
        estimates: NDArray[np.float64] = a / (a + b)
        return estimates


def read_player_list(store: Store, chosen: Filter = ALL) -> PlayerList:
    """Everybody who has a hand in the store."""
    where, values = chosen.sql()
    found = store.arrays(
        f"""SELECT name, room, s.* FROM (SELECT {sums_sql()} FROM seats WHERE {where} GROUP BY player) s
        JOIN players USING (player) ORDER BY player""",
        values,
    )
    names, rooms = (pa.array(found.pop(column).tolist(), pa.string()) for column in ("name", "room"))
    number, hands = found.pop("player").astype(np.int64), found["hands"].astype(np.int64)
    ranks = {"player": _ranks(names), "room": _ranks(rooms)}
    return PlayerList(number, names, rooms, hands, found, priors_of(found), ranks)


def _ranks(texts: pa.Array) -> NDArray[np.float64]:
    places: NDArray[np.float64] = pc.rank(pc.utf8_lower(texts), tiebreaker="dense").to_numpy().astype(np.float64)
    return places
