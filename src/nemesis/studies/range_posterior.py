"""How good are posteriors over the 1 326 holdings? Judged where every card is known, as in the hands of Pluribus (ours).

The store's hands in which all cards are known are predicted walk-forward by the shipped action model, which was trained on
none of them, and every player's posterior is walked through his decisions of a hand. Its log-loss on the cards he held
stands beside that of a uniform range and of a posterior that knows only a belief over the four styles (`style_range`). A
posterior is calibrated if the cards held lie in each tenth of its weight equally often. Intervals are over hands.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.action_model import Timeline, forecast, hand_digests, read_model, timeline
from nemesis.believe.action_table import DEFAULT_FLOOR
from nemesis.believe.range_posterior import SLOPES
from nemesis.believe.style_range import STYLES
from nemesis.believe.tables import action_table
from nemesis.measure.charts import draw_groups, draw_key, draw_title
from nemesis.measure.interval import mean_interval
from nemesis.measure.picture import BLUE, GREY, INK, PURPLE, save_figure
from nemesis.measure.range_quality import RangeScores, score_ranges
from nemesis.observe.history import joined
from nemesis.observe.stored_hands import stored_history
from nemesis.rules.games import limit
from nemesis.studies.ordering import ordering
from nemesis.studies.sample import Sampled, sampled_row
from nemesis.studies.stored_players import people, told_of
from nemesis.studies.study import Report, Row, Setting, Study

HANDS = "hands"
"""What the intervals are over."""
PARTS = ("all", "folded before the flop", "last decision before the flop, no fold", "flop", "turn", "river")
COLOURS = {"uniform": GREY, "styles only": PURPLE, "posterior": BLUE}
_PICTURE = "range-posterior.png"


def measure(setting: Setting) -> Report:
    """Hands evenly taken from all whose cards are known."""
    most, enough = setting.choose(6, 300, 2000), setting.choose(10, 200, 2000)
    with people(setting) as store:
        setting.progress("reading")
        line = timeline(joined(list(stored_history(store))))
        data = told_of(store)
    model = read_model()
    hands = line.history.hands
    dealt = np.arange(hands["player"].shape[1]) < hands["seats"][:, None]
    known = ((hands["hole"][:, ::2] >= 0) | ~dealt).all(axis=1) & ~np.isin(hand_digests(line.history), model.hands)
    rows = np.flatnonzero(known)
    if len(rows) < enough:
        raise ValueError(
            f"the store has {len(rows)} hands in which every card is known; this study needs {enough} "
            "(the Pluribus hands of the PHH dataset have 10,000)"
        )
    chosen = rows[np.linspace(0, len(rows) - 1, most).astype(np.int64)] if len(rows) > most else rows
    setting.progress("predicting actions")
    likely = forecast(model, line).likely
    scores = score_ranges(
        line, likely, SLOPES, chosen, lambda count: setting.progress(f"hand {count} of {len(chosen)}"), _beliefs(line)
    )
    found = _rows(scores)
    tenths = np.histogram(scores.level, np.linspace(0, 1, 11))[0] / len(scores.level)
    numbers = {"parts": _by_part(scores), "tenths": tenths, "strength": _strength(scores)}
    about = {**data, "hands_scored": len(chosen), "holdings": len(scores.hand)}
    return Report(_verdict(found, tenths), found, {_PICTURE: numbers}, "nats", about)


def _beliefs(line: Timeline) -> NDArray[np.float64]:
    """By decision, what is believed of the player's style before it: uniform at first, then Bayes by action and street."""
    table = action_table(limit().seated(4))
    places = [table.styles.index(style) for style in STYLES]
    frequencies = np.log(table.floored(DEFAULT_FLOOR, "street")[places])
    actions = line.history.actions
    street, done = actions["street"].astype(np.int64), line.done.astype(np.int64)
    informative = (actions["to_call"] > 0) | (done != 1)
    logs = np.where(informative[:, None], frequencies[:, street, done].T, 0.0)
    _, who = np.unique(line.player, return_inverse=True)
    order = np.argsort(who, kind="stable")
    sums = np.cumsum(logs[order], axis=0) - logs[order]
    first = np.searchsorted(who[order], np.arange(who.max() + 1))
    sums -= sums[first][who[order]]
    weights = np.exp(sums - sums.max(axis=1, keepdims=True))
    believed: NDArray[np.float64] = np.empty_like(weights)
    believed[order] = weights / weights.sum(axis=1, keepdims=True)
    return believed


