"""The server answers its own pages only: not other hosts, other sites' pages or bodies without end."""

import asyncio
from typing import Any

import pytest

from nemesis.lab.guard import LOOPBACK, MOST_UPLOAD, BoundedBodies, OwnSite


async def _page(scope: Any, receive: Any, send: Any) -> None:
    """An application that reads the whole body and answers."""
    while scope["type"] == "http" and (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"a page"})


def answer(
    app: Any, headers: dict[str, str], kind: str = "http", parts: list[bytes] | None = None
) -> list[dict[str, Any]]:
    """What is sent back for a request with these headers, whose body comes in these parts."""
    sent: list[dict[str, Any]] = []
    waiting = list(parts or [b""])

    async def receive() -> Any:
        body = waiting.pop(0)
        return {"type": "http.request", "body": body, "more_body": bool(waiting)}

    async def send(message: Any) -> None:
        sent.append(message)

    given = [(name.encode(), value.encode()) for name, value in headers.items()]
    asyncio.run(app({"type": kind, "headers": given}, receive, send))
    return sent


def status(headers: dict[str, str], hosts: tuple[str, ...] | None = LOOPBACK) -> int:
    return int(answer(OwnSite(_page, hosts), headers)[0]["status"])


@pytest.mark.parametrize("host", ["127.0.0.1:8080", "localhost:8080", "LOCALHOST", "[::1]:8080", "127.0.0.1"])
def test_this_machine_is_answered_by_all_its_names(host: str) -> None:
    assert status({"host": host}) == 200
    assert status({"host": host, "origin": f"http://{host}"}) == 200


@pytest.mark.parametrize(
    "host", ["elsewhere.example", "127.0.0.1.elsewhere.example", "elsewhere.example:8080", "", "[::1"]
)
def test_a_name_that_was_made_to_point_here_is_refused(host: str) -> None:
    assert status({"host": host}) == 400


@pytest.mark.parametrize(
    "origin", ["http://elsewhere.example", "null", "http://127.0.0.1:9", "file://", "http://[", "127.0.0.1:8080"]
)
def test_a_page_of_another_site_is_refused(origin: str) -> None:
    assert status({"host": "127.0.0.1:8080", "origin": origin}) == 403
    assert status({"host": "lab.example:8080", "origin": origin}, hosts=None) == 403


def test_a_lab_for_other_machines_answers_to_the_name_they_know_it_by() -> None:
    assert status({"host": "lab.example:8080", "origin": "http://lab.example:8080"}, hosts=None) == 200


def test_a_web_socket_from_another_site_is_closed_before_it_opens() -> None:
    headers = {"host": "127.0.0.1:8080", "origin": "http://elsewhere.example"}
    assert answer(OwnSite(_page, LOOPBACK), headers, kind="websocket")[0]["type"] == "websocket.close"


def test_no_page_can_be_put_into_a_frame() -> None:
    start = answer(OwnSite(_page, LOOPBACK), {"host": "localhost"})[0]
    assert (b"x-frame-options", b"DENY") in start["headers"]


@pytest.mark.parametrize("size", [str(MOST_UPLOAD + 1), "-1", "many", "9" * 40])
def test_a_body_that_says_it_is_too_large_is_refused(size: str) -> None:
    assert answer(BoundedBodies(_page), {"content-length": size})[0]["status"] == 413


def test_a_body_that_goes_on_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nemesis.lab.guard.MOST_UPLOAD", 10)
    heard: list[str] = []

    async def page(scope: Any, receive: Any, send: Any) -> None:
        for _ in range(3):
            heard.append((await receive())["type"])

    answer(BoundedBodies(page), {}, parts=[b"12345", b"67890", b"1"])
    assert heard == ["http.request", "http.request", "http.disconnect"]
