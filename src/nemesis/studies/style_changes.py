"""Opponents that change their style when half their chips are gone, all 12 changes (000, section 5.4.2, figure 5.27).

The source prints no numbers, but says that its network copes well and suffers most from changes to a tighter style. Beside
each change stands what the network wins from the style it starts with, unchanged, on the same deals: the cost of the
change is the difference. The ceiling is what the exact best response wins, which sees when the change comes.
"""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.interval import mean_interval
from nemesis.measure.picture import save_figure
from nemesis.respond.by_name import compiled_agent
from nemesis.respond.styles import STYLES
from nemesis.rules.game import Game
from nemesis.solve.ceiling import best_response_to_change
from nemesis.studies.evolved import (
    belief_champion,
    fresh_shares,
    fresh_tournaments,
    game_of,
    of_champion,
    share_of,
    style_ceiling,
)
from nemesis.studies.ordering import ordering, orderings_told
from nemesis.studies.study import Report, Row, Setting, Study
from nemesis.train.recipes import RECIPES

CHANGES = tuple(permutations(STYLES, 2))
_PICTURE = "style-changes.png"


def measure(setting: Setting) -> Report:
    """The network against the four styles and the twelve changes."""
    game = game_of(RECIPES["neat-belief"])
    names = [*STYLES, *(f"{old}-to-{new}@half" for old, new in CHANGES)]
    tournaments = fresh_tournaments(setting)
    setting.progress("tournaments")
    batches = fresh_shares(
        game, [belief_champion(setting)], [[compiled_agent(name, game)] for name in names], setting, tournaments
    )[:, 0]
    setting.progress("ceilings")
    ceilings = [style_ceiling(style, game) for style in STYLES] + [change_ceiling(*change, game) for change in CHANGES]
    whats = [f"{style.upper()} unchanged" for style in STYLES] + [f"{a.upper()} to {b.upper()}" for a, b in CHANGES]
    rows = []
    for i, what in enumerate(whats):
        share, interval = share_of(batches[:, i], tournaments)
        rows.append(Row(what, share, interval, ceiling=ceilings[i], note=_cost_note(batches, i)))
    claims = _claims(batches)
    _draw(rows, setting.folder / _PICTURE)
    told = of_champion(setting) + _verdict(rows[len(STYLES) :], claims) + orderings_told(claims)
    return Report(told, [*claims, *rows], [_PICTURE], "share of tournaments")


def change_ceiling(old: str, new: str, game: Game) -> float:
    """The share of tournaments that the exact best response wins from a change of style."""
    least = min(game.stacks) / 2
    return best_response_to_change(compiled_agent(old, game), compiled_agent(new, game), game, least).value


def _start(index: int) -> int:
    """The column of the style that a change begins with."""
    return list(STYLES).index(CHANGES[index - len(STYLES)][0])


def _cost_note(batches: NDArray[np.float64], index: int) -> str:
    if index < len(STYLES):
        return ""
    gain, (low, high) = mean_interval(batches[:, index] - batches[:, _start(index)])
    return f"{gain:+.3f} ({low:+.3f} … {high:+.3f}) to its first style unchanged"


def _gains(batches: NDArray[np.float64], old: str, new: str) -> NDArray[np.float64]:
    """By batch, what the network gains when styles that begin with `old` change to those that begin with `new`."""
    chosen = [i for i, (o, n) in enumerate(CHANGES, start=len(STYLES)) if o[0] == old and n[0] == new]
    gains: NDArray[np.float64] = np.mean([batches[:, i] - batches[:, _start(i)] for i in chosen], axis=0)
    return gains


def _claims(batches: NDArray[np.float64]) -> list[Row]:
    """What section 5.4.2 says of figure 5.27."""
    tighter, looser = _gains(batches, "l", "t"), _gains(batches, "t", "l")
    changes = batches[:, len(STYLES) :]
    worst = changes[:, changes.mean(axis=0).argmin()]
    return [
        ordering("the network wins more than half even from the change it fares worst against", "copes well",
                 mean_interval(worst - 0.5)),
        ordering("a change from loose to tight costs the network something", "most susceptible", mean_interval(-tighter)),
        ordering("a change from loose to tight costs it more than one from tight to loose", "most susceptible",
                 mean_interval(looser - tighter)),
        ordering("a change from tight to loose does not help the opponent", "not an effective strategy",
                 mean_interval(looser)),
    ]  # fmt: skip


def _verdict(changes: list[Row], claims: list[Row]) -> str:
    worst = min(changes, key=lambda row: row.ours)
    won = sum(row.ci95 is not None and row.ci95[0] > 0.5 for row in changes)
    share = np.mean([row.ours / (row.ceiling or 1.0) for row in changes])
    return (
        f"It clearly wins against {won} of {len(changes)} changes, least against {worst.what} ({worst.ours:.2f} of at most "
        f"{worst.ceiling:.2f}), and on average {share:.0%} of what the best response wins. Changes to a tighter style cost "
        f"it {claims[1].ours:+.3f}, to a looser one {-claims[3].ours:+.3f}; published is that the former cost most: "
        f"{claims[2].note.partition(';')[0]}."
    )


def _draw(rows: list[Row], path: Path) -> None:
    """Bars of the shares with their intervals, as in figure 5.27, and the ceilings as marks."""
    places = np.arange(len(rows))
    colours = ["tab:grey"] * len(STYLES) + ["tab:blue"] * len(CHANGES)
    errors = [(row.ci95[1] - row.ours) if row.ci95 else 0.0 for row in rows]
    with save_figure(path, (10, 4.2)) as figure:
        axes = figure.add_subplot()
        axes.bar(places, [row.ours for row in rows], 0.7, yerr=errors, color=colours, capsize=2)
        ceilings = [row.ceiling or 1.0 for row in rows]
        axes.plot(places, ceilings, "_", color="black", markersize=16, label="best response")
        axes.axhline(0.5, color="black", linewidth=0.8, linestyle=":", label="fair share")
        axes.set_xticks(places, [row.what.replace("unchanged", "only").replace(" ", "\n") for row in rows], fontsize=8)
        axes.set(ylabel="share of tournaments", ylim=(0, 1))
        axes.set_title("the belief network against styles and changes at half the chips")
        axes.legend(loc="lower right", fontsize=8)


STUDY = Study(
    "style-changes",
    "The belief network against styles that change",
    "000, section 5.4.2, figure 5.27; 001, figure 15",
    measure,
)
