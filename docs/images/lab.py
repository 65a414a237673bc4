"""Make the pictures of the lab again: `python docs/images/lab.py [PAGE …]`; without a page, all that are made here.

A lab with an empty folder is started, a visitor does what the picture is to show, and Chromium takes it.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from playwright.sync_api import Page

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "tests" / "lab"))

from browsing import SECONDS, Visitor, running_browser, running_lab  # noqa: E402

DATA = HERE.parent.parent / "tests" / "data"
LONG = SECONDS * 1000
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


def evolution(page: Page) -> None:
    """A small run of NEAT to its end, and its champion thinking about a hand."""
    page.get_by_role("button", name="Start this evolution").click()
    page.locator(".centre .chip.finished").wait_for(timeout=LONG)
    page.get_by_text(": the champion", exact=False).wait_for(timeout=LONG)
    page.keyboard.press("d")
    page.get_by_text("the largest output acts").wait_for(timeout=LONG)
    page.wait_for_timeout(500)


def players(page: Page) -> None:
    """The sample hands, and one of them with what the model expected."""
    page.locator("input[type=file]").first.set_input_files(sorted(DATA.glob("*.phhs")))
    page.locator("table.players td.who button").first.click(timeout=LONG)
    page.locator("[data-pick=pfr]").first.click()
    page.locator(".q-drawer--right .job-line").nth(3).click()
    page.locator(".replay svg").wait_for(timeout=LONG)
    page.keyboard.press("n")
    page.wait_for_timeout(800)


def models(page: Page) -> None:
    """The networks of the player with the most hands, after they have learned."""
    page.locator("tr[data-pick]").first.click()
    page.keyboard.press("1")
    page.get_by_text("decisions,").first.wait_for(timeout=LONG)
    page.keyboard.press("Space")
    page.get_by_text("epochs are used up").wait_for(timeout=LONG)
    page.locator(".centre tr[data-pick]").nth(4).click()
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_timeout(800)


def arena(page: Page) -> None:
    """The analysis player and the four styles."""
    page.get_by_role("button", name="Play this contest").click()
    page.locator(".centre .chip.finished").wait_for(timeout=LONG)
    page.wait_for_timeout(1500)


PICTURES: Mapping[str, tuple[str, str, Callable[[Page], None]]] = {
    "table": ("/table?against=ashe-a4&seed=11", "light", table),
    "watch": ("/watch", "dark", watch),
    "evolution": ("/evolution", "dark", evolution),
    "players": ("/players", "light", players),
    "models": ("/models", "dark", models),
    "arena": ("/arena", "light", arena),
    "grid": ("/grid", "light", grid),
    "studies": ("/studies?study=ashe-table", "light", studies),
}


def main() -> None:
    """Take the pictures that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", choices=[*PICTURES, []])
    wanted = parser.parse_args().pages or list(PICTURES)
    if "models" in wanted and "players" not in wanted:
        wanted = ["players", *wanted]  # whose hands are learned from
    os.environ["NEMESIS_STORE"] = str(Path(tempfile.mkdtemp()) / "hands.duckdb")
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
