"""Networks at limit hold'em: against single styles, against all four, with a one-table and a round-based belief.

Figures 7.2 to 7.6, 7.10 and 7.20 of Baker 2010 are curves of evolution, 7.11 to 7.14 and 7.21 to 7.24 play-offs of 1000
hands. The source says the belief lifts 3000 chips to 4000 and that with round-based beliefs a network is best against
every style. Ours are measured on fresh matches of 300 hands. The ceiling is what the best response to each style takes.

All these networks are shown how often the opponent bet, called and folded in the last 50 hands, which is half a belief
already. So we also measure what the belief is worth against opponents who change their style every 75 hands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from nemesis.measure.adaptation import earnings_by_stretch
from nemesis.measure.charts import draw_generations, draw_key, draw_level, draw_title, draw_trace, panels
from nemesis.measure.interval import mean_interval
from nemesis.measure.picture import CEILING_LINE, STYLE_WORDS, save_figure
from nemesis.respond.by_name import compiled_agent
from nemesis.respond.styles import STYLES
from nemesis.rules.games import limit
from nemesis.studies.evolved import Evolved, evolve_runs, unrun
from nemesis.studies.limit_players import (
    HANDS,
    KIND_COLOURS,
    KINDS,
    Chips,
    fresh_chips,
    limit_runs,
    run_figures,
    run_row,
    scale_words,
    shipped_player,
    style_ceilings,
    style_tables,
)
from nemesis.studies.ordering import ordering, orderings_summary
from nemesis.studies.sample import Sampled, over_runs
from nemesis.studies.study import Report, Row, Setting, Study
from nemesis.train.recipes import RECIPES

PUBLISHED = {"all": 3000.0, "plain": 4000.0}
PLAY_OFF = 1000
STRETCH = 50
CHANGING = tuple(f"{'-to-'.join(order)}@75" for order in (list(STYLES), list(STYLES)[::-1]))
"""Opponents who go through all styles, one way and the other."""
GENERAL = 0.90
"""The share of the mean ceiling that our own network with round-based beliefs should reach."""

_CURVES, _PLAY_OFFS = "limit-networks.png", "limit-play-offs.png"


def measure(setting: Setting) -> Report:
    """Run every recipe several times and play the champions against the styles."""
    ceilings = style_ceilings(setting)
    most = float(np.mean(list(ceilings.values())))
    runs = {name: limit_runs(f"limit-neat-{name}", setting) for name in (*STYLES, *KINDS)}
    taught = {name: found for name in KINDS if (found := evolve_runs(RECIPES[f"limit-{name}"], setting))}
    setting.progress("fresh matches")
    chips = {name: _by_run(found, name, setting) for name, found in runs.items()}
    rows = [
        run_row(f"{_words(name)}, mean over its opponents", found.mean(axis=1), PUBLISHED.get(name),
                ceilings.get(name, most), "NEAT")
        for name, found in chips.items()
    ]  # fmt: skip
    for kind in KINDS:
        for column, style in enumerate(STYLES):
            what = f"{_words(kind)} v {style.upper()}"
            rows.append(run_row(what, chips[kind][:, column], ceiling=ceilings[style]))
    ours, lines = _ours(ceilings, setting)
    learned = {name: _by_run(found, name, setting) for name, found in taught.items()}
    setting.progress("opponents who change")
    followed = {f"taught networks, {_words(name)}": _following(found, setting) for name, found in taught.items()}
    followed |= {f"NEAT, {_words(name)}": _following(runs[name], setting) for name in KINDS}
    setting.progress("play-offs")
    play_offs = _play_offs(runs, ceilings, setting)
    claims = [*_claims(chips, play_offs), *_taught_claims(learned, ceilings), *_changing_claims(followed)]
    ours += [
        run_row(f"taught network, {_words(name)}, mean over the styles", found.mean(axis=1), None, most,
                f"{found.mean() / most:.1%} of the mean ceiling")
        for name, found in learned.items()
    ]  # fmt: skip
    ours += [run_row(f"{words} v styles that change every 75 hands", found) for words, found in followed.items()]
    numbers = {
        "unit": f"chips in {HANDS} hands",
        "panels": [_panel(name, runs[name], chips[name], ceilings.get(name, most)) for name in runs],
    }
    missing = unrun([f"limit-{name}" for name in KINDS], setting)
    words = scale_words(setting) + _verdict(chips, ceilings) + lines + _worth(learned, followed) + missing
    words += orderings_summary(row for row in claims if row.published)
    pictures = {_CURVES: numbers, _PLAY_OFFS: play_offs}
    return Report(words, [*claims, *rows, *ours], pictures, f"chips in {HANDS} hands")


def _words(name: str) -> str:
    return KINDS[name] if name in KINDS else f"specialist against {name.upper()}"


def _by_run(found: Sequence[Evolved], name: str, setting: Setting) -> Chips:
    """Chips by run and style on fresh deals."""
    game = limit()
    tables = style_tables(game) if name in KINDS else [[compiled_agent(name, game)]]
    means: Chips = fresh_chips([run.champion for run in found], tables, game, setting).mean(axis=2)
    return means


def _ours(ceilings: Mapping[str, float], setting: Setting) -> tuple[list[Row], str]:
    """The shipped champions, whose figures are over matches, and what is to be said of them."""
    game, matches = limit(), setting.choose(2, 700, 700)
    rows, shares = [], {}
    for style in STYLES:
        player = shipped_player(f"limit-{style}")
        if player:
            found = fresh_chips([player], [[compiled_agent(style, game)]], game, setting, matches)[0, 0]
            shares[f"limit-{style}"] = found.mean() / ceilings[style]
            note = f"shipped; {shares[f'limit-{style}']:.1%} of the ceiling, {matches * HANDS:,} hands"
            rows.append(Row(f"limit-{style} v {style.upper()}", *mean_interval(found), None, ceilings[style], note))
    for name in ("limit-belief", "limit-all"):
        player = shipped_player(name)
        if player:
            found = fresh_chips([player], style_tables(game), game, setting, matches)[0]
            most = float(np.mean(list(ceilings.values())))
            shares[name] = found.mean() / most
            note = f"shipped; {shares[name]:.1%} of the mean ceiling, {matches * HANDS:,} hands a style"
            rows.append(Row(f"{name}, mean over the styles", *mean_interval(found.mean(axis=0)), None, most, note))
            for column, style in enumerate(STYLES):
                rows.append(
                    Row(f"{name} v {style.upper()}", *mean_interval(found[column]), None, ceilings[style], "shipped")
                )
    if not shares:
        return rows, ""
    told = ", ".join(f"{name} {share:.1%}" for name, share in shares.items())
    return (
        rows,
        f" Of the ceiling, the shipped champions (best responses imitated, then natural evolution) take: {told}.",
    )


def _play_offs(
    runs: Mapping[str, Sequence[Evolved]], ceilings: Mapping[str, float], setting: Setting
) -> dict[str, Any]:
    """Chips after so many hands of a play-off, by style and kind, with intervals over runs."""
    game, ends = limit(), list(range(STRETCH, PLAY_OFF + 1, STRETCH))
    matches = setting.choose(1, 20, 100)
    drawn: dict[str, Any] = {}
    for style in STYLES:
        opponent = compiled_agent(style, game)
        series = {}
        for kind, words in KINDS.items():
            by_run = []
            for run in runs[kind]:
                rates = earnings_by_stretch(game, run.champion, opponent, ends, matches, seed=setting.seed)
                by_run.append(np.cumsum(rates.mean(axis=0)) * game.big_blind * STRETCH / 1000)
            series[words] = run_figures(np.array(by_run))
            drawn.setdefault("last", {})[f"{style} {kind}"] = [float(each[-1]) for each in by_run]
        drawn[style] = {"series": series, "ceiling": ceilings[style] / HANDS * PLAY_OFF}
    return {"ends": ends, **drawn}


def _claims(chips: Mapping[str, Chips], play_offs: Mapping[str, Any]) -> list[Row]:
    """What sections 7.4 to 7.6 say, run by run."""
    mean = {kind: chips[kind].mean(axis=1) for kind in KINDS}
    claims = [
        ordering("the one-table belief takes more than no belief", "4000 > 3000", _gap(mean["plain"], mean["all"])),
        ordering("the round-based belief takes more than no belief", "stronger", _gap(mean["belief"], mean["all"])),
        ordering("it takes more than the one-table belief", "stronger", _gap(mean["belief"], mean["plain"])),
    ]  # fmt: skip
    for column, style in enumerate(STYLES):
        claims.append(
            ordering(f"the round-based network wins from {style.upper()}", "> 0", over_runs(chips["belief"][:, column]))
        )
    last = {key: np.array(found) for key, found in play_offs["last"].items()}
    for style in STYLES:
        others = min(len(last[f"{style} all"]), len(last[f"{style} plain"]))
        better = np.maximum(last[f"{style} all"][:others], last[f"{style} plain"][:others])
        gap = _gap(last[f"{style} belief"], better)
        claims.append(ordering(f"in 1000 hands against {style.upper()} it is ahead of both others", "best", gap))
    return claims


def _gap(more: Chips, less: Chips) -> Sampled:
    """By how much, over the runs that there are of both."""
    count = min(len(more), len(less))
    return over_runs(more[:count] - less[:count])


def _taught_claims(chips: Mapping[str, Chips], ceilings: Mapping[str, float]) -> list[Row]:
    """What a belief is worth to our own learner on the source's inputs, run by run."""
    mean = {kind: found.mean(axis=1) for kind, found in chips.items()}
    most = float(np.mean(list(ceilings.values())))
    if "belief" not in mean:
        return []
    others = {
        "all": "the round-based belief takes more than no belief",
        "plain": "it takes more than the one-table belief",
    }
    return [
        *(
            ordering(f"taught networks: {claim}", "stronger", _gap(mean["belief"], mean[kind]))
            for kind, claim in others.items() if kind in mean
        ),
        ordering(f"taught networks: with it {GENERAL:.0%} of the mean ceiling and more", "",
                 over_runs(mean["belief"] - GENERAL * most)),
        *(
            ordering(f"taught networks: with it they win from {style.upper()}", "> 0",
                     over_runs(chips["belief"][:, column]))
            for column, style in enumerate(STYLES)
        ),
    ]  # fmt: skip


