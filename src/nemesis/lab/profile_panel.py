"""One player: numbers with intervals, where they deviate from everybody's, style through time, and the hands behind each."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Awaitable, Callable
from functools import partial
from html import escape
from typing import Any
from urllib.parse import quote

from nicegui import ui

from nemesis.lab.fields import switch
from nemesis.lab.frame import button, drawn, heading, note
from nemesis.lab.progress import on_pick
from nemesis.lab.shapes.cards import card_row
from nemesis.lab.shapes.curves import Line, line_chart
from nemesis.lab.shapes.figures import whisker_rows
from nemesis.lab.shapes.profile import deviation_table, number_rows
from nemesis.lab.shapes.svg import signed
from nemesis.lab.store_view import PlayerView, store_view
from nemesis.measure.player_hands import PlayedHand
from nemesis.measure.player_numbers import BY_NAME, Winnings
from nemesis.observe.store import StoreError
from nemesis.respond.clone import LEAST_HANDS
from nemesis.rules.cards import parse_cards
from nemesis.rules.games import no_limit

HANDS_PAGE = 12
WIDTH = 330
TRAIL = {"vpip": "var(--la)", "pfr": "var(--ta)", "aggression": "var(--tp)"}


class ProfilePanel:
    """A player's profile in the centre, and hands on the right; `go` opens the list, a number or a hand."""

    def __init__(
        self, profile: PlayerView, centre: ui.element, right: ui.element,
        on_list: Callable[[], Awaitable[None]], on_number: Callable[[str | None], Awaitable[None]],
        on_hand: Callable[[int], Awaitable[None]],
    ) -> None:  # fmt: skip
        self.profile, self.centre, self.right = profile, centre, right
        self.on_list, self.on_number, self.on_hand = on_list, on_number, on_hand
        self.number: str | None = None
        self.made = False
        self.first = 0
        self._asked = 0
        self._analysis: Any = None

    def show(self, number: str | None) -> None:
        """Draw the profile, with this number chosen."""
        if number != self.number:
            self.number, self.first = number, 0
        numbers = self.profile.numbers
        self.centre.clear()
        with self.centre:
            with ui.element("div").classes("row-line"):
                button("‹ list", self.on_list, key="b", says="Back to the list")
                ui.label(numbers.player).classes("big").props("role=heading aria-level=1")
                note(" · ".join(filter(None, [numbers.room, f"{numbers.hands:,} hands"])))
                self.kind = ui.label().classes("chip")
                if numbers.hands >= LEAST_HANDS:
                    ui.space()
                    against = quote(f"clone:{numbers.player}" + (f"@{numbers.room}" if numbers.room else ""))
                    says = "Sit down against somebody who plays as this player does"
                    play = partial(ui.navigate.to, f"/table?game=no-limit&against={against}")
                    button("Play against a clone", play, key="c", says=says)
            with ui.element("div").classes("panel"):
                heading("What this player does", "Pick a row to see the hands behind it. Hollow circles are everybody.")
                shares = [share for name, share in numbers.shares.items() if name in BY_NAME]
                on_pick(drawn(number_rows(shares, chosen=number or "")), "pick", self._pick)
            with ui.element("div").classes("panel"):
                heading("Where this player deviates most", "Of all that is told here, one in twenty may be chance.")
                self.deviations = drawn('<div class="note">comparing with everybody …</div>', classes="scroll")
                on_pick(self.deviations, "pick", self._pick)
                self.predictable = note("")
            with ui.element("div").classes("columns"):
                with ui.element("div").classes("panel"):
                    heading("Style through time", "In consecutive stretches of hands, each with its 95 % interval.")
                    drawn(_trail_chart(self.profile), classes="full")
                with ui.element("div").classes("panel"):
                    heading("Winnings", "Big blinds per 100 hands.")
                    drawn(_winnings(self.profile), classes="full")
            ui.timer(0.05, self._analyse, once=True)

    async def _pick(self, name: str) -> None:
        if name in BY_NAME:
            await self.on_number(None if name == self.number else name)

    async def _analyse(self) -> None:
        """What takes longer: the kind of player, where it deviates and how well it is predicted."""
        if self._analysis is None:
            self._analysis = asyncio.ensure_future(store_view().analysis(self.profile))
        try:
            told = await asyncio.shield(self._analysis)
        except (StoreError, ValueError) as error:
            self._analysis = None
            self.deviations.content = f'<div class="note">{escape(str(error))}</div>'
            return
        self.kind.text = f"{told.kind.words}, {min(told.kind.sure_loose, told.kind.sure_aggressive):.0%} sure"
        self.deviations.content = deviation_table(told.deviations) or (
            f'<div class="note">Nothing that {told.compared} comparisons make sure of. More hands would tell more.</div>'
        )
        well = told.predictability
        if well is not None:
            low, high = (signed(end, 3) for end in well.gain_ci95)
            self.predictable.text = (
                f"Of this player's {well.decisions:,} decisions {well.accuracy:.0%} are predicted right, with a log-loss "
                f"of {well.log_loss:.3f}. Knowing who it is improves that by {signed(well.gain, 3)} ({low} … {high})."
            )

    async def show_hands(self) -> None:
        """The hands behind the chosen number, or all, on the right, if nothing else was asked for meanwhile."""
        self._asked += 1
        asked = self._asked
        total, hands = await store_view().hands(self.profile.number, self.number, self.made, self.first, HANDS_PAGE)
        if asked != self._asked:
            return
        self.right.clear()
        with self.right:
            chosen = BY_NAME[self.number] if self.number else None
            heading(f"Hands behind {chosen.title}" if chosen else "All hands", chosen.about if chosen else "")
            if chosen:
                switch("only where it was done", self.made, self._set_made)
            for hand in hands:
                self._show_hand(hand, counted=chosen is not None)
            if not hands:
                note("No hand counts here.")
            with ui.element("div").classes("row-line"):
                note(f"{min(total, self.first + 1):,}–{min(total, self.first + HANDS_PAGE):,} of {total:,}")
                ui.space()
                button("‹", lambda: self._turn(-HANDS_PAGE, total), kind="bare", key="←", says="Later hands")
                button("›", lambda: self._turn(HANDS_PAGE, total), kind="bare", key="→", says="Earlier hands")

    def leave(self) -> None:
        """Something else is shown now: hands that are still on their way are not drawn."""
        self._asked += 1

    def _show_hand(self, hand: PlayedHand, *, counted: bool) -> None:
        with ui.element("button").classes("job-line").props("type=button") as line:
            with ui.element("div").classes("job-top"):
                ui.label(_moment(hand.time) or f"hand {hand.name}").classes("job-name")
                won = hand.won or 0.0
                look = "good" if won > 0 else "bad" if won < 0 else "note"
                ui.label("" if hand.won is None else f"{signed(won, 1)} bb").classes(look)
            with ui.element("div").classes("job-top"):
                ui.html(_cards(hand), sanitize=False).classes("small-cards")
                note(f"did it {hand.made:g} of {hand.of}" if counted else f"{hand.seats} players")
        line.on("click", partial(self.on_hand, hand.hand))

    async def _set_made(self, made: bool) -> None:
        self.made, self.first = made, 0
        await self.show_hands()

    async def _turn(self, by: int, total: int) -> None:
        self.first = max(0, min(self.first + by, (max(1, total) - 1) // HANDS_PAGE * HANDS_PAGE))
        await self.show_hands()


def _cards(hand: PlayedHand) -> str:
    """The player's cards, if they were shown, and the board."""
    own = card_row(no_limit(), parse_cards(hand.cards), height=28) if hand.cards else "cards not shown"
    return own + (card_row(no_limit(), parse_cards(hand.board), height=28) if hand.board else "")


def _moment(time: datetime.datetime | None) -> str:
    return time.strftime("%Y-%m-%d %H:%M") if time else ""


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
        lines, width=WIDTH, height=210, x="hands", y="per cent", span=(0.0, 100.0), ends=(0, profile.numbers.hands)
    )


def _winnings(profile: PlayerView) -> str:
    def figure(won: Winnings) -> tuple[float, float, float] | None:
        return None if won.mean is None or won.ci95 is None else (won.mean, *won.ci95)

    numbers = profile.numbers
    told = (("won", numbers.won), ("before rake", numbers.before_rake), ("all-ins adj.", numbers.all_in_adjusted))
    rows = [(name, found, f"{won.hands:,} hands") for name, won in told if (found := figure(won))]
    if not rows:
        return '<div class="note">The source does not tell what this player won.</div>'
    return whisker_rows(rows, width=WIDTH, unit="bb/100")
