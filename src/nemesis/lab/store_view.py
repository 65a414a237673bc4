"""The store of hands as the pages see it: opened for one question at a time, so that an import can write between them.

While an import writes, nobody else can open the store (`StoreBusy`); the list of players stays as it was. Questions are
asked in a thread, so that the page does not wait.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from nemesis.believe.action_model import ActionModel, read_model
from nemesis.believe.stored_forecast import HandForecast, stored_forecast
from nemesis.measure.player_hands import PlayedHand, Stretch, count_hands, played_hands, style_trail
from nemesis.measure.player_list import PlayerList, read_player_list
from nemesis.measure.player_numbers import Numbers
from nemesis.measure.player_profile import Profile, player_profile
from nemesis.observe.hand_steps import RecordedHand, recorded_hand
from nemesis.observe.store import Store, StoreError, open_store, store_path
from nemesis.observe.stored_hands import chosen_history
from nemesis.rules.game import Game

Answer = TypeVar("Answer")
_WAIT = 0.15
_TRIES = 4


class StoreBusy(StoreError):
    """The store is being written to."""


@dataclass(frozen=True)
class PlayerView:
    """One player: all numbers, and the trail of its style."""

    number: int
    numbers: Numbers
    trail: list[Stretch]


@dataclass(frozen=True)
class StoredHand:
    """One hand with its steps, and what the model said of every decision."""

    hand: RecordedHand
    game: Game
    forecast: HandForecast


class StoreView:
    """What pages ask; the list of all players is read again when the store's file has changed."""

    def __init__(self) -> None:
        self._list: PlayerList | None = None
        self._state: object = None

    @property
    def exists(self) -> bool:
        """Whether there is a store at all."""
        return store_path().exists()

    async def players(self) -> PlayerList | None:
        """Everybody in the store; None if there is none. During an import, whoever was there before it."""
        if not self.exists:
            return None
        state = _file_state(store_path())
        if self._list is None or state != self._state:
            try:
                self._list = await self.ask(read_player_list)
                self._state = state
            except StoreBusy:
                if self._list is None:
                    raise
        return self._list

    async def ask(self, question: Callable[[Store], Answer]) -> Answer:
        """The answer to a question about the store."""
        for attempt in range(_TRIES):
            try:
                return await asyncio.to_thread(_asked, question)
            except StoreError as error:
                if "in use" not in str(error):
                    raise
                if attempt + 1 == _TRIES:
                    raise StoreBusy("hands are being imported; this can be shown when that is finished") from None
                await asyncio.sleep(_WAIT)
        raise AssertionError("the last attempt returns or raises")

    async def player(self, number: int) -> PlayerView:
        """A player's numbers and trail."""
        players = await self.players()
        rows = np.flatnonzero(players.number == number) if players is not None else np.zeros(0, np.int64)
        if players is None or not len(rows):
            raise StoreError(f"there is no player number {number} in the store")
        trail = await self.ask(lambda store: style_trail(store, number, players.priors))
        return PlayerView(number, players.numbers(rows)[0], trail)

    async def analysis(self, view: PlayerView) -> Profile:
        """What `nemesis profile` tells of the player: its kind, where it deviates, how predictable it is."""
        numbers = view.numbers
        return await self.ask(lambda store: player_profile(store, numbers.player, _model(), numbers.room))

    async def hands(
        self, player: int, number: str | None, made: bool, first: int, count: int
    ) -> tuple[int, list[PlayedHand]]:
        """How many hands are behind a number, and a page of them."""

        def question(store: Store) -> tuple[int, list[PlayedHand]]:
            return count_hands(store, player, number, made), played_hands(store, player, number, made, first, count)

        return await self.ask(question)

    async def hand(self, player: int, hand: int) -> StoredHand:
        """One hand of a player, step by step, with predictions."""

        def question(store: Store) -> StoredHand:
            forecast = stored_forecast(store, _model(), player, hand)
            history = next(chosen_history(store, np.array([hand])))
            return StoredHand(recorded_hand(history, 0), history.games[int(history.hands["rules"][0])], forecast)

        return await self.ask(question)


@cache
def store_view() -> StoreView:
    """The one that all pages share."""
    return StoreView()


@cache
def _model() -> ActionModel:
    return read_model()


def _asked(question: Callable[[Store], Any]) -> Any:
    with open_store(store_path()) as store:
        return question(store)


def _file_state(path: Path) -> tuple[float, int]:
    status = path.stat()
    return status.st_mtime, status.st_size
