"""What any onlooker knows when a player must act, as a row of numbers: the public situation and the line of the hand.

One row for every action of recorded hands, in their order, made from columns (`observe.columns`) by one compiled walk.
The same code makes rows for training and for prediction. A row uses nothing that happens after its decision and nobody's
hidden cards. Amounts are measured in big blinds, in pots or in stacks, so that rows of different stakes and rooms are
alike; stacks that count as endless are capped.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.hand_columns import hand_columns
from nemesis.rules.game import MAX_SEATS, Game
from nemesis.runtime.compiled import inlined, njit

FEATURES = (
    "street",
    "seats",
    "live",
    "behind",
    "all_in",
    "to_button",
    "forced",
    "first",
    "last",
    "to_call",
    "price",
    "call_share",
    "pot",
    "stack",
    "effective",
    "depth",
    "raises",
    "callers",
    "bet_size",
    "bet_level",
    "bettor_behind",
    "bettor_gap",
    "bettor_stack",
    "bettor_before",
    "own_role",
    "own_actions",
    "own_last",
    "own_previous",
    "own_spent",
    "own_raises",
    "raises_preflop",
    "raises_flop",
    "raises_turn",
    "aggressor_preflop",
    "aggressor_flop",
    "aggressor_turn",
    "preflop_role",
    "limpers",
    "last_action",
    "folds",
    "entered",
    "last_size",
    "ante",
    "can_raise",
    "high_card",
    "second_card",
    "board_pairs",
    "suited",
    "run",
    "broadway",
    "last_card",
    "last_card_pairs",
    "last_card_suits",
)
"""The columns of a row. Amounts are logarithms (`capped`); `own` is the player who acts, `bettor` who raised last here."""

(
    STREET,
    SEATS,
    LIVE,
    BEHIND,
    ALL_IN,
    TO_BUTTON,
    FORCED,
    FIRST,
    LAST,
    TO_CALL,
    PRICE,
    CALL_SHARE,
    POT,
    STACK,
    EFFECTIVE,
    DEPTH,
    RAISES,
    CALLERS,
    BET_SIZE,
    BET_LEVEL,
    BETTOR_BEHIND,
    BETTOR_GAP,
    BETTOR_STACK,
    BETTOR_BEFORE,
    OWN_ROLE,
    OWN_ACTIONS,
    OWN_LAST,
    OWN_PREVIOUS,
    OWN_SPENT,
    OWN_RAISES,
    RAISES_PREFLOP,
    RAISES_FLOP,
    RAISES_TURN,
    AGGRESSOR_PREFLOP,
    AGGRESSOR_FLOP,
    AGGRESSOR_TURN,
    PREFLOP_ROLE,
    LIMPERS,
    LAST_ACTION,
    FOLDS,
    ENTERED,
    LAST_SIZE,
    ANTE,
    CAN_RAISE,
    HIGH_CARD,
    SECOND_CARD,
    BOARD_PAIRS,
    SUITED,
    RUN,
    BROADWAY,
    LAST_CARD,
    LAST_CARD_PAIRS,
    LAST_CARD_SUITS,
) = range(len(FEATURES))

DEEPEST = 500.0
"""Big blinds above which a stack or an amount counts as this many."""
NOBODY = -1
FOLDED, CALLED, RAISED = range(3)


class Situations(NamedTuple):
    """A row for every action."""

    rows: NDArray[np.float32]
    """By `FEATURES`."""
    size: NDArray[np.float32]
    """What a bet or raise added above the call, in pots after the call; 0 for other actions."""
    shove: NDArray[np.bool_]
    """Whether a bet or raise took the player's last chip."""


