"""How good is a style belief? Its growth with what it has seen, its calibration, and how fast it notices a change.

A belief knows a style only as fast as the style's actions differ from the others'. So beside what was measured stands what
is *ideal* for its table: the posterior it would reach if actions were drawn independently from that very table, and the
Kullback-Leibler divergence to the nearest rival, which is how much the log-odds against that rival then grow per action.
Real actions are not independent (a good card bets again and again within a hand), so beliefs mostly lag behind the ideal
and are too sure of themselves; calibration shows by how much. It is no strict ceiling: a style whose actions are
more regular than independent draws can be known sooner.

A player is followed from match to match: its informative actions in order, cut into sequences of equal length. So nobody is
left out for having been knocked out early. Beliefs by situation or showdown also learn from free checks and shown hands in
between; their sequences start with a hand, and what they believe after n informative actions is what they believe when
the next one is about to be chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numba import types
from numpy.typing import NDArray

from nemesis.believe.action_table import ActionTable, Variant
from nemesis.believe.calibration import BeliefScore, score_posteriors
from nemesis.believe.situation import SITUATIONS, take_apart
from nemesis.believe.style_belief import (
    belief_block,
    believed,
    learn_action,
    learn_shown,
    learn_situation,
    reset_seat,
)
from nemesis.measure.action_frequency import mixed_lineups
from nemesis.measure.interval import mean_interval
from nemesis.measure.notebook import play_noting
from nemesis.play.match import Player
from nemesis.play.tournament import DEFAULT_MOST_HANDS
from nemesis.rules.game import MAX_STREETS, Game
from nemesis.runtime.compiled import njit
from nemesis.runtime.streams import NumpyStream, generator

Kinds = NDArray[np.int64]
"""Informative actions as `street * 3 + action`: by (sequence, place in it)."""

_MATCHES = 512
_MOST_MATCHES = 200_000
_ROOM = 512
_BETWEEN = 20  # informative actions that may be lost between two sequences, until a hand begins


@dataclass(frozen=True, eq=False)
class Growth:
    """By style and number of informative actions seen (from 0): the posterior of the truth, measured and ideal.

    What is ideal is known where actions could be independent draws from the table, plain or by street; it is NaN elsewhere.
    """

    styles: tuple[str, ...]
    mean: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    ideal: NDArray[np.float64]
    divergence: NDArray[np.float64]
    sequences: int
    score: BeliefScore
    ideal_score: BeliefScore | None

    def nearest_rival(self, style: int) -> tuple[str, float]:
        """The style hardest to tell from this one, and by how many nats an action does so."""
        others = np.where(np.arange(len(self.styles)) == style, np.inf, self.divergence[style])
        return self.styles[int(others.argmin())], float(others.min())

    def actions_until(self, style: int, posterior: float) -> int | None:
        """After how many actions the mean posterior first reaches this; None if it does not."""
        reached = np.nonzero(self.mean[style] >= posterior)[0]
        return int(reached[0]) if reached.size else None


@dataclass(frozen=True, eq=False)
class Switch:
    """By window and number of actions since a change of style: the mean posterior of the new style and of the old."""

    windows: tuple[int, ...]
    new: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    old: NDArray[np.float64]

    def noticed_after(self, window: int) -> int | None:
        """How many actions until the new style is believed in more than all others together; None if never."""
        believed_in = np.nonzero(self.new[self.windows.index(window)] > 0.5)[0]
        return int(believed_in[0]) if believed_in.size else None


def gather_actions(styles: Sequence[Player], game: Game, actions: int, sequences: int, seed: int = 0) -> list[Kinds]:
    """For every style, so many sequences of so many informative actions, from play against a mix of all styles."""
    if actions < 1 or sequences < 1:
        raise ValueError(f"cannot gather {sequences} sequences of {actions} actions; both must be at least 1")
    found = _gather(styles, game, actions * sequences, seed, False)
    return [kinds[: actions * sequences].reshape(sequences, actions) for kinds in found]


def gather_choices(styles: Sequence[Player], game: Game, informative: int, seed: int = 0) -> list[NDArray[np.int64]]:
    """For every style, its choices in order, match after match, with so many informative ones among them."""
    return _gather(styles, game, informative, seed, True)


def _gather(styles: Sequence[Player], game: Game, wanted: int, seed: int, as_choices: bool) -> list[NDArray[np.int64]]:
    agents = [player.make(game) for player in styles]
    length = DEFAULT_MOST_HANDS if game.freeze_out else game.match_hands
    found: list[list[NDArray[np.int64]]] = [[] for _ in styles]
    informative = np.zeros(len(styles), np.int64)
    room = {"choices" if as_choices else "actions": _ROOM}
    matches = 0
    while informative.min() < wanted:
        if matches >= _MOST_MATCHES:
            raise RuntimeError(f"{matches} matches of {game.name} did not give {wanted} informative actions")
        lineup = mixed_lineups(len(agents), game.seats, _MATCHES, seed, matches)
        numbers = np.arange(matches, matches + len(lineup))
        notes = play_noting(
            game, agents, lineup, numbers, hands=length, seed=seed, freeze_out=game.freeze_out, **room
        )  # fmt: skip
        for style in range(len(agents)):
            noted = (notes.choices if as_choices else notes.actions)[lineup == style]
            new = noted[noted >= 0]
            found[style].append(new)
            informative[style] += take_apart(new).informative.sum() if as_choices else len(new)
        matches += len(lineup)
    return [np.concatenate(pieces) for pieces in found]


def posteriors_along(
    table: ActionTable, kinds: Kinds, window: int = 0, variant: Variant = "plain"
) -> NDArray[np.float64]:
    """The posterior before the first and after every action of each sequence: (sequence, actions + 1, style).

    The variant is plain or by street; others need to know more than the kind of an action (`posteriors_of_choices`).
    """
    posteriors = np.empty((kinds.shape[0], kinds.shape[1] + 1, len(table.styles)))
    _follow(np.ascontiguousarray(kinds, np.int64), belief_block(table, 1, window, variant), posteriors)
    return posteriors


def posteriors_of_choices(
    table: ActionTable, choices: NDArray[np.int64], actions: int, sequences: int, variant: Variant, window: int = 0
) -> NDArray[np.float64]:
    """The posterior after 0 … `actions` informative actions in so many sequences of a player's choices, as above."""
    parts = take_apart(choices)
    plain = np.stack([parts.first, parts.shown, parts.action, parts.street, parts.faced, parts.opponents], axis=1)
    posteriors = np.empty((sequences, actions + 1, len(table.styles)))
    block = belief_block(table, 1, window, variant)
    complete = _follow_choices(
        np.ascontiguousarray(plain), parts.win, parts.informative, np.full(MAX_STREETS, np.nan), block, posteriors
    )
    if complete < sequences:
        raise ValueError(f"these choices hold {complete} sequences of {actions} informative actions, not {sequences}")
    return posteriors


