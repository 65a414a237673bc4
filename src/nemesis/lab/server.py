"""Serves the lab: one process, one event loop, pages of NiceGUI, every asset from this machine.

Only this machine is answered unless another `host` is given, and what is answered at all is up to `guard`. The lab
listens before its pages are imported: the first page is made ready while the browser starts, the others when they are
asked for.
"""

from __future__ import annotations

import asyncio
import inspect
import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

from nemesis.lab.folder import cookie_secret, inside
from nemesis.lab.guard import LOOPBACK, BoundedBodies, OwnSite
from nemesis.lab.leaving import LeaversAnswered
from nemesis.lab.pages import PAGES, PREPARE
from nemesis.names import resolve

ASSETS = Path(__file__).with_name("assets")
PATIENCE = 20.0
"""Seconds that a page waits for a lost connection before it is loaded again."""


def free_port(host: str) -> int:
    """A port of this host that nobody listens on; an `OSError` that is a sentence if this is no host of this machine."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        try:
            probe.bind((host, 0))
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "that is no name of a host"
            raise OSError(f"cannot listen on {host!r}: {reason}; give a name or an address of this machine") from None
        return int(probe.getsockname()[1])


def check_port(host: str, port: int) -> None:
    """Raise an `OSError` that is a sentence if the port cannot be listened on."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise OSError(
                f"cannot listen on {host}, port {port}: {error.strerror}; leave --port out for a free one"
            ) from None


def serve(host: str, port: int, *, show: bool, ready: Callable[[str], None]) -> None:
    """Serve the lab until it is stopped; `ready` hears its address when the first page can be opened."""
    os.environ["NICEGUI_STORAGE_PATH"] = str(inside("visitors"))  # read when NiceGUI is imported
    from nicegui import app, background_tasks, run, ui
    from nicegui.server import Server
    from starlette.middleware.gzip import GZipMiddleware

    from nemesis.lab.background import keep_jobs_going

    run.process_pool_start_method = "spawn"
    app.add_static_files("/assets", str(ASSETS))
    ui.add_head_html(f'<link rel="stylesheet" href="/assets/lab.css?{_age("lab.css")}">', shared=True)
    for script in ("keys.js", "drop.js"):
        ui.add_head_html(f'<script defer src="/assets/{script}?{_age(script)}"></script>', shared=True)
    keep_jobs_going()
    for name in PAGES:
        _add_page(name, first=name == next(iter(PAGES)))
    app.add_middleware(
        GZipMiddleware
    )  # behind ours; NiceGUI's own would be before it and lose what leavers are answered
    app.add_middleware(LeaversAnswered)
    app.add_middleware(BoundedBodies)
    app.add_middleware(OwnSite, hosts=LOOPBACK if host in ("127.0.0.1", "localhost", "::1") else None)
    shown = f"[{host}]" if ":" in host else host

    async def announce() -> None:
        while not Server.instance.started:
            await asyncio.sleep(0.02)
        ready(f"http://{shown}:{port}")
        await asyncio.to_thread(lambda: resolve(PREPARE)())

    app.on_startup(lambda: background_tasks.create(announce(), name="announce"))
    ui.run(
        host=host, port=port, title="nemesis", favicon=ASSETS / "icon.svg", show=show, reload=False, tailwind=False,
        storage_secret=cookie_secret(), reconnect_timeout=PATIENCE, show_welcome_message=False, language="en-GB",
        gzip_middleware_factory=None,
    )  # fmt: skip


def _add_page(name: str, *, first: bool) -> None:
    from fastapi import Request
    from nicegui import ui

    from nemesis.lab.background import say_jobs
    from nemesis.lab.frame import open_frame

    async def page(request: Request) -> None:
        build = await asyncio.to_thread(resolve, PAGES[name])
        frame = open_frame(name, request.query_params)
        found: Any = build(frame)
        if inspect.isawaitable(found):
            await found
        say_jobs(frame)

    page.__annotations__["request"] = Request
    ui.page(f"/{name}", response_timeout=60.0)(page)
    if first:
        ui.page("/", response_timeout=60.0)(page)


def _age(name: str) -> int:
    return int((ASSETS / name).stat().st_mtime)
