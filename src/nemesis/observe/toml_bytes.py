"""The plain part of TOML read from bytes by compiled code: numbers, texts, lists of them, and names that get a number.

Everything here takes the bytes, where to begin and where the value ends, and answers with where it went on, or -1 for
anything that is not plain: an escape in a text, an exponent, a comment. A caller that gets -1 leaves the whole hand to the
complete reader (`observe.phh`), so nothing here needs to be able to say what is wrong.

Amounts are whole millionths of the source's unit, so that decimals are exact.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from nemesis.runtime.compiled import njit

F = TypeVar("F", bound=Callable[..., Any])

MILLION = 10**6
MOST_WHOLE = 2**33
"""Amounts of more units are left to the complete reader."""
INFINITE = np.int64(2**62)
LONGEST_NAME = 255
EXACT, FINER = 1, 2
NOTHING = np.uint64(14695981039346656037)
PRIME = np.uint64(1099511628211)
_MIX = np.uint64(0x9E3779B97F4A7C15)
_FOLD = np.uint64(29)
_ZERO = np.uint64(0)
_SPACE, _QUOTE, _COMMA, _BACKSLASH, _TAB = 32, 39, 44, 92, 9
_DOUBLE_QUOTE = 34


def scanning(function: F) -> F:
    """A kernel that owns no arrays: without counting references it compiles to a fraction of the code and time."""
    return njit(error_model="numpy", nogil=True, _nrt=False)(function)


def scanning_inlined(function: F) -> F:
    """The same, merged into its caller: for a step of a longer kernel that takes many arrays, which are dear to pass."""
    return njit(error_model="numpy", nogil=True, _nrt=False, forceinline=True)(function)


class Names(NamedTuple):
    """Texts by number, found by their hash: an open table, and the texts one after another. `counts` is (texts, bytes)."""

    hashes: NDArray[np.uint64]
    numbers: NDArray[np.int32]
    texts: NDArray[np.uint8]
    ends: NDArray[np.int64]
    counts: NDArray[np.int64]


def new_names(room: int = 1 << 12) -> Names:
    """An empty collection with room for half as many names, `room` being a power of two."""
    return Names(
        np.zeros(room, np.uint64),
        np.full(room, -1, np.int32),
        np.zeros(room * 32 + (1 << 14), np.uint8),
        np.zeros(room, np.int64),
        np.zeros(2, np.int64),
    )


def grown(names: Names) -> Names:
    """The same names, with the same numbers, in four times the room."""
    more = new_names(4 * len(names.hashes))
    start = 0
    for end in names.ends[: names.counts[0]].tolist():
        number_of(names.texts, start, end, more)
        start = end
    return more


def texts_of(names: Names, first: int = 0) -> list[str]:
    """The names from number `first` on."""
    ends = names.ends[first : names.counts[0]].tolist()
    begin = int(names.ends[first - 1]) if first else 0
    whole = names.texts[begin : names.counts[1]].tobytes()
    starts = [begin, *ends]
    return [whole[a - begin : b - begin].decode(errors="replace") for a, b in zip(starts, ends, strict=False)]


@scanning
def number_of(data: NDArray[np.uint8], start: int, end: int, names: Names) -> Any:
    """The number of a name, which is a new one if it was never seen. Writes `names`, which must have room."""
    value = mix_bytes(NOTHING, data, start, end)
    mask = np.int64(names.hashes.size - 1)
    place = np.int64(value >> np.uint64(20)) & mask
    while names.numbers[place] >= 0:
        number = np.int64(names.numbers[place])
        if names.hashes[place] == value:
            first = names.ends[number - 1] if number > 0 else np.int64(0)
            same = names.ends[number] - first == end - start
            at: Any = np.int64(0)
            while same and at < end - start:
                same = names.texts[first + at] == data[start + at]
                at += 1
            if same:
                return number
        place = (place + 1) & mask
    number = names.counts[0]
    first = names.counts[1]
    for at in range(end - start):
        names.texts[first + at] = data[start + at]
    names.hashes[place] = value
    names.numbers[place] = number
    names.ends[number] = first + end - start
    names.counts[0] += 1
    names.counts[1] += end - start
    return number


@scanning
def is_nearly_full(names: Names, more: int) -> Any:
    """Whether so many new names of the longest kind might not fit."""
    return 2 * (names.counts[0] + more) > names.hashes.size or names.counts[1] + more * LONGEST_NAME > names.texts.size


@scanning
def mix_bytes(value: Any, data: NDArray[np.uint8], start: int, end: int) -> Any:
    """A hash with these bytes and their end worked in."""
    for at in range(start, end):
        value = (value ^ np.uint64(data[at])) * PRIME
    return mix_number(value, np.int64(end - start))


@scanning
def mix_number(value: Any, number: Any) -> Any:
    """A hash with this number worked in."""
    value = (value ^ np.uint64(number)) * _MIX
    return value ^ (value >> _FOLD)


@scanning
def read_amount(data: NDArray[np.uint8], at: int, end: int) -> Any:
    """A decimal number: where it ends or -1, its millionths, and whether that is exact (`EXACT`) or it is `FINER`."""
    negative = False
    if at < end and (data[at] == 45 or data[at] == 43):
        negative = data[at] == 45
        at += 1
    if at + 3 <= end and data[at] == 105 and data[at + 1] == 110 and data[at + 2] == 102:
        return (-1 if negative else at + 3), INFINITE, EXACT
    first = at
    whole = np.int64(0)
    while at < end and 48 <= data[at] <= 57 and whole < MOST_WHOLE:
        whole = 10 * whole + np.int64(data[at] - 48)
        at += 1
    if at == first or whole >= MOST_WHOLE or (data[first] == 48 and at > first + 1):
        return -1, np.int64(0), EXACT
    parts = whole * MILLION
    precision = EXACT
    if at < end and data[at] == 46:
        at += 1
        first = at
        unit = np.int64(MILLION)
        while at < end and 48 <= data[at] <= 57:
            unit //= 10
            if unit == 0 and data[at] != 48:
                precision = FINER
            parts += unit * np.int64(data[at] - 48)
            at += 1
        if at == first:
            return -1, np.int64(0), EXACT
    return at, (-parts if negative else parts), precision


@scanning
def read_count(data: NDArray[np.uint8], at: int, end: int) -> Any:
    """A whole number without a sign that is the whole value, or -1."""
    first = at
    whole = np.int64(0)
    while at < end and 48 <= data[at] <= 57 and at < first + 12:
        whole = 10 * whole + np.int64(data[at] - 48)
        at += 1
    if at != end or at == first or (data[first] == 48 and at > first + 1):
        return np.int64(-1)
    return whole


@scanning
def next_item(data: NDArray[np.uint8], at: int, end: int) -> Any:
    """From behind an item to the next one; the place of the closing bracket if that was the last; -1 otherwise."""
    while at < end and data[at] == _SPACE:
        at += 1
    if at == end - 1:
        return at if data[at] == 93 else -1
    if at >= end or data[at] != _COMMA:
        return -1
    at += 1
    while at < end and data[at] == _SPACE:
        at += 1
    if at >= end - 1:
        return -1
    return at


@scanning
def first_item(data: NDArray[np.uint8], at: int, end: int) -> Any:
    """The place of the first item of the list that is the whole value, or of its closing bracket; -1 if it is no list."""
    if end - at < 2 or data[at] != 91 or data[end - 1] != 93:
        return -1
    at += 1
    while data[at] == _SPACE:
        at += 1
    return at


@scanning
def read_amounts(data: NDArray[np.uint8], at: int, end: int, out: NDArray[np.int64]) -> Any:
    """A list of at most `out.size` amounts: how many, or -1, and whether all are exact. Writes `out`."""
    at = first_item(data, at, end)
    precision = EXACT
    count = 0
    while 0 <= at < end - 1:
        if count == out.size:
            return -1, precision
        at, out[count], fine = read_amount(data, at, end)
        if at < 0:
            return -1, precision
        precision = max(precision, fine)
        count += 1
        at = next_item(data, at, end)
    return (count if at == end - 1 else -1), precision


@scanning
def read_text(data: NDArray[np.uint8], at: int, end: int) -> Any:
    """The place of the quote that closes the plain text that opens here, or -1."""
    if at >= end:
        return -1
    quote = data[at]
    if quote != _QUOTE and quote != _DOUBLE_QUOTE:
        return -1
    first = at + 1
    at = first
    while at < end and data[at] != quote:
        if data[at] == _BACKSLASH or data[at] < _SPACE or data[at] == 127:
            return -1
        at += 1
    if at >= end or at - first > LONGEST_NAME or (at == first and at + 1 < end and data[at + 1] == quote):
        return -1
    return at


@scanning
def is_plain(data: NDArray[np.uint8], at: int, end: int) -> Any:
    """Whether the whole value is a plain text, number, truth value, or a list of plain texts and numbers."""
    if at >= end:
        return False
    if data[at] != 91:
        return plain_end(data, at, end) == end
    at = first_item(data, at, end)
    while 0 <= at < end - 1:
        at = plain_end(data, at, end)
        if at < 0:
            return False
        at = next_item(data, at, end)
    return at == end - 1


@scanning
def plain_end(data: NDArray[np.uint8], at: int, end: int) -> Any:
    """Where a plain text, number or truth value ends, or -1."""
    if data[at] == _QUOTE or data[at] == _DOUBLE_QUOTE:
        closing = read_text(data, at, end)
        return closing + 1 if closing >= 0 else -1
    if data[at] == 116 and end - at >= 4:
        return at + 4 if data[at + 1] == 114 and data[at + 2] == 117 and data[at + 3] == 101 else -1
    if data[at] == 102 and end - at >= 5:
        return (
            at + 5 if data[at + 1] == 97 and data[at + 2] == 108 and data[at + 3] == 115 and data[at + 4] == 101 else -1
        )
    place = whole_end(data, at, end)
    if place < 0 or place == end or data[place] != 46:
        return place
    place, _, _ = read_amount(data, at, end)
    return place


@scanning
def whole_end(data: NDArray[np.uint8], at: int, end: int) -> Any:
    """Where a whole number of any length that 64 bits can hold ends, or -1."""
    if at < end and (data[at] == 45 or data[at] == 43):
        at += 1
    first = at
    while at < end and 48 <= data[at] <= 57:
        at += 1
    if at == first or at - first > 18 or (data[first] == 48 and at > first + 1):
        return -1
    return at
