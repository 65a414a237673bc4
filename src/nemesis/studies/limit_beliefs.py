"""The belief at limit hold'em: what styles do, over all streets and on each, and how fast it finds and follows them.

Tables 7.1 and 7.2 of Baker 2010 stand beside ours. The source's count has every action; ours leaves out free checks, as
all our tables do. Figures 7.8 and 7.15 to 7.19 show one sequence each; ours are means over many, from the last 8
actions and from all of them, by one table and by one for each street. Figure 7.9 is a change from TP to LA.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from nemesis.believe.action_table import Variant
from nemesis.believe.tables import action_table
from nemesis.measure.action_frequency import PUBLISHED, measure_action_table
from nemesis.measure.belief_quality import gather_actions, measure_switch, posteriors_along
from nemesis.measure.charts import as_figure, draw_key, draw_title, draw_trace, panels
from nemesis.measure.interval import mean_interval
from nemesis.measure.picture import GREEN, GREY, PURPLE, STYLE_WORDS, save_figure
from nemesis.respond.holdem_network import WINDOW
from nemesis.respond.styles import STYLES
from nemesis.rules.games import limit
from nemesis.runtime.streams import Stream, derived_seed
from nemesis.studies.one_card_tables import STYLE_PLAYERS
from nemesis.studies.ordering import ordering, orderings_summary
from nemesis.studies.study import Report, Row, Setting, Study

ACTIONS = ("folds", "calls", "bets")
STREETS = ("before the flop", "on the flop", "on the turn", "on the river")
BY_STREET: Mapping[str, tuple[tuple[float, float, float] | None, ...]] = {
    "la": (None, None, None, (0.15, 0.25, 0.60)),
    "lp": ((0.025, 0.95, 0.025), (0.05, 0.90, 0.05), (0.05, 0.85, 0.10), (0.15, 0.80, 0.05)),
    "ta": ((0.42, 0.53, 0.05), (0.11, 0.60, 0.29), (0.11, 0.56, 0.33), (0.05, 0.52, 0.43)),
    "tp": ((0.53, 0.42, 0.05), (0.13, 0.82, 0.05), (0.10, 0.80, 0.10), (0.05, 0.80, 0.15)),
}
"""Table 7.2; LA's first rows are lost in our copy."""
FORMS: Mapping[str, tuple[Variant, int]] = {
    f"one table, last {WINDOW} actions": ("plain", WINDOW),
    f"a table a street, last {WINDOW} actions": ("street", WINDOW),
    "a table a street, all actions": ("street", 0),
}
FORM_COLOURS = dict(zip(FORMS, (GREEN, PURPLE, GREY), strict=True))
LENGTH = 40

_PICTURE, _SWITCH = "limit-beliefs.png", "limit-belief-switch.png"


def measure(setting: Setting) -> Report:
    """Count what the styles do, then follow them."""
    game, players = limit(), list(STYLE_PLAYERS.values())
    sequences = setting.choose(20, 1_000, 10_000)
    setting.progress("action tables")
    counted = measure_action_table(players, game, setting.choose(2_000, 100_000, 1_000_000), setting.seed)
    rows = _table_rows(counted.pooled().probabilities[:, 0], counted.probabilities)
    setting.progress("beliefs")
    table = action_table(game)
    acted = dict(zip(STYLES, gather_actions(players, game, 2 * LENGTH, sequences, setting.seed), strict=True))
    truth = {
        form: np.stack(
            [posteriors_along(table, acted[s][:, :LENGTH], window, variant)[:, :, i] for i, s in enumerate(STYLES)]
        )
        for form, (variant, window) in FORMS.items()
    }
    for form, found in truth.items():
        for style, name in enumerate(STYLES):
            what = f"{name.upper()} after {LENGTH} actions, {form}"
            rows.append(Row(what, *mean_interval(found[style, :, -1]), note="mean posterior of the truth"))
    one, street, whole = truth.values()
    gain = (street - one)[:, :, WINDOW:].mean(axis=(0, 2))
    seed = derived_seed(setting.seed, Stream.STYLE_CHANGES)
    changed = dict(zip(STYLES, gather_actions(players, game, 2 * LENGTH, sequences, seed), strict=True))
    switch = measure_switch(
        changed["tp"][:, :LENGTH], changed["la"][:, LENGTH:], table, "tp", "la", (0, WINDOW), "street"
    )
    after = {window: switch.noticed_after(window) for window in (0, WINDOW)}
    claims = [
        ordering("a table for each street tells the styles apart better than one table", "less likely to adjust incorrectly",
                 mean_interval(gain)),
        ordering("on average LP is believed in more with a table for each street", "LP is believed to be TP (7.15)",
                 mean_interval((street - one)[1, :, WINDOW:].mean(axis=1))),
        ordering("six actions after a change the window believes in the new style more than the whole history",
                 "faster recognition", _gap(switch, 6)),
    ]  # fmt: skip
    lag = f"all actions {_number(after[0])}, the last {WINDOW} {_number(after[WINDOW])}"
    words = (
        f"After {LENGTH} actions the round-based belief in the truth is "
        f"{', '.join(f'{n.upper()} {street[i, :, -1].mean():.2f}' for i, n in enumerate(STYLES))}, by one table "
        f"{', '.join(f'{n.upper()} {one[i, :, -1].mean():.2f}' for i, n in enumerate(STYLES))}, from all actions "
        f"{whole[:, :, -1].mean():.2f} on average. Actions from TP's change to LA until LA is believed in most: {lag}."
    )
    drawn = {
        form: {name: [as_figure(mean_interval(found[i, :, step])) for step in range(LENGTH + 1)]
               for i, name in enumerate(STYLES)} for form, found in truth.items()
    }  # fmt: skip
    pictures = {_PICTURE: drawn, _SWITCH: _switch_numbers(switch)}
    return Report(words + orderings_summary(claims), [*claims, *rows], pictures, "share")


