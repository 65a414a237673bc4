"""The ten opponents of the ASHE paper, table 2, under observation: is each what it claims to be?

Everybody plays everybody heads-up, in duplicate matches on the same deals. While they play, what each does is counted
(`observe.statistics`): VPIP, PFR and the other numbers in which players describe each other. Every one-line
description of table 2 becomes claims about those numbers, and the report says which hold. Then there is the order of
exploitability. Table 2 gives it in words, table 3 in what the instance A4 took; the most that any of the others takes
is a rough stand-in for what can be taken, which the study `no-limit-ceilings` finds. Those who can think must not fold
more than the price allows: somebody who bets any hand asks them, by street, size and depth (`measure.defence`).

`tables.md` in the report's folder has the whole table of statistics and the matrix of all pairs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.defence import Defence, defences
from nemesis.measure.interval import Interval, mean_interval
from nemesis.measure.matrix import Matrix, draw_matrix
from nemesis.measure.watched import play_watched, statistics_of_agents
from nemesis.observe.statistics import COUNTS, Statistics, summary
from nemesis.play.workers import run_blocks
from nemesis.rules.games import no_limit
from nemesis.runtime.atomic import write_text
from nemesis.studies.published_opponents import OPPONENTS, PRESENT, SOLVED, Opponent
from nemesis.studies.study import Report, Row, Setting, Study
from nemesis.studies.verdict import listed

THINKING = ("LA", "LP", "TP", "TA", "HP")
"""Those who are not meant to fold too much; SL and CS are."""

_PICTURE = "matrix.png"
_TABLES = "tables.md"

Claim = tuple[str, Callable[[Statistics], bool]]

CLAIMS: Mapping[str, Sequence[Claim]] = {
    "HM": (
        ("never folds", lambda s: s["folds"] + s["folded_0"] == 0),
        ("bets or raises five times as often as it calls", lambda s: s.aggression_factor > 5),
    ),
    "CM": (
        ("never folds", lambda s: s["folds"] + s["folded_0"] == 0),
        ("never bets", lambda s: s["bets"] + s["pfr"] == 0),
    ),
    "SL": (
        ("never bets", lambda s: s["bets"] + s["pfr"] == 0),
        ("folds to 95 % of bets", lambda s: all(s.fold_to_bet(street) > 0.95 for street in range(3))),
    ),
    "CS": (
        ("plays fewer than 80 % of hands", lambda s: s.vpip < 0.8),
        ("bets more than it calls", lambda s: s.aggression_factor > 1),
        ("rarely raises a raise", lambda s: s.three_bet < 0.1),
    ),
    "RG": (("is between its four models", lambda s: 0.2 < s.pfr < 0.7 and 0.05 < s.fold_to_bet(1) < 0.8),),
    "LA": (
        ("plays 75 % of hands", lambda s: s.vpip > 0.75),
        ("raises 60 % of hands", lambda s: s.pfr > 0.6),
        ("bets more than it calls or folds", lambda s: s.aggression_frequency > 0.5),
    ),
    "LP": (
        ("plays 45 % of hands by choice", lambda s: s.vpip > 0.45),
        ("raises fewer than 5 % of hands", lambda s: s.pfr < 0.05),
        ("calls twice as often as it bets", lambda s: s.aggression_factor < 0.5),
        ("folds to fewer than 45 % of bets", lambda s: all(s.fold_to_bet(street) < 0.45 for street in range(4))),
    ),
    "TP": (
        ("plays fewer than 40 % of hands", lambda s: s.vpip < 0.4),
        ("raises fewer than 5 % of hands", lambda s: s.pfr < 0.05),
        ("calls more often than it bets", lambda s: s.aggression_factor < 1),
        ("folds to two raises in five before the flop", lambda s: s.fold_to_bet(0) > 0.4),
    ),
    "TA": (
        ("plays fewer hands than LA", lambda s: s.vpip < 0.75),
        ("raises most of what it plays", lambda s: s.pfr > 0.5 * s.vpip),
        ("bets more than it calls", lambda s: s.aggression_factor > 1),
    ),
    "HP": (
        ("check-raises one bet in ten", lambda s: s.check_raise > 0.1),
        ("bets again after a called bet", lambda s: s.barrel > 0.4),
        ("bets a third of the times it called and is checked to", lambda s: s.float_bet > 0.33),
    ),
}
"""What table 2 says of each, in numbers; the thresholds are ours."""


@dataclass(frozen=True, eq=False)
class Pair:
    """One pair of opponents: what the first won in each round, in mBB/hand, and both pages of counts."""

    first: int
    second: int
    rounds: NDArray[np.float64]
    pages: NDArray[np.float64]


@dataclass(frozen=True)
class _Task:
    first: int
    second: int
    rounds: int
    hands: int
    number: int
    seed: int


def measure(setting: Setting) -> Report:
    """Everybody against everybody."""
    rounds, hands = setting.choose(3, 25, 250), setting.choose(100, 1000, 1000)
    size = len(PRESENT)
    pairs = [(row, column) for row in range(size) for column in range(row + 1, size)]
    tasks = [_Task(*pair, rounds, hands, number * rounds, setting.seed) for number, pair in enumerate(pairs)]
    found = []
    for pair in run_blocks(play_pair, tasks, setting.workers):
        setting.progress(f"{PRESENT[pair.first].code} v {PRESENT[pair.second].code}")
        found.append(pair)
    matrix = as_matrix(found, 2 * rounds * hands, setting.seed)
    statistics = [_statistics(at, found) for at in range(size)]
    write_text(setting.folder / _TABLES, tables(statistics, matrix))
    rows = [_row(at, statistics[at], found) for at in range(size)]
    defended = {o.code: asked(o, setting) for o in PRESENT if o.code in THINKING}
    rows += [_defence_row(code, kinds) for code, kinds in defended.items()]
    data = {
        "hands_a_pair": 2 * rounds * hands,
        "statistics": {
            s.player: {name: value if math.isfinite(value) else None for name, value in summary(s).items()}
            for s in statistics
        },
        "matrix": {"players": matrix.players, "means": matrix.means.tolist(), "margins": matrix.margins.tolist()},
        "claims": {o.code: dict(checked(o, statistics[at])) for at, o in enumerate(PRESENT)},
        "folds": {code: [asdict(kind) for kind in kinds] for code, kinds in defended.items()},
    }
    return Report(
        verdict(statistics, matrix), rows, {_PICTURE: asdict(matrix)}, "mBB/hand against the other nine", data
    )


def play_pair(task: _Task) -> Pair:
    """Duplicate rounds of two opponents; every pair has deals of its own."""
    game = no_limit()
    agents = [PRESENT[at].seated(game) for at in (task.first, task.second)]
    seats = np.tile([[0, 1], [1, 0]], (task.rounds, 1))
    numbers = task.number + np.repeat(np.arange(task.rounds), 2)
    watched = play_watched(game, agents, seats, numbers, hands=task.hands, seed=task.seed)
    first = np.where(seats == 0, watched.played.won, 0).sum(axis=1).reshape(-1, 2).sum(axis=1)
    pages = np.array([s.counts for s in statistics_of_agents(agents, seats, watched)])
    return Pair(task.first, task.second, first * game.unit[1] / (2 * task.hands), pages)


def asked(opponent: Opponent, setting: Setting) -> list[Defence]:
    """What an opponent does against bets that mean nothing."""
    setting.progress(f"{opponent.code} asked by somebody who bets anything")
    game = no_limit()
    return defences(game, opponent.seated(game), setting.choose(2, 100, 300), seed=setting.seed)


def _defence_row(code: str, kinds: Sequence[Defence]) -> Row:
    over = [kind for kind in kinds if kind.folds_too_much]
    nearest = max(kinds, key=lambda kind: kind.folded - kind.break_even)
    note = (
        f"of {len(kinds)} kinds by street, size and depth; nearest: {nearest.folded:.1%} "
        f"({nearest.ci95[0]:.1%} … {nearest.ci95[1]:.1%}) {nearest.street}, break-even {nearest.break_even:.1%}"
    )
    return Row(f"{code}: kinds of bets folded to more than the price allows", len(over), note=note)


def as_matrix(pairs: Sequence[Pair], hands: int, seed: int) -> Matrix:
    """What the row takes from the column."""
    size = len(PRESENT)
    means, margins = np.zeros((size, size)), np.zeros((size, size))
    for pair in pairs:
        mean, (low, high) = mean_interval(pair.rounds)
        means[pair.first, pair.second], means[pair.second, pair.first] = mean, -mean
        margins[pair.first, pair.second] = margins[pair.second, pair.first] = (high - low) / 2
    codes = tuple(opponent.code for opponent in PRESENT)
    return Matrix("no-limit", "mBB/hand", codes, means, margins, hands * len(pairs), 0.0, seed)


def _statistics(at: int, pairs: Sequence[Pair]) -> Statistics:
    counts = np.zeros(len(COUNTS))
    for pair in pairs:
        counts += pair.pages[0] * (pair.first == at) + pair.pages[1] * (pair.second == at)
    return Statistics(PRESENT[at].code, counts)


def _row(at: int, statistics: Statistics, pairs: Sequence[Pair]) -> Row:
    mean, ci95 = against_all(at, pairs)
    figures = ", ".join(f"{name} {_ratio(name, value)}" for name, value in summary(statistics).items())
    opponent = PRESENT[at]
    return Row(f"{opponent.code}, {opponent.name}", mean, ci95, opponent.exploitability, note=figures)


def against_all(at: int, pairs: Sequence[Pair]) -> tuple[float, Interval]:
    """The mean over the others, by rounds: each round's figure is the mean of its nine."""
    signed = [pair.rounds if pair.first == at else -pair.rounds for pair in pairs if at in (pair.first, pair.second)]
    return mean_interval(np.mean(signed, axis=0))


