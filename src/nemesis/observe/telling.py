"""A hand moved on one step, and everyone told: the one text that fills views and events.

`open_hand` begins a hand, `step_hand` takes one action, `close_hand` ends it. The loop that plays matches (`play.loop`) and
the one that retells recorded hands (`observe.recital`) both take these steps, so a recorded hand speaks like a live one.
Each step keeps the view up to date, tells every seat the events it wants to hear of, and writes the rows of the columns.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nemesis.observe.columns import close_action_row, open_action_row, write_hand_row
from nemesis.observe.desk import PYTHON_WATCHER, Desk, Seating
from nemesis.observe.event import ACTS, DEALT, ENDS, SHOWS, STARTS, call_watch
from nemesis.observe.view import NOT_YET, look_around, look_at
from nemesis.rules.betting import RAISE, post_and_open, take
from nemesis.rules.deal import Bank
from nemesis.rules.game import MAX_SEATS, MAX_STREETS
from nemesis.runtime.borrowed import borrowed
from nemesis.runtime.compiled import inlined

_ACTIONS = 1 << ACTS


@inlined
def clear_event(e: Any) -> None:
    """Forget what an earlier match left in the event. Writes `e`."""
    e.board_count = 0
    for i in range(5):
        e.board[i] = NOT_YET
    for seat in range(MAX_SEATS):
        e.payoffs[seat] = 0
    clear_shown(e)


@inlined
def clear_shown(e: Any) -> None:
    """Only events of shown hands have cards and their numbers. Writes `e`."""
    for i in range(2):
        e.hole[i] = NOT_YET
    for street in range(MAX_STREETS):
        e.win[street] = np.nan
        e.strength[street] = np.nan


@inlined
def open_hand(r: Any, desk: Desk, seating: Seating, bank: Bank, row: int) -> None:
    """Post antes and blinds and begin; who plays is in the match's `seat_at`, with what in the desk's `stacks`."""
    m = desk.match[0]
    h = desk.hand[0]
    v = desk.views[0]
    e = desk.event[0]
    post_and_open(r, desk.stacks, h)
    m.playing = 1
    v.hand = m.hand
    if h.over == 0:
        look_around(r, h, m.seat_at, bank, row, v)
    if m.heard & ~_ACTIONS:
        tell_start(desk, seating)
    elif m.heard:
        e.hand = m.hand
        e.seats = h.seats


@inlined
def step_hand(r: Any, desk: Desk, seating: Seating, bank: Bank, row: int, chosen: int) -> Any:
    """Take the actor's action and tell of it. Returns what it became: FOLD, CALL or a raise-to."""
    m = desk.match[0]
    h = desk.hand[0]
    v = desk.views[0]
    e = desk.event[0]
    p = h.actor
    seat = m.seat_at[p]
    street = h.street
    taping = desk.columns.actions.size > 0
    if m.heard & _ACTIONS:
        note_before(m, h, e)
    if taping:
        open_action_row(m, h, bank, row, desk.columns.actions[m.taped_actions])
    done = take(r, h, chosen)
    if taping:
        close_action_row(m, h, done, desk.columns.actions[m.taped_actions])
    if h.over == 0:
        look_at(h, p, seat, min(done, RAISE), v)
        if h.street > street:
            look_around(r, h, m.seat_at, bank, row, v)
    if m.heard & _ACTIONS:
        e.action = min(done, RAISE)
        e.amount = h.pot - e.pot
        e.to += e.amount
        tell(m, e, desk, seating)
    if m.heard & ~_ACTIONS and h.over == 0 and m.street < h.street:
        tell_streets(r, desk, seating, bank, row)
    return done


@inlined
def close_hand(r: Any, desk: Desk, seating: Seating, bank: Bank, row: int, rules: int, shown: int) -> None:
    """Tell how the hand ended: its payoffs are in the hand's record, `shown` has the positions that show, as bits."""
    m = desk.match[0]
    m.playing = 0
    if m.heard & ~_ACTIONS:
        tell_end(r, desk, seating, bank, row, shown)
    if desk.columns.hands.size > 0:
        write_hand_row(m, r, desk.hand[0], bank, row, rules, shown, desk.columns.hands[m.taped_hands])


