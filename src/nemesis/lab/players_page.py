"""Players: from ten thousand names to one hand in three clicks, every number with its interval and the hands behind it."""

from __future__ import annotations

import asyncio
import datetime
from functools import partial
from html import escape
from typing import Any

from nicegui import ui

from nemesis.lab.background import jobs
from nemesis.lab.fields import choice, number, switch
from nemesis.lab.folder import inside, lab_folder
from nemesis.lab.frame import Frame, button, drawn, empty, heading, note, tell, told
from nemesis.lab.hand_panel import HandPanel
from nemesis.lab.import_work import HISTORIES
from nemesis.lab.jobs import Job, State
from nemesis.lab.progress import JobLine, on_pick
from nemesis.lab.shapes.curves import Line, line_chart
from nemesis.lab.shapes.figures import whisker_rows
from nemesis.lab.shapes.profile import deviation_table, number_rows, player_table
from nemesis.lab.store_view import PlayerView, store_view
from nemesis.lab.uploads import MOST_BYTES, Parcel
from nemesis.measure.player_list import ORDERS, PlayerList
from nemesis.measure.player_numbers import BY_NAME, Winnings
from nemesis.observe.importing import SUFFIXES
from nemesis.observe.store import StoreError

PAGE = 20
HANDS_PAGE = 12
COLUMNS = ("vpip", "pfr", "three_bet", "aggression", "wtsd")
SHORTER = {"aggression": "aggr."}
EVERY_ROOM = "all rooms"
TRAIL = {"vpip": "var(--la)", "pfr": "var(--ta)", "aggression": "var(--tp)"}
USUAL: dict[str, Any] = {"named": "", "room": EVERY_ROOM, "least": 1, "order": "hands", "descending": True, "first": 0}
_QUIET_SECONDS = 1.2


async def build(frame: Frame) -> None:
    """The page: import and filter on the left; the list, a profile or a hand; the hands behind a number on the right."""
    await _Players(frame).show()