def _parts(scores: RangeScores) -> dict[str, NDArray[np.bool_]]:
    before = scores.street == 0
    masks = (
        np.ones(len(scores.hand), bool), before & scores.folded, before & ~scores.folded,
        *(scores.street == street for street in (1, 2, 3)),
    )  # fmt: skip
    return {name: mask for name, mask in zip(PARTS, masks, strict=True) if mask.any()}


def _over_hands(scores: RangeScores, values: NDArray[np.float64], chosen: NDArray[np.bool_]) -> Sampled:
    _, which = np.unique(scores.hand[chosen], return_inverse=True)
    return Sampled(*mean_interval(np.bincount(which, values[chosen]) / np.bincount(which)), HANDS)


def _rows(scores: RangeScores) -> list[Row]:
    every = np.ones(len(scores.hand), bool)
    rows = [
        ordering(
            "less log-loss than a uniform range", "", _over_hands(scores, scores.uniform_loss - scores.loss, every)
        ),
        ordering("less log-loss than styles only", "", _over_hands(scores, scores.style_loss - scores.loss, every)),
    ]
    for name, chosen in _parts(scores).items():
        for kind, values in (
            ("uniform", scores.uniform_loss),
            ("styles only", scores.style_loss),
            ("posterior", scores.loss),
        ):
            note = f"{int(chosen.sum())} holdings"
            rows.append(sampled_row(f"log-loss, {name}: {kind}", _over_hands(scores, values, chosen), note=note))
    error = np.abs(scores.expected - scores.strength)
    spread = ((scores.strength - scores.strength.mean()) ** 2).sum()
    share = 1 - float(((scores.expected - scores.strength) ** 2).sum() / spread)
    rows.append(
        sampled_row(
            "mean error of the expected win probability", _over_hands(scores, error, every), note=f"R² {share:.3f}"
        )
    )
    return rows


def _by_part(scores: RangeScores) -> dict[str, Any]:
    parts = {}
    for name, chosen in _parts(scores).items():
        parts[name] = {
            kind: [found.mean, *found.ci95]
            for kind, values in (
                ("uniform", scores.uniform_loss),
                ("styles only", scores.style_loss),
                ("posterior", scores.loss),
            )
            for found in [_over_hands(scores, values, chosen)]
        }
    return parts


def _strength(scores: RangeScores) -> list[list[float]]:
    """By tenth of the expected win probability, its mean and that of the cards held."""
    order = np.array_split(np.argsort(scores.expected), min(10, len(scores.hand)))
    return [[float(scores.expected[at].mean()), float(scores.strength[at].mean())] for at in order]


def _verdict(rows: list[Row], tenths: NDArray[np.float64]) -> str:
    told = {row.what: row.ours for row in rows}
    loss = {kind: told[f"log-loss, all: {kind}"] for kind in COLOURS}
    return (
        f"The posterior gives the cards held log-loss {loss['posterior']:.3f} per holding; a uniform range has "
        f"{loss['uniform']:.3f} and a posterior that knows styles only {loss['styles only']:.3f}. The cards held lie in "
        f"every tenth of its weight in {100 * tenths.min():.1f} to {100 * tenths.max():.1f} % of the cases; 10 % is perfect."
    )


def draw(numbers: Mapping[str, Any], path: Path) -> None:
    """Log-loss by where the last decision was; calibration of the weights; expected against true strength."""
    with save_figure(path, (12, 4.6)) as figure:
        left, middle, right = figure.subplots(1, 3, width_ratios=(1.7, 1, 1))
        parts = numbers["parts"]
        series = {kind: [part[kind] for part in parts.values()] for kind in COLOURS}
        labels = [
            name.replace(" before the flop", "\npreflop").replace("last decision\npreflop, no fold", "played\npreflop")
            for name in parts
        ]
        draw_groups(left, labels, series, COLOURS)
        left.set(ylabel="log-loss per holding, nats, ± 95 % over hands", title="where the player's last decision was")
        places = np.arange(10) / 10 + 0.05
        middle.bar(places, [100 * share for share in numbers["tenths"]], width=0.085, color=BLUE)
        middle.axhline(10, color=INK, linewidth=1, linestyle=":")
        middle.set(xlabel="weight of likelier holdings", ylabel="per cent of cards held", title="calibration")
        right.plot([0, 1], [0, 1], color=GREY, linewidth=1)
        right.plot(*np.array(numbers["strength"]).T, "o-", color=BLUE)
        right.set(
            xlabel="expected win probability",
            ylabel="of the cards held",
            title="strength",
            xlim=(0.2, 1),
            ylim=(0.2, 1),
        )
        draw_title(figure, "Which cards: posteriors over holdings")
        draw_key(figure, left)


STUDY = Study(
    "range-posterior",
    "Posteriors over holdings where every card is known",
    "ours",
    measure,
    {_PICTURE: draw},
)
