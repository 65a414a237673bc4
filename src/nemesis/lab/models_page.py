"""Models: AMLab of the POM report, every panel of it: every weight can be seen, every pattern chosen, every curve live."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from functools import partial
from typing import Any

from nicegui import background_tasks, ui

from nemesis.lab.amlab import NETWORKS, SETS, Bench
from nemesis.lab.control_panel import ControlPanel
from nemesis.lab.fields import choice
from nemesis.lab.frame import Frame, button, drawn, empty, heading, note, relabel, tell, told
from nemesis.lab.pattern_panel import PatternPanel
from nemesis.lab.progress import on_pick
from nemesis.lab.sets_panel import SetsPanel
from nemesis.lab.shapes.perceptron import pattern_rows, perceptron_drawing, training_curve

MOST_BENCHES = 24
LISTED = 60
SLICE_SECONDS = 0.04
PAUSE_SECONDS = 0.06
USUAL: dict[str, Any] = {"named": "", "training": 75, "validation": 8, "network": "APN"}
_BENCHES: OrderedDict[str, Bench] = OrderedDict()


async def build(frame: Frame) -> None:
    """The page: player list and control panel on the left, monitors in the centre, the chosen pattern on the right."""
    await _Models(frame, bench_of(frame.visitor_id)).show()


def bench_of(visitor: str) -> Bench:
    """The visitor's bench, found again after a reload; the oldest are forgotten."""
    if visitor not in _BENCHES:
        _BENCHES[visitor] = Bench()
    _BENCHES.move_to_end(visitor)
    while len(_BENCHES) > MOST_BENCHES:
        _BENCHES.popitem(last=False)[1].running = False
    return _BENCHES[visitor]


async def train(bench: Bench) -> None:
    """Train until it is stopped or done, a slice at a time, whether or not anybody looks."""
    while bench.running:
        end = time.monotonic() + SLICE_SECONDS

        def some(end: float = end) -> bool:
            while bench.running and time.monotonic() < end:
                if not bench.step():
                    return False
            return True

        if not await asyncio.to_thread(some):
            bench.running = False
        await asyncio.sleep(PAUSE_SECONDS)


class _Models:
    """What one visitor looks at."""

    def __init__(self, frame: Frame, bench: Bench) -> None:
        self.frame, self.bench = frame, bench
        kept = frame.visitor.get("models", {})
        self.settings = {key: kept.get(key, usual) for key, usual in USUAL.items()}
        self.picked: tuple[str, int] = ("training", 0)
        self.drawn_at: object = None
        self.sets = SetsPanel(bench, self.settings, self._keep, self._loaded)
        self.control = ControlPanel(bench, partial(self._draw, again=True))
        self.pattern = PatternPanel(bench)

    async def show(self) -> None:
        """Put everything in its place."""
        with self.frame.left:
            self.sets.show()
            self.control.show()
        with self.frame.centre:
            self._show_monitors()
        with self.frame.right:
            self.pattern.show()
        await self.sets.find()
        self._draw(again=True)
        ui.timer(0.4, self._draw)

    def _keep(self) -> None:
        self.frame.visitor["models"] = dict(self.settings)

    def _show_monitors(self) -> None:
        with ui.element("div").classes("row-line"):
            self.play = button("Start", self._toggle, kind="main", key="space")
            button("Step", self._step, key="→", says="One epoch")
            button("Start anew", self._renew, key="n", says="New random weights")
            choice("network", NETWORKS, self.settings["network"], self._set_network).classes("wide-choice")
        self.state = note("")
        self.nothing = ui.element("div")
        with self.nothing:
            empty(
                "No set is loaded",
                "Pick a player on the left and press train: the hands that follow become the validation set. Then Start, "
                "and choose any decision to see the network think.",
            )
        with ui.element("div").classes("columns two"):
            with ui.element("div").classes("panel"):
                heading("Training monitor", "Error while learning, and the share of each set that is predicted right.")
                self.curve = drawn()
            with ui.element("div").classes("panel"):
                heading(
                    "Network monitor", "Blue excites, orange inhibits, thicker is heavier; filled nodes are active."
                )
                self.monitor = drawn()
        self.lists: dict[str, tuple[ui.label, ui.html]] = {}
        with ui.element("div").classes("columns three"):
            for kind in SETS:
                with ui.element("div").classes("panel"):
                    heading(f"{kind.capitalize()} data")
                    head = note("")
                    rows = drawn(classes="list")
                    on_pick(rows, "pick", partial(self._pick, kind))
                    self.lists[kind] = head, rows

    # what the visitor does

    def _set_network(self, name: str) -> None:
        self.settings["network"] = name
        self._keep()
        self._draw(again=True)

    def _toggle(self) -> None:
        bench = self.bench
        if bench.running:
            bench.running = False
        else:
            if "training" not in bench.sets:
                tell("load a training set first: pick a player and press train")
                return
            if bench.epoch >= bench.chosen.epochs:
                tell("the epochs are used up: allow more, or start anew")
                return
            bench.why, bench.running = "", True
            background_tasks.create(train(bench), name="training a network")
        self._draw(again=True)

    def _step(self) -> None:
        with told():
            self.bench.running, self.bench.why = False, ""
            self.bench.step()
            self._draw(again=True)

    def _renew(self) -> None:
        self.bench.renew()
        self._draw(again=True)

    def _loaded(self, kind: str) -> None:
        self.picked = (kind, 0)
        self._draw(again=True)

    def _pick(self, kind: str, picked: str) -> None:
        if picked.isdigit() and kind in self.bench.sets and int(picked) < len(self.bench.sets[kind].patterns.done):
            self.picked = kind, int(picked)
            self._draw(again=True)

    # what the visitor sees

    def _draw(self, again: bool = False) -> None:
        bench, network = self.bench, self.settings["network"]
        state = (bench.epoch, bench.running, len(bench.curves["HPN"]), tuple(bench.sets))
        if not again and state == self.drawn_at:
            return
        self.drawn_at = state
        relabel(self.play, "Stop" if bench.running else "Start")
        ended = f" · ended: {bench.why}" if bench.why and not bench.running else ""
        self.state.text = f"epoch {bench.epoch:,}{' · learning' if bench.running else ''}{ended}"
        self.nothing.set_visibility(not bench.sets)
        self.curve.content = training_curve(bench.curves[network])
        kind, at = self.picked
        chosen = kind in bench.sets and at < len(bench.sets[kind].patterns.done)
        self.monitor.content = perceptron_drawing(
            bench.network(network), bench.shown_to(network, kind, at) if chosen else None
        )
        for each in SETS:
            self._draw_set(each, network)
        self.pattern.draw(network, kind, at)
        self.frame.say("seed", f"seed {bench.chosen.seed}")

    def _draw_set(self, kind: str, network: str) -> None:
        head, rows = self.lists[kind]
        loaded = self.bench.sets.get(kind)
        if loaded is None:
            head.text, rows.content = "Nothing is loaded.", ""
            return
        right = self.bench.generalises(network, kind)
        share = f", {right:.0%} right" if right == right else ""
        head.text = (
            f"{loaded.player[:18]}, hands {loaded.first + 1:,}–{loaded.first + loaded.hands:,}: "
            f"{len(loaded.patterns.done):,} decisions{share}"
        )
        at = self.picked[1] if self.picked[0] == kind else None
        first = max(0, min((at or 0) - LISTED // 2, len(loaded.patterns.done) - LISTED))
        part = loaded.patterns.part(slice(first, first + LISTED))
        said = self.bench.model.predict(part).outputs.argmax(axis=1).tolist()
        rows.content = pattern_rows(part, said, first, at)
