"""Commands run in processes of their own, with the wall and CPU seconds and the memory that they took."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass

NEMESIS = "from nemesis.cli import main; main()"


@dataclass(frozen=True)
class Ran:
    """Wall seconds, CPU seconds with those of its children, the most memory of one process in MB, and what it printed."""

    wall: float
    cpu: float
    memory: float
    printed: str


def load() -> str:
    """How much else the machine was doing, without which a wall time says little."""
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


def nemesis(*words: str, cache: str | None = None) -> Ran:
    """Run one command of ours."""
    return python(["-c", NEMESIS, *words], cache)


def python(arguments: Sequence[str], cache: str | None = None) -> Ran:
    """Run one Python process with this cache folder or the usual one."""
    environment = {**os.environ, **({"NEMESIS_CACHE": cache} if cache else {})}
    with tempfile.TemporaryFile("w+") as printed, tempfile.TemporaryFile("w+") as complaints:
        started = time.perf_counter()
        child = subprocess.Popen([sys.executable, *arguments], env=environment, stdout=printed, stderr=complaints)
        _, status, used = os.wait4(child.pid, 0)
        wall = time.perf_counter() - started
        child.returncode = os.waitstatus_to_exitcode(status)
        printed.seek(0)
        complaints.seek(0)
        if child.returncode:
            raise RuntimeError(f"{arguments} ended with exit code {child.returncode}: {complaints.read()[-500:]}")
        return Ran(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, printed.read())
