"""Jobs: processes of their own, bounded in number, found again by whoever looks, told and mended when they are killed."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from nemesis.lab import jobs as jobs_module
from nemesis.lab.jobs import TRIES, JobError, Jobs, State, process_of
from nemesis.lab.worker import Tell


def count(options: dict[str, Any], folder: Path, tell: Tell) -> int:
    """Work for the tests: waits until a file lets it end, and remembers how often it began."""
    with (folder / "began").open("a") as began:
        began.write("x")
    if options.get("wrong"):
        raise ValueError("42 is not a recipe; give a name")
    while not (folder / "end").exists():
        tell(1, 2, "waiting for the end")
        time.sleep(0.01)
    return len((folder / "began").read_text())


@pytest.fixture
def jobs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Jobs]:
    work = tmp_path / "work"
    work.mkdir()
    (work / "sitecustomize.py").write_text(
        "import nemesis.lab.jobs as jobs\njobs.WORK = {'count': 'test_jobs:count'}\n"
    )
    monkeypatch.setenv(
        "PYTHONPATH", os.pathsep.join([str(work), str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    )
    monkeypatch.setattr(jobs_module, "WORK", {"count": "test_jobs:count"})
    made = Jobs(tmp_path / "jobs", most=2)
    yield made
    for job in made.all():
        process = process_of(job.folder)
        if process is not None:
            os.kill(process, signal.SIGKILL)


def until(true: Callable[[], bool], jobs: Jobs, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, [(job.name, job.state, job.told) for job in jobs.all()]
        jobs.tend()
        time.sleep(0.02)


def begun(jobs: Jobs, name: str) -> int:
    path = jobs.folder / name / "began"
    return len(path.read_text()) if path.exists() else 0


def test_a_job_runs_in_a_process_of_its_own_and_leaves_its_result(jobs: Jobs) -> None:
    name = jobs.add("count", "a test", {})
    assert jobs.job(name).state is State.WAITING
    jobs.tend()
    assert jobs.job(name).state is State.RUNNING
    assert process_of(jobs.folder / name) not in (None, os.getpid())
    until(lambda: jobs.job(name).line == "waiting for the end", jobs)
    assert (jobs.job(name).done, jobs.job(name).total) == (1, 2)
    (jobs.folder / name / "end").touch()
    until(lambda: jobs.job(name).state is State.FINISHED, jobs)
    assert jobs.job(name).result == 1


def test_no_more_than_the_most_run_at_once_and_the_others_follow(jobs: Jobs) -> None:
    names = [jobs.add("count", "a test", {}) for _ in range(3)]
    jobs.tend()
    assert [jobs.job(name).state for name in names] == [State.RUNNING, State.RUNNING, State.WAITING]
    (jobs.folder / names[0] / "end").touch()
    until(lambda: jobs.job(names[2]).state is State.RUNNING, jobs)
    assert jobs.job(names[0]).state is State.FINISHED


def test_a_lab_that_is_started_again_finds_a_running_job_and_does_not_start_it_twice(jobs: Jobs) -> None:
    name = jobs.add("count", "a test", {})
    jobs.tend()
    again = Jobs(jobs.folder, most=2)
    again.tend()
    assert again.job(name).state is State.RUNNING
    until(lambda: begun(jobs, name) == 1, again)
    (jobs.folder / name / "end").touch()
    until(lambda: again.job(name).state is State.FINISHED, again)
    assert again.job(name).result == 1


def test_a_paused_job_ends_its_process_and_a_resumed_one_goes_on(jobs: Jobs) -> None:
    name = jobs.add("count", "a test", {})
    jobs.tend()
    until(lambda: begun(jobs, name) == 1, jobs)
    jobs.pause(name)
    until(lambda: jobs.job(name).state is State.PAUSED, jobs)
    assert process_of(jobs.folder / name) is None
    jobs.tend()
    assert jobs.job(name).state is State.PAUSED
    jobs.resume(name)
    (jobs.folder / name / "end").touch()
    until(lambda: jobs.job(name).state is State.FINISHED, jobs)
    assert jobs.job(name).result == 2


def test_a_killed_process_is_told_and_the_job_goes_on(jobs: Jobs) -> None:
    name = jobs.add("count", "a test", {})
    jobs.tend()
    until(lambda: begun(jobs, name) == 1, jobs)
    os.kill(process_of(jobs.folder / name) or 0, signal.SIGKILL)
    until(lambda: begun(jobs, name) == 2, jobs)
    assert jobs.job(name).told == ("its process was killed by SIGKILL; it was started again",)
    (jobs.folder / name / "end").touch()
    until(lambda: jobs.job(name).state is State.FINISHED, jobs)
    assert jobs.job(name).result == 2


def test_a_job_whose_process_dies_again_and_again_is_given_up(jobs: Jobs) -> None:
    name = jobs.add("count", "a test", {})
    for death in range(TRIES):
        until(lambda death=death: begun(jobs, name) == death + 1, jobs)
        os.kill(process_of(jobs.folder / name) or 0, signal.SIGKILL)
    until(lambda: jobs.job(name).state is State.FAILED, jobs)
    assert jobs.job(name).told[-1] == "its process was killed by SIGKILL; it was given up"


def test_work_that_cannot_be_done_fails_with_its_sentence_and_is_not_tried_again(jobs: Jobs) -> None:
    name = jobs.add("count", "a test", {"wrong": True})
    until(lambda: jobs.job(name).state is State.FAILED, jobs)
    assert jobs.job(name).told == ("42 is not a recipe; give a name",)
    jobs.tend()
    assert begun(jobs, name) == 1


@pytest.mark.parametrize("name", ["../jobs", "/etc", "", ".", "count-1/..", "Count-1", "a" * 200, "count-9"])
def test_names_that_are_no_job_are_refused(jobs: Jobs, name: str) -> None:
    jobs.add("count", "a test", {})
    for ask in (jobs.job, jobs.pause, jobs.stop, jobs.resume, jobs.forget):
        with pytest.raises(JobError, match="there is no job called"):
            ask(name)


def test_work_that_nobody_knows_and_names_that_are_paths_are_refused(jobs: Jobs) -> None:
    with pytest.raises(JobError, match="there is no work called 'os:system'"):
        jobs.add("os:system", "a test", {})
    with pytest.raises(JobError, match=r"cannot be called '\.\./x'"):
        jobs.add("count", "a test", {}, stem="../x")


def test_a_job_that_does_not_run_can_be_forgotten(jobs: Jobs) -> None:
    name = jobs.add("count", "a test", {})
    jobs.tend()
    with pytest.raises(JobError, match="stop it before"):
        jobs.forget(name)
    jobs.stop(name)
    until(lambda: jobs.job(name).state is State.STOPPED, jobs)
    jobs.forget(name)
    assert jobs.all() == []
