"""Players: from ten thousand names to one hand in three clicks, every number with its interval and the hands behind it."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from nemesis.lab.fields import choice, number, search
from nemesis.lab.frame import Frame, button, drawn, empty, heading, note
from nemesis.lab.hand_panel import HandPanel
from nemesis.lab.import_panel import ImportPanel
from nemesis.lab.profile_panel import ProfilePanel
from nemesis.lab.progress import on_pick
from nemesis.lab.shapes.profile import player_table
from nemesis.lab.store_view import store_view
from nemesis.measure.player_list import ORDERS, PlayerList
from nemesis.measure.player_numbers import BY_NAME
from nemesis.observe.store import StoreError

PAGE = 20
COLUMNS = ("vpip", "pfr", "three_bet", "aggression", "wtsd")
SHORTER = {"aggression": "aggr."}
EVERY_ROOM = "all rooms"
USUAL: dict[str, Any] = {"named": "", "room": EVERY_ROOM, "least": 1, "order": "hands", "descending": True, "first": 0}


async def build(frame: Frame) -> None:
    """The page: import and filter on the left; the list, a profile or a hand; the hands behind a number on the right."""
    await _Players(frame).show()


class _Players:
    """What one visitor looks at: the list, a player, or a hand of that player."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        kept = frame.visitor.get("players", {})
        self.settings = {key: kept.get(key, usual) for key, usual in USUAL.items()}
        self.player = _whole(frame.query.get("player"))
        self.hand = _whole(frame.query.get("hand"))
        self.number: str | None = frame.query.get("number") if frame.query.get("number") in BY_NAME else None
        self.players: PlayerList | None = None
        self.profile: ProfilePanel | None = None
        self.opened = 0
        self.importing = ImportPanel(frame, self._imported)

    async def show(self) -> None:
        """Put everything in its place."""
        with self.frame.left:
            self.filters = ui.element("div").classes("stack")
            self.importing.show()
        with self.frame.centre:
            self.centre = ui.element("div").classes("stack")
        with self.frame.right:
            self.right = ui.element("div").classes("stack")
        await self._refresh()

    async def _imported(self) -> None:
        if self.player is None:
            await self._refresh()

    async def _refresh(self) -> None:
        """Read the players again; a player or hand that the visitor has opened meanwhile stays as it is."""
        opened = self.opened
        try:
            self.players = await store_view().players()
        except StoreError as error:
            self.players = None
            self.centre.clear()
            with self.centre:
                empty("The store cannot be read now", str(error))
            return
        self._show_filters()
        if self.player is None or opened == self.opened:
            await self._open()

    async def _go(self, player: int | None = None, hand: int | None = None) -> None:
        self.player, self.hand = player, hand
        parts = [f"player={player}"] if player is not None else []
        parts += [f"hand={hand}"] if hand is not None else []
        parts += [f"number={self.number}"] if player is not None and self.number else []
        ui.navigate.history.push("/players" + ("?" + "&".join(parts) if parts else ""))
        await self._open()

    async def _open(self) -> None:
        """Show the list, the profile or the hand that is chosen; answers to earlier questions are not drawn any more."""
        self.opened += 1
        opened = self.opened
        if self.profile is not None:
            self.profile.leave()
        if self.players is None:
            self._show_nobody()
        elif self.player is None:
            self.profile = None
            self._show_list(self.players)
        else:
            try:
                await self._show_player(self.player, opened)
            except (StoreError, ValueError) as error:
                if opened != self.opened:
                    return
                self.centre.clear()
                with self.centre:
                    button("Back to the list", lambda: self._go())
                    empty("This cannot be shown", str(error))

    def _show_nobody(self) -> None:
        self.centre.clear()
        self.right.clear()
        with self.centre:
            empty(
                "No hands yet",
                "Drop hand histories on this page: they become players with numbers, each with its interval and "
                "its hands. Or begin with 3,000 hands that six of our agents play.",
                do="Take hands of our agents", on_click=self.importing.sample,
            )  # fmt: skip
        with self.right:
            heading("What you will see")
            note("Every player with what they do before and after the flop, as a dot with its 95 % interval.")
            note("A name opens the profile, a number its hands, a hand the replayer, with what the model expected.")

    async def _show_player(self, player: int, opened: int) -> None:
        if self.profile is None or self.profile.profile.number != player:
            found = await store_view().player(player)
            if opened != self.opened:
                return
            self.profile = ProfilePanel(
                found, self.centre, self.right,
                self._go, self._pick_number, lambda hand: self._go(player, hand),
            )  # fmt: skip
        if self.hand is None:
            self.profile.show(self.number)
            await self.profile.show_hands()
        else:
            await self._show_hand(player, self.profile.profile.numbers.player, self.hand, opened)

    async def _pick_number(self, name: str | None) -> None:
        self.number = name
        await self._go(self.player)
        self.frame.open_right()

    async def _show_hand(self, player: int, name: str, hand: int, opened: int) -> None:
        found = await store_view().hand(player, hand)
        if opened != self.opened:
            return
        self.centre.clear()
        self.right.clear()
        with self.centre, ui.element("div").classes("row-line"):
            button("‹ profile", lambda: self._go(player), key="b", says="Back to the profile")
            title = ui.label(f"{name}, hand {found.hand.name or hand}").classes("big")
            title.props("role=heading aria-level=1")
        HandPanel(found, name, self.centre, self.right).show()

    # the list

    def _show_filters(self) -> None:
        self.filters.clear()
        if self.players is None:
            return
        rooms = sorted(set(self.players.rooms.to_pylist()))
        with self.filters:
            heading("Find")
            search(str(self.settings["named"]), lambda text: self._set("named", text))
            number("at least so many hands", self.settings["least"], lambda v: self._set("least", int(v)), least=1)
            if len(rooms) > 1:
                names = {EVERY_ROOM: EVERY_ROOM, **{room: room or "no room told" for room in rooms}}
                choice("room", names, self.settings["room"], lambda v: self._set("room", v))

    async def _set(self, key: str, value: Any) -> None:
        self.settings[key] = value
        if key != "first":
            self.settings["first"] = 0
        self.frame.visitor["players"] = dict(self.settings)
        if self.player is not None:
            await self._go()
        elif self.players is not None:
            self._show_list(self.players)

    async def _order(self, order: str) -> None:
        if order not in ORDERS:
            return
        self.settings["descending"] = not self.settings["descending"] if order == self.settings["order"] else True
        await self._set("order", order)

    def _show_list(self, players: PlayerList) -> None:
        s = self.settings
        room = None if s["room"] == EVERY_ROOM else str(s["room"])
        found = players.find(str(s["named"]), room, int(s["least"]), s["order"], bool(s["descending"]))
        last = max(0, (len(found) - 1) // PAGE) * PAGE
        first = min(int(s["first"]), last)
        rows = found[first : first + PAGE]
        shown = list(zip(players.number[rows].tolist(), players.numbers(rows), strict=True))
        columns = [(name, SHORTER.get(name, BY_NAME[name].title)) for name in COLUMNS]
        self.centre.clear()
        self.right.clear()
        with self.centre:
            with ui.element("div").classes("row-line"):
                ui.label(f"{len(found):,} players").classes("big").props("role=heading aria-level=1")
                ui.space()
                note(f"page {first // PAGE + 1:,} of {last // PAGE + 1:,}")
                button("‹", lambda: self._set("first", max(0, first - PAGE)), key="←", says="The page before")
                button("›", lambda: self._set("first", min(last, first + PAGE)), key="→", says="The next page")
            if shown:
                table = drawn(player_table(shown, columns, s["order"], bool(s["descending"])), classes="panel scroll")
                on_pick(table, "pick", lambda picked: self._go(_whole(picked)))
                on_pick(table, "order", self._order)
            else:
                empty("Nobody is called that", "Take letters away from the name, or ask for fewer hands.")
        with self.right:
            heading("How to read this")
            note(
                "A dot is what we believe of the player, whiskers are the 95 % interval. Few hands say little: such "
                "players are drawn towards everybody's mean, and their whiskers are wide."
            )
            note(
                "Click a name for the profile, a heading to sort. The hands behind every number are one click further."
            )
            heading("The columns")
            for name in COLUMNS:
                note(f"{BY_NAME[name].title}: {BY_NAME[name].about}.")
            heading("In this store")
            note(f"{len(players):,} players, {int(players.hands.sum()):,} seats dealt in.")
        self.frame.say("store", f"{len(players):,} players")


def _whole(text: object) -> int | None:
    return int(str(text)) if isinstance(text, str | int) and str(text).isdigit() and len(str(text)) < 16 else None
