"""Table: the visitor plays, and sees what the opponent thinks only if asked for."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from html import escape
from typing import Any

from nicegui import ui

from nemesis.lab.betting_panel import BettingPanel
from nemesis.lab.fields import switch
from nemesis.lab.frame import Frame, button, drawn, heading, note, relabel, tell, told
from nemesis.lab.hand_words import hand_result, hand_story
from nemesis.lab.mind_panel import belief_drawing, learned_words, said, thinking
from nemesis.lab.opponents import MEETABLE, about
from nemesis.lab.played_panel import PlayedPanel
from nemesis.lab.seating_panel import SeatingPanel
from nemesis.lab.shapes.felt import felt
from nemesis.lab.table import Seating, Table
from nemesis.measure.mind import Mind
from nemesis.measure.result import counted
from nemesis.respond.agent import AgentError
from nemesis.rules.betting import CALL, FOLD
from nemesis.rules.game import MAX_SEATS

FIRST = ("no-limit", ("ashe-a4",))
"""Whom a new visitor meets, at which game."""
ENOUGH = 10
"""Hands after which a card tells what was learned."""
MOST_TABLES = 300
MOST_MINDS = 3

_tables: OrderedDict[str, Table] = OrderedDict()
"""Tables in use, by visitor; one that is pushed out is restored from what the visitor's storage keeps."""


def prepare() -> None:
    """Load what the first visitor's table needs, so that its cards are there when the browser is."""
    felt_of(Table(Seating(*FIRST, seed=0)))


async def build(frame: Frame) -> None:
    """The page."""
    _Page(frame).show()


