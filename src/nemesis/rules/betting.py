"""The one betting engine: a state machine over chips and positions that never looks at a card.

It serves every game: ante or blinds, one street or four, limit, pot-limit and no-limit, two to ten positions, caps,
short stacks, side pots. The fast arena, a Python agent, a hand-history replay and the web page all step these functions.

A *hand* is a one-element record array (`HAND`) that the caller owns. `begin` posts antes and blinds, `step` takes the
actor's action, `settle` divides the chips. After each of the first two the record says who acts (`actor`), what it
costs (`to_call`) and what a raise may be (`min_to` … `max_to`, 0 when none is allowed); `over` ends the betting.

An action is an int: 0 fold, 1 check or call, 2 or more "raise to that many chips on this street". `step` clamps it to
what is legal: a fold that is free becomes a check, a raise is brought between `min_to` and `max_to`, a raise that is
not allowed becomes a call. What an action became is told the same way, so a raise to a single chip, which would read
as a call, is told as 2; the amount is the hand's `bet`.

Where rules books differ we follow PokerKit (the oracle of the tests) and, for imported ACPC games (`any_raise_reopens`),
the ACPC server: see docs/decisions/0004-short-all-in-raises.md.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.rules.game import LIMIT, MAX_SEATS, NO_LIMIT, POT_LIMIT
from nemesis.runtime.compiled import inlined, njit

FOLD, CALL, RAISE = 0, 1, 2

HAND = np.dtype(
    (
        np.record,
        [
            ("seats", np.int64),
            ("street", np.int64),
            ("actor", np.int64),
            ("over", np.int64),
            ("pot", np.int64),
            ("bet", np.int64),  # the highest wager of this street
            ("raise_by", np.int64),  # the largest raise of this street
            ("raises", np.int64),
            ("shorts", np.int64),  # chips of the all-in raises since the last full one
            ("limit", np.int64),  # chips a player may put in on a street, 0 for no such limit
            ("live", np.int64),  # positions that have not folded, as bits
            ("pending", np.int64),  # positions that must still act on this street, as bits
            ("acted", np.int64),  # positions that acted since the last full raise, as bits
            ("to_call", np.int64),
            ("min_to", np.int64),
            ("max_to", np.int64),
            ("stack", np.int64, (MAX_SEATS,)),
            ("wager", np.int64, (MAX_SEATS,)),  # chips in on this street
            ("spent", np.int64, (MAX_SEATS,)),  # chips in on this hand
            ("payoff", np.int64, (MAX_SEATS,)),
        ],
    )
)


def new_hand() -> NDArray[np.void]:
    """A hand record for `begin` to fill."""
    return np.zeros(1, HAND)


@inlined
def post_and_open(r: Any, stacks: NDArray[np.int64], h: Any) -> None:
    """Post antes and blinds from `stacks` (by position) and open the first street. Writes `h`."""
    shortest = stacks[0]
    for p in range(r.seats):
        left = stacks[p] - r.antes[p]
        h.stack[p] = left - r.blinds[p]
        h.wager[p] = r.blinds[p]
        h.spent[p] = r.antes[p] + r.blinds[p]
        shortest = min(shortest, left)
    h.seats = r.seats
    h.street = 0
    h.over = 0
    h.live = (1 << r.seats) - 1
    h.limit = r.street_limit
    if r.shared_limit != 0 and (h.limit == 0 or shortest < h.limit):
        h.limit = shortest
    if shortest > r.top_blind:
        h.pot = r.posted
        h.bet = r.top_blind
        h.raises = 0
        h.shorts = 0
        h.acted = 0
        h.raise_by = r.bets[0] if r.any_raise_reopens != 0 else 0
        h.pending = h.live
        h.actor = r.opener
        offer(r, h)
    else:
        post_short(r, stacks, h)


@njit(error_model="numpy")
def post_short(r: Any, stacks: NDArray[np.int64], h: Any) -> None:
    """The same if somebody cannot pay, or has nothing left to bet with. Writes `h`."""
    pot = 0
    shortest = stacks[0]
    for p in range(r.seats):
        ante = min(r.antes[p], stacks[p])
        blind = min(r.blinds[p], stacks[p] - ante)
        h.stack[p] = stacks[p] - ante - blind
        h.wager[p] = blind
        h.spent[p] = ante + blind
        pot += ante + blind
        shortest = min(shortest, stacks[p] - ante)
    h.pot = pot
    h.limit = r.street_limit
    if r.shared_limit != 0 and (h.limit == 0 or shortest < h.limit):
        h.limit = shortest
        if shortest == 0:
            h.over = 1
    open_street(r, h)


@inlined
def open_street(r: Any, h: Any) -> None:
    """Find who must act on the street that begins; end the hand's betting if there is nobody to bet against."""
    n = h.seats
    bet = 0
    last_blind = n - 1
    most = 0
    second = 0
    for p in range(n):
        if h.wager[p] >= bet:
            bet = h.wager[p]
            last_blind = p
        if (h.live >> p) & 1:
            reach = h.wager[p] + h.stack[p]
            if reach >= most:
                second = most
                most = reach
            elif reach > second:
                second = reach
    h.bet = bet
    h.raises = 0
    h.shorts = 0
    h.acted = 0
    h.raise_by = r.bets[h.street] if r.any_raise_reopens != 0 else 0
    pending = 0
    waiting = 0
    matched = 0
    for p in range(n):
        if (h.live >> p) & 1 and h.stack[p] > 0 and (second > h.wager[p] or r.any_raise_reopens != 0):
            pending |= 1 << p
            waiting += 1
            if h.wager[p] >= bet:
                matched += 1
    h.pending = pending
    if waiting == 0 or (waiting == 1 and matched == 1) or h.over != 0:
        finish(r, h)
        return
    first = r.first[h.street]
    if first < 0:
        first = last_blind + 1
    h.actor = first - 1
    next_actor(r, h)


