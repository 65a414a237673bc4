"""The hands that a visitor has played: what they brought, with the interval, and each with the counter's advice."""

from __future__ import annotations

import asyncio

from nicegui import run, ui

from nemesis.lab.frame import drawn, heading
from nemesis.lab.hand_words import hand_detail, hand_row
from nemesis.lab.mind_panel import said
from nemesis.lab.opponents import lab_agent
from nemesis.lab.session_curve import session_line
from nemesis.lab.shapes.curves import line_chart
from nemesis.lab.shapes.figures import whisker_rows
from nemesis.lab.table import Seating, Table
from nemesis.respond.agent import AgentError
from nemesis.solve.known_counter import known_counter

MOST_LISTED = 40
WIDTH = 330
CHOSEN_HAND = "(e) => { const row = e.target.closest('[data-hand]'); if (row) emit(Number(row.dataset.hand)); }"


class PlayedPanel:
    """The session's curve, its hands, and the one that is open."""

    def __init__(self) -> None:
        self._table: Table | None = None
        self._chosen: int | None = None

    def show(self) -> None:
        """Put the panels where we are, hidden until a table is taken."""
        with ui.element("div").classes("columns") as self._below:
            with ui.element("div").classes("panel"):
                heading("This session")
                self._curve = drawn(classes="full")
                self._rate = drawn(classes="full")
            with ui.element("div").classes("panel"):
                heading("Hands you played")
                self._hands = ui.html("", sanitize=False).classes("hands")
                self._hands.on("click", lambda event: self.toggle(event.args), js_handler=CHOSEN_HAND)
        self._detail = ui.html("", sanitize=False).classes("panel").props("data-test=detail")
        self._below.set_visibility(False)
        self._detail.set_visibility(False)

    def take(self, table: Table) -> None:
        """Show the hands of this table from now on."""
        self._table, self._chosen = table, None
        self._below.set_visibility(True)

    def leave_hand(self) -> None:
        """Close the hand that is open."""
        self._chosen = None

    async def toggle(self, number: object) -> None:
        """Open a hand, or close it if it is open; look for the best known counter to judge it by."""
        if not isinstance(number, int):
            return
        self._chosen = None if self._chosen == number else number
        self.draw()
        if self._chosen is not None:
            await self._find_counter()

    def draw(self) -> None:
        """The list, and the hand that is open."""
        if (table := self._table) is None:
            return
        until = table.over.number if table.over else len(table.past)
        shown = [deal for deal in reversed(table.past[-MOST_LISTED:]) if deal.number <= until]
        rows = "".join(hand_row(table.game, deal, deal.number == self._chosen) for deal in shown)
        self._hands.content = rows or said("Your finished hands stand here. Click one to see how it was played.")
        opened = next((deal for deal in shown if deal.number == self._chosen), None)
        self._detail.content = hand_detail(table, opened) if opened else ""
        self._detail.set_visibility(opened is not None)

    def draw_curve(self) -> None:
        """What the hands brought, and what they would bring in the long run."""
        if (table := self._table) is None:
            return
        unit, worth = table.game.unit
        if not table.results:
            self._curve.content = said("Play a hand, and its chips are drawn here.")
            self._rate.content = ""
            return
        big = worth / 1000 if unit.startswith("mBB") else 1.0
        axis = "big blinds" if unit.startswith("mBB") else "chips"
        line = session_line([result * big for result in table.results])
        self._curve.content = line_chart([line], width=WIDTH, height=180, x="hands", y=f"won, {axis}")
        if len(table.results) > 1:
            behind = f"{len(table.results):,} hands, 95 % interval"
            self._rate.content = whisker_rows([("you take", table.rate(), behind)], width=WIDTH, unit=unit)

    async def _find_counter(self) -> None:
        """Look for the best known counter; one that must be computed is computed in a process of its own."""
        table = self._table
        if table is None or table.counter is not None or table.counter_name or len(table.seating.opponents) != 1:
            return
        known = known_counter(table.seating.opponents[0], table.game)
        if known is None:
            return
        table.counter_name = f"{known.name} is being computed; it will stand here"
        self.draw()
        try:
            if known.kind.startswith("computed"):
                await run.cpu_bound(make_counter, known.name, table.seating)
            made = await asyncio.to_thread(lab_agent, known.name, table.game)
        except (ValueError, OSError, AgentError):
            table.counter_name = ""
            return
        table.counter, table.counter_name = made, f"{known.name}, {known.kind}"
        self.draw()


def make_counter(name: str, seating: Seating) -> None:
    """Have a counter computed and kept in the cache; for a process of its own."""
    lab_agent(name, seating.made_game())
