"""What a network saw and answered at every decision of some hands, to be drawn one at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from nemesis.measure.mind import Circuit, Watched
from nemesis.observe.view import View
from nemesis.play.match import Player
from nemesis.play.session import Session
from nemesis.respond.agent import Agent, CompiledAgent
from nemesis.rules.cards import card_text
from nemesis.rules.game import Game


@dataclass(frozen=True)
class Seen:
    """A decision in words, and the network as it was then."""

    words: str
    circuit: Circuit


class _Noting(Watched):
    """Plays as it does and writes down what its network did."""

    def __init__(self, agent: CompiledAgent, game: Game, seen: list[Seen]) -> None:
        super().__init__(agent, game.seats)
        self.game, self.seen = game, seen

    def act(self, view: View) -> int:
        """Decide, and note the network."""
        answer = super().act(view)
        circuit = self.now.circuit
        if circuit is not None:
            cards = " ".join(self.game.card_name(card) for card in view.hole[: self.game.hole_cards])
            board = " ".join(card_text(card) for card in view.board if card >= 0) if self.game.is_holdem else ""
            passive = ("fold", "call") if view.to_call else ("check", "check")
            did = passive[answer] if answer < len(passive) else "bet"
            on = f" on {board}" if board else ""
            words = f"hand {view.hand + 1}: {cards}{on}, {view.to_call} to call into {view.pot}: {did}"
            self.seen.append(Seen(words, circuit))
        return answer


def decisions_of(game: Game, agent: CompiledAgent, opponents: Sequence[Agent], hands: int, seed: int = 0) -> list[Seen]:
    """The decisions of a network in some hands against these opponents; none if it has no network."""
    seen: list[Seen] = []
    seated: list[Agent] = [_Noting(agent, game, seen), *opponents]
    Session(game, [Player(f"seat {at}", partial(_same, one)) for at, one in enumerate(seated)], seed=seed, hands=hands)
    return seen


def _same(agent: Agent, game: Game) -> Agent:
    return agent