@inlined
def finish(r: Any, h: Any) -> None:
    """No more betting: what is left of the board is run out."""
    if h.live & (h.live - 1):
        h.street = r.streets - 1
    h.over = 1
    h.pending = 0
    h.actor = -1
    h.to_call = 0
    h.min_to = 0
    h.max_to = 0


@inlined
def next_actor(r: Any, h: Any) -> None:
    """Give the turn to the next pending position and work out its offers."""
    p = h.actor + 1
    if p >= h.seats:
        p = 0
    while not (h.pending >> p) & 1:
        p += 1
        if p >= h.seats:
            p = 0
    h.actor = p
    offer(r, h)


@inlined
def offer(r: Any, h: Any) -> None:
    """Write what the actor may do: `to_call`, and `min_to` … `max_to` or zeros when no raise is allowed."""
    p = h.actor
    facing = h.bet - h.wager[p]
    reach = h.stack[p] + h.wager[p]
    h.to_call = min(facing, h.stack[p])
    h.min_to = 0
    h.max_to = 0
    if h.stack[p] <= facing or h.raises >= r.max_raises[h.street] or (h.limit > 0 and h.bet >= h.limit):
        return
    if r.any_raise_reopens == 0 and (facing < h.raise_by or (0 < h.shorts < h.raise_by and (h.acted >> p) & 1)):
        return
    rival = False
    for q in range(h.seats):
        if q != p and (h.live >> q) & 1:
            more = h.stack[q] if r.any_raise_reopens != 0 else h.stack[q] + h.wager[q] - h.bet
            if more > 0:
                rival = True
                break
    if not rival:
        return
    least = h.bet + r.bets[h.street]
    if r.structure != LIMIT and h.raise_by > r.bets[h.street]:
        least = h.bet + h.raise_by
    if r.structure != LIMIT and r.any_raise_reopens != 0:
        least = h.bet + h.raise_by
    least = min(least, reach)
    most = least
    if r.structure == POT_LIMIT:
        most = min(reach, max(least, h.bet + h.pot + facing))
    elif r.structure == NO_LIMIT:
        most = reach
    if h.limit > 0:
        least = min(least, h.limit)
        most = min(most, h.limit)
    h.min_to = least
    h.max_to = most


@inlined
def take(r: Any, h: Any, action: int) -> int:
    """Take the actor's action, clamped to what is legal, and move on. Returns what it became: FOLD, CALL or a raise-to."""
    p = h.actor
    bit = 1 << p
    h.pending &= ~bit
    h.acted |= bit
    done = CALL
    if action <= FOLD and h.to_call > 0:
        h.live &= ~bit
        done = FOLD
    elif action >= RAISE and h.max_to > 0:
        done = max(RAISE, raise_to(r, h, min(max(action, h.min_to), h.max_to)))
    else:
        h.stack[p] -= h.to_call
        h.wager[p] += h.to_call
        h.spent[p] += h.to_call
        h.pot += h.to_call
    pass_turn(r, h)
    return done


