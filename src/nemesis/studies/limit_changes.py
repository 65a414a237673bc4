"""Opponents at limit hold'em that are not what they seem: TP that bluffs, and one that changes its style every 75 hands.

In figures 7.25 and 7.26 of Baker 2010 the specialist against TP becomes unsteady as TP bluffs more, the network with
round-based beliefs does not. In figure 7.27 it follows LA, LP, TA and TP, 75 hands each, with its belief drawn below. We add
what the best response takes from a bluffer, what the specialist for each phase takes there, and how many hands of a phase
pass until the network takes 90 % of what it takes from that style for good.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.adaptation import earnings_by_stretch
from nemesis.measure.charts import as_figure, draw_key, draw_level, draw_title, draw_trace
from nemesis.measure.interval import mean_interval
from nemesis.measure.picture import BLUE, CEILING_LINE, INK, PURPLE, STYLE_COLOURS, STYLE_WORDS, save_figure
from nemesis.observe.event import ENDS, Event
from nemesis.play.match import play_lineups
from nemesis.respond.agent import CompiledAgent, Uncompiled
from nemesis.respond.by_name import compiled_agent
from nemesis.respond.holdem_network import beliefs_about
from nemesis.respond.styles import STYLES
from nemesis.rules.game import Game
from nemesis.rules.games import limit
from nemesis.studies.limit_players import (
    HANDS,
    chip_ceiling,
    fresh_chips,
    limit_runs,
    run_figures,
    run_row,
    scale_words,
    shipped_player,
)
from nemesis.studies.ordering import ordering, orderings_summary
from nemesis.studies.sample import over_runs
from nemesis.studies.study import Report, Row, Setting, Study

PHASE = 75
SWITCHER = f"{'-to-'.join(STYLES)}@{PHASE}"
STRETCH = 5
SMOOTHED = 3
"""Stretches in a row that must reach the level for the network to be back at it."""
BACK = 0.9
SPECIALIST, BELIEF = "specialist against TP", "round-based belief"
COLOURS = {SPECIALIST: BLUE, BELIEF: PURPLE}

_BLUFFS, _SWITCH = "limit-bluffers.png", "limit-switcher.png"


def measure(setting: Setting) -> Report:
    """Bluffs from 0 to 1, then the switcher."""
    game = limit()
    players = {
        SPECIALIST: [run.champion for run in limit_runs("limit-neat-tp", setting)],
        BELIEF: [run.champion for run in limit_runs("limit-neat-belief", setting)],
    }
    setting.progress("bluffers")
    bluffs, rows, claims = _bluffers(players, game, setting)
    shipped = shipped_player("limit-belief")
    follower = shipped or players[BELIEF][0]
    setting.progress("the switcher")
    switch, more, words = _switcher(follower, game, setting)
    told = scale_words(setting) + words + orderings_summary(claims)
    return Report(told, [*claims, *rows, *more], {_BLUFFS: bluffs, _SWITCH: switch}, f"chips in {HANDS} hands")


def _bluffers(
    players: Mapping[str, Sequence[CompiledAgent]], game: Game, setting: Setting
) -> tuple[dict[str, Any], list[Row], list[Row]]:
    """What both kinds of network take from TP that bluffs, with intervals over runs, and what could be had."""
    steps = setting.choose(2, 20, 100)
    levels = [i / steps for i in range(steps + 1)]
    tables = [[compiled_agent(f"tp+bet={level:g}", game)] for level in levels]
    matches = setting.choose(2, 30, 100)
    chips = {words: fresh_chips(found, tables, game, setting, matches).mean(axis=2) for words, found in players.items()}
    asked = levels[:: max(1, steps // setting.choose(1, 2, 5))]
    deals = setting.choose(200, 10_000, 15_000)
    most = [chip_ceiling(f"tp+bet={level:g}", deals)[0] for level in asked]
    rows = []
    for words, found in chips.items():
        for level in asked:
            ceiling = most[asked.index(level)]
            rows.append(run_row(f"{words} v TP bluffing {level:g}", found[:, levels.index(level)], ceiling=ceiling))
    lost = {words: found[:, 0] - found.min(axis=1) for words, found in chips.items()}
    claims = [
        ordering("the specialist loses more of its winnings at its worst bluff than the network with beliefs",
                 "unstable; copes", over_runs(lost[SPECIALIST] - lost[BELIEF])),
        ordering("over all bluffs the network with beliefs takes more", "copes suitably well",
                 over_runs(chips[BELIEF].mean(axis=1) - chips[SPECIALIST].mean(axis=1))),
        ordering("at its worst bluff the network with beliefs still wins", "stability",
                 over_runs(chips[BELIEF].min(axis=1))),
    ]  # fmt: skip
    drawn = {
        "levels": levels,
        "series": {words: run_figures(found) for words, found in chips.items()},
        "asked": asked,
        "most": most,
    }
    return drawn, rows, claims


class Diary(Uncompiled):
    """The network's player, which notes what it believes of its opponent after every hand."""

    def __init__(self, agent: CompiledAgent) -> None:
        super().__init__(agent)
        self.pages: list[NDArray[np.float64]] = []

    def watch(self, event: Event) -> None:
        """Pass on, and note the belief when a hand ends."""
        super().watch(event)
        if event.kind == ENDS:
            self.pages.append(beliefs_about(self.agent, 1))


