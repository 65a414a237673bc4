"""Who played a PHH hand, where and when, and its own name, read by compiled code; the key by which it is known again."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.about import NO_TIME
from nemesis.observe.phh_fields import (
    CURRENCY,
    DAY,
    HAND,
    MATCH,
    MONTH,
    PLAYERS,
    SEATS,
    TABLE,
    TIME,
    VENUE,
    YEAR,
)
from nemesis.observe.phh_sheet import Scratch, Sheet
from nemesis.observe.toml_bytes import (
    MILLION,
    NOTHING,
    Names,
    first_item,
    is_plain,
    mix_bytes,
    mix_number,
    next_item,
    number_of,
    read_amounts,
    read_count,
    read_text,
    scanning,
    scanning_inlined,
)
from nemesis.rules.game import MAX_SEATS

LONGEST_ID = 64
_OPEN, _QUOTE, _DOUBLE_QUOTE, _COLON = b"['\":"
_NOBODY = np.array([list(f"p{p + 1} "[:3].encode()) for p in range(MAX_SEATS)], np.uint8)


@scanning_inlined
def read_source(data: NDArray[np.uint8], scratch: Scratch, d: Any, b: Any) -> Any:
    """Read seats and time, and names as far as that can fail; False if they are not plain. Writes seats and time."""
    fields = scratch.fields
    for field in (VENUE, TABLE, CURRENCY):
        at, end = fields[field, 0], fields[field, 1]
        if at >= 0 and read_text(data, at, end) != end - 1:
            return False
    for field in (DAY, MONTH, YEAR, HAND, MATCH):
        at, end = fields[field, 0], fields[field, 1]
        if at >= 0 and (data[at] == _OPEN or not is_plain(data, at, end)):
            return False
    if fields[HAND, 0] >= 0 and fields[HAND, 1] - fields[HAND, 0] > LONGEST_ID:
        return False
    return (
        read_seats(data, scratch, d)
        and read_players(data, fields[PLAYERS, 0], fields[PLAYERS, 1], d.seats)
        and read_time(data, fields, b)
    )


@scanning_inlined
def read_seats(data: NDArray[np.uint8], scratch: Scratch, d: Any) -> Any:
    """The seats where they are different ones for everybody, else the positions. Writes `seat`."""
    at, end = scratch.fields[SEATS, 0], scratch.fields[SEATS, 1]
    seats = scratch.numbers
    for p in range(MAX_SEATS):
        d.seat[p] = p if p < d.seats else 0
    if at < 0:
        return True
    if not is_plain(data, at, end):
        return False
    count, _ = read_amounts(data, at, end, seats)
    if count != d.seats:
        return True
    taken = 0
    for p in range(count):
        seat = seats[p] // MILLION
        if seats[p] % MILLION != 0 or not 1 <= seat <= MAX_SEATS or (taken >> seat) & 1:
            return True
        taken |= 1 << seat
    for p in range(count):
        d.seat[p] = seats[p] // MILLION - 1
    return True


@scanning
def read_players(data: NDArray[np.uint8], at: int, end: int, seats: int) -> Any:
    """Whether nobody or everybody has a name."""
    if at < 0:
        return True
    count = 0
    at = first_item(data, at, end)
    while 0 <= at < end - 1:
        at = read_text(data, at, end)
        if at < 0:
            return False
        count += 1
        at = next_item(data, at + 1, end)
    return at == end - 1 and (count == 0 or count == seats)


@scanning
def read_time(data: NDArray[np.uint8], fields: NDArray[np.int64], b: Any) -> Any:
    """The date and the time of day, NO_TIME without a date; False if it is no time of day. Writes `time`."""
    b.time = NO_TIME
    clock = np.int64(0)
    at, end = fields[TIME, 0], fields[TIME, 1]
    if at >= 0:
        if end - at != 8 or data[at + 2] != _COLON or data[at + 5] != _COLON:
            return False
        for i in range(3):
            tens, ones = np.int64(data[at + 3 * i]) - 48, np.int64(data[at + 3 * i + 1]) - 48
            if not (0 <= tens <= 9 and 0 <= ones <= 9) or 10 * tens + ones > (23 if i == 0 else 59):
                return False
            clock = 60 * clock + 10 * tens + ones
    if fields[YEAR, 0] >= 0 and fields[MONTH, 0] >= 0 and fields[DAY, 0] >= 0:
        year = read_count(data, fields[YEAR, 0], fields[YEAR, 1])
        month = read_count(data, fields[MONTH, 0], fields[MONTH, 1])
        day = read_count(data, fields[DAY, 0], fields[DAY, 1])
        if 1 <= year <= 9999 and 1 <= month <= 12 and 1 <= day <= 31:
            b.time = 86400 * days_since_1970(year, month, day) + clock
    return True


@scanning
def days_since_1970(year: Any, month: Any, day: Any) -> Any:
    """Days of the Gregorian calendar; years counted from March, so that the leap day is the last."""
    y = year - 1 if month <= 2 else year
    shifted = month + 9 if month <= 2 else month - 3
    return 365 * y + y // 4 - y // 100 + y // 400 + (153 * shifted + 2) // 5 + day - 1 - 719468


@scanning_inlined
def name_hand(data: NDArray[np.uint8], sheet: Sheet, row: int, d: Any, b: Any) -> None:
    """Write who played, where, and what the hand is called, and its key. Writes `d`, `b` and names."""
    fields = sheet.scratch.fields
    place = sheet.place[0]
    first_id = place.ids
    copy_id(data, sheet, row, d)
    b.room = label(data, fields, VENUE, sheet.labels)
    b.table = label(data, fields, TABLE, sheet.labels)
    b.currency = label(data, fields, CURRENCY, sheet.labels)
    value = mix_bytes(NOTHING, data, fields[VENUE, 0], fields[VENUE, 1] if fields[VENUE, 0] >= 0 else -1)
    value = mix_bytes(value, sheet.ids, first_id, place.ids)
    value = mix_number(value, b.time)
    value = number_players(data, sheet, d, value)
    known = fields[VENUE, 0] >= 0 and place.ids > first_id and b.time != NO_TIME
    b.key = key_of(d, sheet.actions, b.scale, value, known)


@scanning_inlined
def copy_id(data: NDArray[np.uint8], sheet: Sheet, row: int, d: Any) -> None:
    """Write the hand's own name down, and its numbers if it is one of ours. Writes `match`, `hand` and the names."""
    fields = sheet.scratch.fields
    place = sheet.place[0]
    at, end = fields[HAND, 0], fields[HAND, 1]
    quoted = at >= 0 and (data[at] == _QUOTE or data[at] == _DOUBLE_QUOTE)
    if quoted:
        at += 1
        end -= 1
    for i in range(at, end if at >= 0 else at):
        sheet.ids[place.ids] = data[i]
        place.ids += 1
    sheet.id_ends[row] = place.ids
    d.match = 0
    d.hand = row
    if fields[MATCH, 0] >= 0 and at >= 0 and not quoted:
        match = read_count(data, fields[MATCH, 0], fields[MATCH, 1])
        number = read_count(data, at, end)
        if match > 0 and number > 0:
            d.match = match - 1
            d.hand = number - 1


@scanning
def label(data: NDArray[np.uint8], fields: NDArray[np.int64], field: int, labels: Names) -> Any:
    """The number of a text field among the labels; a missing one is the empty text."""
    if fields[field, 0] < 0:
        return number_of(data, 0, 0, labels)
    return number_of(data, fields[field, 0] + 1, fields[field, 1] - 1, labels)


@scanning_inlined
def number_players(data: NDArray[np.uint8], sheet: Sheet, d: Any, value: Any) -> Any:
    """Give everybody a number; those without a name are `p1`, `p2`, …. Returns the hash with their names worked in."""
    at, end = sheet.scratch.fields[PLAYERS, 0], sheet.scratch.fields[PLAYERS, 1]
    if at >= 0:
        at = first_item(data, at, end)
    named = 0 <= at < end - 1
    for p in range(MAX_SEATS):
        if p >= d.seats:
            d.player[p] = 0
        elif named:
            close = read_text(data, at, end)
            d.player[p] = number_of(data, at + 1, close, sheet.players)
            value = mix_bytes(value, data, at + 1, close)
            at = next_item(data, close + 1, end)
        else:
            d.player[p] = number_of(_NOBODY[p], 0, 2 if p < 9 else 3, sheet.players)
    return value


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
