"""How ASHE learns within a match, and whether it follows an opponent who changes (the ASHE paper, section 4.2).

A match starts with empty trees. What A4 earns in hands 1-50, 51-200 and 201-1000 is compared within each match, which has
its deals twice, seats swapped: the difference between the last stretch and the first has one number a match, and an
interval over matches. If the trees are of use it earns more later on.

Before it knows anybody it should not lose. Beside its first 50 hands stands the best of four players who never learn
(`thief`, `raise`, `call` and `patient`, each of which beats somebody), chosen by opponent on those very matches, which
flatters it a little.

The source says of RG, who becomes somebody else every 50 hands, that ASHE exploits it on average and does not follow its
changes. A player who follows earns more in the second half of such a stretch, when it has seen the new strategy, than in
the first. So the halves of RG's stretches are compared, leaving out the first 200 hands, in which it is still learning.
That it does not follow is only said when the interval leaves little room (`ROOM`) for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.adaptation import earnings_by_stretch
from nemesis.measure.charts import as_figure, draw_key, draw_title, panels
from nemesis.measure.interval import Interval, mean_interval
from nemesis.measure.picture import BLUE, INK, SKY, save_figure
from nemesis.respond.by_name import compiled_agent
from nemesis.respond.random_gambler import HANDS as RG_HANDS
from nemesis.rules.games import no_limit
from nemesis.studies.ashe_instances import caution, instance
from nemesis.studies.ordering import decided
from nemesis.studies.published_opponents import PRESENT, Opponent
from nemesis.studies.study import Report, Row, Setting, Study
from nemesis.studies.verdict import listed

FINE = RG_HANDS // 2
"""Hands in the cells that everything is added up from: half a stretch of RG's."""
HANDS = 1000
STRETCHES = ((0, 50), (50, 200), (200, 1000))
ROOM = 0.2
"""Of what it earns anyway: a gain by following that the interval leaves no more room for is none."""
SIMPLE = ("thief", "raise", "call", "patient")
CLAIMED = 7
"""Against so many of the ten it should earn significantly more in the last stretch than in the first."""

_PICTURE = "adaptation.png"

Rates = NDArray[np.float64]


def measure(setting: Setting) -> Report:
    """A4 against everybody, by stretch."""
    game = no_limit()
    player = instance("A4", game, setting)
    matches = setting.choose(3, 60, 1000)
    rates: dict[str, Rates] = {}
    simple: dict[str, Rates] = {}
    best: dict[str, str] = {}
    for opponent in PRESENT:
        setting.progress(f"A4 v {opponent.code}, {matches} matches")
        rates[opponent.code] = earnings_by_stretch(
            game, player.agent, opponent.seated(game), range(FINE, HANDS + 1, FINE), matches,
            seed=setting.seed, workers=setting.workers,
        )  # fmt: skip
        best[opponent.code], simple[opponent.code] = best_simple(opponent, matches, setting)
    gains = {code: gain(found) for code, found in rates.items()}
    firsts = {code: stretch(found, *STRETCHES[0]) for code, found in rates.items()}
    ahead = {code: mean_interval(firsts[code] - simple[code]) for code in rates}
    rows = []
    for code, found in rates.items():
        first, *others = _rows(code, found)
        beside = Row(f"{code}, hands 1-50: {best[code]}", *mean_interval(simple[code]), note=beside_it(ahead[code][1]))
        rows += [first, beside, *others]
    half = following(rates["RG"])
    average = mean_interval(stretch(rates["RG"], 0, HANDS))
    note = f"its changes are {tracking(average, half)}; hands 201-{HANDS}"
    rows.append(Row("RG: second half of its stretches − first half", *half, "not tracked", note=note))
    data = {
        "matches": matches,
        "cells": {code: found.mean(axis=0).tolist() for code, found in rates.items()},
        "hands_a_cell": FINE,
    }
    words = caution([player], setting) + verdict(gains, average, half) + first_hands(firsts, ahead)
    return Report(words, rows, {_PICTURE: _numbers(rates)}, "mBB/hand", data)


def best_simple(opponent: Opponent, matches: int, setting: Setting) -> tuple[str, Rates]:
    """Who of those that never learn takes most in the first stretch, and by match what."""
    game, first = no_limit(), STRETCHES[0][1]
    found = {
        name: earnings_by_stretch(
            game, compiled_agent(name, game), opponent.seated(game), [first], matches,
            seed=setting.seed, workers=setting.workers,
        )[:, 0]
        for name in SIMPLE
    }  # fmt: skip
    best = max(found, key=lambda name: float(found[name].mean()))
    return best, found[best]


def beside_it(ahead: Interval) -> str:
    """How A4's first hands compare with a player that never learns, from the interval of the difference."""
    much = "A4 takes more" if ahead[0] > 0 else "A4 takes less" if ahead[1] < 0 else "no clear difference"
    return f"the best of those who never learn; {much}"


