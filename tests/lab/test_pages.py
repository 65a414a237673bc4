"""Every page opens without an error, nothing comes from elsewhere, and the server refuses what it must."""

import http.client
import re
from collections.abc import Callable

import pytest
from browsing import SECONDS, Lab, Visitor
from playwright.sync_api import expect

from nemesis.lab.pages import KEYS, PAGES
from nemesis.lab.server import MOST_UPLOAD

Visit = Callable[..., Visitor]


@pytest.mark.parametrize("name", list(PAGES))
def test_a_page_opens_without_an_error_in_light_and_dark_and_on_a_tablet(visit: Visit, name: str) -> None:
    for options in ({"color_scheme": "light"}, {"color_scheme": "dark", "reduced_motion": "reduce"}):
        visitor = visit(**options)
        page = visitor.go(f"/{name}")
        expect(page.locator(".centre")).not_to_be_empty()
        expect(page.locator("nav .here")).to_have_text(name.capitalize())
        page.set_viewport_size({"width": 1024, "height": 768})
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= 1024, f"{name} is {wide} wide on a tablet"
        page.wait_for_timeout(500)


def test_a_letter_after_g_opens_a_page(visit: Visit) -> None:
    page = visit().go("/grid")
    expect(page.locator("nav .here")).to_have_text("Grid")
    page.keyboard.press("g")
    page.keyboard.press(KEYS["table"])
    page.wait_for_url("**/table")


def test_the_theme_is_remembered(visit: Visit) -> None:
    page = visit(color_scheme="light").go("/grid")
    theme = page.get_by_role("button", name="Theme")
    theme.click()
    expect(theme).to_have_attribute("title", "Theme: light")
    theme.click()
    expect(page.locator("body.body--dark")).to_have_count(1)
    page.reload()
    expect(page.locator("body.body--dark")).to_have_count(1)


def test_a_body_that_is_too_large_is_refused(lab: Lab) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", int(lab.port), timeout=20)
    connection.putrequest("POST", "/table")
    connection.putheader("Content-Length", str(MOST_UPLOAD + 1))
    connection.endheaders()
    assert connection.getresponse().status == 413


def test_a_request_for_another_host_is_refused(lab: Lab) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", int(lab.port), timeout=20)
    connection.request("GET", "/table", headers={"Host": "elsewhere.example"})
    assert connection.getresponse().status == 400


def test_files_outside_the_assets_are_not_served(lab: Lab) -> None:
    for path in ("/assets/../server.py", "/assets/%2e%2e/server.py", "/cookie-secret", "/visitors"):
        connection = http.client.HTTPConnection("127.0.0.1", int(lab.port), timeout=20)
        connection.request("GET", path)
        assert connection.getresponse().status == 404, path


def test_agents_are_watched_decision_by_decision_and_at_speed(visit: Visit) -> None:
    page = visit().go("/watch")
    felt = page.locator("[data-test=felt] svg")
    felt.wait_for(timeout=SECONDS * 1000)
    before = felt.get_attribute("aria-label") or ""
    page.keyboard.press("ArrowRight")
    expect(felt).not_to_have_attribute("aria-label", before)
    page.keyboard.press("k")
    expect(page.locator(".status")).to_contain_text(re.compile(r"1,00\d hands"), timeout=SECONDS * 1000)
    expect(page.locator(".pattern-tree")).to_contain_text("on the button")


def test_a_chase_is_stepped_through(visit: Visit) -> None:
    page = visit().go("/grid")
    sea = page.locator(".sea svg")
    sea.wait_for(timeout=SECONDS * 1000)
    page.keyboard.press("r")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("n")
    expect(page.locator(".status")).to_contain_text("seed 2")
    expect(sea).to_have_attribute("aria-label", re.compile("halmoids after round"))


def test_a_study_is_chosen_and_measured_in_a_process_of_its_own(visit: Visit) -> None:
    visitor = visit()
    page = visitor.go("/studies?study=grid-directions")
    expect(page.locator(".centre")).to_contain_text("full scale", timeout=SECONDS * 1000)
    page.keyboard.press("n")
    expect(page.locator(".q-drawer--right")).to_contain_text("smoke scale")
    page.goto(visitor.address + "/grid")
    page.goto(visitor.address + "/studies")
    expect(page.locator(".centre")).to_contain_text("Measured here: grid-directions", timeout=SECONDS * 1000)
    page.get_by_text("every figure", exact=True).click()
    expect(page.locator(".figures")).to_contain_text("published")