def _gap(switch: Any, step: int) -> tuple[float, tuple[float, float]]:
    """How much more the window believes in the new style than the whole history, with a careful interval."""
    long, short = (switch.windows.index(window) for window in (0, WINDOW))
    gap = float(switch.new[short, step] - switch.new[long, step])
    margin = float(np.hypot(*(switch.high[row, step] - switch.new[row, step] for row in (long, short))))
    return gap, (gap - margin, gap + margin)


def _number(after: int | None) -> str:
    return f"more than {LENGTH}" if after is None else str(after)


def _table_rows(pooled: Any, by_street: Any) -> list[Row]:
    """Our shares beside tables 7.1 and 7.2."""
    theirs = PUBLISHED["limit"].probabilities[:, 0]
    rows = []
    for i, style in enumerate(STYLES):
        for a, does in enumerate(ACTIONS):
            rows.append(
                Row(f"{style.upper()} {does}", float(pooled[i, a]), None, float(theirs[i, a]), note="table 7.1")
            )
    for i, style in enumerate(STYLES):
        for street, printed in enumerate(BY_STREET[style]):
            for a, does in enumerate(ACTIONS):
                published = "" if printed is None else printed[a]
                what = f"{style.upper()} {does} {STREETS[street]}"
                rows.append(Row(what, float(by_street[i, street, a]), None, published, note="table 7.2"))
    return rows


def _switch_numbers(switch: Any) -> dict[str, Any]:
    names = {0: "all actions", WINDOW: f"last {WINDOW} actions"}
    return {
        names[window]: np.stack([switch.new[row], switch.low[row], switch.high[row]], axis=1)
        for row, window in enumerate(switch.windows)
    }


def draw(numbers: Mapping[str, Any], path: Path) -> None:
    """A panel for every style: the belief in it, by form of the belief."""
    with save_figure(path, (10, 6)) as figure:
        every = panels(figure, len(STYLES), 2, sharex=True, sharey=True)
        for axes, style in zip(every, STYLES, strict=True):
            for form, drawn in numbers.items():
                draw_trace(axes, np.arange(len(drawn[style])), drawn[style], FORM_COLOURS[form], form)
            axes.set(title=STYLE_WORDS[style], ylim=(0, 1.02))
        for axes in every[-2:]:
            axes.set_xlabel("informative actions seen")
        figure.supylabel("posterior of the true style, ± 95 %")
        draw_title(figure, "Beliefs at limit hold'em")
        draw_key(figure, every[0], columns=3)


def draw_switch(numbers: Mapping[str, Any], path: Path) -> None:
    """The belief in LA after a change from TP."""
    with save_figure(path, (7, 4)) as figure:
        axes = figure.add_subplot()
        for (name, figures), colour in zip(numbers.items(), (GREY, PURPLE), strict=True):
            draw_trace(axes, np.arange(len(figures)), figures, colour, f"{name}, ± 95 %")
        axes.set(xlabel="actions since the change", ylabel="posterior of LA", ylim=(0, 1.02))
        draw_title(figure, "TP becomes LA: a belief from everything and one from the last 8 actions")
        draw_key(figure, axes)


STUDY = Study(
    "limit-beliefs",
    "Beliefs about styles at limit hold'em",
    "Baker 2010, tables 7.1 and 7.2, figures 7.8, 7.9, 7.15–7.19",
    measure,
    {_PICTURE: draw, _SWITCH: draw_switch},
)
