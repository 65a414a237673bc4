"""The ten opponents of the ASHE paper, table 2, under observation: is each what it claims to be?

Everybody plays everybody heads-up, in duplicate matches on the same deals. While they play, what each does is counted
(`observe.statistics`): VPIP, PFR and the other numbers in which players describe each other, with intervals over rounds.
Every one-line description of table 2 becomes claims about those numbers, which hold if the whole interval agrees. Then
there is the order of exploitability. Table 2 gives it in words, table 3 in what the instance A4 took; the most that any
of the others takes is a rough stand-in for what can be taken, which the study `no-limit-ceilings` finds. Those who can
think must not fold more than the price allows: somebody who bets any hand asks them, by street, size and depth
(`measure.defence`).

`tables.md` in the report's folder has the whole table of statistics and the matrix of all pairs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.defence import Defence, defences
from nemesis.measure.interval import Interval, jackknife_interval, mean_interval
from nemesis.measure.matrix import Matrix, draw_matrix
from nemesis.measure.watched import play_watched
from nemesis.observe.statistics import Statistics, summary
from nemesis.play.workers import run_blocks
from nemesis.rules.games import no_limit
from nemesis.runtime.atomic import write_text
from nemesis.studies.published_opponents import PRESENT, SOLVED, Opponent
from nemesis.studies.study import Report, Row, Setting, Study
from nemesis.studies.verdict import listed

THINKING = ("LA", "LP", "TP", "TA", "HP")
"""Those who are not meant to fold too much; SL and CS are."""

_PICTURE = "matrix.png"
_TABLES = "tables.md"


class Claim(NamedTuple):
    """What table 2 says of somebody, as a number that is at least or at most so much; the bounds are ours."""

    text: str
    value: Callable[[Statistics], float]
    least: float = -math.inf
    most: float = math.inf

    def holds(self, ci95: Interval) -> bool:
        """Whether the whole interval of the number lies within the bounds."""
        return self.least <= ci95[0] and ci95[1] <= self.most


def _a_hand(*names: str) -> Callable[[Statistics], float]:
    return lambda s: sum(s[name] for name in names) / s["hands"]


def _column(name: str) -> Callable[[Statistics], float]:
    return lambda s: summary(s)[name]


_NEVER_FOLDS = Claim("never folds", _a_hand("folds", "folded_0"), most=0)
_NEVER_BETS = Claim("never bets", _a_hand("bets", "pfr"), most=0)
_SELDOM_RAISES = Claim("raises fewer than 5 % of hands", lambda s: s.pfr, most=0.05)
_BETS = Claim("bets more than it calls", lambda s: s.aggression_factor, least=1)

CLAIMS: Mapping[str, Sequence[Claim]] = {
    "HM": (
        _NEVER_FOLDS,
        Claim("bets or raises five times as often as it calls", lambda s: s.aggression_factor, least=5),
    ),
    "CM": (_NEVER_FOLDS, _NEVER_BETS),
    "SL": (
        _NEVER_BETS,
        Claim("folds to 95 % of bets", lambda s: min(s.fold_to_bet(street) for street in range(3)), least=0.95),
    ),
    "CS": (
        Claim("plays fewer than 80 % of hands", lambda s: s.vpip, most=0.8),
        _BETS,
        Claim("rarely raises a raise", lambda s: s.three_bet, most=0.1),
    ),
    "RG": (
        Claim("raises as often as something between its four models", lambda s: s.pfr, 0.2, 0.7),
        Claim("folds as often as something between them", lambda s: s.fold_to_bet(1), 0.05, 0.8),
    ),
    "LA": (
        Claim("plays 75 % of hands", lambda s: s.vpip, least=0.75),
        Claim("raises 60 % of hands", lambda s: s.pfr, least=0.6),
        Claim("bets more than it calls or folds", lambda s: s.aggression_frequency, least=0.5),
    ),
    "LP": (
        Claim("plays 45 % of hands by choice", lambda s: s.vpip, least=0.45),
        _SELDOM_RAISES,
        Claim("calls twice as often as it bets", lambda s: s.aggression_factor, most=0.5),
        Claim("folds to fewer than 45 % of bets", lambda s: max(map(s.fold_to_bet, range(4))), most=0.45),
    ),
    "TP": (
        Claim("plays fewer than 40 % of hands", lambda s: s.vpip, most=0.4),
        _SELDOM_RAISES,
        Claim("calls more often than it bets", lambda s: s.aggression_factor, most=1),
        Claim("folds to two raises in five before the flop", lambda s: s.fold_to_bet(0), least=0.4),
    ),
    "TA": (
        Claim("plays fewer hands than LA", lambda s: s.vpip, most=0.75),
        Claim("raises most of what it plays", lambda s: s["pfr"] / s["vpip"], least=0.5),
        _BETS,
    ),
    "HP": (
        Claim("check-raises one bet in ten", lambda s: s.check_raise, least=0.1),
        Claim("bets again after a called bet", lambda s: s.barrel, least=0.4),
        Claim("bets a third of the times it called and is checked to", lambda s: s.float_bet, least=0.33),
    ),
}


@dataclass(frozen=True, eq=False)
class Observed:
    """One opponent's counts, a row for each round: the same round of all its matches."""

    code: str
    rounds: NDArray[np.float64]

    @property
    def statistics(self) -> Statistics:
        """Over all rounds."""
        return Statistics(self.code, self.rounds.sum(axis=0))

    def figure(self, value: Callable[[Statistics], float]) -> tuple[float, Interval]:
        """A number and its 95 % interval over rounds; NaN where a round too few would leave nothing to count."""
        return jackknife_interval(self.rounds, lambda counts: value(Statistics(self.code, counts)))

    def figures(self) -> dict[str, tuple[float, Interval]]:
        """Every ratio by the name of its column."""
        return {name: self.figure(_column(name)) for name in summary(self.statistics)}


