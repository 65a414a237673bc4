"""Equities are exact where the cases can be counted, and say so where they cannot."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nemesis.rules.cards import parse_cards
from nemesis.rules.equity import equity
from nemesis.rules.evaluator import hand_rank
from nemesis.rules.ranges import Range, parse_range
from nemesis.rules.strength import win_probability
from nemesis.runtime.compiled import COMPILING

compiled_only = pytest.mark.skipif(not COMPILING, reason="millions of hands, too many to compare uncompiled")
law = settings(deadline=None, max_examples=20)


def cards(text):
    return parse_cards(text)


@compiled_only
def test_aces_against_kings_over_all_boards():
    result = equity(cards("AsAh"), versus=cards("KsKh"))
    assert (result.exact, result.samples, result.standard_error) == (True, 1712304, 0.0)
    assert result.win == pytest.approx(0.823648, abs=1e-6)
    assert result.tie == pytest.approx(0.005436, abs=1e-6)


@compiled_only
def test_both_sides_of_a_pot_share_all_of_it():
    ours = equity(cards("AsKd"), versus=cards("7h7c"))
    theirs = equity(cards("7h7c"), versus=cards("AsKd"))
    assert ours.equity + theirs.equity == pytest.approx(1, abs=1e-12)
    assert ours.tie == theirs.tie


@law
@given(st.lists(st.integers(0, 51), min_size=9, max_size=9, unique=True), st.sampled_from([3, 4, 5]))
def test_a_hand_against_a_hand_agrees_with_dealing_every_board(drawn, seen):
    ours, theirs, board = drawn[:2], drawn[2:4], drawn[4 : 4 + seen]
    unseen = [card for card in range(52) if card not in (*ours, *theirs, *board)]
    won = tied = 0
    ends = list(combinations(unseen, 5 - seen))
    for end in ends:
        one, two = hand_rank((*ours, *board, *end)), hand_rank((*theirs, *board, *end))
        won, tied = won + (one > two), tied + (one == two)
    result = equity(ours, board, theirs)
    assert (result.win, result.tie) == (won / len(ends), tied / len(ends))
    assert result.samples == len(ends)


@compiled_only
@law
@given(st.lists(st.integers(0, 51), min_size=7, max_size=7, unique=True), st.sampled_from([3, 4, 5]))
def test_against_any_hand_it_is_the_win_probability(drawn, seen):
    result = equity(drawn[:2], drawn[2 : 2 + seen])
    assert result.exact
    assert result.equity == pytest.approx(win_probability(drawn[:2], drawn[2 : 2 + seen]), abs=1e-5)


@compiled_only
def test_before_the_flop_against_any_hand_it_is_the_published_win_probability():
    assert equity(cards("AsAh")).equity == pytest.approx(0.852037, abs=5e-7)


def test_a_range_is_the_mean_of_its_hands():
    board = cards("Ts9s2d")
    hands = ["KdQd", "KcQc", "KhQh", "AhAc", "AhAd", "AcAd"]
    mean = sum(equity(cards("AsKs"), board, cards(hand)).equity for hand in hands) / len(hands)
    assert equity(cards("AsKs"), board, "AA, KQs").equity == pytest.approx(mean, abs=1e-12)
    assert equity(cards("AsKs"), board, parse_range("AA, KQs")).samples == 6 * 990


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("QQ", 6),
        ("QQ+", 18),
        ("22-55", 24),
        ("55-22", 24),
        ("AKs", 4),
        ("AKo", 12),
        ("AK", 16),
        ("AJo+", 36),
        ("ATs+", 16),
        ("76s", 4),
        ("76s+", 4),
        ("A5s-A2s", 16),
        ("KdQd", 1),
        ("QdKd, KdQd", 1),
        ("random", 1326),
        ("QQ+, AKs, AJo+, 76s, 22-55, KdQd", 18 + 4 + 36 + 4 + 24 + 1),
        ("qq+ aks", 22),
    ],
)
def test_ranges_are_read_as_players_write_them(text, count):
    holes = parse_range(text).holes
    assert len(holes) == len({frozenset(hole) for hole in holes}) == count


@pytest.mark.parametrize("text", ["Q", "QX", "QQs", "AKx", "AKs++", "1s2s", "AKs-", "foo"])
def test_what_is_no_range_is_refused_in_a_sentence(text):
    with pytest.raises(ValueError, match="is not a"):
        parse_range(text)


def test_the_two_ends_of_a_range_must_match():
    with pytest.raises(ValueError, match="A5s-A2o joins hands of different kinds"):
        parse_range("A5s-A2o")
    with pytest.raises(ValueError, match="A5s-K2s joins hands of different high cards"):
        parse_range("A5s-K2s")
    with pytest.raises(ValueError, match="at least one hand"):
        parse_range(" , ")


def several_by_hand(hero, board, holes, opponents):
    """Win, tie and equity against every set of different holdings on a full board."""
    total = won = tied = shares = 0
    ours = hand_rank((*hero, *board))
    for group in combinations(holes, opponents):
        if len({card for hole in group for card in hole}) == 2 * opponents:
            ranks = [hand_rank((*hole, *board)) for hole in group]
            total += 1
            if max(ranks) <= ours:
                level = ranks.count(ours)
                won, tied, shares = won + (level == 0), tied + (level > 0), shares + 1 / (1 + level)
    return won / total, tied / total, shares / total, total


@compiled_only
@pytest.mark.parametrize(("opponents", "text"), [(2, "99+, AT+, 65s"), (3, "QQ+, AKs, JTs"), (2, "22-44, KQ")])
def test_several_opponents_agree_with_every_set_of_holdings(opponents, text):
    hero, board = cards("AsJs"), cards("JdTc4s9h2d")
    holes = [hole for hole in parse_range(text).holes if not set(hole) & {*hero, *board}]
    result = equity(hero, board, text, opponents)
    assert result.exact
    assert (result.win, result.tie, result.equity, result.samples) == pytest.approx(
        several_by_hand(hero, board, holes, opponents), abs=1e-12
    )


@compiled_only
def test_a_board_that_plays_is_shared_by_all():
    assert equity(cards("2c3d"), cards("AsKsQsJsTs"), opponents=2)[:3] == (0.0, 1.0, pytest.approx(1 / 3))
    assert equity(cards("2c3d"), cards("AsKsQsJsTs"), opponents=9)[:3] == (0.0, 1.0, pytest.approx(0.1))


@compiled_only
def test_too_many_cases_are_sampled_and_the_result_says_so():
    result = equity(cards("AsAh"), opponents=9, samples=200_000, seed=1)
    assert not result.exact
    assert result.samples == 200_000
    assert 0.0009 < result.standard_error < 0.0011
    assert result.equity == pytest.approx(0.3109, abs=5 * result.standard_error)
    assert result == equity(cards("AsAh"), opponents=9, samples=200_000, seed=1)
    assert result != equity(cards("AsAh"), opponents=9, samples=200_000, seed=2)


@compiled_only
def test_a_sample_agrees_with_the_exact_count(monkeypatch):
    spot = (cards("AsJs"), cards("JdTc4s"), "99+, AT+, 65s", 2)
    exact = equity(*spot)
    monkeypatch.setattr("nemesis.rules.equity.MOST_CASES", 0)
    sampled = equity(*spot, samples=300_000)
    assert exact.exact
    assert not sampled.exact
    assert sampled.equity == pytest.approx(exact.equity, abs=5 * sampled.standard_error)
    assert sampled.tie == pytest.approx(exact.tie, abs=0.005)


def test_bad_questions_are_refused_in_a_sentence():
    with pytest.raises(ValueError, match="the card As appears twice"):
        equity(cards("AsKs"), cards("As2c3c"))
    with pytest.raises(ValueError, match="the card Ks appears twice"):
        equity(cards("AsKs"), (), cards("KsKd"))
    with pytest.raises(ValueError, match="the opponent can hold none of the range"):
        equity(cards("AsKs"), (), "KsQs")
    with pytest.raises(ValueError, match="an opponent's hold'em hand has 2 cards, not 1"):
        equity(cards("AsKs"), (), cards("Qs"))
    with pytest.raises(ValueError, match="a hold'em board has 0, 3, 4 or 5 cards, not 1"):
        equity(cards("AsKs"), cards("2c"))
    with pytest.raises(ValueError, match="1 to 9 opponents, not 10"):
        equity(cards("AsKs"), opponents=10)
    with pytest.raises(ValueError, match="too few cards for 2 opponents"):
        equity(cards("AsKs"), (), Range(((0, 1),)), opponents=2)
    with pytest.raises(ValueError, match="cannot hold different cards"):
        equity(cards("AsKs"), cards("2h3h4h"), Range(((0, 1), (0, 16), (0, 12))), opponents=2)
