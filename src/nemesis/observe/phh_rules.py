"""The rules by which a PHH hand was played, laid out by compiled code from its amounts, and the games met so far."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.phh_sheet import Games, Scratch
from nemesis.observe.toml_bytes import INFINITE, NOTHING, mix_number, scanning, scanning_inlined
from nemesis.rules.game import AFTER_BLINDS, LIMIT, MAX_SEATS, MAX_STREETS, UNCAPPED
from nemesis.runtime.limits import ENDLESS, MOST_CHIPS

LIMIT_RAISES = 4


@scanning_inlined
def lay_out_rules(scratch: Scratch, d: Any, b: Any) -> Any:
    """Put the amounts into a record of rules, in chips; False if they are no game. Writes rules, stacks and `posts`."""
    reading = scratch.reading[0]
    r = scratch.rules[0]
    r.seats = d.seats
    r.streets = MAX_STREETS
    r.street_limit = 0
    r.shared_limit = 0
    r.any_raise_reopens = 0
    r.hole_cards = 2
    if not post(scratch, d, b) or max(reading.small, reading.big) // reading.parts > MOST_CHIPS:
        return False
    for street in range(MAX_STREETS):
        r.bets[street] = (reading.small if street < 2 else reading.big) // reading.parts
        r.max_raises[street] = LIMIT_RAISES if r.structure == LIMIT else UNCAPPED
        r.first[street] = 0
        r.board_cards[street] = 0 if street == 0 else (3 if street == 1 else 1)
    r.first[0] = opener(r, scratch.stacks, b.posts, d.seats)
    b.big_blind = r.bets[0]
    if r.first[0] != AFTER_BLINDS:
        r.opener = r.first[0]
    return True


@scanning_inlined
def post(scratch: Scratch, d: Any, b: Any) -> Any:
    """Stacks, antes and blinds by position; False if nobody posts, or anybody more chips than there are."""
    amounts, parts = scratch.amounts, scratch.reading[0].parts
    r = scratch.rules[0]
    r.posted = 0
    r.top_blind = 0
    b.posts = 0
    for p in range(MAX_SEATS):
        r.antes[p] = 0
        r.blinds[p] = 0
        r.stacks[p] = 0
    for p in range(d.seats):
        source = 1 - p if d.seats == 2 else p  # PHH lists the small blind first, which heads-up the last position posts
        ante = amounts.antes[source] // parts
        blind = abs(amounts.blinds[source] // parts)
        chips = np.int64(ENDLESS) if amounts.stacks[p] >= INFINITE else amounts.stacks[p] // parts
        if chips <= 0 or (chips > MOST_CHIPS and chips != ENDLESS) or not 0 <= ante <= MOST_CHIPS or blind > MOST_CHIPS:
            return False
        if amounts.blinds[source] < 0:
            b.posts |= 1 << p
        scratch.stacks[p] = chips
        r.stacks[p] = chips
        r.antes[p] = ante
        r.blinds[p] = blind
        if blind >= r.top_blind:
            r.top_blind = blind
            r.opener = (p + 1) % d.seats
        r.posted += ante + blind
    return r.posted > 0


@scanning
def opener(r: Any, stacks: NDArray[np.int64], posts: int, seats: int) -> Any:
    """Who acts first: the next after the largest blind that is no post, unless the engine finds that position itself."""
    if posts == 0:
        return np.int64(AFTER_BLINDS)
    last = 0
    simple = 0
    most = np.int64(-(2**62))
    largest = np.int64(-1)
    for p in range(seats):
        paid = min(r.blinds[p], max(stacks[p] - r.antes[p], 0))
        signed = -paid if (posts >> p) & 1 else paid
        if signed >= most:
            most = signed
            last = p
        if paid >= largest:
            largest = paid
            simple = p
    return np.int64(AFTER_BLINDS) if last == simple else np.int64((last + 1) % seats)


@scanning
def games_full(games: Games) -> Any:
    """Whether there is no room for one more game."""
    return games.counts[1] >= games.fresh.size or 2 * games.counts[0] >= games.hashes.size


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


def copy_games(old: Games, new: Games) -> None:
    """Put the hashes of games that are known into a larger table. Writes `new`."""
    mask = len(new.hashes) - 1
    for value, number in zip(old.hashes.tolist(), old.numbers.tolist(), strict=True):
        if number >= 0:
            place = (value >> 20) & mask
            while new.numbers[place] >= 0:
                place = (place + 1) & mask
            new.hashes[place], new.numbers[place] = value, number
