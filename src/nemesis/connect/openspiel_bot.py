"""An agent of ours as a bot of OpenSpiel. Needs the extra `openspiel`.

It plays `kuhn_poker`, `leduc_poker` and `universal_poker` (limit, or no-limit with `bettingAbstraction=fullgame`), whose
games are ACPC definitions. OpenSpiel's states tell everything that was done, and the bot reads from them only its own cards,
the board and the actions. `restart_at` begins a hand. An agent that learns is told how a hand ended by `end`, with the final
state; without it the bot sits down anew for the next hand, since nobody told it what the last one brought.
"""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import pyspiel

from nemesis.connect.guest import Guest
from nemesis.play.by_name import player as named_player
from nemesis.play.guard import guarded
from nemesis.play.match import Player
from nemesis.rules import games
from nemesis.rules.acpc import read_game
from nemesis.rules.betting import CALL, FOLD, RAISE
from nemesis.rules.game import Game, GameError

_KEYS = ("numPlayers", "numRounds", "stack", "blind", "raiseSize", "firstPlayer", "maxRaises")
_CARDS = ("numSuits", "numRanks", "numHoleCards", "numBoardCards")
_BETS = 1


def openspiel_game(theirs: Any) -> Game:
    """Our game of the same rules; a `GameError` says that there is none."""
    name, given = theirs.get_type().short_name, theirs.get_parameters()
    small = {"kuhn_poker": games.kuhn, "leduc_poker": games.leduc}
    if name in small and theirs.num_players() == 2:
        return small[name]()
    if name != "universal_poker":
        raise GameError(f"{theirs} is not a game of ours; kuhn_poker, leduc_poker and universal_poker are")
    limit = given["betting"] == "limit"
    if not limit and given["bettingAbstraction"] != "fullgame":
        raise GameError(f"bettingAbstraction={given['bettingAbstraction']} is not played; fullgame is")
    lines = ["GAMEDEF", given["betting"], *(f"{key} = {given[key]}" for key in (*_KEYS, *_CARDS) if given.get(key))]
    return read_game("\n".join([*lines, "END GAMEDEF"]), "universal_poker")


class NemesisBot(pyspiel.Bot):
    """A player of ours in one seat of an OpenSpiel game."""

    def __init__(self, game: Any, player_id: int, player: str | Player, seed: int = 0) -> None:
        pyspiel.Bot.__init__(self)
        self._id = player_id
        self._kuhn = game.get_type().short_name == "kuhn_poker"
        self.game = openspiel_game(game)
        self._ends = list(accumulate(self.game.board_cards))
        with guarded(0) as guard:  # no limit on the time
            self._guest = Guest(self.game, named_player(player), guard, seed)
        self._guest.sit(player_id)
        self.restart()

    def player_id(self) -> int:
        """The seat, as OpenSpiel counts players."""
        return self._id

    def restart(self) -> None:
        """A hand begins."""
        if self._guest.playing:
            self._guest.sit(self._id)
        self._moves: list[int] = []

    def restart_at(self, state: Any) -> None:
        """A hand begins; what `state` tells is taken up at the next step."""
        self.restart()

    def step(self, state: Any) -> int:
        """The agent's action in the state, in which it is to act."""
        self._follow(state)
        view = self._guest.view
        action = self._guest.choose()
        if self._kuhn:
            return int(action >= RAISE or (action == CALL and view.to_call > 0))
        if action < RAISE or self.game.structure == "limit":
            return min(action, RAISE)
        return int(action + view.spent - view.wager)

    def inform_action(self, state: Any, player_id: int, action: int) -> None:
        """States tell their actions, so nothing needs to be done."""

    def end(self, state: Any) -> None:
        """The hand is over: let the agent see how."""
        self._follow(state)
        self.restart()

    def _follow(self, state: Any) -> None:
        """Take the cards and actions that are new."""
        guest, seats, deals = self._guest, self.game.seats, self.game.seats * self.game.hole_cards
        steps = state.full_history()
        cards = [step.action for step in steps if step.player < 0]
        board = cards[deals:]
        holes = {
            position: tuple(cards[position * self.game.hole_cards : (position + 1) * self.game.hole_cards])
            for position in range(seats)
            if position == self._id or state.is_terminal()
        }
        moves = [step.action for step in steps if step.player >= 0]
        if not self._moves and not guest.playing:
            guest.know({self._id: holes[self._id]}, ())
            guest.begin(self._id)
        for move in moves[len(self._moves) :]:
            if not guest.playing:
                break  # OpenSpiel asks for a check where nobody is left to bet against
            guest.know(holes, board)
            guest.take(self._ours(move))
        self._moves = moves

    def _ours(self, move: int) -> int:
        """An action of OpenSpiel in our numbers."""
        view = self._guest.view
        if self._kuhn:
            if move == _BETS:
                return CALL if view.to_call else int(max(RAISE, view.max_to))
            return FOLD if view.to_call else CALL
        if move < RAISE:
            return move
        return int(max(RAISE, view.max_to if self.game.structure == "limit" else move - view.spent + view.wager))
