"""Opponents that change their style when half their chips are gone, all 12 changes (Baker 2010, section 5.4.2, figure 5.27).

The source prints no numbers, but says that its network copes well and suffers most from changes to a tighter style. Beside
each change stands what the network wins from the style it starts with, unchanged, on the same deals: the cost of the
change is the difference. The ceiling is what the exact best response wins, which sees when the change comes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.charts import draw_groups, draw_key, draw_level, draw_title, panels
from nemesis.measure.picture import BELIEF_COLOURS, STYLE_WORDS, save_figure
from nemesis.respond.by_name import compiled_agent
from nemesis.respond.styles import STYLES
from nemesis.rules.game import Game
from nemesis.rules.games import one_card
from nemesis.solve.ceiling import best_response_to_change
from nemesis.studies.evolved import belief_networks, fresh_tournaments, networks_by_run, of_networks, style_ceiling
from nemesis.studies.ordering import ordering, orderings_summary
from nemesis.studies.sample import over_runs, shares_over_runs
from nemesis.studies.study import Report, Row, Setting, Study

CHANGES = tuple(permutations(STYLES, 2))
_PICTURE, PLACE = "style-changes.png", "fig. 5.27"


def measure(setting: Setting) -> Report:
    """The network against the four styles and the twelve changes."""
    game = one_card()
    names = [*STYLES, *(f"{old}-to-{new}@half" for old, new in CHANGES)]
    paths = belief_networks(setting)
    setting.progress("tournaments")
    tables = [[compiled_agent(name, game)] for name in names]
    shares = networks_by_run(paths, game, tables, setting, fresh_tournaments(setting) // len(paths))
    setting.progress("ceilings")
    ceilings = [style_ceiling(style, game) for style in STYLES] + [change_ceiling(*change, game) for change in CHANGES]
    whats = [f"{style.upper()} unchanged" for style in STYLES] + [f"{a.upper()} to {b.upper()}" for a, b in CHANGES]
    rows = []
    for i, what in enumerate(whats):
        share, interval, sample = shares_over_runs(shares[:, :, i])
        rows.append(Row(what, share, interval, ceiling=ceilings[i], note=_cost_note(shares, i), sample=sample))
    claims = _claims(shares)
    words = of_networks(setting, len(paths)) + _verdict(rows[len(STYLES) :], claims) + orderings_summary(claims)
    return Report(words, [*claims, *rows], {_PICTURE: _numbers(rows)}, "share of tournaments")


def change_ceiling(old: str, new: str, game: Game) -> float:
    """The share of tournaments that the exact best response wins from a change of style."""
    least = min(game.stacks) / 2
    return best_response_to_change(compiled_agent(old, game), compiled_agent(new, game), game, least).value


def _start(index: int) -> int:
    """The column of the style that a change begins with."""
    return list(STYLES).index(CHANGES[index - len(STYLES)][0])


def _cost_note(shares: NDArray[np.float64], index: int) -> str:
    if index < len(STYLES):
        return ""
    gain, (low, high), _ = over_runs(shares[:, :, index] - shares[:, :, _start(index)])
    return f"{gain:+.3f} ({low:+.3f} … {high:+.3f}) to its first style unchanged"


def _gains(shares: NDArray[np.float64], old: str, new: str) -> NDArray[np.float64]:
    """By run and batch, what the network gains when styles that begin with `old` change to those that begin with `new`."""
    chosen = [i for i, (o, n) in enumerate(CHANGES, start=len(STYLES)) if o[0] == old and n[0] == new]
    gains: NDArray[np.float64] = np.mean([shares[:, :, i] - shares[:, :, _start(i)] for i in chosen], axis=0)
    return gains


def _claims(shares: NDArray[np.float64]) -> list[Row]:
    """What section 5.4.2 says of figure 5.27; shares are by run, batch and opponent."""
    tighter, looser = _gains(shares, "l", "t"), _gains(shares, "t", "l")
    changes = shares[:, :, len(STYLES) :]
    worst = changes[:, :, changes.mean(axis=(0, 1)).argmin()]
    return [
        ordering("the network wins more than half even from the change it fares worst against", "copes well",
                 over_runs(worst - 0.5), place=PLACE),
        ordering("a change from loose to tight costs the network something", "most susceptible",
                 over_runs(-tighter), place=PLACE),
        ordering("a change from loose to tight costs it more than one from tight to loose", "most susceptible",
                 over_runs(looser - tighter), place=PLACE),
        ordering("a change from tight to loose does not help the opponent", "not an effective strategy",
                 over_runs(looser), place=PLACE),
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


def _numbers(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """What is drawn: for every style it begins with, what happens next and what the network then wins."""
    nexts = ["stays", *(f"to {new.upper()}" for _, new in CHANGES)]
    drawn = []
    for first, style in enumerate(STYLES):
        chosen = [first, *(i for i, (old, _) in enumerate(CHANGES, start=len(STYLES)) if old == style)]
        drawn.append(
            {
                "style": style,
                "next": [nexts[max(0, i - len(STYLES) + 1)] for i in chosen],
                "figures": [(rows[i].ours, *(rows[i].ci95 or (None, None))) for i in chosen],
                "most": [rows[i].ceiling for i in chosen],
            }
        )
    return drawn


def draw(numbers: Sequence[Mapping[str, Any]], path: Path) -> None:
    """A panel for every style that an opponent begins with: the shares with their intervals, and the ceilings."""
    with save_figure(path, (10, 3.9)) as figure:
        every = panels(figure, len(numbers), len(numbers), sharey=True)
        for axes, drawn in zip(every, numbers, strict=True):
            draw_groups(
                axes,
                drawn["next"],
                {"belief network, ± 95 %": drawn["figures"]},
                {"belief network, ± 95 %": BELIEF_COLOURS["belief"]},
                ceilings=drawn["most"],
                ceiling="exact best response",
            )
            draw_level(axes, 0.5, "fair share")
            axes.set(title=f"first {STYLE_WORDS[drawn['style']]}", ylim=(-0.02, 1.02))
        every[0].set_ylabel("share of tournaments won")
        draw_title(figure, "What the belief network wins from styles that change when half their chips are gone")
        draw_key(figure, every[0])


STUDY = Study(
    "style-changes",
    "The belief network against styles that change",
    "Baker 2010, section 5.4.2, figure 5.27; Baker et al. 2008, figure 15",
    measure,
    {_PICTURE: draw},
    "minutes, and five runs of the network of `four-seats`",
)
