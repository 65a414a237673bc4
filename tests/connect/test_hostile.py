"""Whatever the other side does, a match ends with a sentence, and its finished hands are in the log."""

import contextlib
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tables import Table, hands_of

import nemesis
from nemesis.connect.client import join_match
from nemesis.connect.wire import PeerError
from nemesis.play.by_name import player

VERSION = b"VERSION:2.0.0\r\n"
FIRST = b"MATCHSTATE:0:0::AsKs|\r\n"


def call_then(last: Callable[[bytes], bytes | None], hands: int) -> Callable[[socket.socket], None]:
    """A player who checks and calls for some hands and then sends something else, or hangs up."""

    def play(wire: socket.socket) -> None:
        wire.sendall(VERSION)
        lines = wire.makefile("rb")
        for line in lines:
            _, position, hand, betting, _ = line.decode().split(":")
            before = betting.split("/")
            begins = 1 - int(len(before) > 1)  # heads-up position 1 opens the first street, 0 the others
            if (begins + len(before[-1])) % 2 != int(position) or (len(before) == 4 and len(before[-1]) == 2):
                continue
            if int(hand) < hands:
                wire.sendall(line.rstrip() + b":c\r\n")
                continue
            if (sent := last(line.rstrip())) is not None:
                with contextlib.suppress(OSError):  # the dealer may have had enough
                    wire.sendall(sent)
                    lines.read()
            break
        lines.close()
        wire.close()

    return play


WRONGS = [
    ("garbage", lambda line: b"\x00\xff\xfe\r\n", "bytes that are no text"),
    ("nonsense", lambda line: b"hello\r\n", "should answer"),
    ("a state not asked", lambda line: b"MATCHSTATE:0:0::|:c\r\n", "should answer"),
    ("no action", lambda line: line + b":x\r\n", "is no action"),
    ("a free fold", lambda line: line + b":f\r\n", "where checking is free"),
    ("a size in limit", lambda line: line + b":r999999999999999999999999\r\n", "is no action"),
    ("a flood", lambda line: b"A" * 1_000_000, "more than 8,192 bytes"),
    ("a long line", lambda line: line + b":" + b"c" * 9000 + b"\r\n", "bytes"),
    ("comments", lambda line: b"# so\r\n" * 1000, "100 comments"),
    ("half a line", lambda line: line[:9], "did not send a line within 2 s"),
    ("silence", lambda line: b"", "did not send a line within 2 s"),
    ("leaving", lambda line: None, "hung up in the middle of hand 6"),
]


