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
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.command import NEMESIS
from benchmarks.section import Finding, Options, Section, Verdict

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

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
    """Seconds of every click, from the start of the command to the first cards, and CPU seconds of the server a click."""

    seconds: Sequence[float]
    first_page: float
    first_cpu: float
    """CPU seconds of the server until the first cards."""
    cpu: float
    load: float
    """The machine's load average when they began."""


def visit(visitors: int = VISITORS, clicks: int = CLICKS) -> Clicks:
    """Start a browser, then a lab; open its first page, let the visitors play, and end it."""
    return asyncio.run(_measured(visitors, clicks))


async def _measured(visitors: int, clicks: int) -> Clicks:
    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        load = os.getloadavg()[0]
        with tempfile.TemporaryDirectory() as folder:
            began = time.monotonic()
            lab, address = _started(Path(folder))
            try:
                await _opened(browser, address + "/table")
                first, first_cpu = time.monotonic() - began, _cpu(lab.pid)
                seconds, cpu = await _visits(browser, address, visitors, clicks, lab.pid)
            finally:
                lab.terminate()
                lab.wait()
        await browser.close()
    return Clicks(seconds, first, first_cpu, cpu / len(seconds), load)


def _started(folder: Path) -> tuple[subprocess.Popen[bytes], str]:
    """A lab with a folder of its own, and its address."""
    said = folder / "said.txt"
    command = [sys.executable, "-c", NEMESIS, "lab", "--no-browser"]
    with said.open("w") as output:
        lab = subprocess.Popen(command, env={**os.environ, "NEMESIS_LAB": str(folder / "lab")}, stderr=output)
    while lab.poll() is None:
        if found := re.search(r"(http://127\.0\.0\.1:\d+)\b.*\n", said.read_text()):
            return lab, found[1]
        time.sleep(0.01)
    raise RuntimeError(f"the lab did not start: {said.read_text()}")


def _cpu(process: int) -> float:
    """CPU seconds that a process has taken so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def _opened(browser: Browser, address: str) -> Page:
    """A table in a window of its own, with its cards dealt."""
    page = await (await browser.new_context()).new_page()
    await page.goto(address, timeout=120_000)
    await page.wait_for_selector("[data-test=felt] svg", timeout=120_000)
    return page


async def _visits(browser: Browser, address: str, visitors: int, clicks: int, server: int) -> tuple[list[float], float]:
    """Seconds of every click, and CPU seconds of the server for all of them."""
    pages = [await _opened(browser, f"{address}/table?game=limit&against=tp") for _ in range(visitors)]

    async def play(number: int) -> list[float]:
        await asyncio.sleep(THINKING * number / visitors)
        taken = []
        for _ in range(clicks):
            taken.append(float(await pages[number].evaluate(_TIMED)) / 1000)
            await asyncio.sleep(THINKING)
        return taken

    before = _cpu(server)
    found = await asyncio.gather(*(play(number) for number in range(visitors)))
    return [seconds for each in found for seconds in each if seconds >= 0], _cpu(server) - before


def verdicts(found: Clicks) -> list[Verdict]:
    """The two targets of the lab."""
    late = float(np.quantile(found.seconds, 0.95))
    median = 1000 * float(np.median(found.seconds))
    load = f"load {found.load:.1f} on {os.cpu_count()} cores"
    note = f"95th percentile of {len(found.seconds)} clicks; median {median:.0f} ms; {load}"
    return [
        Verdict("a click of 30 visitors at once", "s", MOST_SECONDS, late, at_most=True, note=note),
        Verdict(
            "`nemesis lab`, first page, warm",
            "s",
            MOST_FIRST_PAGE,
            found.first_page,
            at_most=True,
            note=f"{found.first_cpu:.1f} s of the server's CPU time; {load}",
        ),
    ]


def as_text(found: Clicks) -> str:
    """The figures, for the page."""
    median, late, worst = (1000 * float(np.quantile(found.seconds, q)) for q in (0.5, 0.95, 1.0))
    within = float(np.mean(np.array(found.seconds) <= MOST_SECONDS))
    return (
        f"{VISITORS} browser windows, each acting every two seconds, on the machine that serves them. From a click until "
        f"the table has changed: median {median:.0f} ms, 95th percentile {late:.0f} ms, longest {worst:.0f} ms; "
        f"{within:.1%} of {len(found.seconds)} clicks took at most {1000 * MOST_SECONDS:.0f} ms. From typing `nemesis lab` "
        f"to the first cards: {found.first_page:.1f} s, warm, in a browser that is open, and {found.first_cpu:.1f} s of the "
        f"server's CPU time. A click takes the server "
        f"{1000 * found.cpu:.0f} ms of CPU time. The load average before was {found.load:.1f}."
    )


def measure(options: Options) -> Finding:
    """Thirty visitors, for the page."""
    found = visit()
    options.tell(as_text(found))
    return Finding(as_text(found), verdicts(found), asdict(found))


SECTIONS = [Section("lab", "Thirty visitors in the lab", 2, measure)]
