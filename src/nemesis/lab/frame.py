"""The frame around every page: a header, a left rail that chooses, the thing itself, a right rail that explains, a status.

To add a page, write `lab/NAME_page.py` with

    def build(frame: Frame) -> None:            # or async
        with frame.left: ...                    # choose, filter, start
        with frame.centre: ...                  # the thing itself
        with frame.right: ...                   # beliefs, numbers, why
        frame.say("seed", "seed 3")             # a part of the status line

and a line in `pages.PAGES`. `frame.visitor` is this visitor's own dictionary (JSON values only): it lies on the server,
survives a reload and a restart, and nobody else sees it; take one key for the page, and call `frame.saved()` after a change
that the visitor cares about. `frame.query` holds the parameters of the address. What is drawn comes from `shapes` (strings
of SVG; texts are escaped there) through `drawn`. Buttons are made with `button`, whose `key` works on the whole page and is
listed under `?`. An error becomes a sentence with `tell`. Looks are classes of `assets/lab.css`; there is no Tailwind.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import escape
from typing import Any

from nicegui import app, ui

from nemesis.lab.pages import KEYS, PAGES

SURE_SECONDS = 4.0
THEMES = {"auto": None, "light": False, "dark": True}
Handler = Callable[..., Any] | Callable[..., Awaitable[Any]]


@dataclass
class Frame:
    """One visitor's view of one page."""

    name: str
    left: ui.element
    centre: ui.element
    right: ui.element
    visitor: MutableMapping[str, Any]
    visitor_id: str
    query: Mapping[str, str]
    _status: ui.element
    _said: dict[str, ui.label] = field(default_factory=dict)
    _saved_at: float | None = None

    def say(self, key: str, text: str) -> None:
        """Put a part of the status line, or change it; an empty text takes it away."""
        if key not in self._said:
            with self._status:
                self._said[key] = ui.label().classes("status-part")
        self._said[key].text = text
        self._said[key].set_visibility(bool(text))

    def open_right(self) -> None:
        """Show the right rail where it is folded away, as on a tablet."""
        if isinstance(self.right, ui.right_drawer):
            self.right.show()

    def saved(self) -> None:
        """Tell in the status line that the visitor's work has just been saved; the line then counts the seconds."""
        if self._saved_at is None:
            ui.timer(5.0, self._tell_saved)
        self._saved_at = time.monotonic()
        self._tell_saved()

    def _tell_saved(self) -> None:
        seconds = int(time.monotonic() - (self._saved_at or 0.0))
        self.say("saved", "saved" if seconds < 3 else f"saved {_ago(seconds)} ago")


def _ago(seconds: int) -> str:
    return f"{seconds} s" if seconds < 60 else f"{seconds // 60} min" if seconds < 3600 else f"{seconds // 3600} h"


def open_frame(name: str, query: Mapping[str, str]) -> Frame:
    """Build the frame of a page for whoever has asked for it."""
    ui.on_exception(_tell_fault)
    visitor = app.storage.user
    theme = visitor.get("theme", "auto")
    dark = ui.dark_mode(THEMES.get(theme))
    ui.page_title(f"{name.capitalize()} · nemesis")
    ui.query(".nicegui-content").classes("lab-content")
    rail = "show-if-above breakpoint=1150"  # open where there is room
    left = ui.left_drawer(value=False, bordered=True).props(f"width=264 {rail}").classes("rail")
    right = ui.right_drawer(value=False, bordered=True).props(f"width=330 {rail}").classes("rail")
    with ui.header(elevated=False).classes("lab-header"):
        button("☰", left.toggle, kind="bare", says="Show or hide the left rail").classes("fold")
        ui.link("nemesis", "/").classes("brand")
        with ui.element("nav").props('aria-label="pages"'):
            for page in PAGES:
                link = ui.link(page.capitalize(), f"/{page}").classes("tab").props(f"data-go={KEYS[page]}")
                if page == name:
                    link.classes("here").props("aria-current=page")
        ui.space()
        button("?", lambda: ui.run_javascript("labKeys()"), kind="bare", says="Keys of this page").props('data-key="?"')
        theme_button = button("◐", kind="bare", says=_theme(theme))
        theme_button.on("click", lambda: _next_theme(dark, visitor, theme_button))
        button("☰", right.toggle, kind="bare", says="Show or hide the right rail").classes("fold")
    centre = ui.element("div").classes("centre")
    with ui.footer().classes("lab-footer"):
        status = ui.element("div").classes("status").props("role=status")
    return Frame(name, left, centre, right, visitor, str(app.storage.browser["id"]), query, status)


