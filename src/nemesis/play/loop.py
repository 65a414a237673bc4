"""The one loop in which every hand of the house is played.

`advance` plays a match onward: it seats the players, steps the betting engine, shows compiled agents their views and
events, and returns only when somebody outside must do something:

    seat >= 0       a Python agent sits there and must act; `view` is filled; call again with its action
    FINISHED        the match is over
    DRAIN           the log of events or the tape is nearly full; empty it and call again
    NEEDS_DEALS     the bank is used up; fill more rows and call again

so every kind of agent meets every other in the same code. All state is in records the caller owns (`MATCH`, the betting
engine's `HAND`); nothing is allocated here.

Kernels are called by address: `acts[seat] == 0` is a Python seat, `hears[seat] == 0` is deaf, `watches[seat] == -1`
is a Python seat that wants events (they go to `log`). In a freeze-out stacks are carried over and a seat without
chips is dealt out.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.event import ACTS, DEALT, ENDS, SHOWS, STARTS, new_events
from nemesis.observe.view import NOT_YET, look, look_around, look_at, new_view
from nemesis.respond.agent import call_act, call_watch
from nemesis.rules.betting import RAISE, divide, new_hand, post_and_open, take
from nemesis.rules.deal import CHUNK, Bank, Tables, fill_bank
from nemesis.rules.game import MAX_SEATS
from nemesis.runtime.borrowed import borrowed, unowned
from nemesis.runtime.chance import GOLDEN, scramble, uniform
from nemesis.runtime.compiled import inlined, njit

FINISHED, DRAIN, NEEDS_DEALS = -1, -2, -3
NO_ACTION = -1
NOBODY = -1
PYTHON_WATCHER = -1
LOG_ROWS = 1024
TAPE_CELLS = 4096
_ACTIONS = 1 << ACTS
_MOST_EVENTS = MAX_SEATS * (MAX_SEATS + 4)

MATCH = np.dtype(
    (
        np.record,
        [
            ("seats", np.int64),
            ("hands", np.int64),  # to play at most
            ("hand", np.int64),  # number of the hand in play, from 0
            ("freeze_out", np.int64),
            (
                "awaited",
                np.int64,
            ),  # the match also ends when this seat has lost everything; NOBODY waits for the winner
            ("playing", np.int64),  # 1 while a hand is under way
            ("button", np.int64),  # seat
            ("first_row", np.int64),  # hand number of the bank's row 0
            ("rows", np.int64),  # filled rows of the bank
            ("heard", np.int64),  # kinds of events that some seat wants to hear of, as bits
            ("logged", np.int64),
            ("taped", np.int64),
            ("key", np.int64),  # of the match's stream of choices
            ("draws", np.int64),
            ("street", np.int64),  # of the last event
            ("big_blind", np.int64),
            ("seat_at", np.int64, (MAX_SEATS,)),  # by position
            ("chips", np.int64, (MAX_SEATS,)),  # by seat, before the hand
            ("won", np.int64, (MAX_SEATS,)),  # by seat, so far
            ("took", np.int64, (MAX_SEATS,)),  # by seat, hands that brought chips
        ],
    )
)


class Seating(NamedTuple):
    """Who plays where, as arrays by seat: kernel addresses and where each seat's memory lies."""

    acts: NDArray[np.int64]
    watches: NDArray[np.int64]
    hears: NDArray[np.int64]  # kinds of events, as bits; 0 for a deaf seat
    offsets: NDArray[np.int64]
    sizes: NDArray[np.int64]
    memory: NDArray[np.float64]


class Desk(NamedTuple):
    """The records one match is played on, and what leaves it: events for Python seats, the tape of actions."""

    match: NDArray[np.void]
    hand: NDArray[np.void]
    views: NDArray[np.void]  # one view; Numba reserves the word itself
    event: NDArray[np.void]
    log: NDArray[np.void]
    tape: NDArray[np.int64]
    stacks: NDArray[np.int64]


def new_desk(taping: bool = False) -> Desk:
    """Fresh records for one match; with `taping`, every action is written down."""
    return Desk(
        np.zeros(1, MATCH),
        new_hand(),
        new_view(),
        new_events(),
        new_events(LOG_ROWS),
        np.zeros(TAPE_CELLS if taping else 0, np.int64),
        np.zeros(MAX_SEATS, np.int64),
    )


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
    m.awaited = NOBODY
    m.playing = 0
    m.button = r.seats - 1
    m.first_row = 0
    m.rows = rows
    m.logged = 0
    m.taped = 0
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
    e.board_count = 0
    for i in range(5):
        e.board[i] = NOT_YET
    for seat in range(MAX_SEATS):
        e.payoffs[seat] = 0
    desk.views[0].big_blind = biggest if biggest > 0 else r.bets[0]


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
        for i in range(2):
            e.hole[i] = NOT_YET
        tell(m, e, desk, seating)