def last_aggressor(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Who bet last on the street before, as `whose` says; 0 before the flop."""
    street = rows[:, STREET].astype(np.int64)
    found = rows[np.arange(len(rows)), AGGRESSOR_PREFLOP + np.maximum(street - 1, 0)]
    return np.where(street > 0, found, np.float32(0))


class _Standing(NamedTuple):
    """How things stand in the hand that is walked through, by position; the walk owns it."""

    stack: NDArray[np.int64]
    wager: NDArray[np.int64]
    forced: NDArray[np.int64]
    spent: NDArray[np.int64]
    live: NDArray[np.int64]
    role: NDArray[np.int64]
    actions: NDArray[np.int64]
    last: NDArray[np.int64]
    previous: NDArray[np.int64]
    raises: NDArray[np.int64]
    street_raises: NDArray[np.int64]  # by street
    aggressor: NDArray[np.int64]  # by street


def situations(games: Sequence[Game], hands: NDArray[np.void], actions: NDArray[np.void]) -> Situations:
    """The rows of every action, given the rows of hands and actions and the games that they speak of."""
    now = _Standing(*(np.zeros(MAX_SEATS, np.int64) for _ in _Standing._fields))
    rows = np.zeros((len(actions), len(FEATURES)), np.float32)
    size = np.zeros(len(actions), np.float32)
    shove = np.zeros(len(actions), bool)
    walk(hand_columns(games, hands, actions), now, rows, size, shove)
    return Situations(rows, size, shove)


@njit(error_model="numpy")
def walk(columns: Any, now: Any, rows: Any, size: Any, shove: Any) -> None:
    """Walk through every hand. Writes `now`, `rows`, `size` and `shove`."""
    for hand in range(len(columns.first)):
        seats = columns.seats[hand]
        begin_hand(columns, now, hand)
        street, last_action, last_size, folds, bettor, bet_size, bet_level = 0, 0, 0.0, 0, NOBODY, 0.0, 0
        start = columns.first[hand]
        for at in range(start, start + columns.actions[hand]):
            if columns.street[at] != street:
                street = columns.street[at]
                bettor, bet_size = NOBODY, 0.0
                for p in range(seats):
                    now.wager[p] = 0
                    now.previous[p] = now.last[p]
                    now.last[p] = 0
            p, unit, pot = columns.position[at], columns.unit[hand], columns.pot[at]
            row = rows[at]
            describe_seat(columns, now, hand, at, row)
            describe_bets(columns, now, hand, at, bettor, row)
            row[BET_SIZE] = bet_size
            row[BET_LEVEL] = capped(bet_level / unit)
            row[LAST_ACTION], row[LAST_SIZE], row[FOLDS] = last_action, last_size, folds
            if street > 0:
                describe_board(columns.board[hand], street + 2, row)

            action, amount, to_call = columns.action[at], columns.amount[at], columns.to_call[at]
            now.stack[p] -= amount
            now.wager[p] += amount
            now.spent[p] += amount
            now.actions[p] += 1
            now.last[p] = action + 1
            last_action, last_size = action + 1, min(amount / max(pot, 1), 9.0)
            if action == FOLDED:
                now.live[p] = 0
                folds += 1
            elif action == RAISED:
                added = min((amount - to_call) / max(pot + to_call, 1), 9.0)
                size[at] = bet_size = added
                shove[at] = now.stack[p] == 0
                bettor, bet_level = p, now.wager[p]
                now.aggressor[street] = p
                now.street_raises[street] += 1
                now.raises[p] += 1
            if street == 0 and action != FOLDED:
                now.role[p] = role_before_flop(now, action, to_call)


@inlined
def begin_hand(columns: Any, now: Any, hand: int) -> None:
    """Post antes and blinds. Writes `now`."""
    for p in range(columns.seats[hand]):
        stack = columns.stacks[hand, p]
        ante = min(columns.antes[hand, p], stack)
        blind = min(columns.blinds[hand, p], stack - ante)
        now.stack[p] = stack - ante - blind
        now.wager[p] = now.forced[p] = blind
        now.spent[p] = ante + blind
        now.live[p] = 1
        now.role[p] = now.actions[p] = now.last[p] = now.previous[p] = now.raises[p] = 0
    for street in range(4):
        now.street_raises[street] = 0
        now.aggressor[street] = NOBODY


@inlined
def role_before_flop(now: Any, action: int, to_call: int) -> int:
    """1 checked or limped, 2 called a raise, 3 raised, 4 re-raised."""
    if action == RAISED:
        return 3 if now.street_raises[0] == 1 else 4
    return 2 if now.street_raises[0] > 0 and to_call > 0 else 1


@inlined
def capped(big_blinds: float) -> Any:
    """The logarithm of an amount, which is what trees and networks see of it."""
    return np.log1p(max(0.0, min(big_blinds, DEEPEST)))


@inlined
def whose(player: int, me: int, live: int) -> float:
    """0 nobody, 1 the player who acts, 2 somebody who is still in, 3 somebody who has folded."""
    if player == NOBODY:
        return 0.0
    if player == me:
        return 1.0
    return 2.0 if live else 3.0


@inlined
def describe_seat(columns: Any, now: Any, hand: int, at: int, row: Any) -> None:
    """Who is left, where the player sits and what it has. Writes `row`."""
    seats, p, street, unit = columns.seats[hand], columns.position[at], columns.street[at], columns.unit[hand]
    to_call, pot, stack = columns.to_call[at], columns.pot[at], now.stack[p]
    live, behind, all_in, before, after, most, entered = 0, 0, 0, 0, 0, 0, 0
    for q in range(seats):
        if now.live[q] == 0:
            continue
        live += 1
        if now.actions[q] > 0:
            entered += 1
        if q == p:
            continue
        if now.stack[q] == 0:
            all_in += 1
        else:
            before += q < p
            after += q > p
            if now.last[q] == 0:
                behind += 1
        most = max(most, now.stack[q] + now.wager[q])
    effective = min(stack, max(most - now.wager[p], 0))
    row[STREET], row[SEATS], row[LIVE], row[BEHIND], row[ALL_IN] = street, seats, live, behind, all_in
    row[TO_BUTTON] = seats - 1 - p
    row[FORCED] = min(now.forced[p] / unit, 4.0)
    row[FIRST], row[LAST] = before == 0, after == 0
    row[TO_CALL] = capped(to_call / unit)
    row[PRICE] = to_call / max(pot + to_call, 1)
    row[CALL_SHARE] = to_call / max(stack, 1)
    row[POT] = capped(pot / unit)
    row[STACK] = capped(stack / unit)
    row[EFFECTIVE] = capped(effective / unit)
    row[DEPTH] = np.log1p(min(effective / max(pot, 1), 50.0))
    row[ENTERED] = entered
    row[OWN_SPENT] = capped(now.spent[p] / unit)
    row[OWN_ROLE] = now.role[p]
    row[OWN_ACTIONS] = min(now.actions[p], 9)
    row[OWN_LAST], row[OWN_PREVIOUS], row[OWN_RAISES] = now.last[p], now.previous[p], now.raises[p]
    row[ANTE] = min(columns.antes[hand, p] / unit, 4.0)
    row[CAN_RAISE] = stack > to_call and live > all_in + 1


@inlined
def describe_bets(columns: Any, now: Any, hand: int, at: int, bettor: int, row: Any) -> None:
    """Who bet and how the streets before went. Writes `row`."""
    seats, p, street, unit = columns.seats[hand], columns.position[at], columns.street[at], columns.unit[hand]
    raises = now.street_raises[street]
    callers, limpers, level = 0, 0, 0
    for q in range(seats):
        level = max(level, now.wager[q])
    for q in range(seats):
        if q != p and now.live[q] != 0:
            if q != bettor and now.last[q] == 2 and now.wager[q] == level:
                callers += 1
            limpers += now.role[q] == 1
    row[RAISES], row[CALLERS], row[LIMPERS] = min(raises, 6), callers, limpers
    if bettor != NOBODY:
        row[BETTOR_BEHIND] = 1.0 if bettor > p else 2.0
        row[BETTOR_GAP] = (p - bettor) % seats
        row[BETTOR_STACK] = capped(now.stack[bettor] / unit)
        row[BETTOR_BEFORE] = 1.0 + now.role[bettor] if street > 0 else 1.0 + min(seats - 1 - bettor, 6)
    for s in range(min(street, 3)):
        row[RAISES_PREFLOP + s] = min(now.street_raises[s], 6)
        who = now.aggressor[s]
        row[AGGRESSOR_PREFLOP + s] = whose(who, p, 0 if who == NOBODY else now.live[who])
    who = now.aggressor[0]
    row[PREFLOP_ROLE] = -1.0 if who == NOBODY else float((who - p) % seats)


@inlined
def describe_board(board: Any, cards: int, row: Any) -> None:
    """The texture of the board as it stands. Writes `row`."""
    ranks = 0
    pairs, high, second, broadway = 0, 0, 0, 0
    suit = np.zeros(4, np.int64)
    for i in range(cards):
        if board[i] < 0:
            continue
        rank = board[i] // 4
        suit[board[i] % 4] += 1
        if i == cards - 1:
            row[LAST_CARD_PAIRS] = (ranks >> rank) & 1
            row[LAST_CARD_SUITS] = suit[board[i] % 4]
            row[LAST_CARD] = 1.0 if rank > high else (0.5 if rank > second else 0.0)
        if (ranks >> rank) & 1:
            pairs += 1
        ranks |= 1 << rank
        broadway += rank >= 8
        if rank > high:
            high, second = rank, high
        elif rank > second:
            second = rank
    best = 0
    wheel = (ranks << 1) | (ranks >> 12)
    for low in range(10):
        inside = 0
        for i in range(5):
            inside += (wheel >> (low + i)) & 1
        best = max(best, inside)
    row[HIGH_CARD], row[SECOND_CARD], row[BOARD_PAIRS], row[BROADWAY] = high, second, pairs, broadway
    row[SUITED] = max(max(suit[0], suit[1]), max(suit[2], suit[3]))
    row[RUN] = best