@dataclass(frozen=True, eq=False)
class Pair:
    """One pair of opponents: what the first won in each round, in mBB/hand, and by round what both did (`COUNTS`)."""

    first: int
    second: int
    rounds: NDArray[np.float64]
    counts: NDArray[np.float64]


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
    observed = [_observed(at, found) for at in range(size)]
    figures = {each.code: each.figures() for each in observed}
    write_text(setting.folder / _TABLES, tables(figures, matrix))
    rows = [_row(at, figures[opponent.code], found) for at, opponent in enumerate(PRESENT)]
    defended = {o.code: asked(o, setting) for o in PRESENT if o.code in THINKING}
    rows += [_defence_row(code, kinds) for code, kinds in defended.items()]
    data = {
        "hands_a_pair": 2 * rounds * hands,
        "statistics": {
            code: {name: [value, *ci95] for name, (value, ci95) in by_name.items() if math.isfinite(value)}
            for code, by_name in figures.items()
        },
        "matrix": {"players": matrix.players, "means": matrix.means.tolist(), "margins": matrix.margins.tolist()},
        "claims": {each.code: dict(checked(each)) for each in observed},
        "folds": {code: [asdict(kind) for kind in kinds] for code, kinds in defended.items()},
    }
    return Report(verdict(observed, matrix), rows, {_PICTURE: asdict(matrix)}, "mBB/hand against the other nine", data)


def play_pair(task: _Task) -> Pair:
    """Duplicate rounds of two opponents; every pair has deals of its own."""
    game = no_limit()
    agents = [PRESENT[at].seated(game) for at in (task.first, task.second)]
    seats = np.tile([[0, 1], [1, 0]], (task.rounds, 1))
    numbers = task.number + np.repeat(np.arange(task.rounds), 2)
    watched = play_watched(game, agents, seats, numbers, hands=task.hands, seed=task.seed)
    first = np.where(seats == 0, watched.played.won, 0).sum(axis=1).reshape(-1, 2).sum(axis=1)
    counts = np.array([watched.counts[seats == at].reshape(task.rounds, 2, -1).sum(axis=1) for at in (0, 1)])
    return Pair(task.first, task.second, first * game.unit[1] / (2 * task.hands), counts)


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


def _observed(at: int, pairs: Sequence[Pair]) -> Observed:
    mine = [pair.counts[0 if pair.first == at else 1] for pair in pairs if at in (pair.first, pair.second)]
    return Observed(PRESENT[at].code, np.sum(mine, axis=0))