class _Page:
    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.kept: dict[str, Any] = dict(frame.visitor.get("table", {}))
        self.table: Table
        self.busy = False
        self.seen = 0  # actions given when the page was drawn last
        saved = self.kept.get("saved")
        seating = saved["seating"] if saved else {"game": FIRST[0], "opponents": list(FIRST[1])}
        asked = frame.query.get("against", "")
        names = asked.split(",")[: MAX_SEATS - 1] if asked else list(seating["opponents"])
        self.seating = SeatingPanel(str(frame.query.get("game") or seating["game"]), names, None, taken=1)
        self.betting = BettingPanel(self._act)
        self.played = PlayedPanel()

    def show(self) -> None:
        """Put everything in its place, then take the visitor's table up or lay a new one."""
        with self.frame.left:
            self.opponents_title = heading("Your opponent")
            self.about = ui.element("div").classes("stack tight")
            heading("Another table")
            self.seating.show()
            button("Sit down", self._sit_down, kind="main", key="n")
            heading("Help")
            switch("show my hand strength", bool(self.kept.get("hint")), lambda v: self._keep("hint", v))
            button("Download hands (PHH)", self._download, key="d")
        with self.frame.centre:
            self._build_centre()
        with self.frame.right:
            heading("What it thinks")
            self.open_mind = switch("show its mind while I play (m)", False, lambda v: self._draw_mind())
            self.open_mind.props('data-key="m" title="Show its mind"')
            note("Off, so that playing stays fair: you see its thoughts when the hand is over.")
            self.mind_place = drawn(classes="stack").props("data-test=mind")
        ui.timer(0.01, self._open, once=True)

    def _build_centre(self) -> None:
        self.title = ui.label("").classes("big").props("role=heading aria-level=1")
        self.waiting = ui.element("div").classes("empty")
        with self.waiting:
            ui.label("The cards are being dealt…").classes("heading")
            note("The first time on this machine the players are compiled, which takes up to a minute.")
        self.felt = drawn(classes="table-felt").props("data-test=felt")
        self.story = ui.html("", sanitize=False).classes("told lines").props("aria-live=polite data-test=story")
        self.betting.show()
        with ui.element("div").classes("actions") as self.after:
            self.next = button("Next hand", self._next, kind="main large", key="space").props("data-test=next")
            button("How was it played?", self._look_back, kind="tall", key="h")
        self.learned = ui.element("div").classes("panel learned")
        self.played.show()
        for part in (self.after, self.learned):
            part.set_visibility(False)

    # -- what the visitor does ---------------------------------------------------------------------------------

    def _keep(self, key: str, value: Any) -> None:
        self.kept[key] = value
        self.frame.visitor["table"] = dict(self.kept)
        self._draw()

    async def _open(self) -> None:
        """The visitor's table: the one in use, the one that was kept, or a new one."""
        asked = bool(self.frame.query.get("against"))
        table = None if asked else _tables.get(self.frame.visitor_id)
        if table is None and not asked and (saved := self.kept.get("saved")):
            table = await asyncio.to_thread(_restored, saved)
        if table is None:
            seating = Seating(self.seating.game, tuple(self.seating.players), _seed(self.frame.query.get("seed", "")))
            try:
                table = await asyncio.to_thread(Table, seating)
            except (ValueError, TypeError, OSError, AgentError) as error:
                tell(str(error), wrong=True)
                table = await asyncio.to_thread(Table, Seating(*FIRST, seating.seed))
        self._take(table)

    async def _sit_down(self) -> None:
        seed = self.seating.seed
        chosen = secrets.randbelow(2**31) if seed is None else seed
        self.waiting.set_visibility(True)
        try:
            seating = Seating(self.seating.game, tuple(self.seating.players), chosen)
            self._take(await asyncio.to_thread(Table, seating))
        except (ValueError, TypeError, OSError, AgentError) as error:
            tell(str(error), wrong=True)
        self.waiting.set_visibility(False)

    async def _meet_another(self) -> None:
        names = [name for name in MEETABLE if name not in self.table.seating.opponents]
        self.seating.choose("no-limit", [secrets.choice(names)])
        await self._sit_down()

    def _take(self, table: Table) -> None:
        self.table = table
        self.played.take(table)
        _tables[self.frame.visitor_id] = table
        _tables.move_to_end(self.frame.visitor_id)
        while len(_tables) > MOST_TABLES:
            _tables.popitem(last=False)
        self._save()
        self.waiting.set_visibility(False)
        self.opponents_title.text = "Your opponent" if table.game.seats == 2 else "Your opponents"
        self.about.clear()
        with self.about:
            for name in dict.fromkeys(table.seating.opponents):
                ui.html(f"<b>{escape(name)}</b> {escape(about(name))}", sanitize=False).classes("note")
        self.frame.say("seed", f"seed {table.seating.seed}")
        self.frame.say("table", f"{table.game.name}, {table.game.seats} seats")
        self._draw(everything=True)

    def _save(self) -> None:
        self.kept["saved"] = self.table.save()
        self.frame.visitor["table"] = dict(self.kept)
        self.frame.saved()

    async def _act(self, action: int) -> None:
        if self.busy or self.table.over is not None or self.table.finished:
            return
        if action == FOLD and not self.table.legal.to_call:
            action = CALL
        self.busy = True
        try:
            await asyncio.to_thread(_play, self.table, action, self.seen)
        except (ValueError, AgentError) as error:
            tell(str(error), wrong=True)
        finally:
            self.busy = False
        self._save()
        self._draw(everything=self.table.over is not None)

    async def _next(self) -> None:
        if self.table.finished and self.table.over in (None, self.table.past[-1]):
            await self._sit_down()
            return
        self.table.next_hand()
        self.played.leave_hand()
        self._save()
        self._draw(everything=True)

    async def _look_back(self) -> None:
        await self.played.toggle(self.table.hand.number)

    def _download(self) -> None:
        with told():
            if not self.table.past:
                raise ValueError("no hand is finished yet; play one first")
            text = self.table.phh()
            ui.download.content(text, f"nemesis-{self.table.game.name}-{self.table.seating.seed}.phhs", "text/plain")

    # -- what the visitor sees ---------------------------------------------------------------------------------

    def _draw(self, everything: bool = False) -> None:
        table = self.table
        deal, over = table.hand, table.over is not None or table.finished
        self.seen = len(table.given)
        self.title.text = f"Hand {deal.number + 1:,} against {', '.join(table.names[1:])}"
        self.felt.content = felt_of(table)
        self.story.content = hand_story(table.game, deal)
        self.after.set_visibility(over)
        if over:
            self.betting.close()
            ended = table.finished and table.over in (None, table.past[-1])
            relabel(self.next, "Sit down again" if ended else "Next hand")
        else:
            self.betting.open(table, hint=bool(self.kept.get("hint")))
        if everything:
            self.played.draw()
            self.played.draw_curve()
            self._draw_learned()
        self._draw_mind()
        self.frame.say("hands", counted(len(table.results), "hand"))

    def _draw_learned(self) -> None:
        """The card that tells, after some hands, what the opponent has learned."""
        table = self.table
        self.learned.clear()
        count = len(table.results)
        wanted = count >= ENOUGH and table.over is not None and self.kept.get("told") != table.seating.seed
        self.learned.set_visibility(wanted)
        if not wanted:
            return
        styles, shares, who = table.believed()
        watched = table.minds.get(1)
        mind = watched.now if watched else Mind()
        with self.learned:
            ui.label(f"After {count} hands: what {table.names[1]} has learned about you").classes("heading")
            lines = learned_words(mind, styles, shares, count, onlooker=not who)
            items = "".join(f"<li>{escape(line)}</li>" for line in lines)
            ui.html(f'<ul class="plain">{items}</ul>', sanitize=False)
            with ui.element("div").classes("row-line"):
                button("See how", self._see_how, kind="main")
                button("Play on", self._play_on)
                button("Meet another", self._meet_another)

    def _see_how(self) -> None:
        self.open_mind.value = True
        self.frame.open_right()
        self._play_on()

    def _play_on(self) -> None:
        self.kept["told"] = self.table.seating.seed
        self.frame.visitor["table"] = dict(self.kept)
        self.learned.set_visibility(False)

    def _draw_mind(self) -> None:
        open_now = bool(self.open_mind.value) or self.table.over is not None or self.table.finished
        self.mind_place.content = _minds(self.table) if open_now else said("Its mind is closed while the hand is live.")


