"""Nobody who can think folds more than the price allows, and whoever does is found."""

import pytest

import nemesis
from nemesis.measure.defence import Defence, defences, folds_to_bets
from nemesis.observe.tape_of_hands import tape_of
from nemesis.play.recording import record_match
from nemesis.rules import games

GAME = games.no_limit()


def folded_too_much(name: str, matches: int) -> list[Defence]:
    return [d for d in defences(GAME, nemesis.agent(name, GAME), matches, seed=7) if d.folds_too_much]


@pytest.mark.parametrize("name", ["nl-tp", "nl-ta", "hp", "nl-la", "nl-lp"])
def test_no_bet_of_anything_pays_against_a_player_who_respects_the_price(name: str) -> None:
    """200 000 hands against somebody who bets any hand: by street, size and depth, folds stay below break-even."""
    found = defences(GAME, nemesis.agent(name, GAME), 100, seed=7)
    assert {d.street for d in found} == {"preflop", "flop", "turn", "river"}
    assert len({d.depth for d in found}) >= 3
    assert len(found) >= 40
    assert [d for d in found if d.folds_too_much] == []


def test_players_who_fold_too_much_are_found() -> None:
    """The scared limper folds nearly everything; the candid statistician whatever it did not bet itself."""
    assert len(folded_too_much("sl", 10)) >= 4
    assert {"flop", "turn", "river"} <= {d.street for d in folded_too_much("cs", 20)}


def test_answers_are_counted_bet_by_bet() -> None:
    """Somebody who always raises, against somebody who folds to every raise: one bet a hand, and all are folded to."""
    hands = record_match(GAME, [nemesis.agent("raise", GAME), nemesis.agent("sl", GAME)], 400, seed=1)
    found = folds_to_bets(tape_of(hands), 0, GAME.big_blind)
    preflop = [d for d in found if d.street == "preflop"]
    assert sum(d.bets for d in preflop) == 400
    assert all(d.folded == 1.0 for d in preflop)
    assert all(0.0 < d.break_even < 1.0 for d in preflop)