def first_hands(firsts: Mapping[str, Rates], ahead: Mapping[str, tuple[float, Interval]]) -> str:
    """Against whom A4 does not win from the start, and who is better answered by somebody that never learns."""
    unsure = [code for code, units in firsts.items() if not mean_interval(units)[1][0] > 0]
    behind = [code for code, (_, ci95) in ahead.items() if ci95[1] < 0]
    but = f", not {listed(unsure)}," if unsure else ""
    return (
        f" In the first 50 hands it is significantly above zero against {len(firsts) - len(unsure)} of {len(firsts)}{but} "
        f"and takes significantly less than the best of {', '.join(SIMPLE)} from {listed(behind)}."
    )


def stretch(rates: Rates, first: int, end: int) -> Rates:
    """By match, what was earned in hands `first` to `end`, from cells of equal length."""
    found: Rates = rates[:, first // FINE : end // FINE].mean(axis=1)
    return found


def gain(rates: Rates) -> tuple[float, Interval]:
    """The last stretch minus the first, with its interval over matches."""
    return mean_interval(stretch(rates, *STRETCHES[-1]) - stretch(rates, *STRETCHES[0]))


def following(rates: Rates) -> tuple[float, Interval]:
    """Second halves of RG's stretches minus first halves, with the interval over matches, once it has been met."""
    later = rates[:, STRETCHES[-1][0] // FINE :]
    return mean_interval((later[:, 1::2] - later[:, 0::2]).mean(axis=1))


def tracking(average: tuple[float, Interval], half: tuple[float, Interval]) -> str:
    """What the halves of RG's stretches say, beside what is earned on average."""
    low, high = half[1]
    return (
        "followed" if low > 0 else "not followed" if high <= ROOM * average[0] else "not decided to be followed or not"
    )


def _rows(code: str, rates: Rates) -> list[Row]:
    rows = [
        Row(f"{code}, hands {first + 1}-{end}", *mean_interval(stretch(rates, first, end))) for first, end in STRETCHES
    ]
    more, ci95 = gain(rates)
    said = {
        "holds": "significantly more",
        "does not hold": "significantly less",
        "undecided": "no clear difference",
    }
    return [*rows, Row(f"{code}, last − first", more, ci95, note=said[decided(ci95)])]


def verdict(
    gains: Mapping[str, tuple[float, Interval]], average: tuple[float, Interval], half: tuple[float, Interval]
) -> str:
    """Against how many it learns, and whether it follows RG."""
    more = [code for code, (_, ci95) in gains.items() if ci95[0] > 0]
    less = [code for code, (_, ci95) in gains.items() if ci95[1] < 0]
    enough = "as wanted" if len(more) >= CLAIMED else f"fewer than the {CLAIMED} wanted"
    followed = tracking(average, half)
    same = average[1][0] > 0 and followed == "not followed"
    return (
        f"A4 earns significantly more per hand in hands 201-{HANDS} than in the first 50 against {len(more)} of "
        f"{len(gains)} ({listed(more)}), {enough}; significantly less against {listed(less)}. RG is "
        f"{'' if average[1][0] > 0 else 'not '}exploited on average ({average[0]:,.0f} mBB/hand), and its changes are "
        f"{followed} (second halves of its stretches {half[0]:+,.0f}, {half[1][0]:,.0f} … {half[1][1]:,.0f}): "
        f"the source's finding {'holds' if same else 'does not hold'} for this player."
    )


def _numbers(rates: Mapping[str, Rates]) -> list[dict[str, Any]]:
    """What is drawn: for every opponent the mean by cell, and what each stretch brought with its interval."""
    words = {opponent.code: opponent.name for opponent in PRESENT}
    return [
        {
            "title": words[code],
            "cells": found.mean(axis=0),
            "stretches": [
                (first, end, *as_figure(mean_interval(stretch(found, first, end)))) for first, end in STRETCHES
            ],
        }
        for code, found in rates.items()
    ]


def draw(numbers: Sequence[Mapping[str, Any]], path: Path) -> None:
    """One small curve for each opponent, each on a scale of its own, in big blinds."""
    with save_figure(path, (10, 1.2 + 2.1 * -(-len(numbers) // 5))) as figure:
        every = panels(figure, len(numbers), 5, sharex=True)
        for axes, drawn in zip(every, numbers, strict=True):
            if drawn["cells"]:
                middles = FINE * (np.arange(len(drawn["cells"])) + 0.5)
                axes.plot(
                    middles, np.array(drawn["cells"]) / 1000, color=SKY, linewidth=1, label=f"mean by {FINE} hands"
                )
            for first, end, mean, low, high in drawn["stretches"]:
                label = f"mean of hands {', '.join(f'{a + 1}–{b}' for a, b in STRETCHES)}"
                axes.plot([first, end], [mean / 1000, mean / 1000], color=BLUE, linewidth=2, label=label)
                axes.fill_between(
                    [first, end], low / 1000, high / 1000, color=BLUE, alpha=0.25, linewidth=0, label="± 95 %"
                )
            axes.axhline(0, color=INK, linewidth=0.8)
            axes.set_title(drawn["title"])
        for axes in every[-5:]:
            axes.set_xlabel("hand of the match")
        figure.supylabel("big blinds a hand")
        draw_title(figure, "What ASHE A4 earns as a match goes on (every panel has its own scale)")
        draw_key(figure, every[0])


STUDY = Study(
    "ashe-adaptation", "What ASHE earns as a match goes on", "the ASHE paper, section 4.2", measure, {_PICTURE: draw}
)
