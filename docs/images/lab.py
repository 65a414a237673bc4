"""Make the pictures of the lab again: `python docs/images/lab.py [PAGE …]`; without a page, all that are made here.

A lab with an empty folder is started, a visitor does what the picture is to show, and Chromium takes it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from playwright.sync_api import Page

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "tests" / "lab"))

from browsing import SECONDS, Visitor, running_browser, running_lab  # noqa: E402

FELT = "[data-test=felt] svg"


def table(page: Page) -> None:
    """Ten hands against ASHE, checked and called down, with its mind open after the last."""
    page.locator(FELT).wait_for(timeout=SECONDS * 1000)
    hands = 0
    while hands < 10:
        over = page.locator("[data-test=next]").is_visible()
        hands += over
        if hands < 10:
            page.keyboard.press("Space" if over else "c")
            page.wait_for_timeout(400)
    page.wait_for_timeout(500)


def watch(page: Page) -> None:
    """A thousand hands of ASHE and a loose aggressive player, then some decisions of the next."""
    page.locator(FELT).wait_for(timeout=SECONDS * 1000)
    page.keyboard.press("k")
    page.get_by_text("1,00").first.wait_for(timeout=SECONDS * 1000)
    for _ in range(5):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(400)


def grid(page: Page) -> None:
    """A chase on the harbour, in its middle."""
    page.locator(".sea svg").wait_for(timeout=SECONDS * 1000)
    page.keyboard.press("r")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(300)


def studies(page: Page) -> None:
    """The table of ASHE against every opponent."""
    page.locator(".picture img").first.wait_for(timeout=SECONDS * 1000)
    page.wait_for_timeout(800)


PICTURES: Mapping[str, tuple[str, str, Callable[[Page], None]]] = {
    "table": ("/table?against=ashe-a4&seed=11", "light", table),
    "watch": ("/watch", "dark", watch),
    "grid": ("/grid", "light", grid),
    "studies": ("/studies?study=ashe-table", "light", studies),
}


def main() -> None:
    """Take the pictures that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", choices=[*PICTURES, []])
    wanted = parser.parse_args().pages or list(PICTURES)
    with tempfile.TemporaryDirectory() as folder, running_lab(Path(folder)) as lab, running_browser() as browser:
        for name in wanted:
            path, theme, prepare = PICTURES[name]
            visitor = Visitor(browser, lab.address, color_scheme=theme)
            page = visitor.go(path)
            prepare(page)
            page.screenshot(path=HERE / f"lab-{name}.png")
            visitor.close()


if __name__ == "__main__":
    main()
