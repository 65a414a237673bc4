"""The lines of a PHH hand: which fields it has and where their values lie, found by compiled code.

A hand ends where a line `[1]`, `[2]`, … begins the next. Lines are `name = value`; names are told apart by their hash. A
field that nobody asks for must be plain, and no field may stand twice.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.toml_bytes import NOTHING, PRIME, is_plain, scanning

FIELDS = (
    "variant", "ante_trimming_status", "antes", "blinds_or_straddles", "min_bet", "small_bet", "big_bet", "starting_stacks",
    "actions", "players", "finishing_stacks", "winnings", "venue", "time", "day", "month", "year", "hand", "seats", "table",
    "_shown", "_match", "currency_symbol", "_game",
)  # fmt: skip
(
    VARIANT, TRIMMING, ANTES, BLINDS, MIN_BET, SMALL_BET, BIG_BET, STACKS, ACTIONS, PLAYERS, FINISHING,
    WINNINGS, VENUE, TIME, DAY, MONTH, YEAR, HAND, SEATS, TABLE, SHOWN, MATCH, CURRENCY, GAME,
) = range(len(FIELDS))  # fmt: skip
_TAB, _LINE, _RETURN, _SPACE, _HASH, _EQUALS, _OPEN, _CLOSE = b"\t\n\r #=[]"


def _field_hash(name: str) -> int:
    value = int(NOTHING)
    for byte in name.encode():
        value = (value ^ byte) * int(PRIME) % 2**64
    return value


_HASHES = np.array([_field_hash(name) for name in FIELDS], np.uint64)


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
        while last > first and (data[last - 1] == _LINE or data[last - 1] == _RETURN or data[last - 1] == _SPACE):
            last -= 1
        if last == first:
            continue
        if data[first] == _HASH:
            plain = False
            continue
        content = True
        plain &= find_field(data, first, last, fields)
    return at, lines, content, plain


@scanning
def find_field(data: NDArray[np.uint8], first: int, last: int, fields: NDArray[np.int64]) -> Any:
    """Note where the value of one line lies; False if the line is not plain. Writes `fields`."""
    name = NOTHING
    at = first
    while at < last and is_of_name(data[at]):
        name = (name ^ np.uint64(data[at])) * PRIME
        at += 1
    if at == first:
        return False
    at = skip_blanks(data, at, last, _SPACE)
    if at >= last or data[at] != _EQUALS:
        return False
    at = skip_blanks(data, at + 1, last, _SPACE)
    field = 0
    while field < fields.shape[0] and _HASHES[field] != name:
        field += 1
    if field == fields.shape[0]:
        return is_plain(data, at, last)
    again = fields[field, 0] >= 0
    fields[field, 0] = at
    fields[field, 1] = last
    return not again


@scanning
def is_of_name(byte: Any) -> Any:
    """Whether a name may have this byte: a letter, a digit or `_`."""
    return 97 <= byte <= 122 or 65 <= byte <= 90 or 48 <= byte <= 57 or byte == 95


@scanning
def is_header(data: NDArray[np.uint8], at: int, end: int) -> Any:
    """Whether a line `[1]`, `[2]`, … begins here."""
    if at >= end or data[at] != _OPEN:
        return False
    first = skip_blanks(data, at + 1, end, _TAB)
    at = first
    while at < end and 48 <= data[at] <= 57:
        at += 1
    if at == first:
        return False
    at = skip_blanks(data, at, end, _TAB)
    if at >= end or data[at] != _CLOSE:
        return False
    at += 1
    while at < end and (data[at] == _SPACE or data[at] == _TAB or data[at] == _RETURN):
        at += 1
    return at >= end or data[at] == _LINE or data[at] == _HASH


@scanning
def skip_blanks(data: NDArray[np.uint8], at: int, end: int, other: int) -> Any:
    """The place of the next byte that is neither a space nor `other`."""
    while at < end and (data[at] == _SPACE or data[at] == other):
        at += 1
    return at


@scanning
def line_end(data: NDArray[np.uint8], at: int, end: int) -> Any:
    """Where the next line begins."""
    while at < end and data[at] != _LINE:
        at += 1
    return min(at + 1, end)
