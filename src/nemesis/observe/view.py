"""What a seat may know when it must act.

`look` is the only function in the house that reads a hand's hidden cards on a player's behalf: it fills a one-element
record array (`VIEW`) with the seat's own cards and the two exact numbers of its own hand. What everyone sees, the board
and the chips, is kept in the same record from one action to the next (`look_around`, `look_at`), which saves writing it
all at every decision. Compiled agents read the record; Python agents read it through `View`, which names the same fields.

Everything is by *seat* (a chair keeps its number through a match); positions change from hand to hand.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from nemesis.observe.reading import Reading
from nemesis.rules.deal import Bank
from nemesis.rules.game import MAX_SEATS
from nemesis.runtime.compiled import MEMORY_ARRAY, call_by_address, inlined

NOT_YET = -1


@inlined
def win_against(win: float, opponents: int) -> Any:
    """The probability of beating every one of the opponents (at least one), `win` that of beating one random hand.

    The hands are taken as independent: `win ** opponents` (Baker 2010, sections 4.2 and 7.2).
    """
    against_all = win
    for _ in range(1, opponents):
        against_all *= win
    return against_all


VIEW = np.dtype(
    (
        np.record,
        [
            ("me", np.int64),  # my seat
            ("seats", np.int64),  # players dealt into this hand
            ("position", np.int64),  # 0 acts first after the first street; the last position has the button
            ("button", np.int64),  # the seat that has the button
            ("hand", np.int64),  # number of this hand in the match, from 0
            ("street", np.int64),
            ("streets", np.int64),
            ("to_call", np.int64),
            ("min_to", np.int64),  # a raise-to must lie between these; both 0 when no raise is allowed
            ("max_to", np.int64),
            ("pot", np.int64),  # every chip put in so far, bets of this street included
            ("bet", np.int64),  # the highest wager of this street
            ("raises", np.int64),  # bets and raises on this street so far
            ("stack", np.int64),  # my chips behind
            ("wager", np.int64),  # my chips in on this street
            ("spent", np.int64),  # my chips in on this hand
            ("opponents", np.int64),  # others who have not folded
            ("big_blind", np.int64),  # or the smallest bet in a game without blinds
            ("hole", np.int64, (2,)),
            ("board", np.int64, (5,)),
            ("board_count", np.int64),
            ("win", np.float64),  # against one random hand, the board rolled out
            ("strength", np.float64),  # against one random hand, the board as it stands
            ("chips", np.int64, (MAX_SEATS,)),  # by seat: chips behind
            ("wagers", np.int64, (MAX_SEATS,)),  # by seat: chips in on this street
            ("live", np.int64, (MAX_SEATS,)),  # by seat: 1 while in the hand
            (
                "last",
                np.int64,
                (MAX_SEATS,),
            ),  # by seat: last action of this hand (0 fold, 1 call, 2 raise, -1 none)
            ("chance", np.float64),  # a uniform number in [0, 1) for agents that mix
        ],
    )
)
VIEW_ARRAY = types.Array(numba.from_dtype(VIEW), 1, "C")
ACT = types.int64(VIEW_ARRAY, MEMORY_ARRAY, types.float64)
"""The signature of a kernel that chooses: `act(view, memory, chance) -> int`."""

call_act = call_by_address(ACT)


def new_view() -> NDArray[np.void]:
    """A view record for `look` to fill."""
    view = np.zeros(1, VIEW)
    view["hole"] = view["board"] = view["last"] = NOT_YET
    return view


@inlined
def look(r: Any, h: Any, seat_at: NDArray[np.int64], bank: Bank, row: int, v: Any) -> None:
    """Fill the view `v` with what only the actor of hand `h` knows and what changes with every action.

    What the whole table sees comes from `look_around` and `look_at`. Who sits where comes from the match.
    """
    p = h.actor
    v.me = seat_at[p]
    v.position = p
    v.to_call = h.to_call
    v.min_to = h.min_to
    v.max_to = h.max_to
    v.pot = h.pot
    v.bet = h.bet
    v.raises = h.raises
    v.stack = h.stack[p]
    v.wager = h.wager[p]
    v.spent = h.spent[p]
    others = -1
    for q in range(h.seats):
        others += (h.live >> q) & 1
    v.opponents = others
    for i in range(r.hole_cards):
        v.hole[i] = bank.holes[row, p, i]
    v.win = bank.win[row, p, h.street]
    v.strength = bank.strength[row, p, h.street]


@inlined
def look_around(r: Any, h: Any, seat_at: NDArray[np.int64], bank: Bank, row: int, v: Any) -> None:
    """Fill the view with what everyone sees when a street begins: the players, their chips, the board. `last` stays."""
    v.seats = h.seats
    v.button = seat_at[h.seats - 1]
    v.street = h.street
    v.streets = r.streets
    for p in range(h.seats):
        seat = seat_at[p]
        v.chips[seat] = h.stack[p]
        v.wagers[seat] = h.wager[p]
        v.live[seat] = (h.live >> p) & 1
    shown = 0
    for street in range(h.street + 1):
        shown += r.board_cards[street]
    if shown > 0 or v.board_count > 0:
        v.board_count = shown
        for i in range(5):
            v.board[i] = bank.boards[row, i] if i < shown else NOT_YET


@inlined
def look_at(h: Any, p: int, seat: int, action: int, v: Any) -> None:
    """Note in the view what position `p`, which `seat` holds, has just done."""
    v.chips[seat] = h.stack[p]
    v.wagers[seat] = h.wager[p]
    v.live[seat] = (h.live >> p) & 1
    v.last[seat] = action


class View(Reading):
    """What a seat may know, for Python agents: the fields of `VIEW` as plain numbers and tuples."""

    __slots__ = ()

    @property
    def win(self) -> float:
        """The chance to beat one random hand, the board rolled out."""
        return self._fact("win")

    @property
    def strength(self) -> float:
        """The chance to beat one random hand, the board as it stands."""
        return self._fact("strength")

    def _fact(self, name: str) -> float:
        value: float = self.__getattr__(name)
        if value != value:
            raise ValueError(f"the fact {name!r} was not dealt: an agent that reads it must list it in its `facts`")
        return value

    @property
    def hole_cards(self) -> tuple[int, ...]:
        """My cards."""
        return tuple(card for card in self.hole if card != NOT_YET)

    @property
    def board_cards(self) -> tuple[int, ...]:
        """The board so far."""
        return tuple(self.board[: self.board_count])

    @property
    def can_raise(self) -> bool:
        """Whether a raise is allowed now."""
        return bool(self.max_to > 0)
