"""A player's numbers with credible intervals, shrunk to the population.

A number is a share: how often something was done of how often it could have been (`NUMBERS`, sums over the rows of
seats in a store). Players differ, and few hands say little: the population's shares are taken for draws from a Beta
distribution whose spread is fitted to their counts, a player's hands turn it into a posterior, and its middle 95 %
are the interval. A player of ten hands is told like the population, one of ten thousand like himself.

Winnings are means in big blinds per 100 hands with Student's t interval over hands: after rake as published, by the rules
before rake, and after rake with the luck of all-ins taken out. Hands whose result nobody knows count for none of them.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv, betaln, stdtrit

from nemesis.observe.store import Store

_TAIL = 0.025
ALIKE = np.linspace(0.03, 0.7, 60) ** 2
"""Correlations of two opportunities of one player that are thought possible, the smaller the denser."""
FITTED = 2000
"""Players that the spread of a large population is fitted to, evenly taken."""


class Number(NamedTuple):
    """A share: its name in programs, its heading, the sums that make it, and what it counts."""

    name: str
    title: str
    made: str
    of: str
    about: str


NUMBERS = (
    Number("vpip", "VPIP", "vpip", "1", "put chips in by choice before the flop, of hands dealt in"),
    Number("pfr", "PFR", "pfr", "1", "raised before the flop, of hands dealt in"),
    Number("three_bet", "3-bet", "three_bets", "three_bet_chances", "raised the first raise, before the flop"),
    Number("fold_to_three_bet", "fold to 3-bet", "folded_to_three_bets", "faced_three_bets",
           "folded a first raise to a reraise"),
    Number("c_bet", "c-bet", "c_bets", "c_bet_chances", "bet the flop after the last raise before it"),
    Number("fold_to_c_bet_flop", "fold to c-bet, flop", "folded_to_c_bets_1", "faced_c_bets_1",
           "folded to a bet of the last street's last raiser"),
    Number("fold_to_c_bet_turn", "fold to c-bet, turn", "folded_to_c_bets_2", "faced_c_bets_2", "the same on the turn"),
    Number("fold_to_c_bet_river", "fold to c-bet, river", "folded_to_c_bets_3", "faced_c_bets_3", "the same on the river"),
    Number("barrel", "barrel", "barrels", "barrel_chances", "bet again on the turn or river after a bet was called"),
    Number("float", "float", "floats", "float_chances", "bet when checked to, after calling the street before"),
    Number("check_raise", "check-raise", "check_raises", "check_raise_chances", "raised after a check was bet into"),
    Number("fold_to_bet_preflop", "fold to raise", "folded_0", "faced_0", "folded to a raise before the flop"),
    Number("fold_to_bet_flop", "fold to bet, flop", "folded_1", "faced_1", "folded to any bet or raise on the flop"),
    Number("fold_to_bet_turn", "fold to bet, turn", "folded_2", "faced_2", "the same on the turn"),
    Number("fold_to_bet_river", "fold to bet, river", "folded_3", "faced_3", "the same on the river"),
    Number("aggression", "aggression", "bets", "bets + calls + folds", "bet or raised, of what is no check, after the flop"),
    Number("wtsd", "WTSD", "showdowns", "saw_flop", "came to a showdown, of flops seen, all-ins before it included"),
    Number("won_at_showdown", "W$SD", "showdown_halves / 2", "decided", "won showdowns whose result is known, ties half"),
)  # fmt: skip
BY_NAME = {number.name: number for number in NUMBERS}
FACTOR = Number(
    "aggression_factor", "aggr. factor", "bets", "bets + calls", "bets and raises for one call, after the flop"
)

POSITION = """CASE WHEN dealt = 2 AND position = 0 THEN 'BB' WHEN dealt = 2 THEN 'BTN' WHEN position = 0 THEN 'SB'
  WHEN position = 1 THEN 'BB' WHEN dealt - position = 1 THEN 'BTN' WHEN dealt - position = 2 THEN 'CO'
  WHEN dealt - position = 3 THEN 'HJ' WHEN dealt - position = 4 THEN 'LJ' ELSE 'EP' END"""
DEPTH = """CASE WHEN stack < 20 * big_blind THEN 'below 20 bb' WHEN stack < 50 * big_blind THEN '20 to 50 bb'
  WHEN stack < 100 * big_blind THEN '50 to 100 bb' WHEN stack < 200 * big_blind THEN '100 to 200 bb'
  ELSE 'from 200 bb' END"""
SPLITS: Mapping[str, str] = {
    "position": POSITION,
    "depth": DEPTH,
    "players": "dealt::VARCHAR",
    "day": "coalesce(strftime(time, '%Y-%m-%d'), 'unknown')",
    "month": "coalesce(strftime(time, '%Y-%m'), 'unknown')",
}
"""What numbers may be divided by, as SQL of a seat's row."""


@dataclass(frozen=True)
class Share:
    """One number of one player; `population` is the mean of everybody, weighted by opportunities."""

    number: Number
    made: float
    of: int
    estimate: float
    ci95: tuple[float, float]
    population: float

    @property
    def raw(self) -> float | None:
        """Made of opportunities, as counted; None of nothing."""
        return self.made / self.of if self.of else None


