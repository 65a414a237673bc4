"""What a hand was worth on average over all that a player of a known policy may have held.

Given what everybody did, the board and the opponent's cards, each holding of that player has a probability
(`play.possible_hands`). The mean of the result over these holdings has the same expectation as the result itself and less
spread, because the opponent's choices do not depend on cards that he does not see. This is what AIVAT does with the actions
of a known player (Burch et al. 2018; Bowling, Johanson, Burch and Szafron 2008 call the other holdings *imaginary
observations*). The chance terms of `play.luck` are averaged in the same way. The policy also tells how often the player does
what at each decision, so the mean value of its choices is known; how much better the choice taken was is luck too.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.tape import Tape
from nemesis.observe.view import look, look_around, new_view
from nemesis.play.luck_terms import (
    AVERAGED,
    FEATURES,
    MATCHES_APART,
    PER_CHOICE,
    Floats,
    note_hole_terms,
    note_street_terms,
    pot_kind,
)
from nemesis.play.possible_hands import PATHS, Policy, Room, drop_seen, narrow, start_range, sum_range
from nemesis.respond.solved_player import Book
from nemesis.rules.betting import CALL, FOLD, RAISE, new_hand, post_and_open, take
from nemesis.rules.canonical import HOLES, hole_cards, hole_index
from nemesis.rules.deal import LookupTables, deal_tables, empty_bank
from nemesis.rules.holdings import rate_holdings, roll_out, shown_on
from nemesis.runtime.chance import GOLDEN, nth
from nemesis.runtime.compiled import inlined, njit
from nemesis.runtime.streams import Stream, stream_key

BOARDS, LARGE_BOARDS = 48, 400
"""Boards drawn for equities, and for those of large pots."""
LARGE_POT = 40.0
"""In big blinds."""
NOT_PLAYED = -2
"""What `hold` returns if no holding is played as the hand was."""
_STREETS = 4


def average_terms(tape: Tape, book: Book, whose: NDArray[np.int64], seed: int, first: int = 0) -> tuple[Floats, Floats]:
    """By hand: the mean over the solved player's holdings of what position 0 wins, and of every term of luck.

    `whose` is the solved player's position in each hand; `first` is the number of the tape's first match.
    """
    game = tape.games[-1]
    out, won = np.zeros((len(tape), AVERAGED)), np.zeros(len(tape))
    room = Room(
        new_hand(), new_hand(), new_view(), empty_bank(game, 1), np.arange(2), hole_cards(),
        np.zeros((2, PATHS), np.int64), np.zeros((2, PATHS, HOLES)), np.zeros(HOLES), np.zeros(HOLES), np.zeros(HOLES),
        np.zeros((_STREETS, HOLES)), np.zeros((_STREETS, HOLES)), np.zeros((3, 2)),
    )  # fmt: skip
    policy = Policy(book.nodes, book.shares, book.classes, book.grid, game.structure != "limit")
    fill_averages(
        game.compiled(), tape.hands, tape.actions, whose, policy, float(game.big_blind or game.bets[0]),
        stream_key(seed, Stream.LUCK, 1), first, deal_tables(game), room, out, won,
    )  # fmt: skip
    return won, out


@inlined
def note_choice(room: Room, row: Any, done: Any, spent: Any, called: Any, big_blind: Any, sign: Any) -> None:
    """Add how much better the action taken is than the mean of all, by three rough values of an action. Writes `row`.

    Folding loses what is `spent`; else what is in after a call is won by equity; a raise may win more, and more often.
    """
    total = room.choices[0, 0] + room.choices[1, 0] + room.choices[2, 0]
    if total <= 0.0:
        return
    place = FEATURES + pot_kind(2.0 * called, big_blind) * PER_CHOICE
    for kind in range(3):
        mass = room.choices[kind, 0]
        if mass <= 0.0:
            continue
        edge = 2.0 * room.choices[kind, 1] / mass - 1.0
        weight = sign * ((1.0 if kind == done else 0.0) - mass / total)
        row[place] += weight * (-spent if kind == FOLD else called * edge)
        if kind == RAISE:
            row[place + 1] += weight * called
            row[place + 2] += weight * called * edge


@njit(error_model="numpy", nogil=True)
def hold(
    r: Any,
    d: Any,
    actions: NDArray[np.void],
    me: int,
    dealt: int,
    policy: Policy,
    big_blind: float,
    key: Any,
    tables: LookupTables,
    room: Room,
    row: Floats,
) -> Any:
    """How likely each holding is after the whole hand, the terms of the player's choices being noted on the way.

    Writes `row` and the weights, which add up to 1; returns the last street whose equities are worked out (-1: none), or
    `NOT_PLAYED`.
    """
    h = room.hand[0]
    v = room.views[0]
    for i in range(dealt):
        room.bank.boards[0, i] = d.board[i]
    v.board_count = 0
    post_and_open(r, d.stacks, h)
    start_range(d, me, room)
    paths, seen, rated = 1, 0, -1
    sign = 1.0 if me == 0 else -1.0
    for at in range(d.first, d.first + d.actions):
        a = actions[at]
        done = int(a.action)
        if h.actor == me:
            if h.street != rated:
                while seen < shown_on(h.street):
                    drop_seen(room, paths, d.board[seen])
                    seen += 1
                sum_range(room, paths)
                while rated < h.street:
                    rated += 1
                    find_equities(d, me, rated, 2.0 * (h.spent[me] + h.to_call), big_blind, key, tables, room)
                rate_holdings(tables, room.bank.boards[0], rated, room.wins, room.strengths)
            look_around(r, h, room.seat_at, room.bank, 0, v)
            look(r, h, room.seat_at, room.bank, 0, v)
            spent, called = np.float64(h.spent[me]), np.float64(h.spent[me] + min(h.to_call, h.stack[me]))
            paths = narrow(r, policy, room, paths, done, h.pot + a.amount)
            note_choice(room, row, done, spent, called, big_blind, sign)
        take(r, h, done if done in (FOLD, CALL) else max(RAISE, int(a.to)))
    while seen < dealt:
        drop_seen(room, paths, d.board[seen])
        seen += 1
    total = sum_range(room, paths)
    if total <= 0.0:
        return NOT_PLAYED
    for hole in range(HOLES):
        room.weights[hole] /= total
    return rated


@njit(error_model="numpy", nogil=True)
def find_equities(
    d: Any, me: int, street: int, contested: float, big_blind: float, key: Any, tables: LookupTables, room: Room
) -> None:
    """How often the opponent's cards beat each holding that has a weight, as seen from a street. Writes the equities."""
    one, two = int(d.hole[2 * (1 - me)]), int(d.hole[2 * (1 - me) + 1])
    boards = LARGE_BOARDS if contested > LARGE_POT * big_blind else BOARDS
    state = key + GOLDEN * np.uint64(street + 1)
    roll_out(
        tables.evaluator, room.cards, room.weights, one, two, room.bank.boards[0], street, boards, state,
        room.equities[street],
    )  # fmt: skip
    if street < 3:
        rate_holdings(tables, room.bank.boards[0], street, room.ratings[street], room.strengths)


