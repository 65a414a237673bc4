"""Thirty visitors at tables of the lab at once: how long a click takes until the table shows what came of it.

Every visitor has a browser window of their own and acts about once a second, which is faster than people play. The time is
taken in the page, from the key to the change of the drawing. Server and browsers share this machine.
"""

from __future__ import annotations

import asyncio
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.targets import NEMESIS, Verdict

VISITORS, CLICKS, THINKING = 30, 20, 1.0
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
    """Seconds of every click, of the first page after the start of the command, and CPU seconds of the server."""

    seconds: Sequence[float]
    first_page: float
    cpu: float
    load: float
    """The machine's load average when they began."""


def measure(visitors: int = VISITORS, clicks: int = CLICKS) -> Clicks:
    """Start a lab, let the visitors play, and end it."""
    began, load = time.monotonic(), os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", NEMESIS, "lab", "--no-browser"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        lab = subprocess.Popen(command, env={**os.environ, "NEMESIS_LAB": folder}, stderr=subprocess.PIPE, text=True)
        try:
            address = _address(lab)
            first, seconds = asyncio.run(_visits(address, began, visitors, clicks))
        finally:
            lab.terminate()
            lab.wait()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Clicks(seconds, first, cpu, load)


def _address(lab: subprocess.Popen[str]) -> str:
    assert lab.stderr is not None
    for line in lab.stderr:
        if found := re.search(r"http://127\.0\.0\.1:\d+", line):
            return found[0]
    raise RuntimeError("the lab did not start")


async def _visits(address: str, began: float, visitors: int, clicks: int) -> tuple[float, list[float]]:
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

        found = await asyncio.gather(*(play(number) for number in range(visitors)))
        await browser.close()
    return first, [seconds for each in found for seconds in each if seconds >= 0]


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


def as_section(found: Clicks) -> str:
    """The figures, for the page."""
    median, late, worst = (1000 * float(np.quantile(found.seconds, q)) for q in (0.5, 0.95, 1.0))
    within = float(np.mean(np.array(found.seconds) <= MOST_SECONDS))
    return "\n".join(
        [
            "## Thirty visitors in the lab",
            "",
            f"`python -m benchmarks.lab`. {VISITORS} browser windows, each acting about once a second, on the machine that",
            f"serves them. From a click until the table has changed: median {median:.0f} ms, 95th percentile {late:.0f} ms,",
            f"longest {worst:.0f} ms; {within:.1%} of {len(found.seconds)} clicks took at most 200 ms.",
            f"From typing `nemesis lab` to the first cards: {found.first_page:.1f} s, warm, the browser's start included.",
            f"The server took {found.cpu:.0f} CPU seconds, start included; the load average before was {found.load:.1f}.",
        ]
    )


if __name__ == "__main__":
    print(as_section(measure()))
