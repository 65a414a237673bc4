"""Duels, tables and tournaments as results: who takes how much from whom, with a 95 % interval.

Rounds at a table and tournaments are independent (`play.table`, `play.tournament`), so an interval is taken over them:
Student's for chips per hand, Wilson's for shares of tournaments. With a precision, play goes on until the first player's
interval is that narrow.
"""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.interval import mean_interval, share_interval
from nemesis.measure.result import Result, Score, counted, numbered
from nemesis.measure.sequential import sequential_interval
from nemesis.observe.hand_file import HandFile
from nemesis.play.luck import Kind, value_function
from nemesis.play.match import DEFAULT_TIME_LIMIT, Player
from nemesis.play.table import MOST_HANDS, Advance, Rounds, play_rounds
from nemesis.play.tournament import DEFAULT_MOST_HANDS, play_tournaments
from nemesis.play.workers import Workers
from nemesis.rules.game import Game

MOST_TIMES_ASKED = 64
"""An answer that is not clear after so many times the hands that were asked for stays open."""


@dataclass(frozen=True)
class Precision:
    """How narrow the first player's interval must get: half its width at most `share` of the mean or `margin` units."""

    share: float | None = None
    margin: float | None = None

    @classmethod
    def parse(cls, text: str) -> Precision:
        """`5%` is a share of the mean; a plain number is a margin in the result's unit."""
        try:
            value = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
        except ValueError:
            value = -1.0
        if not 0 < value < math.inf:
            raise ValueError(f"{text!r} is not a precision; write a share such as 5% or a margin such as 10")
        return cls(share=value) if text.endswith("%") else cls(margin=value)

    def reached(self, score: Score) -> bool:
        """Whether this score is narrow enough."""
        wanted = self.margin if self.margin is not None else abs(score.mean) * (self.share or 0.0)
        return score.margin <= wanted


def named(players: Sequence[Player], labels: Sequence[str]) -> list[Player]:
    """The players under these labels, which tell those of one name apart."""
    return [dataclasses.replace(player, label=label) for player, label in zip(players, labels, strict=True)]


def measure_table(
    players: Sequence[Player],
    game: Game,
    hands: int,
    *,
    seed: int = 0,
    match_hands: int | None = None,
    workers: Workers = 1,
    precision: Precision | None = None,
    most_hands: int = MOST_HANDS,
    time_limit: float = DEFAULT_TIME_LIMIT,
    hand_file: HandFile | None = None,
    without_luck: Kind | None = None,
    until_significant: bool = False,
    progress: Advance = lambda done, total: None,
) -> Result:
    """Play about `hands` hands (at least one round) and return every player's mean per hand with its interval.

    `without_luck` takes the luck of the cards out (`play.luck`). `until_significant` plays on until the first player's
    interval lies on one side of zero, and gives intervals that hold however long that takes (`measure.sequential`).
    """
    if until_significant and precision is not None:
        raise ValueError("play on until a precision is reached or until the answer is clear, not both")
    interval = sequential_interval if until_significant else mean_interval
    labels = numbered(tuple(player.label for player in players))
    unit, per_chip = game.unit

    def scores(chips: NDArray[np.float64]) -> tuple[Score, ...]:
        return tuple(Score(label, *interval(chips[:, index] * per_chip)) for index, label in enumerate(labels))

    def enough(chips: NDArray[np.float64]) -> bool:
        if until_significant:
            return scores(chips)[0].significant
        return precision is None or precision.reached(scores(chips)[0])

    started = time.perf_counter()
    played = play_rounds(
        named(players, labels), game, hands, seed=seed, match_hands=match_hands, workers=workers,
        most_hands=min(most_hands, MOST_TIMES_ASKED * hands) if until_significant else most_hands,
        enough=enough, time_limit=time_limit, hand_file=hand_file, without_luck=without_luck, progress=progress,
    )  # fmt: skip
    note = _rounds_note(played, without_luck)
    if until_significant:
        clear = "the answer is clear" if scores(played.chips)[0].significant else "the answer is not clear yet"
        note += f"; {clear}, with intervals that hold at any look"
    return Result(
        game=game.name,
        players=labels,
        hands=played.hands,
        matches=played.chips.size,
        unit=unit,
        scores=scores(played.chips),
        seed=seed,
        seconds=time.perf_counter() - started,
        note=note,
    )


def _rounds_note(played: Rounds, without_luck: Kind | None) -> str:
    """What was played, and what was taken out of it."""
    rounds, seats = played.chips.shape
    each = counted(played.match_hands, "hand")
    note = f"{counted(rounds, 'round')} of {seats} matches on the same deals, {each} each"
    if without_luck is not None:
        note += f"; luck of the cards taken out ({without_luck}, value function {value_function(without_luck).digest})"
    return note


def measure_tournaments(
    players: Sequence[Player],
    game: Game,
    tournaments: int,
    *,
    seed: int = 0,
    most_hands: int = DEFAULT_MOST_HANDS,
    workers: Workers = 1,
    precision: Precision | None = None,
    time_limit: float = DEFAULT_TIME_LIMIT,
    hand_file: HandFile | None = None,
    progress: Advance = lambda done, total: None,
) -> Result:
    """Play freeze-outs and return every player's share of them with its interval."""
    labels = numbered(tuple(player.label for player in players))

    def scores(shares: NDArray[np.float64]) -> tuple[Score, ...]:
        totals = shares.sum(axis=0)
        return tuple(Score(label, *share_interval(float(totals[i]), len(shares))) for i, label in enumerate(labels))

    started = time.perf_counter()
    played = play_tournaments(
        named(players, labels), game, tournaments, seed=seed, most_hands=most_hands, workers=workers,
        enough=lambda shares: precision is None or precision.reached(scores(shares)[0]),
        time_limit=time_limit, hand_file=hand_file, progress=progress,
    )  # fmt: skip
    left = played.undecided
    return Result(
        game=game.name,
        players=labels,
        hands=played.hands,
        matches=len(played.shares),
        unit="share of tournaments",
        scores=scores(played.shares),
        seed=seed,
        seconds=time.perf_counter() - started,
        note=f"{counted(left, 'tournament')} undecided after {most_hands} hands, shared by chips" if left else "",
    )