@inlined
def note_terms(
    room: Room, row: Any, hole: Any, theirs: Any, me: Any, spent: Any, streets: Any, last: Any, big_blind: Any
) -> None:
    """Add the terms of luck with one holding, as often as it is held. Writes `row`."""
    weight = room.weights[hole]
    mine, other = room.ratings[0, hole], room.ratings[0, theirs]
    before = room.equities[0, hole] if me == 1 else 1.0 - room.equities[0, hole]
    note_hole_terms(row, weight * big_blind, before, mine if me == 0 else other, other if me == 0 else mine)
    for street in range(1, streets + 1):
        after = room.equities[street, hole] if me == 1 else 1.0 - room.equities[street, hole]
        contested = 2.0 * min(spent[street, 0], spent[street, 1])
        change = after - before
        before = after
        if street > last:
            row[0] += weight * contested * change
            continue
        mine, other = room.ratings[street - 1, hole], room.ratings[street - 1, theirs]
        first, second = (mine, other) if me == 0 else (other, mine)
        note_street_terms(row, street, contested, big_blind, weight * change, first, second)


@inlined
def follow_chips(r: Any, d: Any, actions: Any, spent: Any) -> Any:
    """Write the chips that are in when each street is dealt; return the last street on which anybody acts."""
    for p in range(2):
        spent[0, p] = min(r.antes[p] + r.blinds[p], d.stacks[p])
    last = 0
    for street in range(1, _STREETS + 1):
        spent[street, 0], spent[street, 1] = spent[street - 1, 0], spent[street - 1, 1]
        for i in range(d.first, d.first + d.actions):
            if actions[i].street == street - 1:
                spent[street, actions[i].position] += actions[i].amount
                last = street - 1
    return last


@njit(error_model="numpy", nogil=True)
def fill_averages(
    rules: NDArray[np.void],
    hands: NDArray[np.void],
    actions: NDArray[np.void],
    whose: NDArray[np.int64],
    policy: Policy,
    big_blind: float,
    key: int,
    first_match: int,
    tables: LookupTables,
    room: Room,
    out: Floats,
    won: Floats,
) -> None:
    """Write the averages of every hand to its row of `out` and `won`."""
    r = rules[0]
    spent = np.zeros((_STREETS + 1, 2))
    for at in range(hands.size):
        d = hands[at]
        me = whose[at]
        won[at] = d.payoffs[0]
        dealt = 0
        for i in range(5):
            dealt += d.board[i] >= 0
        state = np.uint64(nth(key, (first_match + d.match) * MATCHES_APART + d.hand))
        known = hold(r, d, actions, me, dealt, policy, big_blind, state, tables, room, out[at])
        if known == NOT_PLAYED:
            continue
        theirs = np.int64(hole_index(d.hole[2 * (1 - me)], d.hole[2 * (1 - me) + 1]))
        last = follow_chips(r, d, actions, spent)
        streets = 0 if dealt == 0 else dealt - 2
        for street in range(known + 1, streets + 1):
            contested = 2.0 * min(spent[street + 1, 0], spent[street + 1, 1])
            find_equities(d, me, street, contested, big_blind, state, tables, room)
        for hole in range(HOLES):
            if room.weights[hole] > 0.0:
                note_terms(room, out[at], hole, theirs, me, spent, streets, last, big_blind)
        if dealt == 5 and (d.actions == 0 or actions[d.first + d.actions - 1].action != FOLD):
            mean = 0.0
            for hole in range(HOLES):
                mean += room.weights[hole] * (2.0 * room.equities[3, hole] - 1.0)
            chips = min(spent[_STREETS, 0], spent[_STREETS, 1]) * mean
            won[at] = chips if me == 1 else -chips
