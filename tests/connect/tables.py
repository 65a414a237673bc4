"""Matches over loopback: a dealer in a thread, players in others or in the test's own hands."""

import socket
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

from nemesis.connect.client import join_match
from nemesis.connect.dealer import deal_match
from nemesis.play.by_name import player
from nemesis.play.session import OpenSeat
from nemesis.rules.game import Game


class Table:
    """A dealer of ours that waits for players in a thread."""

    def __init__(self, game: Game, seats: Sequence[str], **options: Any) -> None:
        """A seat that begins with @ is open."""
        self.ports: list[int] = []
        self.result: Any = None
        self.failure: Exception | None = None
        self._ready = threading.Event()
        seated = [OpenSeat(name[1:]) if name.startswith("@") else player(name) for name in seats]
        self._options = {"hands": 10, "time_limit": 600.0, "wait": 600.0, **options}
        self._thread = threading.Thread(target=self._deal, args=(game, seated), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait(600)
        return self

    def __exit__(self, *error: object) -> None:
        self._thread.join(600)
        assert not self._thread.is_alive(), "the dealer does not end"

    def _deal(self, game: Game, seated: Sequence[Any]) -> None:
        try:
            self.result = deal_match(game, seated, announce=self._announced, **self._options)
        except ValueError as error:
            self.failure = error
        finally:
            self._ready.set()

    def _announced(self, ports: Sequence[int]) -> None:
        self.ports = list(ports)
        self._ready.set()

    def connect(self, seat: int = 0) -> socket.socket:
        """A raw connection, for players who misbehave."""
        return socket.create_connection(("127.0.0.1", self.ports[seat]), timeout=30)


def play_over_tcp(game: Game, names: Sequence[str], hands: int, seed: int, folder: Path) -> Table:
    """A match between clients of ours, each in a thread; logs of the dealer and of every client in the folder."""
    table = Table(game, [f"@{name}" for name in names], hands=hands, seed=seed, log=folder / "dealer.log")
    failures: list[BaseException] = []

    def join(seat: int) -> None:
        try:
            log = folder / f"client{seat}.log"
            join_match(game, player(names[seat]), "127.0.0.1", table.ports[seat], seed=seed, log=log, wait=600)
        except BaseException as error:
            failures.append(error)

    with table:
        threads = [threading.Thread(target=join, args=(seat,), daemon=True) for seat in range(len(names))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(600)
    assert [table.failure, *failures] == [None]
    return table


def hands_of(log: Path) -> list[str]:
    """The finished hands in a log."""
    return [line for line in log.read_text().splitlines() if line.startswith("STATE:")]
