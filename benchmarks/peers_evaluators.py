"""How fast other libraries rank hands and find exact equities.

All three are called from Python, one hand a call: that is their interface, and most of the time is the
call. Hands are dealt beforehand in each library's own form of cards. Equities are exact: eval7's compiled
"exact" function compares hands on the board as it is and deals no more cards, so it is called for every
turn and river; the others are asked for each hand in turn, hero once a board.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.apart import Jobs, answer
from benchmarks.workloads import FLOP, HERO, RIVER, VILLAIN, VILLAIN_RANGE, Job

RANKS, SUITS = "23456789TJQKA", "cdhs"
DECK = [rank + suit for rank in RANKS for suit in SUITS]
BATCH = 5000


def phevaluator() -> Jobs:
    """Perfect-hash evaluator in C; smaller ranks are stronger."""
    from phevaluator import _pheval
    from phevaluator.card import Card

    rank = _pheval.evaluate_7cards  # the public function only converts cards first; it is 3-4 times slower
    jobs = _by_enumeration(Card.to_id, lambda cards: -rank(*cards), "every hand ranked from Python")
    note = "its C function called directly, cards as numbers"
    return {**jobs, **_evaluations(Card.to_id, lambda cards: rank(*cards), tuple, note)}


def eval7() -> Jobs:
    """Evaluator and equities in Cython."""
    import eval7

    class Hands(eval7.HandRange):  # type: ignore[misc]
        """A range given as hands: eval7's own are made from text only."""

        def __init__(self, hands: Sequence[Any]) -> None:
            self.hands = [(hand, 1.0) for hand in hands]

    exact = eval7.py_hand_vs_range_exact

    deck = [eval7.Card(card) for card in DECK]
    hero, river, flop = ([eval7.Card(card) for card in cards] for cards in (HERO, RIVER, FLOP))

    unseen = list(itertools.combinations(deck, 2))
    in_range = _live(_range_hands(eval7.Card), [*hero, *flop])
    villain = [(eval7.Card(VILLAIN[0]), eval7.Card(VILLAIN[1]))]

    def equity(hands: Sequence[Any], board: Sequence[Any], note: str) -> Job:
        # eval7 leaves out hands that share a card with hero or board; how many remain is found beforehand.
        villains = Hands(hands)
        boards = [[*board, *rest] for rest in _rests([*hero, *board], deck, 5 - len(board), hands)]
        alive = [len(_live(hands, [*hero, *full])) for full in boards]

        def work() -> float:
            pairs = zip(boards, alive, strict=True)
            return sum(exact(hero, villains, full) * count for full, count in pairs) / sum(alive)

        return _equity(work, note)

    note = "py_hand_vs_range_exact for every complete board"
    return {
        **_evaluations(eval7.Card, eval7.evaluate, list, "cards as its objects"),
        "equity-river-random": equity(unseen, river, "py_hand_vs_range_exact"),
        "equity-flop-hand": equity(villain, flop, note),
        "equity-flop-range": equity(in_range, flop, note),
        "equity-flop-random": equity(_live(unseen, [*hero, *flop]), flop, note),
    }


def treys() -> Jobs:
    """Evaluator in pure Python; smaller ranks are stronger."""
    from treys import Card, Evaluator

    rank = Evaluator().evaluate
    jobs = _by_enumeration(Card.new, lambda cards: -rank(cards[:2], cards[2:]), "every hand ranked from Python")
    return {**jobs, **_evaluations(Card.new, lambda cards: rank(*cards), _two_and_five, "pure Python")}


def _two_and_five(cards: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    return list(cards[:2]), list(cards[2:])


def _evaluations(
    card: Callable[[str], Any], rank: Callable[[Any], Any], form: Callable[[Any], Any], note: str
) -> dict[str, Job]:
    deck = [card(name) for name in DECK]
    chance = random.Random(1)
    dealt = [form(chance.sample(deck, 7)) for _ in range(BATCH)]
    ordered = [form(hand) for hand in itertools.islice(itertools.combinations(deck, 7), 1_000_000, 1_000_000 + BATCH)]

    def work(hands: list[Any]) -> int:
        for hand in hands:
            rank(hand)
        return len(hands)

    return {
        "evaluate-random": Job(lambda: work(dealt), note),
        "evaluate-enumerated": Job(lambda: work(ordered), note),
    }


def _by_enumeration(card: Callable[[str], Any], strength: Callable[[Any], int], note: str) -> dict[str, Job]:
    deck = [card(name) for name in DECK]
    hero, river, flop, villain = ([card(name) for name in names] for names in (HERO, RIVER, FLOP, VILLAIN))

    def equity(hands: Sequence[Any], board: Sequence[Any]) -> float:
        score = live = 0
        for rest in _rests([*hero, *board], deck, 5 - len(board), hands):
            full = [*board, *rest]
            own = strength([*hero, *full])
            for a, b in hands:
                if a in rest or b in rest:
                    continue
                other = strength([a, b, *full])
                score += 2 if own > other else own == other
                live += 2
        return score / live

    unseen_river = _live(itertools.combinations(deck, 2), [*hero, *river])
    unseen_flop = _live(itertools.combinations(deck, 2), [*hero, *flop])
    in_range = _live(_range_hands(card), [*hero, *flop])
    return {
        "equity-river-random": _equity(lambda: equity(unseen_river, river), note),
        "equity-flop-hand": _equity(lambda: equity([tuple(villain)], flop), note),
        "equity-flop-range": _equity(lambda: equity(in_range, flop), note),
        "equity-flop-random": _equity(lambda: equity(unseen_flop, flop), note),
    }


def _equity(equity: Callable[[], float], note: str) -> Job:
    found = 0.0

    def work() -> int:
        nonlocal found
        found = equity()
        return 1

    return Job(work, note, lambda: found)


def _rests(dead: Sequence[Any], deck: Sequence[Any], count: int, hands: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Every way to complete the board; with a single opposing hand, that hand's cards are dead too."""
    known = [*dead, *hands[0]] if len(hands) == 1 else dead
    return list(itertools.combinations([card for card in deck if card not in known], count))


def _live(hands: Any, dead: Sequence[Any]) -> list[tuple[Any, Any]]:
    return [(a, b) for a, b in hands if a not in dead and b not in dead]


def _range_hands(card: Callable[[str], Any]) -> list[tuple[Any, Any]]:
    """The hands of `VILLAIN_RANGE`, spelled out because only eval7 reads ranges."""
    assert VILLAIN_RANGE == "TT+,AQs+,AQo"
    pairs = [(r + a, r + b) for r in "TJQKA" for a, b in itertools.combinations(SUITS, 2)]
    suited = [("A" + s, r + s) for r in "QK" for s in SUITS]
    offsuit = [("A" + a, "Q" + b) for a, b in itertools.permutations(SUITS, 2)]
    return [(card(a), card(b)) for a, b in pairs + suited + offsuit]


PEERS = {"phevaluator": phevaluator, "eval7": eval7, "treys": treys}

if __name__ == "__main__":
    answer(PEERS, {})
