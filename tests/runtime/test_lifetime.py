"""Commands that are told to end, or killed: the exit code says so and no process is left behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
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
        started.append(subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, start_new_session=True))
        return started[-1]

    yield begin
    for process in started:
        if group(process.pid):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def group(number: int) -> set[int]:
    """The living processes of a process group."""
    found = set()
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, of_group = place.read_text().rpartition(")")[2].split()[:3]
        except (OSError, ValueError):
            continue
        if int(of_group) == number and state != "Z":
            found.add(int(place.parent.name))
    return found


def wait_until(holds: Callable[[], bool], seconds: float = SECONDS) -> bool:
    deadline = time.monotonic() + seconds
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.05)
    return holds()


def busy_workers(process: subprocess.Popen[str]) -> bool:
    """Do two of its workers have the interpreter's modules behind them?"""
    times = []
    for number in group(process.pid) - {process.pid}:
        try:
            times.append(int(Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[11]))
        except OSError:
            continue
    return sum(ticks > 50 for ticks in times) >= 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "code", "line"),
    [
        (signal.SIGTERM, 143, "nemesis: terminated"),
        (signal.SIGINT, 130, "nemesis: interrupted"),
        (signal.SIGKILL, -9, ""),
    ],
)
def test_workers_end_with_the_command(
    number: signal.Signals, code: int, line: str, start: Callable[..., subprocess.Popen[str]]
) -> None:
    process = start(sys.executable, "-m", "nemesis.cli", "duel", PATIENT, "la", *LONG, "--workers", "2")
    assert wait_until(lambda: busy_workers(process))
    process.send_signal(number)
    out, complaint = process.communicate(timeout=SECONDS)
    assert (process.returncode, out) == (code, "")
    if number != signal.SIGKILL:
        assert complaint.splitlines()[-1:] == [line]
        assert "Traceback" not in complaint
    assert wait_until(lambda: not group(process.pid), SOON), "a process is left"


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
    out, _ = process.communicate(timeout=SECONDS)
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
