"""The rules of betting, with explicit chips, and the laws every hand obeys.

A hand is written as its actions in turn: 0 folds, 1 checks or calls, more raises to that many chips.
"""

import hashlib
import os
import random
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nemesis.rules import games
from nemesis.rules.betting import begin, new_hand, settle, step
from nemesis.rules.game import AFTER_BLINDS, STRUCTURES, Game, blind_positions, holdem

FOLD, CALL = 0, 1
ALL_IN = 10**6


def play(game: Game, *actions: int, stacks: tuple[int, ...] | None = None) -> np.record:
    """The hand after these actions, from the game's stacks unless others are given."""
    rules, hand = game.compiled(), new_hand()
    begin(rules, np.array(stacks or game.stacks), hand)
    for action in actions:
        assert not hand[0].over, f"the betting was over before all of {actions} were played"
        step(rules, hand, action)
    return hand[0]


def showdown(hand: np.record, *ranks: int) -> list[int]:
    """What everyone wins when these are the strengths of their hands."""
    assert hand.over
    settle(hand.base, np.array(ranks, np.int32))
    return hand.payoff[: hand.seats].tolist()


def raises(hand: np.record) -> tuple[int, int]:
    return int(hand.min_to), int(hand.max_to)


NO_RAISE = (0, 0)


def no_limit(*stacks: int) -> Game:
    """No-limit hold'em with blinds 5/10."""
    seats = len(stacks)
    return Game(
        name="test",
        structure="no-limit",
        stacks=stacks,
        antes=(0,) * seats,
        blinds=blind_positions(5, 10, seats),
        bets=(10,) * 4,
        first=(AFTER_BLINDS, 0, 0, 0),
    )


class TestTurns:
    def test_heads_up_the_button_posts_the_small_blind_and_acts_first_before_the_flop(self):
        hand = play(no_limit(100, 100))
        assert hand.wager[:2].tolist() == [10, 5]
        assert (hand.actor, hand.to_call) == (1, 5)

    def test_heads_up_the_big_blind_acts_first_after_the_flop(self):
        hand = play(no_limit(100, 100), CALL, CALL)
        assert (hand.street, hand.actor, hand.to_call) == (1, 0, 0)

    def test_at_a_full_table_the_seat_after_the_big_blind_acts_first(self):
        assert play(no_limit(100, 100, 100, 100)).actor == 2

    def test_the_big_blind_may_raise_when_everyone_has_called(self):
        hand = play(no_limit(100, 100, 100), CALL, CALL)
        assert (hand.actor, hand.to_call, raises(hand)) == (1, 0, (20, 100))

    def test_a_free_fold_is_a_check(self):
        hand = play(no_limit(100, 100), CALL, FOLD)
        assert (hand.street, hand.over) == (1, 0)

    def test_when_all_but_one_fold_the_last_takes_the_blinds(self):
        assert showdown(play(no_limit(100, 100, 100), FOLD, FOLD), 0, 0, 0) == [-5, 5, 0]

    def test_nobody_is_asked_when_everyone_is_all_in(self):
        hand = play(no_limit(100, 100), ALL_IN, CALL)
        assert (hand.over, hand.street) == (1, 3)

    def test_a_big_blind_short_of_the_small_one_leaves_nothing_to_do(self):
        hand = play(no_limit(4, 100))
        assert hand.over
        assert showdown(hand, 1, 0) == [4, -4]


class TestNoLimitRaises:
    def test_the_first_raise_is_at_least_the_big_blind(self):
        assert raises(play(no_limit(100, 100))) == (20, 100)

    def test_a_reraise_is_at_least_the_last_raise(self):
        assert raises(play(no_limit(200, 200), 35)) == (60, 200)

    def test_the_smallest_bet_begins_anew_on_each_street(self):
        assert raises(play(no_limit(200, 200), 50, CALL)) == (10, 150)

    def test_a_stack_shorter_than_the_smallest_raise_may_go_all_in(self):
        assert raises(play(no_limit(45, 200), 35)) == (45, 45)

    def test_a_raise_too_small_or_too_large_is_brought_to_what_is_legal(self):
        assert play(no_limit(100, 100), 12).bet == 20
        assert play(no_limit(100, 100), 500).bet == 100

    def test_nobody_may_raise_when_the_others_are_all_in(self):
        hand = play(no_limit(40, 100), CALL, ALL_IN)
        assert (hand.actor, hand.to_call, raises(hand)) == (1, 30, NO_RAISE)

    def test_a_bet_of_a_single_last_chip_is_told_apart_from_a_check(self):
        game = no_limit(11, 100)
        rules, hand = game.compiled(), new_hand()
        begin(rules, np.array(game.stacks), hand)
        step(rules, hand, CALL)
        assert step(rules, hand, CALL) == CALL
        assert raises(hand[0]) == (1, 1)
        assert step(rules, hand, 2) == 2
        assert hand[0].bet == 1


