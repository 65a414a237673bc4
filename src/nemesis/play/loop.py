"""The one loop in which every hand of the house is played.

`advance` plays a match onward: it seats the players, takes the steps of each hand (`observe.telling`), asks compiled agents,
and returns only when somebody outside must do something:

    seat >= 0       a Python agent sits there and must act; `view` is filled; call again with its action
    FINISHED        the match is over
    DRAIN           the log of events is nearly full, or the columns are: empty the one, make room in the others, call again
    NEEDS_DEALS     the bank is used up; `deal_more`, and call again

so every kind of agent meets every other in the same code. All state is in records the caller owns (`observe.desk`, the
betting engine's `HAND`); nothing is allocated here. In a freeze-out stacks are carried over and a seat without chips is
dealt out. `play_matches` plays any number of matches of compiled agents to their end, with a pause now and then.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.desk import MOST_EVENTS, Desk, Seating
from nemesis.observe.telling import clear_event, close_hand, open_hand, step_hand
from nemesis.observe.view import NOT_YET, call_act, look
from nemesis.rules.betting import divide
from nemesis.rules.deal import CHUNK, Bank, Dealer, fill_bank
from nemesis.runtime.borrowed import borrowed, unowned
from nemesis.runtime.chance import nth, uniform
from nemesis.runtime.compiled import inlined, njit

FINISHED, DRAIN, NEEDS_DEALS, PAUSED = -1, -2, -3, -4
NO_ACTION = -1
HANDS_AT_ONCE = 20_000
NOBODY = -1


@njit(error_model="numpy")
def start_match(
    rules: NDArray[np.void], desk: Desk, seating: Seating, hands: int, freeze_out: bool, key: int, rows: int
) -> None:
    """Set the match record up; row 0 of the bank is hand 0."""
    m = desk.match[0]
    r = rules[rules.size - 1]
    m.seats = r.seats
    m.hands = hands
    m.hand = 0
    m.freeze_out = 1 if freeze_out else 0
    m.until_out = NOBODY
    m.playing = 0
    m.button = r.seats - 1
    m.first_row = 0
    m.rows = rows
    m.logged = 0
    m.key = key
    m.draws = 0
    m.heard = 0
    biggest = 0
    for seat in range(r.seats):
        m.chips[seat] = r.stacks[seat]
        m.won[seat] = 0
        m.took[seat] = 0
        biggest = max(biggest, r.blinds[seat])
        m.heard |= seating.hears[seat]
    e = desk.event[0]
    clear_event(e)
    e.big_blind = biggest if biggest > 0 else r.bets[0]
    desk.views[0].big_blind = e.big_blind


@inlined
def take_seats(m: Any, v: Any, stacks: NDArray[np.int64]) -> int:
    """Give this hand's positions to the seats in play, the first one left of the button. Returns how many play."""
    players = 0
    seat = m.button
    for _ in range(m.seats):
        seat += 1
        if seat >= m.seats:
            seat = 0
        v.last[seat] = NOT_YET
        if m.chips[seat] > 0:
            m.seat_at[players] = seat
            stacks[players] = m.chips[seat]
            players += 1
        else:
            v.live[seat] = 0
            v.chips[seat] = 0
            v.wagers[seat] = 0
    return players


@inlined
def move_on(m: Any, h: Any) -> None:
    """Give out the chips of the hand that has ended and move the button to the next seat with chips."""
    for p in range(h.seats):
        seat = m.seat_at[p]
        m.won[seat] += h.payoff[p]
        m.took[seat] += h.payoff[p] > 0
        if m.freeze_out != 0:
            m.chips[seat] += h.payoff[p]
    m.hand += 1
    m.button += 1
    if m.button >= m.seats:
        m.button = 0
    while m.chips[m.button] == 0:
        m.button += 1
        if m.button >= m.seats:
            m.button = 0