@njit(error_model="numpy")
def _follow_choices(
    choices: NDArray[np.int64],
    wins: NDArray[np.float64],
    informative: NDArray[np.bool_],
    win: NDArray[np.float64],
    memory: NDArray[np.float64],
    posteriors: NDArray[np.float64],
) -> int:
    """Returns how many sequences are complete. Writes `posteriors`; uses `memory` for the belief, `win` for a hand."""
    sequence, seen, hand = 0, -1, 0  # seen is -1 between two sequences
    for i in range(choices.shape[0]):
        first, _, action, street, faced, opponents = choices[i]
        if first == 1:
            if seen >= 0 and choices[i - 1, 1] == 1:
                learn_shown(memory, 0, 0, hand, win)
            win[:] = np.nan
            hand += 1
            if seen < 0:
                reset_seat(memory, 0, 0)
                seen = 0
        if seen < 0:
            continue
        win[street] = wins[i]
        if informative[i]:
            for style in range(posteriors.shape[2]):
                posteriors[sequence, seen, style] = believed(memory, 0, 0, style)
            seen += 1
            if seen == posteriors.shape[1]:
                seen = -1
                sequence += 1
                if sequence == posteriors.shape[0]:
                    break
                continue
        learn_situation(memory, 0, 0, hand, street, faced, opponents, action)
    return sequence


