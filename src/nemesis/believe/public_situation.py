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


class _Told(NamedTuple):
    """The columns that the walk reads."""

    first: NDArray[np.int64]
    actions: NDArray[np.int64]
    seats: NDArray[np.int64]
    stacks: NDArray[np.int64]
    blinds: NDArray[np.int64]
    antes: NDArray[np.int64]
    unit: NDArray[np.float64]
    board: NDArray[np.int8]
    position: NDArray[np.int8]
    street: NDArray[np.int8]
    action: NDArray[np.int8]
    amount: NDArray[np.int64]
    to_call: NDArray[np.int64]
    pot: NDArray[np.int64]


class _Table(NamedTuple):
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
    rules = np.concatenate([game.compiled() for game in games])
    which = hands["rules"]
    blinds, antes = np.ascontiguousarray(rules["blinds"][which]), np.ascontiguousarray(rules["antes"][which])
    unit = np.maximum(rules["bets"][which, 0], 1).astype(np.float64)
    by_hand = {name: np.ascontiguousarray(hands[name]) for name in ("first", "actions", "seats", "stacks", "board")}
    names = ("position", "street", "action", "amount", "to_call", "pot")
    by_action = {name: np.ascontiguousarray(actions[name]) for name in names}
    told = _Told(blinds=blinds, antes=antes, unit=unit, **by_hand, **by_action)
    table = _Table(*(np.zeros(MAX_SEATS, np.int64) for _ in _Table._fields))
    rows = np.zeros((len(actions), len(FEATURES)), np.float32)
    size = np.zeros(len(actions), np.float32)
    shove = np.zeros(len(actions), bool)
    walk(told, table, rows, size, shove)
    return Situations(rows, size, shove)


@njit(error_model="numpy")
def walk(told: Any, table: Any, rows: Any, size: Any, shove: Any) -> None:
    """Walk through every hand. Writes `table`, `rows`, `size` and `shove`."""
    for hand in range(len(told.first)):
        seats = told.seats[hand]
        begin_hand(told, table, hand)
        street, last_action, last_size, folds, bettor, bet_size, bet_level = 0, 0, 0.0, 0, NOBODY, 0.0, 0
        start = told.first[hand]
        for at in range(start, start + told.actions[hand]):
            if told.street[at] != street:
                street = told.street[at]
                bettor, bet_size = NOBODY, 0.0
                for p in range(seats):
                    table.wager[p] = 0
                    table.previous[p] = table.last[p]
                    table.last[p] = 0
            p, unit, pot = told.position[at], told.unit[hand], told.pot[at]
            row = rows[at]
            describe_seat(told, table, hand, at, row)
            describe_bets(told, table, hand, at, bettor, row)
            row[BET_SIZE] = bet_size
            row[BET_LEVEL] = capped(bet_level / unit)
            row[LAST_ACTION], row[LAST_SIZE], row[FOLDS] = last_action, last_size, folds
            if street > 0:
                describe_board(told.board[hand], street + 2, row)

            action, amount, to_call = told.action[at], told.amount[at], told.to_call[at]
            table.stack[p] -= amount
            table.wager[p] += amount
            table.spent[p] += amount
            table.actions[p] += 1
            table.last[p] = action + 1
            last_action, last_size = action + 1, min(amount / max(pot, 1), 9.0)
            if action == FOLDED:
                table.live[p] = 0
                folds += 1
            elif action == RAISED:
                added = min((amount - to_call) / max(pot + to_call, 1), 9.0)
                size[at] = bet_size = added
                shove[at] = table.stack[p] == 0
                bettor, bet_level = p, table.wager[p]
                table.aggressor[street] = p
                table.street_raises[street] += 1
                table.raises[p] += 1
            if street == 0 and action != FOLDED:
                table.role[p] = role_before_flop(table, action, to_call)


@inlined
def begin_hand(told: Any, table: Any, hand: int) -> None:
    """Post antes and blinds. Writes `table`."""
    for p in range(told.seats[hand]):
        stack = told.stacks[hand, p]
        ante = min(told.antes[hand, p], stack)
        blind = min(told.blinds[hand, p], stack - ante)
        table.stack[p] = stack - ante - blind
        table.wager[p] = table.forced[p] = blind
        table.spent[p] = ante + blind
        table.live[p] = 1
        table.role[p] = table.actions[p] = table.last[p] = table.previous[p] = table.raises[p] = 0
    for street in range(4):
        table.street_raises[street] = 0
        table.aggressor[street] = NOBODY