def checked(opponent: Opponent, statistics: Statistics) -> list[tuple[str, bool]]:
    """Every claim about an opponent and whether its statistics bear it out."""
    return [(text, bool(holds(statistics))) for text, holds in CLAIMS[opponent.code]]


def most_taken(matrix: Matrix) -> dict[str, float]:
    """The most that any of the others takes from each."""
    return {code: float(matrix.means[:, at].max()) for at, code in enumerate(matrix.players)}


def rank_correlation(one: Sequence[float], other: Sequence[float]) -> float:
    """Spearman's: 1 if both order alike, -1 if oppositely. Ties get no special treatment, for there are none here."""
    ranks = [np.argsort(np.argsort(values)) for values in (one, other)]
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


def verdict(statistics: Sequence[Statistics], matrix: Matrix) -> str:
    """Which claims hold, and whether exploitability is in the published order."""
    results = [(o.code, text, holds) for o, s in zip(PRESENT, statistics, strict=True) for text, holds in checked(o, s)]
    failed = [f"{code} “{text}”" for code, text, holds in results if not holds]
    kept = f"{len(results) - len(failed)} of {len(results)} claims of table 2, put in numbers, hold" + (
        f"; not: {listed(failed)}" if failed else ""
    )
    taken = most_taken(matrix)
    order = sorted(taken, key=lambda code: -taken[code])
    alike = rank_correlation([taken[o.code] for o in PRESENT], [o.a4 for o in PRESENT])
    beaten = [code for at, code in enumerate(matrix.players) if matrix.means[-1, at] > matrix.margins[-1, at]]
    lost = [code for at, code in enumerate(matrix.players) if -matrix.means[-1, at] > matrix.margins[-1, at]]
    return (
        f"{kept}. From the most exploited by any of the others to the least: {', '.join(order)}; the rank correlation with "
        f"what A4 took in table 3 is {alike:.2f} (what can be taken is in `no-limit-ceilings`). HP significantly beats "
        f"{listed(beaten)} and loses to {listed(lost)}. {SOLVED.code}, which is solved, has its row in ashe-table."
    )


