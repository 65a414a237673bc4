"""Opponents that bluff: the belief network against every style that bluffs with probability 0 to 1 (Baker 2010, 5.4.1).

A bluffer bets where it would fold and goes on for the hand. Beside the share of tournaments stands the style that the
belief takes the bluffer for after 20 informative actions against the network, and what the exact best response wins: a
bluffer remembers that it bluffs, but what it did earlier in the hand tells, so it can be written as a policy. The
network is that of figure 5.21, evolved at four seats; the source does not say how many bluffers it met at a time. Ours
meets one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.tables import action_table
from nemesis.measure.charts import as_figure, draw_key, draw_title, draw_trace
from nemesis.measure.interval import Interval, mean_interval
from nemesis.measure.picture import CEILING_LINE, PUBLISHED_MARK, STYLE_COLOURS, STYLE_WORDS, save_figure
from nemesis.respond.by_name import compiled_agent
from nemesis.respond.champion import champion_agent
from nemesis.respond.styles import STYLES
from nemesis.rules.game import Game
from nemesis.rules.games import one_card
from nemesis.solve.ceiling import best_response
from nemesis.solve.policy import Choose, Spot, tabulate
from nemesis.studies.evolved import belief_networks, judged, networks_by_run, of_networks
from nemesis.studies.ordering import ordering, orderings_summary
from nemesis.studies.sample import EXACT, Sampled, over_runs, shares_over_runs
from nemesis.studies.study import Report, Row, Setting, Study
from nemesis.studies.style_verdicts import style_verdicts

WEAKEST = ("tp", 0.12, 0.72)
"""Where the source's network is weakest: the style, its bluffs, and the share of tournaments."""
NAMES = list(STYLES)
LA, TP = NAMES.index("la"), NAMES.index("tp")

_PICTURE = "bluffers.png"

Posteriors = NDArray[np.float64]
"""By sequence and style."""


def measure(setting: Setting) -> Report:
    """The network, or that of every run, against every bluffer."""
    game = one_card()
    paths, table = belief_networks(setting), action_table(game)
    points = setting.choose(2, 10, 100)
    levels = sorted({*(i / points for i in range(points + 1)), WEAKEST[1]})
    bluffers = [[compiled_agent(f"{style}+bluff={level:g}", game) for level in levels] for style in STYLES]
    setting.progress("tournaments")
    tables = [[one] for row in bluffers for one in row]
    shares = networks_by_run(paths, game, tables, setting, setting.choose(40, 4_000, 10_000))
    shares = shares.reshape(*shares.shape[:2], len(STYLES), len(levels))
    met = setting.choose(10, 200, 400)
    setting.progress("what they look like")
    networks = [champion_agent(path, game) for path in paths]
    seen = [
        [
            [
                style_verdicts(one, each, game, table, actions=20, tournaments=met, seed=setting.seed)
                for each in networks
            ]
            for one in row
        ]
        for row in bluffers
    ]
    setting.progress("ceilings")
    ceilings = np.array([[bluffer_ceiling(style, level, game) for level in levels] for style in STYLES])
    rows = []
    for s, style in enumerate(STYLES):
        for b, level in enumerate(levels):
            share, interval, sample = shares_over_runs(shares[:, :, s, b])
            published, place = (WEAKEST[2], "fig. 5.25") if (style, level) == WEAKEST[:2] else (None, "")
            looks = _looks(seen[s][b])
            verdict = ", ".join(f"{n.upper()} {p:.2f}" for n, p in zip(STYLES, looks, strict=True))
            judgement = f"{judged(interval, published, sample=sample)}; " if published else ""
            what, note = f"{style.upper()} bluffing {level:g}", f"{judgement}looks {verdict}"
            ceiling = float(ceilings[s, b])
            rows.append(Row(what, share, interval, published, ceiling, note, sample=sample, place=place))
    rows.append(_hardest(setting, game))
    claims = _claims(levels, shares, seen[TP])
    drawn = _numbers(levels, shares, ceilings, seen[TP])
    words = of_networks(setting, len(paths)) + _verdict(rows) + orderings_summary(claims)
    return Report(words, [*claims, *rows], {_PICTURE: drawn}, "share of tournaments")


