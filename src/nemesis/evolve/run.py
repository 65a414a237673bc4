"""A run: a learner and a fitness, generation after generation, in a folder that survives being killed.

    recipe.json      what is being done, with seed and versions
    metrics.jsonl    one line per generation
    bests.jsonl      the genome that stands for every generation, mostly its best
    checkpoint.json  the learner, replaced at once after every few seconds of work
    champion.json    the winner, chosen on fresh deals
    .lock            held by the process that is running it

A generation is a function of the learner's state, the seed and its number, so a run that is killed at any moment and resumed
from its last checkpoint gives the very same files as one left alone: lines that a dead process wrote beyond the
checkpoint are cut off and written again.
"""

from __future__ import annotations

import fcntl
import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from nemesis.evolve.learner import Learner
from nemesis.runtime.atomic import LEFT_BEHIND, write_json, write_text

SAVE_SECONDS = 5.0


class RunError(ValueError):
    """A run folder that cannot be started, resumed or read, with the reason."""


class Steps(Protocol):
    """What a run folder needs of a learner of whatever sort."""

    generation: int

    def to_json(self) -> dict[str, Any]:
        """The whole state."""
        ...


class Asked(Protocol):
    """What `restored` needs of a learner."""

    def ask(self) -> Any:
        """This generation."""
        ...


LearnerT = TypeVar("LearnerT", bound=Asked)
Line = dict[str, Any]


@dataclass(frozen=True)
class Generation:
    """What is known about one generation."""

    number: int
    best: float
    mean: float
    worst: float
    seconds: float
    extra: dict[str, float]


def evolve(
    folder: Path,
    recipe: dict[str, Any],
    learner: Learner[Any],
    fitness: Callable[[Sequence[Any], int], NDArray[np.float64]],
    generations: int,
    written: Callable[[Any], Any],
    progress: Callable[[Generation], None] = lambda generation: None,
    resume: bool = False,
    described: Callable[[], dict[str, float]] = dict,
) -> None:
    """Run up to `generations` generations in `folder`, going on from where the learner stands.

    `written` makes a genome plain data; `described` tells more of the generation whose fitness was asked last. To `resume`
    is to go on with what the folder holds, which is nothing yet if the run died before its first checkpoint.
    """

    def play() -> tuple[Line, Line]:
        started = time.perf_counter()
        number, genomes = learner.generation, learner.ask()
        scores = fitness(genomes, number)
        best = learner.leader(scores)
        told = Generation(
            number,
            float(scores.max()),
            float(scores.mean()),
            float(scores.min()),
            time.perf_counter() - started,
            {**described(), **learner.describe()},
        )
        learner.tell(scores)
        progress(told)
        return _line(told), {"generation": number, "fitness": float(scores[best]), "genome": written(genomes[best])}

    run_generations(folder, recipe, learner, generations, play, resume)


def run_generations(
    folder: Path,
    recipe: dict[str, Any],
    learner: Steps,
    generations: int,
    play: Callable[[], tuple[Line, Line]],
    resume: bool,
) -> None:
    """Play generation after generation and keep the folder: its metrics, its bests and the checkpoint.

    `play` plays one generation, tells the learner and returns a line for each of the two files.
    """
    if learner.generation == 0 and not resume:
        start_folder(folder, recipe)
    else:
        cut_back(folder, learner.generation)
        write_json(folder / "recipe.json", recipe)
    saved = time.monotonic()
    with (folder / "metrics.jsonl").open("a") as metrics, (folder / "bests.jsonl").open("a") as bests:
        while learner.generation < generations:
            line, best = play()
            metrics.write(json.dumps(line) + "\n")
            bests.write(json.dumps(best) + "\n")
            metrics.flush()  # for whoever is watching
            bests.flush()
            if time.monotonic() - saved > SAVE_SECONDS or learner.generation >= generations:
                write_json(folder / "checkpoint.json", learner.to_json())
                saved = time.monotonic()


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other runs out of the folder; the lock ends with the process, however that ends."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RunError(f"another run is using {folder}; wait for its end or choose another folder") from None
        yield


