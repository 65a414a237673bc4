"""AMLab's database panel: the players of the store with their counts, and a player's hands loaded as one of three sets."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from html import escape
from typing import Any

import numpy as np
from nicegui import ui

from nemesis.believe.pom_patterns import Patterns
from nemesis.lab.amlab import ROUNDS, Bench, counts_of, latest_patterns, window
from nemesis.lab.fields import number, search
from nemesis.lab.frame import button, drawn, heading, note, tell, told
from nemesis.lab.progress import on_pick
from nemesis.lab.shapes.perceptron import player_rows
from nemesis.lab.store_view import store_view
from nemesis.measure.player_list import PlayerList
from nemesis.observe.store import StoreError

LOADING = {"training": ("train", "1"), "validation": ("validate", "2"), "reference": ("refer", "3")}
FOUND = 12
WINDOW_STEP = 5
"""Hands by which the window of the dynamic model moves (POM report, section 3.3)."""


class SetsPanel:
    """Players to load from; `loaded` hears which set has changed, `kept` holds what a visitor chose."""

    def __init__(
        self, bench: Bench, kept: dict[str, Any], keep: Callable[[], None], loaded: Callable[[str], None]
    ) -> None:
        self.bench, self.kept, self.keep, self.loaded = bench, kept, keep, loaded
        self.player: tuple[int, str] | None = None
        self.players: PlayerList | None = None
        self.patterns: dict[int, Patterns] = {}
        self._busy = False  # whether the list could not be read, because hands are being imported

    def show(self) -> None:
        """Put the list and its buttons where we are."""
        heading("Player list", "#G hands, #R streets, #A actions. Pick one and load it as a set.")
        search(self.kept["named"], self._set_named)
        self.list = drawn(classes="list")
        on_pick(self.list, "pick", self._pick)
        self.chosen = note("Pick a player above.")
        with ui.element("div").classes("triple"):
            for kind, (text, key) in LOADING.items():
                button(text, partial(self.load, kind), key=key, says=f"Load as the {kind} set").classes("small")
        with ui.element("div").classes("pair"):
            number("training hands", self.kept["training"], self._sizer("training"), least=1, most=ROUNDS.most)
            number("then validation", self.kept["validation"], self._sizer("validation"), least=1, most=ROUNDS.most)
        with ui.element("div").classes("row-line"):
            ui.timer(2.0, self._find_again)
            button("Move window", self._move, key="m", says="Move both windows 5 hands on, as the dynamic model does")

    async def _find_again(self) -> None:
        if self._busy:
            await self.find()

    async def find(self) -> None:
        """Fill the list."""
        self._busy = False
        try:
            self.players = await store_view().players()
            if self.players is None:
                self.list.content = '<div class="note">No hands yet: <a href="/players">import some</a> first.</div>'
                return
            rows = self.players.find(named=self.kept["named"])[:FOUND]
            numbers = self.players.number[rows].tolist()
            counts = await store_view().ask(lambda store: counts_of(store, numbers))
        except StoreError as error:
            self._busy = True
            self.list.content = f'<div class="note">{escape(str(error))}</div>'
            return
        names = [self.players.names[at].as_py() for at in rows.tolist()]
        self.list.content = player_rows(numbers, names, counts, self.player[0] if self.player else -1)

    async def load(self, kind: str, first: int = 0) -> None:
        """Load the player's hands as a set; the hands after a training set become the validation set."""
        if self.player is None:
            tell("pick a player in the list first")
            return
        number, name = self.player
        with told():
            patterns = await self._patterns(number)
            train, check = self.kept["training"], self.kept["validation"]
            start = max(0, min(first, patterns.rounds - 2))
            size = min(train, max(1, patterns.rounds - check - start)) if kind == "training" else train + check
            self.bench.load(kind, window(name, patterns, start if kind == "training" else 0, size))
            if kind == "training" and patterns.rounds > start + size:
                self.bench.load("validation", window(name, patterns, start + size, check))
            self.chosen.text = f"{name}: {patterns.rounds:,} hands, {len(patterns.done):,} decisions"
            self.loaded(kind)

    async def _move(self) -> None:
        loaded = self.bench.sets.get("training")
        if loaded is None or self.player is None:
            tell("load a training set first")
            return
        await self.load("training", loaded.first + WINDOW_STEP)
        begins = self.bench.sets["training"].first + 1
        tell(f"the window begins at hand {begins}; train on, and see how fast it relearns")

    async def _set_named(self, text: str) -> None:
        self.kept["named"] = text
        self.keep()
        await self.find()

    def _sizer(self, key: str) -> Any:
        def chosen(value: Any) -> None:
            self.kept[key] = int(value)
            self.keep()

        return chosen

    async def _pick(self, picked: str) -> None:
        if self.players is None or not picked.isdigit() or len(picked) > 15:
            return
        found = np.flatnonzero(self.players.number == int(picked))
        if len(found):
            self.player = int(picked), str(self.players.names[int(found[0])].as_py())
            self.chosen.text = f"{self.player[1]}: load as which set?"
            await self.find()

    async def _patterns(self, player: int) -> Patterns:
        if player not in self.patterns:
            self.patterns[player] = await store_view().ask(lambda store: latest_patterns(store, player))
        return self.patterns[player]
