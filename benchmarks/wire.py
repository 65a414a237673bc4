"""How fast a match goes over loopback: a dealer here with one agent of ours, and a client in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

from benchmarks.command import NEMESIS, load
from benchmarks.section import Finding, Options, Section, Verdict
from nemesis.connect.dealer import deal_match
from nemesis.play.by_name import player
from nemesis.play.session import OpenSeat
from nemesis.rules import games

HANDS, WANTED = 20_000, 3000


def hands_per_second(hands: int = HANDS) -> float:
    """Hands of limit hold'em per second of waiting, `tp` connected and `la` at the dealer's."""
    clients: list[subprocess.Popen[bytes]] = []

    def join(ports: Sequence[int]) -> None:
        words = ["join", "127.0.0.1", str(ports[0]), "--agent", "tp", "--game", "limit"]
        clients.append(subprocess.Popen([sys.executable, "-c", NEMESIS, *words], stdout=subprocess.DEVNULL))

    seats = [OpenSeat("tp"), player("la")]
    result = deal_match(games.limit(), seats, hands=hands, wait=600.0, announce=join)
    for client in clients:
        client.wait()
    return result.hands_per_second


def measure(options: Options) -> Finding:
    """One target, which stands in the table of targets alone."""
    rate = hands_per_second()
    options.tell(f"{rate:,.0f} hands/s over loopback")
    what = "limit heads-up over loopback, la v tp, one client"
    return Finding("", [Verdict(what, "hands/s", WANTED, rate, note=f"ACPC protocol, {HANDS:,} hands; {load()}")])


SECTIONS = [Section("acpc", "ACPC over loopback", 0.5, measure)]
