"""A lab in a process of its own and visitors in a real browser, for the tests of the pages."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect, sync_playwright

SECONDS = 240
"""How long a page may take when kernels are compiled for the first time."""
PATIENCE = 60_000
"""Milliseconds until something that is expected must have happened, on a machine with much else to do."""
expect.set_options(timeout=PATIENCE)


class Lab:
    """A running lab: its address, and how to end and start it again on the same port."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = ""
        self.provoked = False  # set where a test makes it fail on purpose
        self._output = folder.with_name(f"{folder.name}-said.txt")
        self.start()

    def start(self) -> None:
        """Start it and wait until it answers."""
        environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
        chosen = ["--port", self.port] if self.port else []
        with self._output.open("w") as output:  # not a pipe, which stops the lab when it is full
            self.process = subprocess.Popen(
                [sys.executable, "-m", "nemesis.cli", "lab", "--no-browser", *chosen],
                env={**environment, "NEMESIS_LAB": str(self.folder)}, stderr=output,
            )  # fmt: skip
        while self.process.poll() is None:
            if found := re.search(r"(http://127\.0\.0\.1:(\d+))\b.*\n", self.said()):
                self.address, self.port = found[1], found[2]
                return
            time.sleep(0.05)
        raise AssertionError(f"the lab did not start: {self.said()}")

    def said(self) -> str:
        """What it has written to its standard error since it was started."""
        return self._output.read_text()

    def end(self) -> None:
        """End it as Ctrl-C does."""
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@contextmanager
def running_lab(folder: Path) -> Iterator[Lab]:
    """A lab with a folder of its own."""
    lab = Lab(folder)
    try:
        yield lab
    finally:
        lab.end()


@contextmanager
def running_browser() -> Iterator[Browser]:
    """Chromium without a window."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    assert found, "these tests need Chromium; tests/lab/install-browser installs it"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


class Visitor:
    """Somebody with a browser of their own; what goes wrong in it is kept in `faults`."""

    def __init__(self, browser: Browser, address: str, **options: Any) -> None:
        self.address = address
        self.faults: list[str] = []
        self.context = browser.new_context(viewport={"width": 1280, "height": 800}, **options)
        self.page = self.open_page()

    def open_page(self) -> Page:
        """A new window of the same browser."""
        page = self.context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: self._note(message.type == "error", message.text))
        page.on("pageerror", lambda error: self._note(True, str(error)))
        page.on("request", lambda request: self._note(not self._ours(request.url), f"asks for {request.url}"))
        return page

    def go(self, path: str) -> Page:
        """Open a page of the lab and wait until it is alive."""
        self.page.goto(self.address + path, timeout=SECONDS * 1000)
        self.page.wait_for_function(
            "window.did_handshake === undefined || window.did_handshake", timeout=SECONDS * 1000
        )
        return self.page

    def close(self) -> None:
        """Leave."""
        self.context.close()

    def _ours(self, url: str) -> bool:
        return url.startswith((self.address, "data:", "blob:"))

    def _note(self, wrong: bool, text: str) -> None:
        if wrong:
            self.faults.append(text)
