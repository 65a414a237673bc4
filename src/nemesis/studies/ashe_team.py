"""ASHE with four pairs of estimators, one for each kind of opponent, beside A4, equilibrium and players who never learn.

Three questions, each about whole matches of 1000 hands and about the first 50, when nothing is known yet. How much of what
can be taken does it take: the exact ceiling, or what the best known counter takes? Does it win from everybody? Is it
ahead of the best of four players who never learn, chosen by opponent on those very matches, which flatters it a little?

The player that ships was evolved once, so its sample is deals. RG and the equilibrium player were not met, of HP only
relations, and none of those that sit here: `nl-ta:kin=301` plays by TA's rule with every habit changed by a factor of its
own. There the sample is relations. What the recipes are worth and not one outcome of them, the last rows say: the player
that ships, whose seed is 0, and players evolved again from other seeds, all four pairs of them. There the sample is runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.charts import as_figure, draw_groups, draw_key, draw_title, panels, scale_symmetrically
from nemesis.measure.earnings import SEATS, earnings
from nemesis.measure.interval import mean_interval
from nemesis.measure.picture import BLUE, GREY, ORANGE, VERMILLION, save_figure
from nemesis.respond.agent import CompiledAgent
from nemesis.respond.ashe import COMPACT, Ashe, Specialists
from nemesis.respond.ashe_file import BESIDE, unpacked_genes
from nemesis.respond.by_name import compiled_agent
from nemesis.respond.champion import read_champion
from nemesis.rules.games import no_limit
from nemesis.runtime.streams import Stages, run_seed
from nemesis.solve.no_limit_ceiling import Ceiling, shipped_ceilings
from nemesis.studies.ashe_adaptation import SIMPLE
from nemesis.studies.evolved import Evolved, evolve_champion, is_finished
from nemesis.studies.published_opponents import PRESENT
from nemesis.studies.sample import Sampled, over_runs, sampled_row
from nemesis.studies.study import Report, Row, Setting, Study
from nemesis.studies.verdict import listed
from nemesis.train.recipes import RECIPES

OURS, A4, SOLVED = "ashe-team", "ashe-a4", "equilibrium"
WANTED: Mapping[str, float] = {
    **dict.fromkeys(("HM", "CM", "SL"), 0.95),
    **dict.fromkeys(("CS", "RG", "LA", "LP"), 0.5),
    **dict.fromkeys(("TP", "TA", "HP"), 0.3),
}
"""The share of the ceiling, or of the best known counter, that we set out to take from each."""
LENGTHS = {"whole matches": 1000, "first 50 hands": 50}
_RUNS = 10
"""The first number of the deals on which runs are measured."""
KIN_FROM = 301
"""Relations from this number on were met by nobody in training."""
_PICTURE = "ashe-team.png"
_COLOURS = {OURS: BLUE, A4: ORANGE, SOLVED: GREY, "the best who never learns": VERMILLION}

Rates = NDArray[np.float64]


def measure(setting: Setting) -> Report:
    """Everybody against the ten, at both lengths; and the relations."""
    game = no_limit()
    names = (OURS, A4, SOLVED, *SIMPLE)
    players = [compiled_agent(name, game) for name in names]
    opponents = [opponent.seated(game) for opponent in PRESENT]
    found: dict[str, dict[str, Rates]] = {}
    for number, (what, hands) in enumerate(LENGTHS.items()):
        setting.progress(what)
        total = setting.choose(600, 40_000, 400_000)
        rates = earnings(
            game, players, opponents, max(2, total // (SEATS * hands)), hands,
            seed=setting.seed, stage=Stages.ASHE_TEAM.at(number), workers=setting.workers,
        )  # fmt: skip
        found[what] = dict(zip(names, rates, strict=True))
    shipped = shipped_ceilings()
    ceilings = {opponent.code: shipped[opponent.agent] for opponent in PRESENT}
    rows = [*_shares(found["whole matches"], ceilings), *_first(found["first 50 hands"]), *_relations(setting)]
    again = evolved_again(setting)
    taken = taken_over_runs([players[0], *again], setting) if again else {}
    rows += _over_runs(taken, ceilings)
    numbers = {what: _drawn(by_player) for what, by_player in found.items()}
    return Report(_verdict(found, ceilings) + _told_over_runs(taken, ceilings), rows, {_PICTURE: numbers}, "mBB/hand")


def _best_simple(by_player: Mapping[str, Rates], at: int) -> tuple[str, Rates]:
    """Who of those that never learn takes most from an opponent, and by match what."""
    best = max(SIMPLE, key=lambda name: float(by_player[name][at].mean()))
    return best, by_player[best][at]


def _compared(units: Rates, other: Rates, name: str) -> str:
    low, high = mean_interval(units - other)[1]
    much = "more than" if low > 0 else "less than" if high < 0 else "no clear difference to"
    return f"{much} {name} ({other.mean():,.0f})"


def _rows(by_player: Mapping[str, Rates], what: str, notes: Mapping[str, str]) -> Iterator[Row]:
    for at, opponent in enumerate(PRESENT):
        units = by_player[OURS][at]
        beside = [_compared(units, by_player[name][at], name) for name in (A4, SOLVED)]
        simple, taken = _best_simple(by_player, at)
        told = [notes.get(opponent.code, ""), *beside, _compared(units, taken, simple)]
        yield Row(f"{opponent.code}, {what}", *mean_interval(units), note="; ".join(filter(None, told)))


def _shares(by_player: Mapping[str, Rates], ceilings: Mapping[str, Ceiling]) -> Iterator[Row]:
    notes = {}
    for at, opponent in enumerate(PRESENT):
        ceiling = ceilings[opponent.code]
        share = by_player[OURS][at].mean() / ceiling.mean
        what = "ceiling" if ceiling.kind == "exact" else ceiling.kind
        wanted = WANTED[opponent.code]
        reached = "reached" if share >= wanted else "not reached"
        notes[opponent.code] = f"{share:.0%} of the {what}, {wanted:.0%} {reached}"
    return _rows(by_player, "whole matches", notes)


def _first(by_player: Mapping[str, Rates]) -> Iterator[Row]:
    return _rows(by_player, "first 50 hands", {})


def _relations(setting: Setting) -> Iterator[Row]:
    """By relation of the tight players and HP: what it takes, and what it takes more than A4."""
    game, count = no_limit(), setting.choose(2, 6, 20)
    players = [compiled_agent(name, game) for name in (OURS, A4)]
    for number, kind in enumerate(("nl-tp", "nl-ta", "hp")):
        setting.progress(f"relations of {kind}")
        kin = [compiled_agent(f"{kind}:kin={each}", game) for each in range(KIN_FROM, KIN_FROM + count)]
        own, other = earnings(
            game, players, kin, setting.choose(2, 10, 20), setting.choose(100, 1000, 1000),
            seed=setting.seed, stage=Stages.ASHE_TEAM.at(len(LENGTHS) + number), workers=setting.workers,
        ).mean(axis=2)  # fmt: skip
        code, sample = kind.removeprefix("nl-").upper(), f"{count} relations"
        yield Row(f"relations of {code}: what it takes", *mean_interval(own), sample=sample)
        yield Row(f"relations of {code}: more than {A4}", *mean_interval(own - other), sample=sample)


def evolved_again(setting: Setting) -> list[Ashe]:
    """A player for every run but number 0, which is the one that ships; its specialists are of the same run."""
    recipes = [RECIPES[name] for name in (OURS, *BESIDE)]
    there = [
        run
        for run in range(1, setting.evolutions)
        if not setting.finished or all(is_finished(recipe, setting, run) for recipe in recipes)
    ]
    return [_joined([evolve_champion(recipe, setting, other=run) for recipe in recipes]) for run in there]


def _joined(parts: Sequence[Evolved]) -> Ashe:
    """The first with the others as its specialists."""
    genome, *others = (unpacked_genes(read_champion(part.path)["genome"]) for part in parts)
    return Ashe(no_limit(), COMPACT, genome, name=OURS, specialists=Specialists(*others))


def taken_over_runs(players: Sequence[CompiledAgent], setting: Setting) -> dict[str, list[Sampled]]:
    """What the players of several runs take, by length and opponent; those of every run on deals of its own."""
    game = no_limit()
    opponents = [opponent.seated(game) for opponent in PRESENT]
    found: dict[str, list[Sampled]] = {}
    for number, (what, hands) in enumerate(LENGTHS.items()):
        setting.progress(f"runs, {what}")
        total = setting.choose(600, 20_000, 200_000)
        by_run = [
            earnings(
                game, [player], opponents, max(2, total // (SEATS * hands)), hands,
                seed=run_seed(setting.seed, run), stage=Stages.ASHE_TEAM.at(_RUNS + number), workers=setting.workers,
            )[0]
            for run, player in enumerate(players)
        ]  # fmt: skip
        found[what] = [over_runs([rates[at] for rates in by_run]) for at in range(len(PRESENT))]
    return found


def _over_runs(found: Mapping[str, Sequence[Sampled]], ceilings: Mapping[str, Ceiling]) -> Iterator[Row]:
    for what, by_opponent in found.items():
        for opponent, taken in zip(PRESENT, by_opponent, strict=True):
            share = taken.mean / ceilings[opponent.code].mean
            yield sampled_row(f"{opponent.code}, {what}, over runs", taken, note=f"{share:.0%}")


def _told_over_runs(found: Mapping[str, Sequence[Sampled]], ceilings: Mapping[str, Ceiling]) -> str:
    if not found:
        return ""
    whole = {opponent.code: taken for opponent, taken in zip(PRESENT, found["whole matches"], strict=True)}
    missed = [code for code, taken in whole.items() if taken.mean < WANTED[code] * ceilings[code].mean]
    words = f" Over {whole['HM'].sample}: on average the share we set out for from"
    words += f" {len(whole) - len(missed)} of {len(whole)} opponents{_but(missed)};"
    for what, by_opponent in found.items():
        unsure = [o.code for o, taken in zip(PRESENT, by_opponent, strict=True) if not taken.ci95[0] > 0]
        words += f" significantly above zero in {what} against {len(whole) - len(unsure)}{_but(unsure)},"
    return words.removesuffix(",") + "."


def _but(codes: Sequence[str]) -> str:
    return f", not {listed(codes)}" if codes else ""


def _verdict(found: Mapping[str, Mapping[str, Rates]], ceilings: Mapping[str, Ceiling]) -> str:
    whole = found["whole matches"]
    codes = [opponent.code for opponent in PRESENT]
    shares = {code: float(whole[OURS][at].mean()) / ceilings[code].mean for at, code in enumerate(codes)}
    missed = [f"{code} ({share:.0%} of {WANTED[code]:.0%})" for code, share in shares.items() if share < WANTED[code]]
    words = f"It takes the share we set out for from {len(codes) - len(missed)} of {len(codes)} opponents"
    words += f"{_but(missed)}."
    for what, by_player in found.items():
        sure = [code for at, code in enumerate(codes) if mean_interval(by_player[OURS][at])[1][0] > 0]
        unsure = [code for code in codes if code not in sure]
        behind = [
            code for at, code in enumerate(codes)
            if mean_interval(by_player[OURS][at] - _best_simple(by_player, at)[1])[1][1] < 0
        ]  # fmt: skip
        words += f" {what.capitalize()}: significantly above zero against {len(sure)} of {len(codes)}{_but(unsure)}"
        words += f"; significantly behind the best of {', '.join(SIMPLE)} against {listed(behind) or 'nobody'}."
    return words


def _drawn(by_player: Mapping[str, Rates]) -> dict[str, Any]:
    drawn = {name: [as_figure(mean_interval(units)) for units in by_player[name]] for name in (OURS, A4, SOLVED)}
    simple = [as_figure(mean_interval(_best_simple(by_player, at)[1])) for at in range(len(PRESENT))]
    return {**drawn, "the best who never learns": simple}


def draw(numbers: Mapping[str, Any], path: Path) -> None:
    """Dots by opponent for whole matches and for the first hands."""
    names = [opponent.name.replace(" ", "\n", 1) for opponent in PRESENT]
    with save_figure(path, (10, 8.4)) as figure:
        every = panels(figure, len(numbers), 1)
        for axes, (what, by_player) in zip(every, numbers.items(), strict=True):
            scale_symmetrically(axes, 100, "mBB/hand, ± 95 %")
            draw_groups(axes, names, by_player, _COLOURS)
            axes.set_title(what)
        draw_title(figure, "ASHE with four pairs of estimators: what it takes from each opponent")
        draw_key(figure, *every, columns=4)


STUDY = Study(
    "ashe-team",
    "ASHE with four pairs of estimators",
    "ours",
    measure,
    {_PICTURE: draw},
    "about 45 CPU minutes for each run but the first, which ships",
)
