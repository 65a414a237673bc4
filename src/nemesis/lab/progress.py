"""How a job stands, as a line of a list; and drawings that say where they were clicked."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from nicegui import ui

from nemesis.lab.jobs import Job, State


class JobLine:
    """A job's name, its state and a thin bar; clicking it chooses the job."""

    def __init__(self, name: str, on_click: Callable[[], Any]) -> None:
        self.made = ui.element("button").classes("job-line").props("type=button").on("click", on_click)
        with self.made:
            with ui.element("div").classes("job-top"):
                ui.label(name).classes("job-name")
                self.state = ui.label().classes("chip")
            self.bar = ui.element("div").classes("job-bar")
            with self.bar:
                self.filled = ui.element("div")

    def update(self, job: Job | None, chosen: bool = False) -> None:
        """Show how the job stands now; None is a run that no job belongs to."""
        share = job.done / job.total if job and job.total else 0.0
        if job and job.state is State.FINISHED:
            share = 1.0
        text = "" if job is None else f"{share:.0%}" if job.state is State.RUNNING else str(job.state)
        if self.state.text != text:
            self.state.text = text
        state = str(job.state) if job else ""
        look = f"chip {state}"
        if self.state.classes != look.split():
            self.state.classes(replace=look)
        self.filled.style(f"width:{100 * share:.0f}%")
        self.made.classes(add="here" if chosen else "", remove="" if chosen else "here")


def on_place(drawing: ui.element, chosen: Callable[[float], Any]) -> None:
    """Call `chosen` with the share of the x axis of a chart that was clicked."""
    script = """(e) => {
      const box = e.currentTarget.querySelector(".plot")?.getBoundingClientRect();
      if (box) emit((e.clientX - box.left) / box.width);
    }"""

    async def heard(event: Any) -> None:
        share = event.args
        if isinstance(share, int | float) and -0.05 <= share <= 1.05:
            found = chosen(min(1.0, max(0.0, float(share))))
            if inspect.isawaitable(found):
                await found

    drawing.on("click", heard, js_handler=script)
    drawing.classes("clickable")


def on_pick(drawing: ui.element, key: str, chosen: Callable[[str], Any]) -> None:
    """Call `chosen` with the `data-KEY` of whatever was clicked in a drawing, if it has one."""
    script = f"""(e) => {{
      const found = e.target.closest("[data-{key}]");
      if (found) emit(found.dataset.{key});
    }}"""

    async def heard(event: Any) -> None:
        if isinstance(event.args, str) and len(event.args) < 200:
            found = chosen(event.args)
            if inspect.isawaitable(found):
                await found

    drawing.on("click", heard, js_handler=script)
