"""A player's numbers: counted as players count them, shrunk to the population, each with its hands."""

import datetime
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from nemesis.measure.player_numbers import (
    NUMBERS,
    Filter,
    Prior,
    all_numbers,
    as_factor,
    fit_prior,
    hands_of,
    player_numbers,
    posterior,
)
from nemesis.observe.history import read_history
from nemesis.observe.importing import import_files
from nemesis.observe.seat_counts import SEAT_COUNTS
from nemesis.observe.statistics import COUNTS, statistics_of_tape
from nemesis.observe.store import Store, open_store

DATA = Path(__file__).parent.parent / "data"


def hand(number: int, blinds: str, stacks: str, actions: str, more: str = "") -> str:
    """A hand of Ann, Bob and Cem (or the first two) at 1/2."""
    names = ["Ann", "Bob", "Cem"][: stacks.count(",") + 1]
    dealt = [f"d dh p{p + 1} ????" for p in range(len(names))]
    told = [*dealt, *actions.split(", ")]
    return f"""[{number}]
variant = 'NT'
antes = {[0] * len(names)}
blinds_or_straddles = [{blinds}]
min_bet = 2
starting_stacks = [{stacks}]
actions = {told}
players = {names}
venue = 'Ours'
day = {number}
month = 3
year = 2024
time = 10:00:00
hand = {number}
{more}
"""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "s.duckdb", writing=True) as opened:
        yield opened


def told(store: Store, tmp_path: Path, *hands: str) -> Store:
    (tmp_path / "h.phhs").write_text("".join(hands))
    done = import_files(store, [tmp_path / "h.phhs"])
    assert (done.hands, done.rejected) == (len(hands), 0)
    return store


def of(store: Store, player: str, number: str) -> tuple[float, int]:
    share = player_numbers(store, player)[0].shares[number]
    return share.made, share.of


def test_counts_are_those_of_the_compiled_counters_on_retold_hands(tmp_path: Path, store: Store) -> None:
    history = read_history(sorted(DATA.glob("*.phhs")))
    retold = statistics_of_tape(history.part(history.about["free_folds"] == 0).tape())
    import_files(store, [DATA])
    columns = [name for name in SEAT_COUNTS if name in COUNTS and name != "showdown_halves"]
    sums = ", ".join(f"sum({name})" for name in columns)
    rows = store.rows(
        f"""SELECT players.name, {sums} FROM seats JOIN players USING (player) JOIN hands USING (hand)
        WHERE free_folds = 0 GROUP BY ALL"""
    )
    assert len(rows) > 100
    for name, *counts in rows:
        assert counts == [retold[name][column] for column in columns], name


def test_a_straddler_who_checks_has_put_nothing_in_by_choice(tmp_path: Path, store: Store) -> None:
    told(store, tmp_path, hand(1, "1, 2, 4", "200, 200, 200", "p1 f, p2 cc, p3 cc, d db 2c7dKh, p2 cc, p3 cbr 6, p2 f"))
    assert of(store, "Cem", "vpip") == (0, 1)
    assert of(store, "Bob", "vpip") == (1, 1)
    assert store.rows("SELECT DISTINCT big_blind FROM seats") == [(2,)]


def test_an_all_in_run_out_is_a_showdown_without_further_chances(tmp_path: Path, store: Store) -> None:
    actions = "p3 cbr 200, p1 f, p2 cc, p3 sm AsAh, p2 sm KsKh, d db 2c7dJh, d db 3s, d db Kc"
    told(store, tmp_path, hand(1, "1, 2, 0", "200, 200, 200", actions, "winnings = [0, 398, 0]"))
    assert of(store, "Cem", "wtsd") == (1, 1)
    assert of(store, "Cem", "c_bet") == (0, 0)
    assert of(store, "Bob", "won_at_showdown") == (1, 1)
    bob, cem = (player_numbers(store, name)[0] for name in ("Bob", "Cem"))
    assert bob.won.mean == pytest.approx(9900)  # 198 after 3 of rake, in big blinds of 2, per 100
    assert bob.before_rake.mean == pytest.approx(10050)
    assert cem.won.mean == pytest.approx(-10000)
    aces = cem.all_in_adjusted.mean
    assert aces is not None
    share = (aces + 10000) / 100 / (398 / 2)
    assert share == pytest.approx(0.81946, abs=0.03)  # AsAh against KsKh, ties half
    assert bob.all_in_adjusted.mean == pytest.approx(-aces - 100, abs=0.1)  # the rake of 3