def _looks(seen: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """The mean belief in each style, over sequences and then over networks."""
    mean: NDArray[np.float64] = np.mean([each.mean(axis=0) for each in seen], axis=0)
    return mean


def bluffer_ceiling(style: str, level: float, game: Game) -> float:
    """The share of tournaments that the exact best response wins from a bluffer."""
    return best_response(tabulate(_bluffs(*STYLES[style], level, game.ranks), game), game).value


def _hardest(setting: Setting, game: Game) -> Row:
    """How much TP should bluff to leave the best response least, which is where a perfect network would be weakest."""
    steps = setting.choose(5, 50, 100)
    left = {i / steps: bluffer_ceiling("tp", i / steps, game) for i in range(steps + 1)}
    level = min(left, key=lambda level: left[level])
    note = f"exact, in steps of {1 / steps:g}; it then wins {left[level]:.4f}, published {WEAKEST[2]:.2f}"
    return Row("the bluff of TP that leaves the best response least", level, None, WEAKEST[1], note=note, sample=EXACT)


def _bluffs(alpha: float, beta: float, level: float, ranks: int) -> Choose:
    """A bluffer as a policy: at its first decision with a hand to fold it draws, later its own first action tells."""

    def choose(card: int, spot: Spot) -> tuple[float, float, float]:
        win = card / (ranks - 1)
        if win >= alpha:
            return (0.0, 1.0, 0.0) if win < beta else (0.0, 0.0, 1.0)
        own = spot.history[spot.position :: 2]
        bluffing = level if not own else float(own[0] == "r")
        return 1.0 - bluffing, 0.0, bluffing

    return choose


def _claims(levels: Sequence[float], shares: NDArray[np.float64], seen_tp: Sequence[Sequence[Posteriors]]) -> list[Row]:
    """What section 5.4.1 says of figures 5.25 and 5.26; shares are by run, batch, style and level."""
    _, level, _ = WEAKEST
    at = levels.index(level)
    here = shares[:, :, TP, at]
    others = np.delete(shares.reshape(*shares.shape[:2], -1), TP * len(levels) + at, axis=2)
    claims = [
        ordering("a few bluffs make TP stronger: the network wins more from TP that does not bluff than at .12",
                 "> .72", over_runs(shares[:, :, TP, 0] - here), place="fig. 5.25"),
        ordering("nobody is harder for the network than TP bluffing .12", "weakest at .12",
                 over_runs(others[:, :, others.mean(axis=(0, 1)).argmin()] - here), place="fig. 5.25"),
        ordering("TP that always bluffs is easier than TP bluffing .12", "share rises again",
                 over_runs(shares[:, :, TP, -1] - here), place="fig. 5.25"),
    ]  # fmt: skip
    for s, name in enumerate(NAMES):
        if s != TP:
            gap = over_runs(shares[:, :, s, 1:].mean(axis=2) - shares[:, :, s, 0])
            claim = f"bluffing does not improve {name.upper()}: the network wins no less, on average over all bluffs"
            claims.append(ordering(claim, "no less", gap, place="fig. 5.25"))
    always, never = seen_tp[-1], seen_tp[0]
    if len(always) > 1:
        more: tuple[float, Interval] | Sampled = over_runs(
            [[one[:, LA].mean() - other[:, LA].mean()] for one, other in zip(always, never, strict=True)]
        )
    else:
        more = _apart(always[0][:, LA], never[0][:, LA])
    place = "fig. 5.26"
    claims.append(
        ordering("TP that always bluffs is taken for LA more than TP that never does", "towards LA", more, place=place)
    )
    rest = np.delete(_looks(always), LA).argmax()
    most = over_runs([each[:, LA] - np.delete(each, LA, axis=1)[:, rest] for each in always])
    claims.append(ordering("TP that always bluffs is taken for LA before all", "LA", most, place=place))
    return claims


def _apart(one: NDArray[np.float64], other: NDArray[np.float64]) -> tuple[float, Interval]:
    """The difference of two independent means."""
    (first, (low, _)), (second, (low_2, _)) = mean_interval(one), mean_interval(other)
    margin = float(np.hypot(first - low, second - low_2))
    return first - second, (first - second - margin, first - second + margin)


def _verdict(rows: Sequence[Row]) -> str:
    *rows, hardest = rows
    weakest = min(rows, key=lambda row: row.ours)
    style, level, published = WEAKEST
    there = next(row for row in rows if row.published is not None)
    agrees = "as published" if weakest is there else "not where the source is weakest"
    return (
        f"It is weakest against {weakest.what} ({weakest.ours:.2f}; at most {weakest.ceiling:.2f}), {agrees}; against "
        f"{style.upper()} bluffing {level:g} it wins {there.ours:.2f} of at most {there.ceiling:.2f} (published "
        f"{published:.2f}: {there.note.partition(';')[0]}). For the best response, which knows the bluffs, TP is hardest "
        f"when it bluffs {hardest.ours:g} ({hardest.note.rpartition('; ')[2]})."
    )


def _numbers(
    levels: Sequence[float],
    shares: NDArray[np.float64],
    ceilings: NDArray[np.float64],
    seen_tp: Sequence[Sequence[Posteriors]],
) -> dict[str, Any]:
    """What is drawn: by style what the network wins and what could be won, and what a bluffing TP looks like."""
    styles = {
        name: {
            "figures": [as_figure(shares_over_runs(shares[:, :, s, b])[:2]) for b in range(len(levels))],
            "most": ceilings[s],
        }
        for s, name in enumerate(NAMES)
    }
    verdicts = np.array([_looks(each) for each in seen_tp]).T
    return {
        "levels": levels,
        "styles": styles,
        "looks": dict(zip(NAMES, verdicts, strict=True)),
        "published": WEAKEST[1:],
    }


def draw(numbers: Mapping[str, Any], path: Path) -> None:
    """Left what the network wins from bluffers, right whom it takes a bluffing TP for."""
    levels = numbers["levels"]
    with save_figure(path, (10, 4.4)) as figure:
        left, right = figure.subplots(1, 2, width_ratios=(1.25, 1))
        for name, drawn in numbers["styles"].items():
            draw_trace(left, levels, drawn["figures"], STYLE_COLOURS[name], STYLE_WORDS[name])
            left.plot(levels, drawn["most"], **{**CEILING_LINE, "color": STYLE_COLOURS[name]})
        left.plot([], [], **CEILING_LINE, label="exact best response")
        left.plot(*[[each] for each in numbers["published"]], **PUBLISHED_MARK, label="published, TP")
        left.set(
            xlabel="probability of a bluff", ylabel="share of tournaments won, ± 95 %", ylim=(0, 1.02), xlim=(0, 1)
        )
        left.set_title("what the network wins from bluffers")
        colours = [STYLE_COLOURS[name] for name in numbers["looks"]]
        right.stackplot(levels, list(numbers["looks"].values()), colors=colours, edgecolor="white", linewidth=0.5)
        right.set(xlabel="probability of a bluff", ylabel="mean belief after 20 actions", ylim=(0, 1), xlim=(0, 1))
        right.set_title("whom it takes a bluffing TP for")
        draw_title(figure, "The belief network against styles that bluff")
        draw_key(figure, left, columns=3)


STUDY = Study(
    "bluffers",
    "The belief network against styles that bluff",
    "Baker 2010, section 5.4.1, figures 5.25, 5.26; Baker et al. 2008, figure 14",
    measure,
    {_PICTURE: draw},
    "minutes, and five runs of the network of `four-seats`",
)