@inlined
def tell_streets(rules: NDArray[np.void], desk: Desk, seating: Seating, bank: Bank, row: int) -> None:
    """Board cards of every street dealt since the last event."""
    m = desk.match[0]
    e = desk.event[0]
    h = desk.hand[0]
    while m.street < h.street:
        m.street += 1
        cards = rules[h.seats].board_cards[m.street]
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
def tell_end(rules: NDArray[np.void], desk: Desk, seating: Seating, bank: Bank, row: int) -> None:
    """The rest of the board, the hands of everyone who stayed to the end, and what it brought."""
    m = desk.match[0]
    e = desk.event[0]
    h = desk.hand[0]
    showdown = h.live & (h.live - 1) != 0
    if showdown:
        tell_streets(rules, desk, seating, bank, row)
    e.street = h.street
    e.pot = h.pot
    if showdown and (m.heard >> SHOWS) & 1:
        e.kind = SHOWS
        for p in range(h.seats):
            if (h.live >> p) & 1:
                e.seat = m.seat_at[p]
                e.position = p
                for i in range(bank.holes.shape[2]):
                    e.hole[i] = bank.holes[row, p, i]
                for street in range(bank.win.shape[2]):
                    e.win[street] = bank.win[row, p, street]
                    e.strength[street] = bank.strength[row, p, street]
                tell(m, e, desk, seating)
    if (m.heard >> ENDS) & 1:
        e.kind = ENDS
        e.seat = NOT_YET
        for p in range(h.seats):
            e.payoffs[m.seat_at[p]] = h.payoff[p]
        tell(m, e, desk, seating)


@inlined
def end_hand(m: Any, h: Any, bank: Bank, row: int) -> None:
    """Divide the chips and move the button to the next seat with chips."""
    divide(h, bank.ranks, row)
    for p in range(h.seats):
        seat = m.seat_at[p]
        m.won[seat] += h.payoff[p]
        m.took[seat] += h.payoff[p] > 0
        if m.freeze_out != 0:
            m.chips[seat] += h.payoff[p]
    m.playing = 0
    m.hand += 1
    m.button += 1
    if m.button >= m.seats:
        m.button = 0
    while m.chips[m.button] == 0:
        m.button += 1
        if m.button >= m.seats:
            m.button = 0


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


@inlined
def write_tape(m: Any, tape: NDArray[np.int64], cell: int) -> None:
    """Write one action down, or NO_ACTION at the end of a hand."""
    if tape.size > 0:
        tape[m.taped] = cell
        m.taped += 1


@njit(error_model="numpy")
def advance(rules: NDArray[np.void], desk: Desk, seating: Seating, bank: Bank, action: Any) -> Any:
    """Play on until the match ends or someone outside is needed; see the top of this file. `action` is a Python seat's."""
    return play_on(unowned(rules), unowned_desk(desk), unowned_seating(seating), unowned_bank(bank), action)


@inlined
def unowned_desk(desk: Desk) -> Desk:
    """The desk without counting references; its owner keeps it through the call."""
    return Desk(
        unowned(desk.match),
        unowned(desk.hand),
        unowned(desk.views),
        unowned(desk.event),
        unowned(desk.log),
        unowned(desk.tape),
        unowned(desk.stacks),
    )


@inlined
def unowned_seating(seating: Seating) -> Seating:
    """The seating in the same way."""
    return Seating(
        unowned(seating.acts),
        unowned(seating.watches),
        unowned(seating.hears),
        unowned(seating.offsets),
        unowned(seating.sizes),
        unowned(seating.memory),
    )


@inlined
def unowned_bank(bank: Bank) -> Bank:
    """The bank in the same way."""
    return Bank(
        unowned(bank.holes), unowned(bank.boards), unowned(bank.ranks), unowned(bank.win), unowned(bank.strength)
    )