def _switcher(player: CompiledAgent, game: Game, setting: Setting) -> tuple[dict[str, Any], list[Row], str]:
    """Chips and beliefs against the switcher, phase by phase, beside the style for good and its specialist."""
    ends = list(range(STRETCH, len(STYLES) * PHASE + 1, STRETCH))
    matches = setting.choose(4, 600, 8_000)
    scale = game.big_blind / 1000

    def rates(who: CompiledAgent, opponent: str) -> NDArray[np.float64]:
        """Chips a hand by match and stretch."""
        against = compiled_agent(opponent, game)
        return scale * earnings_by_stretch(
            game, who, against, ends, matches, seed=setting.seed, workers=setting.workers
        )

    found, each = rates(player, SWITCHER), PHASE // STRETCH
    rows, words, phases = [], [], []
    for number, style in enumerate(STYLES):
        phase = found[:, number * each : (number + 1) * each]
        steady = rates(player, style)[:, each:].mean()
        specialist = shipped_player(f"limit-{style}")
        alone = None if specialist is None else float(rates(specialist, style).mean())
        smooth = np.convolve(phase.mean(axis=0), np.ones(SMOOTHED) / SMOOTHED, mode="valid")
        back = np.flatnonzero(smooth >= BACK * steady)
        after = (int(back[0]) + SMOOTHED) * STRETCH if len(back) else None
        known = "" if alone is None else f", its specialist {alone:.2f}"
        note = (
            f"{steady:.2f} from {style.upper()} for good{known}; at 90 % of what it takes for good after "
            f"{after or f'more than {PHASE}'} hands"
        )
        rows.append(
            Row(f"chips a hand in the phase of {style.upper()}", *mean_interval(phase.mean(axis=1)), None, alone, note)
        )
        words.append(
            f"{style.upper()} {phase.mean():.2f} (for good {steady:.2f}{known}; back after {after or '> 75'} hands)"
        )
        phases.append({"style": style, "steady": steady, "specialist": alone})
    diary = Diary(player)
    matches = setting.choose(2, 60, 300)
    lineup = np.tile([[0, 1]], (matches, 1))
    play_lineups(game, [diary, compiled_agent(SWITCHER, game)], lineup, np.arange(matches), hands=ends[-1],
                 seed=setting.seed)  # fmt: skip
    beliefs = np.array(diary.pages).reshape(matches, ends[-1], -1).mean(axis=0)
    total = np.cumsum(found, axis=1) * STRETCH
    drawn = {
        "ends": ends,
        "chips": [as_figure(mean_interval(column)) for column in total.T],
        "phases": phases,
        "beliefs": dict(zip(STYLES, beliefs.T, strict=True)),
    }
    said = f"{player.name} against the switcher, chips a hand by phase: {', '.join(words)}."
    return drawn, rows, said


def draw_bluffs(numbers: Mapping[str, Any], path: Path) -> None:
    """What each network takes from TP that bluffs, and what could be had."""
    with save_figure(path, (8, 4.5)) as figure:
        axes = figure.add_subplot()
        for words, figures in numbers["series"].items():
            draw_trace(axes, numbers["levels"], figures, COLOURS[words], f"{words}, ± 95 % over runs")
        axes.plot(numbers["asked"], numbers["most"], **CEILING_LINE, marker="o", markersize=4, label="best response")
        draw_level(axes, 0, "even")
        axes.set(xlabel="probability that a decision becomes a bet", ylabel=f"chips in {HANDS} hands", xlim=(0, 1))
        draw_title(figure, "Networks against TP that bluffs")
        draw_key(figure, axes, columns=2)


def draw_switch(numbers: Mapping[str, Any], path: Path) -> None:
    """Chips won against the switcher, the phases marked, and below what is believed."""
    ends = numbers["ends"]
    with save_figure(path, (9, 6)) as figure:
        above, below = figure.subplots(2, 1, sharex=True, height_ratios=(1.3, 1))
        draw_trace(above, ends, numbers["chips"], PURPLE, "chips won, ± 95 %")
        start = 0.0
        for number, phase in enumerate(numbers["phases"]):
            first = number * PHASE
            goes = start + PHASE * phase["steady"]
            above.plot([first, first + PHASE], [start, goes], color=STYLE_COLOURS[phase["style"]], linestyle="--",
                       label=f"at its rate from {STYLE_WORDS[phase['style']]} for good")  # fmt: skip
            if phase["specialist"] is not None:
                above.plot([first, first + PHASE], [start, start + PHASE * phase["specialist"]], color=INK, linestyle=":",
                           linewidth=1, label="as the specialist for this style" if number == 0 else None)  # fmt: skip
            start = numbers["chips"][(first + PHASE) // STRETCH - 1][0]
            for axes in (above, below):
                axes.axvline(first, color="black", linewidth=0.7)
        above.set(ylabel="chips won")
        hands = np.arange(1, len(next(iter(numbers["beliefs"].values()))) + 1)
        below.stackplot(hands, list(numbers["beliefs"].values()), colors=[STYLE_COLOURS[s] for s in numbers["beliefs"]],
                        edgecolor="white", linewidth=0.4)  # fmt: skip
        below.set(xlabel="hands", ylabel="mean belief", ylim=(0, 1), xlim=(0, ends[-1]))
        draw_title(figure, "An opponent that changes style every 75 hands: LA, LP, TA, TP")
        draw_key(figure, above, columns=2)


STUDY = Study(
    "limit-changes",
    "Bluffs and changes of style at limit hold'em",
    "Baker 2010, sections 7.7 and 7.8, figures 7.25–7.27",
    measure,
    {_BLUFFS: draw_bluffs, _SWITCH: draw_switch},
)
