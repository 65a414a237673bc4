"""Every page opens without an error, nothing comes from elsewhere, and the server refuses what it must."""

import http.client
import re
from collections.abc import Callable

import pytest
from browsing import SECONDS, Lab, Visitor
from playwright.sync_api import expect

from nemesis.lab.guard import MOST_UPLOAD
from nemesis.lab.pages import KEYS, PAGES

Visit = Callable[..., Visitor]


READY = {
    "table": "[data-test=felt] svg", "watch": "[data-test=felt] svg", "evolution": ".empty", "players": ".empty, .players",
    "models": ".centre svg", "arena": ".empty", "studies": ".picture img", "grid": ".sea svg",
}  # fmt: skip
"""What is seen when a page has everything in its place."""
UNTOLD = """() => [...document.querySelectorAll("button, a, input, [role=switch], [role=slider], [role=button]")]
  .filter((e) => e.type !== "file")
  .filter((e) => e.offsetParent !== null && !(e.innerText || e.ariaLabel || e.title || e.placeholder
    || e.closest("label, [aria-label]") || document.querySelector(`label[for="${e.id}"]`)))
  .map((e) => e.outerHTML.slice(0, 200))"""
"""What can be pressed or filled in, but has no name for whoever cannot see it."""


@pytest.mark.parametrize("name", list(PAGES))
def test_a_page_opens_without_an_error_in_light_and_dark_and_on_a_tablet(visit: Visit, name: str) -> None:
    for theme, motion, (wide, high) in (("light", "no-preference", (1024, 768)), ("dark", "reduce", (820, 1180))):
        page = visit(color_scheme=theme, reduced_motion=motion).go(f"/{name}")
        page.locator(READY[name]).first.wait_for(timeout=SECONDS * 1000)
        expect(page.locator("nav .here")).to_have_text(name.capitalize())
        assert page.evaluate(UNTOLD) == []
        page.set_viewport_size({"width": wide, "height": high})
        found = page.evaluate("document.documentElement.scrollWidth")
        assert found <= wide, f"{name} is {found} wide on a tablet of {wide}"


def test_a_letter_after_g_opens_a_page(visit: Visit) -> None:
    page = visit().go("/grid")
    expect(page.locator("nav .here")).to_have_text("Grid")
    page.keyboard.press("g")
    page.keyboard.press(KEYS["table"])
    page.wait_for_url("**/table")


def test_what_is_reached_by_tab_is_pressed_by_space_and_shortcuts_work_after_a_click(visit: Visit) -> None:
    page = visit().go("/grid")
    page.locator(READY["grid"]).wait_for(timeout=SECONDS * 1000)
    page.get_by_role("button", name="One round on").click()
    page.keyboard.press(" ")  # a click has put the focus there, so space is the shortcut
    play = page.locator("[data-key=space]")
    expect(play).to_contain_text("Pause")
    another = page.get_by_role("button", name="Another chase")
    another.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    expect(another).to_be_focused()
    page.keyboard.press(" ")
    expect(page.locator(".status")).to_contain_text("seed 2")


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


def test_a_page_of_another_site_gets_neither_pages_nor_a_web_socket(lab: Lab) -> None:
    upgrade = {
        "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "MDEyMzQ1Njc4OWFiY2RlZg==",
    }  # fmt: skip
    for path, headers in (
        ("/table", {}),
        ("/_nicegui_ws/socket.io/?EIO=4&transport=polling", {}),
        ("/_nicegui_ws/socket.io/?EIO=4&transport=websocket", upgrade),
    ):
        connection = http.client.HTTPConnection("127.0.0.1", int(lab.port), timeout=20)
        connection.request("GET", path, headers={"Origin": "http://elsewhere.example", **headers})
        assert connection.getresponse().status == 403, path


NONSENSE = """() => {
  const odd = [null, "x", 1e308, -1, [], {}, { value: 1e9 }, { value: {} }, ["../../etc/passwd"], "A".repeat(20000), true];
  const elements = document.querySelector("#app")._vnode.component.proxy.elements, client_id = window.clientId;
  let sent = 0;
  const send = (name, message) => { window.socket.emit(name, message); sent += 1; };
  for (const [id, element] of Object.entries(elements))
    for (const { listener_id } of element.events || [])
      for (const each of odd) send("event", { id: Number(id), client_id, listener_id, args: [JSON.stringify(each)] });
  for (const name of ["event", "handshake", "javascript_response", "ack", "nonsense"])
    for (const message of [null, [], "x", {}, { client_id: "../x" }, { client_id, id: "x" }]) send(name, message);
  return sent;
}"""
"""Sends things that no page would send, to everything that listens."""


@pytest.mark.parametrize("path", ["/table?game=limit&against=tp", "/grid"])
def test_nonsense_over_the_web_socket_harms_nobody_else(visit: Visit, lab: Lab, path: str) -> None:
    vandal = visit().go(path)
    vandal.locator(READY[path[1:].partition("?")[0]]).wait_for(timeout=SECONDS * 1000)
    before = sorted(each.name for each in lab.folder.iterdir())
    lab.provoked = True
    assert vandal.evaluate(NONSENSE) > 100
    page = visit().go("/grid")
    page.locator(READY["grid"]).wait_for(timeout=SECONDS * 1000)
    page.keyboard.press("n")
    expect(page.locator(".status")).to_contain_text("seed 2")
    assert sorted(each.name for each in lab.folder.iterdir()) == before


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
