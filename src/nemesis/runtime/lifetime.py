"""How processes end: workers with their parent, however it ends, and a command when it is told to.

A worker asks the kernel to be killed with its parent (Linux), or looks every second whether the parent is still there.

A command that gets SIGTERM unwinds as it does at Ctrl-C. Python cannot do so while a compiled kernel runs, which may take
minutes; long kernels therefore release the interpreter's lock, and a thread ends the process if nothing happens.
Files are replaced whole, so nothing is left half written either way.
"""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_PR_SET_PDEATHSIG = 1
_LOOK_SECONDS = 1.0
_GRACE_SECONDS = 2.0
_INTERRUPTED, _TERMINATED = 128 + signal.SIGINT, 128 + signal.SIGTERM
_STOPS: dict[object, str] = {_INTERRUPTED: "interrupted", _TERMINATED: "terminated"}


class Terminated(SystemExit):
    """Raised by SIGTERM wherever the process is, in the code of an agent too, whose own `SystemExit` would be a mistake."""


def begin_worker(parent: int) -> None:
    """Tie this process to its parent, and leave Ctrl-C, which reaches every process of a terminal, to the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if not _dies_with_parent():
        threading.Thread(target=_watch_parent, args=(parent,), daemon=True).start()
    if os.getppid() != parent:
        os._exit(1)


def _dies_with_parent() -> bool:
    """Ask Linux to kill this process when the thread that started it ends; False where that is not known."""
    if sys.platform != "linux":
        return False
    return bool(ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0) == 0)


def _watch_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_LOOK_SECONDS)
    os._exit(1)


@contextmanager
def stoppable(stopped: Callable[[str], None]) -> Iterator[None]:
    """End with exit code 130 at Ctrl-C and 143 at SIGTERM, after `stopped(how)`; for the main thread."""
    over = threading.Event()
    terminated = False

    def unwind(signum: int, frame: object) -> None:
        nonlocal terminated
        terminated = True
        raise Terminated(_TERMINATED)

    heard, told = socket.socketpair()
    told.setblocking(False)
    before = signal.signal(signal.SIGTERM, unwind)
    wakeup = signal.set_wakeup_fd(told.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=_insist, args=(heard, over, stopped), daemon=True).start()
    try:
        yield
    except (KeyboardInterrupt, SystemExit) as end:
        over.set()
        code = end.code if isinstance(end, SystemExit) else _INTERRUPTED
        if terminated:  # whatever a library on the way made of it
            code = _TERMINATED
        if code in _STOPS:
            stopped(_STOPS[code])
        raise SystemExit(code) from None
    finally:
        over.set()
        signal.set_wakeup_fd(wakeup)
        signal.signal(signal.SIGTERM, before)
        told.close()


def _insist(heard: socket.socket, over: threading.Event, stopped: Callable[[str], None]) -> None:
    """Wait for a signal that ends the process, and end it if the main thread does not."""
    with heard:
        while signals := heard.recv(64):
            for code in {128 + signum for signum in signals} & _STOPS.keys():
                if not over.wait(_GRACE_SECONDS):
                    stopped(_STOPS[code])
                    os._exit(code)
