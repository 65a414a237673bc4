"""Recorded hands told like live ones: the views and events that the loop would have given every seat.

`tape_of` puts finished hands of any source on a tape, checked by the betting engine. `retell` gives the `VIEW`s and `EVENT`s
of a tape as arrays, `teach` tells them to compiled models at full speed, by the kernels they play with. Every step of a hand
is that of the live loop (`observe.telling`); only the choices and the payoffs come from the record.

Nobody is told more than at the table: a seat sees its own cards where the record has them, and what was shown. Cards
that the record does not have are -1 and their numbers NaN. `View.chance` is NaN, for the die of a choice is not recorded.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.columns import ACTION_ROW, HAND_ROW, Columns, new_columns
from nemesis.observe.desk import (
    MOST_EVENTS,
    PYTHON_WATCHER,
    Desk,
    Seating,
    empty_seats,
    new_desk,
    unowned_desk,
    unowned_seating,
)
from nemesis.observe.event import EVENT, KINDS, WATCH
from nemesis.observe.hand import Hand, HandError, decisions, replay
from nemesis.observe.tape import Tape
from nemesis.observe.telling import close_hand, open_hand, step_hand
from nemesis.observe.view import ACT, NOT_YET, VIEW, call_act, look
from nemesis.rules.betting import RAISE
from nemesis.rules.deal import CHUNK, FACTS, Bank, Tables, deal_tables, evaluate_rows, plan_deals
from nemesis.rules.game import MAX_SEATS, Game
from nemesis.runtime.borrowed import borrowed, unowned
from nemesis.runtime.compiled import address, inlined, njit

FINISHED, DRAIN, IMPOSSIBLE = -1, -2, -3
NOBODY = -1
_SEAT_NUMBERS = frozenset(range(1, MAX_SEATS + 1))
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


class Retold(NamedTuple):
    """Views and events in their order, each of the seat `me`; `after[i]` events came before view `i`."""

    views: NDArray[np.void]
    events: NDArray[np.void]
    after: NDArray[np.int64]


class Recital(NamedTuple):
    """What telling a tape needs: its rules and rows, the records of the hand that is told, and who listens."""

    rules: NDArray[np.void]
    plan: NDArray[np.void]
    tables: Tables
    columns: Columns
    desk: Desk
    seating: Seating
    bank: Bank
    listeners: Seating  # by listener
    at: NDArray[np.int64]  # hand, seat -> listener, or NOBODY
    place: NDArray[np.void]
    views: NDArray[np.void]  # room for views, or none if they are not wanted
    after: NDArray[np.int64]


def retell(
    hands: Tape | Iterable[Hand], facts: Collection[str] = FACTS, listening: NDArray[np.bool_] | None = None
) -> Retold:
    """The views and events of every seat, in the order in which the loop gives them.

    `listening` says by hand and seat who is told; by default everybody at the table, those who are dealt out included.
    """
    tape = hands if isinstance(hands, Tape) else tape_of(hands, ())
    if not len(tape):
        return Retold(np.zeros(0, VIEW), np.zeros(0, EVENT), np.zeros(0, np.int64))
    ears = np.ones((len(tape), tape.seats), bool) if listening is None else listening
    logging = empty_seats()
    logging.watches[0] = PYTHON_WATCHER
    logging.hears[0] = (1 << len(KINDS)) - 1
    recital = _recital(tape, logging, np.where(ears, 0, NOBODY), facts, views=len(tape.actions))
    desk, place = recital.desk, recital.place
    events = []
    while True:
        state = _tell_on(recital, tape)
        logged = int(desk.match["logged"][0])
        events.append(desk.log[:logged].copy())
        place["told"] += logged
        desk.match["logged"] = 0
        if state == FINISHED:
            break
    seen = int(place["viewed"][0])
    return Retold(recital.views[:seen], np.concatenate([*events, np.zeros(0, EVENT)]), recital.after[:seen])


def teach(
    tape: Tape,
    watch: Any,
    memories: NDArray[np.float64],
    at: NDArray[np.int64] | None = None,
    *,
    act: Any = None,
    hears: Collection[int] = range(len(KINDS)),
    facts: Collection[str] = FACTS,
) -> None:
    """Tell a tape to models that share a `watch` kernel. Writes `memories`, one row each.

    `at` says by hand and seat which row listens there, or `NOBODY`; by default row `i` is where player `i` of the tape sits.
    With an `act` kernel the models are also asked at their own decisions, as they were when they played; what they answer
    does not count, the record does.
    """
    if memories.ndim != 2 or not memories.flags.c_contiguous or memories.dtype != np.float64:
        raise ValueError(f"memories must be rows of float64, not {memories.dtype} of shape {memories.shape}")
    if not len(tape):
        return
    where = players_seated(tape) if at is None else at
    if where.shape != (len(tape), tape.seats) or where.max() >= len(memories):
        raise ValueError(
            f"who listens is told by {where.shape} numbers below {where.max() + 1}; this tape has {len(tape)} hands of "
            f"{tape.seats} seats, and there are {len(memories)} memories"
        )
    count, size = memories.shape
    listeners = Seating(
        np.full(count, 0 if act is None else address(act, ACT), np.int64),
        np.full(count, address(watch, WATCH), np.int64),
        np.full(count, sum(1 << kind for kind in hears), np.int64),
        np.arange(count) * size,
        np.full(count, size, np.int64),
        memories.reshape(-1),
    )
    _tell_on(_recital(tape, listeners, where, facts), tape)


def players_dealt(tape: Tape) -> NDArray[np.int64]:
    """By hand and seat, which player of the tape was dealt in there, or `NOBODY`."""
    at = np.full((len(tape), tape.seats), NOBODY, np.int64)
    dealt = np.arange(MAX_SEATS) < tape.hands["seats"][:, None]
    rows = np.nonzero(dealt)[0]
    at[rows, tape.hands["seat"][dealt]] = tape.hands["player"][dealt]
    return at


def players_seated(tape: Tape) -> NDArray[np.int64]:
    """The same with those who are dealt out: a player keeps its seat through a match until somebody else takes it."""
    at = players_dealt(tape)
    begins = np.ones(len(tape), bool)
    begins[1:] = tape.hands["match"][1:] != tape.hands["match"][:-1]
    known = (at != NOBODY) | begins[:, None]
    last = np.maximum.accumulate(np.where(known, np.arange(len(tape))[:, None], 0), axis=0)
    seated: NDArray[np.int64] = np.take_along_axis(at, last, axis=0)
    return seated


def around(tape: Tape, player: str) -> Tape:
    """The hands of one player of the tape, who sits in seat 0 in all of them, the next to act after it in seat 1."""
    dealt = np.arange(MAX_SEATS) < tape.hands["seats"][:, None]
    mine = dealt & (tape.hands["player"] == tape.players.index(player))
    rows = np.flatnonzero(mine.any(axis=1))
    hands = tape.hands[rows].copy()
    own = mine[rows].argmax(axis=1)
    hands["seat"] = (np.arange(MAX_SEATS) - own[:, None]) % hands["seats"][:, None]
    return Tape(tape.games, tape.players, hands, tape.actions, tape.seed)


def tape_of(hands: Iterable[Hand], facts: Collection[str] = FACTS) -> Tape:
    """The hands on a tape, walked through the betting engine; `HandError` where it allows them not.

    A player keeps a seat from hand to hand: the one the source gives (`seats`), else by name; without names seats are
    positions. The match and the number of a hand are the source's if it is one of ours, else hands count from 0.
    What was won is the source's own where it gives it, else what the replay makes of it, 0 if that cannot be known.
    """
    listed = list(hands)
    if not listed:
        return Tape((), (), *new_columns())
    games: dict[tuple[object, ...], int] = {}
    kinds: list[Game] = []
    names: dict[str, int] = {}
    chairs: dict[str, int] = {}
    rows = np.zeros(len(listed), HAND_ROW)
    counts = [len(hand.actions) for hand in listed]
    for at, hand in enumerate(listed):
        game = hand.game
        key = tuple(value for name, value in vars(game).items() if name != "stacks")
        if key not in games:
            games[key] = len(kinds)
            kinds.append(game)
        players = hand.players or tuple(f"p{position + 1}" for position in range(game.seats))
        _fill_row(rows[at], hand, games[key], [names.setdefault(name, len(names)) for name in players])
        told = dict(hand.source)
        rows["match"][at], rows["hand"][at] = _numbers(told, at)
        rows["seat"][at, : game.seats] = _seats(hand, told, chairs)
    _check_decks(kinds)
    rows["actions"] = counts
    rows["first"] = np.cumsum(counts) - counts
    actions = np.zeros(sum(counts), ACTION_ROW)
    done = np.array([action for hand in listed for action in hand.actions], np.int64)
    actions["action"], actions["to"] = np.minimum(done, RAISE), np.where(done < RAISE, 0, done)
    draft = Tape(tuple(kinds), tuple(names), rows, actions)
    recital = _recital(draft, empty_seats(), np.full((len(listed), draft.seats), NOBODY), facts)
    desk = recital.desk._replace(columns=Columns(new_columns().hands, np.zeros(len(actions) + 1, ACTION_ROW)))
    _tell_on(recital._replace(desk=desk), draft, listed)
    complete = desk.columns.actions[: len(actions)]
    complete["hand"] = np.repeat(np.arange(len(listed)), counts)
    return Tape(draft.games, draft.players, rows, complete)


def _fill_row(row: Any, hand: Hand, game: int, players: Sequence[int]) -> None:
    """Write what a hand's row has of the hand itself. Writes `row`."""
    seats, width = hand.game.seats, hand.game.hole_cards
    row["rules"], row["seats"] = game, seats
    row["shown"] = sum(1 << p for p in hand.shown)
    row["stacks"][:seats] = hand.game.stacks
    row["payoffs"][:seats] = hand.payoffs or replay(hand).payoffs or 0
    row["player"][:seats] = players
    holes = np.zeros((MAX_SEATS, 2), np.int8)
    holes[:seats] = NOT_YET
    for position, cards in enumerate(hand.hole):
        if cards:
            holes[position, :width] = cards
    row["hole"] = holes.ravel()
    row["board"] = NOT_YET
    row["board"][: len(hand.board)] = hand.board