class TestShortAllInRaises:
    """Position 2 opens to 30 (a raise of 20), so a full raise is to 50."""

    def test_who_has_acted_may_not_raise_again_after_a_short_all_in(self):
        hand = play(no_limit(200, 40, 200), 30, CALL, ALL_IN)
        assert (hand.bet, hand.actor, hand.to_call, raises(hand)) == (40, 2, 10, NO_RAISE)

    def test_who_has_not_acted_may(self):
        hand = play(no_limit(200, 200, 200, 40), 30, ALL_IN)
        assert (hand.actor, raises(hand)) == (0, (60, 200))

    def test_two_short_all_ins_that_add_up_to_a_raise_reopen_the_betting(self):
        hand = play(no_limit(42, 54, 200), 30, ALL_IN, ALL_IN)
        assert (hand.bet, hand.actor, hand.to_call, raises(hand)) == (
            54,
            2,
            24,
            NO_RAISE,
        )  # nobody left to raise
        hand = play(no_limit(200, 200, 200, 42, 54), 30, ALL_IN, ALL_IN, FOLD, FOLD)
        assert (hand.actor, raises(hand)) == (2, NO_RAISE)
        hand = play(no_limit(200, 200, 200, 42, 54), 30, ALL_IN, ALL_IN, CALL, FOLD)
        assert (hand.actor, hand.to_call, raises(hand)) == (2, 24, (74, 200))

    def test_two_short_all_ins_that_do_not_add_up_leave_it_closed(self):
        hand = play(no_limit(200, 200, 200, 40, 48), 30, ALL_IN, ALL_IN, CALL, FOLD)
        assert (hand.actor, hand.to_call, raises(hand)) == (2, 18, NO_RAISE)

    def test_in_an_acpc_game_any_all_in_raise_reopens_and_need_only_be_completed(self):
        acpc = Game(**{**vars(no_limit(200, 40, 200)), "short_raises": "any"})
        hand = play(acpc, 30, CALL, ALL_IN)
        assert (hand.bet, hand.actor, raises(hand)) == (40, 2, (50, 200))


class TestCaps:
    def test_a_limit_raise_has_one_size(self):
        hand = play(games.acpc_limit(), 500)
        assert (hand.bet, raises(hand)) == (20, (30, 30))

    def test_bets_double_on_the_turn(self):
        assert raises(play(games.acpc_limit(), CALL, CALL, CALL, CALL)) == (20, 20)

    def test_after_the_last_raise_a_raise_is_a_call(self):
        hand = play(games.acpc_limit(), 20, 30, 40)
        assert raises(hand) == NO_RAISE
        hand = play(games.acpc_limit(), 20, 30, 40, 50)
        assert (hand.street, hand.pot) == (1, 80)

    def test_forty_chips_a_street_are_three_raises_before_the_flop_and_four_bets_after(self):
        assert raises(play(games.limit(), 20, 30)) == (40, 40)
        assert raises(play(games.limit(), 20, 30, 40)) == NO_RAISE
        assert raises(play(games.limit(), CALL, CALL, 10, 20, 30)) == (40, 40)
        assert raises(play(games.limit(), CALL, CALL, 10, 20, 30, 40)) == NO_RAISE

    def test_in_one_card_poker_the_fifth_bet_is_a_call(self):
        hand = play(games.one_card(), 2, 2, 3, 4)
        assert (hand.bet, raises(hand)) == (4, NO_RAISE)
        assert showdown(play(games.one_card(), 2, 2, 3, 4, 5), 3, 8) == [-5, 5]

    def test_in_one_card_poker_a_short_stack_lowers_the_cap_for_everyone(self):
        game = games.one_card().seated(3)
        hand = play(game, 2, 2, stacks=(12, 15, 3))
        assert (hand.limit, hand.bet, hand.actor, raises(hand)) == (2, 2, 2, NO_RAISE)
        assert showdown(play(game, 2, 2, CALL, CALL, stacks=(12, 15, 3)), 1, 5, 9) == [-3, -3, 6]

    def test_in_one_card_poker_a_stack_of_one_ante_plays_without_betting(self):
        hand = play(games.one_card(), stacks=(19, 1))
        assert hand.over
        assert showdown(hand, 2, 6) == [-1, 1]


class TestPotLimit:
    GAME = holdem("test", "pot-limit", 3, (5, 10), 1000)

    def test_the_largest_opening_raise_is_the_pot_after_calling(self):
        """15 in the middle, 10 to call: raise by 25 to 35."""
        assert raises(play(self.GAME)) == (20, 35)

    def test_the_largest_reraise_counts_the_raise_before(self):
        """Blinds 15 and 35 in the middle, 30 more for the small blind to call: raise by 80 to 115."""
        assert raises(play(self.GAME, 35)) == (60, 115)

    def test_after_the_flop_the_first_bet_is_at_most_the_pot(self):
        assert raises(play(self.GAME, CALL, CALL, CALL)) == (10, 30)