def test_an_all_in_on_the_turn_is_adjusted_over_every_river(tmp_path: Path, store: Store) -> None:
    before = "p3 cc, p1 f, p2 cc, d db 2c7dJh, p2 cc, p3 cc, d db 3s"
    all_in = "p2 cbr 198, p3 cc, p2 sm KsKh, p3 sm AsAh, d db Kc"
    told(store, tmp_path, hand(1, "1, 2, 0", "200, 200, 200", f"{before}, {all_in}"))
    kings = player_numbers(store, "Bob")[0].all_in_adjusted.mean
    assert kings == pytest.approx(100 / 2 * (401 * 2 / 44 - 200), rel=1e-4)


def test_uncalled_bets_are_not_won(tmp_path: Path, store: Store) -> None:
    told(store, tmp_path, hand(1, "1, 2, 0", "200, 200, 200", "p3 cbr 100, p1 f, p2 f", "winnings = [0, 0, 5]"))
    assert player_numbers(store, "Cem")[0].won.mean == pytest.approx(150)
    assert store.rows("SELECT uncalled FROM seats WHERE position = 2") == [(98,)]


def test_a_split_pot_after_rake_is_half_a_win(tmp_path: Path, store: Store) -> None:
    actions = "p3 f, p1 cc, p2 cc, d db AcKdQhJsTc, p1 cc".replace("AcKdQhJsTc", "AcKdQh")
    rest = "p2 cc, d db Js, p1 cc, p2 cc, d db Tc, p1 cc, p2 cc, p1 sm 2c3d, p2 sm 4c5d"
    told(store, tmp_path, hand(1, "1, 2, 0", "200, 200, 200", f"{actions}, {rest}", "winnings = [1.90, 1.90, 0]"))
    assert of(store, "Ann", "won_at_showdown") == of(store, "Bob", "won_at_showdown") == (0.5, 1)
    assert player_numbers(store, "Ann")[0].won.mean == pytest.approx(-5)


def test_a_showdown_that_nobody_decided_is_not_lost(tmp_path: Path, store: Store) -> None:
    actions = "p3 f, p1 cc, p2 cc, d db AcKdQh, p1 cc, p2 cc, d db Js, p1 cc, p2 cc, d db Tc, p1 cc, p2 cc"
    told(store, tmp_path, hand(1, "1, 2, 0", "200, 200, 200", actions))
    assert of(store, "Ann", "wtsd") == (1, 1)
    assert of(store, "Ann", "won_at_showdown") == (0, 0)
    assert player_numbers(store, "Ann")[0].won.hands == 0


def test_three_bets_and_c_bets_and_who_folds_to_them(tmp_path: Path, store: Store) -> None:
    raised = "p3 cbr 6, p1 cbr 20, p2 f, p3 f"
    flop = "p3 cbr 6, p1 f, p2 cc, d db 2c7dKh, p2 cc, p3 cbr 8, p2 f"
    turn = "p3 cbr 6, p1 f, p2 cc, d db 2c7dKh, p2 cc, p3 cbr 8, p2 cc, d db 9s, p2 cc, p3 cbr 20, p2 cbr 60, p3 f"
    stacks = "200, 200, 200"
    told(store, tmp_path, *(hand(n, "1, 2, 0", stacks, told) for n, told in enumerate((raised, flop, turn), 1)))
    assert of(store, "Ann", "three_bet") == (1, 3)
    assert of(store, "Cem", "fold_to_three_bet") == (1, 1)
    assert of(store, "Cem", "c_bet") == (2, 2)
    assert of(store, "Bob", "fold_to_c_bet_flop") == (1, 2)
    assert of(store, "Bob", "fold_to_c_bet_turn") == (0, 1)
    assert of(store, "Cem", "barrel") == (1, 1)
    assert of(store, "Bob", "check_raise") == (1, 3)
    assert of(store, "Cem", "fold_to_bet_turn") == (1, 1)


