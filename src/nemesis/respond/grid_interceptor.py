"""The interceptor: blocks the runner's way to the goal it believes in, by cutting it off or by guarding the goal.

The source says no more than that the interceptor takes "the appropriate path to block" the way to the most probable goal
(Baker 2010, section 3.3). To *cut off*, it follows the shortest way from where the runner is and sails for the first cell of
it that it can reach in time; if there is none, for the goal, for a runner that errs may still be late. To *guard*, it sails
for the goal and waits there. A runner is intercepted when both are in one cell. With several interceptors, each runner
gets the one that can be there soonest, and who is left helps with the runner nearest.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from nemesis.rules.grid_search import GridPaths, is_open
from nemesis.runtime.compiled import inlined

CUT_OFF, GUARD = range(2)
MANNERS: Mapping[str, int] = {"cut-off": CUT_OFF, "guard": GUARD}
TOO_LATE = 100_000
"""Added to the moves of an interceptor that cannot cut its runner off."""


@inlined
def blocking_point(paths: GridPaths, hunter: int, runner: int, goal: int, manner: int) -> Any:
    """Where to sail to and in how many moves that decides, for an interceptor whose turn it is.

    The runner enters the k-th cell of its way at its k-th move from now, when the interceptor has moved k times; the move
    after that still catches it, but not at the goal, where it is safe.
    """
    cell, steps = runner, 0
    if manner == GUARD:
        return paths.goals[goal], np.int64(paths.moves[hunter, paths.goals[goal]])
    while True:
        at_goal = cell == paths.goals[goal]
        needed = np.int64(paths.moves[hunter, cell])
        if needed <= steps + (0 if at_goal else 1):
            return cell, steps
        if at_goal:
            return cell, TOO_LATE + needed
        cell += paths.offsets[paths.routes[goal, cell]]
        steps += 1


@inlined
def sail_towards(paths: GridPaths, hunter: int, target: int) -> Any:
    """The interceptor's next cell on its way to a target, itself if it is there; of equally quick ones the straightest."""
    best, best_moves, best_square = hunter, paths.moves[hunter, target], 1 << 30
    if best_moves == 0:
        return hunter
    for direction in range(8):
        if is_open(paths.exits, hunter, direction):
            cell = hunter + paths.offsets[direction]
            moves = paths.moves[cell, target]
            down, right = cell // paths.width - target // paths.width, cell % paths.width - target % paths.width
            square = down * down + right * right
            if moves < best_moves or (moves == best_moves and best != hunter and square < best_square):
                best, best_moves, best_square = cell, moves, square
    return best


@inlined
def assign(urgency: Any, chosen: Any) -> None:
    """Give every interceptor a runner: `urgency` (interceptor, runner) in moves, negative for runners out of play.

    Pairs are made soonest first, at first one interceptor a runner; `chosen` is written to, -1 where nobody is left.
    """
    hunters, runners = urgency.shape
    for hunter in range(hunters):
        chosen[hunter] = -1
    taken = 0
    for _ in range(hunters):
        best_hunter, best_runner = -1, -1
        for hunter in range(hunters):
            if chosen[hunter] >= 0:
                continue
            for runner in range(runners):
                if urgency[hunter, runner] < 0 or (taken >> runner) & 1:
                    continue
                if best_hunter < 0 or urgency[hunter, runner] < urgency[best_hunter, best_runner]:
                    best_hunter, best_runner = hunter, runner
        if best_hunter < 0:
            break
        chosen[best_hunter] = best_runner
        taken |= 1 << best_runner
    for hunter in range(hunters):
        if chosen[hunter] >= 0:
            continue
        for runner in range(runners):
            if urgency[hunter, runner] >= 0 and (
                chosen[hunter] < 0 or urgency[hunter, runner] < urgency[hunter, chosen[hunter]]
            ):
                chosen[hunter] = runner