def _following(found: Sequence[Evolved], setting: Setting) -> Chips:
    """Chips by run against the opponents who change."""
    game = limit()
    tables = [[compiled_agent(name, game)] for name in CHANGING]
    means: Chips = fresh_chips(
        [run.champion for run in found], tables, game, setting, setting.choose(2, 100, 200)
    ).mean(axis=(1, 2))
    return means


def _changing_claims(followed: Mapping[str, Chips]) -> list[Row]:
    """What the belief is worth against opponents who change, run by run."""
    claims = []
    for who in ("taught networks", "NEAT"):
        names = [f"{who}, {KINDS[kind]}" for kind in ("belief", "all")]
        if all(name in followed for name in names):
            claim = f"{who}: from styles that change the round-based belief takes more than no belief"
            claims.append(ordering(claim, "", _gap(followed[names[0]], followed[names[1]])))
    return claims


def _worth(learned: Mapping[str, Chips], followed: Mapping[str, Chips]) -> str:
    """What the belief is worth to taught networks, against styles that stay and styles that change."""
    if not {"belief", "all"} <= set(learned):
        return ""
    steady = _gap(learned["belief"].mean(axis=1), learned["all"].mean(axis=1)).mean
    belief, alone = (followed[f"taught networks, {KINDS[kind]}"] for kind in ("belief", "all"))
    return (
        f" The round-based belief brings taught networks {steady:+,.0f} chips against styles that stay, where frequencies "
        f"over the last 50 hands tell them as much, and {_gap(belief, alone).mean:+,.0f} against styles that change every "
        "75 hands."
    )