def _numbers(told: dict[str, object], at: int) -> tuple[int, int]:
    """The match and the number of a hand."""
    match, number = told.get("_match"), told.get("hand")
    if isinstance(match, int) and isinstance(number, int) and match > 0 and number > 0:
        return match - 1, number - 1
    return 0, at


def _seats(hand: Hand, told: dict[str, object], chairs: dict[str, int]) -> list[int]:
    """The seat of each position. Writes `chairs`, the seats of everybody who was not driven from them."""
    count, given = hand.game.seats, told.get("seats")
    if isinstance(given, tuple) and len(set(given)) == count == len(given) and set(given) <= _SEAT_NUMBERS:
        return [seat - 1 for seat in given]
    if len(set(hand.players)) != count:
        return list(range(count))
    kept = {chairs[name] for name in hand.players if name in chairs}
    free = (seat for seat in range(MAX_SEATS) if seat not in kept)
    for name in hand.players:
        if name not in chairs:
            taken = next(free)
            for other in [other for other, seat in chairs.items() if seat == taken]:
                del chairs[other]
            chairs[name] = taken
    return [chairs[name] for name in hand.players]


def _check_decks(games: Sequence[Game]) -> None:
    decks = {(game.ranks, game.suits, game.hole_cards, game.board_cards): game.name for game in games}
    if len(decks) > 1:
        raise HandError(
            f"hands of {' and of '.join(decks.values())} are dealt from different decks; use a tape for each"
        )


