"""The loop that retells a tape: the steps of the live one, with choices, cards and payoffs from the record.

`new_recital` lays out what telling needs, `recite` tells on. Who hears what is in `listeners` and `at`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.columns import Columns
from nemesis.observe.desk import (
    MOST_EVENTS,
    PYTHON_WATCHER,
    Desk,
    Seating,
    empty_seats,
    new_desk,
)
from nemesis.observe.hand import Hand, HandError, decisions
from nemesis.observe.recorded_cards import board_known, load_rows
from nemesis.observe.tape import Tape
from nemesis.observe.telling import close_hand, open_hand, step_hand
from nemesis.observe.view import NOT_YET, VIEW, call_act, look
from nemesis.rules.betting import RAISE
from nemesis.rules.deal import CHUNK, Bank, LookupTables, deal_tables, plan_deals
from nemesis.runtime.borrowed import borrowed, unowned
from nemesis.runtime.compiled import inlined, njit

FINISHED, DRAIN, IMPOSSIBLE = -1, -2, -3
_CHANCE = 0.5  # of a model that is asked what it would do; its answer does not count

PLACE = np.dtype(
    (
        np.record,
        [
            ("hand", np.int64),  # the row of the hand that is told
            ("action", np.int64),  # the row of its next action
            ("first_row", np.int64),  # the hand of the bank's row 0
            ("rows", np.int64),  # filled rows of the bank
            ("viewed", np.int64),  # views written down
            ("told", np.int64),  # events told to the log and taken from it
        ],
    )
)


class Recital(NamedTuple):
    """What telling a tape needs: its rules and rows, the records of the hand that is told, and who listens."""

    rules: NDArray[np.void]
    plan: NDArray[np.void]
    tables: LookupTables
    columns: Columns
    desk: Desk
    seating: Seating
    bank: Bank
    listeners: Seating  # by listener
    at: NDArray[np.int64]  # hand, seat -> listener, or NOBODY
    place: NDArray[np.void]
    views: NDArray[np.void]  # room for views, or none if they are not wanted
    after: NDArray[np.int64]


def new_recital(
    tape: Tape, listeners: Seating, at: NDArray[np.int64], facts: Collection[str], views: int = 0
) -> Recital:
    """Everything in its place to tell a tape to `listeners`, with room for so many views."""
    game = tape.games[-1]
    players = int(tape.hands["seats"].max(initial=2))
    plan = plan_deals(game, facts)
    plan["seats"] = players
    width, streets = max(1, sum(game.board_cards)), game.streets
    bank = Bank(
        np.zeros((CHUNK, players, game.hole_cards), np.uint8),
        np.zeros((CHUNK, width), np.uint8),
        np.zeros((CHUNK, players), np.int32),
        np.full((CHUNK, players, streets), np.nan, np.float32),
        np.full((CHUNK, players, streets), np.nan, np.float32),
    )
    desk = new_desk()
    desk.match["seats"] = at.shape[1]
    desk.event["board"] = desk.event["hole"] = NOT_YET
    desk.event["win"] = desk.event["strength"] = np.nan
    return Recital(
        np.concatenate([rules.compiled() for rules in tape.games]),
        plan,
        deal_tables(game, facts),
        Columns(tape.hands, tape.actions),
        desk,
        empty_seats()._replace(memory=listeners.memory),
        bank,
        listeners,
        np.ascontiguousarray(at, np.int64),
        np.zeros(1, PLACE),
        np.zeros(views, VIEW),
        np.zeros(views, np.int64),
    )


def recite(recital: Recital, tape: Tape, hands: Sequence[Hand] = ()) -> int:
    """Tell on to the end, or to where the log is full; `HandError` for what cannot have happened."""
    state = int(tell_on(recital))
    if state == IMPOSSIBLE:
        at, action = int(recital.place["hand"][0]), int(recital.place["action"][0])
        for hand in hands[at : at + 1]:
            list(decisions(hand))
        row = tape.hands[at]
        raise HandError(f"hand {at} of the tape cannot be played as it says from action {action - row['first'] + 1} on")
    return state


@njit(error_model="numpy")
def tell_on(recital: Recital) -> Any:
    """Tell the tape on. Returns FINISHED, DRAIN when the log is nearly full, IMPOSSIBLE where the rules forbid an action."""
    return tell_hands(
        recital,
        unowned(recital.rules),
        unowned(recital.columns),
        unowned(recital.desk),
        unowned(recital.seating),
        unowned(recital.bank),
    )


@inlined
def tell_hands(
    recital: Recital, rules: NDArray[np.void], columns: Columns, desk: Desk, seating: Seating, bank: Bank
) -> Any:
    """`tell_on` on arrays that are not counted."""
    m = desk.match[0]
    h = desk.hand[0]
    v = desk.views[0]
    place = recital.place[0]
    while place.hand < columns.hands.size:
        if m.logged > desk.log.size - MOST_EVENTS:
            return DRAIN
        d = columns.hands[place.hand]
        r = borrowed(rules, d.rules, 1)[0]
        if m.playing == 0:
            if place.hand - place.first_row >= place.rows:
                place.first_row = place.hand
                place.rows = min(bank.ranks.shape[0], columns.hands.size - place.hand)
                load_rows(recital.plan, recital.tables, columns.hands, place.first_row, place.rows, bank)
            sit_down(d, recital.at, place.hand, recital.listeners, desk, seating)
            desk.event[0].big_blind = big_blind(r)
            v.big_blind = desk.event[0].big_blind
            place.action = d.first
            open_hand(r, desk, seating, bank, place.hand - place.first_row)
        row = place.hand - place.first_row
        known = board_known(d)
        left = d.first + d.actions - place.action
        if h.over != 0:
            if left > 0:
                return IMPOSSIBLE
            for p in range(h.seats):
                h.payoff[p] = d.payoffs[p]
            while board_dealt(r, h.street) > known:
                h.street -= 1
            close_hand(r, desk, seating, bank, row, d.rules, d.shown)
            place.hand += 1
            continue
        if left <= 0 or board_dealt(r, h.street) > known:
            return IMPOSSIBLE
        seat = m.seat_at[h.actor]
        act = seating.acts[seat]
        if act != 0 or recital.views.size > 0:
            look(r, h, m.seat_at, bank, row, v)
            v.chance = _CHANCE if act != 0 else np.nan
            if d.hole[2 * h.actor] < 0:
                for i in range(2):
                    v.hole[i] = NOT_YET
            if act != 0:
                mine = borrowed(seating.memory, seating.offsets[seat], seating.sizes[seat])
                call_act(act, borrowed(desk.views, 0, 1), mine, _CHANCE)
            elif seating.watches[seat] == PYTHON_WATCHER:
                recital.views[place.viewed] = desk.views[0]
                recital.after[place.viewed] = place.told + m.logged
                place.viewed += 1
        a = columns.actions[place.action]
        chosen: Any = np.int64(a.action)
        if chosen >= RAISE:
            chosen = max(np.int64(RAISE), a.to)
        if step_hand(r, desk, seating, bank, row, chosen) != chosen:
            return IMPOSSIBLE
        place.action += 1
    return FINISHED


@inlined
def sit_down(d: Any, at: NDArray[np.int64], hand: int, listeners: Seating, desk: Desk, seating: Seating) -> None:
    """Seat the players of a hand and those who listen to it. Writes the desk and the seating."""
    m = desk.match[0]
    v = desk.views[0]
    m.hand = d.hand
    m.heard = 0
    for seat in range(m.seats):
        v.last[seat] = NOT_YET
        v.live[seat] = 0
        v.chips[seat] = 0
        v.wagers[seat] = 0
        listener = at[hand, seat]
        seating.hears[seat] = 0
        seating.acts[seat] = 0
        seating.watches[seat] = 0
        if listener >= 0:
            seating.acts[seat] = listeners.acts[listener]
            seating.watches[seat] = listeners.watches[listener]
            seating.hears[seat] = listeners.hears[listener]
            seating.offsets[seat] = listeners.offsets[listener]
            seating.sizes[seat] = listeners.sizes[listener]
            m.heard |= listeners.hears[listener]
    for p in range(d.seats):
        m.seat_at[p] = d.seat[p]
        desk.stacks[p] = d.stacks[p]


@inlined
def big_blind(r: Any) -> Any:
    """The largest blind, or the smallest bet in a game without blinds."""
    return r.top_blind if r.top_blind > 0 else r.bets[0]


@inlined
def board_dealt(r: Any, street: int) -> int:
    """How many board cards there are on a street."""
    dealt = 0
    for s in range(street + 1):
        dealt += r.board_cards[s]
    return dealt