def test_aggression_without_calls_is_finite_once_the_population_is_asked(tmp_path: Path, store: Store) -> None:
    told(store, tmp_path, hand(1, "1, 2, 0", "200, 200, 200", "p3 cc, p1 f, p2 cc, d db 2c7dKh, p2 cbr 4, p3 f"))
    factor = player_numbers(store, "Bob")[0].shares["aggression_factor"]
    assert (factor.made, factor.of) == (1, 1)
    assert as_factor(factor.made / factor.of) == float("inf")
    assert as_factor(factor.estimate) < 1e6


def test_every_number_lists_its_hands(store: Store) -> None:
    import_files(store, [DATA])
    numbers = player_numbers(store, "Pluribus")[0]
    for number in NUMBERS:
        share = numbers.shares[number.name]
        listed = hands_of(store, "Pluribus", number.name)
        assert sum(row["made"] for row in listed) == share.made, number.name
        assert sum(row["of"] for row in listed) == share.of, number.name
    assert {"hand", "time", "file", "line", "made", "of", "won"} == set(listed[0])
    with pytest.raises(ValueError, match="'luck' is not a number; known are vpip, pfr"):
        hands_of(store, "Pluribus", "luck")


def test_parts_sum_to_the_whole(store: Store) -> None:
    import_files(store, [DATA])
    for split in ("position", "depth", "players", "day", "month"):
        whole, *parts = player_numbers(store, "Pluribus", split=split)
        assert sum(part.hands for part in parts) == whole.hands, split
        for name, share in whole.shares.items():
            assert sum(part.shares[name].made for part in parts) == share.made, name
    positions = {part.part for part in player_numbers(store, "Pluribus", split="position")[1:]}
    assert positions <= {"SB", "BB", "LJ", "HJ", "CO", "BTN"}


def test_hands_can_be_chosen_by_day_and_players(tmp_path: Path, store: Store) -> None:
    folds = [hand(day, "1, 2, 0", "200, 200, 200", "p3 f, p1 f") for day in (1, 2, 3)]
    told(store, tmp_path, *folds, hand(4, "1, 2", "200, 200", "p2 f"))
    since = Filter(since=datetime.date(2024, 3, 2))
    assert player_numbers(store, "Ann", chosen=since)[0].hands == 3
    assert player_numbers(store, "Ann", chosen=Filter(until=datetime.date(2024, 3, 2)))[0].hands == 1
    assert player_numbers(store, "Ann", chosen=Filter(players=2))[0].hands == 1
    assert [numbers.player for numbers in all_numbers(store, least=4)] == ["Ann", "Bob"]


def test_few_hands_are_told_like_the_population_and_many_like_the_player() -> None:
    prior = Prior(20.0, 60.0)
    assert posterior(0, 0, prior)[0] == prior.mean == 0.25
    few, (low, high) = posterior(2, 2, prior)
    assert 0.25 < few < 0.3
    assert low < 0.25 < high
    many, (low, high) = posterior(9000, 10000, prior)
    assert many == pytest.approx(0.9, abs=0.006)
    assert high - low < 0.015


def test_the_spread_of_a_population_is_found_again() -> None:
    chance = np.random.default_rng(3)
    trials = chance.integers(20, 400, 3000)
    made = chance.binomial(trials, chance.beta(6, 14, 3000))
    prior = fit_prior(made.astype(float), trials.astype(float))
    assert prior.mean == pytest.approx(0.3, abs=0.005)
    assert prior.a + prior.b == pytest.approx(20, rel=0.1)


def test_intervals_hold_what_they_promise() -> None:
    """Of players drawn from a population, 95 % of the intervals cover the player's own share."""
    chance = np.random.default_rng(4)
    shares = chance.beta(6, 14, 2000)
    trials = chance.integers(5, 100, 2000)
    made = chance.binomial(trials, shares)
    prior = fit_prior(made.astype(float), trials.astype(float))
    inside = [low <= share <= high for share, (low, high) in zip(
        shares, (posterior(m, n, prior)[1] for m, n in zip(made.tolist(), trials.tolist(), strict=True)), strict=True
    )]  # fmt: skip
    assert np.mean(inside) == pytest.approx(0.95, abs=0.015)