@njit(types.void(types.int64[:, ::1], types.float64[::1], types.float64[:, :, ::1]), error_model="numpy")
def _follow(kinds: Kinds, memory: NDArray[np.float64], posteriors: NDArray[np.float64]) -> None:
    """Writes `posteriors`, and uses `memory` for the belief."""
    for sequence in range(kinds.shape[0]):
        reset_seat(memory, 0, 0)
        for step in range(kinds.shape[1] + 1):
            if step > 0:
                kind = kinds[sequence, step - 1]
                learn_action(memory, 0, 0, kind // 3, kind % 3)
            for style in range(posteriors.shape[2]):
                posteriors[sequence, step, style] = believed(memory, 0, 0, style)


def measure_growth(
    styles: Sequence[Player],
    game: Game,
    table: ActionTable,
    *,
    actions: int = 40,
    sequences: int = 1000,
    window: int = 0,
    variant: Variant = "plain",
    seed: int = 0,
) -> Growth:
    """The posterior of the true style against the number of informative actions, beside the ideal of the table."""
    labels = tuple(player.label for player in styles)
    if labels != table.styles:
        raise ValueError(f"the table is of {', '.join(table.styles)}, the players are {', '.join(labels)}")
    ideal = np.full((len(labels), actions + 1), np.nan)
    ideal_score = None
    if variant in ("plain", "street"):
        gathered = gather_actions(styles, game, actions, sequences, seed)
        measured = [posteriors_along(table, kinds, window, variant) for kinds in gathered]
        used = table if variant == "street" else table.pooled()
        rng = generator(seed, NumpyStream.INDEPENDENT_ACTIONS)
        drawn = [_drawn(used, style, (sequences, actions), rng) for style in range(len(labels))]
        independent = [posteriors_along(table, kinds, window, variant) for kinds in drawn]
        ideal = np.array([posteriors[:, :, style].mean(axis=0) for style, posteriors in enumerate(independent)])
        ideal_score = _score(independent)
    else:
        choices = gather_choices(styles, game, (actions + _BETWEEN) * sequences, seed)
        measured = [posteriors_of_choices(table, each, actions, sequences, variant, window) for each in choices]
    shape = (len(labels), actions + 1)
    mean, low, high = np.empty(shape), np.empty(shape), np.empty(shape)
    for style, posteriors in enumerate(measured):
        for step in range(actions + 1):
            mean[style, step], (low[style, step], high[style, step]) = mean_interval(posteriors[:, step, style])
    divergence = divergences(table, variant)
    return Growth(labels, mean, low, high, ideal, divergence, sequences, _score(measured), ideal_score)


def divergences(table: ActionTable, variant: Variant = "street") -> NDArray[np.float64]:
    """KL(row style ‖ column style) in nats per action, rows of the table as often as the row style meets them.

    By showdown it is that of an action whose cards are known.
    """
    probabilities, weights = table.floored(variant=variant), _row_weights(table, variant)
    if variant == "showdown":
        known = table.streets * SITUATIONS
        probabilities, weights = probabilities[:, known:], weights[:, known:] / weights[:, known:].sum(axis=1)[:, None]
    logs = np.log(probabilities)
    difference = logs[:, None] - logs[None, :]
    divergence: NDArray[np.float64] = (weights[:, None, :, None] * probabilities[:, None] * difference).sum(axis=(2, 3))
    return divergence


def measure_switch(
    before: Kinds,
    after: Kinds,
    table: ActionTable,
    old: str,
    new: str,
    windows: Sequence[int] = (0, 8),
    variant: Variant = "plain",
) -> Switch:
    """A player does the actions `before` in one style and then `after` in another: who notices when?"""
    shown = np.concatenate([before, after], axis=1)
    shape = (len(windows), after.shape[1] + 1)
    mean, low, high, of_old = np.empty(shape), np.empty(shape), np.empty(shape), np.empty(shape)
    for row, window in enumerate(windows):
        posteriors = posteriors_along(table, shown, window, variant)[:, before.shape[1] :]
        of_old[row] = posteriors[:, :, table.styles.index(old)].mean(axis=0)
        for step in range(shape[1]):
            figures = posteriors[:, step, table.styles.index(new)]
            mean[row, step], (low[row, step], high[row, step]) = mean_interval(figures)
    return Switch(tuple(windows), mean, low, high, of_old)


def _row_weights(table: ActionTable, variant: Variant = "street") -> NDArray[np.float64]:
    counts = table.counted(variant)
    if counts is None:
        rows = 1 if variant == "plain" else table.streets
        return np.full((len(table.styles), rows), 1 / rows)
    totals = counts.sum(axis=2)
    weights: NDArray[np.float64] = totals / totals.sum(axis=1, keepdims=True)
    return weights


def _drawn(table: ActionTable, style: int, shape: tuple[int, int], rng: np.random.Generator) -> Kinds:
    """Actions drawn independently from the table, as kinds."""
    joint = (_row_weights(table)[style][:, None] * table.floored()[style]).ravel()
    return rng.choice(joint.size, shape, p=joint / joint.sum())


def _score(by_style: Sequence[NDArray[np.float64]]) -> BeliefScore:
    """Every posterior after at least one action, each style as often as any other."""
    posteriors = np.concatenate([each[:, 1:].reshape(-1, each.shape[2]) for each in by_style])
    truths = np.repeat(np.arange(len(by_style)), len(posteriors) // len(by_style))
    return score_posteriors(posteriors, truths)
