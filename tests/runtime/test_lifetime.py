"""Commands that are told to end, or killed: the exit code says so and no process is left behind."""

import ipaddress
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

LONG = ("--hands", "100000000", "--json")  # hours, for the agent below
PATIENT = str(Path(__file__).parents[2] / "examples" / "patient.py") + ":Patient"
SECONDS = 90.0  # for a busy machine; what is waited for takes a few
SOON = 15.0  # workers that nobody ends leave after 30 idle seconds


@pytest.fixture
def start() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start a process in a group of its own; whatever is left of the group is killed in the end."""
    started: list[subprocess.Popen[str]] = []

    def begin(*command: str) -> subprocess.Popen[str]:
        pipe = subprocess.PIPE
        heard = signal.signal(signal.SIGINT, signal.default_int_handler)  # a suite run in the background ignores it
        started.append(subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, start_new_session=True))
        signal.signal(signal.SIGINT, heard)
        return started[-1]

    yield begin
    for process in started:
        for number in family(process.pid):
            os.kill(number, signal.SIGKILL)
        process.kill()
        process.communicate()


def stat(number: int) -> list[str]:
    """State, parent, and what else the system knows of a living process."""
    try:
        fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
    return [] if fields[0] == "Z" else fields


def family(oldest: int) -> set[int]:
    """The living descendants of a process."""
    numbers = [int(place.name) for place in Path("/proc").glob("[0-9]*")]
    parents = {number: int(fields[1]) for number in numbers if (fields := stat(number))}
    found = {oldest}
    while more := {number for number, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {oldest}


def wait_until(holds: Callable[[], bool], seconds: float = SECONDS) -> bool:
    deadline = time.monotonic() + seconds
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.05)
    return holds()


def called(number: int) -> str:
    """The command of a process, or what it calls itself; nothing if it is gone."""
    with suppress(OSError):
        return Path(f"/proc/{number}/cmdline").read_text()
    return ""


def busy_workers(process: subprocess.Popen[str]) -> bool:
    """Do two workers have a second of work behind them? Ray's own servers, busy before it is ready, do not count."""
    workers = (n for n in family(process.pid) if any(mark in called(n) for mark in ("LokyProcess", "ray::_work")))
    return sum(int(fields[11]) > 100 for number in workers if (fields := stat(number))) >= 2


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["2", "ray"])
@pytest.mark.parametrize(
    ("number", "code", "line"),
    [
        (signal.SIGTERM, 143, "nemesis: terminated"),
        (signal.SIGINT, 130, "nemesis: interrupted"),
        (signal.SIGKILL, -9, ""),
    ],
)
def test_workers_end_with_the_command(
    number: signal.Signals, code: int, line: str, workers: str, start: Callable[..., subprocess.Popen[str]]
) -> None:
    """All but two agents that Ray has on every node, which take a minute to believe that a killed head is gone."""
    process = start(sys.executable, "-m", "nemesis.cli", "duel", PATIENT, "la", *LONG, "--workers", workers)
    assert wait_until(lambda: busy_workers(process))
    everybody = {number for number in family(process.pid) if "Agent" not in called(number)}
    assert listening(everybody) <= {"127.0.0.1"}
    process.send_signal(number)
    out, complaint = process.communicate(timeout=SECONDS)
    assert (process.returncode, out) == (code, "")
    if number != signal.SIGKILL:
        assert complaint.splitlines()[-1:] == [line]
        assert "Traceback" not in complaint
    assert wait_until(lambda: not any(map(stat, everybody)), SOON), "a process is left"


def listening(processes: set[int]) -> set[str]:
    """The addresses at which these processes wait for connections from the network."""
    sockets = set()
    for number in processes:
        for descriptor in Path(f"/proc/{number}/fd").glob("*"):
            with suppress(OSError):
                sockets.add(descriptor.readlink().name)
    found = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        for line in Path(table).read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and f"socket:[{fields[9]}]" in sockets:
                raw = bytes.fromhex(fields[1].partition(":")[0])
                words = b"".join(raw[i : i + 4][::-1] for i in range(0, len(raw), 4))
                address = ipaddress.ip_address(words)
                found.add(str(getattr(address, "ipv4_mapped", None) or address))
    return found


IN_A_KERNEL = """
import nemesis
from nemesis.runtime.lifetime import stoppable
nemesis.duel("la", "random", game="limit", hands=1000, workers=1)
print("ready", flush=True)
with stoppable(print):
    nemesis.duel("la", "random", game="limit", hands=200_000_000, match_hands=100_000_000, workers=1)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "code", "line"), [(signal.SIGTERM, 143, "terminated"), (signal.SIGINT, 130, "interrupted")]
)
def test_a_match_of_minutes_can_be_stopped(
    number: signal.Signals, code: int, line: str, start: Callable[..., subprocess.Popen[str]]
) -> None:
    process = start(sys.executable, "-c", IN_A_KERNEL)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n", process.communicate()[1]
    time.sleep(1.0)
    process.send_signal(number)
    out, _ = process.communicate(timeout=SOON)
    assert process.returncode == code
    assert out == f"{line}\n"


@pytest.mark.slow
def test_an_interrupted_evolution_says_how_to_go_on(
    tmp_path: Path, start: Callable[..., subprocess.Popen[str]]
) -> None:
    folder = tmp_path / "run"
    command = ("evolve", "ga-la", "--generations", "100000", "--out", str(folder), "--workers", "1")
    process = start(sys.executable, "-m", "nemesis.cli", *command)
    assert wait_until(lambda: (folder / "checkpoint.json").exists())
    process.send_signal(signal.SIGINT)
    _, complaint = process.communicate(timeout=SECONDS)
    assert process.returncode == 130
    assert complaint.splitlines()[-2:] == [
        f"to go on: nemesis evolve ga-la --out {folder} --resume",
        "nemesis: interrupted",
    ]