def _theme(theme: str) -> str:
    return {"auto": "Theme: as the system", "light": "Theme: light", "dark": "Theme: dark"}[theme]


def _next_theme(dark: Any, visitor: MutableMapping[str, Any], pressed: ui.element) -> None:
    order = list(THEMES)
    theme = order[(order.index(visitor.get("theme", "auto")) + 1) % len(order)]
    visitor["theme"] = theme
    dark.value = THEMES[theme]
    pressed.props(f'title="{_theme(theme)}" aria-label="{_theme(theme)}"')


def button(
    text: str, on_click: Handler | None = None, *, kind: str = "plain", key: str = "", says: str = ""
) -> ui.element:
    """A button of our own look: `kind` is plain, main, bare, fold-it, call or raise, and small, tall or large.

    `key` presses it from anywhere on the page.

    `says` is its title; a text that is only a sign needs one.
    """
    made = ui.element("button").classes(f"lab-button {kind}").props("type=button")
    with made:
        ui.label(text).classes("label")
        if key:
            made.props(f'data-key="{key}"')
            ui.html(escape(key), sanitize=False, tag="kbd")
    if says:
        made.props(f'title="{says}" aria-label="{says}"')
    if on_click is not None:
        made.on("click", on_click)
    return made


def sure_button(text: str, on_click: Handler, *, says: str) -> ui.element:
    """A button for what cannot be undone: it asks once more, and forgets that it was pressed after some seconds."""
    asked = 0.0

    def pressed() -> Any:
        nonlocal asked
        if time.monotonic() - asked < SURE_SECONDS:
            return on_click()
        asked = time.monotonic()
        relabel(made, "Sure?")
        with made:
            ui.timer(SURE_SECONDS, lambda: relabel(made, text), once=True)
        return None

    made = button(text, pressed, kind="bare", says=says)
    return made


def relabel(made: ui.element, text: str) -> None:
    """Change the words on a button."""
    label = next(iter(made))
    assert isinstance(label, ui.label)
    label.text = text


def drawn(svg: str = "", *, classes: str = "") -> ui.html:
    """A place for a drawing of `shapes`; set its `content` to draw anew."""
    return ui.html(svg, sanitize=False).classes(f"drawn {classes}")


def heading(text: str, about: str = "") -> ui.label:
    """What a part of a rail or page is called, with a line that says what it is for."""
    made = ui.label(text).classes("heading").props("role=heading aria-level=2")
    if about:
        note(about)
    return made


def note(text: str) -> ui.label:
    """A quiet line of explanation."""
    return ui.label(text).classes("note")


def empty(text: str, advice: str, *, do: str = "", on_click: Handler | None = None) -> None:
    """What stands where nothing is yet: what would be here, what to do, and a button that does it."""
    with ui.element("div").classes("empty"):
        ui.label(text).classes("heading")
        ui.label(advice).classes("note")
        if do:
            button(do, on_click, kind="main tall")


def tell(sentence: str, *, wrong: bool = False) -> None:
    """Say something to the visitor for a few seconds."""
    ui.notify(sentence, position="bottom", color="negative" if wrong else "dark", multi_line=True, close_button="×")


def _tell_fault(error: Exception) -> None:
    """A click that ends in an error nobody foresaw says so, instead of doing nothing."""
    tell(f"a fault of the program: {type(error).__name__}: {error}", wrong=True)


@contextmanager
def told() -> Iterator[None]:
    """Errors that a visitor can do something about become sentences on the page."""
    try:
        yield
    except (ValueError, TypeError, OSError) as error:
        tell(str(error), wrong=True)
