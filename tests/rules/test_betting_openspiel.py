"""The betting engine against OpenSpiel, whose universal_poker runs the ACPC server's own code.

Games are written and read as ACPC definitions, so they follow the server's rule for short all-in raises.
OpenSpiel's raises are chips in over the whole hand, ours over the street. It splits odd chips in fractions
and gives a forced check to a player with nobody left to bet against; we compare around both.

Kuhn and Leduc are compared over their whole trees, with their published sizes and value.
"""

import itertools
import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pyspiel
import pytest

from nemesis.rules import games
from nemesis.rules.acpc import read_game, stack_without_end, write_game
from nemesis.rules.betting import CALL, FOLD, RAISE, begin, new_hand, settle, step
from nemesis.rules.game import AFTER_BLINDS, Game, blind_positions

GAMES_PER_TABLE = 500
RANKS, SUITS = 6, 4


def openspiel_game(game: Game) -> pyspiel.Game:
    """The game in OpenSpiel, by way of its ACPC definition."""
    lines = [line.split(" = ") for line in write_game(game).splitlines()]
    options = {line[0]: line[1] for line in lines if len(line) == 2}
    whole = ("numPlayers", "numRounds", "numSuits", "numRanks", "numHoleCards")
    options.update({key: int(options[key]) for key in whole})
    limit = game.structure == "limit"
    options["betting"] = "limit" if limit else "nolimit"
    options["bettingAbstraction"] = "fcpa" if limit else "fullgame"
    options.setdefault("stack", " ".join(str(stack) for stack in game.stacks))
    return pyspiel.load_game("universal_poker", options)


