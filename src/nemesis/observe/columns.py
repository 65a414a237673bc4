"""Hands and actions as rows of arrays: the columns in which every match can leave what was played.

One row per hand and one per action, in the order in which they happened. Every field is a column, such as
`columns.actions["to_call"]`. In a hand's row what belongs to players is by position, of which the first `seats` count.
Nothing is said twice; the events and views that the seats were given are made from the rows again (`observe.retell`).

The caller owns the arrays and gives them more room when the loop asks for it; arrays of no rows mean that nothing is
written down.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.view import NOT_YET
from nemesis.rules.betting import RAISE
from nemesis.rules.deal import Bank
from nemesis.rules.game import MAX_SEATS
from nemesis.runtime.compiled import inlined

HAND_ROW = np.dtype(
    (
        np.record,
        [
            ("match", np.int64),
            ("hand", np.int64),  # number in its match, from 0
            ("rules", np.int64),  # which of the tape's games this is; in a match the number of players
            ("seats", np.int64),  # players dealt in
            ("first", np.int64),  # row of its first action
            ("actions", np.int64),  # how many actions it has
            ("shown", np.int64),  # positions that showed their cards, as bits
            ("stacks", np.int64, (MAX_SEATS,)),  # before antes and blinds
            ("payoffs", np.int64, (MAX_SEATS,)),
            ("player", np.int32, (MAX_SEATS,)),  # which of the tape's players
            ("seat", np.int8, (MAX_SEATS,)),  # the last position's has the button
            ("hole", np.int8, (2 * MAX_SEATS,)),  # two cells a position; -1 for a card that is not known, or none
            ("board", np.int8, (5,)),  # as far as it was dealt, then -1
        ],
    )
)

ACTION_ROW = np.dtype(
    (
        np.record,
        [
            ("hand", np.int64),  # row of its hand
            ("to", np.int64),  # the player's wager on this street afterwards
            ("amount", np.int64),  # chips the action put in
            ("to_call", np.int64),  # what the player faced
            ("pot", np.int64),  # before the action
            ("win", np.float32),  # of the player's cards on this street; NaN if not worked out
            ("strength", np.float32),
            ("position", np.int8),
            ("seat", np.int8),
            ("street", np.int8),
            ("action", np.int8),  # 0 fold, 1 check or call, 2 bet or raise
        ],
    )
)


class Columns(NamedTuple):
    """Rows of hands (`HAND_ROW`) and of actions (`ACTION_ROW`)."""

    hands: NDArray[np.void]
    actions: NDArray[np.void]


def new_columns(hands: int = 0, actions: int = 0) -> Columns:
    """Room for so many hands and actions."""
    return Columns(np.zeros(hands, HAND_ROW), np.zeros(actions, ACTION_ROW))


def more_room(columns: Columns) -> Columns:
    """The same rows in arrays twice as long."""
    grown = new_columns(2 * len(columns.hands), 2 * len(columns.actions))
    grown.hands[: len(columns.hands)] = columns.hands
    grown.actions[: len(columns.actions)] = columns.actions
    return grown


@inlined
def open_action_row(m: Any, h: Any, bank: Bank, row: int, a: Any) -> None:
    """Write down how things stand for the player to act. Writes `a`."""
    p = h.actor
    a.hand = m.taped_hands
    a.position = p
    a.seat = m.seat_at[p]
    a.street = h.street
    a.to_call = h.to_call
    a.pot = h.pot
    a.to = h.wager[p]
    a.win = bank.win[row, p, h.street]
    a.strength = bank.strength[row, p, h.street]


@inlined
def close_action_row(m: Any, h: Any, done: int, a: Any) -> None:
    """Write down what the player did, which the hand already knows. Writes `a`."""
    amount = h.pot - a.pot
    a.action = min(done, RAISE)
    a.amount = amount
    a.to += amount
    m.taped_actions += 1


@inlined
def write_hand_row(m: Any, r: Any, h: Any, bank: Bank, row: int, rules: int, shown: int, d: Any) -> None:
    """Write down the hand that has ended. Writes `d`."""
    d.match = m.match
    d.hand = m.hand
    d.rules = rules
    d.seats = h.seats
    d.first = m.first_action
    d.actions = m.taped_actions - m.first_action
    d.shown = shown
    for p in range(h.seats):
        seat = m.seat_at[p]
        d.stacks[p] = h.stack[p] + h.spent[p]
        d.payoffs[p] = h.payoff[p]
        d.player[p] = m.players[seat]
        d.seat[p] = seat
        d.hole[2 * p + 1] = NOT_YET
        for i in range(r.hole_cards):
            d.hole[2 * p + i] = bank.holes[row, p, i]
    dealt = 0
    for street in range(h.street + 1):
        dealt += r.board_cards[street]
    for i in range(5):
        d.board[i] = bank.boards[row, i] if i < dealt else NOT_YET
    m.taped_hands += 1
    m.first_action = m.taped_actions
