"""Opponents that change their style when half their chips are gone, all 12 changes (000, section 5.4.2, figure 5.27).

The source prints no numbers, but says that its network copes well and suffers most from changes to a tighter style. Beside
each change stands what the network wins from both styles unchanged, on the same deals: the cost of the change is the
difference to the style it starts with.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.interval import Interval, mean_interval
from nemesis.respond.styles import STYLES
from nemesis.studies.evolved import (
    belief_champion,
    caveat,
    fresh_shares,
    fresh_tournaments,
    game_of,
    opponent,
    share_of,
)
from nemesis.studies.recipes import RECIPES
from nemesis.studies.study import Report, Row, Setting, Study

CHANGES = tuple(permutations(STYLES, 2))


def measure(setting: Setting) -> Report:
    """The network against the four styles and the twelve changes."""
    game = game_of(RECIPES["neat-belief"])
    names = [*STYLES, *(f"{old}-to-{new}@half" for old, new in CHANGES)]
    tournaments = fresh_tournaments(setting)
    batches = fresh_shares(
        game, [belief_champion(setting)], [[opponent(name, game)] for name in names], setting, tournaments
    )[:, 0]
    alone = dict(zip(STYLES, batches.mean(axis=0), strict=False))
    rows = [Row(f"{style.upper()} unchanged", *share_of(batches[:, i], tournaments)) for i, style in enumerate(STYLES)]
    for i, (old, new) in enumerate(CHANGES, start=len(STYLES)):
        note = f"{old.upper()} unchanged {alone[old]:.3f}, {new.upper()} {alone[new]:.3f}"
        rows.append(Row(f"{old.upper()} to {new.upper()}", *share_of(batches[:, i], tournaments), note=note))
    tighter = _cost(batches, "l", "t")
    looser = _cost(batches, "t", "l")
    rows.append(Row("loose to tight − loose unchanged", *tighter))
    rows.append(Row("tight to loose − tight unchanged", *looser))
    return Report(caveat(setting) + _verdict(rows, tighter, looser), rows, unit="share of tournaments")


def _cost(batches: NDArray[np.float64], old: str, new: str) -> tuple[float, Interval]:
    """What the network gains when styles that begin with `old` change to those that begin with `new`."""
    first = list(STYLES)
    chosen = [(i, o) for i, (o, n) in enumerate(CHANGES, start=len(STYLES)) if o[0] == old and n[0] == new]
    gains = [batches[:, i] - batches[:, first.index(o)] for i, o in chosen]
    return mean_interval(np.mean(gains, axis=0))


def _verdict(rows: list[Row], tighter: tuple[float, Interval], looser: tuple[float, Interval]) -> str:
    changes = rows[len(STYLES) : len(STYLES) + len(CHANGES)]
    worst = min(changes, key=lambda row: row.ours)
    won = sum(row.ci95 is not None and row.ci95[0] > 0.5 for row in changes)
    if tighter[1][1] < min(0.0, looser[1][0]):
        agrees = "as published, changes to a tighter style cost most"
    elif tighter[1][1] < 0:
        agrees = "changes to a tighter style cost something, but not clearly most"
    else:
        agrees = "changes to a tighter style do not clearly cost anything, unlike in the source"
    return (
        f"The network clearly wins against {won} of {len(changes)} changes, least against {worst.what} ({worst.ours:.2f}); "
        f"{agrees} ({tighter[0]:+.3f}, to a looser style {looser[0]:+.3f})."
    )


STUDY = Study(
    "style-changes", "The belief network against styles that change", "000, section 5.4.2, figure 5.27", measure
)