def felt_of(table: Table) -> str:
    """The table as the visitor sees it."""
    over = table.over is not None or table.finished
    result = hand_result(table, table.hand) if over else ""
    return felt(table.game, table.seats(), table.hand.board, table.pot(), result=result)


def _minds(table: Table) -> str:
    """What the opponents think, as HTML."""
    parts = []
    for seat in range(1, min(len(table.names), MOST_MINDS + 1)):
        watched, mind = table.minds.get(seat), table.mind(seat)
        parts.append(said(table.names[seat], "heading"))
        if watched is None:
            parts.append(said("It is written in Python; its mind cannot be read."))
            continue
        now = watched.now
        parts.append(said(now.manner))
        if mind is not None:
            parts.append(thinking(mind))
        elif now.models:
            parts.append(said("It has made no decision in this hand yet."))
    if len(table.names) > MOST_MINDS + 1:
        parts.append(said("The others are not shown."))
    styles, shares, who = table.believed()
    if styles:
        parts.append(said(f"What {who} believes" if who else "What somebody who looks on would believe", "heading"))
        parts.append(said("From your actions alone, by Bayes' rule; below it, hand by hand."))
        parts.append(belief_drawing(styles, shares, table.trail[-200:]))
    return "".join(parts)


def _seed(asked: str) -> int:
    """The seed that an address asks for, or any."""
    return int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 16 else secrets.randbelow(2**31)


def _restored(saved: dict[str, Any]) -> Table | None:
    """The table that was kept; None if it can no longer be played, for its agents may have changed."""
    try:
        return Table.restored(saved)
    except (KeyError, TypeError, ValueError, OSError, AgentError):
        return None


def _play(table: Table, action: int, known: int) -> None:
    """Play an action, if the table still stands where the visitor saw it."""
    with table.lock:
        if len(table.given) != known:
            raise ValueError("this hand went on in another window; here it is as it stands now")
        table.act(action)
