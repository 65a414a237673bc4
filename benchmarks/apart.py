"""Each library is measured in a process of its own: a crash or a message of one cannot hurt the rest.

The child answers with one JSON line per workload on the standard output it was born with, and points file
descriptor 1 at nothing meanwhile: `pokers` prints every showdown from Rust, where `sys.stdout` has no say.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict

from benchmarks.clock import measure
from benchmarks.workloads import Job, Row

Jobs = Mapping[str, Job | str]

_POOLS = ("OMP", "OPENBLAS", "MKL", "NUMBA", "RAYON")
ONE_THREAD = {f"{pool}_NUM_THREADS": "1" for pool in _POOLS}


def measure_apart(module: str, library: str, workloads: Sequence[str], seconds: float) -> Iterator[Row]:
    """Run `python -m module library` and yield its rows as they come; a row that never came says why."""
    command = [sys.executable, "-m", module, library, "--seconds", str(seconds), "--workloads", *workloads]
    environment = {**os.environ, **ONE_THREAD}
    missing = list(workloads)
    with (
        tempfile.TemporaryFile("w+") as complaints,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=complaints, text=True, env=environment) as child,
    ):
        for line in child.stdout or ():
            row = Row(**json.loads(line))
            missing.remove(row.workload)
            yield row
        child.wait()
        complaints.seek(0)
        last_words = complaints.read().strip().splitlines()
    for workload in missing:
        reason = last_words[-1] if last_words else f"exit code {child.returncode}"
        yield Row(library, workload, None, f"failed: {reason}")


def answer(libraries: Mapping[str, Callable[[], Jobs]], distributions: Mapping[str, str]) -> None:
    """The child's side: measure one of `libraries` and print its rows."""
    parser = argparse.ArgumentParser(description="Measure one library.")
    parser.add_argument("library", choices=sorted(libraries))
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--workloads", nargs="*", default=None)
    options = parser.parse_args()

    rows = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    try:
        jobs = libraries[options.library]()
    except ModuleNotFoundError as missing:
        jobs = {}
        absent = f"not installed ({missing.name}): pip install 'nemesis-poker[bench]'"
    else:
        absent = "not measured"
    version = _version(distributions.get(options.library, options.library))
    for workload in options.workloads or jobs:
        job = jobs.get(workload, absent)
        row = _row(options.library, workload, job, options.seconds, version)
        rows.write(json.dumps(asdict(row)) + "\n")


def warmed(jobs: Callable[[], Jobs]) -> Callable[[], Jobs]:
    """The same jobs, each done once before the clock starts: what compiles then has."""

    def once() -> Jobs:
        made = jobs()
        for job in made.values():
            if isinstance(job, Job):
                job.work()
        return made

    return once


def _row(library: str, workload: str, job: Job | str, seconds: float, version: str) -> Row:
    if isinstance(job, str):
        return Row(library, workload, None, job, version=version)
    try:
        timing = measure(job.work, seconds)
        check = job.check() if job.check else None
    except Exception as wrong:  # one workload's failure must not take the library's others with it
        return Row(library, workload, None, f"failed: {type(wrong).__name__}: {wrong}", version=version)
    return Row(library, workload, timing.best, job.note, timing.median, check, version)


def _version(distribution: str) -> str:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return ""