@inlined
def play_on(rules: NDArray[np.void], desk: Desk, seating: Seating, bank: Bank, action: Any) -> Any:
    """`advance` on arrays that are not counted."""
    m = desk.match[0]
    h = desk.hand[0]
    v = desk.views[0]
    e = desk.event[0]
    tape = desk.tape
    answer = action
    while True:
        if m.logged > desk.log.size - _MOST_EVENTS or (tape.size > 0 and m.taped > tape.size - 2):
            return DRAIN
        row = m.hand - m.first_row
        if m.playing == 0:
            if m.hand >= m.hands or (m.awaited >= 0 and m.chips[m.awaited] == 0):
                return FINISHED
            players = take_seats(m, v, desk.stacks)
            if players < 2:
                return FINISHED
            if row >= m.rows:
                return NEEDS_DEALS
            rules_now = borrowed(rules, players, 1)[0]
            post_and_open(rules_now, desk.stacks, h)
            m.playing = 1
            v.hand = m.hand
            if h.over == 0:
                look_around(rules_now, h, m.seat_at, bank, row, v)
            if m.heard & ~_ACTIONS:
                tell_start(desk, seating)
            elif m.heard:
                e.hand = m.hand
                e.seats = h.seats
        r = borrowed(rules, h.seats, 1)[0]
        if h.over != 0:
            end_hand(m, h, bank, row)
            write_tape(m, tape, NO_ACTION)
            if m.heard & ~_ACTIONS:
                tell_end(rules, desk, seating, bank, row)
            continue
        seat = m.seat_at[h.actor]
        act = seating.acts[seat]
        if act == 0 and answer >= 0:
            chosen = answer
            answer = NO_ACTION
        else:
            look(r, h, m.seat_at, bank, row, v)
            m.draws += 1
            chance = uniform(scramble(np.uint64(np.int64(m.key)) + np.uint64(m.draws) * GOLDEN))
            if act == 0:
                v.chance = chance
                return seat
            mine = borrowed(seating.memory, seating.offsets[seat], seating.sizes[seat])
            chosen = call_act(act, borrowed(desk.views, 0, 1), mine, chance)
        if m.heard & _ACTIONS:
            note_before(m, h, e)
        p = h.actor
        street = h.street
        done = take(r, h, chosen)
        write_tape(m, tape, done)
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
            tell_streets(rules, desk, seating, bank, row)


class Lineups(NamedTuple):
    """Many matches: which agent takes which seat, which deals it gets, and the agents' kernels and first memories."""

    agents: NDArray[np.int64]  # match, seat -> agent
    deals: NDArray[np.int64]  # match -> number of its first deal
    keys: NDArray[np.int64]  # match -> key of its choices
    awaited: NDArray[np.int64]  # match -> the seat that ends it by losing everything, or NOBODY
    acts: NDArray[np.int64]  # by agent
    watches: NDArray[np.int64]
    hears: NDArray[np.int64]
    starts: NDArray[np.int64]  # by agent: where its first memory lies in `templates`
    sizes: NDArray[np.int64]
    templates: NDArray[np.float64]


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
def play_matches(
    rules: NDArray[np.void],
    plan: NDArray[np.void],
    tables: Tables,
    deal_key: int,
    lineups: Lineups,
    hands: int,
    freeze_out: bool,
    desk: Desk,
    seating: Seating,
    bank: Bank,
    won: NDArray[np.int64],
    took: NDArray[np.int64],
    played: NDArray[np.int64],
) -> None:
    """Play every match of compiled agents to its end. Writes `won` and `took` (match, seat) and `played` (match).

    Deals are drawn a chunk at a time, as far as a match gets, and kept while the next match asks for the same ones.
    """
    m = desk.match[0]
    base: Any = np.int64(-1)
    rows: Any = np.int64(0)
    for match in range(lineups.agents.shape[0]):
        if lineups.deals[match] != base:
            base = lineups.deals[match]
            rows = 0
        seat_agents(lineups, match, seating)
        start_match(rules, desk, seating, hands, freeze_out, lineups.keys[match], rows)
        m.awaited = lineups.awaited[match]
        while advance(rules, desk, seating, bank, np.int64(NO_ACTION)) == NEEDS_DEALS:
            if rows + CHUNK > bank.ranks.shape[0]:
                m.first_row = m.hand
                base = -1
                rows = 0
            fill_bank(plan, tables, deal_key, lineups.deals[match] + m.hand, rows, CHUNK, bank)
            rows += CHUNK
            m.rows = rows
        played[match] = m.hand
        for seat in range(m.seats):
            won[match, seat] = m.won[seat]
            took[match, seat] = m.took[seat]
