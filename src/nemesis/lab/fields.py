"""Fields in which a visitor chooses: a list, a number, a slider, a switch, a part of a name. What they give was checked."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from nicegui import ui

Chosen = Callable[[Any], Any]


def choice(
    label: str, options: Sequence[Any] | dict[Any, str], value: Any, on_choice: Chosen, *, typed: bool = False
) -> ui.select:
    """A list to choose from; `typed` lets the visitor type to find an entry."""
    known = options if isinstance(options, dict) else list(options)
    made = ui.select(known, label=label, value=value if value in known else next(iter(known), None), with_input=typed)
    made.on_value_change(lambda event: on_choice(event.value) if event.value is not None else None)
    return made.props("outlined dense options-dense behavior=menu")


def number(
    label: str, value: float, on_choice: Chosen, *, least: float | None = None, most: float | None = None, step: float = 1
) -> ui.number:  # fmt: skip
    """A number within bounds; what is outside is moved to the nearest end when the field is left."""

    def given(event: Any) -> Any:
        found = event.value
        if not isinstance(found, (int, float)) or not math.isfinite(found):
            return None
        inside = (least is None or found >= least) and (most is None or found <= most)
        return on_choice(found) if inside else None

    made = ui.number(label, value=value, min=least, max=most, step=step, precision=0 if step == 1 else None)
    made.on_value_change(given)
    return made.props("outlined dense debounce=400")


def slider(label: str, least: float, most: float, step: float, value: float, on_choice: Chosen) -> ui.slider:
    """A slider under its label, which tells the value; the choice counts when it is let go."""
    said = ui.label().classes("note")

    def tell(now: Any) -> None:
        if isinstance(now, (int, float)):
            said.text = f"{label}: {now:g}"

    made = ui.slider(min=least, max=most, step=step, value=value).props(f'aria-label="{label}" dense')
    made.on_value_change(lambda event: tell(event.value))
    made.on("change", lambda event: on_choice(made.value) if isinstance(made.value, (int, float)) else None)
    tell(value)
    return made


def switch(label: str, value: bool, on_choice: Chosen) -> ui.switch:
    """On or off."""
    return ui.switch(label, value=value, on_change=lambda event: on_choice(bool(event.value))).props("dense")


def search(value: str, on_choice: Chosen) -> ui.input:
    """A part of a name to look for."""
    made = ui.input("name has", value=value).props("outlined dense clearable debounce=200")
    made.on_value_change(lambda event: on_choice(str(event.value or "")))
    return made