class TestPots:
    def test_an_uncalled_bet_comes_back(self):
        hand = play(no_limit(1000, 50, 1000), ALL_IN, FOLD, CALL)
        assert hand.over
        assert showdown(hand, 0, 1, 2) == [-5, -50, 55]
        hand = play(no_limit(1000, 50, 1000), ALL_IN, FOLD, CALL)
        assert showdown(hand, 0, 2, 1) == [-5, 55, -50]

    def test_a_short_stack_wins_only_what_it_matched(self):
        hand = play(no_limit(100, 30, 60), ALL_IN, ALL_IN, CALL)
        assert showdown(hand, 1, 3, 2) == [-60, 60, 0]

    def test_the_odd_chip_of_a_three_way_side_pot_goes_to_the_first_winner_after_the_button(self):
        """25 from each of four make a main pot of 100; 7 more from three are 21, which two winners split."""
        hand = play(no_limit(32, 32, 25, 32), ALL_IN, ALL_IN, CALL, CALL)
        assert showdown(hand, 5, 1, 9, 5) == [-32 + 11, -32, 75, -32 + 10]

    def test_winners_of_the_main_and_the_side_pot_divide_both_as_one(self):
        """Of 5 + 5 + 5 and 10 + 10 nothing odd is left twice: 35 chips are 18 and 17."""
        hand = play(no_limit(15, 5, 15), ALL_IN, CALL)
        assert showdown(hand, 7, 1, 7) == [18 - 15, -5, 17 - 15]

    def test_folded_chips_stay_in_the_pot(self):
        hand = play(no_limit(100, 100, 100), 30, CALL, CALL, CALL, 50, FOLD, CALL, CALL, CALL, CALL, CALL)
        assert showdown(hand, 9, 1, 2) == [110, -80, -30]


def random_game(rng: random.Random) -> Game:
    """A game of any shape."""
    seats = rng.randint(2, 10)
    streets = rng.randint(1, 4)
    big = rng.randint(2, 20)
    kind = rng.choice(("blinds", "antes", "both"))
    structure = rng.choice(STRUCTURES)
    return Game(
        name="random",
        structure=structure,
        stacks=tuple(rng.randint(1, rng.choice((10, 100, 1000))) for _ in range(seats)),
        antes=(0 if kind == "blinds" else rng.randint(1, big),) * seats,
        blinds=(0,) * seats if kind == "antes" else blind_positions(rng.randint(0, big), big, seats),
        bets=tuple(rng.randint(2, 2 * big) for _ in range(streets)),
        first=tuple(rng.choice((AFTER_BLINDS, 0, rng.randrange(seats))) for _ in range(streets)),
        max_raises=rng.choice(((), tuple(rng.randint(0, 4) for _ in range(streets)))),
        street_limit=rng.choice((0, 0, 3 * big)),
        shared_limit=rng.random() < 0.2,
        short_raises=rng.choice(("full", "any")),
        hole_cards=1,
        board_cards=(0, 1, 0, 0)[:streets],
    )


def random_hand(rng: random.Random) -> tuple[Game, list[int], np.record]:
    """A hand played to its end, checked at every turn."""
    game = random_game(rng)
    rules, array = game.compiled(), new_hand()
    begin(rules, np.array(game.stacks), array)
    hand = array[0]
    told = []
    while not hand.over:
        actor = hand.actor
        assert (hand.live >> actor) & 1
        assert hand.stack[actor] > 0
        assert 0 <= hand.to_call <= hand.stack[actor]
        assert (hand.max_to == 0) == (hand.min_to == 0)
        assert hand.max_to == 0 or hand.bet < hand.min_to <= hand.max_to <= hand.wager[actor] + hand.stack[actor]
        assert hand.pot == hand.spent[: game.seats].sum()
        told.append(int(step(rules, array, rng.choice((0, 1, 1, 2, rng.randint(2, 200), ALL_IN)))))
        assert len(told) < 5000
    settle(array, np.array([rng.randint(0, 3) for _ in range(game.seats)], np.int32))
    return game, told, hand


def digest_of_play() -> str:
    """What many random hands came to."""
    digest = hashlib.sha256()
    rng = random.Random("compiled equals uncompiled")
    for _ in range(300):
        _, told, hand = random_hand(rng)
        digest.update(repr((told, hand.tolist())).encode())
    return digest.hexdigest()


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32))
def test_chips_are_neither_made_nor_lost(seed):
    game, _, hand = random_hand(random.Random(seed))
    assert hand.payoff[: game.seats].sum() == 0
    assert all(-stack <= won for stack, won in zip(game.stacks, hand.payoff, strict=False))
    assert (hand.stack + hand.spent)[: game.seats].tolist() == list(game.stacks)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32))
def test_nobody_wins_more_from_anyone_than_they_put_in_themselves(seed):
    game, _, hand = random_hand(random.Random(seed))
    spent = hand.spent[: game.seats]
    for won, own in zip(hand.payoff, spent, strict=False):
        assert won <= np.minimum(spent, own).sum() - own


@pytest.mark.slow
def test_compiled_and_uncompiled_kernels_play_alike():
    ran = subprocess.run(
        [sys.executable, __file__],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.strip() == digest_of_play()


if __name__ == "__main__":
    print(digest_of_play())
