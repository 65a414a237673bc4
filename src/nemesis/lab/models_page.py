"""Models: AMLab of the POM report, every panel of it: every weight can be seen, every pattern chosen, every curve live."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from functools import partial
from html import escape
from typing import Any

from nicegui import app, background_tasks, ui

from nemesis.believe.perceptron import ACTIVATIONS, Perceptron
from nemesis.believe.pom_patterns import ACTIONS, POTENCY, Patterns
from nemesis.lab.amlab import (
    EPOCHS,
    HIDDEN,
    MOST_BYTES,
    NETWORKS,
    ROUNDS,
    SETS,
    Bench,
    Counts,
    counts_of,
    latest_patterns,
    window,
)
from nemesis.lab.fields import choice, number, switch
from nemesis.lab.frame import Frame, button, drawn, empty, heading, note, relabel, tell, told
from nemesis.lab.progress import on_pick
from nemesis.lab.shapes.cards import card_row
from nemesis.lab.shapes.curves import Line, line_chart
from nemesis.lab.shapes.figures import belief_bars
from nemesis.lab.shapes.networks import Link, network_drawing
from nemesis.lab.store_view import store_view
from nemesis.measure.player_list import PlayerList
from nemesis.observe.store import StoreError
from nemesis.rules.games import no_limit
from nemesis.runtime.limits import SEED

MOST_BENCHES = 24
LISTED = 60
FOUND = 12
SLICE_SECONDS = 0.04
PAUSE_SECONDS = 0.06
LOADING = {"training": ("train", "1"), "validation": ("validate", "2"), "reference": ("refer", "3")}
STREETS = {0: "preflop", 3: "flop", 4: "turn", 5: "river"}
_BENCHES: OrderedDict[str, Bench] = OrderedDict()


async def build(frame: Frame) -> None:
    """The page: player list and control panel on the left, monitors in the centre, the chosen pattern on the right."""
    await _Models(frame, bench_of(str(app.storage.browser["id"]))).show()


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
        self.named: str = kept.get("named", "")
        self.sizes: dict[str, int] = {"training": 75, "validation": 8, **kept.get("sizes", {})}
        self.network: str = kept.get("network", "APN")
        self.picked: tuple[str, int] = ("training", 0)
        self.player: tuple[int, str] | None = None
        self.patterns: dict[int, Patterns] = {}
        self.players: PlayerList | None = None
        self.drawn_at: object = None

    async def show(self) -> None:
        """Put everything in its place."""
        with self.frame.left:
            self._show_database()
            self._show_control()
        with self.frame.centre:
            self._show_monitors()
        with self.frame.right:
            self._show_pattern()
        await self._find()
        self._draw(again=True)
        ui.timer(0.4, self._draw)

    # panels 2 and 3: the database, export

    def _show_database(self) -> None:
        heading("Player list", "#G hands, #R streets, #A actions. Load one as a set.")
        find = ui.input("name has", value=self.named).props("outlined dense clearable debounce=200")
        find.on_value_change(lambda event: self._set_named(event.value or ""))
        self.list = drawn(classes="list")
        on_pick(self.list, "pick", self._pick_player)
        self.chosen_player = note("Pick a player above.")
        with ui.element("div").classes("triple"):
            for kind, (text, key) in LOADING.items():
                button(text, partial(self._load, kind), key=key, says=f"Load as the {kind} set").classes("small")
        with ui.element("div").classes("pair"):
            number("training hands", self.sizes["training"], self._sizer("training"), least=1, most=ROUNDS.most)
            number("then validation", self.sizes["validation"], self._sizer("validation"), least=1, most=ROUNDS.most)
        with ui.element("div").classes("row-line"):
            button("Move window", self._move, key="m", says="Move both windows 5 hands on, as the dynamic model does")

    async def _set_named(self, text: str) -> None:
        self.named = text
        self._keep()
        await self._find()

    def _sizer(self, key: str) -> Any:
        def chosen(value: Any) -> None:
            self.sizes[key] = int(value)
            self._keep()

        return chosen

    def _keep(self) -> None:
        self.frame.visitor["models"] = {"named": self.named, "sizes": self.sizes, "network": self.network}

    async def _find(self) -> None:
        try:
            self.players = await store_view().players()
            if self.players is None:
                self.list.content = '<div class="note">No hands yet: import some on the page Players.</div>'
                return
            rows = self.players.find(named=self.named)[:FOUND]
            numbers = self.players.number[rows].tolist()
            counts = await store_view().ask(lambda store: counts_of(store, numbers))
        except StoreError as error:
            self.list.content = f'<div class="note">{escape(str(error))}</div>'
            return
        names = [self.players.names[at].as_py() for at in rows.tolist()]
        self.list.content = _player_rows(numbers, names, counts, self.player[0] if self.player else -1)

    async def _pick_player(self, picked: str) -> None:
        if self.players is None or not picked.isdigit():
            return
        found = [at for at, number in enumerate(self.players.number.tolist()) if number == int(picked)]
        if found:
            self.player = int(picked), str(self.players.names[found[0]].as_py())
            self.chosen_player.text = f"{self.player[1]}: load as which set?"
            await self._find()

    async def _patterns(self, player: int) -> Patterns:
        if player not in self.patterns:
            self.patterns[player] = await store_view().ask(lambda store: latest_patterns(store, player))
        return self.patterns[player]

    async def _load(self, kind: str, first: int | None = None) -> None:
        if self.player is None:
            tell("pick a player in the list first")
            return
        number, name = self.player
        with told():
            patterns = await self._patterns(number)
            train, check = self.sizes["training"], self.sizes["validation"]
            start = max(0, min(first or 0, patterns.rounds - 2))
            size = min(train, max(1, patterns.rounds - check - start)) if kind == "training" else train + check
            self.bench.load(kind, window(name, patterns, start if kind == "training" else 0, size))
            if kind == "training" and patterns.rounds > start + size:
                self.bench.load("validation", window(name, patterns, start + size, check))
            self.picked = (kind, 0)
            self.chosen_player.text = f"{name}: {patterns.rounds:,} hands, {len(patterns.done):,} decisions"
            self._draw(again=True)

    async def _move(self) -> None:
        loaded = self.bench.sets.get("training")
        if loaded is None or self.player is None:
            tell("load a training set first")
            return
        await self._load("training", loaded.first + 5)
        tell(
            f"the window begins at hand {self.bench.sets['training'].first + 1}; train on, and see how fast it relearns"
        )

    def _export(self) -> None:
        ui.download.content(self.bench.export(), "networks.json")

    async def _import(self, event: Any) -> None:
        with told():
            if int(event.file.size()) > MOST_BYTES:
                raise ValueError(f"a file of networks has at most {MOST_BYTES:,} bytes")
            self.bench.adopt(await event.file.read())
            tell("the networks were taken; curves begin anew")
            self._draw(again=True)
        self.importer.reset()

    # panel 1: control

    def _show_control(self) -> None:
        c = self.bench.chosen
        heading("Control panel", "How the networks learn, and when they stop.")
        with ui.element("div").classes("pair"):
            number("learning rate", c.rate, self._changer("rate"), least=0.001, most=10, step=0.05)
            number("momentum", c.momentum, self._changer("momentum"), least=0, most=0.99, step=0.05)
            number("stop at error", c.max_error, self._changer("max_error"), least=0, most=1, step=0.01)
            number("or generalisation", c.min_generalisation, self._changer("min_generalisation"), least=0, most=1,
                   step=0.01)  # fmt: skip
            number("or after epochs", c.epochs, self._changer("epochs", whole=True), least=1, most=EPOCHS.most)
            number("reposition after", c.patience, self._changer("patience", whole=True), least=0, most=EPOCHS.most)
            number("hidden nodes", c.hidden, self._changer("hidden", whole=True), least=1, most=HIDDEN.most)
            number("gradient", c.gradient, self._changer("gradient"), least=0.01, most=10, step=0.05)
            number("prune below", c.prune_below, self._changer("prune_below"), least=0, most=1, step=0.01)
            number("seed", c.seed, self._changer("seed", whole=True), least=0, most=SEED.most)
        choice("activation", list(ACTIVATIONS), c.activation, self._changer("activation", text=True))
        switch("adaptive learning rate", c.adaptive, self._changer("adaptive", text=True))
        heading("Export panel", "Both networks as JSON, for Python and for another day.")
        with ui.element("div").classes("row-line"):
            button("Export", self._export, key="x", says="Download both networks")
        self.importer = ui.upload(auto_upload=True, label="Import networks", max_file_size=MOST_BYTES,
                                  on_upload=self._import)  # fmt: skip
        self.importer.props('accept=".json" flat').classes("drop")

    def _changer(self, key: str, *, whole: bool = False, text: bool = False) -> Any:
        def chosen(value: Any) -> None:
            with told():
                self.bench.configure(**{key: value if text else int(value) if whole else float(value)})
                self._draw(again=True)

        return chosen

    # panels 4, 5, 6, 7, 8: the monitors

    def _show_monitors(self) -> None:
        with ui.element("div").classes("row-line"):
            self.play = button("Start", self._toggle, kind="main", key="space")
            button("Step", self._step, key="→", says="One epoch")
            button("Start anew", self._renew, key="n", says="New random weights")
            choice("network", NETWORKS, self.network, self._set_network).classes("wide")
            self.state = note("")
        self.nothing = ui.element("div")
        with self.nothing:
            empty("No set is loaded", "Pick a player on the left and press train: its next hands become the validation set. "
                  "Then Start, and choose any pattern to see the network think.")  # fmt: skip
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
        with ui.element("div").classes("columns"):
            for kind in SETS:
                with ui.element("div").classes("panel"):
                    heading(f"{kind.capitalize()} data")
                    head = note("")
                    rows = drawn(classes="list")
                    on_pick(rows, "pick", partial(self._pick, kind))
                    self.lists[kind] = head, rows

    def _show_pattern(self) -> None:
        heading("Card monitor", "The board at the chosen decision, and the cards if they were shown.")
        self.cards = drawn()
        self.card_note = note("")
        heading("Opponent model monitor", "What the model says of the chosen decision.")
        self.answer = drawn()
        self.verdict = note("")
        heading("What the network is shown")
        self.inputs = drawn(classes="list tall")

    def _set_network(self, name: str) -> None:
        self.network = name
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

    def _pick(self, kind: str, picked: str) -> None:
        if picked.isdigit() and kind in self.bench.sets and int(picked) < len(self.bench.sets[kind].patterns.done):
            self.picked = kind, int(picked)
            self._draw(again=True)

    def _draw(self, again: bool = False) -> None:
        bench = self.bench
        state = (bench.epoch, bench.running, len(bench.curves["HPN"]), tuple(bench.sets))
        if not again and state == self.drawn_at:
            return
        self.drawn_at = state
        relabel(self.play, "Stop" if bench.running else "Start")
        ended = f" · ended: {bench.why}" if bench.why and not bench.running else ""
        self.state.text = f"epoch {bench.epoch:,}{' · learning' if bench.running else ''}{ended}"
        self.nothing.set_visibility(not bench.sets)
        self.curve.content = _curve(bench, self.network)
        self._draw_network()
        for kind in SETS:
            head, rows = self.lists[kind]
            loaded = bench.sets.get(kind)
            if loaded is None:
                head.text, rows.content = "empty", ""
                continue
            right = bench.generalises(self.network, kind)
            share = f", {right:.0%} right" if right == right else ""
            head.text = (
                f"{loaded.player[:18]}, hands {loaded.first + 1:,}–{loaded.first + loaded.hands:,}: "
                f"{len(loaded.patterns.done):,} decisions{share}"
            )
            rows.content = _pattern_rows(bench, kind, self.picked)
        self._draw_pattern()
        self.frame.say("seed", f"seed {bench.chosen.seed}")

    def _draw_network(self) -> None:
        network = self.bench.network(self.network)
        kind, at = self.picked
        activations = None
        if kind in self.bench.sets and at < len(self.bench.sets[kind].patterns.done):
            shown = network.activations(self.bench.shown_to(self.network, kind, at))
            names = (*network.inputs, *_hidden(network), *network.outputs)
            activations = dict(zip(names, [*shown.inputs, *shown.hidden, *shown.outputs], strict=True))
        self.monitor.content = perceptron_drawing(network, activations)

    def _draw_pattern(self) -> None:
        kind, at = self.picked
        loaded = self.bench.sets.get(kind)
        if loaded is None or at >= len(loaded.patterns.done):
            for place in (self.cards, self.answer, self.inputs):
                place.content = ""
            self.card_note.text = "Choose a pattern in one of the three lists."
            self.verdict.text = ""
            return
        one = loaded.patterns.part(slice(at, at + 1))
        game = no_limit()
        board = [int(card) for card in one.board[0] if card >= 0]
        hole: list[int | None] = [int(card) if card >= 0 else None for card in one.hole[0]]
        self.cards.content = (
            f'<div class="cards">{card_row(game, hole, height=56)}{card_row(game, board, height=56, places=5)}</div>'
        )
        self.card_note.text = (
            f"{loaded.player}, hand {int(one.round[0]) + 1:,}, {STREETS.get(len(board), '')}"
            f"{'' if hole[0] is not None else ': cards not shown'}."
        )
        said = self.bench.model.predict(one)
        likely = said.likely[0].tolist()
        potency = [min(1.0, max(0.0, value)) for value in said.potency[0].tolist()]
        bars = belief_bars(ACTIONS, likely, width=300)
        shades = {POTENCY[0]: "var(--purple)", POTENCY[1]: "var(--lp)"}
        self.answer.content = bars + belief_bars(POTENCY, potency, width=300, colours=shades)
        truth = (
            f" True potential {one.potency[0, 0]:.0%}, strength {one.potency[0, 1]:.0%}." if bool(one.shown[0]) else ""
        )
        best = ACTIONS[int(said.likely[0].argmax())]
        done = ACTIONS[int(one.done[0])]
        self.verdict.text = (
            f"It says {best}; the player did {done}{' ✓' if best == done else ' ✗'}. "
            f"Potency is off by {said.tolerance:.0%} on average.{truth}"
        )
        network = self.bench.network(self.network)
        values = self.bench.shown_to(self.network, kind, at)
        self.inputs.content = _input_rows(network, values.tolist())


def _hidden(network: Perceptron) -> list[str]:
    return [f"hidden {i + 1}" for i in range(len(network.hidden))]


def perceptron_drawing(network: Perceptron, activations: dict[str, float] | None) -> str:
    """A network of the POM report; weights of zero are not drawn."""
    hidden = _hidden(network)
    links = [
        Link(network.inputs[k], hidden[j], float(network.hidden[j, k]))
        for j in range(len(hidden))
        for k in range(len(network.inputs))
        if network.hidden[j, k]
    ]
    links += [
        Link(hidden[j], network.outputs[i], float(network.output[i, j]))
        for i in range(len(network.outputs))
        for j in range(len(hidden))
        if network.output[i, j]
    ]
    layers = [network.inputs, hidden, network.outputs]
    return network_drawing(layers, links, activations, width=640, height=440, left=190)


def _curve(bench: Bench, network: str) -> str:
    points = bench.curves[network]
    step = max(1, len(points) // 300)
    thin = points[::step] + ([points[-1]] if points and (len(points) - 1) % step else [])
    xs = [float(point.epoch) for point in thin]
    lines = [Line("error", xs, [point.error for point in thin], colour="var(--raise)")]
    for kind, colour, dashed in (("validation", "var(--tp)", False), ("training", "var(--fold)", False),
                                 ("reference", "var(--green)", True)):  # fmt: skip
        values = [getattr(point, kind) for point in thin]
        if any(value == value for value in values):
            lines.append(Line(kind, xs, values, colour=colour, dashed=dashed))
    return line_chart(lines, width=640, height=210, x="epoch", y="error, share right", span=(0.0, 1.0),
                      ends=(0, max(10, points[-1].epoch if points else 10)))  # fmt: skip


def _player_rows(numbers: list[int], names: list[str], counts: dict[int, Counts], chosen: int) -> str:
    nothing = Counts(0, 0, 0)
    body = "".join(
        f'<tr data-pick="{number}" class="{"chosen" if number == chosen else ""}"><td title="{escape(name, quote=True)}">'
        f"{escape(name[:14])}</td>{''.join(f'<td>{count:,}</td>' for count in counts.get(number, nothing))}</tr>"
        for number, name in zip(numbers, names, strict=True)
    )
    head = "<tr><th>player</th><th>#G</th><th>#R</th><th>#A</th></tr>"
    return f'<table class="numbers compact"><thead>{head}</thead><tbody>{body}</tbody></table>'


def _pattern_rows(bench: Bench, kind: str, picked: tuple[str, int]) -> str:
    patterns = bench.sets[kind].patterns
    first = max(0, min(picked[1] - LISTED // 2, len(patterns.done) - LISTED)) if picked[0] == kind else 0
    part = patterns.part(slice(first, first + LISTED))
    said = bench.model.predict(part).outputs.argmax(axis=1)
    rows = []
    for at, (done, guess, hand, board) in enumerate(
        zip(part.done.tolist(), said.tolist(), part.round.tolist(), part.board, strict=True), first
    ):
        street = STREETS.get(int((board >= 0).sum()), "")
        look = "chosen" if picked == (kind, at) else ""
        mark = '<td class="good">✓</td>' if done == guess else '<td class="bad">✗</td>'
        rows.append(
            f'<tr data-pick="{at}" class="{look}"><td>{hand + 1}</td><td>{street}</td><td>{ACTIONS[done]}</td>{mark}</tr>'
        )
    head = "<tr><th>hand</th><th>street</th><th>did</th><th></th></tr>"
    return f'<table class="numbers compact"><thead>{head}</thead><tbody>{"".join(rows)}</tbody></table>'


def _input_rows(network: Perceptron, values: list[float]) -> str:
    rows = "".join(
        f'<tr><td>{escape(name)}</td><td>{value:.2f}</td><td><b style="width:{100 * min(1.0, max(0.0, value)):.0f}%"></b>'
        "</td></tr>"
        for name, value in zip(network.inputs, values, strict=True)
    )
    return f'<table class="numbers compact shown"><tbody>{rows}</tbody></table>'