def _line(told: Generation) -> dict[str, float]:
    """A line of metrics: nothing in it depends on the clock, so that resumed and undisturbed runs are equal."""
    return {"generation": told.number, "best": told.best, "mean": told.mean, "worst": told.worst, **told.extra}


def start_folder(folder: Path, recipe: dict[str, Any]) -> None:
    """Make a fresh run folder; one that holds a run already is refused."""
    if (folder / "recipe.json").exists():
        raise RunError(
            f"{folder} holds a run already; add --resume to go on with it, or choose another folder with --out"
        )
    write_text(folder / "metrics.jsonl", "")
    write_text(folder / "bests.jsonl", "")
    write_json(folder / "recipe.json", recipe)


def cut_back(folder: Path, generations: int) -> None:
    """Drop the lines of generations that the checkpoint does not know yet, and what a killed process left half written."""
    for left in folder.glob(LEFT_BEHIND):
        left.unlink(missing_ok=True)
    for name in ("metrics.jsonl", "bests.jsonl"):
        path = folder / name
        lines = path.read_text().splitlines(keepends=True)[:generations] if path.exists() else []
        if len(lines) < generations:
            raise RunError(f"{path} has {len(lines)} lines, but the checkpoint is at generation {generations}")
        write_text(path, "".join(lines))


def read_recipe(folder: Path) -> dict[str, Any]:
    """The recipe of a run folder."""
    return _object(folder / "recipe.json", _text(folder / "recipe.json", f"{folder} is not a run folder"))


def read_checkpoint(folder: Path) -> dict[str, Any] | None:
    """The learner's last saved state, or None if the run was killed before its first."""
    path = folder / "checkpoint.json"
    return _object(path, _text(path, "the checkpoint is damaged")) if path.exists() else None


def restored(learner: Callable[[dict[str, Any]], LearnerT], state: dict[str, Any], kind: str) -> LearnerT:
    """The learner of this kind that a checkpoint holds; one from which something is missing or wrong is refused."""
    found = state.get("learner")
    if found != kind:
        raise RunError(f"the checkpoint is damaged: it holds a learner {found!r}, but the run has a {kind!r}")
    if type(state.get("generation")) is not int or state["generation"] < 0:
        raise RunError(f"the checkpoint is damaged: {state.get('generation')!r} is not a number of generations")
    try:
        again = learner(state)
        again.ask()
    except KeyError as error:
        raise RunError(f"the checkpoint is damaged: it has no {error}") from None
    except (ArithmeticError, AttributeError, IndexError, TypeError, ValueError) as error:
        raise RunError(f"the checkpoint is damaged: {error}") from None
    return again


def read_metrics(folder: Path) -> list[dict[str, float]]:
    """The metrics of every generation so far."""
    lines = _lines(folder / "metrics.jsonl", "generation")
    for number, line in enumerate(lines):
        for key, value in line.items():
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise RunError(
                    f"{folder / 'metrics.jsonl'}, line {number + 1}, has {key} {value!r}, which is no number"
                )
    return lines


def read_bests(folder: Path, genomes: str = "genome") -> list[dict[str, Any]]:
    """Every generation's best genome, or whatever a line's `genomes` are called."""
    return _lines(folder / "bests.jsonl", "generation", genomes)


def _text(path: Path, problem: str) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise RunError(f"{problem}: {path.name} cannot be read ({reason})") from None


def _object(path: Path, text: str, *needed: str, line: str = "") -> dict[str, Any]:
    """The JSON object of a file or of one of its lines, with at least the fields needed."""
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        raise RunError(f"{path}{line} is damaged: it is not JSON ({error})") from None
    if not isinstance(content, dict):
        raise RunError(f"{path}{line} is damaged: it is not an object with named fields")
    missing = [name for name in needed if name not in content]
    if missing:
        raise RunError(f"{path}{line} is damaged: it has no {' and no '.join(missing)}")
    return content


def _lines(path: Path, *needed: str) -> list[dict[str, Any]]:
    lines = _text(path, f"{path.parent} is not a run folder").splitlines()
    return [_object(path, text, *needed, line=f", line {number + 1},") for number, text in enumerate(lines)]
