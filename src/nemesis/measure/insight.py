"""A match looked at from inside one player's head: what it knew of the opponent, what it thought of every action.

The player is seated by its Python face, which calls the same kernels and plays the very same hands, so its memory can be
read between decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from nemesis.observe.event import ACTS, ENDS, Event
from nemesis.observe.view import View
from nemesis.play.match import play_lineups
from nemesis.respond.agent import Agent, Uncompiled
from nemesis.respond.ashe import Ashe, Thought
from nemesis.rules.cards import cards_text
from nemesis.rules.game import Game
from nemesis.rules.strength import win_probability


class Explanation(NamedTuple):
    """One decision: where the hand stood, what was thought of every option, and which was taken."""

    hand: int
    on_button: bool
    street: int
    hole: str
    board: str
    equity: float  # exact, against one random hand
    pot: int
    to_call: int
    opponent: str  # the kind it takes the opponent for, one of `respond.opponent_kind.KINDS`
    thoughts: Sequence[Thought]
    chosen: str

    @property
    def choice(self) -> Thought:
        """What was thought of the option taken."""
        return next(thought for thought in self.thoughts if thought.action == self.chosen)


OnDecision = Callable[[Explanation], None]
OnHandEnd = Callable[[int, int], None]
OnAnswer = Callable[[Explanation, bool], None]


class Thinking(Uncompiled):
    """ASHE at the table with somebody listening.

    `on_decision` hears of every decision, `on_answer` whether the opponent folded to a raise, `on_hand_end` what every hand
    brought.
    """

    def __init__(self, agent: Ashe, on_decision: OnDecision, on_hand_end: OnHandEnd, on_answer: OnAnswer) -> None:
        super().__init__(agent)
        self.ashe = agent
        self._on_decision = on_decision
        self._on_hand_end = on_hand_end
        self._on_answer = on_answer
        self._raised: Explanation | None = None

    def watch(self, event: Event) -> None:
        """Learn, and pass on how a raise was on_answer and what the hand brought."""
        super().watch(event)
        if event.kind == ACTS and event.seat != event.me and self._raised is not None:
            self._on_answer(self._raised, event.action == 0)
            self._raised = None
        if event.kind == ENDS:
            self._raised = None
            self._on_hand_end(event.hand, event.payoff)

    def act(self, view: View) -> int:
        """Decide, and say why."""
        answer = super().act(view)
        thoughts = self.ashe.thoughts()
        if view.to_call == 0:
            thoughts = [t._replace(action="check") if t.action == "call" else t for t in thoughts]
        best = max(thoughts, key=lambda thought: thought.utility)
        decision = Explanation(
            view.hand, view.button == view.me, view.street, cards_text(view.hole_cards), cards_text(view.board_cards),
            win_probability(view.hole_cards, view.board_cards), view.pot, view.to_call, self.ashe.opponent_kind,
            thoughts, best.action,
        )  # fmt: skip
        self._raised = decision if best.action not in ("fold", "check", "call") else None
        self._on_decision(decision)
        return answer


def look_inside(
    game: Game,
    player: Agent,
    opponent: Agent,
    hands: int,
    *,
    seed: int,
    on_decision: OnDecision = lambda decision: None,
    on_hand_end: OnHandEnd = lambda hand, payoff: None,
    on_answer: OnAnswer = lambda decision, folded: None,
) -> float:
    """Play one match and listen in; returns mBB/hand. The player's trees can be read all the while."""
    if not isinstance(player, Ashe):
        raise ValueError(
            f"{player.name or player} keeps no trees and estimates nothing; give one of the ashe champions"
        )
    played = play_lineups(
        game,
        [Thinking(player, on_decision, on_hand_end, on_answer), opponent],
        np.array([[0, 1]]),
        np.array([0]),
        hands=hands,
        seed=seed,
    )
    return float(played.won[0, 0]) * 1000.0 / (game.big_blind * hands)
