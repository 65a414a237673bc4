"""What the visitor may do now: fold, check or call, and a raise whose size is set by keys, pot buttons, slider or number."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import ui

from nemesis.lab.frame import button, relabel
from nemesis.lab.table import YOU, Table
from nemesis.rules.betting import CALL, FOLD

SIZES = (("½ pot", 0.5, "2"), ("¾ pot", 0.75, "3"), ("pot", 1.0, "4"), ("2 pots", 2.0, "5"))
LEAST, ALL_IN = 0.0, math.inf
"""Sizes in pots that stand for the ends of what is allowed."""


class BettingPanel:
    """Buttons of a table; `act` plays an action."""

    def __init__(self, act: Callable[[int], Awaitable[None]]) -> None:
        self._act = act
        self._table: Table | None = None

    def show(self) -> None:
        """Put the buttons where we are, hidden until there is something to decide."""
        self._hint = ui.label("").classes("note told")
        with ui.element("div").classes("actions") as self._deciding:
            self._fold = button("Fold", lambda: self._act(FOLD), kind="fold-it large", key="f").props("data-test=fold")
            self._call = button("Check", lambda: self._act(CALL), kind="call large", key="c").props("data-test=call")
            self._raise = button("Raise", self._play_raise, kind="raise large", key="r").props("data-test=raise")
        with ui.element("div").classes("sizing") as self._sizing:
            button("least", lambda: self._size(LEAST), kind="small", key="1", says="Raise the least")
            for words, pots, key in SIZES:
                button(words, lambda pots=pots: self._size(pots), kind="small", key=key, says=f"Raise by {words}")
            button("all in", lambda: self._size(ALL_IN), kind="small", key="a", says="Raise all in")
            with ui.element("div").classes("row-line"):
                self._slider = ui.slider(min=0, max=1, value=0, on_change=lambda e: self._set(e.value))
                self._slider.props('dense aria-label="raise to"')
                self._amount = ui.number(value=0, min=0, precision=0, on_change=lambda e: self._set(e.value))
                self._amount.props('outlined dense aria-label="raise to"')
                button("−", lambda: self._nudge(-1), kind="small bare", key="↓", says="Raise a blind less")
                button("+", lambda: self._nudge(1), kind="small bare", key="↑", says="Raise a blind more")
        self.close()

    def close(self) -> None:
        """Hide everything: there is nothing to decide."""
        self._table = None
        self._hint.text = ""
        self._deciding.set_visibility(False)
        self._sizing.set_visibility(False)

    def open(self, table: Table, *, hint: bool) -> None:
        """Offer what the visitor may do at this table; `hint` tells how strong the hand is."""
        self._table = table
        view, legal = table.view, table.legal
        self._deciding.set_visibility(True)
        self._fold.set_visibility(legal.to_call > 0)
        paid = min(legal.to_call, view.stack)
        relabel(self._call, f"Call {paid:,}" if legal.to_call else "Check")
        self._raise.set_visibility(legal.most > 0)
        free = legal.most > legal.least > 0
        self._sizing.set_visibility(free)
        if legal.most:
            self._slider.props(f"min={legal.least} max={legal.most} step={max(1, view.big_blind // 4)}")
            self._amount.props(f"min={legal.least} max={legal.most}")
            self._set(min(legal.most, view.bet + 0.5 * (view.pot + view.to_call)) if free else legal.least)
        self._hint.text = _strength(table, paid) if hint else ""

    async def _play_raise(self) -> None:
        if self._table is not None and (most := self._table.legal.most):
            await self._act(max(self._table.legal.least, min(most, int(self._amount.value or 0))))

    def _size(self, pots: float) -> None:
        if self._table is None or not (most := self._table.legal.most):
            return
        view = self._table.view
        ends = {LEAST: self._table.legal.least, ALL_IN: most}
        self._set(ends[pots] if pots in ends else view.bet + pots * (view.pot + view.to_call))

    def _nudge(self, by: int) -> None:
        if self._table is not None:
            self._set(float(self._amount.value or 0) + by * self._table.view.big_blind)

    def _set(self, value: Any) -> None:
        if self._table is None or not (legal := self._table.legal).most or not isinstance(value, (int, float)):
            return
        chips = max(legal.least, min(legal.most, int(value)))
        self._slider.value = self._amount.value = chips
        everything = chips - self._table.view.wagers[YOU] == self._table.view.stack
        verb = "All in" if everything else "Raise to" if self._table.view.bet else "Bet"
        relabel(self._raise, f"{verb} {chips:,}")


def _strength(table: Table, paid: int) -> str:
    view = table.view
    cost = f"; a call needs {paid / (view.pot + paid):.0%} to pay" if paid else ""
    ahead = f"and are ahead of {view.strength:.0%} as the board stands"
    return f"Against a random hand you win {view.win:.0%}, {ahead}{cost}."
