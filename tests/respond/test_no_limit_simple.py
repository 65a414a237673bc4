"""The four highly exploitable opponents of the ASHE paper keep to their one line."""

import pytest
from spots import kind, spot

import nemesis
from nemesis.observe.hand import decisions
from nemesis.play.recording import record_match
from nemesis.rules import games
from nemesis.rules.betting import FOLD

GAME = games.no_limit()
FLOP, RIVER = "Ks8d3c", "Ks8d3c7h2d"


@pytest.mark.parametrize(("chance", "to"), [(0.49, 300 + 350), (0.51, 300 + 700)])
def test_hm_raises_by_half_or_one_pot(chance: float, to: int) -> None:
    """A bet of 300 into 100: the pot with the call in it is 700."""
    view = spot("7c2d", FLOP, pot=400, to_call=300, spent=50, chance=chance)
    assert nemesis.agent("hm", GAME).act(view) == to


def test_hm_and_cm_never_fold_and_cm_never_raises() -> None:
    hands = record_match(GAME, [nemesis.agent("hm", GAME), nemesis.agent("cm", GAME)], 300, seed=3)
    for hand in hands:
        for decision in decisions(hand):
            assert decision.action != FOLD
            if hand.players[decision.actor] == "cm":
                assert decision.action == 1
            else:
                assert decision.action > 1 or decision.max_to == 0


@pytest.mark.parametrize(
    ("hole", "board", "answer"),
    [
        ("KdKc", RIVER, "call"),  # the best set there is
        ("8s8h", RIVER, "call"),  # three kings would be better: one holding in three hundred
        ("AsAd", RIVER, "fold"),  # an overpair is not the nut
        ("6s5s", RIVER, "fold"),
        ("KdKc", FLOP, "fold"),  # no hand is safe while cards are to come
        ("AsAd", "", "fold"),
    ],
)
def test_sl_calls_only_with_the_nut(hole: str, board: str, answer: str) -> None:
    sl = nemesis.agent("sl", GAME)
    for to_call in (100, 20_000 - 100):
        assert kind(sl.act(spot(hole, board, pot=200 + to_call, to_call=to_call, spent=100))) == answer


def test_sl_limps_checks_and_never_raises() -> None:
    sl = nemesis.agent("sl", GAME)
    assert kind(sl.act(spot("7c2d", pot=150, to_call=50, spent=50, wager=50, raises=0))) == "call"
    assert kind(sl.act(spot("7c2d", pot=400, to_call=200, spent=100, wager=100, raises=1))) == "fold"
    hands = record_match(GAME, [sl, nemesis.agent("hm", GAME)], 500, seed=1)
    mine = [d for hand in hands for d in decisions(hand) if hand.players[d.actor] == "sl"]
    assert max(d.action for d in mine) == 1
    called = [d for d in mine if d.to_call > 50 and d.action == 1]
    assert called == []


def test_the_size_of_a_bet_by_cs_tells_its_hand() -> None:
    """1/4 pot at a strength of .6, one pot at 1; weaker hands never bet, so there is no bluff."""
    cs = nemesis.agent("cs", GAME)
    sizes = {}
    for hole in ("KdKc", "KdQc", "8c7c", "QcJc"):
        view = spot(hole, FLOP, pot=1000)
        action = cs.act(view)
        sizes[hole] = action
        expected = 1000 * (0.25 + 0.75 * (view.strength - 0.6) / 0.4)
        assert action == (int(expected) if view.strength >= 0.6 else int(view.strength >= 0.5))
    assert sizes["KdKc"] > sizes["KdQc"] > sizes["8c7c"] > 200
    assert sizes["QcJc"] < 2


def test_cs_calls_marginal_hands_at_any_price_and_folds_weak_ones() -> None:
    cs = nemesis.agent("cs", GAME)
    for to_call in (100, 19_000):
        assert kind(cs.act(spot("3h4h", FLOP, pot=1000, to_call=to_call, spent=500))) == "call"
        assert kind(cs.act(spot("6c4h", FLOP, pot=1000, to_call=to_call, spent=500))) == "fold"
    raised = spot("KdQc", FLOP, pot=3000, to_call=1000, wager=500, spent=1000, raises=3)
    assert kind(cs.act(raised)) == ("raise" if raised.strength >= 0.95 else "call")
