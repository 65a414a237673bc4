"""ACPC game definitions: the competition's own, and what is wrong with the others."""

import dataclasses
import random

import numpy as np
import pytest

from nemesis.rules import games
from nemesis.rules.acpc import read_game, write_game
from nemesis.rules.betting import begin, new_hand, step
from nemesis.rules.game import Game, GameError, holdem

LIMIT_2P = """\
GAMEDEF
limit
numPlayers = 2
numRounds = 4
blind = 10 5
raiseSize = 10 10 20 20
firstPlayer = 2 1 1 1
maxRaises = 3 4 4 4
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""
NO_LIMIT_2P = """\
GAMEDEF
nolimit
numPlayers = 2
numRounds = 4
stack = 20000 20000
blind = 100 50
firstPlayer = 2 1 1 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""
LIMIT_3P = """\
GAMEDEF
limit
numPlayers = 3
numRounds = 4
blind = 5 10 0
raiseSize = 10 10 20 20
firstPlayer = 3 1 1 1
maxRaises = 3 4 4 4
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""
KUHN = """\
GAMEDEF
limit
numPlayers = 2
numRounds = 1
blind = 1 1
raiseSize = 1
firstPlayer = 1
maxRaises = 1
numSuits = 1
numRanks = 3
numHoleCards = 1
numBoardCards = 0
END GAMEDEF
"""
LEDUC = """\
GAMEDEF
limit
numPlayers = 2
numRounds = 2
blind = 1 1
raiseSize = 2 4
firstPlayer = 1 1
maxRaises = 2 2
numSuits = 2
numRanks = 3
numHoleCards = 1
numBoardCards = 0 1
END GAMEDEF
"""


def history(game: Game, rng: random.Random) -> list[tuple[int, ...]]:
    """Every offer and every action of a random hand."""
    rules, hand = game.compiled(), new_hand()
    begin(rules, np.array(game.stacks), hand)
    told = []
    while not hand[0].over:
        offer = tuple(int(hand[0][field]) for field in ("street", "actor", "pot", "to_call", "min_to", "max_to"))
        told.append((*offer, step(rules, hand, rng.choice((0, 1, 1, 2, 2, rng.randint(2, 1000))))))
    return told


def play_alike(one: Game, other: Game) -> bool:
    return all(history(one, random.Random(seed)) == history(other, random.Random(seed)) for seed in range(300))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (LIMIT_2P, games.acpc_limit()),
        (NO_LIMIT_2P, games.no_limit()),
        (KUHN, games.kuhn()),
        (LEDUC, games.leduc()),
    ],
)
def test_the_competitions_games_are_ours(text, named):
    game = read_game(text, named.name)
    ours = {"short_raises": "any", "first": game.first, "about": "", "match_hands": game.match_hands}
    assert game == dataclasses.replace(named, **ours)
    assert play_alike(game, named)
    assert write_game(named) == text
    assert write_game(game) == text


def test_three_players_start_after_the_big_blind():
    game = read_game(LIMIT_3P, "limit-3")
    assert (game.blinds, game.first) == ((5, 10, 0), (2, 0, 0, 0))
    assert play_alike(game, games.acpc_limit().seated(3))
    assert write_game(game) == LIMIT_3P


@pytest.mark.parametrize(
    "game",
    [
        games.limit(),
        games.ring(),
        games.no_limit_6(),
        games.no_limit().seated(9, stack=150),
        read_game(NO_LIMIT_2P.replace("20000 20000", "150 900"), "unequal"),
        read_game(LIMIT_2P.replace("GAMEDEF\n", "GAMEDEF\nstack = 45 200\n", 1), "short"),
    ],
    ids=lambda game: game.name,
)
def test_what_is_written_reads_back_as_a_game_that_plays_the_same(game):
    assert play_alike(game, read_game(write_game(game), game.name))


def test_forty_chips_a_street_are_written_as_raises():
    assert "maxRaises = 3 4 4 4\n" in write_game(games.limit())


def test_case_comments_blank_lines_and_spaces_do_not_matter():
    untidy = LIMIT_2P.replace("numPlayers = 2", "# two of them\n\n  NUMPLAYERS=2  # heads-up").replace(
        "limit\n", "LIMIT\n"
    )
    assert read_game(untidy, "x") == read_game(LIMIT_2P, "x")


def test_what_follows_the_end_is_not_read():
    assert read_game(LIMIT_2P + "and so to bed\n", "x") == read_game(LIMIT_2P, "x")


def test_left_out_lines_mean_what_they_mean_to_the_server():
    kuhn = "\n".join(line for line in KUHN.splitlines() if "firstPlayer" not in line and line != "limit")
    assert read_game(kuhn, "kuhn") == read_game(KUHN, "kuhn")
    uncapped = read_game(LIMIT_2P.replace("maxRaises = 3 4 4 4", "stack = 95 95"), "x")
    assert uncapped.max_raises == ()


@pytest.mark.parametrize(
    "line", [line for line in LIMIT_2P.splitlines() if " = " in line and "firstPlayer" not in line]
)
def test_a_missing_line_is_named(line):
    with pytest.raises(GameError, match=line.split()[0]):
        read_game(LIMIT_2P.replace(line, ""), "x")


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (LIMIT_2P, "", "x is not an ACPC game definition: it has no line GAMEDEF"),
        (LIMIT_2P, "the quick brown fox", "x is not an ACPC game definition: it has no line GAMEDEF"),
        ("END GAMEDEF", "", "it has no line END GAMEDEF"),
        ("limit", "potlimit", "x, line 2: 'potlimit' is not part of an ACPC game definition"),
        (
            "blind = 10 5",
            "blind = ten five",
            "x, line 5: 'blind = ten five' should read blind = followed by whole numbers",
        ),
        ("blind = 10 5", "blind = 10 -5", "x, line 5: 'blind = 10 -5' should read"),
        ("blind = 10 5", "blind =", "x, line 5: 'blind =' should read"),
        ("blind = 10 5", "blind = 10", "x gives 1 blind; it needs 2"),
        ("blind = 10 5", "blind = 0 0", "nothing to play for"),
        ("blind = 10 5", "blind = 10 5\nstack = 8 100", "takes a blind of 10 from player 1, who has 8 chips"),
        ("blind = 10 5", "blind = 10 99999999999", "has more than the 2147483647 ACPC can count"),
        ("numPlayers = 2", "numPlayers = 23", "x has numPlayers = 23; 2 to 10 can play"),
        ("numPlayers = 2", "numPlayers = 1", "x has numPlayers = 1; 2 to 10 can play"),
        ("numRounds = 4", "numRounds = 5", "x has numRounds = 5; a game has 1 to 4"),
        ("numRounds = 4", "numRounds = 0", "x has numRounds = 0; a game has 1 to 4"),
        ("raiseSize = 10 10 20 20", "raiseSize = 10 10", "x gives 2 raiseSize; it needs 4"),
        ("firstPlayer = 2 1 1 1", "firstPlayer = 3 1 1 1", "firstPlayer = 3 1 1 1; players are 1 to 2"),
        ("firstPlayer = 2 1 1 1", "firstPlayer = 0 1 1 1", "firstPlayer = 0 1 1 1; players are 1 to 2"),
        ("maxRaises = 3 4 4 4", "", "neither stack nor maxRaises; without either the betting has no end"),
        ("limit", "nolimit", "is nolimit and gives no stack; without one a bet has no end"),
        ("numHoleCards = 2", "numHoleCards = 3", "known are hold'em and games of one hole card"),
        ("numRanks = 13", "numRanks = 2", "needs 9 cards for 2 seats; its deck has 8"),
    ],
)
def test_a_bad_definition_is_refused_in_a_sentence(old, new, sentence):
    with pytest.raises(GameError, match=sentence):
        read_game(LIMIT_2P.replace(old, new, 1), "x")


UNEVEN = dataclasses.replace(games.no_limit(), stacks=(500, 900))


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        (games.pot_limit(), "pot-limit is pot-limit; ACPC knows limit and nolimit"),
        (holdem("x", "no-limit", 3, (5, 10), 500, ante=1), "has antes and blinds; ACPC has only blinds"),
        (dataclasses.replace(games.kuhn(), antes=(1, 2)), "only if everyone pays the same"),
        (games.one_card(), "carries stacks from hand to hand"),
        (
            holdem("x", "limit", 2, (5, 10), 500, street_limit=45),
            "45 chips, which is no number of bets of 10 on street 1",
        ),
        (
            holdem("x", "limit", 2, (5, 10), 90, street_limit=40),
            "short enough for a raise of less than a bet",
        ),
        (holdem("x", "no-limit", 2, (5, 10), 90, street_limit=40), "ACPC can only count raises"),
        (
            holdem("x", "no-limit", 2, (5, 10), 90, bets=(20,) * 4),
            "in ACPC nolimit they are the largest blind, 10",
        ),
        (holdem("x", "no-limit", 2, (5, 10), 90, max_raises=(300,) * 4), "ACPC counts at most 255"),
        (holdem("x", "no-limit", 2, (5, 10), 8), "ACPC wants every blind paid in full"),
        (
            holdem("x", "no-limit", 2, (10, 10), 80),
            "a blind of 10 for everyone; from ACPC that reads as an ante",
        ),
        (UNEVEN, "lets only a full raise reopen the betting; in ACPC any does"),
    ],
)
def test_what_acpc_cannot_express_is_refused_in_a_sentence(game, sentence):
    with pytest.raises(GameError, match=sentence):
        write_game(game)
