"""Visitors who close a page while it loads: no fault of the program, and none is written."""

import asyncio
import socket
import struct
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from browsing import Lab

from nemesis.lab.leaving import LEFT, LeaversAnswered

REQUEST = {"type": "http.request", "body": b"", "more_body": False}
GONE = {"type": "http.disconnect"}
START = {"type": "http.response.start", "status": 200, "headers": []}

App = Callable[[Any, Any], Awaitable[None]]


async def says_nothing(receive: Any, send: Any) -> None:
    """What is behind, and sees that the visitor has gone."""
    await receive()


async def says_half(receive: Any, send: Any) -> None:
    await send(START)


async def stumbles(receive: Any, send: Any) -> None:
    await receive()
    raise KeyError("REQUEST_METHOD")


async def answers(receive: Any, send: Any) -> None:
    await send(START)
    await send({"type": "http.response.body", "body": b"here"})


def sent_by(inner: App, received: list[Any]) -> list[Any]:
    """What goes out for a request of which this is received; somebody who stays sends nothing more."""
    sent: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await inner(receive, send)

    async def receive() -> Any:
        if received:
            return received.pop(0)
        return await asyncio.Event().wait()

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(LeaversAnswered(app)({"type": "http", "path": "/"}, receive, send))
    return sent


@pytest.mark.parametrize("inner", [says_nothing, stumbles])
def test_who_has_left_gets_an_empty_answer(inner: App) -> None:
    start, body = sent_by(inner, [GONE])
    assert (start["status"], body["body"]) == (LEFT, b"")


@pytest.mark.parametrize("received", [[GONE], [REQUEST, GONE]])
def test_an_answer_that_was_cut_off_is_ended(received: list[Any]) -> None:
    async def cut_off(receive: Any, send: Any) -> None:
        for _ in received[:-1]:
            await receive()
        await says_half(receive, send)

    start, body = sent_by(cut_off, list(received))
    assert (start, body["body"], body.get("more_body", False)) == (START, b"", False)


def test_whoever_stays_gets_what_is_answered_and_nothing_more() -> None:
    assert [message.get("body") for message in sent_by(answers, [REQUEST])] == [None, b"here"]
    assert sent_by(says_nothing, [REQUEST]) == []


def test_a_fault_while_somebody_is_there_is_raised() -> None:
    with pytest.raises(KeyError):
        sent_by(stumbles, [REQUEST])


def test_nothing_is_written_when_visitors_leave_at_any_moment(lab: Lab) -> None:
    host = f"Host: 127.0.0.1:{lab.port}\r\n"
    polling = "/_nicegui_ws/socket.io/?EIO=4&transport=polling HTTP/1.1\r\n"
    requests = [
        f"GET /grid HTTP/1.1\r\n{host}\r\n",
        f"GET /assets/lab.css HTTP/1.1\r\n{host}\r\n",
        f"GET {polling}{host}\r\n",
        f"POST {polling}{host}Content-Length: 500\r\n\r\nbegun",
    ]
    for request in requests:
        for waiting in (0.0, 0.0, 0.001, 0.003, 0.01, 0.03):
            with socket.create_connection(("127.0.0.1", int(lab.port))) as visitor:
                visitor.sendall(request.encode())
                time.sleep(waiting)
                visitor.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # no farewell
    with socket.create_connection(("127.0.0.1", int(lab.port)), timeout=60) as visitor:
        visitor.sendall(f"GET /assets/lab.css HTTP/1.1\r\n{host}Connection: close\r\n\r\n".encode())
        assert visitor.recv(100).startswith(b"HTTP/1.1 200")
    time.sleep(1.0)
    assert "Traceback" not in lab.said()