def _recital(tape: Tape, listeners: Seating, at: NDArray[np.int64], facts: Collection[str], views: int = 0) -> Recital:
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


def _tell_on(recital: Recital, tape: Tape, hands: Sequence[Hand] = ()) -> int:
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
        Columns(unowned(recital.columns.hands), unowned(recital.columns.actions)),
        unowned_desk(recital.desk),
        unowned_seating(recital.seating),
        Bank(
            unowned(recital.bank.holes),
            unowned(recital.bank.boards),
            unowned(recital.bank.ranks),
            unowned(recital.bank.win),
            unowned(recital.bank.strength),
        ),
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


@inlined
def board_known(d: Any) -> int:
    """How many board cards the row has."""
    known = 0
    while known < 5 and d.board[known] >= 0:
        known += 1
    return known


@njit(error_model="numpy")
def load_rows(
    plan: NDArray[np.void], tables: Tables, hands: NDArray[np.void], first: int, count: int, bank: Bank
) -> None:
    """Put the cards of hands and the facts of those that are known into the bank. Writes `bank`.

    Cards that the record does not have are stood in for by unused ones; their facts are NaN, and nobody is shown them.
    """
    width = bank.holes.shape[2]
    cards = plan[0].board_cards
    for i in range(count):
        d = hands[first + i]
        used = np.int64(0)
        for p in range(d.seats):
            for c in range(width):
                if d.hole[2 * p + c] >= 0:
                    used |= np.int64(1) << np.int64(d.hole[2 * p + c])
        for c in range(cards):
            if d.board[c] >= 0:
                used |= np.int64(1) << np.int64(d.board[c])
        spare = np.int64(0)
        for place in range(cards + bank.holes.shape[1] * width):
            p = (place - cards) // width
            c = (place - cards) % width
            card = np.int64(-1)
            if place < cards:
                card = np.int64(d.board[place])
            elif p < d.seats:
                card = np.int64(d.hole[2 * p + c])
            if card < 0:
                while (used >> spare) & 1:
                    spare += 1
                card = spare
                spare += 1
            if place < cards:
                bank.boards[i, place] = card
            else:
                bank.holes[i, p, c] = card
    if plan[0].holdem == 0 or plan[0].wants_win != 0 or plan[0].wants_strength != 0:
        evaluate_rows(plan, tables, 0, count, bank)
        forget_unknown(plan, hands, first, count, bank)


@inlined
def forget_unknown(plan: NDArray[np.void], hands: NDArray[np.void], first: int, count: int, bank: Bank) -> None:
    """Put NaN where a fact rests on a card that the record does not have. Writes `bank`."""
    streets = bank.win.shape[2]
    for i in range(count):
        d = hands[first + i]
        known = board_known(d)
        for p in range(bank.holes.shape[1]):
            for street in range(streets):
                unknown = p >= d.seats or d.hole[2 * p] < 0 or dealt_by(plan[0], street) > known
                if unknown:
                    bank.win[i, p, street] = np.nan
                    bank.strength[i, p, street] = np.nan


@inlined
def dealt_by(plan: Any, street: int) -> int:
    """How many board cards a deal's facts of a street rest on."""
    if plan.holdem != 0:
        return 0 if street == 0 else 2 + street
    return plan.board_cards if street >= plan.board_street else 0
