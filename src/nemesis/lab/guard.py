"""What the server refuses before a page hears of it: bodies that are too large, and requests that another site has sent.

A page of another site that is open in the same browser can send requests here, and open web sockets. A browser says in
the header `Origin` which site asks, so only our own is answered; a request that names another host than this machine is
refused too, because a name elsewhere could have been made to point here. Nobody may put the lab into a frame.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

MOST_UPLOAD = 256 * 2**20
"""Bytes in the body of a request."""
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
"""How a request may name this machine."""
_HEADERS = (
    (b"x-frame-options", b"DENY"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
)


class OwnSite:
    """Answers only requests to one of `hosts` (to any, if None is given) that do not come from another site's pages."""

    def __init__(self, inner: Any, hosts: tuple[str, ...] | None = None) -> None:
        self.inner, self.hosts = inner, hosts

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self.inner(scope, receive, send)
            return
        sent = dict(scope["headers"])
        host = sent.get(b"host", b"").decode("latin-1").lower()
        origin = sent.get(b"origin")
        if self.hosts is not None and _without_port(host) not in self.hosts:
            await _refuse(scope, send, 400, "this lab answers only to the name of the machine that it runs on")
        elif origin is not None and _site(origin) != host:
            await _refuse(scope, send, 403, "this lab answers only its own pages")
        else:
            await self.inner(scope, receive, _with_headers(send))


class BoundedBodies:
    """Refuses a request whose body is larger than `MOST_UPLOAD`, also one that does not say so in advance."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass the request on, counting what comes in."""
        if scope["type"] != "http":
            await self.inner(scope, receive, send)
            return
        said = dict(scope["headers"]).get(b"content-length", b"0")
        if not said.isdigit() or int(said) > MOST_UPLOAD:
            await _refuse(scope, send, 413, f"at most {MOST_UPLOAD:,} bytes can be sent at once")
            return
        received = 0

        async def counted() -> Any:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            return {"type": "http.disconnect"} if received > MOST_UPLOAD else message

        await self.inner(scope, counted, send)


def _without_port(host: str) -> str:
    name, _, port = host.rpartition(":")
    return name if name and port.isdigit() else host


def _site(origin: bytes) -> str:
    """The host and port of a site; nothing for `null`, which a browser says of pages without one."""
    try:
        return urlsplit(origin.decode("latin-1")).netloc.lower()
    except ValueError:
        return ""


def _with_headers(send: Any) -> Any:
    async def sending(message: Any) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", ()), *_HEADERS]
        await send(message)

    return sending


async def _refuse(scope: Any, send: Any, status: int, sentence: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": sentence})
        return
    said = sentence.encode()
    headers = [(b"content-type", b"text/plain"), (b"content-length", str(len(said)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": said})
