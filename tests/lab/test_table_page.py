"""The table in a real browser: a hand is played to its end by clicks and by keys, and survives what happens to browsers."""

import re
from collections.abc import Callable
from pathlib import Path

from browsing import SECONDS, Visitor, running_lab
from playwright.sync_api import Browser, Page, expect

from nemesis.observe.phh import read_hands

TABLE = "/table?game=no-limit&against=cm"
Visit = Callable[..., Visitor]


def felt(page: Page) -> str:
    """The table as it is told to whoever cannot see it: cards, chips and pot."""
    drawing = page.locator("[data-test=felt] svg")
    drawing.wait_for(timeout=SECONDS * 1000)
    return drawing.get_attribute("aria-label") or ""


def changed(page: Page, before: str) -> None:
    """Wait until the table shows something else."""
    expect(page.locator("[data-test=felt] svg")).not_to_have_attribute("aria-label", before)


def sit_down(visitor: Visitor) -> Page:
    """Take a seat at a table of one's own, and leave the address behind that asked for it."""
    page = visitor.go(TABLE)
    felt(page)
    page.goto(visitor.address + "/table")
    return page


def play_out(page: Page, act: Callable[[], None]) -> None:
    """Act until the hand is over."""
    for _ in range(40):
        before = felt(page)
        if page.locator("[data-test=next]").is_visible():
            return
        act()
        changed(page, before)
    raise AssertionError("the hand did not end")


def test_a_hand_is_played_to_its_end_by_clicking(visit: Visit) -> None:
    page = sit_down(visit())
    play_out(page, lambda: page.locator("[data-test=call]").click())
    assert re.search(r"You win|wins; you lose|Nothing won", felt(page))
    page.locator(".hand-row").first.click()
    expect(page.locator("[data-test=detail]")).to_contain_text("patient, exact")
    before = felt(page)
    page.locator("[data-test=next]").click()
    changed(page, before)


def test_a_hand_is_played_to_its_end_by_keys(visit: Visit) -> None:
    page = sit_down(visit())
    play_out(page, lambda: page.keyboard.press("c"))
    before = felt(page)
    page.keyboard.press("Space")
    changed(page, before)
    page.keyboard.press("?")
    expect(page.locator("#lab-keys")).to_contain_text("Sit down")
    page.keyboard.press("Escape")
    expect(page.locator("#lab-keys")).to_have_count(0)


def test_a_raise_takes_its_size_from_the_keys(visit: Visit) -> None:
    visitor = visit()
    page = visitor.go("/table?game=no-limit&against=cm")
    felt(page)
    page.keyboard.press("a")
    expect(page.locator("[data-test=raise]")).to_contain_text("20,000")
    page.keyboard.press("1")
    expect(page.locator("[data-test=raise]")).to_contain_text("200")
    before = felt(page)
    page.keyboard.press("r")
    changed(page, before)
    assert "calls" in page.locator("[data-test=story]").inner_text()


def test_a_reload_in_the_middle_of_a_hand_changes_nothing(visit: Visit) -> None:
    page = sit_down(visit())
    before = felt(page)
    page.keyboard.press("c")
    changed(page, before)
    seen, story = felt(page), page.locator("[data-test=story]").inner_text()
    page.reload()
    assert felt(page) == seen
    assert page.locator("[data-test=story]").inner_text() == story


def test_a_lost_connection_loses_nothing(visit: Visit) -> None:
    page = sit_down(visit())
    before = felt(page)
    page.evaluate("window.socket.disconnect()")
    expect(page.locator("#popup")).to_contain_text("Connection lost")
    page.keyboard.press("c")
    assert felt(page) == before
    page.evaluate("window.socket.connect()")
    changed(page, before)
    assert page.locator("[data-test=story]").inner_text().count("you c") == 1  # called or checked, once


def test_two_visitors_sit_at_tables_of_their_own(visit: Visit) -> None:
    first, second = sit_down(visit()), sit_down(visit())
    mine, theirs = felt(first), felt(second)
    assert mine != theirs  # the cards are drawn with different seeds
    first.keyboard.press("c")
    changed(first, mine)
    second.reload()
    assert felt(second) == theirs
    held = re.search(r"holding ([^.;]+)", mine)
    assert held
    assert held[1] not in second.content()


def test_a_window_that_was_left_behind_does_not_act_on_a_hand_that_went_on(visit: Visit) -> None:
    visitor = visit()
    page = sit_down(visitor)
    before = felt(page)
    other = visitor.open_page()
    other.goto(visitor.address + "/table")
    assert felt(other) == before
    page.keyboard.press("c")
    changed(page, before)
    seen = felt(page)
    other.keyboard.press("c")
    expect(other.locator(".q-notification")).to_contain_text("went on in another window")
    assert felt(other) == seen


def test_its_mind_is_closed_while_the_hand_is_live(visit: Visit) -> None:
    page = sit_down(visit())
    felt(page)
    mind = page.locator("[data-test=mind]")
    expect(mind).to_contain_text("closed while the hand is live")
    play_out(page, lambda: page.keyboard.press("c"))
    expect(mind).to_contain_text("fixed rule")
    assert "holding" in felt(page)


def test_hands_are_downloaded_as_phh_and_replay_to_the_same_chips(visit: Visit, tmp_path: Path) -> None:
    page = sit_down(visit())
    play_out(page, lambda: page.keyboard.press("c"))
    with page.expect_download() as found:
        page.keyboard.press("d")
    path = tmp_path / "hands.phhs"
    found.value.save_as(path)
    hands = list(read_hands(path))
    assert hands
    assert set(hands[0].players) == {"you", "cm"}


def test_an_opponent_that_is_a_path_is_refused_with_a_sentence(visit: Visit) -> None:
    page = visit().go("/table?against=../../etc/passwd.json")
    felt(page)
    assert "against ashe-a4" in page.locator(".big").first.inner_text()


def test_the_hand_is_still_there_when_the_lab_was_ended_and_started_again(browser: Browser, tmp_path: Path) -> None:
    with running_lab(tmp_path) as lab:
        visitor = Visitor(browser, lab.address)
        page = sit_down(visitor)
        before = felt(page)
        page.keyboard.press("c")
        changed(page, before)
        seen = felt(page)
        page.evaluate("window.before = true")
        lab.end()
        lab.start()
        page.wait_for_function("!window.before", timeout=SECONDS * 1000)  # the page is loaded again by itself
        assert felt(page) == seen
        visitor.close()