@inlined
def tell(m: Any, e: Any, desk: Desk, seating: Seating) -> None:
    """Tell the event to every seat that wants to hear of its kind."""
    for seat in range(m.seats):
        if not (seating.hears[seat] >> e.kind) & 1:
            continue
        watch = seating.watches[seat]
        e.me = seat
        e.payoff = e.payoffs[seat]
        if watch == PYTHON_WATCHER:
            desk.log[m.logged] = desk.event[0]
            m.logged += 1
        else:
            call_watch(
                watch, borrowed(desk.event, 0, 1), borrowed(seating.memory, seating.offsets[seat], seating.sizes[seat])
            )


@inlined
def tell_start(desk: Desk, seating: Seating) -> None:
    """A hand begins: `seat` has the button. What earlier hands left in the event is cleared."""
    m = desk.match[0]
    e = desk.event[0]
    h = desk.hand[0]
    e.kind = STARTS
    e.hand = m.hand
    e.seats = h.seats
    e.seat = m.seat_at[h.seats - 1]
    e.position = h.seats - 1
    e.street = 0
    e.pot = h.pot
    for i in range(e.board_count):
        e.board[i] = NOT_YET
    e.board_count = 0
    if (m.heard >> ENDS) & 1:
        for seat in range(m.seats):
            e.payoffs[seat] = 0
    m.street = 0
    if (m.heard >> STARTS) & 1:
        tell(m, e, desk, seating)


@inlined
def tell_streets(r: Any, desk: Desk, seating: Seating, bank: Bank, row: int) -> None:
    """Board cards of every street dealt since the last event."""
    m = desk.match[0]
    e = desk.event[0]
    h = desk.hand[0]
    while m.street < h.street:
        m.street += 1
        cards = r.board_cards[m.street]
        if cards == 0:
            continue
        for _ in range(cards):
            e.board[e.board_count] = bank.boards[row, e.board_count]
            e.board_count += 1
        e.kind = DEALT
        e.street = m.street
        e.pot = h.pot
        e.seat = NOT_YET
        tell(m, e, desk, seating)


@inlined
def tell_end(r: Any, desk: Desk, seating: Seating, bank: Bank, row: int, shown: int) -> None:
    """The rest of the board, the hands that are shown, and what it brought."""
    m = desk.match[0]
    e = desk.event[0]
    h = desk.hand[0]
    if h.live & (h.live - 1) != 0:
        tell_streets(r, desk, seating, bank, row)
    e.street = h.street
    e.pot = h.pot
    if shown != 0 and (m.heard >> SHOWS) & 1:
        e.kind = SHOWS
        for p in range(h.seats):
            if (shown >> p) & 1:
                e.seat = m.seat_at[p]
                e.position = p
                for i in range(bank.holes.shape[2]):
                    e.hole[i] = bank.holes[row, p, i]
                for street in range(bank.win.shape[2]):
                    e.win[street] = bank.win[row, p, street]
                    e.strength[street] = bank.strength[row, p, street]
                tell(m, e, desk, seating)
        clear_shown(e)
    if (m.heard >> ENDS) & 1:
        e.kind = ENDS
        e.seat = NOT_YET
        for p in range(h.seats):
            e.payoffs[m.seat_at[p]] = h.payoff[p]
        tell(m, e, desk, seating)


@inlined
def note_before(m: Any, h: Any, e: Any) -> None:
    """Fill the event of an action with how things stood when it was chosen."""
    p = h.actor
    e.kind = ACTS
    e.seat = m.seat_at[p]
    e.position = p
    e.street = h.street
    e.to_call = h.to_call
    e.max_to = h.max_to
    e.pot = h.pot
    e.stack = h.stack[p]
    e.to = h.wager[p]
    others = -1
    for q in range(h.seats):
        others += (h.live >> q) & 1
    e.opponents = others
