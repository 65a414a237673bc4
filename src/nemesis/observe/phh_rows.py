"""Plain PHH text to rows of hands and actions in compiled code: the fast path of `observe.history`.

`read_on` walks through texts line by line, finds the fields of each hand, sorts out its actions, walks them through the
betting engine and divides the pots. It takes only what it fully understands. Every other hand is marked odd, with the
place of its text, and the complete reader (`observe.phh`) has the last word on it; both must say the same of a hand that
both take. The one exception are folds where checking was free: people do fold then, the engine cannot, and here they
are rows like any other.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.columns import ACTION_ROW, HAND_ROW
from nemesis.observe.toml_bytes import (
    EXACT,
    INFINITE,
    MILLION,
    NOTHING,
    Names,
    first_item,
    is_nearly_full,
    is_plain,
    mix_bytes,
    mix_number,
    next_item,
    number_of,
    read_amount,
    read_amounts,
    read_count,
    read_text,
    scanning,
)
from nemesis.observe.view import NOT_YET
from nemesis.rules.betting import (
    CALL,
    FOLD,
    RAISE,
    divide,
    finish,
    new_hand,
    next_actor,
    open_street,
    post_and_open,
    take,
)
from nemesis.rules.cards import RANKS, SUITS
from nemesis.rules.evaluator import EMPTY_HAND, EvaluatorTables, rank_of
from nemesis.rules.game import AFTER_BLINDS, MAX_SEATS, MAX_STREETS, RULES, UNCAPPED
from nemesis.runtime.limits import ENDLESS, MOST_CHIPS

FINISHED, MORE_ROOM = 0, 1
UNKNOWN, FROM_STACKS, FROM_WINNINGS, FROM_RULES = range(4)
"""Where a hand's payoffs come from: nowhere (they are 0), its source's stacks, its winnings, or the replayed pots."""
NO_TIME = np.int64(-(2**62))
SHORTEST_HAND, SHORTEST_ACTION = 64, 6
"""Bytes of text that a hand and an action have at least."""

FIELDS = (
    "variant", "ante_trimming_status", "antes", "blinds_or_straddles", "min_bet", "small_bet", "big_bet", "starting_stacks",
    "actions", "players", "finishing_stacks", "winnings", "venue", "time", "day", "month", "year", "hand", "seats", "table",
    "_shown", "_match", "currency_symbol", "_game",
)  # fmt: skip
(
    _VARIANT, _TRIMMING, _ANTES, _BLINDS, _MIN_BET, _SMALL_BET, _BIG_BET, _STACKS, _ACTIONS, _PLAYERS, _FINISHING,
    _WINNINGS, _VENUE, _TIME, _DAY, _MONTH, _YEAR, _HAND, _SEATS, _TABLE, _SHOWN, _MATCH, _CURRENCY, _GAME,
) = range(len(FIELDS))  # fmt: skip
_PRIME = np.uint64(1099511628211)


def _field_hash(name: str) -> int:
    value = int(NOTHING)
    for byte in name.encode():
        value = (value ^ byte) * int(_PRIME) % 2**64
    return value


FIELD_HASHES = np.array([_field_hash(name) for name in FIELDS], np.uint64)
RANK_OF = np.full(256, -1, np.int64)
SUIT_OF = np.full(256, -1, np.int64)
RANK_OF[[ord(rank) for rank in RANKS]] = range(13)
SUIT_OF[[ord(suit) for suit in SUITS]] = range(4)
TURNS = 1024
_LISTS = 16
(_FOLDS, _CALLS, _RAISES) = range(3)

ABOUT_ROW = np.dtype(
    (
        np.record,
        [
            ("key", np.uint64),  # of the hand wherever it is read from
            ("file", np.int64),  # which of the files
            ("line", np.int64),  # the first of its lines there
            ("time", np.int64),  # seconds since 1970 by the source's own clock, or NO_TIME
            ("room", np.int64),  # which of the labels
            ("table", np.int64),
            ("currency", np.int64),
            ("scale", np.int64),  # chips to the source's unit
            ("big_blind", np.int64),  # the stakes: the smallest bet, whatever was straddled
            ("result", np.int64),  # where the payoffs come from
            ("decided", np.int64),  # whether `replayed` is known
            ("posts", np.int64),  # positions that posted to come in, as bits
            ("free_folds", np.int64),  # folds where checking was free
            ("live", np.int64),  # positions that never folded, as bits
            ("spent", np.int64, (MAX_SEATS,)),  # chips put in, those that nobody called included
            ("uncalled", np.int64, (MAX_SEATS,)),  # chips that nobody called
            ("replayed", np.int64, (MAX_SEATS,)),  # the payoffs by the rules, without rake
        ],
    )
)

ODD_ROW = np.dtype(
    (
        np.record,
        [("row", np.int64), ("span", np.int64), ("start", np.int64), ("end", np.int64), ("line", np.int64)],
    )
)

PLACE = np.dtype(
    (
        np.record,
        [
            ("span", np.int64),
            ("at", np.int64),
            ("line", np.int64),
            ("hands", np.int64),
            ("actions", np.int64),
            ("odd", np.int64),
            ("ids", np.int64),  # bytes of the hands' names
        ],
    )
)

GAME_ROOM = 256
LABELS = 3
"""Labels that a hand has: its room, its table and its currency."""


class Games(NamedTuple):
    """The rules met so far by their hash, and the records of those that are new. `counts` is (all, new)."""

    hashes: NDArray[np.uint64]
    numbers: NDArray[np.int64]
    fresh: NDArray[np.void]
    counts: NDArray[np.int64]


class Scratch(NamedTuple):
    """What the hand that is being read lies on."""

    fields: NDArray[np.int64]  # field -> start and end of its value, or -1
    lists: NDArray[np.int64]  # stacks, antes, blinds, final stacks, winnings, others: millionths
    turns: NDArray[np.int64]  # position, code, millionths, board cards
    cards: NDArray[np.int64]  # by position: dealt and shown cards, two each, -1 for none
    rules: NDArray[np.void]
    hand: NDArray[np.void]
    stacks: NDArray[np.int64]
    ranks: NDArray[np.int32]


class Sheet(NamedTuple):
    """Where rows are written, and the names that they speak of."""

    place: NDArray[np.void]
    hands: NDArray[np.void]
    actions: NDArray[np.void]
    about: NDArray[np.void]
    ids: NDArray[np.uint8]  # the hands' own names one after another
    id_ends: NDArray[np.int64]
    odd: NDArray[np.void]
    players: Names
    labels: Names
    games: Games
    scratch: Scratch


def new_scratch() -> Scratch:
    """Room for one hand."""
    return Scratch(
        np.zeros((len(FIELDS), 2), np.int64),
        np.zeros((6, _LISTS), np.int64),
        np.zeros((TURNS, 4), np.int64),
        np.zeros((MAX_SEATS, 4), np.int64),
        np.zeros(1, RULES),
        new_hand(),
        np.zeros(MAX_SEATS, np.int64),
        np.zeros((1, MAX_SEATS), np.int32),
    )


def new_games(known: int, room: int = 1 << 12) -> Games:
    """An empty table of games; the next new one gets the number `known`."""
    return Games(
        np.zeros(room, np.uint64),
        np.full(room, -1, np.int64),
        np.zeros(GAME_ROOM, RULES),
        np.array([known, 0], np.int64),
    )


def new_sheet(size: int, players: Names, labels: Names, games: Games, scratch: Scratch) -> Sheet:
    """Room for whatever `size` bytes of text can hold."""
    hands, actions = size // SHORTEST_HAND + 2, size // SHORTEST_ACTION + 2
    return Sheet(
        np.zeros(1, PLACE),
        np.zeros(hands, HAND_ROW),
        np.zeros(actions, ACTION_ROW),
        np.zeros(hands, ABOUT_ROW),
        np.zeros(size, np.uint8),
        np.zeros(hands, np.int64),
        np.zeros(hands, ODD_ROW),
        players,
        labels,
        games,
        scratch,
    )


@scanning
def read_on(data: NDArray[np.uint8], spans: NDArray[np.int64], sheet: Sheet, tables: EvaluatorTables) -> Any:
    """Read the texts on; `spans` has start, end and first line of each. Returns FINISHED, or MORE_ROOM for names."""
    place = sheet.place[0]
    while place.span < spans.shape[0]:
        end = spans[place.span, 1]
        if place.line == 0:
            place.line = spans[place.span, 2]
        if place.at >= end:
            place.span += 1
            place.line = 0
            continue
        if is_nearly_full(sheet.players, MAX_SEATS) or is_nearly_full(sheet.labels, LABELS) or games_full(sheet.games):
            return MORE_ROOM
        start = place.at
        at = start
        headed = is_header(data, at, end)
        if headed:
            at = line_end(data, at, end)
            place.line += 1
        first_line = place.line
        at, lines, content, plain = find_fields(data, at, end, sheet.scratch.fields)
        place.line += lines
        place.at = at
        if not headed and not content:
            continue
        row = place.hands
        if at - start < SHORTEST_HAND:
            plain = False
        place.hands += 1
        sheet.id_ends[row] = place.ids
        if not (plain and read_hand(data, sheet, row, tables)):
            odd = sheet.odd[place.odd]
            odd.row = row
            odd.span = place.span
            odd.start = start
            odd.end = at
            odd.line = first_line
            place.odd += 1
        sheet.about[row].file = place.span
        sheet.about[row].line = first_line
    return FINISHED


@scanning
def games_full(games: Games) -> Any:
    """Whether there is no room for one more game."""
    return games.counts[1] >= games.fresh.size or 2 * games.counts[0] >= games.hashes.size


@scanning
def line_end(data: NDArray[np.uint8], at: int, end: int) -> Any:
    """Where the next line begins."""
    while at < end and data[at] != 10:
        at += 1
    return min(at + 1, end)


@scanning
def is_header(data: NDArray[np.uint8], at: int, end: int) -> Any:
    """Whether a line `[1]`, `[2]`, … begins here."""
    if at >= end or data[at] != 91:
        return False
    at += 1
    while at < end and (data[at] == 32 or data[at] == 9):
        at += 1
    first = at
    while at < end and 48 <= data[at] <= 57:
        at += 1
    if at == first:
        return False
    while at < end and (data[at] == 32 or data[at] == 9):
        at += 1
    if at >= end or data[at] != 93:
        return False
    at += 1
    while at < end and (data[at] == 32 or data[at] == 9 or data[at] == 13):
        at += 1
    return at >= end or data[at] == 10 or data[at] == 35


@scanning
def find_fields(data: NDArray[np.uint8], at: int, end: int, fields: NDArray[np.int64]) -> Any:
    """Find the values of one hand's lines: where the next hand begins, lines passed, any content, all plain?"""
    for field in range(fields.shape[0]):
        fields[field, 0] = -1
    lines = 0
    content = False
    plain = True
    while at < end and not is_header(data, at, end):
        first = at
        at = line_end(data, at, end)
        lines += 1
        last = at
        while last > first and (data[last - 1] == 10 or data[last - 1] == 13 or data[last - 1] == 32):
            last -= 1
        if last == first:
            continue
        if data[first] == 35:
            plain = False
            continue
        content = True
        name = NOTHING
        value = first
        while value < last and (
            97 <= data[value] <= 122 or 65 <= data[value] <= 90 or 48 <= data[value] <= 57 or data[value] == 95
        ):
            name = (name ^ np.uint64(data[value])) * _PRIME
            value += 1
        if value == first:
            plain = False
            continue
        while value < last and data[value] == 32:
            value += 1
        if value >= last or data[value] != 61:
            plain = False
            continue
        value += 1
        while value < last and data[value] == 32:
            value += 1
        field = 0
        while field < fields.shape[0] and FIELD_HASHES[field] != name:
            field += 1
        if field < fields.shape[0]:
            if fields[field, 0] >= 0:
                plain = False
            fields[field, 0] = value
            fields[field, 1] = last
        elif not is_plain(data, value, last):
            plain = False
    return at, lines, content, plain


