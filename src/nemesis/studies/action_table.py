"""How often each style folds, calls and bets, beside table 4.3 of Baker 2010.

Actions of one hand belong together, so the interval is taken over independent batches of matches and not over actions.
We count heads-up and at tables of four, since the source does not say which it did.

Neither comes near its table. `studies.free_folds` works out exactly what other readings of its rules would give: the
nearest is a table of four whose players throw away every hand below α, free or not, and take all three opponents into
account whether they have folded or not.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.action_frequency import PUBLISHED, measure_action_table
from nemesis.measure.charts import draw_key, draw_title, panels
from nemesis.measure.interval import mean_interval
from nemesis.measure.picture import ACTION_COLOURS, INK, STYLE_WORDS, save_figure
from nemesis.respond.styles import STYLES
from nemesis.rules.games import one_card
from nemesis.runtime.streams import Stream, derived_seed
from nemesis.studies.free_folds import Reading, action_shares, distance
from nemesis.studies.one_card_tables import STYLE_PLAYERS
from nemesis.studies.ordering import ordering, orderings_summary
from nemesis.studies.study import Report, Row, Setting, Study
from nemesis.studies.verdict import listed, standing

BATCHES = 20
_PICTURE = "action-table.png"
SEATS = {2: "heads-up", 4: "at tables of four"}
ACTIONS = ("folds", "calls", "bets")
FOLD, CALL, BET = range(3)
LA, LP, TA, TP = range(4)

READINGS = {
    "our rules, heads-up": Reading(2),
    "our rules, four seats": Reading(4),
    "four seats, folded opponents still counted": Reading(4, all_opponents=True),
    "heads-up, free hands thrown away": Reading(2, free_folds=True),
    "four seats, free hands thrown away": Reading(4, free_folds=True),
    "four seats, free hands thrown away, folded opponents counted": Reading(4, free_folds=True, all_opponents=True),
    "the same, bets beyond the cap counted as bets": Reading(4, free_folds=True, all_opponents=True, wishes=True),
}
"""Ways to read the rules, each worked out exactly with full stacks in every hand."""

Shares = NDArray[np.float64]
"""By style and action."""


def measure(setting: Setting) -> Report:
    """Count, and compare every share and the order of the styles with the source's."""
    theirs = PUBLISHED["one-card"].probabilities[:, 0]
    hands = setting.choose(1_000, 100_000, 1_000_000)
    rows, means, claims = [], {}, []
    for seats, form in SEATS.items():
        setting.progress(form)
        seeds = [derived_seed(setting.seed, Stream.ACTION_TABLE, number) for number in range(BATCHES)]
        batches = np.array([_batch(seed, hands, seats) for seed in seeds])
        means[form] = batches.mean(axis=0)
        claims += _claims(form, batches)
        for style, action in np.ndindex(theirs.shape):
            ours, ci95 = mean_interval(batches[:, style, action])
            what = f"{list(STYLES)[style].upper()} {ACTIONS[action]}, {form}"
            rows.append(Row(what, ours, ci95, float(theirs[style, action])))
    verdict = " ".join(_sentence(form, means[form], theirs, rows) for form in means)
    read = {what: action_shares(reading) for what, reading in READINGS.items()}
    far = {what: distance(shares, theirs) for what, shares in read.items()}
    rows += [Row(f"distance from table 4.3: {what}", gap, None, 0.0, note=f"exact; {_triples(read[what])}")
             for what, gap in far.items()]  # fmt: skip
    nearest = min(far, key=lambda what: far[what])
    drawn = {"published": theirs, **means, "free hands thrown away": read[nearest]}
    words = f"{verdict} {_why(means, theirs)} {_nearest(far, nearest)}{orderings_summary(claims)}"
    data = {"hands": hands, "batches": BATCHES, "readings": {what: shares.tolist() for what, shares in read.items()}}
    return Report(words, [*claims, *rows], {_PICTURE: drawn}, "share of actions", data)


def _claims(form: str, batches: Shares) -> list[Row]:
    """What section 4.2.4 reads from its table, as differences by batch."""
    fold, call, bet = (batches[:, :, action] for action in range(3))
    differences = {
        "LP folds more than LA": (fold[:, LP] - fold[:, LA], ".60 > .36"),
        "TA folds more than LP": (fold[:, TA] - fold[:, LP], ".73 > .60"),
        "TP folds more than TA": (fold[:, TP] - fold[:, TA], ".87 > .73"),
        "LP calls most": (call[:, LP] - np.delete(call, LP, axis=1).max(axis=1), ".29 > .07"),
        "LA bets most": (bet[:, LA] - np.delete(bet, LA, axis=1).max(axis=1), ".59 > .25"),
        "TP bets least": (np.delete(bet, TP, axis=1).min(axis=1) - bet[:, TP], ".06 < .11"),
    }
    return [ordering(f"{claim}, {form}", said, mean_interval(gap)) for claim, (gap, said) in differences.items()]