@dataclass(frozen=True)
class Winnings:
    """Big blinds won per 100 hands, over the hands whose result is known."""

    hands: int
    mean: float | None
    ci95: tuple[float, float] | None


@dataclass(frozen=True)
class Numbers:
    """Everything about one player, or about one part of its hands."""

    player: str
    room: str
    hands: int
    shares: dict[str, Share]
    won: Winnings
    before_rake: Winnings
    all_in_adjusted: Winnings
    part: str | None = None


class Prior(NamedTuple):
    """The population's spread of a share as a Beta distribution."""

    a: float
    b: float

    @property
    def mean(self) -> float:
        """The share of the whole population."""
        return self.a / (self.a + self.b)


def fit_prior(made: NDArray[np.float64], of: NDArray[np.float64]) -> Prior:
    """The Beta distribution with everybody's share as its mean and the spread that the players' counts make likely.

    How far players are alike (one over one plus the distribution's weight) is averaged over its likelihood, so that few
    players with few hands are not taken for twins.
    """
    there = of > 0
    made, of = made[there], of[there]
    mean = float(np.clip(made.sum() / of.sum(), 1e-4, 1 - 1e-4)) if of.size else 0.5
    step = 1 + of.size // FITTED
    made, of = made[::step], of[::step]
    a, b = mean * (1 / ALIKE - 1), (1 - mean) * (1 / ALIKE - 1)
    each = betaln(a[:, None] + made, b[:, None] + of - made) - betaln(a, b)[:, None]
    likelihood = each.sum(axis=1)
    weights = np.exp(likelihood - likelihood.max())
    worth = 1 / float(weights @ ALIKE / weights.sum()) - 1
    return Prior(mean * worth, (1 - mean) * worth)


def posterior(made: float, of: float, prior: Prior) -> tuple[float, tuple[float, float]]:
    """The mean of a share and its 95 % credible interval."""
    a, b = prior.a + made, prior.b + of - made
    return a / (a + b), (float(betaincinv(a, b, _TAIL)), float(betaincinv(a, b, 1 - _TAIL)))


@dataclass(frozen=True)
class Filter:
    """Which hands count: from and before these dates, and so many players dealt in; None for all."""

    since: datetime.date | None = None
    until: datetime.date | None = None
    players: int | None = None

    def sql(self) -> tuple[str, list[object]]:
        """The condition on a seat's row and its values."""
        parts: list[str] = ["true"]
        values: list[object] = []
        for value, text in (
            (self.since, "time >= ?"),
            (self.until, "time < ?"),
            (self.players, "dealt = ?"),
        ):
            if value is not None:
                parts.append(text)
                values.append(value)
        return " AND ".join(parts), values


ALL = Filter()


def sums_sql(split: str | None = None) -> str:
    """The sums of seats' rows that all numbers are made from, as SQL; `split` is a name of `SPLITS` or an expression."""
    shares = [
        f"sum({sql})::DOUBLE AS {kind}_{number.name}"
        for number in (*NUMBERS, FACTOR)
        for kind, sql in (("made", number.made), ("of", number.of))
    ]
    money = []
    for name, column in (("won", "payoff"), ("before_rake", "by_rules"), ("adjusted", "adjusted")):
        bb = f"{column}::DOUBLE / big_blind"
        money += [f"count({column}) AS n_{name}", f"sum({bb}) AS sum_{name}", f"sum(({bb}) ** 2) AS squares_{name}"]
    part = f"{SPLITS.get(split, split)} AS part, " if split else ""
    return f"player, {part}count(*) AS hands, {', '.join(shares + money)}"


def population(store: Store, chosen: Filter = ALL) -> dict[str, Prior]:
    """The spread of every number among the players of the store."""
    where, values = chosen.sql()
    sums = store.arrays(f"SELECT {sums_sql()} FROM seats WHERE {where} GROUP BY player", values)
    return priors_of(sums)


def population_parts(store: Store, split: str, chosen: Filter = ALL) -> dict[str, dict[str, Prior]]:
    """The same for each part that hands are divided into."""
    where, values = chosen.sql()
    query = f"SELECT {sums_sql(split)} FROM seats WHERE {where} GROUP BY player, part ORDER BY part, player"
    sums = store.arrays(query, values)
    parts = sums["part"].astype(str)
    return {
        str(part): priors_of({name: column[parts == part] for name, column in sums.items()})
        for part in np.unique(parts)
    }


def priors_of(sums: Mapping[str, Any]) -> dict[str, Prior]:
    """The population's spread of every number, from a row of sums for each player."""
    return {
        number.name: fit_prior(counted(sums[f"made_{number.name}"]), counted(sums[f"of_{number.name}"]))
        for number in (*NUMBERS, FACTOR)
    }


def counted(column: Any) -> NDArray[np.float64]:
    """A column of sums as plain numbers; a sum of nothing is 0."""
    return np.ma.filled(column, 0.0).astype(np.float64)


