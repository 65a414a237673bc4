"""Opponents that bluff: the belief network against every style that bluffs with probability 0 to 1 (Baker 2010, 5.4.1).

A bluffer bets where it would fold and goes on for the hand. Beside the share of tournaments stands the style that the
belief takes the bluffer for after 20 informative actions against the network, and what the exact best response wins: a
bluffer remembers that it bluffs, but what it did earlier in the hand tells, so it can be written as a policy. The source's
network was evolved at four seats; it does not say how many bluffers it met at a time. Ours meets one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.tables import action_table
from nemesis.measure.charts import as_figure, draw_key, draw_title, draw_trace
from nemesis.measure.interval import mean_interval
from nemesis.measure.picture import CEILING_LINE, PUBLISHED_MARK, STYLE_COLOURS, STYLE_WORDS, save_figure
from nemesis.respond.by_name import compiled_agent
from nemesis.respond.styles import STYLES
from nemesis.rules.game import Game
from nemesis.solve.ceiling import best_response
from nemesis.solve.policy import Choose, Spot, tabulate
from nemesis.studies.evolved import belief_champion, fresh_shares, game_of, judged, of_champion, share_of
from nemesis.studies.ordering import ordering, orderings_summary
from nemesis.studies.study import Report, Row, Setting, Study
from nemesis.studies.style_verdicts import style_verdicts
from nemesis.train.recipes import RECIPES

WEAKEST = ("tp", 0.12, 0.72)
"""Where the source's network is weakest: the style, its bluffs, and the share of tournaments."""
NAMES = list(STYLES)
LA, TP = NAMES.index("la"), NAMES.index("tp")

_PICTURE = "bluffers.png"


def measure(setting: Setting) -> Report:
    """The network against every bluffer."""
    game = game_of(RECIPES["neat-belief"])
    network, table = belief_champion(setting), action_table(game)
    points = setting.choose(2, 10, 100)
    levels = sorted({*(i / points for i in range(points + 1)), WEAKEST[1]})
    bluffers = [[compiled_agent(f"{style}+bluff={level:g}", game) for level in levels] for style in STYLES]
    tournaments = setting.choose(40, 4_000, 20_000)
    setting.progress("tournaments")
    batches = fresh_shares(game, [network], [[one] for row in bluffers for one in row], setting, tournaments)[:, 0]
    batches = batches.reshape(len(batches), len(STYLES), len(levels))
    met = setting.choose(10, 200, 1_000)
    setting.progress("what they look like")
    seen = [
        [style_verdicts(one, network, game, table, actions=20, tournaments=met, seed=setting.seed) for one in row]
        for row in bluffers
    ]
    setting.progress("ceilings")
    ceilings = np.array([[bluffer_ceiling(style, level, game) for level in levels] for style in STYLES])
    rows = []
    for s, style in enumerate(STYLES):
        for b, level in enumerate(levels):
            share, interval = share_of(batches[:, s, b], tournaments)
            published = WEAKEST[2] if (style, level) == WEAKEST[:2] else None
            verdict = ", ".join(f"{n.upper()} {p:.2f}" for n, p in zip(STYLES, seen[s][b].mean(axis=0), strict=True))
            judgement = f"{judged(interval, published)}; " if published else ""
            what, note = f"{style.upper()} bluffing {level:g}", f"{judgement}looks {verdict}"
            rows.append(Row(what, share, interval, published, float(ceilings[s, b]), note))
    rows.append(_hardest(setting, game))
    claims = _claims(levels, batches, seen[TP])
    drawn = _numbers(levels, batches, ceilings, seen[TP])
    words = of_champion(setting) + _verdict(rows) + orderings_summary(claims)
    return Report(words, [*claims, *rows], {_PICTURE: drawn}, "share of tournaments")


def bluffer_ceiling(style: str, level: float, game: Game) -> float:
    """The share of tournaments that the exact best response wins from a bluffer."""
    return best_response(tabulate(_bluffs(*STYLES[style], level, game.ranks), game), game).value


def _hardest(setting: Setting, game: Game) -> Row:
    """How much TP should bluff to leave the best response least, which is where a perfect network would be weakest."""
    steps = setting.choose(5, 50, 100)
    left = {i / steps: bluffer_ceiling("tp", i / steps, game) for i in range(steps + 1)}
    level = min(left, key=lambda level: left[level])
    note = f"exact, in steps of {1 / steps:g}; it then wins {left[level]:.4f}, published {WEAKEST[2]:.2f}"
    return Row("the bluff of TP that leaves the best response least", level, None, WEAKEST[1], note=note)


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


def _claims(levels: Sequence[float], batches: NDArray[np.float64], seen_tp: Sequence[NDArray[np.float64]]) -> list[Row]:
    """What section 5.4.1 says of figures 5.25 and 5.26."""
    _, level, _ = WEAKEST
    at = levels.index(level)
    here = batches[:, TP, at]
    others = np.delete(batches.reshape(len(batches), -1), TP * len(levels) + at, axis=1)
    claims = [
        ordering("a few bluffs make TP stronger: the network wins more from TP that does not bluff than at .12",
                 "> .72", mean_interval(batches[:, TP, 0] - here)),
        ordering("nobody is harder for the network than TP bluffing .12", "weakest at .12",
                 mean_interval(others[:, others.mean(axis=0).argmin()] - here)),
        ordering("TP that always bluffs is easier than TP bluffing .12", "share rises again",
                 mean_interval(batches[:, TP, -1] - here)),
    ]  # fmt: skip
    for s, name in enumerate(NAMES):
        if s != TP:
            gap = mean_interval(batches[:, s, 1:].mean(axis=1) - batches[:, s, 0])
            claim = f"bluffing does not improve {name.upper()}: the network wins no less, on average over all bluffs"
            claims.append(ordering(claim, "no less", gap))
    more = _apart(seen_tp[-1][:, LA], seen_tp[0][:, LA])
    claims.append(ordering("TP that always bluffs is taken for LA more than TP that never does", "towards LA", more))
    rest = np.delete(seen_tp[-1], LA, axis=1)
    most = mean_interval(seen_tp[-1][:, LA] - rest[:, rest.mean(axis=0).argmax()])
    claims.append(ordering("TP that always bluffs is taken for LA before all", "LA", most))
    return claims


def _apart(one: NDArray[np.float64], other: NDArray[np.float64]) -> tuple[float, tuple[float, float]]:
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
    batches: NDArray[np.float64],
    ceilings: NDArray[np.float64],
    seen_tp: Sequence[NDArray[np.float64]],
) -> dict[str, Any]:
    """What is drawn: by style what the network wins and what could be won, and what a bluffing TP looks like."""
    styles = {
        name: {"figures": [as_figure(mean_interval(batches[:, s, b])) for b in range(len(levels))], "most": ceilings[s]}
        for s, name in enumerate(NAMES)
    }
    verdicts = np.array([each.mean(axis=0) for each in seen_tp]).T
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
)
