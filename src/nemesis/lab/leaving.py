"""Visitors who leave before they are answered, by closing a page that is still loading or uploading.

What is behind may then give no answer, or stumble over a request that has ended; what is before takes either for a fault of
the program and writes a traceback. It is none: who has left gets an empty answer, which nobody reads.
"""

from __future__ import annotations

import asyncio
from typing import Any

LEFT = 499
"""What a server says of a request whose sender has gone; the number is nginx's."""
_A_MOMENT = 0.2
"""Seconds in which a connection that has ended says so."""


class LeaversAnswered:
    """Passes requests on, and ends the answers to those whose visitors leave meanwhile."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass the request on; an error of somebody who is still there is raised."""
        if scope["type"] != "http":
            await self.inner(scope, receive, send)
            return
        begun = ended = left = False

        async def receiving() -> Any:
            nonlocal left
            message = await receive()
            left = left or message["type"] == "http.disconnect"
            return message

        async def sending(message: Any) -> None:
            nonlocal begun, ended
            await send(message)  # may be cancelled
            begun = True
            ended = message["type"] == "http.response.body" and not message.get("more_body", False)

        try:
            await self.inner(scope, receiving, sending)
        except Exception:
            if ended or not left:
                raise
        if ended or not (left or await _has_left(receive)):
            return
        if not begun:
            await send({"type": "http.response.start", "status": LEFT, "headers": []})
        await send({"type": "http.response.body", "body": b""})


async def _has_left(receive: Any) -> bool:
    try:
        message = await asyncio.wait_for(receive(), _A_MOMENT)
    except TimeoutError:
        return False
    return bool(message["type"] == "http.disconnect")