def tables(statistics: Sequence[Statistics], matrix: Matrix) -> str:
    """Statistics and matrix as Markdown, with an empty line for whoever is not there yet."""
    columns = list(summary(statistics[0]))
    lines = ["# Statistics", "", f"| | {' | '.join(columns)} |", f"|---|{'--:|' * len(columns)}"]
    by_code = {s.player: s for s in statistics}
    for opponent in OPPONENTS:
        if opponent.code in by_code:
            cells = [_ratio(name, value) for name, value in summary(by_code[opponent.code]).items()]
        else:
            cells = ["not there yet", *[""] * (len(columns) - 1)]
        lines.append(f"| {opponent.code} | {' | '.join(cells)} |")
    lines += ["", f"# What the row takes from the column, {matrix.unit}, ± 95 %", ""]
    lines += [f"| | {' | '.join(matrix.players)} |", f"|---|{'--:|' * len(matrix.players)}"]
    for row, code in enumerate(matrix.players):
        cells = [
            "" if row == column else f"{matrix.means[row, column]:,.0f} ± {matrix.margins[row, column]:,.0f}"
            for column in range(len(matrix.players))
        ]
        lines.append(f"| {code} | {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def _ratio(name: str, value: float) -> str:
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞"
    return f"{value:.2f}" if name == "aggr. factor" else f"{value:.0%}"


def draw(numbers: Mapping[str, Any], path: Path) -> None:
    """The matrix of all pairs, with everybody's name in words."""
    arrays = {key: np.array(numbers[key], np.float64) for key in ("means", "margins")}
    words = {opponent.code: opponent.name.replace(" ", "\n", 1) for opponent in OPPONENTS}
    draw_matrix(Matrix(**{**numbers, "players": tuple(words[code] for code in numbers["players"]), **arrays}), path)


STUDY = Study(
    "no-limit-opponents",
    "The ten opponents of no-limit hold'em, observed",
    "the ASHE paper, table 2",
    measure,
    {_PICTURE: draw},
)