@pytest.mark.parametrize(("wrong", "sentence"), [row[1:] for row in WRONGS], ids=[row[0] for row in WRONGS])
def test_a_hostile_player_ends_the_match_and_the_log_has_the_hands(wrong: Any, sentence: str, tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    quick = 2.0 if "2 s" in sentence else 600.0
    with Table(nemesis.game("limit"), ["@guest", "call"], hands=9, log=log, time_limit=quick) as table:
        guest = threading.Thread(target=call_then(wrong, 6), args=(table.connect(),), daemon=True)
        guest.start()
    assert isinstance(table.failure, PeerError)
    assert sentence in str(table.failure)
    assert str(table.failure).startswith("guest")
    assert "6 hands in" in str(table.failure)
    assert "\n" not in str(table.failure)
    assert len(hands_of(log)) == 6
    assert log.read_text().splitlines()[-1].startswith("# stopped after 6 hands: guest")


def test_a_raise_that_is_too_large_is_named() -> None:
    with Table(nemesis.game("no-limit"), ["call", "@guest"], hands=1) as table, table.connect() as wire:
        wire.sendall(VERSION)
        asked = wire.recv(4096).rstrip()
        wire.sendall(asked + b":r20001\r\n")
    assert "r200 to r20000 would be allowed" in str(table.failure)


@pytest.mark.parametrize("first", [b"VERSION:1.0.0\r\n", b"GET / HTTP/1.1\r\n", b"\xff\r\n"])
def test_another_protocol_is_refused(first: bytes) -> None:
    with Table(nemesis.game("kuhn"), ["@guest", "call"]) as table, table.connect() as wire:
        wire.sendall(first)
    assert str(table.failure).startswith("guest")


def test_nobody_comes() -> None:
    with Table(nemesis.game("kuhn"), ["@guest", "call"], wait=0.1) as table:
        pass
    assert str(table.failure).startswith("nobody came to play guest within 0.1 s")


def against(said: bytes, wait: float = 20.0, silence: float = 20.0) -> str:
    """What the client says of a dealer that says this and hangs up, or stays silent if one of the times is short."""
    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:

        def deal() -> None:
            with server.accept()[0] as wire:
                wire.sendall(said)
                if min(wait, silence) < 1:
                    over.wait(30)
                with contextlib.suppress(OSError):  # the client may have left by now
                    wire.shutdown(socket.SHUT_WR)
                    while wire.recv(4096):
                        pass  # what is left unread would reset the connection

        thread = threading.Thread(target=deal, daemon=True)
        thread.start()
        port = server.getsockname()[1]
        with pytest.raises(PeerError) as failure:
            join_match(nemesis.game("no-limit"), player("call"), "127.0.0.1", port, wait=wait, silence=silence)
        over.set()
        thread.join(30)
    assert "\n" not in str(failure.value)
    return str(failure.value)


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        (b"", "before a hand was finished"),
        (b"MATCHST", "hung up in the middle of a line"),
        (b"\xff\xfe\r\n", "bytes that are no text"),
        (b"hello\r\n", "is no match state"),
        (b"A" * 100_000, "more than 8,192 bytes"),
        (FIRST, "hung up in the middle of hand 0"),
        (b"MATCHSTATE:0:0::|AsKs\r\n", "does not tell the cards of position 0"),
        (b"MATCHSTATE:0:0:r99999999999:AsKs|\r\n", "a raise to 99999999999 where"),
        (b"MATCHSTATE:0:0:f:AsKs|\r\n#\r\nMATCHSTATE:0:0:fc:AsKs|\r\n", "goes from"),
        (b"MATCHSTATE:0:0:fc:AsKs|\r\n", "goes on after hand 0 is over"),
        (b"MATCHSTATE:0:0:cc:AsKs|\r\n", "is not on street 2"),
        (b"MATCHSTATE:0:0:c/:AsKs|/2c3c4c\r\n", "to a street too soon"),
        (FIRST + b"MATCHSTATE:1:1::|QdQh\r\n", "hand 1 begins before hand 0 is over"),
        (b"MATCHSTATE:0:0:cc/cc/cc/cc:AsKs|/2c3c4c/5c/6c\r\n", "position 1 shows no cards"),
        (b"MATCHSTATE:0:0::AsKs|\r\n#\r\nMATCHSTATE:0:0:c:AsKh|\r\n", "change"),
        (b"MATCHSTATE:0:0:cc/:AsKs|/2c3c4c\r\n#\r\nMATCHSTATE:0:0:cc/cc/:AsKs|/2c3c5c/4c\r\n", "changes"),
    ],
)
def test_a_hostile_dealer_ends_the_match_with_a_sentence(said: bytes, sentence: str) -> None:
    assert sentence in against(said)


def test_a_silent_dealer_is_left() -> None:
    assert "did not send a line within 0.2 s" in against(b"MATCH", wait=0.2)


def test_a_dealer_that_falls_silent_in_a_match_is_left_later() -> None:
    assert "did not send a line within 0.3 s" in against(FIRST, silence=0.3)
    assert "did not send a line within 0.2 s" in against(b"# welcome\r\n", wait=0.2), "a comment begins no match"


def test_a_port_that_takes_the_call_and_says_nothing(nemesis: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
        out, err = nemesis("join", "127.0.0.1", port, "--game", "kuhn", "--agent", "call", "--wait", "0.2", code=2)
    assert out == ""
    assert err == f"nemesis: the dealer at 127.0.0.1:{port} did not send a line within 0.2 s; 0 hands finished\n"


def test_no_dealer() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(PeerError, match="there is no dealer at"):
        join_match(nemesis.game("kuhn"), player("call"), "127.0.0.1", port)
