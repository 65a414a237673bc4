"""Table 3 of the ASHE paper: every instance of ASHE against every opponent, and what the source concludes from it.

Matches of 1000 hands, each played twice on the same decks with seats swapped; a match and its mirror are one unit. As in
the source every pair plays at least 20 000 hands, and goes on while the 95 % margin exceeds 20 % of the mean. Ours goes on
with all instances at once, so that all of them have had the same deals and a difference between two gets the interval of
its own spread; and it stops at a limit, because a figure near zero would never end.

Chips taken from a scripted opponent depend on its exact rules, so a figure of ours beside a published one says little.
What can be reproduced are the source's conclusions, each a row of its own: the order of the averages, who beats HP, where
little variety in training fails, what the level of the training opponents is worth, and how they compare with an
equilibrium player. One run of each evolved player was made, so these rows are about four players and their sample is deals.
The sketch they began from is a row among them, and `equilibrium` stands where the source has Slumbot. The source does not
say how it averages; the plain mean of its own figures gives its order. A plain mean hears little but HM and CM, so the mean
of logarithms that our evolution uses (`log_earnings`) stands beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.charts import as_figure, draw_groups, draw_key, draw_title, scale_symmetrically
from nemesis.measure.earnings import SEATS, earnings
from nemesis.measure.interval import jackknife_interval, mean_interval
from nemesis.measure.picture import BLUE, GREEN, GREY, INK, ORANGE, VERMILLION, save_figure
from nemesis.respond.agent import CompiledAgent
from nemesis.respond.ashe import COMPACT, Ashe
from nemesis.respond.ashe_sketch import sketch
from nemesis.rules.games import no_limit
from nemesis.runtime.atomic import write_text
from nemesis.runtime.streams import Stages
from nemesis.solve.no_limit_ceiling import Ceiling, shipped_ceilings
from nemesis.studies.ashe_instances import INSTANCES, PUBLISHED, Instance, caution, instances, met
from nemesis.studies.ordering import ordering, orderings_summary
from nemesis.studies.published_opponents import OPPONENTS, PRESENT, SOLVED, Opponent
from nemesis.studies.study import Report, Row, Setting, Study
from nemesis.studies.verdict import listed
from nemesis.train.matches import log_units

MARGIN = 0.20
WANTED_SHARES: Mapping[str, float] = {"HM": 0.95, "CM": 0.95, "SL": 0.98}
"""How much of the ceiling A4 should take from those who have an exact one."""

SB = SOLVED.code
SKETCH = "sketch"
"""What the instances were evolved from (`respond.ashe_sketch`), as a player among them."""

_PICTURE, _TABLES = "table3.png", "tables.md"
_COLOURS = {"A1": ORANGE, "A2": GREEN, "A3": VERMILLION, "A4": BLUE, SKETCH: INK, "SB": GREY}

Rates = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Table:
    """mBB/hand of every player in every match, by the opponent's code: (players, matches). Deals are common to all."""

    players: tuple[str, ...]
    rates: Mapping[str, Rates]
    hands: int
    """in one match with its mirror"""

    def against(self, player: str, opponent: str) -> Rates:
        """By match."""
        units: Rates = self.rates[opponent][self.players.index(player)]
        return units

    def average(self, player: str) -> Rates:
        """The mean over opponents, by match, over the matches that all of them have played."""
        mean: Rates = self._common(player).mean(axis=0)
        return mean

    def log_average(self, player: str) -> Rates:
        """The mean over opponents of the logarithms of `log_earnings`, by match, over the same matches."""
        return log_units(self._common(player))

    def _common(self, player: str) -> Rates:
        at, matches = self.players.index(player), min(rates.shape[1] for rates in self.rates.values())
        return np.array([rates[at, :matches] for rates in self.rates.values()])

    def unsure(self, opponent: str) -> bool:
        """Whether some other player's margin against this opponent exceeds the share of its mean that is allowed."""
        return any(too_wide(self.against(player, opponent)) for player in self.players if player != opponent)


def too_wide(units: Rates) -> bool:
    """Whether the 95 % margin exceeds 20 % of the mean."""
    mean, (low, high) = mean_interval(units)
    return not (high - low) / 2 <= MARGIN * abs(mean)


def measure(setting: Setting) -> Report:
    """Everybody against everybody, then the source's conclusions."""
    game = no_limit()
    players = instances(game, setting)
    seated: dict[str, CompiledAgent] = {player.code: player.agent for player in players}
    seated |= {SKETCH: Ashe(game, COMPACT, sketch(COMPACT), name=SKETCH)}
    seated |= {SOLVED.code: SOLVED.seated(game)}
    faced = {o.code: o.seated(game) for o in OPPONENTS}
    first, most = setting.choose(3, 10, 100), setting.choose(3, 30, 500)
    table = play_until_sure(seated, faced, first, most, setting.choose(100, 1000, 1000), setting)
    shipped = shipped_ceilings()
    ceilings = {o.code: shipped[o.agent] for o in PRESENT if o.agent in shipped}
    write_text(setting.folder / _TABLES, grid(table))
    rows = [*cells(table, ceilings), *shares(table, ceilings), *ratios(table), *conclusions(table)]
    data = {
        "hands": {code: table.hands * rates.shape[1] for code, rates in table.rates.items()},
        "most_hands": most * table.hands,
        "shipped": {player.code: player.shipped for player in players},
    }
    return Report(verdict(players, table, rows, setting, most), rows, {_PICTURE: _numbers(table)}, "mBB/hand", data)