def _triples(shares: Shares) -> str:
    return ", ".join(
        f"{name.upper()} {'/'.join(f'{share:.2f}' for share in row)}" for name, row in zip(STYLES, shares, strict=True)
    )


def _nearest(far: dict[str, float], nearest: str) -> str:
    return (
        f"Worked out exactly, the reading that comes nearest is {_whole(nearest)}: on average {far[nearest]:.3f} from each "
        f"published share, where our rules are {far['our rules, heads-up']:.3f} off heads-up and "
        f"{far['our rules, four seats']:.3f} at four seats. So the source's players most likely folded below α even "
        "when checking was free, against its own description."
    )


def _whole(reading: str) -> str:
    """A reading's name that says all it means."""
    before = list(READINGS)[list(READINGS).index(reading) - 1]
    return reading.replace("the same", before)


def _batch(seed: int, hands: int, seats: int) -> Shares:
    players = list(STYLE_PLAYERS.values())
    return measure_action_table(players, one_card(), -(-hands // BATCHES), seed, seats).pooled().probabilities[:, 0]


def habits(shares: Shares) -> dict[str, bool]:
    """What section 4.2.4 reads from its table, and whether it can be read from this one."""
    fold, call, bet = shares[:, FOLD], shares[:, CALL], shares[:, BET]
    return {
        "folding grows from LA over LP and TA to TP": bool((np.diff(fold) > 0).all()),
        "LP calls most": bool(call.argmax() == list(STYLES).index("lp")),
        "LA bets most": bool(bet.argmax() == list(STYLES).index("la")),
        "TP bets least": bool(bet.argmin() == list(STYLES).index("tp")),
    }


def _sentence(form: str, ours: Shares, theirs: Shares, rows: list[Row]) -> str:
    here = [row for row in rows if row.what.endswith(form)]
    inside = [
        row
        for row, share in zip(here, theirs.flat, strict=True)
        if row.ci95 and standing(row.ci95, share) == "as published"
    ]
    held = habits(ours)
    kept, lost = [what for what in held if held[what]], [what for what in held if not held[what]]
    numbers = "met" if len(inside) == theirs.size else "not met"
    return (
        f"{form.capitalize()}, the published shares are {numbers}: {len(inside)} of {theirs.size} lie in our intervals; "
        f"of what the source reads from them this holds: {listed(kept)}" + (f"; not: {listed(lost)}." if lost else ".")
    )


def _why(means: dict[str, Shares], theirs: Shares) -> str:
    gaps = {form: theirs[:, FOLD] - ours[:, FOLD] for form, ours in means.items()}
    if not all((gap > 0).all() for gap in gaps.values()):
        return ""
    sizes = listed(f"{100 * gap.mean():.0f} points more {form}" for form, gap in gaps.items())
    return f"In the source every style folds more than here (on average {sizes}); how it counted is not stated."


def draw(numbers: Mapping[str, Any], path: Path) -> None:
    """Bars of fold, call and bet for every style: published, measured in both forms, and the nearest reading."""
    shares = {form: np.array(found) for form, found in numbers.items()}
    with save_figure(path, (10, 5)) as figure:
        every = panels(figure, len(STYLES), 2, sharex=True, sharey=True)
        places = np.arange(len(shares))
        for style, (axes, name) in enumerate(zip(every, STYLES, strict=True)):
            left = np.zeros(len(shares))
            for action, colour in enumerate(ACTION_COLOURS.values()):
                width = np.array([found[style, action] for found in shares.values()])
                axes.barh(places, width, 0.78, left, color=colour, label=ACTIONS[action])
                for place, start, share in zip(places, left, width, strict=True):
                    if share >= 0.055:
                        axes.text(
                            start + share / 2, place, f"{share:.2f}", ha="center", va="center", color=INK, fontsize=8
                        )
                left = left + width
            axes.set_yticks(places, list(shares))
            axes.grid(False)
            axes.tick_params(axis="y", length=0)
            axes.set(title=STYLE_WORDS[name], xlim=(0, 1))
        every[0].invert_yaxis()
        for axes in every[-2:]:
            axes.set_xlabel("share of informative actions")
        draw_title(figure, "What each style does: the published table 4.3, ours, and the reading that is nearest to it")
        draw_key(figure, every[0])


STUDY = Study(
    "action-table", "What each style does: folds, calls and bets", "Baker 2010, table 4.3", measure, {_PICTURE: draw}
)
