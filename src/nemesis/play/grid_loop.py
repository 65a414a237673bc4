"""The loop of pursuits on the grid, compiled: a round is a move of every runner, then one of every interceptor.

`grid_pursuit` says what the rules are and calls it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.grid_belief import RECOGNISERS, learn_move, normalise, probable_goal
from nemesis.respond.grid_interceptor import assign, blocking_point, sail_towards
from nemesis.respond.grid_runner import runner_step
from nemesis.rules.grid_search import GridPaths
from nemesis.runtime.chance import nth, uniform
from nemesis.runtime.compiled import inlined, njit

AT_SEA, ARRIVED, INTERCEPTED = range(3)
TOLD, BLIND = len(RECOGNISERS), len(RECOGNISERS) + 1
"""Steering that is no recogniser: being told the goal, and guessing it once."""
_step = njit(error_model="numpy", forceinline=True, _nrt=False)  # a part of the loop that owns no arrays


class Chase(NamedTuple):
    """What all pursuits of a call share: the map and who starts where, the runners' noise, and how they are chased."""

    paths: GridPaths
    tables: NDArray[np.float64]
    starts: NDArray[np.int64]
    hunter_starts: NDArray[np.int64]
    noise: float
    any_way: bool
    steering: int
    manner: int
    rounds: int


class Pursuits(NamedTuple):
    """How many pursuits went, by pursuit and runner (and recogniser)."""

    goals: NDArray[np.int64]
    outcomes: NDArray[np.int8]
    moves: NDArray[np.int64]
    """The runner's, until it was intercepted, arrived or time was over."""
    settled: NDArray[np.int64]
    """By recogniser last: the move from which on it believed in the true goal more than in any other; -1 if never."""
    posteriors: NDArray[np.float64]
    """Of traced pursuits, by move from 0, recogniser, runner and goal; NaN after the runner's last."""
    runners: NDArray[np.int64]
    """Of traced pursuits, the runners' cells by move from 0; -1 after its last."""
    interceptors: NDArray[np.int64]
    """Of traced pursuits, the interceptors' cells by round from 0."""


class Sea(NamedTuple):
    """How one pursuit stands: where the ships are, what is believed of the runners, and what the interceptors weigh."""

    runners: NDArray[np.int64]
    interceptors: NDArray[np.int64]
    beliefs: NDArray[np.float64]  # runner, recogniser, goal
    believed: NDArray[np.int64]  # by runner, the goal that steers
    urgency: NDArray[np.int64]  # interceptor, runner
    targets: NDArray[np.int64]
    chosen: NDArray[np.int64]  # by interceptor, its runner


@njit(error_model="numpy")
def play_pursuits(chase: Chase, keys: NDArray[np.int64], found: Pursuits) -> None:
    """Play a pursuit for each key. Writes `found`; a goal there that is not negative is kept."""
    runners, hunters = chase.starts.size, chase.hunter_starts.size
    sea = Sea(
        np.empty(runners, np.int64),
        np.empty(hunters, np.int64),
        np.zeros((runners, found.settled.shape[2], chase.paths.goals.size)),
        np.zeros(runners, np.int64),
        np.empty((hunters, runners), np.int64),
        np.empty((hunters, runners), np.int64),
        np.empty(hunters, np.int64),
    )
    for i in range(keys.size):
        draws = _set_out(chase, keys[i], found, i, sea)
        for round_ in range(1, chase.rounds + 1):
            at_sea, draws = _move_runners(chase, keys[i], draws, round_, found, i, sea)
            if at_sea > 0 and hunters > 0:
                at_sea -= _move_interceptors(chase, found.outcomes[i], sea)
            if i < found.posteriors.shape[0]:
                found.interceptors[i, round_] = sea.interceptors
            if at_sea == 0:
                break


@inlined
def _set_out(chase: Chase, key: int, found: Pursuits, i: int, sea: Sea) -> Any:
    """Put everybody at the start and draw goals and first guesses; returns how many dice that took."""
    traced, choices = i < found.posteriors.shape[0], chase.paths.goals.size
    sea.beliefs[:] = 0.0
    sea.runners[:] = chase.starts
    sea.interceptors[:] = chase.hunter_starts
    for r in range(chase.starts.size):
        if found.goals[i, r] < 0:
            found.goals[i, r] = int(uniform(nth(key, 2 * r)) * choices)
        guess = int(uniform(nth(key, 2 * r + 1)) * choices)
        sea.believed[r] = found.goals[i, r] if chase.steering == TOLD else guess
        if traced:
            found.posteriors[i, 0, :, r] = 1.0 / choices
            found.runners[i, 0, r] = sea.runners[r]
    if traced:
        found.interceptors[i, 0] = sea.interceptors
    return 2 * chase.starts.size


@_step
def _move_runners(chase: Chase, key: int, draws: Any, round_: int, found: Pursuits, i: int, sea: Sea) -> Any:
    """Move every runner, and learn from it; returns how many are still at sea, and the dice taken so far."""
    paths, cells, recognisers = chase.paths, sea.runners, found.settled.shape[2]
    at_sea = 0
    for r in range(chase.starts.size):
        if found.outcomes[i, r] != AT_SEA:
            continue
        goal = found.goals[i, r]
        direction = runner_step(paths, cells[r], goal, chase.noise, chase.any_way, uniform(nth(key, draws)))
        learn_move(
            sea.beliefs[r], paths, chase.tables[r], chase.starts[r], cells[r], direction, chase.noise, chase.any_way
        )
        cells[r] += paths.offsets[direction]
        found.moves[i, r] = round_
        for k in range(recognisers):
            _settle(found.settled[i, r], k, sea.beliefs[r, k], goal, round_)
        if chase.steering < recognisers:
            sea.believed[r] = probable_goal(sea.beliefs[r, chase.steering], uniform(nth(key, draws + 1)))
        draws += 2
        if i < found.posteriors.shape[0]:
            found.runners[i, round_, r] = cells[r]
            for k in range(recognisers):
                normalise(sea.beliefs[r, k], found.posteriors[i, round_, k, r])
        for h in range(chase.hunter_starts.size):
            if sea.interceptors[h] == cells[r]:
                found.outcomes[i, r] = INTERCEPTED
        if found.outcomes[i, r] == AT_SEA and cells[r] == paths.goals[goal]:
            found.outcomes[i, r] = ARRIVED
        if found.outcomes[i, r] == AT_SEA:
            at_sea += 1
    return at_sea, draws


@_step
def _move_interceptors(chase: Chase, outcomes: NDArray[np.int8], sea: Sea) -> Any:
    """Give every interceptor a runner and move it there; returns how many runners were caught. Writes `outcomes`."""
    hunters, runners = sea.urgency.shape
    for h in range(hunters):
        for r in range(runners):
            sea.urgency[h, r] = -1
            if outcomes[r] == AT_SEA:
                sea.targets[h, r], sea.urgency[h, r] = blocking_point(
                    chase.paths, sea.interceptors[h], sea.runners[r], sea.believed[r], chase.manner
                )
    assign(sea.urgency, sea.chosen)
    caught = 0
    for h in range(hunters):
        if sea.chosen[h] >= 0:
            sea.interceptors[h] = sail_towards(chase.paths, sea.interceptors[h], sea.targets[h, sea.chosen[h]])
        for r in range(runners):
            if outcomes[r] == AT_SEA and sea.runners[r] == sea.interceptors[h]:
                outcomes[r] = INTERCEPTED
                caught += 1
    return caught


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