@njit(error_model="numpy")
def advance(rules: NDArray[np.void], desk: Desk, seating: Seating, bank: Bank, action: Any) -> Any:
    """Play on until the match ends or someone outside is needed; see the top of this file. `action` is a Python seat's."""
    return play_on(unowned(rules), unowned(desk), unowned(seating), unowned(bank), action)


@inlined
def play_on(rules: NDArray[np.void], desk: Desk, seating: Seating, bank: Bank, action: Any) -> Any:
    """`advance` on arrays that are not counted."""
    m = desk.match[0]
    h = desk.hand[0]
    v = desk.views[0]
    hands, actions = desk.columns.hands.size, desk.columns.actions.size
    answer = action
    while True:
        if m.logged > desk.log.size - MOST_EVENTS or (
            hands > 0 and (m.taped_hands >= hands or m.taped_actions >= actions)
        ):
            return DRAIN
        row = m.hand - m.first_row
        if m.playing == 0:
            if m.hand >= m.hands or (m.until_out >= 0 and m.chips[m.until_out] == 0):
                return FINISHED
            players = take_seats(m, v, desk.stacks)
            if players < 2:
                return FINISHED
            if row >= m.rows:
                return NEEDS_DEALS
            open_hand(borrowed(rules, players, 1)[0], desk, seating, bank, row)
        r = borrowed(rules, h.seats, 1)[0]
        if h.over != 0:
            divide(h, bank.ranks, row)
            showdown = h.live & (h.live - 1) != 0
            close_hand(r, desk, seating, bank, row, h.seats, h.live if showdown else 0)
            move_on(m, h)
            continue
        seat = m.seat_at[h.actor]
        act = seating.acts[seat]
        if act == 0 and answer >= 0:
            chosen = answer
            answer = NO_ACTION
        else:
            look(r, h, m.seat_at, bank, row, v)
            m.draws += 1
            chance = uniform(nth(m.key, m.draws))
            if act == 0:
                v.chance = chance
                return seat
            mine = borrowed(seating.memory, seating.offsets[seat], seating.sizes[seat])
            chosen = call_act(act, borrowed(desk.views, 0, 1), mine, chance)
        step_hand(r, desk, seating, bank, row, chosen)


@njit(error_model="numpy")
def deal_more(dealer: Dealer, desk: Desk, bank: Bank) -> None:
    """Deal the match's next chunk of hands into the bank, from its first row again when it is full."""
    m = desk.match[0]
    if m.rows + CHUNK > bank.ranks.shape[0]:
        m.first_row = m.hand
        m.banked = -1
        m.rows = 0
    fill_bank(dealer.plan, dealer.tables, dealer.key, m.deals + m.hand, m.rows, CHUNK, bank)
    m.rows += CHUNK


class Lineups(NamedTuple):
    """Many matches: which agent takes which seat, which deals it gets, and the agents' kernels and first memories."""

    hands: int  # a match has at most
    freeze_out: bool
    agents: NDArray[np.int64]  # match, seat -> agent
    deals: NDArray[np.int64]  # match -> number of its first deal
    keys: NDArray[np.int64]  # match -> key of its choices
    until_out: NDArray[np.int64]  # match -> the seat that ends it by losing everything, or NOBODY
    acts: NDArray[np.int64]  # by agent
    watches: NDArray[np.int64]
    hears: NDArray[np.int64]
    starts: NDArray[np.int64]  # by agent: where its first memory lies in `templates`
    sizes: NDArray[np.int64]
    templates: NDArray[np.float64]


class Outcomes(NamedTuple):
    """What matches leave: chips won and hands that brought some by match and seat, hands played by match.

    `pages` are copies of every seat's memory at the end, from place `page` on: match, seat, place.
    """

    won: NDArray[np.int64]
    took: NDArray[np.int64]
    hands: NDArray[np.int64]
    pages: NDArray[np.float64]
    page: int


