"""The loop of pursuits on the grid, compiled: a round is a move of every runner, then one of every interceptor.

`grid_pursuit` says what the rules are and calls it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.grid_belief import RECOGNISERS, learn_move, normalise, probable_goal
from nemesis.respond.grid_interceptor import assign, blocking_point, sail_towards
from nemesis.respond.grid_runner import runner_step
from nemesis.rules.grid_search import GridPaths
from nemesis.runtime.chance import nth, uniform
from nemesis.runtime.compiled import njit

AT_SEA, ARRIVED, INTERCEPTED = range(3)
TOLD, BLIND = len(RECOGNISERS), len(RECOGNISERS) + 1
"""Steering that is no recogniser: being told the goal, and guessing it once."""


@njit(error_model="numpy")
def play_pursuits(
    paths: GridPaths,
    tables: NDArray[np.float64],
    starts: NDArray[np.int64],
    hunter_starts: NDArray[np.int64],
    keys: NDArray[np.int64],
    noise: float,
    any_way: bool,
    steering: int,
    manner: int,
    rounds: int,
    goals: NDArray[np.int64],
    outcomes: NDArray[np.int8],
    moves: NDArray[np.int64],
    settled: NDArray[np.int64],
    posteriors: NDArray[np.float64],
    runner_cells: NDArray[np.int64],
    hunter_cells: NDArray[np.int64],
) -> None:
    """Writes the last seven; a goal that is not negative is kept."""
    runners, hunters, choices = starts.size, hunter_starts.size, paths.goals.size
    recognisers = settled.shape[2]
    beliefs = np.zeros((runners, recognisers, choices))
    cells, sailing = np.empty(runners, np.int64), np.empty(hunters, np.int64)
    believed = np.zeros(runners, np.int64)
    urgency = np.empty((hunters, runners), np.int64)
    targets = np.empty((hunters, runners), np.int64)
    chosen = np.empty(hunters, np.int64)
    for i in range(keys.size):
        traced = i < posteriors.shape[0]
        key, draws = keys[i], 0
        beliefs[:] = 0.0
        cells[:] = starts
        sailing[:] = hunter_starts
        for r in range(runners):
            if goals[i, r] < 0:
                goals[i, r] = int(uniform(nth(key, draws)) * choices)
            believed[r] = goals[i, r] if steering == TOLD else int(uniform(nth(key, draws + 1)) * choices)
            draws += 2
            if traced:
                posteriors[i, 0, :, r] = 1.0 / choices
                runner_cells[i, 0, r] = cells[r]
        if traced:
            hunter_cells[i, 0] = sailing
        for round_ in range(1, rounds + 1):
            at_sea = 0
            for r in range(runners):
                if outcomes[i, r] != AT_SEA:
                    continue
                goal = goals[i, r]
                direction = runner_step(paths, cells[r], goal, noise, any_way, uniform(nth(key, draws)))
                learn_move(beliefs[r], paths, tables[r], starts[r], cells[r], direction, noise, any_way)
                cells[r] += paths.offsets[direction]
                moves[i, r] = round_
                for k in range(recognisers):
                    _settle(settled[i, r], k, beliefs[r, k], goal, round_)
                if steering < recognisers:
                    believed[r] = probable_goal(beliefs[r, steering], uniform(nth(key, draws + 1)))
                draws += 2
                if traced:
                    runner_cells[i, round_, r] = cells[r]
                    for k in range(recognisers):
                        normalise(beliefs[r, k], posteriors[i, round_, k, r])
                for h in range(hunters):
                    if sailing[h] == cells[r]:
                        outcomes[i, r] = INTERCEPTED
                if outcomes[i, r] == AT_SEA and cells[r] == paths.goals[goal]:
                    outcomes[i, r] = ARRIVED
                if outcomes[i, r] == AT_SEA:
                    at_sea += 1
            if at_sea > 0 and hunters > 0:
                for h in range(hunters):
                    for r in range(runners):
                        urgency[h, r] = -1
                        if outcomes[i, r] == AT_SEA:
                            targets[h, r], urgency[h, r] = blocking_point(
                                paths, sailing[h], cells[r], believed[r], manner
                            )
                assign(urgency, chosen)
                for h in range(hunters):
                    if chosen[h] >= 0:
                        sailing[h] = sail_towards(paths, sailing[h], targets[h, chosen[h]])
                    for r in range(runners):
                        if outcomes[i, r] == AT_SEA and cells[r] == sailing[h]:
                            outcomes[i, r] = INTERCEPTED
                            at_sea -= 1
            if traced:
                hunter_cells[i, round_] = sailing
            if at_sea == 0:
                break


@njit(error_model="numpy")
def _settle(settled: NDArray[np.int64], recogniser: int, belief: NDArray[np.float64], goal: int, move: int) -> None:
    """Keep since which move the goal has led alone; writes `settled`."""
    leads = True
    for other in range(belief.size):
        if other != goal and belief[other] > belief[goal] - 1e-9:
            leads = False
    if not leads:
        settled[recogniser] = -1
    elif settled[recogniser] < 0:
        settled[recogniser] = move
