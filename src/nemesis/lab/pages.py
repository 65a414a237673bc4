"""The pages of the lab, in the order of the header: `name: "module:function"`.

A page is one file and one line here. Its function is given a `Frame` and fills it; it may be a coroutine. The module is
imported when the page is first asked for. How to write one is told in `frame`.
"""

from __future__ import annotations

from collections.abc import Mapping

PAGES: Mapping[str, str] = {
    "table": "nemesis.lab.table_page:build",
    "watch": "nemesis.lab.watch_page:build",
    "evolution": "nemesis.lab.evolution_page:build",
    "players": "nemesis.lab.players_page:build",
    "models": "nemesis.lab.models_page:build",
    "arena": "nemesis.lab.arena_page:build",
    "studies": "nemesis.lab.studies_page:build",
    "grid": "nemesis.lab.grid_page:build",
}

KEYS: Mapping[str, str] = {
    "table": "t",
    "watch": "w",
    "evolution": "e",
    "players": "p",
    "models": "m",
    "arena": "a",
    "studies": "s",
    "grid": "g",
}
"""The key that opens each page after `g`."""

PREPARE = "nemesis.lab.table_page:prepare"
"""What is done when the lab listens, while the browser starts: the first page that a visitor sees is made ready."""
