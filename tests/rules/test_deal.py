"""Laws of deals: every card equally likely everywhere, each deal a function of its number, the same for ever."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations, permutations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import chi2, chi2_contingency, chisquare

import nemesis
from nemesis.names import GAMES
from nemesis.play.match import deals_apart
from nemesis.rules.cards import cards_text
from nemesis.rules.deal import Bank, deal, deal_key, deal_tables, empty_bank, fill_bank, plan_deals
from nemesis.rules.game import Game
from nemesis.runtime.chance import nth, uniform
from nemesis.runtime.streams import Stages, Stream, derived_seed, stream_key

UNLIKELY = 1e-6
"""No law is tested with so many cases that one of them falls below this by chance, and the seeds are fixed."""

DECKS = {nemesis.game(name).digest(): name for name in GAMES}.values()


@cache
def cards(name: str, seed: int, count: int) -> NDArray[np.int64]:
    """Every card dealt, by deal and slot: the board, then the positions in order."""
    game = nemesis.game(name)
    bank = deal(game, seed, count=count, facts=())
    board = bank.boards[:, : sum(game.board_cards)]
    return np.hstack([board, bank.holes.reshape(count, -1)]).astype(np.int64)


def joint_p(one: NDArray[np.int64], other: NDArray[np.int64]) -> float:
    """The p-value of the two having nothing to do with each other."""
    table = np.zeros((one.max() + 1, other.max() + 1))
    np.add.at(table, (one, other), 1)
    return float(chi2_contingency(table).pvalue)


def test_every_card_is_equally_likely_in_every_slot_of_a_full_table() -> None:
    for slot in cards("ring", 1, 200_000).T:
        assert chisquare(np.bincount(slot, minlength=52)).pvalue > UNLIKELY


def test_every_two_cards_are_equally_likely_in_every_two_slots() -> None:
    """All 300 pairs of slots at a table of ten: 2652 ordered pairs of cards each, and no card twice."""
    dealt = cards("ring", 1, 200_000)
    for one, other in combinations(range(dealt.shape[1]), 2):
        counts = np.bincount(52 * dealt[:, one] + dealt[:, other], minlength=52 * 52).reshape(52, 52)
        assert np.trace(counts) == 0
        expected = len(dealt) / (52 * 51)
        statistic = (counts**2).sum() / expected - len(dealt)
        assert chi2.sf(statistic, 52 * 51 - 1) > UNLIKELY, (one, other)


@pytest.mark.parametrize("name", ["kuhn", "leduc", "one-card"])
def test_every_deal_of_a_small_game_is_reached_equally_often(name: str) -> None:
    """6 deals of Kuhn, 120 of Leduc, 90 of one-card poker: all orders of so many cards."""
    game, dealt = nemesis.game(name), cards(name, 1, 100_000)
    deck, width = game.ranks * game.suits, dealt.shape[1]
    places = deck ** np.arange(width)
    counts = np.bincount(dealt @ places, minlength=deck**width)
    possible = np.array(list(permutations(range(deck), width))) @ places
    assert counts.sum() == counts[possible].sum()
    assert chisquare(counts[possible]).pvalue > UNLIKELY


def filled(game: Game, seed: int, first: int, chunks: list[int]) -> Bank:
    """The deals from `first` on, so many at a time."""
    bank, row = empty_bank(game, sum(chunks)), 0
    for count in chunks:
        fill_bank(plan_deals(game), deal_tables(game), deal_key(game, seed), first + row, row, count, bank)
        row += count
    return bank


@pytest.mark.parametrize("name", GAMES)
def test_a_deal_does_not_depend_on_what_is_dealt_with_it(name: str) -> None:
    """Cards, ranks and facts of 260 deals: all at once, one by one, and in chunks that straddle those of the loop."""
    game = nemesis.game(name)
    whole = filled(game, 3, 1000, [260])
    for chunks in ([1] * 260, [128, 128, 4], [127, 2, 131]):
        for mine, theirs in zip(filled(game, 3, 1000, chunks), whole, strict=True):
            assert np.array_equal(mine, theirs, equal_nan=True)


def test_fewer_players_get_the_first_hands_of_more() -> None:
    assert (cards("limit", 5, 100) == cards("ring", 5, 100)[:, :9]).all()


@pytest.mark.parametrize("hands", [1000, 1 << 20, (1 << 20) + 5])
def test_a_freeze_out_never_reaches_the_deals_of_the_next(hands: int) -> None:
    assert deals_apart(hands, freeze_out=True) >= hands
    assert deals_apart(1000, freeze_out=True) == 1 << 20


PINNED = {
    ("one-card", 0, 0): "6 3",
    ("one-card", 2010, 1_000_000): "9 7",
    ("kuhn", 0, 0): "3 1",
    ("kuhn", 2010, 1_000_000): "2 3",
    ("leduc", 0, 0): "Kh Jc | Jh",
    ("leduc", 2010, 1_000_000): "Jc Kh | Jh",
    ("ring", 0, 0): "6hAs Td7s 9dTc 3dTs 9h5s 6s3s Th5h 5d8c 7cAd 5cQh | 7hAh2h3hQs",
    ("ring", 2010, 1_000_000): "Qd3d Kd8h Ac9s 9dQh 6dTd Jc5h 6h2c 6s7h TsKc Js8d | 9cJdTc5cAs",
}
"""Deals by game, seed and number."""


def written(game: Game, holes: NDArray[np.uint8], board: NDArray[np.uint8]) -> str:
    """A deal as people write it: numbers from 1 in games of one suit, jack to king in Leduc."""
    if game.is_holdem:
        return f"{' '.join(cards_text(hole) for hole in holes)} | {cards_text(board)}"
    if game.suits == 1:
        return " ".join(str(hole[0] + 1) for hole in holes)
    text = ["JQK"[card // 2] + "ch"[card % 2] for card in (*holes[:, 0], *board)]
    return f"{' '.join(text[:-1])} | {text[-1]}"


@pytest.mark.parametrize("name", GAMES)
def test_a_seed_gives_the_same_deals_for_ever(name: str) -> None:
    """Games with the same deck deal the same cards, so the pinned deals of one of them are those of all."""
    game, checked = nemesis.game(name), 0
    for (pinned, seed, number), text in PINNED.items():
        if nemesis.game(pinned).digest() == game.digest():
            seats = len(text.split(" | ")[0].split())
            bank = deal(game, seed, number, facts=())
            dealt = written(game, bank.holes[0], bank.boards[0])
            hands, _, board = text.partition(" | ")
            expected = " ".join(hands.split()[: min(seats, game.seats)]) + (f" | {board}" if board else "")
            assert dealt == expected
            checked += 1
    assert checked == 2


def pairs_of_streams() -> Iterator[tuple[str, int, int]]:
    """Keys that must have nothing to do with each other, by what tells them apart."""
    leduc, kuhn, limit = (nemesis.game(name) for name in ("leduc", "kuhn", "limit"))
    yield "cards and choices", deal_key(limit, 0), stream_key(0, Stream.CHOICES, 0)
    yield "two seeds", deal_key(limit, 0), deal_key(limit, 1)
    yield "a seed and its negative", deal_key(limit, 1), deal_key(limit, -1)
    yield "two games", deal_key(leduc, 0), deal_key(kuhn, 0)
    yield "two matches", stream_key(0, Stream.CHOICES, 0), stream_key(0, Stream.CHOICES, 1)
    yield "two streams", stream_key(0, Stream.TOURNAMENTS), stream_key(0, Stream.EARNINGS)
    stages = [derived_seed(0, Stream.EARNINGS, stage) for stage in (Stages.GENERATIONS.at(0), Stages.CROWNING.at(0))]
    yield "two stages", deal_key(limit, stages[0]), deal_key(limit, stages[1])


@pytest.mark.parametrize(("one", "other"), [pytest.param(*keys, id=what) for what, *keys in pairs_of_streams()])
def test_two_streams_have_nothing_to_do_with_each_other(one: int, other: int) -> None:
    """Number by number, and with one of them a step behind."""
    draws = [np.array([int(12 * uniform(np.uint64(nth(key, n)))) for n in range(30_000)]) for key in (one, other)]
    assert joint_p(*draws) > UNLIKELY
    assert joint_p(draws[0][1:], draws[1][:-1]) > UNLIKELY
    assert joint_p(draws[0][:-1], draws[1][1:]) > UNLIKELY


def test_the_same_deal_of_two_seeds_games_or_stages_has_nothing_in_common() -> None:
    seeds = [derived_seed(0, Stream.TOURNAMENTS, stage) for stage in (Stages.GENERATIONS.at(0), Stages.CROWNING.at(0))]
    for one, other in ((1, 2), (1, -1), seeds):
        mine, theirs = cards("limit", one, 100_000), cards("limit", other, 100_000)
        for slot in (0, 5, 8):
            assert joint_p(mine[:, slot], theirs[:, slot]) > UNLIKELY
    for one, other in combinations(DECKS, 2):
        assert joint_p(cards(one, 1, 100_000)[:, 0], cards(other, 1, 100_000)[:, 0]) > UNLIKELY


def test_the_next_deal_has_nothing_to_do_with_the_one_before() -> None:
    dealt = cards("limit", 1, 100_000)
    for slot in range(dealt.shape[1]):
        assert joint_p(dealt[1:, slot], dealt[:-1, slot]) > UNLIKELY
