"""AMLab's control panel: how the networks learn and when they stop; and its export panel, which hands networks on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import ui

from nemesis.believe.perceptron import ACTIVATIONS
from nemesis.lab.amlab import EPOCHS, HIDDEN, MOST_BYTES, Bench
from nemesis.lab.fields import choice, number, switch
from nemesis.lab.frame import button, heading, tell, told
from nemesis.runtime.limits import SEED


class ControlPanel:
    """Fields for the settings of a bench; `changed` is called after each change."""

    def __init__(self, bench: Bench, changed: Callable[[], None]) -> None:
        self.bench, self.changed = bench, changed

    def show(self) -> None:
        """Put the fields where we are."""
        c = self.bench.chosen
        heading("Control panel", "How the networks learn, and when they stop.")
        with ui.element("div").classes("pair"):
            number("learning rate", c.rate, self._changer("rate"), least=0.001, most=10, step=0.05)
            number("momentum", c.momentum, self._changer("momentum"), least=0, most=0.99, step=0.05)
            number("stop at error", c.max_error, self._changer("max_error"), least=0, most=1, step=0.01)
            right = self._changer("min_generalisation")
            number("or share right", c.min_generalisation, right, least=0, most=1, step=0.01).tooltip(
                "Stop when so much of the validation set is right, which the source calls generalisation"
            )
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
                self.changed()

        return chosen

    def _export(self) -> None:
        ui.download.content(self.bench.export(), "networks.json")

    async def _import(self, event: Any) -> None:
        with told():
            if int(event.file.size()) > MOST_BYTES:
                raise ValueError(f"a file of networks has at most {MOST_BYTES:,} bytes")
            self.bench.adopt(await event.file.read())
            tell("the networks were taken; curves begin anew")
            self.changed()
        self.importer.reset()