@scanning
def is_word(data: NDArray[np.uint8], at: int, end: int, first: int, second: int) -> Any:
    """Whether the value is a quoted text of these two letters."""
    return (
        end - at == 4
        and (data[at] == 39 or data[at] == 34)
        and data[at + 3] == data[at]
        and data[at + 1] == first
        and data[at + 2] == second
    )


@scanning
def card_at(data: NDArray[np.uint8], at: int) -> Any:
    """The card written in these two bytes, -1 for `??`, -2 for anything else."""
    if data[at] == 63 and data[at + 1] == 63:
        return np.int64(-1)
    rank = RANK_OF[data[at]]
    suit = SUIT_OF[data[at + 1]]
    if rank < 0 or suit < 0:
        return np.int64(-2)
    return 4 * rank + suit


@scanning
def read_actions(
    data: NDArray[np.uint8], at: int, end: int, seats: int, scratch: Scratch, board: NDArray[np.int8]
) -> Any:
    """Sort the `actions` out: turns or -1, board cards, whether anybody was asked to show. Writes scratch and `board`."""
    cards = scratch.cards
    turns = scratch.turns
    cards[:] = -1
    given = 0
    count = 0
    dealt = 0
    showdown = False
    at = first_item(data, at, end)
    while 0 <= at < end - 1:
        close = read_text(data, at, end)
        if close < 0 or count >= turns.shape[0]:
            return -1, dealt, showdown
        at += 1
        if close - at > 5 and data[at] == 100 and data[at + 1] == 32 and data[at + 2] == 100 and data[at + 4] == 32:
            if data[at + 3] == 98:
                at += 5
                if close - at != (6 if dealt == 0 else 2) or dealt >= 5:
                    return -1, dealt, showdown
                while at < close:
                    card = card_at(data, at)
                    if card < 0:
                        return -1, dealt, showdown
                    board[dealt] = card
                    dealt += 1
                    at += 2
            elif data[at + 3] == 104 and data[at + 5] == 112:
                position, at = read_position(data, at + 5, close, seats)
                if position < 0 or close - at != 5 or data[at] != 32 or (given >> position) & 1:
                    return -1, dealt, showdown
                given |= 1 << position
                first = card_at(data, at + 1)
                second = card_at(data, at + 3)
                if first == -2 or second == -2 or (first < 0) != (second < 0):
                    return -1, dealt, showdown
                cards[position, 0] = first
                cards[position, 1] = second
            else:
                return -1, dealt, showdown
        else:
            position, at = read_position(data, at, close, seats)
            if position < 0 or close - at < 2 or data[at] != 32:
                return -1, dealt, showdown
            at += 1
            left = close - at
            if left == 1 and data[at] == 102:
                turns[count, 0], turns[count, 1], turns[count, 2], turns[count, 3] = position, _FOLDS, 0, dealt
                count += 1
            elif left == 2 and data[at] == 99 and data[at + 1] == 99:
                turns[count, 0], turns[count, 1], turns[count, 2], turns[count, 3] = position, _CALLS, 0, dealt
                count += 1
            elif left > 4 and data[at] == 99 and data[at + 1] == 98 and data[at + 2] == 114 and data[at + 3] == 32:
                after, amount, precision = read_amount(data, at + 4, close)
                if after != close or precision != EXACT or not 0 < amount < INFINITE or not 48 <= data[at + 4] <= 57:
                    return -1, dealt, showdown
                turns[count, 0], turns[count, 1], turns[count, 2], turns[count, 3] = position, _RAISES, amount, dealt
                count += 1
            elif left >= 2 and data[at] == 115 and data[at + 1] == 109:
                showdown = True
                at += 2
                if at != close:
                    if data[at] != 32:
                        return -1, dealt, showdown
                    at += 1
                    if close - at == 1 and data[at] == 45:
                        if cards[position, 0] >= 0:
                            cards[position, 2] = cards[position, 0]
                            cards[position, 3] = cards[position, 1]
                    elif close - at == 4:
                        first = card_at(data, at)
                        second = card_at(data, at + 2)
                        if first == -2 or second == -2 or (first < 0) != (second < 0):
                            return -1, dealt, showdown
                        if first >= 0:
                            cards[position, 2] = first
                            cards[position, 3] = second
                    else:
                        return -1, dealt, showdown
            else:
                return -1, dealt, showdown
        at = next_item(data, close + 1, end)
    if at != end - 1:
        return -1, dealt, showdown
    return count, dealt, showdown