@inlined
def role_before_flop(table: Any, action: int, to_call: int) -> int:
    """1 checked or limped, 2 called a raise, 3 raised, 4 re-raised."""
    if action == RAISED:
        return 3 if table.street_raises[0] == 1 else 4
    return 2 if table.street_raises[0] > 0 and to_call > 0 else 1


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
def describe_seat(told: Any, table: Any, hand: int, at: int, row: Any) -> None:
    """Who is left, where the player sits and what it has. Writes `row`."""
    seats, p, street, unit = told.seats[hand], told.position[at], told.street[at], told.unit[hand]
    to_call, pot, stack = told.to_call[at], told.pot[at], table.stack[p]
    live, behind, all_in, before, after, most, entered = 0, 0, 0, 0, 0, 0, 0
    for q in range(seats):
        if table.live[q] == 0:
            continue
        live += 1
        if table.actions[q] > 0:
            entered += 1
        if q == p:
            continue
        if table.stack[q] == 0:
            all_in += 1
        else:
            before += q < p
            after += q > p
            if table.last[q] == 0:
                behind += 1
        most = max(most, table.stack[q] + table.wager[q])
    effective = min(stack, max(most - table.wager[p], 0))
    row[STREET], row[SEATS], row[LIVE], row[BEHIND], row[ALL_IN] = street, seats, live, behind, all_in
    row[TO_BUTTON] = seats - 1 - p
    row[FORCED] = min(table.forced[p] / unit, 4.0)
    row[FIRST], row[LAST] = before == 0, after == 0
    row[TO_CALL] = capped(to_call / unit)
    row[PRICE] = to_call / max(pot + to_call, 1)
    row[CALL_SHARE] = to_call / max(stack, 1)
    row[POT] = capped(pot / unit)
    row[STACK] = capped(stack / unit)
    row[EFFECTIVE] = capped(effective / unit)
    row[DEPTH] = np.log1p(min(effective / max(pot, 1), 50.0))
    row[ENTERED] = entered
    row[OWN_SPENT] = capped(table.spent[p] / unit)
    row[OWN_ROLE] = table.role[p]
    row[OWN_ACTIONS] = min(table.actions[p], 9)
    row[OWN_LAST], row[OWN_PREVIOUS], row[OWN_RAISES] = table.last[p], table.previous[p], table.raises[p]
    row[ANTE] = min(told.antes[hand, p] / unit, 4.0)
    row[CAN_RAISE] = stack > to_call and live > all_in + 1


@inlined
def describe_bets(told: Any, table: Any, hand: int, at: int, bettor: int, row: Any) -> None:
    """Who bet and how the streets before went. Writes `row`."""
    seats, p, street, unit = told.seats[hand], told.position[at], told.street[at], told.unit[hand]
    raises = table.street_raises[street]
    callers, limpers, level = 0, 0, 0
    for q in range(seats):
        level = max(level, table.wager[q])
    for q in range(seats):
        if q != p and table.live[q] != 0:
            if q != bettor and table.last[q] == 2 and table.wager[q] == level:
                callers += 1
            limpers += table.role[q] == 1
    row[RAISES], row[CALLERS], row[LIMPERS] = min(raises, 6), callers, limpers
    if bettor != NOBODY:
        row[BETTOR_BEHIND] = 1.0 if bettor > p else 2.0
        row[BETTOR_GAP] = (p - bettor) % seats
        row[BETTOR_STACK] = capped(table.stack[bettor] / unit)
        row[BETTOR_BEFORE] = 1.0 + table.role[bettor] if street > 0 else 1.0 + min(seats - 1 - bettor, 6)
    for s in range(min(street, 3)):
        row[RAISES_PREFLOP + s] = min(table.street_raises[s], 6)
        who = table.aggressor[s]
        row[AGGRESSOR_PREFLOP + s] = whose(who, p, 0 if who == NOBODY else table.live[who])
    who = table.aggressor[0]
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
