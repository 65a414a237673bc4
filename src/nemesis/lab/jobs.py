"""Long work in processes of its own, which goes on when its page is closed, and which a restarted lab finds again.

A job is a folder of plain JSON:

    job.json       what is to be done: a kind of `WORK` and its options
    state.json     what is wanted of it, how often it was started, and what happened to it
    progress.json  how far it is, written by its process
    result.json    what came out, or error.json, why nothing did
    output.txt     what its process printed
    .process       its process's number; locked as long as that lives, however it ends

Whoever made the folder decides nothing by being alive: a job runs if its lock is held. The process gets the lock from
whoever starts it, so there is no moment in which a second one could be started. A process that ends without a result
died; it is started again, and goes on from what its work saved. Nothing is pickled and no shell is asked.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from nemesis.play.workers import cores
from nemesis.runtime.atomic import write_json

WORK: Mapping[str, str] = {
    "evolve": "nemesis.lab.evolve_work:evolve",
    "import": "nemesis.lab.import_work:import_hands",
    "arena": "nemesis.lab.arena_work:play",
    "study": "nemesis.lab.study_work:measure",
}
"""What a job can be, and the function that does it: work(options, folder, tell) returns the result, as plain data."""
TRIES = 3
"""Deaths of its process after which a job is given up."""
MOST_WAITING = 50
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,79}")
_LOCK = ".process"
_LAST_WORDS = 2000


class State(StrEnum):
    """How a job stands."""

    WAITING = "waiting"
    RUNNING = "running"
    PAUSED = "paused"
    STOPPED = "stopped"
    FINISHED = "finished"
    FAILED = "failed"


class JobError(ValueError):
    """A job that cannot be started, found or changed, with the reason."""


@dataclass(frozen=True)
class Job:
    """A job as it stands now."""

    name: str
    kind: str
    title: str
    options: dict[str, Any]
    made: float
    """When, in seconds since 1970."""
    folder: Path
    state: State
    done: int
    total: int
    line: str
    """What it is doing, in words."""
    told: tuple[str, ...]
    """What happened to it: deaths of its process, and why it failed."""
    result: Any

    @property
    def active(self) -> bool:
        """Whether it runs or waits for its turn."""
        return self.state in (State.RUNNING, State.WAITING)


class Jobs:
    """The jobs of one folder; at most so many run at once, the others wait. `tend` is to be called every second or so."""

    def __init__(self, folder: Path, most: int | None = None) -> None:
        self.folder = folder
        self.most = most or cores()
        self._children: dict[str, subprocess.Popen[bytes]] = {}
        folder.mkdir(parents=True, exist_ok=True)

    def add(self, kind: str, title: str, options: Mapping[str, Any], stem: str = "") -> str:
        """Write a new job down and return its name; `tend` starts it when there is room."""
        if kind not in WORK:
            raise JobError(f"there is no work called {kind!r}; known are {', '.join(WORK)}")
        if sum(job.state is State.WAITING for job in self.all()) >= MOST_WAITING:
            raise JobError(f"{MOST_WAITING} jobs are waiting already; let some finish first")
        stem = stem or kind
        if not NAME.fullmatch(stem):
            raise JobError(f"a job cannot be called {stem!r}; use small letters, digits and hyphens")
        number = 1
        while True:
            folder = self.folder / f"{stem}-{number}"
            try:
                folder.mkdir()
                break
            except FileExistsError:
                number += 1
        write_json(folder / "state.json", {"wanted": "run", "begun": 0, "told": []})
        write_json(folder / "job.json", {"kind": kind, "title": title, "options": dict(options), "made": time.time()})
        return folder.name

    def all(self) -> list[Job]:
        """Every job, the newest first."""
        found = (self._read(path) for path in self.folder.iterdir() if (path / "job.json").exists())
        return sorted((job for job in found if job is not None), key=lambda job: -job.made)

    def job(self, name: str) -> Job:
        """The job of that name."""
        job = self._read(self._folder(name))
        if job is None:
            raise JobError(f"there is no job called {name!r}")
        return job

    def pause(self, name: str) -> None:
        """End the job's process; `resume` goes on from what it saved."""
        self._end(name, "pause")

    def stop(self, name: str) -> None:
        """End the job. What it saved stays, and it can still be resumed."""
        self._end(name, "stop")

    def resume(self, name: str, options: Mapping[str, Any] | None = None) -> None:
        """Let a paused, stopped or failed job go on, with some options changed."""
        folder, job = self._folder(name), self.job(name)
        if job.active:
            return
        if options:
            content = read_json(folder / "job.json")
            write_json(folder / "job.json", {**content, "options": {**job.options, **options}})
        for left in ("result.json", "error.json"):
            (folder / left).unlink(missing_ok=True)
        write_json(folder / "state.json", {"wanted": "run", "begun": 0, "told": []})

    def forget(self, name: str) -> None:
        """Remove a job that does not run, and everything it wrote into its folder."""
        if self.job(name).state is State.RUNNING:
            raise JobError(f"{name} is running; stop it before it is removed")
        shutil.rmtree(self._folder(name))
        self._children.pop(name, None)

    def tend(self) -> None:
        """Start what waits while there is room, and start again what died."""
        every = self.all()
        room = self.most - sum(job.state is State.RUNNING for job in every)
        for job in sorted(every, key=lambda job: job.made):
            if job.state is State.WAITING and room > 0:
                self._tell_death(job)
                if self.job(job.name).state is State.WAITING:
                    self._start(job)
                    room -= 1

    def running(self) -> list[str]:
        """The names of the jobs that run."""
        return [job.name for job in self.all() if job.state is State.RUNNING]

    def _folder(self, name: str) -> Path:
        if not NAME.fullmatch(name) or not (self.folder / name / "job.json").exists():
            raise JobError(f"there is no job called {name!r}")
        return self.folder / name

    def _read(self, folder: Path) -> Job | None:
        """The job in a folder, or None if it is being removed."""
        alive = process_of(folder) is not None
        child = self._children.get(folder.name)
        if child is not None and not alive:
            child.poll()  # so that it does not stay behind as a zombie
        about, state = read_json(folder / "job.json"), read_json(folder / "state.json")
        if not about or not state:
            return None
        progress, result, error = (read_json(folder / f"{name}.json") for name in ("progress", "result", "error"))
        told = tuple(state["told"])
        if alive:
            stands = State.RUNNING
        elif error:
            stands, told = State.FAILED, (*told, error["error"])
        elif result:
            stands = State.FINISHED
        elif state["wanted"] == "run":
            stands = State.FAILED if len(told) >= TRIES else State.WAITING
        else:
            stands = State.PAUSED if state["wanted"] == "pause" else State.STOPPED
        return Job(
            folder.name, about["kind"], about["title"], about["options"], about["made"], folder, stands,
            int(progress.get("done", 0)), int(progress.get("total", 0)), str(progress.get("line", "")),
            told, result.get("result"),
        )  # fmt: skip

    def _start(self, job: Job) -> None:
        state = read_json(job.folder / "state.json")
        with (job.folder / _LOCK).open("a+") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:  # another lab was faster
                return
            write_json(job.folder / "state.json", {**state, "begun": state["begun"] + 1})
            command = [sys.executable, "-P", "-m", "nemesis.lab.worker", str(job.folder), str(lock.fileno())]
            with (job.folder / "output.txt").open("wb") as output:
                child = subprocess.Popen(
                    command, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                    pass_fds=[lock.fileno()], start_new_session=True, cwd=job.folder,
                )  # fmt: skip
            lock.seek(0)
            lock.truncate()
            lock.write(str(child.pid))
        self._children[job.name] = child

    def _tell_death(self, job: Job) -> None:
        """Write down that the job's process died, if it was ever started."""
        state = read_json(job.folder / "state.json")
        if state["begun"] <= len(state["told"]):
            return
        child = self._children.pop(job.name, None)
        code = None if child is None else child.poll()
        how = f"was killed by {signal.Signals(-code).name}" if code is not None and code < 0 else "ended unexpectedly"
        again = "it was started again" if len(state["told"]) + 1 < TRIES else "it was given up"
        words = _last_words(job.folder / "output.txt")
        sentence = f"its process {how}; {again}" + (f" (its last words: {words})" if words else "")
        write_json(job.folder / "state.json", {**state, "told": [*state["told"], sentence]})

    def _end(self, name: str, wanted: str) -> None:
        folder = self._folder(name)
        state = read_json(folder / "state.json")
        write_json(folder / "state.json", {**state, "wanted": wanted})
        process = process_of(folder)
        if process is not None:
            try:
                os.kill(process, signal.SIGTERM)
            except ProcessLookupError:
                return


def process_of(folder: Path) -> int | None:
    """The number of the job's process, or None if none is alive."""
    try:
        with (folder / _LOCK).open() as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return int(lock.read() or 0) or None
    except (FileNotFoundError, NotADirectoryError):
        pass
    return None


def read_json(path: Path) -> dict[str, Any]:
    """The object in a file; an empty one if there is no such file or it is damaged."""
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}


def _last_words(path: Path) -> str:
    """The last line that a process printed."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace")[-_LAST_WORDS:].strip().splitlines()
    except OSError:
        return ""
    return lines[-1].strip() if lines else ""
