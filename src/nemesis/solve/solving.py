"""A run of the solver: epochs of sampled deals on one or more processes, checkpoints, and how far it has come.

The arrays of regrets and averages lie in one file that all processes map, so they learn together and nothing is copied. Two
processes may write to the same number at the same moment and one of the two changes is then lost, which is rare and costs
nothing but that change; with one worker the same seed gives the same bits. An epoch is a fixed number of deals,
shared out in slices. After it the weights are applied, and now and then a checkpoint is written, from which `resume`
goes on exactly. Deal number n is the same in every run with the same seed.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from nemesis.measure.interval import Interval
from nemesis.play.workers import Workers, checked_workers, run_blocks
from nemesis.rules.deal import CHUNK, empty_bank, new_dealer
from nemesis.runtime.atomic import becoming
from nemesis.runtime.streams import Stream, derived_seed, stream_key
from nemesis.solve.abstract_game import AbstractGame
from nemesis.solve.mccfr import METHODS, Method, Solution, discount, iterate

EPOCH, SMALL_EPOCH = 100_000, 1_000
"""Deals of an epoch of hold'em and of the small games."""
USUAL = "external-linear"
CHECKPOINT_SECONDS = 120.0
_SLICES = 2
"""Slices of an epoch for every worker."""

Measure = Callable[[Solution], tuple[float, Interval]]


@dataclass
class Progress:
    """How far a run has come; `curve` has what could be taken from it in the abstract game as time went on."""

    epochs: int = 0
    deals: int = 0
    nodes: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    curve: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True)
class Slice:
    """Some deals of an epoch, and the file of the arrays to learn in."""

    path: str
    game: AbstractGame
    method: Method
    seed: int
    first: int
    deals: int

    @property
    def who(self) -> str:
        """Whom to name if the work fails."""
        return f"a solver of {self.game.game.name}"


