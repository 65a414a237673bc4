"""Lines over TCP from and to somebody who may not mean well.

A peer has a time for every line, whatever it sends meanwhile, and lines have a longest length. What it does wrong (silence,
endless lines, bytes that are no text, hanging up) becomes a `PeerError`, a sentence that names it. Nothing here waits
without an end.

Two programs that take turns wait for each other after every message, and to be woken takes longer than to read a line. So
a read looks again and again for a moment (`PATIENCE`) before it sleeps until bytes come or the time is over. Where that
was in vain, because the peer thinks longer or has no processor to itself, more and more reads sleep at once.
"""

from __future__ import annotations

import select
import selectors
import socket
import time
from collections import deque
from collections.abc import Sequence

LONGEST_LINE = 8192
PATIENCE = 100e-6
"""Seconds for which a read stays awake."""
_MOST_ASLEEP = 256
"""Reads that sleep at once after one that stayed awake in vain."""
_CHUNK = 1 << 16


class PeerError(ValueError):
    """Why somebody at the other end of a wire cannot be played with any longer."""


class Peer:
    """The other end of a connection."""

    def __init__(self, connection: socket.socket, name: str, seconds: float) -> None:
        """`seconds` is the time for a line, both to come and to be taken; it may be changed later."""
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.setblocking(False)
        self.name = name
        self.seconds = seconds
        self._socket = connection
        self._lines: deque[bytes] = deque()
        self._rest = b""
        self._asleep = 1  # reads that sleep at once after the next one that stays awake in vain
        self._sleeping = 0  # reads that still do

    def send(self, text: str) -> None:
        """Send the text, which ends in a line break."""
        rest = text.encode("ascii")
        deadline = time.monotonic() + self.seconds
        try:
            while rest := rest[self._sent(rest) :]:
                if not self._ready(select.POLLOUT, deadline):
                    raise PeerError(f"{self.name} did not take what was sent within {self.seconds:g} s")
        except OSError as error:
            raise PeerError(f"{self.name} hung up ({error.strerror or error})") from None

    def _sent(self, data: bytes) -> int:
        """How many of these bytes could be sent at once."""
        try:
            return self._socket.send(data)
        except BlockingIOError:
            return 0

    def line(self) -> str | None:
        """The next line without its end, or None if the peer has hung up after the last one."""
        if not self._lines:
            self._read_on()
        if not self._lines:
            if self._rest:
                raise PeerError(f"{self.name} hung up in the middle of a line")
            return None
        line = self._lines.popleft()
        if len(line) > LONGEST_LINE:
            raise PeerError(f"{self.name} sent a line of {len(line):,} bytes; {LONGEST_LINE:,} is the most")
        try:
            return line.removesuffix(b"\r").decode("ascii")
        except UnicodeDecodeError:
            raise PeerError(f"{self.name} sent bytes that are no text: {line[:20]!r}") from None

    def goes_on(self, beginning: str) -> bool:
        """Whether another whole line has come already, and begins like this."""
        return bool(self._lines) and self._lines[0].startswith(beginning.encode())

    def _read_on(self) -> None:
        """Read until there is a whole line, or no more comes."""
        began = time.monotonic()
        try:
            while came := self._receive(began + self.seconds):
                *whole, self._rest = (self._rest + came).split(b"\n")
                self._lines.extend(whole)
                if whole:
                    return
                if len(self._rest) > LONGEST_LINE:
                    raise PeerError(f"{self.name} sent a line of more than {LONGEST_LINE:,} bytes")
        except OSError as error:
            raise PeerError(f"{self.name} hung up ({error.strerror or error})") from None

    def _receive(self, deadline: float) -> bytes:
        """The bytes that come next; none if the peer has hung up."""
        awake = time.monotonic() + PATIENCE if not self._sleeping else 0.0
        self._sleeping = max(0, self._sleeping - 1)
        while True:
            try:
                came = self._socket.recv(_CHUNK)
            except BlockingIOError:
                if time.monotonic() < awake:
                    continue
                if awake:
                    awake, self._sleeping = 0.0, self._asleep
                    self._asleep = min(_MOST_ASLEEP, 2 * self._asleep)
                if not self._ready(select.POLLIN, deadline):
                    raise PeerError(f"{self.name} did not send a line within {self.seconds:g} s") from None
            else:
                if awake:
                    self._asleep = 1
                return came

    def _ready(self, event: int, deadline: float) -> bool:
        """Sleep until bytes can be read or sent; False if the time is over before."""
        waiting = select.poll()
        waiting.register(self._socket, event)
        return bool(waiting.poll(max(0.0, 1000 * (deadline - time.monotonic()))))

    def close(self) -> None:
        """Hang up; what was sent still arrives."""
        self._socket.close()


def connect_to(host: str, port: int, wait: float) -> Peer:
    """A connection to the dealer at that address."""
    place = f"{host}:{port}"
    try:
        connection = socket.create_connection((host, port), timeout=wait)
    except TimeoutError:
        raise PeerError(f"nobody answers at {place} within {wait:g} s") from None
    except UnicodeError:
        raise PeerError(f"{host[:60]!r} is not the name of a machine") from None
    except OSError as error:
        raise PeerError(f"there is no dealer at {place}: {error.strerror or error}") from None
    return Peer(connection, f"the dealer at {place}", wait)


def listen(host: str, ports: Sequence[int]) -> list[socket.socket]:
    """Sockets that listen on these ports; 0 is one that is free."""
    sockets: list[socket.socket] = []
    try:
        for port in ports:
            sockets.append(socket.create_server((host, port)))
    except (OSError, OverflowError, UnicodeError) as error:
        for opened in sockets:
            opened.close()
        unnamed = isinstance(error, UnicodeError)
        reason = "that is not the name of a machine" if unnamed else getattr(error, "strerror", None) or error
        raise PeerError(f"cannot listen at {host}:{port}: {reason}") from None
    return sockets


def welcome(sockets: Sequence[socket.socket], names: Sequence[str], seconds: float, wait: float) -> list[Peer]:
    """The players, in the order of `names`: one at each socket, or as they come if all share one socket."""
    peers: dict[int, Peer] = {}
    deadline = time.monotonic() + wait
    with selectors.DefaultSelector() as selector:
        for at, listening in enumerate(sockets):
            listening.setblocking(False)
            selector.register(listening, selectors.EVENT_READ, at)
        while len(peers) < len(names):
            ready = selector.select(max(0.0, deadline - time.monotonic()))
            if not ready:
                for peer in peers.values():
                    peer.close()
                missing = [name for at, name in enumerate(names) if at not in peers]
                raise PeerError(f"nobody came to play {missing[0]} within {wait:g} s")
            for key, _ in ready:
                try:
                    connection, _ = sockets[key.data].accept()
                except OSError:
                    continue  # it left before it was let in
                at = key.data if len(sockets) > 1 else len(peers)
                peers[at] = Peer(connection, names[at], seconds)
                if len(sockets) > 1:
                    selector.unregister(key.fileobj)
                elif len(peers) == len(names):
                    break
    return [peers[at] for at in range(len(names))]
