"""Watch: two to ten agents play, at any speed, with their minds open."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from typing import Any

import numpy as np
from nicegui import ui

from nemesis.lab.exhibition import Exhibition
from nemesis.lab.fields import choice
from nemesis.lab.frame import Frame, button, drawn, heading, note, relabel, tell
from nemesis.lab.hand_words import hand_story
from nemesis.lab.mind_panel import belief_drawing, said, thinking
from nemesis.lab.seating_panel import SeatingPanel
from nemesis.lab.session_curve import session_line
from nemesis.lab.shapes.cells import cell_plots
from nemesis.lab.shapes.curves import line_chart
from nemesis.lab.shapes.felt import felt
from nemesis.lab.shapes.figures import whisker_rows
from nemesis.lab.shapes.svg import SERIES
from nemesis.lab.tree_panel import tree_nodes
from nemesis.measure.controller_picture import controller
from nemesis.measure.interval import mean_interval
from nemesis.measure.result import counted
from nemesis.respond.agent import AgentError
from nemesis.respond.ashe import Ashe
from nemesis.respond.hypercube import BETS, POSITION_NAMES, Hypercube
from nemesis.rules.game import MAX_SEATS, STREETS

FIRST = ("no-limit", ("ashe-a4", "nl-la"), 1)
TICK = 0.2
BUDGET = 0.06
"""Seconds of a tick that may be spent on playing, so that the page stays quick."""
SPEEDS: dict[float, str] = {
    0.0: "step by step",
    1.0: "1 decision/s",
    5.0: "1 hand/s",
    50.0: "10 hands/s",
    500.0: "100 hands/s",
    5000.0: "1,000 hands/s",
}
"""Decisions a second, about; from 100 hands a second on, kernels play without stopping."""
LEAP = 500.0
WIDTH = 330
MOST_SHOWS, MOST_MINDS = 60, 3

_shows: OrderedDict[str, Exhibition] = OrderedDict()


async def build(frame: Frame) -> None:
    """The page."""
    await _Page(frame).show()


class _Page:
    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        kept = frame.visitor.get("watch", {})
        asked = frame.query.get("players", "")
        self.asked = bool(asked)
        game = str(frame.query.get("game") or kept.get("game", FIRST[0]))
        players = asked.split(",")[:MAX_SEATS] if asked else list(kept.get("players", FIRST[1]))
        self.seating = SeatingPanel(game, players, kept.get("seed", FIRST[2]), taken=0)
        self.speed: float = kept.get("speed", 1.0)
        self.seat = 0
        self.street = 0
        self.match: Exhibition | None = None
        self.busy = False
        self.ticks = 0

    async def show(self) -> None:
        """Put everything in its place and seat the players."""
        with self.frame.left:
            heading("Who plays", "Two to ten agents, at any game that they play.")
            self.seating.show()
            button("Seat them", self._seat_them, kind="main", key="n")
            note("The same seed deals the same cards, here and on the command line.")
        with self.frame.centre:
            self.title = ui.label("").classes("big").props("role=heading aria-level=1")
            self.felt = drawn(classes="table-felt").props("data-test=felt")
            self.story = ui.html("", sanitize=False).classes("told lines")
            with ui.element("div").classes("actions"):
                self.run = button("Play", self._toggle, kind="main", key="space").props("data-test=run")
                button("Step", self._step, key="→", says="One decision on").props("data-test=step")
                button("Hand", self._one_hand, key="h", says="To the end of the hand")
                button("1,000 hands", self._thousand, key="k", says="A thousand hands at once")
                choice("speed", SPEEDS, self.speed, self._set_speed).classes("speed")
            with ui.element("div").classes("columns"):
                with ui.element("div").classes("panel"):
                    heading("Earnings", "Lines are sums, bands the 95 % interval of the mean times the hands.")
                    self.curve = drawn(classes="full")
                with ui.element("div").classes("panel"):
                    heading("A hand is worth")
                    self.rates = drawn(classes="full")
            with ui.element("div").classes("panel") as self.model_panel:
                self.model_title = ui.label("").classes("heading")
                self.model_note = note("")
                self.tree = ui.tree([], label_key="label").props("dense no-transition").classes("pattern-tree")
                self.street_field = choice("street", list(STREETS), STREETS[0], self._set_street).classes("wide-field")
                self.cells = drawn()
        with self.frame.right:
            heading("Whose mind")
            self.seat_field = choice("player", {0: self.seating.players[0]}, 0, self._set_seat)
            self.mind_place = drawn(classes="stack")
        self.timer = ui.timer(TICK, self._tick, active=False)
        ui.timer(0.01, self._open, once=True)

    def _set_speed(self, speed: float) -> None:
        self.speed = speed
        self._keep()
        if speed == 0.0:
            self._run(False)

    def _set_seat(self, seat: int) -> None:
        self.seat = seat
        self._draw(everything=True)

    def _set_street(self, name: str) -> None:
        self.street = STREETS.index(name)
        self._draw_model()

    def _keep(self) -> None:
        chosen = self.seating
        kept = {"game": chosen.game, "players": chosen.players, "seed": chosen.seed, "speed": self.speed}
        self.frame.visitor["watch"] = kept

    async def _open(self) -> None:
        match = None if self.asked else _shows.get(self.frame.visitor_id)
        if match is None:
            await self._seat_them(quiet=True)
        else:
            self._take(match)

    async def _seat_them(self, quiet: bool = False) -> None:
        self._run(False)
        self.title.text = "The players sit down… the first time they are compiled, which takes up to a minute."
        try:
            chosen = self.seating
            seed = secrets.randbelow(2**31) if chosen.seed is None else chosen.seed
            match = await asyncio.to_thread(Exhibition, chosen.game, tuple(chosen.players), seed)
        except (ValueError, TypeError, OSError, AgentError) as error:
            tell(str(error), wrong=True)
            if self.match is not None:
                self._draw()
            return
        self._keep()
        self._take(match)
        if not quiet:
            self._run(self.speed > 0)

    def _take(self, match: Exhibition) -> None:
        self.match, self.seat = match, 0
        _shows[self.frame.visitor_id] = match
        _shows.move_to_end(self.frame.visitor_id)
        while len(_shows) > MOST_SHOWS:
            _shows.popitem(last=False)
        self.seat_field.set_options(dict(enumerate(match.names)), value=0)
        self._draw(everything=True)

    def _toggle(self) -> None:
        if self.speed == 0.0:
            self.speed = 1.0
        self._run(not self.timer.active)

    def _run(self, on: bool) -> None:
        self.timer.active = on
        relabel(self.run, "Pause" if on else "Play")

    async def _do(self, work: Any, everything: bool = True) -> None:
        """Play in a thread, then draw; a click while something is played is passed over."""
        if self.busy or self.match is None:
            return
        self.busy = True
        try:
            await asyncio.to_thread(work, self.match)
        except (ValueError, AgentError) as error:
            self._run(False)
            tell(str(error), wrong=True)
        finally:
            self.busy = False
        if self.match.finished:
            self._run(False)
        self._draw(everything)

    async def _step(self) -> None:
        self._run(False)
        await self._do(lambda match: match.step())

    async def _one_hand(self) -> None:
        self._run(False)
        await self._do(lambda match: match.play(1, 2.0))

    async def _thousand(self) -> None:
        await self._do(lambda match: match.leap(1000) or match.play(1000, 5.0))

    async def _tick(self) -> None:
        self.ticks += 1
        speed = self.speed
        if speed <= 1.0:
            if self.ticks % round(1 / TICK) == 0:
                await self._do(lambda match: match.step())
        elif speed >= LEAP:
            hands = round(speed / 5 * TICK)
            await self._do(lambda match: match.leap(hands) or match.play(hands, BUDGET), self.ticks % 5 == 0)
        elif speed <= 5.0:
            await self._do(lambda match: match.step(), self.ticks % 5 == 0)
        else:
            await self._do(lambda match: match.play(round(speed / 5 * TICK), BUDGET), self.ticks % 5 == 0)

    # -- what is seen --------------------------------------------------------------------------------------------

    def _draw(self, everything: bool = False) -> None:
        match = self.match
        if match is None:
            return
        deal = match.deal
        hands = len(match.results)
        self.title.text = f"{' v '.join(match.names)} · {counted(hands, 'hand')} played"
        result = ""
        if match.over:
            best = max(range(len(match.names)), key=lambda seat: deal.payoffs[seat])
            result = f"{match.names[best]} wins {deal.payoffs[best]:,}"
        if match.finished:
            result += " · the match is over"
        self.felt.content = felt(match.game, match.seats(), deal.board, match.pot(), result=result)
        self.story.content = hand_story(match.game, deal)
        self.frame.say("seed", f"seed {match.seed}")
        self.frame.say("hands", counted(hands, "hand"))
        if everything:
            self._draw_earnings(match)
            self._draw_mind(match)
            self._draw_model()

    def _draw_earnings(self, match: Exhibition) -> None:
        unit, worth = match.game.unit
        if not match.results:
            self.curve.content = '<div class="note">Nothing is won yet.</div>'
            self.rates.content = ""
            return
        results = np.array(match.results, float)
        big = worth / 1000 if unit.startswith("mBB") else 1.0
        axis = "big blinds" if unit.startswith("mBB") else "chips"
        seats = range(len(match.names))
        lines = [session_line((results[:, s] * big).tolist(), match.names[s], SERIES[s % len(SERIES)]) for s in seats]
        self.curve.content = line_chart(lines, width=WIDTH, height=210, x="hands", y=f"won, {axis}")
        if len(results) > 1:
            rows = []
            for seat in seats:
                mean, (low, high) = mean_interval(results[:, seat] * worth)
                rows.append((match.names[seat], (mean, low, high), f"{len(results):,} hands"))
            colours = {match.names[seat]: SERIES[seat % len(SERIES)] for seat in seats}
            self.rates.content = whisker_rows(rows, width=WIDTH, unit=unit, colours=colours)

    def _draw_mind(self, match: Exhibition) -> None:
        mind = match.mind(self.seat)
        parts = [said(mind.manner), thinking(mind, "the opponent")]
        for other, name in [each for each in enumerate(match.names) if each[0] != self.seat][:MOST_MINDS]:
            styles, shares, who = match.believed(other)
            if mind.beliefs:
                styles, shares, who = mind.styles, mind.beliefs[other], match.names[self.seat]
            if styles:
                parts.append(said(f"{who or 'Somebody who looks on'}: what style is {name}?", "heading"))
                if not who and match.looked_on < len(match.results):
                    parts.append(said(f"From the {counted(match.looked_on, 'hand')} that were played one by one."))
                parts.append(belief_drawing(styles, shares, match.trails[other]))
        self.mind_place.content = "".join(parts)

    def _draw_model(self) -> None:
        match = self.match
        agent = match.agents[self.seat] if match is not None else None
        is_tree, is_cube = isinstance(agent, Ashe), isinstance(agent, Hypercube)
        self.model_panel.set_visibility(is_tree or is_cube)
        self.tree.set_visibility(is_tree)
        self.street_field.set_visibility(is_cube)
        self.cells.set_visibility(is_cube)
        if isinstance(agent, Ashe):
            trees = agent.trees()
            self.model_title.text = f"The pattern trees of {agent.name}: {trees.used:,} nodes"
            self.model_note.text = "Every line of play that came up, how often, and what the opponent did then."
            self.tree.props["nodes"] = tree_nodes(trees)
            self.tree.update()
        elif isinstance(agent, Hypercube):
            generations = agent.generations()
            group = int(generations.sum(axis=(1, 2, 3)).argmax())
            curves = controller(agent.genes()[group])[:, :, self.street]
            self.model_title.text = f"The cells of {agent.name} against {agent.groups[group]}"
            self.model_note.text = "By position and bets to call: what the parents of each cell do, by win probability."
            columns = [f"{bets} bet{'' if bets == 1 else 's'}" for bets in range(BETS)]
            self.cells.content = cell_plots(curves, POSITION_NAMES, columns, generations[group, :, :, self.street])
