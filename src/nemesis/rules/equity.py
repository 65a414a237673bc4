"""What share of the pot a hold'em hand is worth if all cards are turned up now.

Against one opponent, known, in a range or unknown, every holding and every way to deal the rest of the board is counted, so
the answer is exact. Against several, every set of holdings that share no card is counted while there are at most a
thousand million cases (on the river up to three unknown opponents, on the flop two); beyond that the cards are dealt at
random, the result says so and carries its standard error.

*Win* is the probability to have the best hand alone, *tie* to share it, and *equity* the expected share of the pot: a pot
tied between three is a third each. Several opponents take their cards from one deck, so beating n of them is not beating
one of them n times: the n-th power of the equity against one is a common estimate, not this number.

A range is written as players do: `QQ+, AKs, AJo+, 76s, 22-55, A5s-A2s, KdQd, random`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from math import comb, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.rules.cards import DECK, cards_text, distinct, parse_cards
from nemesis.rules.evaluator import EMPTY_HAND, evaluator_tables, rank_of
from nemesis.rules.ranges import Hole, Range, parse_range
from nemesis.rules.river import SCRATCH, river_half_wins, river_wins
from nemesis.rules.strength import strength_tables
from nemesis.rules.tabulate import RIVER_HALVES
from nemesis.runtime.borrowed import unowned
from nemesis.runtime.chance import GOLDEN, below, scramble
from nemesis.runtime.compiled import entry, inlined, njit
from nemesis.runtime.limits import SAMPLES, SEED
from nemesis.runtime.streams import Stream, stream_key

MOST_CASES = 10**9
"""How many cases are counted one by one before we sample instead."""

_NOTHING = np.uint64(0)
_LOST = 100  # more than any number of opponents who tie


class Equity(NamedTuple):
    """What a hand is worth. `samples` counts the cases; `standard_error` is the equity's, 0 if exact."""

    win: float
    tie: float
    equity: float
    exact: bool
    samples: int
    standard_error: float


def equity(
    hero: Sequence[int] | str,
    board: Sequence[int] | str = (),
    versus: Sequence[int] | Range | str | None = None,
    opponents: int = 1,
    samples: int = 1_000_000,
    seed: int = 0,
) -> Equity:
    """The worth of `hero` on a board of 0, 3, 4 or 5 cards.

    Cards are numbers or text (`"AsKs"`). `versus` is two cards, a `Range` (or its text), or None for any two cards;
    with several opponents each has the same range. `samples` and `seed` matter only when there are too many cases to
    count.
    """
    if isinstance(hero, str):
        hero = parse_cards(hero)
    if isinstance(board, str):
        board = parse_cards(board)
    known = _checked(hero, board, opponents)
    SEED.check(seed)
    SAMPLES.check(samples)
    if versus is None and opponents == 1:
        return _against_anyone(known)
    holes = _possible_holes(versus, known, opponents)
    if opponents == 1:
        return _against_anyone(known) if _is_anyone(known, holes) else _against_one(known, holes)
    boards = comb(DECK - len(known) - 2 * opponents, 7 - len(known))
    if boards * comb(len(holes), opponents) <= MOST_CASES:
        return _against_several(known, holes, opponents)
    return _sampled(known, holes, opponents, samples, seed)


# Checking what was asked


def _checked(hero: Sequence[int], board: Sequence[int], opponents: int) -> tuple[int, ...]:
    if len(hero) != 2:
        raise ValueError(f"a hold'em hand has 2 cards, not {len(hero)}")
    if len(board) not in (0, 3, 4, 5):
        raise ValueError(f"a hold'em board has 0, 3, 4 or 5 cards, not {len(board)}")
    if not 1 <= opponents <= 9:
        raise ValueError(f"there can be 1 to 9 opponents, not {opponents}")
    return distinct((*hero, *board))