class Run:
    """One solution that is being learned."""

    def __init__(
        self, game: AbstractGame, *, method: str = USUAL, seed: int = 0, workers: Workers = 1, epoch: int | None = None
    ) -> None:
        if method not in METHODS:
            raise ValueError(f"there is no method {method!r}; choose one of {', '.join(METHODS)}")
        processes = checked_workers(workers)
        if not isinstance(processes, int):
            raise ValueError("a solver's processes share their memory, so they all run on this machine; give a number")
        self.game, self.method, self.seed, self.workers = game, METHODS[method], seed, processes
        self.progress = Progress()
        self.epoch = epoch or (EPOCH if game.game.is_holdem else SMALL_EPOCH)

    def train(
        self,
        minutes: float | None = None,
        deals: int | None = None,
        *,
        checkpoint: Path | None = None,
        start: Solution | None = None,
        measure: Measure | None = None,
        marks: tuple[float, ...] = (1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1.0),
        say: Callable[[Progress], None] = lambda progress: None,
    ) -> Solution:
        """Learn for so many minutes, or on so many deals in all, those of earlier runs counted; returns what was learned.

        `measure` is called when these parts of the time have passed; what it takes is not counted as learning.
        """
        if (minutes is None) == (deals is None):
            raise ValueError("say for how many minutes to solve, or on how many deals")
        done = self.progress
        with self._shared(start) as (path, solution):
            learn(Slice(path, self.game, self.method, self.seed, 0, 0), solution)  # compiles, which is not learning
            saved = time.monotonic()
            share = self._share(minutes, deals)
            waiting = [mark for mark in marks if mark > share]
            while share < 1.0:
                began = time.monotonic()
                self._epoch(path, solution)
                done.seconds += time.monotonic() - began
                share = self._share(minutes, deals)
                if measure is not None and waiting and share >= waiting[0]:
                    waiting = [mark for mark in waiting if mark > share]
                    value, ci95 = measure(solution)
                    done.curve.append(
                        {"seconds": done.seconds, "deals": done.deals, "exploitability": value, "ci95": list(ci95)}
                    )
                if checkpoint is not None and (share >= 1.0 or time.monotonic() - saved > CHECKPOINT_SECONDS):
                    self.save(checkpoint, solution)
                    saved = time.monotonic()
                say(done)
            return Solution(solution.regrets.copy(), solution.sums.copy())

    def _share(self, minutes: float | None, deals: int | None) -> float:
        if minutes is not None:
            return self.progress.seconds / (60 * minutes)
        return self.progress.deals / (deals or 1)

    def _epoch(self, path: str, solution: Solution) -> None:
        done = self.progress
        size = self.epoch if self.workers == 1 else -(-self.epoch // (_SLICES * self.workers))
        firsts = range(done.deals, done.deals + self.epoch, size)
        last = done.deals + self.epoch
        slices = (Slice(path, self.game, self.method, self.seed, first, min(size, last - first)) for first in firsts)
        learned = (
            (learn(piece, solution) for piece in slices)
            if self.workers == 1
            else run_blocks(_learn_shared, slices, self.workers)
        )
        for nodes, seconds in learned:
            done.nodes += nodes
            done.cpu_seconds += seconds
        done.epochs += 1
        done.deals = last
        discount(solution, *self.method.factors(done.epochs))

    @contextmanager
    def _shared(self, start: Solution | None) -> Iterator[tuple[str, Solution]]:
        """The arrays, in memory for one worker, else in a file that the workers map."""
        begun = start or self.game.empty()
        if self.workers == 1:
            yield "", begun
            return
        with tempfile.TemporaryDirectory(prefix="nemesis-solve-", dir=_memory_folder()) as folder:
            path = str(Path(folder) / "solution")
            mapped = np.memmap(path, np.float32, "w+", shape=(2, self.game.slots))
            mapped[0], mapped[1] = begun.regrets, begun.sums
            yield path, _as_solution(mapped)

    @property
    def identity(self) -> str:
        """What two runs must agree in to be one."""
        clusters = self.game.clusters
        centres = b"" if clusters is None else b"".join(street.tobytes() for street in clusters.centres)
        told = (asdict(self.game.game), self.game.menu.streets, self.method.name, self.seed, self.epoch)
        return hashlib.sha256(repr(told).encode() + centres).hexdigest()

    def save(self, path: Path, solution: Solution) -> None:
        """Write a checkpoint, whole or not at all."""
        told = json.dumps({"identity": self.identity, **asdict(self.progress)})
        with becoming(path) as temporary, temporary.open("wb") as handle:
            np.savez(handle, regrets=solution.regrets, sums=solution.sums, told=np.array(told))

    def resume(self, path: Path) -> Solution:
        """Go on from a checkpoint of the same run."""
        try:
            with np.load(path, allow_pickle=False) as archive:
                told = json.loads(str(archive["told"]))
                solution = Solution(archive["regrets"], archive["sums"])
        except OSError as error:
            raise ValueError(f"the checkpoint {path} cannot be read: {error.strerror or error}") from None
        except Exception:
            raise ValueError(f"{path} is not a checkpoint of a solver, or it is cut short") from None
        if told.pop("identity") != self.identity:
            raise ValueError(
                f"the checkpoint {path} is of another run: its game, menu, buckets, method or seed is different; "
                f"resume with the same, or solve into another folder"
            )
        self.progress = Progress(**told)
        return solution


def learn(piece: Slice, solution: Solution) -> tuple[int, float]:
    """Learn from the deals of a slice. Writes `solution`; returns how many nodes were visited, and the processor's time."""
    began = time.process_time()
    game = piece.game
    dealer = new_dealer(game.game, derived_seed(piece.seed, Stream.SOLVING, 0))
    dice = stream_key(piece.seed, Stream.SOLVING_DICE)
    method = piece.method
    nodes = iterate(
        dealer, empty_bank(game.game, CHUNK), game.nodes, game.buckets, solution,
        piece.first, piece.deals, dice, game.tree.depth, method.full, method.floored, method.pruned,
    )  # fmt: skip
    return int(nodes), time.process_time() - began


_mapped: dict[str, tuple[AbstractGame, Solution]] = {}
"""What a worker has open: it keeps the tree it has grown."""


def _learn_shared(piece: Slice) -> tuple[int, float]:
    if piece.path not in _mapped:
        _mapped.clear()
        arrays = np.memmap(piece.path, np.float32, "r+", shape=(2, piece.game.slots))
        _mapped[piece.path] = piece.game, _as_solution(arrays)
    game, solution = _mapped[piece.path]
    return learn(Slice(piece.path, game, piece.method, piece.seed, piece.first, piece.deals), solution)


def _as_solution(mapped: Any) -> Solution:
    """Plain arrays over a mapped file, so that kernels take them."""
    plain = np.asarray(mapped)
    return Solution(plain[0], plain[1])


def _memory_folder() -> str | None:
    return "/dev/shm" if Path("/dev/shm").is_dir() else None
