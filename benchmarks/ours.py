"""How fast Nemesis does the same workloads, in the forms in which it can be asked.

Hands are ranked by the kernel over an array dealt beforehand, as everything compiled here does; by the public
function, which checks the array first; and, as the peers do, by a Python call for every hand. Equities come
from the kernels, with holdings prepared beforehand as the peers' are, and from the public `equity`, which
checks and prepares them inside the clock.

Complete hands are played from fresh deals, the peers' work: shuffle, betting, showdown, chips. Playing from a
bank dealt once before is other work, what evolving a population does, and stands beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, islice
from typing import Any

import numpy as np

from benchmarks.apart import Jobs, answer, warmed
from benchmarks.chooser import pot_or_all_in
from benchmarks.workloads import (
    BIG_BLIND,
    EVALUATOR_WORKLOADS,
    FLOP,
    HAND_WORKLOADS,
    HERO,
    RIVER,
    SMALL_BLIND,
    STACK,
    VILLAIN,
    VILLAIN_RANGE,
    Job,
)
from nemesis.measure.speed import play_banked, play_fresh, random_sevens, rank, rank_checked
from nemesis.observe.view import View
from nemesis.play.match import play_lineups
from nemesis.respond.agent import CompiledAgent, Uncompiled
from nemesis.respond.simple import call, random
from nemesis.rules.cards import DECK, parse_cards
from nemesis.rules.equity import count_against_anyone, count_showdowns, equity
from nemesis.rules.evaluator import evaluator_tables, hand_rank
from nemesis.rules.game import Game, holdem
from nemesis.rules.ranges import parse_range
from nemesis.rules.strength import strength_tables

BATCH = 1 << 17
COUNTED = "opponents counted by rank classes, from a table built beforehand with the win probabilities"

_HERO, _VILLAIN, _FLOP, _RIVER = (tuple(parse_cards(" ".join(cards))) for cards in (HERO, VILLAIN, FLOP, RIVER))


def kernels() -> Jobs:
    """The compiled functions alone."""
    random_hands, ordered_hands = _hands()
    known = {*_HERO, *_FLOP}
    in_range = [hole for hole in parse_range(VILLAIN_RANGE).holes if not known & {*hole}]
    note = "one call for an array"
    by_class = f"every board; {COUNTED}"
    return {
        "evaluate-random": Job(rank(random_hands), note),
        "evaluate-enumerated": Job(rank(ordered_hands), note),
        "equity-river-random": _equity(_against_anyone(_RIVER), COUNTED),
        "equity-flop-hand": _equity(_against(_FLOP, [_VILLAIN]), "every showdown"),
        "equity-flop-range": _equity(_against(_FLOP, in_range), "every showdown"),
        "equity-flop-random": _equity(_against_anyone(_FLOP), by_class),
    }


def public_functions() -> Jobs:
    """What anyone would call: `hand_ranks` and `equity`, which check what they are given."""
    random_hands, ordered_hands = _hands()
    return {
        "evaluate-random": Job(rank_checked(random_hands), "hand_ranks: one call for an array, checked"),
        "evaluate-enumerated": Job(rank_checked(ordered_hands), "hand_ranks: one call for an array, checked"),
        "equity-river-random": _equity(lambda: equity(_HERO, _RIVER).equity, "equity, arguments checked"),
        "equity-flop-hand": _equity(lambda: equity(_HERO, _FLOP, _VILLAIN).equity, "equity, arguments checked"),
        "equity-flop-range": _equity(lambda: equity(_HERO, _FLOP, VILLAIN_RANGE).equity, "equity, the range as text"),
        "equity-flop-random": _equity(lambda: equity(_HERO, _FLOP).equity, "equity, arguments checked"),
    }


def one_hand_a_call() -> Jobs:
    """`hand_rank` from Python, the way the peers are asked."""

    def ranking(hands: Any) -> Callable[[], int]:
        rows = hands[:5000].tolist()

        def work() -> int:
            for row in rows:
                hand_rank(row)
            return len(rows)

        return work

    random_hands, ordered_hands = _hands()
    note = "hand_rank, checked; not made for this"
    return {
        "evaluate-random": Job(ranking(random_hands), note),
        "evaluate-enumerated": Job(ranking(ordered_hands), note),
    }


def fresh_deals() -> Jobs:
    """Every hand dealt inside the clock."""
    return _hands_of_poker(play_fresh, "dealing inside the clock")


def from_a_bank() -> Jobs:
    """The same thousand hands dealt once and played by every match of a call."""
    return _hands_of_poker(play_banked, "1 000 deals for 200 matches: other work than the peers'")


def _hands() -> tuple[Any, Any]:
    ordered = list(islice(combinations(range(DECK), 7), 1_000_000, 1_000_000 + BATCH))
    return random_sevens(BATCH), np.array(ordered, np.uint8)


def _against_anyone(board: Sequence[int]) -> Callable[[], float]:
    known = np.array([*_HERO, *board], np.uint8)
    tally, evaluator, strength = np.zeros(3, np.int64), evaluator_tables(), strength_tables()

    def work() -> float:
        tally[:] = 0
        count_against_anyone(known, tally, evaluator, strength)
        return _share(tally)

    return work


def _against(board: Sequence[int], holes: Sequence[tuple[int, ...]]) -> Callable[[], float]:
    known, holdings = np.array([*_HERO, *board], np.uint8), np.array(holes, np.uint8)
    tallies, evaluator = np.zeros((len(holes), 3), np.int64), evaluator_tables()

    def work() -> float:
        tallies[:] = 0
        count_showdowns(known, holdings, tallies, evaluator)
        return _share(tallies.sum(axis=0))

    return work


def _share(tally: Any) -> float:
    won, tied, lost = tally.tolist()
    return float((won + tied / 2) / (won + tied + lost))


def _equity(value: Callable[[], float], note: str) -> Job:
    def work() -> int:
        value()
        return 1

    return Job(work, note, value)


def _hands_of_poker(play: Callable[..., Callable[[], int]], note: str) -> Jobs:
    blinds = SMALL_BLIND, BIG_BLIND
    small, big = BIG_BLIND, 2 * BIG_BLIND
    bets, raises = (small, small, big, big), (3, 4, 4, 4)
    limit = holdem("limit-1-2", "limit", 2, blinds, STACK, bets=bets, max_raises=raises)
    no_limit = holdem("no-limit-1-2", "no-limit", 2, blinds, STACK)
    six = holdem("six-no-limit-1-2", "no-limit", 6, blinds, STACK)

    def job(game: Game, agent: CompiledAgent) -> Job:
        return Job(play(game, [agent] * game.seats, 200), note, lambda: _decisions_a_hand(game, agent))

    return {
        "limit-call": job(limit, call(limit)),
        "limit-random": job(limit, random(limit)),
        "nolimit-call": job(no_limit, call(no_limit)),
        "nolimit-random": job(no_limit, pot_or_all_in(no_limit)),
        "six-nolimit-call": job(six, call(six)),
        "six-nolimit-random": job(six, pot_or_all_in(six)),
    }


class _Counting(Uncompiled):
    """Plays as the agent it wraps and counts how often it was asked."""

    decisions = 0

    def act(self, view: View) -> int:
        self.decisions += 1
        return super().act(view)


def _decisions_a_hand(game: Game, agent: CompiledAgent, hands: int = 5000) -> float:
    counting = _Counting(agent)
    everywhere = np.zeros((1, game.seats), np.int64)
    play_lineups(game, [counting], everywhere, np.zeros(1, np.int64), hands=hands, seed=1)
    return counting.decisions / hands


LIBRARIES = {
    "nemesis, kernels": (kernels, EVALUATOR_WORKLOADS),
    "nemesis, public functions": (public_functions, EVALUATOR_WORKLOADS),
    "nemesis, one hand a call": (one_hand_a_call, EVALUATOR_WORKLOADS[:2]),
    "nemesis, fresh deals": (fresh_deals, HAND_WORKLOADS),
    "nemesis, from a bank": (from_a_bank, HAND_WORKLOADS),
}

if __name__ == "__main__":
    answer({name: warmed(jobs) for name, (jobs, _) in LIBRARIES.items()}, dict.fromkeys(LIBRARIES, "nemesis-poker"))