def one_card_ranks(holes: list[int], board: int | None, suits: int) -> np.ndarray:
    """A pair with the board beats a high card. OpenSpiel's cards are `rank * suits + suit`."""
    paired = [board is not None and hole // suits == board // suits for hole in holes]
    return np.array([100 * pair + hole // suits for pair, hole in zip(paired, holes, strict=True)], np.int32)


def our_actions(hand, before: list[int], limit: bool) -> list[int]:
    """Our offers in OpenSpiel's numbers: `before` is what each player put in on earlier streets."""
    offers = [0] if hand.to_call > 0 else []
    offers.append(1)
    if hand.max_to > 0:
        spent = before[hand.actor]
        offers += [2] if limit else range(spent + hand.min_to, spent + hand.max_to + 1)
    return offers


def play_both(game: Game, theirs: pyspiel.Game, rng: random.Random, raises: float) -> int:
    """Play one hand in both engines, comparing after every action. Returns the number of our actions."""
    limit = game.structure == "limit"
    rules, hand = game.compiled(), new_hand()
    begin(rules, np.array(game.stacks), hand)
    ours = hand[0]
    state = theirs.new_initial_state()
    cards: list[int] = []
    told: list[object] = [game]
    actions = 0
    while not state.is_terminal():
        if state.is_chance_node():
            cards.append(rng.choice(state.legal_actions()))
            state.apply_action(cards[-1])
            continue
        if ours.over:
            assert state.legal_actions() == [1], told
            state.apply_action(1)
            continue
        assert state.current_player() == ours.actor, told
        before = [int(ours.spent[p] - ours.wager[p]) for p in range(game.seats)]
        legal = state.legal_actions()
        assert legal == our_actions(ours, before, limit), told
        sizes = [action for action in legal if action >= 2]
        if sizes and rng.random() < raises:
            action = rng.choice((sizes[0], sizes[-1], rng.choice(sizes)))
        elif rng.random() < 0.12:
            action = legal[0]
        else:
            action = 1
        told.append((ours.actor, action))
        state.apply_action(action)
        if limit or action < 2:
            step(rules, hand, action)
        else:
            step(rules, hand, max(2, action - before[ours.actor]))
        actions += 1
    assert ours.over, told
    board = cards[game.seats] if len(cards) > game.seats else None
    settle(hand, one_card_ranks(cards[: game.seats], board, game.suits))
    exact = np.array(state.returns())
    received = ours.payoff[: game.seats]
    if np.array_equal(exact, np.round(exact)):
        assert np.array_equal(received, exact), told
    else:
        assert received.sum() == 0, told
        assert np.abs(received - exact).max() < game.seats, told
    return actions


def random_game(rng: random.Random, structure: str, seats: int) -> Game:
    """Any stakes that ACPC can express; unequal stacks as short as the blinds, except in limit games."""
    streets = rng.randint(1, 4)
    big = rng.randint(2, 6)
    small = rng.randrange(big)
    antes = rng.random() < 0.2
    posts = (big,) * seats if antes else blind_positions(small, big, seats)
    if not antes and rng.random() < 0.2:
        posts = tuple(rng.sample((big, small, *[rng.randint(0, big) for _ in range(seats - 2)]), seats))
    limit = structure == "limit"
    bets = tuple(rng.randint(1, 8) for _ in range(streets)) if limit else (big,) * streets
    max_raises = tuple(rng.randint(0, 4) for _ in range(streets)) if limit or rng.random() < 0.3 else ()
    most = stack_without_end(posts, bets, max_raises) if limit else 0
    stacks = tuple(most or post + rng.randint(1, rng.choice((4, 12, 60))) for post in posts)
    if not limit and rng.random() < 0.3:
        stacks = (posts[0] or 1, *stacks[1:])
    return Game(
        name="random",
        structure=structure,
        stacks=stacks,
        antes=posts if antes else (0,) * seats,
        blinds=(0,) * seats if antes else posts,
        bets=bets,
        first=tuple(rng.choice((AFTER_BLINDS, 0, rng.randrange(seats))) for _ in range(streets)),
        max_raises=max_raises,
        short_raises="any",
        ranks=RANKS,
        suits=SUITS,
        hole_cards=1,
        board_cards=(0, 1, 0, 0)[:streets],
    )


# OpenSpiel drops the stacks of limit games, which the server then accepts for at most four players.
LIMIT_TABLES = [("limit", seats) for seats in range(2, 5)]
NO_LIMIT_TABLES = [("no-limit", seats) for seats in range(2, 11)]


@pytest.mark.slow
@pytest.mark.parametrize(("structure", "seats"), LIMIT_TABLES + NO_LIMIT_TABLES)
def test_random_hands_play_as_in_openspiel(structure, seats):
    rng = random.Random(f"{structure} {seats}")
    for _ in range(GAMES_PER_TABLE):
        written = random_game(rng, structure, seats)
        game = read_game(write_game(written), "random")
        theirs = openspiel_game(written)
        for raises in (0.2, 0.5):
            play_both(game, theirs, rng, raises)


def offers(hand) -> list[int]:
    """The actions of a limit game: perhaps a fold, always a check or call, perhaps a raise."""
    actions = [FOLD] if hand.to_call > 0 else []
    actions.append(CALL)
    if hand.max_to > 0:
        actions.append(max(RAISE, int(hand.max_to)))
    return actions


def walk_both(game: Game) -> Counter[str]:
    """Walk our tree and OpenSpiel's own Kuhn or Leduc together; count the nodes of each kind."""
    counts: Counter[str] = Counter()
    rules = game.compiled()

    def visit(state, hand, holes: tuple[int, ...], board: tuple[int, ...]) -> None:
        ours = hand[0]
        dealt_out = len(holes) == game.seats
        waits_for_board = dealt_out and len(board) < sum(game.board_cards[: ours.street + 1])
        betting_over = ours.over and not (ours.live & (ours.live - 1) and waits_for_board)
        if not dealt_out or (waits_for_board and not betting_over):
            counts["chance"] += 1
            assert state.is_chance_node()
            deck = [card for card in range(game.ranks * game.suits) if card not in holes + board]
            assert state.legal_actions() == deck
            for card in deck:
                dealt = ((*holes, card), board) if not dealt_out else (holes, (*board, card))
                visit(state.child(card), hand.copy(), *dealt)
        elif betting_over:
            counts["terminal"] += 1
            assert state.is_terminal()
            settle(hand, one_card_ranks(list(holes), board[0] if board else None, game.suits))
            assert ours.payoff[: game.seats].tolist() == state.returns()
        else:
            counts["decision"] += 1
            assert state.current_player() == ours.actor
            for theirs, action in zip(state.legal_actions(), offers(ours), strict=True):
                after = hand.copy()
                assert step(rules, after, action) == action
                visit(state.child(theirs), after, holes, board)

    hand = new_hand()
    begin(rules, np.array(game.stacks), hand)
    visit(pyspiel.load_game(f"{game.name}_poker").new_initial_state(), hand, (), ())
    return counts


def test_kuhn_tree_is_openspiels():
    """Six deals of nine histories each: 24 decisions and 30 ends, 55 nodes with the deal as one of them."""
    assert walk_both(games.kuhn()) == {"chance": 1 + 3, "decision": 24, "terminal": 30}


def test_leduc_tree_is_openspiels():
    """9457 nodes, of which 3780 decisions and 5520 ends, in both programs."""
    counts = walk_both(games.leduc())
    assert counts == {"chance": 157, "decision": 3780, "terminal": 5520}
    assert counts.total() == 9457


def first_player(bluff: Fraction) -> dict[tuple[int, str], Fraction]:
    """Kuhn's equilibria (Kuhn 1950): one for each chance, up to a third, that the first player bets the jack.

    The chance to put a chip in, by card (0 jack, 1 queen, 2 king) and by what was done (p a check, b a bet).
    """
    return {
        (0, ""): bluff,
        (1, ""): Fraction(0),
        (2, ""): 3 * bluff,
        (0, "pb"): Fraction(0),
        (1, "pb"): bluff + Fraction(1, 3),
        (2, "pb"): Fraction(1),
    }


SECOND_PLAYER = {
    (0, "p"): Fraction(1, 3),
    (1, "p"): Fraction(0),
    (2, "p"): Fraction(1),
    (0, "b"): Fraction(0),
    (1, "b"): Fraction(1, 3),
    (2, "b"): Fraction(1),
}
PURE = [dict(zip(SECOND_PLAYER, chips, strict=True)) for chips in itertools.product((0, 1), repeat=6)]
PURE_FIRST = [dict(zip(first_player(Fraction(0)), chips, strict=True)) for chips in itertools.product((0, 1), repeat=6)]


def kuhn_value(first, second) -> Fraction:
    """What the first player wins on average, over every deal and every way our engine can go."""
    game = games.kuhn()
    rules = game.compiled()

    def value(hand, cards: tuple[int, int], history: str) -> Fraction:
        ours = hand[0]
        if ours.over:
            settle(hand, np.array(cards, np.int32))
            return Fraction(int(ours.payoff[0]))
        chance = (first, second)[ours.actor][cards[ours.actor], history]
        actions = offers(ours)
        total = Fraction(0)
        for action, letter, probability in ((actions[0], "p", 1 - chance), (actions[1], "b", chance)):
            if probability:
                after = hand.copy()
                step(rules, after, action)
                total += probability * value(after, cards, history + letter)
        return total

    hand = new_hand()
    begin(rules, np.array(game.stacks), hand)
    deals = list(itertools.permutations(range(3), 2))
    return sum((value(hand.copy(), cards, "") for cards in deals), Fraction(0)) / len(deals)


@pytest.mark.parametrize("bluff", [Fraction(0), Fraction(1, 7), Fraction(1, 3)])
def test_kuhns_first_player_loses_an_eighteenth(bluff):
    equilibrium = first_player(bluff)
    assert kuhn_value(equilibrium, SECOND_PLAYER) == Fraction(-1, 18)
    assert max(kuhn_value(pure, SECOND_PLAYER) for pure in PURE_FIRST) == Fraction(-1, 18)
    assert min(kuhn_value(equilibrium, pure) for pure in PURE) == Fraction(-1, 18)


def test_a_kuhn_player_who_bluffs_too_much_can_be_exploited():
    bluffer = first_player(Fraction(1, 3)) | {(0, ""): Fraction(1)}
    assert min(kuhn_value(bluffer, pure) for pure in PURE) < Fraction(-1, 18)