@scanning
def read_position(data: NDArray[np.uint8], at: int, end: int, seats: int) -> Any:
    """The position that `p1`, `p2`, … stands for, or -1, and the place behind it."""
    if end - at < 2 or data[at] != 112 or not 49 <= data[at + 1] <= 57:
        return np.int64(-1), at
    number = np.int64(data[at + 1] - 48)
    at += 2
    if at < end and 48 <= data[at] <= 57:
        number = 10 * number + np.int64(data[at] - 48)
        at += 1
    return (number - 1 if number <= seats else np.int64(-1)), at


@scanning
def read_hand(data: NDArray[np.uint8], sheet: Sheet, row: int, tables: EvaluatorTables) -> Any:
    """Write the rows of the hand whose fields were found; False if it is not plain, or did not happen by the rules."""
    scratch = sheet.scratch
    fields = scratch.fields
    d = sheet.hands[row]
    b = sheet.about[row]
    r = scratch.rules[0]
    h = scratch.hand[0]
    stacks, antes, blinds, finishing, winnings, others = (
        scratch.lists[0],
        scratch.lists[1],
        scratch.lists[2],
        scratch.lists[3],
        scratch.lists[4],
        scratch.lists[5],
    )
    for field in (_VARIANT, _ANTES, _BLINDS, _STACKS, _ACTIONS):
        if fields[field, 0] < 0:
            return False
    if fields[_GAME, 0] >= 0:
        return False
    at, end = fields[_VARIANT, 0], fields[_VARIANT, 1]
    if is_word(data, at, end, 78, 84):
        r.structure = 2
    elif is_word(data, at, end, 80, 84):
        r.structure = 1
    elif is_word(data, at, end, 70, 84):
        r.structure = 0
    else:
        return False
    trimming = False
    if fields[_TRIMMING, 0] >= 0:
        at, end = fields[_TRIMMING, 0], fields[_TRIMMING, 1]
        trimming = data[at] == 116
        if not is_plain(data, at, end) or not (trimming or data[at] == 102):
            return False

    # Amounts in millionths
    n, precision = read_amounts(data, fields[_STACKS, 0], fields[_STACKS, 1], stacks)
    if not 2 <= n <= MAX_SEATS or precision != EXACT:
        return False
    count, precision = read_amounts(data, fields[_ANTES, 0], fields[_ANTES, 1], antes)
    if count != n or precision != EXACT:
        return False
    count, precision = read_amounts(data, fields[_BLINDS, 0], fields[_BLINDS, 1], blinds)
    if count != n or precision != EXACT:
        return False
    small_field = _SMALL_BET if r.structure == 0 else _MIN_BET
    big_field = _BIG_BET if r.structure == 0 else _MIN_BET
    if fields[small_field, 0] < 0 or fields[big_field, 0] < 0:
        return False
    for field in (_MIN_BET, _SMALL_BET, _BIG_BET):
        if field != small_field and field != big_field and fields[field, 0] >= 0:
            return False
    after, small, precision = read_amount(data, fields[small_field, 0], fields[small_field, 1])
    if after != fields[small_field, 1] or precision != EXACT or not 0 < small < INFINITE:
        return False
    after, big, precision = read_amount(data, fields[big_field, 0], fields[big_field, 1])
    if after != fields[big_field, 1] or precision != EXACT or not 0 < big < INFINITE:
        return False
    told_finishing, finishing_fine = 0, EXACT
    if fields[_FINISHING, 0] >= 0:
        told_finishing, finishing_fine = read_amounts(data, fields[_FINISHING, 0], fields[_FINISHING, 1], finishing)
    told_winnings, winnings_fine = 0, EXACT
    if fields[_WINNINGS, 0] >= 0:
        told_winnings, winnings_fine = read_amounts(data, fields[_WINNINGS, 0], fields[_WINNINGS, 1], winnings)
    if told_finishing < 0 or told_winnings < 0:
        return False
    turn_count, board_count, showdown = read_actions(
        data, fields[_ACTIONS, 0], fields[_ACTIONS, 1], n, scratch, d.board
    )
    if turn_count < 0 or board_count == 1 or board_count == 2:
        return False
    turns = scratch.turns

    # How many chips a unit is
    parts: Any = np.int64(MILLION)
    fractions = finishing_fine != EXACT or winnings_fine != EXACT
    for i in range(told_finishing):
        fractions |= finishing[i] < INFINITE and finishing[i] % MILLION != 0
    for i in range(told_winnings):
        fractions |= winnings[i] < INFINITE and winnings[i] % MILLION != 0
    finest: Any = np.int64(MILLION)
    finest = finer(finest, small)
    finest = finer(finest, big)
    for p in range(n):
        if stacks[p] < INFINITE:
            finest = finer(finest, stacks[p])
        if antes[p] >= INFINITE or blinds[p] >= INFINITE:
            return False
        finest = finer(finest, antes[p])
        finest = finer(finest, blinds[p])
    for t in range(turn_count):
        finest = finer(finest, turns[t, 2])
    if fractions or finest < MILLION or (r.structure != 0 and min(small, big) < RAISE * MILLION):
        parts = min(finest, MILLION // 100)
    scale = MILLION // parts

    # The game
    r.seats = n
    r.streets = MAX_STREETS
    r.street_limit = 0
    r.shared_limit = 0
    r.any_raise_reopens = 0
    r.hole_cards = 2
    top = np.int64(0)
    last_blind = 0
    posted = np.int64(0)
    posts = 0
    plays_for = np.int64(0)
    for p in range(MAX_SEATS):
        r.antes[p] = 0
        r.blinds[p] = 0
        r.stacks[p] = 0
    for p in range(n):
        source = 1 - p if n == 2 else p
        r.antes[p] = antes[source] // parts
        blind = blinds[source] // parts
        if blind < 0:
            posts |= 1 << p
        r.blinds[p] = abs(blind)
        chips = np.int64(ENDLESS) if stacks[p] >= INFINITE else stacks[p] // parts
        if (
            chips <= 0
            or (chips > MOST_CHIPS and chips != ENDLESS)
            or not 0 <= r.antes[p] <= MOST_CHIPS
            or r.blinds[p] > MOST_CHIPS
        ):
            return False
        scratch.stacks[p] = chips
        r.stacks[p] = chips
        if r.blinds[p] >= top:
            top = r.blinds[p]
            last_blind = p
        posted += r.antes[p] + r.blinds[p]
        plays_for += r.antes[p] + r.blinds[p]
    if plays_for == 0 or max(small, big) // parts > MOST_CHIPS:
        return False
    r.posted = posted
    r.top_blind = top
    for street in range(MAX_STREETS):
        r.bets[street] = (small if street < 2 else big) // parts
        r.max_raises[street] = 4 if r.structure == 0 else UNCAPPED
        r.first[street] = 0
        r.board_cards[street] = 0 if street == 0 else (3 if street == 1 else 1)
    r.first[0] = opener(r, scratch.stacks, posts, n)
    r.opener = r.first[0] if r.first[0] != AFTER_BLINDS else (last_blind + 1) % n

    # The cards
    seen = np.int64(0)
    for i in range(board_count):
        bit = np.int64(1) << np.int64(d.board[i])
        if seen & bit:
            return False
        seen |= bit
    for i in range(board_count, 5):
        d.board[i] = NOT_YET
    for p in range(2 * MAX_SEATS):
        d.hole[p] = NOT_YET if p < 2 * n else 0
    showed = 0
    for p in range(n):
        for i in range(2):
            card = scratch.cards[p, i] if scratch.cards[p, 0] >= 0 else scratch.cards[p, 2 + i]
            if card < 0:
                continue
            bit = np.int64(1) << card
            if seen & bit:
                return False
            seen |= bit
            d.hole[2 * p + i] = card
        if scratch.cards[p, 2] >= 0:
            showed |= 1 << p
            if scratch.cards[p, 0] >= 0:
                low = min(scratch.cards[p, 0], scratch.cards[p, 1])
                high = max(scratch.cards[p, 0], scratch.cards[p, 1])
                if low != min(scratch.cards[p, 2], scratch.cards[p, 3]) or high != max(
                    scratch.cards[p, 2], scratch.cards[p, 3]
                ):
                    return False

    # Who, where and when
    if not read_source(data, sheet, n, d, b, others):
        return False

    # The betting
    first_action = sheet.place[0].actions
    post_and_open(r, scratch.stacks, h)
    free_folds = 0
    for t in range(turn_count):
        if h.over != 0 or h.actor != turns[t, 0] or (0 if h.street == 0 else 2 + h.street) != turns[t, 3]:
            return False
        a = sheet.actions[first_action + t]
        p = h.actor
        pot = h.pot
        a.hand = row
        a.position = p
        a.seat = d.seat[p]
        a.street = h.street
        a.to_call = h.to_call
        a.pot = pot
        a.win = np.nan
        a.strength = np.nan
        wager = h.wager[p]
        code = turns[t, 1]
        if code == _FOLDS and h.to_call == 0:
            leave(r, h)
            free_folds += 1
            a.action = FOLD
        else:
            chosen: Any = np.int64(FOLD)
            if code == _CALLS:
                chosen = np.int64(CALL)
            elif code == _RAISES:
                chosen = max(np.int64(RAISE), turns[t, 2] // parts)
            done = take(r, h, chosen)
            if done != chosen:
                return False
            a.action = min(done, RAISE)
        a.amount = h.pot - pot
        a.to = wager + h.pot - pot
    if h.over == 0:
        return False
    alone = h.live & (h.live - 1) == 0
    if fields[_SHOWN, 0] >= 0:
        count, precision = read_amounts(data, fields[_SHOWN, 0], fields[_SHOWN, 1], others)
        if count < 0 or precision != EXACT:
            return False
        showed = 0
        for i in range(count):
            p = others[i] // MILLION - 1
            if others[i] % MILLION != 0 or not 0 <= p < n or d.hole[2 * p] < 0:
                return False
            showed |= 1 << p
    elif not showdown and not alone:
        for p in range(n):
            if (h.live >> p) & 1 and d.hole[2 * p] >= 0:
                showed |= 1 << p
    elif not showdown:
        showed = 0

    # The chips
    highest = np.int64(0)
    second = np.int64(0)
    unequal = False
    for p in range(n):
        ante = np.int64(0) if trimming else min(r.antes[p], scratch.stacks[p])
        unequal |= ante != (np.int64(0) if trimming else min(r.antes[0], scratch.stacks[0]))
        bet = h.spent[p] - ante
        others[p] = bet
        if bet >= highest:
            second = highest
            highest = bet
        elif bet > second:
            second = bet
    decided = True
    if not alone:
        if unequal:
            return False
        decided = board_count == 5
        for p in range(n):
            if (h.live >> p) & 1:
                rivals = 0
                able = 0
                for q in range(n):
                    if (h.live >> q) & 1 and others[q] >= others[p]:
                        rivals += 1
                        able += (showed >> q) & 1
                decided &= rivals < 2 or able > 0
    for p in range(MAX_SEATS):
        d.stacks[p] = 0
        d.payoffs[p] = 0
        b.spent[p] = 0
        b.uncalled[p] = 0
        b.replayed[p] = 0
    for p in range(n):
        d.stacks[p] = scratch.stacks[p]
        b.spent[p] = h.spent[p]
        b.uncalled[p] = max(others[p] - second, 0)
    endless = False
    whole_results = told_finishing == n and finishing_fine == EXACT
    for p in range(n):
        endless |= scratch.stacks[p] == ENDLESS
        whole_results &= told_finishing != n or (finishing[p] < INFINITE and finishing[p] % parts == 0)
    whole_winnings = told_winnings == n and winnings_fine == EXACT
    won = False
    for p in range(n):
        whole_winnings &= told_winnings != n or (winnings[p] < INFINITE and winnings[p] % parts == 0)
        won |= told_winnings == n and winnings[p] != 0
    from_stacks = whole_results and not endless
    from_winnings = whole_winnings and won
    if decided:
        chip = np.int64(1)
        if scale > 1 and finest == MILLION:
            fine = False
            for p in range(n):
                fine |= from_stacks and finishing[p] % MILLION != 0
                fine |= from_winnings and winnings[p] % MILLION != 0
            if not fine:
                chip = scale
        if not alone:
            for p in range(n):
                scratch.ranks[0, p] = 0
                if (showed >> p) & 1 and (h.live >> p) & 1:
                    scratch.ranks[0, p] = 1 + rank_at_showdown(d, p, tables)
        if chip > 1:
            h.pot //= chip
            for p in range(n):
                h.spent[p] //= chip
        divide(h, scratch.ranks, 0)
        for p in range(n):
            b.replayed[p] = h.payoff[p] * chip
    b.result = UNKNOWN
    if from_stacks:
        b.result = FROM_STACKS
        for p in range(n):
            d.payoffs[p] = finishing[p] // parts - scratch.stacks[p]
    elif from_winnings:
        b.result = FROM_WINNINGS
        for p in range(n):
            d.payoffs[p] = winnings[p] // parts - b.spent[p] + b.uncalled[p]
    elif decided:
        b.result = FROM_RULES
        for p in range(n):
            d.payoffs[p] = b.replayed[p]

    # What is left of the rows
    d.seats = n
    d.first = first_action
    d.actions = turn_count
    d.shown = showed
    d.rules = game_number(r, sheet.games)
    b.decided = 1 if decided else 0
    b.scale = scale
    b.big_blind = r.bets[0]
    b.posts = posts
    b.free_folds = free_folds
    b.live = h.live
    sheet.place[0].actions += turn_count
    name_hand(data, sheet, row, n, d, b)
    return True


@scanning
def finer(finest: Any, amount: Any) -> Any:
    """The smaller power of ten of which the amount is a multiple."""
    while amount % finest != 0:
        finest //= 10
    return finest


@scanning
def opener(r: Any, stacks: NDArray[np.int64], posts: int, n: int) -> Any:
    """Who acts first: the next after the largest blind that is no post, unless the engine finds that position itself."""
    if posts == 0:
        return np.int64(AFTER_BLINDS)
    last = 0
    simple = 0
    most = np.int64(-(2**62))
    largest = np.int64(-1)
    for p in range(n):
        paid = min(r.blinds[p], max(stacks[p] - r.antes[p], 0))
        signed = -paid if (posts >> p) & 1 else paid
        if signed >= most:
            most = signed
            last = p
        if paid >= largest:
            largest = paid
            simple = p
    return np.int64(AFTER_BLINDS) if last == simple else np.int64((last + 1) % n)


@scanning
def leave(r: Any, h: Any) -> None:
    """Fold where a check is free, which `take` would turn into a check. Writes `h`."""
    bit = 1 << h.actor
    h.live &= ~bit
    h.pending &= ~bit
    h.acted |= bit
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


@scanning
def rank_at_showdown(d: Any, p: int, tables: EvaluatorTables) -> Any:
    """The rank of a position's seven cards."""
    key = EMPTY_HAND
    bits = np.uint64(0)
    for i in range(7):
        card = np.int64(d.board[i]) if i < 5 else np.int64(d.hole[2 * p + i - 5])
        key += tables.keys[card]
        bits |= tables.bits[card]
    return np.int32(rank_of(key, bits, tables))


@scanning
def read_source(data: NDArray[np.uint8], sheet: Sheet, n: int, d: Any, b: Any, numbers: NDArray[np.int64]) -> Any:
    """Read seats, time and names as far as that can fail; False if they are not plain. Writes seats and time."""
    fields = sheet.scratch.fields
    for field in (_VENUE, _TABLE, _CURRENCY):
        at, end = fields[field, 0], fields[field, 1]
        if at >= 0 and read_text(data, at, end) != end - 1:
            return False
    for field in (_DAY, _MONTH, _YEAR, _HAND, _MATCH):
        at, end = fields[field, 0], fields[field, 1]
        if at >= 0 and (data[at] == 91 or not is_plain(data, at, end)):
            return False
    if fields[_HAND, 0] >= 0 and fields[_HAND, 1] - fields[_HAND, 0] > 64:
        return False
    at, end = fields[_SEATS, 0], fields[_SEATS, 1]
    for p in range(MAX_SEATS):
        d.seat[p] = p if p < n else 0
    if at >= 0:
        if not is_plain(data, at, end):
            return False
        count, _ = read_amounts(data, at, end, numbers)
        taken = 0
        for p in range(count):
            seat = numbers[p] // MILLION
            if numbers[p] % MILLION == 0 and 1 <= seat <= MAX_SEATS:
                taken |= 1 << seat
        distinct = 0
        for seat in range(1, MAX_SEATS + 1):
            distinct += (taken >> seat) & 1
        if count == n and distinct == n:
            for p in range(n):
                d.seat[p] = numbers[p] // MILLION - 1
    at, end = fields[_PLAYERS, 0], fields[_PLAYERS, 1]
    if at >= 0:
        count = 0
        at = first_item(data, at, end)
        while 0 <= at < end - 1:
            at = read_text(data, at, end)
            if at < 0:
                return False
            count += 1
            at = next_item(data, at + 1, end)
        if at != end - 1 or (count != 0 and count != n):
            return False
    b.time = NO_TIME
    clock = np.int64(0)
    at, end = fields[_TIME, 0], fields[_TIME, 1]
    if at >= 0:
        if end - at != 8 or data[at + 2] != 58 or data[at + 5] != 58:
            return False
        for i in range(3):
            tens, ones = np.int64(data[at + 3 * i]) - 48, np.int64(data[at + 3 * i + 1]) - 48
            if not (0 <= tens <= (2 if i == 0 else 5) and 0 <= ones <= 9) or 10 * tens + ones > (23 if i == 0 else 59):
                return False
            clock = 60 * clock + 10 * tens + ones
    if fields[_YEAR, 0] >= 0 and fields[_MONTH, 0] >= 0 and fields[_DAY, 0] >= 0:
        year = read_count(data, fields[_YEAR, 0], fields[_YEAR, 1])
        month = read_count(data, fields[_MONTH, 0], fields[_MONTH, 1])
        day = read_count(data, fields[_DAY, 0], fields[_DAY, 1])
        if 1 <= year <= 9999 and 1 <= month <= 12 and 1 <= day <= 31:
            b.time = 86400 * days_since_1970(year, month, day) + clock
    return True


@scanning
def days_since_1970(year: Any, month: Any, day: Any) -> Any:
    """Days of the Gregorian calendar; years counted from March, so that the leap day is the last."""
    y = year - 1 if month <= 2 else year
    shifted = month + 9 if month <= 2 else month - 3
    return 365 * y + y // 4 - y // 100 + y // 400 + (153 * shifted + 2) // 5 + day - 1 - 719468


@scanning
def name_hand(data: NDArray[np.uint8], sheet: Sheet, row: int, n: int, d: Any, b: Any) -> None:
    """Write who played, where, and what the hand is called, and its key. Writes `d`, `b` and names."""
    fields = sheet.scratch.fields
    place = sheet.place[0]
    at, end = fields[_HAND, 0], fields[_HAND, 1]
    quoted = at >= 0 and (data[at] == 39 or data[at] == 34)
    if quoted:
        at += 1
        end -= 1
    first_id = place.ids
    for i in range(at, end if at >= 0 else at):
        sheet.ids[place.ids] = data[i]
        place.ids += 1
    sheet.id_ends[row] = place.ids
    d.match = 0
    d.hand = row
    if fields[_MATCH, 0] >= 0 and at >= 0 and not quoted:
        match = read_count(data, fields[_MATCH, 0], fields[_MATCH, 1])
        number = read_count(data, at, end)
        if match > 0 and number > 0:
            d.match = match - 1
            d.hand = number - 1
    b.room = label(data, fields, _VENUE, sheet.labels)
    b.table = label(data, fields, _TABLE, sheet.labels)
    b.currency = label(data, fields, _CURRENCY, sheet.labels)
    value = mix_bytes(NOTHING, data, fields[_VENUE, 0], fields[_VENUE, 1] if fields[_VENUE, 0] >= 0 else -1)
    value = mix_bytes(value, sheet.ids, first_id, place.ids)
    value = mix_number(value, b.time)
    known = fields[_VENUE, 0] >= 0 and place.ids > first_id and b.time != NO_TIME
    at, end = fields[_PLAYERS, 0], fields[_PLAYERS, 1]
    if at >= 0:
        at = first_item(data, at, end)
    named = 0 <= at < end - 1
    for p in range(MAX_SEATS):
        d.player[p] = 0
    for p in range(n):
        if named:
            close = read_text(data, at, end)
            d.player[p] = number_of(data, at + 1, close, sheet.players)
            value = mix_bytes(value, data, at + 1, close)
            at = next_item(data, close + 1, end)
        else:
            d.player[p] = number_of(NOBODY[p], 0, 2 if p < 9 else 3, sheet.players)
    b.key = key_of(d, sheet.actions, b.scale, value, known)


NOBODY = np.array([list(f"p{p + 1} "[:3].encode()) for p in range(MAX_SEATS)], np.uint8)


@scanning
def label(data: NDArray[np.uint8], fields: NDArray[np.int64], field: int, labels: Names) -> Any:
    """The number of a text field among the labels; a missing one is the empty text."""
    if fields[field, 0] < 0:
        return number_of(data, 0, 0, labels)
    return number_of(data, fields[field, 0] + 1, fields[field, 1] - 1, labels)


@scanning
def key_of(d: Any, actions: NDArray[np.void], scale: int, value: Any, known: bool) -> Any:
    """The key of a hand whose texts are worked into `value`: of its stacks, and if it is not `known` by room, name and
    time, of its cards and actions too."""
    for p in range(d.seats):
        value = mix_number(value, d.stacks[p] // scale)
        value = mix_number(value, d.stacks[p] % scale * (MILLION // scale))
    if not known:
        for i in range(5):
            value = mix_number(value, d.board[i])
        for i in range(2 * d.seats):
            value = mix_number(value, d.hole[i])
        for t in range(d.first, d.first + d.actions):
            value = mix_number(value, actions[t].position)
            value = mix_number(value, actions[t].action)
            value = mix_number(value, actions[t].amount * MILLION // scale)
    return value


@scanning
def game_number(r: Any, games: Games) -> Any:
    """The number of these rules among the games; new ones are written down. Writes `games`, which must have room."""
    value = mix_number(NOTHING, r.structure)
    value = mix_number(value, r.first[0])
    value = mix_number(value, r.bets[0])
    value = mix_number(value, r.bets[3])
    for p in range(r.seats):
        value = mix_number(value, r.antes[p])
        value = mix_number(value, r.blinds[p])
    mask = np.int64(games.hashes.size - 1)
    place = np.int64(value >> np.uint64(20)) & mask
    while games.numbers[place] >= 0 and games.hashes[place] != value:
        place = (place + 1) & mask
    if games.numbers[place] < 0:
        games.hashes[place] = value
        games.numbers[place] = games.counts[0]
        new = games.fresh[games.counts[1]]
        new.seats = r.seats
        new.structure = r.structure
        for p in range(MAX_SEATS):
            new.antes[p] = r.antes[p]
            new.blinds[p] = r.blinds[p]
            new.stacks[p] = r.stacks[p]
        for street in range(MAX_STREETS):
            new.bets[street] = r.bets[street]
            new.first[street] = r.first[street]
        games.counts[0] += 1
        games.counts[1] += 1
    return games.numbers[place]