def _possible_holes(versus: Sequence[int] | Range | str | None, known: tuple[int, ...], opponents: int) -> list[Hole]:
    if versus is None:
        versus = "random"
    if isinstance(versus, str):
        versus = parse_range(versus)
    if not isinstance(versus, Range):
        if len(versus) != 2:
            raise ValueError(f"an opponent's hold'em hand has 2 cards, not {len(versus)}")
        distinct((*known, *versus))
        versus = Range(((int(versus[0]), int(versus[1])),))
    taken = set(known)
    holes = [hole for hole in versus.holes if hole[0] not in taken and hole[1] not in taken]
    if not holes:
        raise ValueError(f"the opponent can hold none of the range: {cards_text(known)} takes all of its cards")
    if len({card for hole in holes for card in hole}) < 2 * opponents:
        raise ValueError(f"the range has too few cards for {opponents} opponents")
    return holes


def _is_anyone(known: tuple[int, ...], holes: list[Hole]) -> bool:
    return len(holes) == comb(DECK - len(known), 2)


# One opponent: every holding, every board


def _against_anyone(known: tuple[int, ...]) -> Equity:
    tally = np.zeros(3, np.int64)
    _ready_count()(np.array(known, np.uint8), tally, evaluator_tables(), strength_tables())
    return _of_tally(*tally.tolist())


@cache
def _ready_count() -> Callable[..., Any]:
    """`count_against_anyone` made ready for its types: on a river, looking at them takes longer than counting."""
    return entry(
        count_against_anyone, np.zeros(7, np.uint8), np.zeros(3, np.int64), evaluator_tables(), strength_tables()
    )


def _against_one(known: tuple[int, ...], holes: list[Hole]) -> Equity:
    """Preflop, where a holding takes 1.7 million boards, those that differ only by suits are counted once."""
    if len(known) > 2:
        chosen, ways = holes, np.ones(len(holes), np.int64)
    else:
        chosen, ways = _alike(known, holes)
    tallies = np.zeros((len(chosen), 3), np.int64)
    count_showdowns(np.array(known, np.uint8), np.array(chosen, np.uint8), tallies, evaluator_tables())
    return _of_tally(*(ways @ tallies).tolist())


def _alike(known: tuple[int, ...], holes: list[Hole]) -> tuple[list[Hole], NDArray[np.int64]]:
    """One holding of each kind that the suits of the known cards do not tell apart, and how many there are of it."""
    forms = [_form(known, hole) for hole in holes]
    count = Counter(forms)
    chosen = dict(zip(forms, holes, strict=True))
    return [chosen[form] for form in count], np.array(list(count.values()))


def _of_tally(won: int, tied: int, lost: int) -> Equity:
    total = won + tied + lost
    return Equity(won / total, tied / total, (won + tied / 2) / total, True, total, 0.0)


