"""Opponents that bluff: how the belief network does against every style that bluffs with probability 0 to 1 (000, 5.4.1).

A bluffer bets where it would fold and goes on for the hand. Beside the share of tournaments stands the style that the
belief takes the bluffer for after 20 informative actions against the network. There is no ceiling: a bluffer remembers that
it bluffs, and exact best responses are for players without a memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.tables import action_table
from nemesis.measure.picture import save_figure
from nemesis.respond.styles import STYLES
from nemesis.studies.evolved import belief_champion, caveat, fresh_shares, game_of, judged, opponent, share_of
from nemesis.studies.looks import looks_like
from nemesis.studies.recipes import RECIPES
from nemesis.studies.study import Report, Row, Setting, Study

WEAKEST = ("tp", 0.12, 0.72)
"""Where the source's network is weakest: the style, its bluffs, and the share of tournaments."""

_PICTURE = "bluffers.png"


def measure(setting: Setting) -> Report:
    """The network against every bluffer."""
    game = game_of(RECIPES["neat-belief"])
    network, table = belief_champion(setting), action_table(game)
    points = setting.choose(2, 10, 100)
    levels = sorted({*(i / points for i in range(points + 1)), WEAKEST[1]})
    bluffers = [[opponent(f"{style}+bluff={level:g}", game) for level in levels] for style in STYLES]
    tournaments = setting.choose(40, 4_000, 20_000)
    batches = fresh_shares(game, [network], [[one] for row in bluffers for one in row], setting, tournaments)[:, 0]
    batches = batches.reshape(len(batches), len(STYLES), len(levels))
    met = setting.choose(10, 200, 1_000)
    looks = np.array(
        [
            [looks_like(one, network, game, table, actions=20, tournaments=met, seed=setting.seed) for one in row]
            for row in bluffers
        ]
    )
    rows = []
    for s, style in enumerate(STYLES):
        for b, level in enumerate(levels):
            share, interval = share_of(batches[:, s, b], tournaments)
            published = WEAKEST[2] if (style, level) == WEAKEST[:2] else None
            seen = ", ".join(f"{n.upper()} {p:.2f}" for n, p in zip(STYLES, looks[s, b], strict=True))
            judgement = f"{judged(interval, published)}; " if published else ""
            rows.append(
                Row(f"{style.upper()} bluffing {level:g}", share, interval, published, note=f"{judgement}looks {seen}")
            )
    _draw(levels, batches.mean(axis=0), looks[list(STYLES).index("tp")], setting.folder / _PICTURE)
    return Report(caveat(setting) + _verdict(rows), rows, [_PICTURE], "share of tournaments")


def _verdict(rows: Sequence[Row]) -> str:
    weakest = min(rows, key=lambda row: row.ours)
    style, level, published = WEAKEST
    there = next(row for row in rows if row.published is not None)
    agrees = "as published" if weakest is there else "not where the source is weakest"
    return (
        f"The network is weakest against {weakest.what} ({weakest.ours:.2f}), {agrees}; against {style.upper()} bluffing "
        f"{level:g} it wins {there.ours:.2f} (published {published:.2f}: {there.note.partition(';')[0]})."
    )


def _draw(levels: Sequence[float], shares: NDArray[np.float64], looks: NDArray[np.float64], path: Path) -> None:
    names = [style.upper() for style in STYLES]
    with save_figure(path, (11, 4.5)) as figure:
        left, right = figure.subplots(1, 2)
        left.plot(levels, shares.T, label=names)
        left.plot(WEAKEST[1], WEAKEST[2], "x", color="black", label="published, TP")
        left.set(xlabel="probability of a bluff", ylabel="share of tournaments", ylim=(0, 1), title="belief network v")
        left.legend()
        right.stackplot(levels, looks.T, labels=names)
        right.set(
            xlabel="probability of a bluff", ylabel="mean belief", ylim=(0, 1), title="what a bluffing TP looks like"
        )
        right.legend(loc="upper left")


STUDY = Study(
    "bluffers", "The belief network against styles that bluff", "000, section 5.4.1, figures 5.25, 5.26", measure
)