@inlined
def pass_turn(r: Any, h: Any) -> None:
    """Give the turn to whoever acts next, on this street or the next one, or end the betting. Writes `h`."""
    if not h.live & (h.live - 1):
        finish(r, h)
    elif h.pending:
        next_actor(r, h)
    elif h.street + 1 < r.streets:
        h.street += 1
        for q in range(h.seats):
            h.wager[q] = 0
        open_street(r, h)
    else:
        finish(r, h)


@inlined
def raise_to(r: Any, h: Any, to: int) -> int:
    """Put the actor's wager at `to`, and everyone else who can still act on turn again."""
    p = h.actor
    bit = 1 << p
    by = to - h.bet
    paid = to - h.wager[p]
    h.stack[p] -= paid
    h.wager[p] = to
    h.spent[p] += paid
    h.pot += paid
    h.bet = to
    h.raises += 1
    pending = 0
    for q in range(h.seats):
        if h.stack[q] > 0:
            pending |= 1 << q
    h.pending = pending & h.live & ~bit
    if r.any_raise_reopens != 0:
        h.raise_by = max(by, h.raise_by - by)
        return to
    if by >= h.raise_by:
        h.acted = bit
        h.raise_by = by
    h.shorts = 0 if h.stack[p] > 0 else h.shorts + by
    if h.shorts >= h.raise_by:
        h.shorts = 0
    return to


@inlined
def divide(h: Any, ranks: NDArray[np.int32], row: int) -> None:
    """Divide the pot and the side pots among the best `ranks` (by position). Writes `payoff`.

    The best hands share everything up to the shortest of them, then the best hands still in for more share up
    to the shortest of those, and so on. Chips that do not divide go to the first winner after the button. What
    nobody called comes back to its owner, who is alone up there.
    """
    if not h.live & (h.live - 1):
        for p in range(h.seats):
            h.payoff[p] = ((h.live >> p) & 1) * h.pot - h.spent[p]
        return
    best = np.int32(-1)
    winner = 0
    winners = 0
    level = 0
    top = 0
    for p in range(h.seats):
        h.payoff[p] = -h.spent[p]
        if (h.live >> p) & 1:
            top = max(top, h.spent[p])
            if ranks[row, p] > best:
                best = ranks[row, p]
                winner = p
                winners = 1
                level = h.spent[p]
            elif ranks[row, p] == best:
                winners += 1
                level = min(level, h.spent[p])
    if winners == 1 and level == top:
        h.payoff[winner] += h.pot
    else:
        divide_side_pots(h, ranks, row)


@njit(error_model="numpy")
def divide_side_pots(h: Any, ranks: NDArray[np.int32], row: int) -> None:
    """Give out the chips level by level. Adds to `payoff`."""
    n = h.seats
    floor = 0
    left = h.pot
    while left > 0:
        best = np.int32(-1)
        winners = 0
        level = 0
        top = 0
        for p in range(n):
            if (h.live >> p) & 1 and h.spent[p] > floor:
                top = max(top, h.spent[p])
                if ranks[row, p] > best:
                    best = ranks[row, p]
                    winners = 1
                    level = h.spent[p]
                elif ranks[row, p] == best:
                    winners += 1
                    level = min(level, h.spent[p])
        chips = left
        if level < top:
            chips = 0
            for p in range(n):
                chips += min(h.spent[p], level) - min(h.spent[p], floor)
        left -= chips
        share = chips // winners
        odd = chips - share * winners
        for p in range(n):
            if (h.live >> p) & 1 and h.spent[p] > floor and ranks[row, p] == best:
                h.payoff[p] += share + odd
                odd = 0
        floor = level


@njit(error_model="numpy")
def begin(rules: NDArray[np.void], stacks: NDArray[np.int64], hand: NDArray[np.void]) -> None:
    """Start a hand: see `post_and_open`."""
    post_and_open(rules[0], stacks, hand[0])


@njit(error_model="numpy")
def step(rules: NDArray[np.void], hand: NDArray[np.void], action: int) -> int:
    """Take one action: see `take`."""
    return take(rules[0], hand[0], action)


@njit(error_model="numpy")
def settle(hand: NDArray[np.void], ranks: NDArray[np.int32]) -> None:
    """Divide the chips: see `divide`."""
    divide(hand[0], ranks.reshape((1, ranks.size)), 0)
