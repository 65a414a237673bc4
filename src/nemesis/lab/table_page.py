"""Table: the visitor plays, and sees what the opponent thinks only if asked for."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from functools import partial
from html import escape
from typing import Any

from nicegui import run, ui

from nemesis.lab.fields import choice, number, switch
from nemesis.lab.frame import Frame, button, drawn, heading, note, relabel, tell, told
from nemesis.lab.hand_words import hand_detail, hand_result, hand_row, hand_story
from nemesis.lab.mind_panel import belief_drawing, learned_words, said, thinking
from nemesis.lab.opponents import about, lab_agent, opponents
from nemesis.lab.session_curve import session_line
from nemesis.lab.shapes.curves import line_chart
from nemesis.lab.shapes.felt import felt
from nemesis.lab.shapes.figures import whisker_rows
from nemesis.lab.table import Seating, Table
from nemesis.measure.mind import Mind
from nemesis.measure.result import counted
from nemesis.names import GAMES, describe
from nemesis.respond.agent import AgentError
from nemesis.rules.betting import CALL, FOLD
from nemesis.rules.by_name import game as named_game
from nemesis.rules.game import MAX_SEATS
from nemesis.solve.known_counter import known_counter

FIRST = ("no-limit", ("ashe-a4",))
"""Whom a new visitor meets, at which game."""
ENOUGH = 10
"""Hands after which a card tells what was learned."""
MOST_TABLES = 300
MOST_LISTED, MOST_MINDS = 40, 3
CHOSEN_HAND = "(e) => { const row = e.target.closest('[data-hand]'); if (row) emit(Number(row.dataset.hand)); }"
SIZES = (("½ pot", 0.5, "2"), ("¾ pot", 0.75, "3"), ("pot", 1.0, "4"), ("2 pots", 2.0, "5"))

_tables: OrderedDict[str, Table] = OrderedDict()
"""Tables in use, by visitor; one that is pushed out is restored from what the visitor's storage keeps."""


async def build(frame: Frame) -> None:
    """The page."""
    await _Page(frame).show()


