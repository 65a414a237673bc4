"""How processes end: workers with their parent, however it ends, and a command when it is told to.

A worker asks the kernel to be killed with its parent (Linux), or looks every second whether the parent is still there.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time

_PR_SET_PDEATHSIG = 1
_LOOK_SECONDS = 1.0


def begin_worker(parent: int) -> None:
    """Tie this process to its parent, and leave Ctrl-C, which reaches every process of a terminal, to the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if not _dies_with_parent():
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()
    if os.getppid() != parent:
        os._exit(1)


def _dies_with_parent() -> bool:
    """Ask Linux to kill this process when the thread that started it ends; False where that is not known."""
    if sys.platform != "linux":
        return False
    return bool(ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0) == 0)


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_LOOK_SECONDS)
    os._exit(1)
