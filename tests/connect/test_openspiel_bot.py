"""Agents of ours as bots of OpenSpiel: the actions are legal, and equilibrium earns what it must."""

import pyspiel
import pytest

from nemesis.connect.openspiel_bot import NemesisBot, openspiel_game
from nemesis.rules.game import GameError

NO_LIMIT = (
    "universal_poker(betting=nolimit,numPlayers=2,numRounds=4,blind=100 50,firstPlayer=2 1 1 1,numSuits=4,numRanks=13,"
    "numHoleCards=2,numBoardCards=0 3 1 1,stack=2000 2000,bettingAbstraction=fullgame)"
)
LIMIT = (
    "universal_poker(betting=limit,numPlayers=2,numRounds=4,blind=10 5,raiseSize=10 10 20 20,maxRaises=3 4 4 4,"
    "firstPlayer=2 1 1 1,numSuits=4,numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1,stack=240 240)"
)


@pytest.mark.parametrize(
    ("name", "players"),
    [
        ("kuhn_poker", ("random", "equilibrium")),
        ("leduc_poker", ("equilibrium", "random")),
        (LIMIT, ("la", "random")),
        (NO_LIMIT, ("random", "tp")),
    ],
)
def test_bots_play_whole_hands(name: str, players: tuple[str, str]) -> None:
    """OpenSpiel refuses an action that is not legal; the chips that the bots saw move are those it paid out."""
    game = pyspiel.load_game(name)
    bots = [NemesisBot(game, seat, who, seed=seat) for seat, who in enumerate(players)]
    for hand in range(40):
        state = game.new_initial_state()
        returns = pyspiel.evaluate_bots(state, bots, hand)
        for bot in bots:
            bot.end(state)
            assert list(bot._guest.payoffs) == pytest.approx(returns, abs=0.5)


def test_a_hand_that_is_left_is_forgotten() -> None:
    game = pyspiel.load_game("kuhn_poker")
    bot = NemesisBot(game, 0, "equilibrium")
    for card in (0, 2):
        state = game.new_initial_state()
        bot.restart_at(state)
        state.apply_action(card)
        state.apply_action(1)
        assert bot.step(state) in state.legal_actions()


def test_other_games_are_refused() -> None:
    with pytest.raises(GameError, match="is not a game of ours"):
        openspiel_game(pyspiel.load_game("tic_tac_toe"))
    with pytest.raises(GameError, match="fullgame is"):
        openspiel_game(pyspiel.load_game(NO_LIMIT.replace("fullgame", "fcpa")))