class _Page:
    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.kept: dict[str, Any] = dict(frame.visitor.get("table", {}))
        self.table: Table
        self.chosen: int | None = None  # the hand of the history that is open
        self.busy = False
        self.seen = 0  # actions given when the page was drawn last
        saved = self.kept.get("saved")
        seating = saved["seating"] if saved else {"game": FIRST[0], "opponents": list(FIRST[1])}
        self.game: str = str(frame.query.get("game") or seating["game"])
        asked = frame.query.get("against", "")
        self.opponents: list[str] = asked.split(",")[: MAX_SEATS - 1] if asked else list(seating["opponents"])

    async def show(self) -> None:
        """Put everything in its place, then take the visitor's table up or lay a new one."""
        self._build_left()
        self._build_centre()
        self._build_right()
        for part in (self.deciding, self.sizing, self.after, self.learned, self.below, self.detail):
            part.set_visibility(False)
        ui.timer(0.01, self._open, once=True)

    def _build_left(self) -> None:
        with self.frame.left:
            heading("Your opponent")
            self.about = note("")
            heading("Another table")
            games = {name: f"{name}: {describe(spec).split(':')[0]}" for name, spec in GAMES.items()}
            self.game_field = choice("game", {name: name for name in games}, self.game, self._set_game)
            self.seats_field = number("seats", len(self.opponents) + 1, self._set_seats, least=2, most=MAX_SEATS)
            self.opponent_fields = ui.element("div").classes("stack")
            self._build_opponents()
            self.seed_field = number("seed, if you want these cards again", 0, lambda v: None, least=0, most=2**53)
            self.seed_field.value = None
            button("Sit down", self._sit_down, kind="main", key="n")
            heading("Help")
            switch("show my hand strength", bool(self.kept.get("hint")), lambda v: self._keep("hint", v))
            self.download = button("Download hands (PHH)", self._download, key="d")
            note(
                "Keys: f fold, c check or call, r raise, 1 to 5 and a sizes, ↑ ↓ by a blind, space next hand, m its mind."
            )

    def _build_opponents(self) -> None:
        self.opponent_fields.clear()
        names = opponents()
        with self.opponent_fields:
            for seat, name in enumerate(self.opponents):
                known = names if name in names else [name, *names]
                choice(
                    "opponent" if len(self.opponents) == 1 else f"seat {seat + 2}",
                    known,
                    name,
                    partial(self._set_opponent, seat),
                    typed=True,
                ).props("new-value-mode=add-unique").tooltip("Type any agent's name, such as tp+bluff=0.12")

    def _build_centre(self) -> None:
        with self.frame.centre:
            self.title = ui.label("").classes("big").props("role=heading aria-level=1")
            self.waiting = ui.element("div").classes("empty")
            with self.waiting:
                ui.label("The cards are being dealt…").classes("heading")
                note("The first time on this machine the players are compiled, which takes up to a minute.")
            self.felt = drawn(classes="table-felt").props("data-test=felt")
            self.story = ui.html("", sanitize=False).classes("told").props("aria-live=polite data-test=story")
            self.hint = ui.label("").classes("note told")
            with ui.element("div").classes("actions") as self.deciding:
                self.fold = button("Fold", lambda: self._act(FOLD), kind="fold-it wide", key="f").props(
                    "data-test=fold"
                )
                self.call = button("Check", lambda: self._act(CALL), kind="call wide", key="c").props("data-test=call")
                self.raise_ = button("Raise", self._raise, kind="raise wide", key="r").props("data-test=raise")
            with ui.element("div").classes("sizing") as self.sizing:
                button("least", lambda: self._size(0.0), kind="small", key="1", says="Raise the least")
                for words, pots, key in SIZES:
                    button(words, lambda pots=pots: self._size(pots), kind="small", key=key, says=f"Raise by {words}")
                button("all in", lambda: self._size(float("inf")), kind="small", key="a", says="Raise all in")
                self.slider = ui.slider(min=0, max=1, value=0, on_change=lambda e: self._sized(e.value))
                self.slider.props('dense aria-label="raise to"')
                self.amount = ui.number(value=0, min=0, precision=0, on_change=lambda e: self._sized(e.value))
                self.amount.props('outlined dense aria-label="raise to"')
                button("−", lambda: self._nudge(-1), kind="small bare", key="↓", says="Raise a blind less")
                button("+", lambda: self._nudge(1), kind="small bare", key="↑", says="Raise a blind more")
            with ui.element("div").classes("actions") as self.after:
                self.next = button("Next hand", self._next, kind="main wide", key="space").props("data-test=next")
                self.look = button("How was it played?", self._look_back, key="h")
            self.learned = ui.element("div").classes("panel learned")
            with ui.element("div").classes("columns") as self.below:
                with ui.element("div").classes("panel"):
                    heading("This session")
                    self.curve = drawn()
                    self.rate = drawn()
                with ui.element("div").classes("panel"):
                    heading("Hands you played")
                    self.hands = ui.html("", sanitize=False).classes("hands")
                    self.hands.on("click", lambda event: self._open_hand(int(event.args)), js_handler=CHOSEN_HAND)
            self.detail = ui.html("", sanitize=False).classes("panel").props("data-test=detail")

    def _build_right(self) -> None:
        with self.frame.right:
            heading("What it thinks")
            self.open_mind = switch("show its mind while I play (m)", False, lambda v: self._draw_mind())
            self.open_mind.props('data-key="m" title="Show its mind"')
            note("Off, so that playing stays fair: you see its thoughts when the hand is over.")
            self.mind_place = drawn(classes="stack").props("data-test=mind")

    # -- what the visitor does ---------------------------------------------------------------------------------

    def _keep(self, key: str, value: Any) -> None:
        self.kept[key] = value
        self.frame.visitor["table"] = dict(self.kept)
        self._draw()

    def _set_game(self, name: str) -> None:
        self.game = name
        self._set_seats(named_game(name).seats)
        self.seats_field.value = len(self.opponents) + 1

    def _set_seats(self, seats: float) -> None:
        wanted = int(seats) - 1
        if wanted != len(self.opponents):
            last = self.opponents[-1]
            self.opponents = [*self.opponents[:wanted], *[last] * (wanted - len(self.opponents))]
            self._build_opponents()

    def _set_opponent(self, seat: int, name: str) -> None:
        self.opponents[seat] = name

    async def _open(self) -> None:
        """The visitor's table: the one in use, the one that was kept, or a new one."""
        asked = bool(self.frame.query.get("against"))
        table = None if asked else _tables.get(self.frame.visitor_id)
        if table is None and not asked and (saved := self.kept.get("saved")):
            table = await asyncio.to_thread(_restored, saved)
        if table is None:
            wanted = self.frame.query.get("seed", "")
            seed = (
                int(wanted) if wanted.isascii() and wanted.isdigit() and len(wanted) < 19 else secrets.randbelow(2**31)
            )
            seating = Seating(self.game, tuple(self.opponents), seed)
            try:
                table = await asyncio.to_thread(Table, seating)
            except (ValueError, TypeError, OSError, AgentError) as error:
                tell(str(error), wrong=True)
                table = await asyncio.to_thread(Table, Seating(*FIRST, seating.seed))
        self._take(table)

    async def _sit_down(self) -> None:
        seed = self.seed_field.value
        seating = Seating(self.game, tuple(self.opponents), int(seed) if seed is not None else secrets.randbelow(2**31))
        self.waiting.set_visibility(True)
        try:
            self._take(await asyncio.to_thread(Table, seating))
        except (ValueError, TypeError, OSError, AgentError) as error:
            tell(str(error), wrong=True)
        self.waiting.set_visibility(False)

    async def _meet_another(self) -> None:
        names = [name for name in MEETABLE if name not in self.opponents]
        self.opponents = [secrets.choice(names)]
        self.game = "no-limit"
        self.game_field.value = self.game
        self.seats_field.value = 2
        self._build_opponents()
        await self._sit_down()

    def _take(self, table: Table) -> None:
        self.table = table
        self.chosen = None
        _tables[self.frame.visitor_id] = table
        _tables.move_to_end(self.frame.visitor_id)
        while len(_tables) > MOST_TABLES:
            _tables.popitem(last=False)
        self._save()
        self.waiting.set_visibility(False)
        self.below.set_visibility(True)
        names = ", ".join(table.names[1:])
        self.about.text = " ".join(
            f"{name}: {about(name) or 'an agent.'}" for name in dict.fromkeys(table.seating.opponents)
        )
        self.frame.say("seed", f"seed {table.seating.seed}")
        self.frame.say("table", f"{table.game.name} against {names}")
        self._draw(everything=True)

    def _save(self) -> None:
        self.kept["saved"] = self.table.save()
        self.frame.visitor["table"] = dict(self.kept)
        self.frame.saved()

    async def _find_counter(self) -> None:
        """Look for the best known counter; one that must be computed is computed in a process of its own."""
        table = self.table
        if table.counter is not None or table.counter_name or len(table.seating.opponents) != 1:
            return
        known = known_counter(table.seating.opponents[0], table.game)
        if known is None:
            return
        table.counter_name = f"{known.name} is being computed; it will stand here"
        self._draw_hands()
        try:
            if known.kind.startswith("computed"):
                await run.cpu_bound(make_counter, known.name, table.seating)
            made = await asyncio.to_thread(lab_agent, known.name, table.game)
        except (ValueError, OSError, AgentError):
            table.counter_name = ""
            return
        table.counter, table.counter_name = made, f"{known.name}, {known.kind}"
        self._draw_hands()

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

    async def _raise(self) -> None:
        legal = self.table.legal
        if legal.most:
            await self._act(max(legal.least, min(legal.most, int(self.amount.value or 0))))

    async def _next(self) -> None:
        if self.table.finished and self.table.over in (None, self.table.past[-1]):
            await self._sit_down()
            return
        self.table.next_hand()
        self.chosen = None
        self._save()
        self._draw(everything=True)

    def _size(self, pots: float) -> None:
        view, legal = self.table.view, self.table.legal
        if not legal.most:
            return
        wanted = (
            legal.least
            if pots == 0
            else legal.most
            if pots == float("inf")
            else view.bet + pots * (view.pot + view.to_call)
        )
        self._sized(wanted)

    def _nudge(self, by: int) -> None:
        self._sized(float(self.amount.value or 0) + by * self.table.view.big_blind)

    def _sized(self, value: Any) -> None:
        legal = self.table.legal
        if not legal.most or value is None:
            return
        chips = max(legal.least, min(legal.most, int(value)))
        self.slider.value = self.amount.value = chips
        relabel(self.raise_, f"{'Raise to' if self.table.view.bet else 'Bet'} {chips:,}")

    async def _look_back(self) -> None:
        await self._open_hand(self.table.hand.number)

    async def _open_hand(self, number: int) -> None:
        self.chosen = None if self.chosen == number else number
        self._draw_hands()
        if self.chosen is not None:
            await self._find_counter()

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
        self.felt.content = felt(
            table.game, table.seats(), deal.board, table.pot(), result=hand_result(table, deal) if over else ""
        )
        self.story.content = hand_story(deal)
        self.deciding.set_visibility(not over)
        self.after.set_visibility(over)
        self.sizing.set_visibility(False)
        self.hint.text = ""
        if over:
            ended = table.finished and table.over in (None, table.past[-1])
            relabel(self.next, "Sit down again" if ended else "Next hand")
        else:
            self._draw_choices()
        if everything:
            self._draw_hands()
            self._draw_curve()
            self._draw_learned()
        self._draw_mind()
        self.frame.say("hands", counted(len(table.results), "hand"))

    def _draw_choices(self) -> None:
        view, legal = self.table.view, self.table.legal
        self.fold.set_visibility(legal.to_call > 0)
        paid = min(legal.to_call, view.stack)
        relabel(self.call, f"Call {paid:,}" if legal.to_call else "Check")
        self.raise_.set_visibility(legal.most > 0)
        if legal.most:
            free = legal.most > legal.least
            self.sizing.set_visibility(free)
            self.slider.props(f"min={legal.least} max={legal.most} step={max(1, view.big_blind // 4)}")
            self.amount.props(f"min={legal.least} max={legal.most}")
            self._sized(legal.least if not free else min(legal.most, view.bet + 0.5 * (view.pot + view.to_call)))
        if self.kept.get("hint"):
            price = paid / (view.pot + paid) if paid else 0.0
            cost = f"; a call needs {price:.0%} to pay" if paid else ""
            ahead = f"and are ahead of {view.strength:.0%} as the board stands"
            self.hint.text = f"Against a random hand you win {view.win:.0%}, {ahead}{cost}."

    def _draw_hands(self) -> None:
        table = self.table
        until = table.over.number if table.over else len(table.past)
        shown = [deal for deal in reversed(table.past[-MOST_LISTED:]) if deal.number <= until]
        rows = "".join(hand_row(table.game, deal, deal.number == self.chosen) for deal in shown)
        self.hands.content = rows or said("Your finished hands stand here. Click one to see how it was played.")
        opened = next((deal for deal in shown if deal.number == self.chosen), None)
        self.detail.content = hand_detail(table, opened) if opened else ""
        self.detail.set_visibility(opened is not None)

    def _draw_curve(self) -> None:
        table = self.table
        unit, worth = table.game.unit
        if not table.results:
            self.curve.content = '<div class="note">Play a hand, and its chips are drawn here.</div>'
            self.rate.content = ""
            return
        big = worth / 1000 if unit.startswith("mBB") else 1.0
        axis = "big blinds" if unit.startswith("mBB") else "chips"
        line = session_line([result * big for result in table.results])
        self.curve.content = line_chart([line], width=380, height=190, x="hands", y=f"won, {axis}")
        low_high = table.rate()
        if len(table.results) > 1:
            behind = f"{len(table.results):,} hands, 95 % interval"
            self.rate.content = whisker_rows([("you take", low_high, behind)], width=380, unit=unit)

    def _draw_learned(self) -> None:
        table = self.table
        self.learned.clear()
        count = len(table.results)
        wanted = count >= ENOUGH and table.over is not None and self.kept.get("told") != table.seating.seed
        self.learned.set_visibility(wanted)
        if not wanted:
            return
        styles, shares, _ = table.believed()
        watched = table.minds.get(1)
        mind = watched.now if watched else Mind()
        with self.learned:
            ui.label(f"After {count} hands: what {table.names[1]} has learned about you").classes("heading")
            items = "".join(f"<li>{escape(line)}</li>" for line in learned_words(mind, styles, shares, count))
            ui.html(f'<ul class="plain">{items}</ul>', sanitize=False)
            with ui.element("div").classes("row-line"):
                button("See how", self._see_how, kind="main")
                button("Play on", self._play_on)
                button("Meet another", self._meet_another)

    def _see_how(self) -> None:
        self.open_mind.value = True
        self._play_on()

    def _play_on(self) -> None:
        self.kept["told"] = self.table.seating.seed
        self.frame.visitor["table"] = dict(self.kept)
        self.learned.set_visibility(False)

    def _draw_mind(self) -> None:
        open_now = bool(self.open_mind.value) or self.table.over is not None or self.table.finished
        self.mind_place.content = self._mind() if open_now else said("Its mind is closed while the hand is live.")

    def _mind(self) -> str:
        """What the opponents think, as HTML."""
        table, parts = self.table, []
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


MEETABLE = (
    "nl-la",
    "nl-lp",
    "nl-tp",
    "nl-ta",
    "hp",
    "cs",
    "hm",
    "cm",
    "sl",
    "ashe-a1",
    "ashe-a2",
    "ashe-a3",
    "ashe-a4",
)


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


def make_counter(name: str, seating: Seating) -> None:
    """Have a counter computed and kept in the cache; for a process of its own."""
    lab_agent(name, seating.made_game())
