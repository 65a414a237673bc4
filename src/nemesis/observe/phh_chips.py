"""Who got which chips in a PHH hand, by compiled code: what the source says, and what the rules give."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.about import FROM_RULES, FROM_STACKS, FROM_WINNINGS, UNKNOWN
from nemesis.observe.phh_actions import BOARD
from nemesis.observe.phh_cards import rank_at_showdown
from nemesis.observe.phh_sheet import Scratch
from nemesis.observe.toml_bytes import EXACT, INFINITE, MILLION, scanning, scanning_inlined
from nemesis.rules.betting import divide
from nemesis.rules.evaluator import EvaluatorTables
from nemesis.rules.game import MAX_SEATS
from nemesis.runtime.limits import ENDLESS


@scanning_inlined
def settle_chips(scratch: Scratch, d: Any, b: Any, tables: EvaluatorTables) -> Any:
    """Write what everybody put in and got; False if the antes are unequal and there is more than one to share."""
    h = scratch.hand[0]
    alone = h.live & (h.live - 1) == 0
    equal_antes = count_chips(scratch, d, b)
    if not alone and not equal_antes:
        return False
    b.decided = 1 if alone or is_decided(scratch, d) else 0
    from_stacks = has_final_stacks(scratch, d)
    from_winnings = has_winnings(scratch, d)
    if b.decided != 0:
        divide_pots(scratch, d, b, coarse_chip(scratch, d, b, from_stacks, from_winnings), tables)
    choose_payoffs(scratch, d, b, from_stacks, from_winnings)
    return True


@scanning_inlined
def count_chips(scratch: Scratch, d: Any, b: Any) -> Any:
    """Write stacks, chips put in and chips that nobody called; whether everybody paid the same ante. Bets to `numbers`."""
    r = scratch.rules[0]
    h = scratch.hand[0]
    bets, trimming = scratch.numbers, scratch.reading[0].trimming != 0
    first_ante = np.int64(0) if trimming else min(r.antes[0], scratch.stacks[0])
    highest = np.int64(0)
    second = np.int64(0)
    equal_antes = True
    for p in range(d.seats):
        ante = np.int64(0) if trimming else min(r.antes[p], scratch.stacks[p])
        equal_antes &= ante == first_ante
        bets[p] = h.spent[p] - ante
        if bets[p] >= highest:
            second = highest
            highest = bets[p]
        elif bets[p] > second:
            second = bets[p]
    for p in range(MAX_SEATS):
        playing = p < d.seats
        d.stacks[p] = scratch.stacks[p] if playing else 0
        d.payoffs[p] = 0
        b.spent[p] = h.spent[p] if playing else 0
        b.uncalled[p] = max(bets[p] - second, 0) if playing else 0
        b.replayed[p] = 0
    return equal_antes


@scanning_inlined
def is_decided(scratch: Scratch, d: Any) -> Any:
    """Whether the rules can divide the pots: the board is known, and of all who could win one somebody showed."""
    live, bets = scratch.hand[0].live, scratch.numbers
    decided = scratch.reading[0].board == BOARD
    for p in range(d.seats):
        if (live >> p) & 1:
            rivals = 0
            able = 0
            for q in range(d.seats):
                if (live >> q) & 1 and bets[q] >= bets[p]:
                    rivals += 1
                    able += (d.shown >> q) & 1
            decided &= rivals < 2 or able > 0
    return decided


@scanning_inlined
def has_final_stacks(scratch: Scratch, d: Any) -> Any:
    """Whether the source gives everybody's stack afterwards, in whole chips."""
    reading = scratch.reading[0]
    for p in range(d.seats):
        if scratch.stacks[p] == ENDLESS:
            return False
    return is_whole(scratch.amounts.finishing, reading.finishing, reading.finishing_precision, d.seats, reading.parts)


@scanning_inlined
def has_winnings(scratch: Scratch, d: Any) -> Any:
    """Whether the source gives everybody's winnings in whole chips, and somebody won."""
    reading, winnings = scratch.reading[0], scratch.amounts.winnings
    won = False
    for p in range(d.seats):
        won |= winnings[p] != 0
    return is_whole(winnings, reading.winnings, reading.winnings_precision, d.seats, reading.parts) and won


@scanning
def is_whole(values: NDArray[np.int64], told: int, precision: int, seats: int, parts: Any) -> Any:
    """Whether there is an amount for everybody, each a number of chips."""
    whole = told == seats and precision == EXACT
    for p in range(seats):
        whole &= values[p] < INFINITE and values[p] % parts == 0
    return whole


@scanning_inlined
def coarse_chip(scratch: Scratch, d: Any, b: Any, from_stacks: bool, from_winnings: bool) -> Any:
    """The chip that pots are divided in: the source's unit if all that it tells is whole units, else ours."""
    if b.scale == 1 or scratch.reading[0].finest != MILLION:
        return np.int64(1)
    for p in range(d.seats):
        if from_stacks and scratch.amounts.finishing[p] % MILLION != 0:
            return np.int64(1)
        if from_winnings and scratch.amounts.winnings[p] % MILLION != 0:
            return np.int64(1)
    return b.scale


@scanning_inlined
def divide_pots(scratch: Scratch, d: Any, b: Any, chip: Any, tables: EvaluatorTables) -> None:
    """Divide the pots by the rules, in whole `chip`s. Writes `replayed` and the hand's record."""
    h = scratch.hand[0]
    if h.live & (h.live - 1) != 0:
        for p in range(d.seats):
            scratch.ranks[0, p] = 0
            if (d.shown >> p) & 1 and (h.live >> p) & 1:
                scratch.ranks[0, p] = 1 + rank_at_showdown(d, p, tables)
    if chip > 1:
        h.pot //= chip
        for p in range(d.seats):
            h.spent[p] //= chip
    divide(h, scratch.ranks, 0)
    for p in range(d.seats):
        b.replayed[p] = h.payoff[p] * chip


@scanning_inlined
def choose_payoffs(scratch: Scratch, d: Any, b: Any, from_stacks: bool, from_winnings: bool) -> None:
    """Write the payoffs that the source gives, else those by the rules, and which they are."""
    amounts, parts = scratch.amounts, scratch.reading[0].parts
    b.result = UNKNOWN
    if from_stacks:
        b.result = FROM_STACKS
        for p in range(d.seats):
            d.payoffs[p] = amounts.finishing[p] // parts - scratch.stacks[p]
    elif from_winnings:
        b.result = FROM_WINNINGS
        for p in range(d.seats):
            d.payoffs[p] = amounts.winnings[p] // parts - b.spent[p] + b.uncalled[p]
    elif b.decided != 0:
        b.result = FROM_RULES
        for p in range(d.seats):
            d.payoffs[p] = b.replayed[p]