def new_outcomes(shape: tuple[int, ...], page: int = 0, length: int = 0) -> Outcomes:
    """Room for what matches leave, by match and seat, with pages of `length` numbers from place `page` on."""
    return Outcomes(
        np.zeros(shape, np.int64),
        np.zeros(shape, np.int64),
        np.zeros(shape[0], np.int64),
        np.zeros((*shape, length)),
        page,
    )


@njit(error_model="numpy")
def seat_agents(lineups: Lineups, match: int, seating: Seating) -> None:
    """Put the agents of one match into their seats with fresh memories."""
    at = 0
    for seat in range(lineups.agents.shape[1]):
        agent = lineups.agents[match, seat]
        seating.acts[seat] = lineups.acts[agent]
        seating.watches[seat] = lineups.watches[agent]
        seating.hears[seat] = lineups.hears[agent]
        seating.offsets[seat] = at
        seating.sizes[seat] = lineups.sizes[agent]
        start = lineups.starts[agent]
        for i in range(lineups.sizes[agent]):
            seating.memory[at + i] = lineups.templates[start + i]
        at += lineups.sizes[agent]


@njit(error_model="numpy")
def begin_match(rules: NDArray[np.void], desk: Desk, seating: Seating, lineups: Lineups, match: int) -> None:
    """Seat the agents of a match and set its record up; deals that are in the bank and asked for again stay there."""
    m = desk.match[0]
    kept = m.rows if m.banked == lineups.deals[match] else 0
    seat_agents(lineups, match, seating)
    start_match(rules, desk, seating, lineups.hands, lineups.freeze_out, lineups.keys[match], kept)
    m.match = match
    m.begun = 1
    m.until_out = lineups.until_out[match]
    m.deals = lineups.deals[match]
    m.banked = m.deals
    for seat in range(m.seats):
        m.players[seat] = lineups.agents[match, seat]


@njit(error_model="numpy")
def play_out(rules: NDArray[np.void], dealer: Dealer, desk: Desk, seating: Seating, bank: Bank, most: int) -> Any:
    """Play a match of compiled agents on, dealing as it goes, for about `most` hands.

    Returns FINISHED, DRAIN when the columns are full, or PAUSED after so many hands.
    """
    m = desk.match[0]
    last = m.hand + most
    while True:
        state = advance(rules, desk, seating, bank, np.int64(NO_ACTION))
        if state != NEEDS_DEALS:
            return state
        deal_more(dealer, desk, bank)
        if m.hand >= last:
            return PAUSED


@njit(error_model="numpy")
def end_match(desk: Desk, seating: Seating, outcomes: Outcomes) -> None:
    """Write down what a match left. Writes `outcomes`."""
    m = desk.match[0]
    match = m.match
    outcomes.hands[match] = m.hand
    for seat in range(m.seats):
        outcomes.won[match, seat] = m.won[seat]
        outcomes.took[match, seat] = m.took[seat]
        start = seating.offsets[seat] + outcomes.page
        for place in range(outcomes.pages.shape[2]):
            outcomes.pages[match, seat, place] = seating.memory[start + place]
    m.begun = 0
    m.match += 1


@njit(error_model="numpy", nogil=True)
def play_matches(
    rules: NDArray[np.void],
    dealer: Dealer,
    desk: Desk,
    seating: Seating,
    bank: Bank,
    lineups: Lineups,
    outcomes: Outcomes,
) -> Any:
    """Play every match of compiled agents to its end, from the desk's match on. Writes `outcomes`.

    Returns FINISHED; DRAIN when the columns are full: give them more room and call again; or PAUSED after a while, so
    that whoever wants to stop a long match can: call again to go on.
    """
    m = desk.match[0]
    left = HANDS_AT_ONCE
    while m.match < lineups.agents.shape[0]:
        if left <= 0:
            return PAUSED
        if m.begun == 0:
            begin_match(rules, desk, seating, lineups, m.match)
        left += m.hand
        state = play_out(rules, dealer, desk, seating, bank, HANDS_AT_ONCE)
        left -= m.hand
        if state != FINISHED:
            return state
        end_match(desk, seating, outcomes)
    return FINISHED