class _Players:
    """What one visitor looks at."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        kept = frame.visitor.get("players", {})
        self.settings = {key: kept.get(key, usual) for key, usual in USUAL.items()}
        self.player = _whole(frame.query.get("player"))
        self.hand = _whole(frame.query.get("hand"))
        self.number: str | None = frame.query.get("number") if frame.query.get("number") in BY_NAME else None
        self.made = False
        self.hands_first = 0
        self.profile: PlayerView | None = None
        self.parcel = Parcel()
        self.rows: dict[str, JobLine] = {}
        self.analysed: Any = (None, None)

    async def show(self) -> None:
        """Put everything in its place."""
        with self.frame.left:
            heading("Import hands", "PHH, the rooms' own texts, ACPC logs, PRF. A hand twice is one hand.")
            taken = ",".join(SUFFIXES)
            self.upload = (
                ui.upload(
                    multiple=True, auto_upload=True, label="Drop files here", max_file_size=MOST_BYTES,
                    on_upload=self._received,
                    on_rejected=lambda: tell(f"only files that end in {', '.join(SUFFIXES)}, up to {MOST_BYTES:,} bytes"),
                )
                .props(f'accept="{taken}" flat')
                .classes("drop")
            )  # fmt: skip
            with ui.element("div").classes("row-line"):
                button("Import folder", self._import_folder, says="Import what lies in the lab's folder of histories")
                button("Clear", lambda: self._forget(), kind="bare", says="Take finished imports off the list")
            self.folder_note = note(
                f"Or put folders of histories into {lab_folder() / HISTORIES} and press Import folder."
            )
            self.imports = ui.element("div").classes("stack")
            self.filters = ui.element("div").classes("stack")
        with self.frame.centre:
            self.centre = ui.element("div").classes("stack")
        with self.frame.right:
            self.right = ui.element("div").classes("stack")
        self.finished = {job.name for job in self._jobs() if not job.active}
        self._list_imports()
        await self._refresh()
        ui.timer(1.0, self._tick)

    # imports

    def _jobs(self) -> list[Job]:
        return [job for job in jobs().all() if job.kind == "import"]

    async def _received(self, event: Any) -> None:
        parcel = self.parcel
        with told():
            await parcel.add(event.file.name, event.file)
            here = parcel.files
            self.frame.say("upload", f"{here:,} files received")

            def start() -> None:
                if parcel.files == here and parcel is self.parcel:  # nothing came in the meantime
                    self.parcel = Parcel()
                    self.frame.say("upload", "")
                    self._start(f"{here} dropped file{'s' if here > 1 else ''}", parcel.place)
                    self.upload.reset()

            ui.timer(_QUIET_SECONDS, start, once=True)

    def _import_folder(self) -> None:
        with told():
            folder = inside(HISTORIES)
            folder.mkdir(exist_ok=True)
            if not any(path.suffix.lower() in SUFFIXES for path in folder.rglob("*")):
                raise ValueError(f"there are no hand histories in {folder} yet; copy files or folders into it first")
            self._start("the folder of histories", HISTORIES)

    def _start(self, title: str, place: str) -> None:
        with told():
            jobs().add("import", title, {"from": place, "game": None})
            jobs().tend()
            self._list_imports()

    def _forget(self) -> None:
        with told():
            for job in self._jobs():
                if not job.active:
                    jobs().forget(job.name)
            self._list_imports()

    def _list_imports(self) -> None:
        found = self._jobs()[:6]
        if {job.name for job in found} != set(self.rows):
            self.imports.clear()
            self.rows, self.notes = {}, {}
            with self.imports:
                for job in found:
                    self.rows[job.name] = JobLine(job.title, lambda: None)
                    self.notes[job.name] = note("")
        for job in found:
            self.rows[job.name].update(job)
            self.notes[job.name].text = _import_words(job)

    async def _tick(self) -> None:
        self._list_imports()
        ended = {job.name for job in self._jobs() if job.state is State.FINISHED}
        if ended - self.finished:
            self.finished |= ended
            if self.player is None:
                await self._refresh()

    # the three views

    async def _refresh(self) -> None:
        try:
            self.players = await store_view().players()
        except StoreError as error:
            self.players = None
            self.centre.clear()
            with self.centre:
                empty("The store cannot be read now", str(error))
            return
        self._show_filters()
        await self._open()

    async def _go(self, player: int | None = None, hand: int | None = None) -> None:
        self.player, self.hand = player, hand
        parts = [f"player={player}"] if player is not None else []
        parts += [f"hand={hand}"] if hand is not None else []
        parts += [f"number={self.number}"] if player is not None and self.number else []
        ui.navigate.history.push("/players" + ("?" + "&".join(parts) if parts else ""))
        await self._open()

    async def _open(self) -> None:
        """Show the list, the profile or the hand that is chosen."""
        if self.players is None:
            self.centre.clear()
            self.right.clear()
            with self.centre:
                empty(
                    "No hands yet",
                    "Drop hand histories on the left: they become players with numbers, each with its interval and its "
                    "hands. Try the sample files in tests/data of the source, or your own.",
                )
            return
        if self.player is None:
            self.profile = None
            self._show_list(self.players)
            return
        try:
            if self.profile is None or self.profile.number != self.player:
                self.profile = await store_view().player(self.player)
            if self.hand is None:
                self._show_profile(self.profile)
                with self.centre:
                    ui.timer(0.05, partial(self._analyse, self.profile), once=True)
            else:
                await self._show_hand(self.profile)
        except (StoreError, ValueError) as error:
            self.centre.clear()
            with self.centre:
                button("Back to the list", lambda: self._go())
                empty("This cannot be shown", str(error))
            return
        await self._show_hands()

    # the list

    def _show_filters(self) -> None:
        self.filters.clear()
        if self.players is None:
            return
        rooms = sorted(set(self.players.rooms.to_pylist()))
        with self.filters:
            heading("Find")
            find = ui.input("name has", value=self.settings["named"]).props("outlined dense clearable debounce=200")
            find.on_value_change(lambda event: self._set("named", event.value or ""))
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
        first = min(int(s["first"]), max(0, (len(found) - 1) // PAGE * PAGE))
        rows = found[first : first + PAGE]
        shown = list(zip(players.number[rows].tolist(), players.numbers(rows), strict=True))
        columns = [(name, SHORTER.get(name, BY_NAME[name].title)) for name in COLUMNS]
        self.centre.clear()
        self.right.clear()
        with self.centre:
            with ui.element("div").classes("row-line"):
                ui.label(f"{len(found):,} players").classes("big")
                ui.space()
                last = max(0, (len(found) - 1) // PAGE)
                note(f"page {first // PAGE + 1:,} of {last + 1:,}")
                button("‹", lambda: self._set("first", max(0, first - PAGE)), key="←", says="The page before")
                button("›", lambda: self._set("first", min(last * PAGE, first + PAGE)), key="→", says="The next page")
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
                "Click a name for the profile, a heading to sort. The number of hands behind everything is one click away."
            )
            heading("In this store")
            total = int(players.hands.sum())
            note(f"{len(players):,} players, {total:,} seats dealt in.")
        self.frame.say("store", f"{len(players):,} players")

    # the profile

    def _show_profile(self, profile: PlayerView) -> None:
        numbers = profile.numbers
        self.centre.clear()
        with self.centre:
            with ui.element("div").classes("row-line"):
                button("‹ list", lambda: self._go(), key="b", says="Back to the list")
                ui.label(numbers.player).classes("big")
                note(" · ".join(filter(None, [numbers.room, f"{numbers.hands:,} hands"])))
                self.kind = ui.label().classes("chip")
            with ui.element("div").classes("panel"):
                heading("What this player does", "Pick a row to see the hands behind it. Hollow circles are everybody.")
                shares = [share for name, share in numbers.shares.items() if name in BY_NAME]
                rows = drawn(number_rows(shares, chosen=self.number or ""))
                on_pick(rows, "pick", self._pick_number)
            with ui.element("div").classes("panel"):
                heading("Where this player deviates most", "Of all that is told here, one in twenty may be chance.")
                self.deviations = drawn('<div class="note">comparing with everybody …</div>', classes="scroll")
                on_pick(self.deviations, "pick", self._pick_number)
                self.predictable = note("")
            with ui.element("div").classes("columns"):
                with ui.element("div").classes("panel"):
                    heading("Style through time", "In consecutive stretches of hands, each with its 95 % interval.")
                    drawn(_trail_chart(profile))
                with ui.element("div").classes("panel"):
                    heading("Winnings", "Big blinds per 100 hands.")
                    drawn(_winnings(profile))

    async def _analyse(self, profile: PlayerView) -> None:
        """What takes longer: the kind of player, where it deviates and how well it is predicted."""
        if self.analysed[0] != profile.number:
            self.analysed = profile.number, asyncio.ensure_future(store_view().analysis(profile))
        try:
            told = await asyncio.shield(self.analysed[1])
        except (StoreError, ValueError) as error:
            self.deviations.content = f'<div class="note">{escape(str(error))}</div>'
            return
        self.kind.text = f"{told.kind.words}, {min(told.kind.sure_loose, told.kind.sure_aggressive):.0%} sure"
        self.deviations.content = deviation_table(told.deviations) or (
            f'<div class="note">Nothing that {told.compared} comparisons make sure of. More hands would tell more.</div>'
        )
        well = told.predictability
        if well is not None:
            low, high = well.gain_ci95
            self.predictable.text = (
                f"Its {well.decisions:,} decisions are predicted with {well.accuracy:.0%} right and a log-loss of "
                f"{well.log_loss:.3f}; knowing the player takes off {well.gain:+.3f} ({low:+.3f} … {high:+.3f})."
            )

    async def _pick_number(self, name: str) -> None:
        if name not in BY_NAME:
            return
        self.number = None if name == self.number else name
        self.hands_first = 0
        await self._go(self.player)
        self.frame.open_right()

    async def _show_hands(self) -> None:
        """The hands behind the chosen number, or all, on the right."""
        assert self.player is not None
        player = self.player
        total, hands = await store_view().hands(player, self.number, self.made, self.hands_first, HANDS_PAGE)
        if self.hand is not None:
            return
        self.right.clear()
        with self.right:
            chosen = BY_NAME[self.number] if self.number else None
            heading(f"Hands behind {chosen.title}" if chosen else "All hands", chosen.about if chosen else "")
            if chosen:
                switch("only where it was done", self.made, self._set_made)
            for hand in hands:
                with ui.element("button").classes("job-line").props("type=button") as line:
                    with ui.element("div").classes("job-top"):
                        ui.label(_moment(hand.time) or hand.name).classes("job-name")
                        won = "" if hand.won is None else f"{hand.won:+,.1f} bb"
                        ui.label(won).classes(
                            "good" if (hand.won or 0) > 0 else "bad" if (hand.won or 0) < 0 else "quiet"
                        )
                    did = f"done {hand.made:g} of {hand.of}" if chosen else f"{hand.seats} players"
                    note(" · ".join(filter(None, [hand.cards or "cards not shown", hand.board, did])))
                line.on("click", lambda _, number=hand.hand: self._go(player, number))
            if not hands:
                note("No hand counts here.")
            with ui.element("div").classes("row-line"):
                note(f"{min(total, self.hands_first + 1):,}–{min(total, self.hands_first + HANDS_PAGE):,} of {total:,}")
                ui.space()
                button("‹", lambda: self._turn_hands(-HANDS_PAGE, total), kind="bare", says="Later hands")
                button("›", lambda: self._turn_hands(HANDS_PAGE, total), kind="bare", says="Earlier hands")

    async def _set_made(self, made: bool) -> None:
        self.made, self.hands_first = made, 0
        await self._show_hands()

    async def _turn_hands(self, by: int, total: int) -> None:
        self.hands_first = max(0, min(self.hands_first + by, (max(1, total) - 1) // HANDS_PAGE * HANDS_PAGE))
        await self._show_hands()

    # one hand

    async def _show_hand(self, profile: PlayerView) -> None:
        assert self.hand is not None
        found = await store_view().hand(profile.number, self.hand)
        self.centre.clear()
        self.right.clear()
        with self.centre, ui.element("div").classes("row-line"):
            button("‹ profile", lambda: self._go(profile.number), key="b", says="Back to the profile")
            ui.label(f"{profile.numbers.player}, hand {found.hand.name or self.hand}").classes("big")
        HandPanel(found, profile.numbers.player, self.centre, self.right).show()


def _whole(text: object) -> int | None:
    return int(str(text)) if isinstance(text, str | int) and str(text).isdigit() and len(str(text)) < 16 else None


def _moment(time: datetime.datetime | None) -> str:
    return time.strftime("%Y-%m-%d %H:%M") if time else ""


def _import_words(job: Job) -> str:
    if job.state is State.FINISHED and isinstance(job.result, dict):
        done = job.result
        parts = [f"{done['hands']:,} new hands", f"{done['known']:,} known already"]
        if done["rejected"]:
            first = done["aside"][0] if done["aside"] else None
            why = f": {first['file']}, line {first['line']}: {first['reason']}" if first else ""
            parts.append(f"{done['rejected']:,} set aside{why}")
        if done["skipped"]:
            parts.append(f"{done['skipped']:,} files unchanged")
        return ", ".join(parts)
    return " · ".join(filter(None, [job.line, *job.told]))


def _trail_chart(profile: PlayerView) -> str:
    xs = [part.first + part.numbers.hands / 2 for part in profile.trail]
    lines = []
    for name, colour in TRAIL.items():
        shares = [part.numbers.shares[name] for part in profile.trail]
        lines.append(
            Line(
                BY_NAME[name].title, xs, [100 * share.estimate for share in shares],
                [100 * share.ci95[0] for share in shares], [100 * share.ci95[1] for share in shares], colour,
            )
        )  # fmt: skip
    return line_chart(
        lines, width=520, height=230, x="hands", y="per cent", span=(0.0, 100.0), ends=(0, profile.numbers.hands)
    )


def _winnings(profile: PlayerView) -> str:
    def figure(won: Winnings) -> tuple[float, float, float] | None:
        return None if won.mean is None or won.ci95 is None else (won.mean, *won.ci95)

    numbers = profile.numbers
    told = (("won", numbers.won), ("before rake", numbers.before_rake), ("all-ins adj.", numbers.all_in_adjusted))
    rows = [(name, found, f"{won.hands:,} hands") for name, won in told if (found := figure(won))]
    if not rows:
        return '<div class="note">The source does not tell what this player won.</div>'
    return whisker_rows(rows, width=420, unit="bb/100")