def _row(at: int, figures: Mapping[str, tuple[float, Interval]], pairs: Sequence[Pair]) -> Row:
    mean, ci95 = against_all(at, pairs)
    told = ", ".join(f"{name} {_ratio(name, *figure)}" for name, figure in figures.items())
    opponent = PRESENT[at]
    return Row(f"{opponent.code}, {opponent.name}", mean, ci95, opponent.exploitability, note=told)


def against_all(at: int, pairs: Sequence[Pair]) -> tuple[float, Interval]:
    """The mean over the others, by rounds: each round's figure is the mean of its nine."""
    signed = [pair.rounds if pair.first == at else -pair.rounds for pair in pairs if at in (pair.first, pair.second)]
    return mean_interval(np.mean(signed, axis=0))


def checked(observed: Observed) -> list[tuple[str, bool]]:
    """Every claim about an opponent and whether its statistics bear it out."""
    return [(claim.text, claim.holds(observed.figure(claim.value)[1])) for claim in CLAIMS[observed.code]]


def most_taken(matrix: Matrix) -> dict[str, float]:
    """The most that any of the others takes from each."""
    return {code: float(matrix.means[:, at].max()) for at, code in enumerate(matrix.players)}


def rank_correlation(one: Sequence[float], other: Sequence[float]) -> float:
    """Spearman's: 1 if both order alike, -1 if oppositely. Ties get no special treatment, for there are none here."""
    ranks = [np.argsort(np.argsort(values)) for values in (one, other)]
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


def verdict(observed: Sequence[Observed], matrix: Matrix) -> str:
    """Which claims hold, and whether exploitability is in the published order."""
    results = [(each.code, text, holds) for each in observed for text, holds in checked(each)]
    failed = [f"{code} “{text}”" for code, text, holds in results if not holds]
    kept = (
        f"{len(results) - len(failed)} of {len(results)} claims of table 2, put in numbers, hold beyond the intervals"
        + (f"; not: {listed(failed)}" if failed else "")
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


def tables(figures: Mapping[str, Mapping[str, tuple[float, Interval]]], matrix: Matrix) -> str:
    """Statistics and matrix as Markdown."""
    columns = list(figures[PRESENT[0].code])
    lines = ["# Statistics, ± 95 %", "", f"| | {' | '.join(columns)} |", f"|---|{'--:|' * len(columns)}"]
    for code, by_name in figures.items():
        lines.append(f"| {code} | {' | '.join(_ratio(name, *figure) for name, figure in by_name.items())} |")
    lines += ["", f"# What the row takes from the column, {matrix.unit}, ± 95 %", ""]
    lines += [f"| | {' | '.join(matrix.players)} |", f"|---|{'--:|' * len(matrix.players)}"]
    for row, code in enumerate(matrix.players):
        cells = [
            "" if row == column else f"{matrix.means[row, column]:,.0f} ± {matrix.margins[row, column]:,.0f}"
            for column in range(len(matrix.players))
        ]
        lines.append(f"| {code} | {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def _ratio(name: str, value: float, ci95: Interval) -> str:
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞"
    margin = (ci95[1] - ci95[0]) / 2
    sign = f" ± {margin:.2f}" if name == "aggr. factor" else f" ± {100 * margin:.1f} %"
    shown = f"{value:.2f}" if name == "aggr. factor" else f"{100 * value:.1f}"
    return shown + sign if math.isfinite(margin) else shown


def draw(numbers: Mapping[str, Any], path: Path) -> None:
    """The matrix of all pairs, with everybody's name in words."""
    arrays = {key: np.array(numbers[key], np.float64) for key in ("means", "margins")}
    words = {opponent.code: opponent.name.replace(" ", "\n", 1) for opponent in PRESENT}
    draw_matrix(Matrix(**{**numbers, "players": tuple(words[code] for code in numbers["players"]), **arrays}), path)


STUDY = Study(
    "no-limit-opponents",
    "The ten opponents of no-limit hold'em, observed",
    "the ASHE paper, table 2",
    measure,
    {_PICTURE: draw},
)