def play_until_sure(
    players: Mapping[str, CompiledAgent],
    opponents: Mapping[str, CompiledAgent],
    first: int,
    most: int,
    hands: int,
    setting: Setting,
) -> Table:
    """At least `first` matches of everybody against everybody, and again so many while unsure, up to `most`."""
    rates: dict[str, Rates] = {code: np.zeros((len(players), 0)) for code in opponents}
    going_on = list(opponents)
    for part in range(-(-most // first)):
        setting.progress(f"matches from {part * first + 1} against {', '.join(going_on)}")
        found = earnings(
            no_limit(), list(players.values()), [opponents[code] for code in going_on], first, hands,
            seed=setting.seed, stage=Stages.ASHE_TABLE.at(part), workers=setting.workers,
        )  # fmt: skip
        for at, code in enumerate(going_on):
            rates[code] = np.concatenate([rates[code], found[:, at]], axis=1)
        table = Table(tuple(players), rates, SEATS * hands)
        going_on = [code for code in going_on if table.unsure(code)]
        if not going_on:
            break
    return table


def conclusions(table: Table) -> Iterator[Row]:
    """What the source concludes from its table, tested on ours: each is a difference that should be above 0."""
    everybody = [code for code in table.rates if code in PUBLISHED["A1"]]

    def printed(player: str) -> float:
        return float(np.mean([PUBLISHED[player][code] for code in everybody]))

    for better, worse in (("A4", "A2"), ("A2", "A1"), ("A1", "A3")):
        gap = mean_interval(table.average(better) - table.average(worse))
        yield ordering(f"{better} > {worse}, mean over all", f"{printed(better) - printed(worse):+,.0f}", gap)
        logs = mean_interval(table.log_average(better) - table.log_average(worse))
        yield ordering(f"{better} > {worse}, mean of logarithms", "", logs, "our way to average")
    for player in ("A2", "A4"):
        taken = mean_interval(table.against(player, "HP"))
        yield ordering(f"{player} beats HP, a stranger", f"{PUBLISHED[player]['HP']:+,.0f}", taken)
    for code in (o.code for o in PRESENT):
        gap = mean_interval(table.against("A4", code) - table.against(SB, code))
        published = PUBLISHED["A4"][code] - PUBLISHED[SB][code]
        yield ordering(f"A4 > SB against {code}", f"{published:+,.0f}", gap, "conclusion 3")
    varied = ("A1", "A2", "A4")
    for code in ("CM", "CS"):
        others = np.mean([table.against(player, code) for player in varied], axis=0)
        published = float(np.mean([PUBLISHED[player][code] for player in varied])) - PUBLISHED["A3"][code]
        lost = mean_interval(others - table.against("A3", code))
        yield ordering(f"the others > A3 against {code}", f"{published:+,.0f}", lost, "A3 met no kind like it")
    for code in ("RG", "HP"):
        for player in ("A2", "A4"):
            gap = mean_interval(table.against(player, code) - table.against("A1", code))
            published = PUBLISHED[player][code] - PUBLISHED["A1"][code]
            yield ordering(f"{player} > A1 against {code}, a stranger", f"{published:+,.0f}", gap, "met stronger ones")


def shares(table: Table, ceilings: Mapping[str, Ceiling]) -> Iterator[Row]:
    """A4's share of the ceiling where a share is wanted."""
    for code, wanted in WANTED_SHARES.items():
        if code in ceilings:
            share, ci95 = mean_interval(table.against("A4", code) / ceilings[code].mean)
            reached = "reached" if ci95[1] >= wanted else "not reached"
            sure = ", surely" if ci95[0] >= wanted else ""
            yield Row(
                f"A4 v {code}, share of the ceiling", share, ci95, ceiling=1.0, note=f"{wanted:.0%} {reached}{sure}"
            )


def ratios(table: Table) -> Iterator[Row]:
    """Conclusions 2 and 3: A4 and the equilibrium player come out even, and A4 takes 1.4 to 24 times as much from others."""
    mean, (low, high) = mean_interval(table.against("A4", SB))
    even = "even" if low <= 0 <= high else "A4 is ahead" if low > 0 else "the equilibrium player is ahead"
    yield Row("A4 v SB, conclusion 2: a tie", mean, (low, high), PUBLISHED["A4"][SB], note=even)
    for code in (o.code for o in PRESENT):
        both = np.stack([table.against("A4", code), table.against(SB, code)], axis=1)
        ratio, ci95 = jackknife_interval(both, lambda means: float(means[0] / means[1]))
        yield Row(
            f"A4 v {code}, times what SB takes", ratio, ci95, round(PUBLISHED["A4"][code] / PUBLISHED[SB][code], 1),
            note="conclusion 3: 1.4 to 24 times",
        )  # fmt: skip


def cells(table: Table, ceilings: Mapping[str, Ceiling]) -> Iterator[Row]:
    """One row for every player and opponent."""
    for player in table.players:
        for code, rates in table.rates.items():
            if player == code:
                continue
            units = table.against(player, code)
            mean, ci95 = mean_interval(units)
            ceiling = ceilings.get(code)
            known = player in INSTANCES and code in met(player)
            parts = ["met in training" if known else "a stranger", f"{rates.shape[1] * table.hands:,} hands"]
            if ceiling:
                what = "ceiling" if ceiling.kind == "exact" else ceiling.kind
                parts.append(f"{mean / ceiling.mean:.0%} of the {what}")
            if too_wide(units):
                parts.append("margin above 20 %")
            published = PUBLISHED.get(player, {}).get(code)
            top = ceiling.mean if ceiling and ceiling.kind == "exact" else None
            yield Row(f"{player} v {code}", mean, ci95, published, top, "; ".join(parts))


def verdict(players: Sequence[Instance], table: Table, rows: Sequence[Row], setting: Setting, most: int) -> str:
    """Whom A4 beats, which conclusions are borne out, and what is missing."""
    results = {code: mean_interval(table.against("A4", code)) for code in table.rates}
    lost = [f"{code} ({mean:,.0f})" for code, (mean, (low, _)) in results.items() if low <= 0]
    beaten = f"{len(results) - len(lost)} of {len(results)} opponents, not {listed(lost)}" if lost else "all opponents"
    wide = [code for code in table.rates if table.unsure(code)]
    limit = f"; someone's margin is still above 20 % against {listed(wide)} at {most * table.hands:,} hands"
    return (
        f"{caution(list(players), setting)}A4 is significantly above zero against {beaten}{limit if wide else ''}. "
        f"Chips depend on the opponents' exact rules, so what the source concludes is compared and not its figures. "
        f"SB is our own `equilibrium` here.{orderings_summary(rows)}"
    )


def grid(table: Table) -> str:
    """Ours and the published table 3 in its own form."""
    lines = ["# Ours, mBB/hand ± 95 %", "", *_head()]
    for player in (*INSTANCES, SKETCH, SB):
        lines.append(f"| {player} | {' | '.join(_cell(table, player, opponent) for opponent in OPPONENTS)} |")
    lines += ["", "# Published", "", *_head()]
    for player, figures in PUBLISHED.items():
        found = [f"{figures[o.code]:,.0f}" if o.code in figures else "" for o in OPPONENTS]
        lines.append(f"| {player} | {' | '.join(found)} |")
    return "\n".join([*lines, ""])


def _head() -> list[str]:
    codes = [opponent.code for opponent in OPPONENTS]
    return [f"| | {' | '.join(codes)} |", f"|---|{'--:|' * len(codes)}"]


def _cell(table: Table, player: str, opponent: Opponent) -> str:
    if player == opponent.code or player not in table.players or opponent.code not in table.rates:
        return ""
    mean, (low, high) = mean_interval(table.against(player, opponent.code))
    return f"{mean:,.0f} ± {(high - low) / 2:,.0f}"


def _numbers(table: Table) -> dict[str, Any]:
    """What is drawn: ours and published, by player and opponent."""
    codes = list(table.rates)
    return {
        "opponents": [opponent.name for opponent in OPPONENTS if opponent.code in codes],
        "ours": {p: [as_figure(mean_interval(table.against(p, code))) for code in codes] for p in table.players},
        "published": {p: [PUBLISHED.get(p, {}).get(code) for code in codes] for p in table.players},
    }


def draw(numbers: Mapping[str, Any], path: Path) -> None:
    """Dots by opponent, one for each player, with intervals; hollow diamonds are the published figures."""
    with save_figure(path, (10, 5.4)) as figure:
        axes = figure.add_subplot()
        scale_symmetrically(axes, 100, "mBB/hand, ± 95 %")
        opponents = [name.split(",")[0].replace(" ", "\n", 1) for name in numbers["opponents"]]
        draw_groups(axes, opponents, numbers["ours"], _COLOURS, published=numbers["published"])
        draw_title(figure, "What each instance of ASHE takes from each opponent, beside the published table")
        draw_key(figure, axes, columns=7)


STUDY = Study(
    "ashe-table", "Four instances of ASHE against every opponent", "the ASHE paper, table 3", measure, {_PICTURE: draw}
)
