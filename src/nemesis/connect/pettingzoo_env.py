"""Our games as a PettingZoo environment (AEC: agents act one after another). Needs the extra `pettingzoo`.

An episode is a number of hands. Agents are `seat_0`, `seat_1`, …; seats given to players of ours are played inside the
environment and are no agents. A step's reward is the chips that it brought, in big blinds (in chips where there are none).

Actions are numbers from a menu: 0 folds, 1 checks or calls, 2 is the smallest raise, and outside limit games 3, 4 and 5
raise by half the pot, by the pot, and all in. The mask leaves out what is not legal and what would be the same raise twice.
An observation is a row of numbers from 0 to 1: own cards, board, street, and everybody's chips as shares of all chips.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import gymnasium
import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv

from nemesis.observe.view import View
from nemesis.play.by_name import player
from nemesis.play.match import Player
from nemesis.play.session import OpenSeat, Session
from nemesis.rules.betting import CALL, FOLD
from nemesis.rules.by_name import game as named_game
from nemesis.rules.game import Game

_POTS = (0.5, 1.0)
_SMALLEST = 2
_SEEDS = 2**31


class PokerEnv(AECEnv):
    """One table as an environment; `players` names who sits in each seat, by default everybody outside."""

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": ["ansi"],
        "name": "nemesis_poker_v0",
        "is_parallelizable": False,
    }

    def __init__(
        self,
        game: str | Game = "limit",
        players: Sequence[str | Player | OpenSeat] | None = None,
        *,
        hands: int = 1,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.game = named_game(game)
        seated = players or [OpenSeat()] * self.game.seats
        self.players = tuple(who if isinstance(who, OpenSeat) else player(who) for who in seated)
        self.hands = hands
        self.render_mode = render_mode
        self._seats = {f"seat_{s}": s for s, who in enumerate(self.players) if isinstance(who, OpenSeat)}
        self._raises = 1 if self.game.structure == "limit" else 2 + len(_POTS)
        self._deck = self.game.ranks * self.game.suits
        self._seed = 0
        self._session: Session | None = None
        self._forget()
        self.possible_agents = list(self._seats)
        size = 2 * self._deck + self.game.streets + 4 + 3 * self.game.seats
        boxes = gymnasium.spaces.Dict(
            {
                "observation": gymnasium.spaces.Box(0.0, 1.0, (size,), np.float32),
                "action_mask": gymnasium.spaces.Box(0, 1, (_SMALLEST + self._raises,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self._seats, boxes)
        self.action_spaces = {
            agent: gymnasium.spaces.Discrete(_SMALLEST + self._raises) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> Any:
        """What `observe` gives."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The menu."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode: the deals of this seed, or of the seed after the last one."""
        self._seed = (self._seed + 1) % _SEEDS if seed is None else int(seed)
        self._session = Session(self.game, self.players, seed=self._seed, hands=self.hands)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._forget()
        self._look()
        self._reward()
        self._accumulate_rewards()

    def step(self, action: int | None) -> None:
        """Let the agent whose turn it is act, and play on to the next one's turn."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        session = self._session
        if session is None or action is None:
            raise ValueError("call reset before the first step, and give an action to an agent that is not done")
        chosen = self._menu(session)[int(action)]
        if chosen is None:
            raise ValueError(f"action {action} is not legal now; the mask says which are")
        self._cumulative_rewards[agent] = 0.0
        session.act(chosen)
        self._look()
        self._reward()
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """What this agent may know, and what it may do if it is its turn."""
        seat, view = self._seats[agent], self._view
        board = view.board_cards if view is not None else ()
        told = np.zeros(self.observation_spaces[agent]["observation"].shape, np.float32)
        told[[*self._holes[seat]]] = 1.0
        told[[self._deck + card for card in board]] = 1.0
        mask = np.zeros(_SMALLEST + self._raises, np.int8)
        if view is not None:
            at = 2 * self._deck
            told[at + view.street] = 1.0
            at += self.game.streets
            seats, chips = self.game.seats, sum(self.game.stacks)
            position = (seat - view.button - 1) % seats
            facing = min(view.bet - view.wagers[seat], view.chips[seat])
            told[at : at + 4] = view.pot / chips, max(0, facing) / chips, view.bet / chips, position / max(1, seats - 1)
            at += 4
            for cells in (view.chips, view.wagers):
                told[at : at + seats] = np.array(cells[:seats]) / chips
                at += seats
            told[at : at + seats] = view.live[:seats]
        session = self._session
        if session is not None and not session.finished and session.turn == seat:
            mask[:] = [choice is not None for choice in self._menu(session)]
        return {"observation": np.clip(told, 0.0, 1.0), "action_mask": mask}

    def render(self) -> str | None:
        """The hand as it stands, in a line, if `render_mode` is `ansi`."""
        if self.render_mode != "ansi" or self._view is None:
            return None
        board = " ".join(self.game.card_name(card) for card in self._view.board_cards) or "-"
        return f"hand {self._view.hand + 1}, street {self._view.street + 1}, board {board}, pot {self._view.pot}"

    def close(self) -> None:
        """Nothing to close."""

    def _forget(self) -> None:
        """Nothing is seen and nothing won yet."""
        self._won = (0,) * self.game.seats
        self._view: View | None = None
        self._holes: dict[int, tuple[int, ...]] = dict.fromkeys(self._seats.values(), ())

    def _look(self) -> None:
        """Keep what is to be seen while somebody is to act; the end of an episode shows the last of it."""
        session = self._session
        if session is not None and not session.finished and session.turn is not None:
            self._view = session.view
            self._holes = {seat: session.hole(seat) for seat in self._seats.values()}
            self.agent_selection = f"seat_{session.turn}"

    def _reward(self) -> None:
        session = self._session
        if session is None:
            return
        won, unit = session.won, self.game.big_blind or 1
        self.rewards = {
            agent: (won[self._seats[agent]] - self._won[self._seats[agent]]) / unit for agent in self.agents
        }
        self._won = won
        if session.finished:
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]

    def _menu(self, session: Session) -> list[int | None]:
        """Our action for every number of the menu; None for those that are not legal."""
        to_call, least, most = session.legal
        menu: list[int | None] = [FOLD if to_call else None, CALL]
        if not most:
            return menu + [None] * self._raises
        view = session.view
        sizes = [view.bet + round(share * (view.pot + to_call)) for share in _POTS]
        wanted = [least] if self._raises == 1 else [least, *sizes, most]
        raises: list[int | None] = []
        for size in wanted:
            clamped = min(max(size, least), most)
            raises.append(None if clamped in raises else clamped)
        return menu + raises
