"""Our policies as OpenSpiel reads them."""

import pyspiel
from open_spiel.python.policy import Policy as OpenSpielPolicy

from nemesis.solve.policy import Policy


class Exported(OpenSpielPolicy):
    """One of our policies for OpenSpiel's game of the same rules; its cards are numbered as ours."""

    def __init__(self, game: pyspiel.Game, policy: Policy) -> None:
        super().__init__(game, [0, 1])
        self.policy = policy

    def action_probabilities(self, state: pyspiel.State, player_id: int | None = None) -> dict[int, float]:
        cards, text, replay = [], "", self.game.new_initial_state()
        leduc = self.policy.game.name == "leduc"
        for action in state.history():
            if replay.is_chance_node():
                cards.append(action)
                text += "/" if len(cards) == 3 else ""
            elif leduc:
                text += "fcr"[action]
            else:
                text += "r" if action == 1 and "r" not in text else "c" if action == 1 or "r" not in text else "f"
            replay.apply_action(action)
        board = cards[2] if len(cards) == 3 else None
        fold, call, bet = self.policy.at(cards[state.current_player()], text, board=board)
        if leduc:
            chosen = {0: fold, 1: call, 2: bet}
        else:
            chosen = {0: fold, 1: call} if "r" in text else {0: call, 1: bet}
        return {action: float(chosen[action]) for action in state.legal_actions()}
