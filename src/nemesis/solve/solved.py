"""Solving a game from beginning to end: the run, its curve of exploitability, and the strategy file that is left.

A run's folder holds `checkpoint.npz`, from which it goes on, `progress.json` and, for hold'em, `strategy.npz`, which is
seated by its path. Kuhn and Leduc leave no strategy, because `equilibrium` plays them exactly; solving them shows
what the solver is worth.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.respond.strategy_file import WHOLE, Strategy, quantised, save_strategy
from nemesis.runtime.atomic import write_json
from nemesis.solve.abstract_game import AbstractGame
from nemesis.solve.abstract_response import DEALS, as_policy, exploitability
from nemesis.solve.ceiling import value_against
from nemesis.solve.mccfr import Solution
from nemesis.solve.solving import Progress, Run

CHECKPOINT, PROGRESS, STRATEGY = "checkpoint.npz", "progress.json", "strategy.npz"


@dataclass(frozen=True)
class Solved:
    """What came out: the strategy by slot as it is played, and the report that is written beside it."""

    strategy: NDArray[np.float32]
    report: dict[str, Any]


def checked_place(folder: Path, resume: bool) -> Path:
    """The checkpoint of a run in the folder; refused if there is one that is not to be resumed, or none that could be."""
    checkpoint = folder / CHECKPOINT
    if checkpoint.exists() and not resume:
        raise ValueError(f"{folder} holds a run already; go on with it (--resume) or solve into another folder (--out)")
    if resume and not checkpoint.exists():
        raise ValueError(f"{folder} holds no run to resume: there is no {CHECKPOINT}")
    return checkpoint


def solve_game(
    run: Run,
    folder: Path,
    *,
    minutes: float | None = None,
    deals: int | None = None,
    resume: bool = False,
    command: str = "",
    measured_on: int = DEALS,
    say: Callable[[Progress], None] = lambda progress: None,
) -> Solved:
    """Solve and write everything into the folder; a folder with a checkpoint is only gone on with when asked to.

    Exploitability is measured on so many deals.
    """
    checkpoint = checked_place(folder, resume)
    start = run.resume(checkpoint) if resume else None
    folder.mkdir(parents=True, exist_ok=True)
    solution = run.train(
        minutes,
        deals,
        checkpoint=checkpoint,
        start=start,
        measure=lambda so_far: exploitability(run.game, played(run.game, so_far), measured_on, run.seed),
        say=say,
    )
    strategy = played(run.game, solution)
    report = _report(run, strategy, command)
    write_json(folder / PROGRESS, report)
    if run.game.clusters is not None:
        shares = np.round(strategy * WHOLE).astype(np.uint8)
        save_strategy(folder / STRATEGY, Strategy(run.game.game, run.game.menu, run.game.clusters, shares, report))
    return Solved(strategy, report)


def played(game: AbstractGame, solution: Solution) -> NDArray[np.float32]:
    """The strategy as it is played: the average, in hold'em without very small probabilities and in steps of 1/255."""
    average = game.average(solution.sums)
    if game.clusters is None:
        return average
    return (quantised(average, game.widths) / np.float32(WHOLE)).astype(np.float32)


def _report(run: Run, strategy: NDArray[np.float32], command: str) -> dict[str, Any]:
    done = run.progress
    unit, _ = run.game.game.unit
    report: dict[str, Any] = {
        "game": run.game.game.name,
        "command": command,
        "method": run.method.name,
        "seed": run.seed,
        "workers": run.workers,
        "sizes": run.game.sizes.to_json(),
        "buckets": run.game.buckets.counts.tolist(),
        **asdict(done),
        "unit": unit,
    }
    if run.game.clusters is None:
        policy = as_policy(run.game, strategy)
        report["value"] = value_against(policy, policy, run.game.game).by_position[0]
    return report
