"""Thirty visitors at tables of the lab at once: how long a click takes until the table shows what came of it.

Every visitor has a browser window of their own and acts every two seconds or so, which is faster than people play. The
time is taken in the page, from the click to the change of the drawing. Server and browsers share this machine, and the
browsers take most of it.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from benchmarks.command import NEMESIS
from benchmarks.section import Finding, Options, Section, Verdict

VISITORS, CLICKS, THINKING = 30, 15, 2.0
MOST_SECONDS = 0.2
MOST_FIRST_PAGE = 3.0
_TIMED = """() => new Promise((resolve) => {
  const felt = document.querySelector('[data-test=felt]'), began = performance.now();
  const seen = new MutationObserver(() => { seen.disconnect(); resolve(performance.now() - began); });
  seen.observe(felt, { childList: true, subtree: true, attributes: true });
  setTimeout(() => { seen.disconnect(); resolve(-1); }, 5000);
  const next = document.querySelector('[data-test=next]'), call = document.querySelector('[data-test=call]');
  (next && next.offsetParent ? next : call).click();
})"""


@dataclass(frozen=True)
class Clicks:
    """Seconds of every click, of the first page after the start of the command, and CPU seconds of the server a click."""

    seconds: Sequence[float]
    first_page: float
    cpu: float
    load: float
    """The machine's load average when they began."""


def visit(visitors: int = VISITORS, clicks: int = CLICKS) -> Clicks:
    """Start a lab, let the visitors play, and end it."""
    began, load = time.monotonic(), os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", NEMESIS, "lab", "--no-browser"]
        lab = subprocess.Popen(command, env={**os.environ, "NEMESIS_LAB": folder}, stderr=subprocess.PIPE, text=True)
        try:
            first, seconds, cpu = asyncio.run(_visits(_address(lab), began, visitors, clicks, lab.pid))
        finally:
            lab.terminate()
            lab.wait()
    return Clicks(seconds, first, cpu / len(seconds), load)


def _address(lab: subprocess.Popen[str]) -> str:
    assert lab.stderr is not None
    for line in lab.stderr:
        if found := re.search(r"http://127\.0\.0\.1:\d+", line):
            return found[0]
    raise RuntimeError("the lab did not start")


def _cpu(process: int) -> float:
    """CPU seconds that a process has taken so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def _visits(
    address: str, began: float, visitors: int, clicks: int, server: int
) -> tuple[float, list[float], float]:
    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        pages = []
        first = 0.0
        for _ in range(visitors):
            page = await (await browser.new_context()).new_page()
            await page.goto(f"{address}/table?game=limit&against=tp", timeout=120_000)
            await page.wait_for_selector("[data-test=felt] svg", timeout=120_000)
            first = first or time.monotonic() - began
            pages.append(page)

        async def play(number: int) -> list[float]:
            await asyncio.sleep(THINKING * number / visitors)
            taken = []
            for _ in range(clicks):
                taken.append(float(await pages[number].evaluate(_TIMED)) / 1000)
                await asyncio.sleep(THINKING)
            return taken

        before = _cpu(server)
        found = await asyncio.gather(*(play(number) for number in range(visitors)))
        cpu = _cpu(server) - before
        await browser.close()
    return first, [seconds for each in found for seconds in each if seconds >= 0], cpu


def verdicts(found: Clicks) -> list[Verdict]:
    """The two targets of the lab."""
    late = float(np.quantile(found.seconds, 0.95))
    median = 1000 * float(np.median(found.seconds))
    load = f"load {found.load:.1f} on {os.cpu_count()} cores"
    note = f"95th percentile of {len(found.seconds)} clicks; median {median:.0f} ms; {load}"
    return [
        Verdict("a click of 30 visitors at once", "s", MOST_SECONDS, late, at_most=True, note=note),
        Verdict("`nemesis lab`, first page, warm", "s", MOST_FIRST_PAGE, found.first_page, at_most=True),
    ]


def as_text(found: Clicks) -> str:
    """The figures, for the page."""
    median, late, worst = (1000 * float(np.quantile(found.seconds, q)) for q in (0.5, 0.95, 1.0))
    within = float(np.mean(np.array(found.seconds) <= MOST_SECONDS))
    return (
        f"{VISITORS} browser windows, each acting every two seconds, on the machine that serves them. From a click until "
        f"the table has changed: median {median:.0f} ms, 95th percentile {late:.0f} ms, longest {worst:.0f} ms; "
        f"{within:.1%} of {len(found.seconds)} clicks took at most {1000 * MOST_SECONDS:.0f} ms. From typing `nemesis lab` "
        f"to the first cards: {found.first_page:.1f} s, warm, the browser's start included. A click takes the server "
        f"{1000 * found.cpu:.0f} ms of CPU time. The load average before was {found.load:.1f}."
    )


def measure(options: Options) -> Finding:
    """Thirty visitors, for the page."""
    found = visit()
    options.tell(as_text(found))
    return Finding(as_text(found), verdicts(found), asdict(found))


SECTIONS = [Section("lab", "Thirty visitors in the lab", 2, measure)]