def _verdict(chips: Mapping[str, Chips], ceilings: Mapping[str, float]) -> str:
    most = float(np.mean(list(ceilings.values())))
    kinds = ", ".join(f"{words} {chips[kind].mean():,.0f}" for kind, words in KINDS.items())
    alone = ", ".join(f"{style.upper()} {chips[style].mean() / ceilings[style]:.0%}" for style in STYLES)
    return (
        f"NEAT as published, mean chips in {HANDS} hands over the four styles and all runs: {kinds}, of at most "
        f"{most:,.0f} for one who knows the style; the published 4000 is more than anyone can take under these rules. "
        f"Its specialists take of their ceilings: {alone}."
    )


def _panel(name: str, found: Sequence[Evolved], chips: Chips, ceiling: float) -> dict[str, Any]:
    """Best and mean of the generations over runs, and the champions on fresh deals."""
    columns = {key: np.mean([[line[key] for line in run.metrics] for run in found], axis=0) for key in ("best", "mean")}
    figure = run_figures(chips.mean(axis=1)[:, None])[0]
    generations = [line["generation"] for line in found[0].metrics]
    return {"title": _words(name), "metrics": {"generation": generations, **columns}, "champion": figure,
            "ceiling": ceiling, "published": PUBLISHED.get(name)}  # fmt: skip


def draw_curves(numbers: Mapping[str, Any], path: Path) -> None:
    """A panel for every recipe."""
    with save_figure(path, (10, 6)) as figure:
        every = panels(figure, len(numbers["panels"]), 4)
        for axes, drawn in zip(every, numbers["panels"], strict=True):
            draw_generations(axes, drawn["metrics"], champion=drawn["champion"], ceiling=drawn["ceiling"],
                             published=drawn["published"])  # fmt: skip
            axes.set_title(drawn["title"])
        figure.supylabel(numbers["unit"])
        draw_title(figure, "Networks at limit hold'em: fitness of the generations, mean of all runs")
        draw_key(figure, *every, columns=5)


def draw_play_offs(numbers: Mapping[str, Any], path: Path) -> None:
    """A panel for every style: chips after so many hands."""
    with save_figure(path, (10, 6)) as figure:
        every = panels(figure, len(STYLES), 2)
        for axes, style in zip(every, STYLES, strict=True):
            for words, figures in numbers[style]["series"].items():
                draw_trace(axes, numbers["ends"], figures, KIND_COLOURS[words], words)
            axes.plot([0, PLAY_OFF], [0, numbers[style]["ceiling"]], **CEILING_LINE, label="best response")
            draw_level(axes, 0, "even")
            axes.set(title=f"against {STYLE_WORDS[style]}", xlabel="hands", ylabel="chips won, ± 95 % over runs")
        draw_title(figure, "Play-offs of 1000 hands: networks without a belief, with one table and with one per street")
        draw_key(figure, *every, columns=5)


STUDY = Study(
    "limit-networks",
    "Networks at limit hold'em, without a belief and with beliefs of two kinds",
    "Baker 2010, sections 7.3 to 7.6, figures 7.2–7.6, 7.10–7.14, 7.20–7.24",
    measure,
    {_CURVES: draw_curves, _PLAY_OFFS: draw_play_offs},
)
