"""How fast the style belief finds the truth, how honest it is, and when it notices a change (Baker 2010, fig. 4.2 and 7.5).

The source shows one opponent on whom the belief settles, and so does one of our pictures. We follow many of every style,
heads-up and at tables of four, with the belief's own ideal beside them: what it would reach if actions were drawn
independently from its table. That stands in the column of ceilings, though regular play can exceed it. Beside the source's
belief stand ours, which compare an action with what each style does in that situation, and a shown hand with what it
does with such cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from nemesis.believe.action_table import Variant
from nemesis.believe.tables import action_table
from nemesis.measure.belief_quality import (
    Growth,
    Kinds,
    Switch,
    gather_actions,
    measure_growth,
    measure_switch,
    posteriors_along,
)
from nemesis.respond.styles import STYLES
from nemesis.rules.games import one_card
from nemesis.runtime.streams import Stream, derived_seed
from nemesis.studies.belief_pictures import (
    Growths,
    Switches,
    calibration_numbers,
    draw_calibrations,
    draw_growth,
    draw_opponent,
    draw_switches,
    growth_numbers,
    switch_numbers,
)
from nemesis.studies.one_card_tables import STYLE_PLAYERS
from nemesis.studies.ordering import ordering, orderings_summary
from nemesis.studies.study import Report, Row, Setting, Study
from nemesis.studies.verdict import listed

FORMS = {2: "heads-up", 4: "at tables of four"}
MARKS = {30: 0.8, 100: 0.95}
"""The posterior that should be reached after so many informative actions."""
WINDOWS = {0: "whole history", 8: "last 8 actions"}
RICHER: Mapping[Variant, str] = {"situation": "by situation", "showdown": "by showdown"}
LATER = 6
"""Actions after a change, when the window still holds some from before."""
_GROWTH, _CALIBRATION, _SWITCH = "belief-growth.png", "belief-calibration.png", "belief-switch.png"
_OPPONENT = "belief-opponent.png"
_SHOWN = 30
"""Actions of the one opponent that is drawn."""


def measure(setting: Setting) -> Report:
    """Growth and calibration for both forms, and all 12 changes of style heads-up."""
    players, sequences = list(STYLE_PLAYERS.values()), setting.choose(30, 1_000, 10_000)
    growths: dict[str, Growth] = {}
    richer: dict[tuple[str, Variant], Growth] = {}
    for seats, form in FORMS.items():
        setting.progress(form)
        game = one_card().seated(seats)
        settings: dict[str, Any] = {"actions": max(MARKS), "sequences": sequences, "seed": setting.seed}
        growths[form] = measure_growth(players, game, action_table(game), **settings)
        for variant in RICHER:
            richer[form, variant] = measure_growth(players, game, action_table(game), variant=variant, **settings)
    setting.progress("changes of style")
    game = one_card()
    seed = derived_seed(setting.seed, Stream.STYLE_CHANGES)
    acted = dict(zip(STYLES, gather_actions(players, game, 100, sequences, seed), strict=True))
    switches: Switches = {
        (old, new): measure_switch(acted[old][:, :50], acted[new][:, 50:], action_table(game), old, new, list(WINDOWS))
        for old in STYLES for new in STYLES if old != new
    }  # fmt: skip
    rows = [
        _row(form, growth, style, after) for form, growth in growths.items() for style in range(4) for after in MARKS
    ]
    rows += [
        _row(f"{form}, {RICHER[variant]}", growth, style, after)
        for (form, variant), growth in richer.items() for style in range(4) for after in MARKS
    ]  # fmt: skip
    rows += [_switch_row(old, new, switch) for (old, new), switch in switches.items()]
    every = {**growths, **{f"{form}, {RICHER[variant]}": growth for (form, variant), growth in richer.items()}}
    pictures = {
        _GROWTH: growth_numbers(every, MARKS),
        _CALIBRATION: calibration_numbers(growths),
        _SWITCH: switch_numbers(switches, WINDOWS),
        _OPPONENT: _one_opponent(acted["tp"][0, :_SHOWN]),
    }
    data = {
        "sequences": sequences,
        "posterior": {form: growth.mean.tolist() for form, growth in every.items()},
        "ideal": {form: growth.ideal.tolist() for form, growth in growths.items()},
        "divergence": {form: growth.divergence.tolist() for form, growth in every.items()},
    }
    claims = [_claim(form, growth, style) for form, growth in growths.items() for style in range(4)]
    said = f"{verdict(growths, switches)} {' '.join(_richer(*found) for found in richer.items())}" + orderings_summary(
        claims
    )
    return Report(said, [*claims, *rows], pictures, "posterior of the truth", data)


def _one_opponent(kinds: Kinds) -> dict[str, Any]:
    """What is believed of one TP player, the first of many and not a chosen one."""
    posteriors = posteriors_along(action_table(one_card()), kinds[None])[0]
    return {"truth": "tp", "actions": ["FCB"[kind] for kind in kinds], "posteriors": posteriors}


def _richer(what: tuple[str, Variant], growth: Growth) -> str:
    """Whether a belief that looks at more reaches the marks with every style."""
    form, variant = what
    worst = {after: int(growth.mean[:, after].argmin()) for after in MARKS}
    reached = [
        f"{growth.mean[style, after]:.3f} after {after} ({growth.styles[style].upper()}; "
        f"{'above' if growth.low[style, after] >= MARKS[after] else 'not for certain above'} {MARKS[after]:g})"
        for after, style in worst.items()
    ]
    return (
        f"{RICHER[variant].capitalize()}, {form}, even the style hardest to tell has {listed(reached)}; "
        f"off by {growth.score.calibration.error:.3f}."
    )


def _claim(form: str, growth: Growth, style: int) -> Row:
    """Fig. 4.2 shows one TP player on whom the belief settles within some thirty actions; here for every style."""
    after = min(MARKS)
    mean, low, high = (float(of[style, after]) for of in (growth.mean, growth.low, growth.high))
    claim = f"after {after} actions {growth.styles[style].upper()} is believed in more than all others, {form}"
    return ordering(claim, "converges quickly", (mean - 0.5, (low - 0.5, high - 0.5)))


def verdict(growths: Growths, switches: Switches) -> str:
    """Who is recognised in time and why not otherwise; calibration; which memory notices changes."""
    sentences = []
    for form, growth in growths.items():
        for after, wanted in MARKS.items():
            reached = [_reached(growth, s, after, wanted) for s in range(4) if growth.mean[s, after] >= wanted]
            short = [_shortfall(growth, s, after, wanted) for s in range(4) if growth.mean[s, after] < wanted]
            missed = f"; short of it: {'; '.join(short)}" if short else ""
            sentences.append(f"{form.capitalize()}, {listed(reached)} reach {wanted:g} after {after} actions{missed}.")
        ideal = f" ({growth.ideal_score.calibration.error:.3f} if ideal)" if growth.ideal_score else ""
        sentences.append(f"Its probabilities are off by {growth.score.calibration.error:.3f} on average{ideal}.")
    noticed = {
        window: sum(noticed_after(s, row) is not None for s in switches.values()) for row, window in enumerate(WINDOWS)
    }
    counts = listed(f"{noticed[window]} with the {name}" for window, name in WINDOWS.items())
    better = sum(switch.new[1, LATER] > switch.new[0, LATER] for switch in switches.values())
    sentences.append(
        f"Of {len(switches)} changes of style after 50 actions, the new style is believed within 50 more in {counts}; "
        f"{LATER} actions after the change the window believes more in the truth in {better}."
    )
    return " ".join(sentences)


def noticed_after(switch: Switch, row: int) -> int | None:
    """How many actions until the new style is believed in more than all others, for certain (by the interval)."""
    certain = np.flatnonzero(switch.low[row] > 0.5)
    return int(certain[0]) if certain.size else None


def _reached(growth: Growth, style: int, after: int, wanted: float) -> str:
    low, high = growth.low[style, after], growth.high[style, after]
    return growth.styles[style].upper() + ("" if low >= wanted else f" (not for certain: {low:.2f} … {high:.2f})")


def _shortfall(growth: Growth, style: int, after: int, wanted: float) -> str:
    """Why a style is not known by then: too like another one, or not acting as independently as the table supposes."""
    rival, nats = growth.nearest_rival(style)
    ideal = float(growth.ideal[style, after])
    cause = (
        "even ideally"
        if ideal < wanted
        else "for its actions depend on one another and on who else plays; were they independent draws,"
    )
    return (
        f"{growth.styles[style].upper()} {growth.mean[style, after]:.2f} ({cause} {ideal:.2f}; each action tells it from "
        f"{rival.upper()} by only {nats:.3f} nats)"
    )


def _row(form: str, growth: Growth, style: int, after: int) -> Row:
    rival, nats = growth.nearest_rival(style)
    ci95 = float(growth.low[style, after]), float(growth.high[style, after])
    what = f"{growth.styles[style].upper()} after {after} actions, {form}"
    note = f"{nats:.3f} nats an action from {rival.upper()}"
    ideal = float(growth.ideal[style, after])
    return Row(what, float(growth.mean[style, after]), ci95, None, None if np.isnan(ideal) else ideal, note)


def _switch_row(old: str, new: str, switch: Switch) -> Row:
    whole, window = (noticed_after(switch, row) for row in range(len(WINDOWS)))
    ci95 = float(switch.low[1, LATER]), float(switch.high[1, LATER])
    what = f"{old.upper()} to {new.upper()}, {LATER} actions later, last 8 actions"
    note = f"whole history {switch.new[0, LATER]:.3f}; believed after {window or '–'}, with the whole history {whole or '–'}"
    return Row(what, float(switch.new[1, LATER]), ci95, note=note)


STUDY = Study(
    "belief-growth",
    "How fast a style is found out",
    "Baker 2010, fig. 4.2, sections 4.2.4 and 7.5",
    measure,
    {_GROWTH: draw_growth, _CALIBRATION: draw_calibrations, _SWITCH: draw_switches, _OPPONENT: draw_opponent},
)