def all_numbers(store: Store, chosen: Filter = ALL, least: int = 1) -> list[Numbers]:
    """The numbers of every player with that many hands, the most hands first."""
    where, values = chosen.sql()
    sums = store.arrays(f"SELECT {sums_sql()} FROM seats WHERE {where} GROUP BY player", values)
    priors = priors_of(sums)
    names = {player: (name, room) for player, name, room in store.rows("SELECT player, name, room FROM players")}
    order = np.argsort(-sums["hands"], kind="stable")
    kept = [at for at in order.tolist() if sums["hands"][at] >= least]
    return [numbers_of_row(sums, at, *names[int(sums["player"][at])], priors) for at in kept]


def player_numbers(
    store: Store, player: str, room: str | None = None, chosen: Filter = ALL, split: str | None = None
) -> list[Numbers]:
    """The numbers of one player: of all its hands first, then of its parts if they are divided by `split`."""
    number, name, where_from = store.find_player(player, room)
    priors = population(store, chosen)
    where, values = chosen.sql()
    told = []
    for by in [None, *([split] if split else [])]:
        groups = "player, part" if by else "player"
        query = f"SELECT {sums_sql(by)} FROM seats WHERE player = ? AND {where} GROUP BY {groups} ORDER BY {groups}"
        sums = store.arrays(query, [number, *values])
        rows = range(len(sums["hands"]))
        told += [numbers_of_row(sums, at, name, where_from, priors, sums["part"][at] if by else None) for at in rows]
    return told


def hands_of(
    store: Store, player: str, number: str, room: str | None = None, chosen: Filter = ALL, limit: int | None = None
) -> list[dict[str, Any]]:
    """The hands behind a number: where each stands, and how often it was done of how often it could have been."""
    who, _, _ = store.find_player(player, room)
    share = BY_NAME.get(number)
    if share is None:
        raise ValueError(f"{number!r} is not a number; known are {', '.join(BY_NAME)}")
    where, values = chosen.sql()
    rows = store.rows(
        f"""SELECT h.name, h.time, f.path, h.line, s.made, s.of, s.payoff / h.scale FROM (
            SELECT hand, ({share.made})::DOUBLE AS made, ({share.of})::BIGINT AS of, payoff FROM seats
            WHERE player = ? AND {where} AND ({share.of}) > 0) s
        JOIN hands h USING (hand) JOIN files f USING (file) ORDER BY h.time, h.hand
        {f"LIMIT {int(limit)}" if limit else ""}""",
        [who, *values],
    )
    keys = ("hand", "time", "file", "line", "made", "of", "won")
    return [dict(zip(keys, (row[0], row[1].isoformat() if row[1] else None, *row[2:]), strict=True)) for row in rows]


def numbers_of_row(
    sums: Mapping[str, Any], at: int, player: str, room: str, priors: Mapping[str, Prior], part: str | None = None
) -> Numbers:
    """The numbers that a row of sums makes."""
    shares = {}
    for number in (*NUMBERS, FACTOR):
        made, of = (float(counted(sums[f"{kind}_{number.name}"][at : at + 1])[0]) for kind in ("made", "of"))
        prior = priors[number.name]
        mean, ci95 = posterior(made, of, prior)
        shares[number.name] = Share(number, made, int(of), mean, ci95, prior.mean)
    won, before, adjusted = (_winnings(sums, at, name) for name in ("won", "before_rake", "adjusted"))
    return Numbers(player, room, int(sums["hands"][at]), shares, won, before, adjusted, part)


def _winnings(sums: Mapping[str, Any], at: int, name: str) -> Winnings:
    hands = int(sums[f"n_{name}"][at])
    if hands == 0:
        return Winnings(0, None, None)
    total, squares = float(sums[f"sum_{name}"][at]), float(sums[f"squares_{name}"][at])
    mean = total / hands
    if hands == 1:
        return Winnings(1, 100 * mean, None)
    deviation = math.sqrt(max(0.0, (squares - hands * mean * mean) / (hands - 1)))
    margin = float(stdtrit(hands - 1, 1 - _TAIL)) * deviation / math.sqrt(hands)
    return Winnings(hands, 100 * mean, (100 * (mean - margin), 100 * (mean + margin)))


def as_factor(share: float) -> float:
    """A share of bets among bets and calls as bets for one call; infinite where there are no calls."""
    return share / (1 - share) if share < 1 else math.inf


def sorted_parts(parts: Sequence[Numbers], split: str) -> list[Numbers]:
    """Parts in the order people expect: positions by turn, depths and numbers of players by size."""
    orders = {
        "position": ("SB", "BB", "EP", "LJ", "HJ", "CO", "BTN"),
        "depth": ("below 20 bb", "20 to 50 bb", "50 to 100 bb", "100 to 200 bb", "from 200 bb"),
    }
    order = orders.get(split)
    if order is not None:
        return sorted(parts, key=lambda numbers: order.index(numbers.part or ""))
    return sorted(parts, key=lambda numbers: (len(numbers.part or ""), numbers.part or ""))
