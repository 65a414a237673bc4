"""The amounts of a PHH hand, read by compiled code in millionths, and the chip in which all of them are whole numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.phh_fields import (
    ANTES,
    BIG_BET,
    BLINDS,
    FINISHING,
    MIN_BET,
    SMALL_BET,
    STACKS,
    TRIMMING,
    VARIANT,
    WINNINGS,
)
from nemesis.observe.phh_sheet import Scratch
from nemesis.observe.toml_bytes import (
    EXACT,
    INFINITE,
    MILLION,
    is_plain,
    read_amount,
    read_amounts,
    scanning,
    scanning_inlined,
)
from nemesis.rules.betting import RAISE
from nemesis.rules.game import LIMIT, MAX_SEATS, NO_LIMIT, POT_LIMIT

CENT = MILLION // 100
_F, _N, _P, _T, _QUOTE, _DOUBLE_QUOTE, _SMALL_F, _SMALL_T = b"FNPT'\"ft"


@scanning_inlined
def read_stakes(data: NDArray[np.uint8], scratch: Scratch, d: Any) -> Any:
    """Read what is played and for how much; False if it is not plain. Writes the scratch and `seats`."""
    return (
        read_variant(data, scratch)
        and read_trimming(data, scratch)
        and read_table(data, scratch, d)
        and read_bets(data, scratch)
        and read_results(data, scratch)
    )


@scanning_inlined
def read_variant(data: NDArray[np.uint8], scratch: Scratch) -> Any:
    """Limit, pot-limit or no-limit hold'em."""
    at, end = scratch.fields[VARIANT, 0], scratch.fields[VARIANT, 1]
    r = scratch.rules[0]
    if end - at != 4 or (data[at] != _QUOTE and data[at] != _DOUBLE_QUOTE) or data[at + 3] != data[at]:
        return False
    if data[at + 1] == _N:
        r.structure = NO_LIMIT
    elif data[at + 1] == _P:
        r.structure = POT_LIMIT
    else:
        r.structure = LIMIT
    return data[at + 2] == _T and (data[at + 1] == _N or data[at + 1] == _P or data[at + 1] == _F)


@scanning_inlined
def read_trimming(data: NDArray[np.uint8], scratch: Scratch) -> Any:
    """Whether antes are trimmed, as far as it is told."""
    at, end = scratch.fields[TRIMMING, 0], scratch.fields[TRIMMING, 1]
    told = at >= 0
    trimming = told and data[at] == _SMALL_T
    scratch.reading[0].trimming = 1 if trimming else 0
    return not told or (is_plain(data, at, end) and (trimming or data[at] == _SMALL_F))


@scanning_inlined
def read_table(data: NDArray[np.uint8], scratch: Scratch, d: Any) -> Any:
    """Stacks, antes and blinds of everybody."""
    fields, amounts = scratch.fields, scratch.amounts
    seats, precision = read_amounts(data, fields[STACKS, 0], fields[STACKS, 1], amounts.stacks)
    if not 2 <= seats <= MAX_SEATS or precision != EXACT:
        return False
    d.seats = seats
    count, precision = read_amounts(data, fields[ANTES, 0], fields[ANTES, 1], amounts.antes)
    if count != seats or precision != EXACT:
        return False
    count, precision = read_amounts(data, fields[BLINDS, 0], fields[BLINDS, 1], amounts.blinds)
    return count == seats and precision == EXACT


@scanning_inlined
def read_bets(data: NDArray[np.uint8], scratch: Scratch) -> Any:
    """The bets of the first and of the last streets: two fields in limit, one otherwise, and no field too many."""
    fields = scratch.fields
    limit = scratch.rules[0].structure == LIMIT
    small, big = (SMALL_BET, BIG_BET) if limit else (MIN_BET, MIN_BET)
    for field in (MIN_BET, SMALL_BET, BIG_BET):
        if (fields[field, 0] >= 0) != (field in (small, big)):
            return False
    reading = scratch.reading[0]
    after, reading.small, precision = read_amount(data, fields[small, 0], fields[small, 1])
    if after != fields[small, 1] or precision != EXACT or not 0 < reading.small < INFINITE:
        return False
    after, reading.big, precision = read_amount(data, fields[big, 0], fields[big, 1])
    return after == fields[big, 1] and precision == EXACT and 0 < reading.big < INFINITE


@scanning_inlined
def read_results(data: NDArray[np.uint8], scratch: Scratch) -> Any:
    """Final stacks and winnings, as far as they are told."""
    fields, reading = scratch.fields, scratch.reading[0]
    reading.finishing, reading.finishing_precision = 0, EXACT
    if fields[FINISHING, 0] >= 0:
        reading.finishing, reading.finishing_precision = read_amounts(
            data, fields[FINISHING, 0], fields[FINISHING, 1], scratch.amounts.finishing
        )
    reading.winnings, reading.winnings_precision = 0, EXACT
    if fields[WINNINGS, 0] >= 0:
        reading.winnings, reading.winnings_precision = read_amounts(
            data, fields[WINNINGS, 0], fields[WINNINGS, 1], scratch.amounts.winnings
        )
    return reading.finishing >= 0 and reading.winnings >= 0


@scanning_inlined
def choose_chip(scratch: Scratch, d: Any, b: Any) -> Any:
    """Choose the chip; False if somebody posts endlessly much. Writes `parts`, `finest` and `scale`.

    It is the source's unit if all amounts are whole and no raise could be taken for a call, else a cent or less.
    """
    amounts, reading = scratch.amounts, scratch.reading[0]
    finest = finer(finer(np.int64(MILLION), reading.small), reading.big)
    for p in range(d.seats):
        if amounts.stacks[p] < INFINITE:
            finest = finer(finest, amounts.stacks[p])
        if amounts.antes[p] >= INFINITE or amounts.blinds[p] >= INFINITE:
            return False
        finest = finer(finer(finest, amounts.antes[p]), amounts.blinds[p])
    for t in range(d.actions):
        finest = finer(finest, scratch.turns[t, 2])
    fractions = (
        finest < MILLION
        or has_fraction(amounts.finishing, reading.finishing, reading.finishing_precision)
        or has_fraction(amounts.winnings, reading.winnings, reading.winnings_precision)
    )
    mistakable = scratch.rules[0].structure != LIMIT and min(reading.small, reading.big) < RAISE * MILLION
    reading.finest = finest
    reading.parts = min(finest, CENT) if fractions or mistakable else MILLION
    b.scale = MILLION // reading.parts
    return True


@scanning
def finer(finest: Any, amount: Any) -> Any:
    """The smaller power of ten of which the amount is a multiple."""
    while amount % finest != 0:
        finest //= 10
    return finest


@scanning
def has_fraction(values: NDArray[np.int64], count: int, precision: int) -> Any:
    """Whether one of these amounts is no whole unit."""
    fraction = precision != EXACT
    for i in range(count):
        fraction |= values[i] < INFINITE and values[i] % MILLION != 0
    return fraction