def _form(known: tuple[int, ...], hole: Hole) -> tuple[tuple[frozenset[int], ...], ...]:
    """The same for two holdings if some renaming of suits turns one into the other and leaves the known cards alone."""
    groups = (known[:2], known[2:], hole)
    suits = [tuple(frozenset(card // 4 for card in group if card % 4 == suit) for group in groups) for suit in range(4)]
    return tuple(sorted(suits, key=lambda suit: [sorted(ranks) for ranks in suit]))


@inlined
def _list_unseen(seen: Any, live: Any, evaluator: Any) -> Any:
    """Write to `live` the cards whose bits are not in `seen`; return how many there are."""
    count = 0
    for card in range(DECK):
        if not seen & evaluator.bits[card]:
            live[count] = card
            count += 1
    return count


@inlined
def next_board(picks: Any, missing: Any, live: Any) -> Any:
    """Step `picks` to the next choice of `missing` of `live` places, in order; False when there is none."""
    place = missing - 1
    while place >= 0 and picks[place] == live - missing + place:
        place -= 1
    if place < 0:
        return False
    picks[place] += 1
    for later in range(place + 1, missing):
        picks[later] = picks[later - 1] + 1
    return True


@inlined
def _tally_last_card(
    our_key: Any, our_bits: Any, their_key: Any, their_bits: Any, live: Any, first: Any, count: Any, tally: Any,
    evaluator: Any,
) -> None:  # fmt: skip
    """Add to `tally` all boards that end with one of the live cards from place `first` on."""
    won, tied = 0, 0
    for place in range(first, count):
        card = live[place]
        our_rank = rank_of(our_key + evaluator.keys[card], our_bits | evaluator.bits[card], evaluator)
        their_rank = rank_of(their_key + evaluator.keys[card], their_bits | evaluator.bits[card], evaluator)
        won += our_rank > their_rank
        tied += our_rank == their_rank
    tally[0] += won
    tally[1] += tied
    tally[2] += count - first - won - tied


@inlined
def _board_so_far(known: Any, evaluator: Any) -> Any:
    """The key and the bits of the board cards in `known`, which follow the two of the hole."""
    key, board = EMPTY_HAND, _NOTHING
    for i in range(2, len(known)):
        key += evaluator.keys[known[i]]
        board |= evaluator.bits[known[i]]
    return key, board


@inlined
def _pick_first(picks: Any, missing: Any) -> None:
    """The first of all ways to pick so many cards. Writes `picks`."""
    for i in range(missing):
        picks[i] = i


@inlined
def _finished_board(key: Any, board: Any, live: Any, picks: Any, missing: Any, evaluator: Any) -> Any:
    """The key and the bits of the board with the picked cards added."""
    for i in range(missing):
        key += evaluator.keys[live[picks[i]]]
        board |= evaluator.bits[live[picks[i]]]
    return key, board


@njit(error_model="numpy")
def count_showdowns(known: Any, holes: Any, tallies: Any, evaluator: Any) -> None:
    """Add to `tallies` (won, tied, lost) every board, for the hole and board in `known` against each of `holes`."""
    keys, bits = evaluator.keys, evaluator.bits
    live, picks = np.empty(DECK, np.int64), np.empty(5, np.int64)
    ours, ours_bits = keys[known[0]] + keys[known[1]], bits[known[0]] | bits[known[1]]
    key, board = _board_so_far(known, evaluator)
    missing = 7 - len(known)
    for number in range(len(holes)):
        theirs = keys[holes[number, 0]] + keys[holes[number, 1]]
        theirs_bits = bits[holes[number, 0]] | bits[holes[number, 1]]
        if missing == 0:
            our_rank = rank_of(key + ours, board | ours_bits, evaluator)
            their_rank = rank_of(key + theirs, board | theirs_bits, evaluator)
            tallies[number, np.int64(their_rank >= our_rank) + np.int64(their_rank > our_rank)] += 1
            continue
        count = _list_unseen(board | ours_bits | theirs_bits, live, evaluator)
        _pick_first(picks, missing - 1)
        more = True
        while more:
            with_key, with_bits = _finished_board(key, board, live, picks, missing - 1, evaluator)
            first = picks[missing - 2] + 1 if missing > 1 else 0
            _tally_last_card(
                with_key + ours, with_bits | ours_bits, with_key + theirs, with_bits | theirs_bits,
                live, first, count, tallies[number], evaluator,
            )  # fmt: skip
            more = next_board(picks, missing - 1, count)


@njit(error_model="numpy")
def count_against_anyone(known: Any, tally: Any, evaluator: Any, strength: Any) -> None:
    """Add to `tally` (won, tied, lost) every board and every opponent, for the hole and board in `known`."""
    evaluator, strength = unowned(evaluator), unowned(strength)
    keys, bits = evaluator.keys, evaluator.bits
    live, picks, scratch = np.empty(DECK, np.int64), np.empty(5, np.int64), np.empty(SCRATCH, np.int64)
    one, two = known[0], known[1]
    key, board = _board_so_far(known, evaluator)
    count = _list_unseen(board | bits[one] | bits[two], live, evaluator)
    missing = 7 - len(known)
    _pick_first(picks, missing)
    more = True
    while more:
        final_key, final = _finished_board(key, board, live, picks, missing, evaluator)
        rank = rank_of(final_key + keys[one] + keys[two], final | bits[one] | bits[two], evaluator)
        halves = river_half_wins(final_key, final, one, two, rank, scratch, evaluator, strength)
        wins = river_wins(final_key, final, one, two, rank, scratch, evaluator, strength)
        tally[0] += wins
        tally[1] += halves - 2 * wins
        tally[2] += RIVER_HALVES // 2 - halves + wins
        more = next_board(picks, missing, count)


# Several opponents: every set of holdings, or a sample


def _against_several(known: tuple[int, ...], holes: list[Hole], opponents: int) -> Equity:
    tally = np.zeros(_LOST + 1, np.int64)
    cards = np.array(known, np.uint8)
    count_multiway(cards, np.array(holes, np.uint8), opponents, tally, evaluator_tables())
    return _shared(tally, opponents, exact=True)


def _sampled(known: tuple[int, ...], holes: list[Hole], opponents: int, samples: int, seed: int) -> Equity:
    if samples < 2:
        raise ValueError(f"a sample has at least 2 deals, not {samples}")
    tally = np.zeros(_LOST + 1, np.int64)
    cards, candidates = np.array(known, np.uint8), np.array(holes, np.uint8)
    anyone = len(holes) == comb(DECK - len(known), 2)
    key = stream_key(seed, Stream.EQUITY)
    if not sample_multiway(cards, candidates, anyone, opponents, samples, key, tally, evaluator_tables()):
        raise ValueError(f"{opponents} opponents can hardly ever hold different cards of this range; widen it")
    return _shared(tally, opponents, exact=False)


def _shared(tally: NDArray[np.int64], opponents: int, exact: bool) -> Equity:
    """The equity when `tally[n]` cases are shared with n opponents and `tally[100]` are lost."""
    cases = int(tally.sum())
    if cases == 0:
        raise ValueError(f"{opponents} opponents cannot hold different cards of this range")
    shares = 1 / np.arange(1, opponents + 2)
    chances = tally[: opponents + 1] / cases
    mean = float(chances @ shares)
    error = 0.0 if exact else sqrt(max(0.0, float(chances @ shares**2) - mean**2) / cases)
    return Equity(float(chances[0]), float(chances[1:].sum()), mean, exact, cases, error)


@inlined
def _count_sets(
    masks: Any, outcomes: Any, count: Any, opponents: Any, stack: Any, used: Any, sums: Any, tally: Any
) -> None:
    """Add to `tally` every set of holdings that share no card, by the sum of their outcomes; the rest is scratch."""
    level = 0
    stack[0], used[0], sums[0] = -1, _NOTHING, 0
    while level >= 0:
        stack[level] += 1
        place = stack[level]
        if place >= count:
            level -= 1
        elif masks[place] & used[level]:
            continue
        elif level == opponents - 1:
            tally[min(sums[level] + outcomes[place], _LOST)] += 1
        else:
            used[level + 1] = used[level] | masks[place]
            sums[level + 1] = sums[level] + outcomes[place]
            stack[level + 1] = place
            level += 1


@inlined
def _outcome(theirs: Any, ours: Any) -> Any:
    """What a holding adds to the number of opponents who tie: 0 or 1, or enough to be lost."""
    return _LOST if theirs > ours else np.int64(theirs == ours)


@njit(error_model="numpy")
def count_multiway(known: Any, holes: Any, opponents: Any, tally: Any, evaluator: Any) -> None:
    """Add to `tally` every board with every set of `opponents` holdings, by how many tie with us; 100 is a loss."""
    keys, bits = evaluator.keys, evaluator.bits
    live, picks = np.empty(DECK, np.int64), np.empty(5, np.int64)
    masks, outcomes = np.empty(len(holes), np.uint64), np.empty(len(holes), np.int64)
    stack, used, sums = np.empty(10, np.int64), np.empty(10, np.uint64), np.empty(10, np.int64)
    ours, ours_bits = keys[known[0]] + keys[known[1]], bits[known[0]] | bits[known[1]]
    key, board = _board_so_far(known, evaluator)
    count = _list_unseen(board | ours_bits, live, evaluator)
    missing = 7 - len(known)
    _pick_first(picks, missing)
    more = True
    while more:
        final_key, final = _finished_board(key, board, live, picks, missing, evaluator)
        our_rank = rank_of(final_key + ours, final | ours_bits, evaluator)
        possible = 0
        for number in range(len(holes)):
            one, two = holes[number, 0], holes[number, 1]
            mask = bits[one] | bits[two]
            if not mask & final:
                masks[possible] = mask
                theirs = rank_of(final_key + keys[one] + keys[two], final | mask, evaluator)
                outcomes[possible] = _outcome(theirs, our_rank)
                possible += 1
        _count_sets(masks, outcomes, possible, opponents, stack, used, sums, tally)
        more = next_board(picks, missing, count)


@inlined
def _random_below(limit: Any, state: Any) -> Any:
    """A number from 0 to limit - 1 from a SplitMix64 stream whose state is `state[0]`."""
    state[0] += GOLDEN
    return np.uint64(below(scramble(state[0]), limit))


@inlined
def _draw_card(dead: Any, state: Any, evaluator: Any) -> Any:
    """A random card whose bit is not in `dead`."""
    card = _random_below(DECK, state)
    while evaluator.bits[card] & dead:
        card = _random_below(DECK, state)
    return card


@inlined
def _draw_holes(holes: Any, anyone: Any, opponents: Any, dead: Any, drawn: Any, state: Any, evaluator: Any) -> Any:
    """Write to `drawn` holdings that share no card; return all dead cards, or nothing if a thousand tries failed."""
    bits = evaluator.bits
    for _ in range(1000):
        taken, found = dead, 0
        while found < opponents:
            if anyone:
                one = _draw_card(taken, state, evaluator)
                two = _draw_card(taken | bits[one], state, evaluator)
            else:
                number = _random_below(len(holes), state)
                one, two = np.uint64(holes[number, 0]), np.uint64(holes[number, 1])
                if (bits[one] | bits[two]) & taken:
                    break
            taken |= bits[one] | bits[two]
            drawn[found, 0], drawn[found, 1] = one, two
            found += 1
        if found == opponents:
            return taken
    return _NOTHING


@njit(error_model="numpy")
def sample_multiway(
    known: Any, holes: Any, anyone: Any, opponents: Any, samples: Any, key: Any, tally: Any, evaluator: Any
) -> bool:
    """Add to `tally` that many random boards and sets of holdings, as `count_multiway`; False if none can be drawn."""
    keys, bits = evaluator.keys, evaluator.bits
    state = np.full(1, np.uint64(key), np.uint64)
    drawn = np.empty((10, 2), np.uint64)
    ours, ours_bits = keys[known[0]] + keys[known[1]], bits[known[0]] | bits[known[1]]
    key, board = _board_so_far(known, evaluator)
    for _ in range(samples):
        dead = _draw_holes(holes, anyone, opponents, board | ours_bits, drawn, state, evaluator)
        if dead == _NOTHING:
            return False
        final_key, final = key, board
        for _ in range(7 - len(known)):
            card = _draw_card(dead, state, evaluator)
            dead |= bits[card]
            final |= bits[card]
            final_key += keys[card]
        our_rank = rank_of(final_key + ours, final | ours_bits, evaluator)
        total = 0
        for seat in range(opponents):
            one, two = drawn[seat, 0], drawn[seat, 1]
            theirs = rank_of(final_key + keys[one] + keys[two], final | bits[one] | bits[two], evaluator)
            total += _outcome(theirs, our_rank)
        tally[min(total, _LOST)] += 1
    return True
