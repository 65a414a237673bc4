"""The betting engine against PokerKit, chip for chip and legal set for legal set.

PokerKit is the oracle for two to nine seats, unequal and tiny stacks, antes, side pots, odd chips, limit,
pot-limit and no-limit. After every action we compare who acts, what a call costs, whether folding is offered,
the smallest and the largest raise and the pot; at the end what everyone won.
"""

import random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pokerkit import (
    Automation,
    BettingStructure,
    Card,
    Deck,
    Mode,
    Opening,
    StandardHighHand,
    State,
    Street,
)

from nemesis.rules.betting import begin, new_hand, settle, step
from nemesis.rules.game import AFTER_BLINDS, Game

STRUCTURES = {
    "limit": BettingStructure.FIXED_LIMIT,
    "pot-limit": BettingStructure.POT_LIMIT,
    "no-limit": BettingStructure.NO_LIMIT,
}
EVERYTHING_BUT_CARDS_AND_BETTING = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
DECK = tuple(Deck.STANDARD)
HANDS_PER_TABLE = 120

# Boards on which many hands tie, so that pots split and leave odd chips.
SPLITTING_BOARDS = ("AsKdQhJcTs", "AsAdKhKcQs", "2s2d2h2cAs", "9s9d9h5c5s")


def pokerkit_state(game: Game) -> State:
    """The same game in PokerKit, whose heads-up blinds are written small blind first."""
    order = -1 if game.seats == 2 else 1
    caps = game.max_raises or (None,) * game.streets
    return State(
        automations=EVERYTHING_BUT_CARDS_AND_BETTING,
        deck=Deck.STANDARD,
        hand_types=(StandardHighHand,),
        streets=tuple(
            Street(
                card_burning_status=False,
                hole_dealing_statuses=() if street else (False, False),
                board_dealing_count=game.board_cards[street],
                draw_status=False,
                opening=Opening.POSITION,
                min_completion_betting_or_raising_amount=game.bets[street],
                max_completion_betting_or_raising_count=caps[street],
            )
            for street in range(game.streets)
        ),
        betting_structure=STRUCTURES[game.structure],
        ante_trimming_status=True,
        raw_antes=game.antes[::order],
        raw_blinds_or_straddles=game.blinds[::order],
        bring_in=0,
        raw_starting_stacks=game.stacks,
        player_count=game.seats,
        mode=Mode.TOURNAMENT,
    )


def deal(state: State, board: list[Card]) -> None:
    """Deal PokerKit every board card it waits for, in our order."""
    while state.can_deal_board():
        dealt = sum(len(cards) for cards in state.board_cards)
        state.deal_board(board[dealt : dealt + state.board_dealing_count])


def hand_ranks(holes: list[list[Card]], board: list[Card]) -> np.ndarray:
    """Equal hands get equal numbers, better hands higher ones."""
    hands = [StandardHighHand.from_game(hole, board) for hole in holes]
    return np.array([sum(other < hand for other in hands) for hand in hands], dtype=np.int32)


def play_both(game: Game, holes: list[list[Card]], board: list[Card], choose) -> int:
    """Play one hand in both engines, comparing after every action. Returns the number of actions."""
    rules, hand = game.compiled(), new_hand()
    begin(rules, np.array(game.stacks), hand)
    ours = hand[0]
    state = pokerkit_state(game)
    for hole in holes:
        state.deal_hole(hole)
    deal(state, board)
    told = [f"{game}"]
    while state.actor_index is not None:
        offers = (ours.actor, ours.to_call, ours.to_call > 0, ours.min_to, ours.max_to)
        theirs = (
            state.actor_index,
            state.checking_or_calling_amount,
            state.can_fold(),
            state.min_completion_betting_or_raising_to_amount or 0,
            state.max_completion_betting_or_raising_to_amount or 0,
        )
        assert not ours.over, told
        assert offers == theirs, told
        assert ours.pot == state.total_pot_amount, told
        action = choose(ours)
        told.append(f"{ours.actor}: {action}")
        if action == 0 and ours.to_call > 0:
            state.fold()
        elif action >= 2 and ours.max_to > 0:
            state.complete_bet_or_raise_to(int(min(max(action, ours.min_to), ours.max_to)))
        else:
            state.check_or_call()
        step(rules, hand, action)
        deal(state, board)
    assert ours.over, told
    assert not state.status, told
    settle(hand, hand_ranks(holes, board))
    assert ours.payoff[: game.seats].tolist() == state.payoffs, told
    return len(told) - 1


