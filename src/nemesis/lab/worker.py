"""The process of a job: `python -m nemesis.lab.worker FOLDER LOCK` does what the folder's job.json says (see `lab.jobs`).

SIGTERM ends it, and its work goes on from what it saved when it is started again.
"""

from __future__ import annotations

import os
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

from nemesis.lab.jobs import WORK, JobError, read_json
from nemesis.names import resolve
from nemesis.runtime.atomic import write_json
from nemesis.runtime.lifetime import stoppable

Tell = Callable[[int, int, str], None]
"""Hears how much of how much is done, and what is being done in words."""
_TELL_SECONDS = 0.2


def work(folder: Path) -> None:
    """Do the job of this folder and write its result, or the sentence that says why there is none."""
    about = read_json(folder / "job.json")
    try:
        if about.get("kind") not in WORK:
            raise JobError(f"{folder / 'job.json'} is damaged: it has no work that is known")
        result = resolve(WORK[about["kind"]])(about["options"], folder, _teller(folder))
        write_json(folder / "result.json", {"result": result})
    except Exception as error:
        traceback.print_exc()
        expected = isinstance(error, (ValueError, OSError))
        sentence = str(error) if expected else f"a fault of the program: {type(error).__name__}: {error}"
        write_json(folder / "error.json", {"error": sentence})


def _teller(folder: Path) -> Tell:
    """Writes progress down, at most a few times a second, the end always."""
    last = -_TELL_SECONDS

    def tell(done: int, total: int, line: str) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= _TELL_SECONDS or done >= total:
            write_json(folder / "progress.json", {"done": done, "total": total, "line": line})
            last = now

    return tell


def main() -> None:
    """Do the job that the command line names; the second argument is the lock, which this process alone keeps."""
    folder, lock = Path(sys.argv[1]), int(sys.argv[2])
    os.set_inheritable(lock, False)
    with stoppable(lambda how: print(how, file=sys.stderr)):
        work(folder)


if __name__ == "__main__":
    main()
