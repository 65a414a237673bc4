"""The jobs of this lab, kept going by its server, and what the status line says of them."""

from __future__ import annotations

import asyncio
from functools import cache

from nicegui import app, ui

from nemesis.lab.folder import inside
from nemesis.lab.frame import Frame
from nemesis.lab.jobs import Jobs, State

TEND_SECONDS = 1.0
_active = ""
"""How many jobs run and wait, when they were tended last: read by every visitor's page."""


@cache
def jobs() -> Jobs:
    """The jobs in the lab's folder."""
    return Jobs(inside("jobs"))


def keep_jobs_going() -> None:
    """Have the server start waiting jobs and mend dead ones; to be called once, before it runs."""

    async def tend() -> None:
        global _active
        _active = await asyncio.to_thread(_tended)

    app.timer(TEND_SECONDS, tend)


def _tended() -> str:
    """Tend to the jobs, and say how many run and wait; nothing if there are none."""
    jobs().tend()
    states = [job.state for job in jobs().all()]
    running, waiting = states.count(State.RUNNING), states.count(State.WAITING)
    said = f"jobs: {running} running" + (f", {waiting} waiting" if waiting else "")
    return said if running or waiting else ""


def say_jobs(frame: Frame) -> None:
    """Tell in the status line how many jobs run and wait."""
    frame.say("jobs", _active)
    ui.timer(2.0, lambda: frame.say("jobs", _active))