def random_cards(rng: random.Random, seats: int) -> tuple[list[list[Card]], list[Card]]:
    """Hole cards and a board: anything, or a board on which hands tie."""
    board = list(Card.parse(rng.choice(SPLITTING_BOARDS))) if rng.random() < 0.6 else rng.sample(DECK, 5)
    rest = [card for card in DECK if card not in board]
    cards = rng.sample(rest, 2 * seats)
    return [cards[2 * p : 2 * p + 2] for p in range(seats)], board


def random_game(rng: random.Random, structure: str, seats: int) -> Game:
    """Any stakes and stacks, short ones often: shorter than the blinds or even than the ante."""
    big = rng.choice((2, 3, 10, 25))
    small = rng.choice((0, big // 2, big))
    blinds = [small, big] + [0] * (seats - 2)
    if seats == 2:
        blinds.reverse()
    elif rng.random() < 0.15:
        blinds[2] = 2 * big
    ante = rng.choice((0, 0, 1, 3, big))
    if ante and rng.random() < 0.2:
        blinds = [0] * seats
    depth = rng.choice((2 * big, 6 * big, 20 * big, 100 * big))
    bets = rng.choice(((big,) * 4, (big, big, 2 * big, 2 * big), (big + 1, big, big + 3, 2 * big)))
    return Game(
        name="random",
        structure=structure,
        stacks=tuple(rng.randint(1, depth) if rng.random() < 0.8 else depth for _ in range(seats)),
        antes=(ante,) * seats,
        blinds=tuple(blinds),
        bets=bets,
        first=(AFTER_BLINDS, 0, 0, 0),
        max_raises=rng.choice(((), (3, 4, 4, 4), (1, 1, 2, 2))),
    )


def random_choice(rng: random.Random):
    """A player that folds seldom and raises by every kind of amount."""
    folds, raises = rng.choice(((0.1, 0.4), (0.02, 0.2), (0.2, 0.7)))

    def choose(hand) -> int:
        u = rng.random()
        if u < folds:
            return 0
        if u > 1 - raises and hand.max_to > 0:
            least, most = int(hand.min_to), int(hand.max_to)
            return max(2, rng.choice((least, min(most, least + 1), rng.randint(least, most), most)))
        return 1

    return choose


@pytest.mark.slow
@pytest.mark.parametrize("structure", STRUCTURES)
@pytest.mark.parametrize("seats", range(2, 10))
def test_random_hands_play_as_in_pokerkit(structure, seats):
    rng = random.Random(f"{structure} {seats}")
    for _ in range(HANDS_PER_TABLE):
        game = random_game(rng, structure, seats)
        holes, board = random_cards(rng, seats)
        play_both(game, holes, board, random_choice(rng))


@st.composite
def short_stacked_games(draw) -> Game:
    """Stacks of a few chips around the blinds: short posts, short raises, side pots everywhere."""
    seats = draw(st.integers(2, 6))
    big = draw(st.integers(2, 6))
    small = draw(st.integers(0, big))
    ante = draw(st.integers(0, 3))
    return Game(
        name="short",
        structure=draw(st.sampled_from(list(STRUCTURES))),
        stacks=tuple(draw(st.lists(st.integers(1, 8 * big), min_size=seats, max_size=seats))),
        antes=(ante,) * seats,
        blinds=(big, small) if seats == 2 else (small, big) + (0,) * (seats - 2),
        bets=(big,) * 4,
        first=(AFTER_BLINDS, 0, 0, 0),
        max_raises=draw(st.sampled_from([(), (2, 2, 2, 2)])),
    )


@pytest.mark.slow
@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(
    game=short_stacked_games(),
    shuffle=st.integers(0, 2**16),
    script=st.lists(st.integers(0, 60), max_size=40),
)
def test_short_stacks_play_as_in_pokerkit(game, shuffle, script):
    """Scripted raise-to amounts, clamped by the engine; check or call once the script has run out."""
    holes, board = random_cards(random.Random(shuffle), game.seats)
    actions = iter(script)
    play_both(game, holes, board, lambda hand: next(actions, 1))
