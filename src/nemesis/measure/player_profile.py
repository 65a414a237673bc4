"""What an analyst wants to know of one player: his numbers, his kind, how predictable he is, and where he deviates most.

A *deviation* is a number, over all hands or at one position, whose share differs from the population's. With some hundred
comparisons a few would look striking by chance, so those are told that survive Benjamini and Hochberg's procedure: of all
told deviations at most one in twenty is expected to be chance. They are ordered by the distance from the population to the
nearer end of the credible interval, measured in standard deviations of the population: what he surely deviates by.

The *kind* is loose or tight by VPIP, aggressive or passive by the bets among his bets and calls after the flop (his
aggression factor), each beside the population's mean. Folding much is tight, not passive, so folds are left out there.
*Predictability* is the log-loss of the shipped action model on his decisions, walk-forward, in hands it was not trained on.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc

from nemesis.believe.action_model import ActionModel, digest, timeline
from nemesis.believe.known_player import follow
from nemesis.measure.interval import Interval, jackknife_interval
from nemesis.measure.player_numbers import (
    ALL,
    NUMBERS,
    SPLITS,
    Filter,
    Number,
    Numbers,
    Prior,
    Share,
    player_numbers,
    population,
    population_parts,
    posterior,
    sorted_parts,
)
from nemesis.observe.history import joined
from nemesis.observe.store import Store
from nemesis.observe.stored_hands import stored_history

FALSE_SHARE = 0.05
"""The share of told deviations that may be chance."""
LEAST_CHANCES = 10
"""Opportunities below which nothing is compared."""
EXAMPLES = 5
"""Hands that are told with a deviation."""
_LEAST = 1e-12


@dataclass(frozen=True)
class Deviation:
    """Something that he does more or less often than people do."""

    share: Share
    position: str | None
    """The position at which, or None for all hands."""
    sure: float
    """The posterior probability that he is on this side of the population."""
    spreads: float
    """The distance from the population to the nearer end of the interval, in standard deviations of the population."""
    hands: Sequence[str]
    """The latest hands in which he did it, or could have and did not if he does it less often."""
    files: Sequence[str]
    """Where each of these hands stands."""

    @property
    def more(self) -> bool:
        """Whether he does it more often than others."""
        return self.share.estimate > self.share.population


@dataclass(frozen=True)
class Kind:
    """Loose or tight, aggressive or passive, and how sure that is."""

    loose: bool
    aggressive: bool
    sure_loose: float
    sure_aggressive: float

    @property
    def words(self) -> str:
        """`tight aggressive`."""
        return f"{'loose' if self.loose else 'tight'} {'aggressive' if self.aggressive else 'passive'}"


@dataclass(frozen=True)
class Predictability:
    """How well his decisions are predicted; `gain` is what knowing him takes off the log-loss."""

    decisions: int
    accuracy: float
    log_loss: float
    log_loss_ci95: Interval
    public_log_loss: float
    gain: float
    gain_ci95: Interval


@dataclass(frozen=True)
class Profile:
    """All of it. `compared` says among how many comparisons the deviations were found."""

    numbers: Numbers
    by_position: Sequence[Numbers]
    kind: Kind
    predictability: Predictability | None
    deviations: Sequence[Deviation]
    compared: int


def player_profile(
    store: Store, player: str, model: ActionModel, room: str | None = None, chosen: Filter = ALL
) -> Profile:
    """The profile of a player of the store."""
    told = player_numbers(store, player, room, chosen, "position")
    if not told:
        raise ValueError(f"{player!r} has no hands in that part of the store")
    whole, parts = told[0], sorted_parts(told[1:], "position")
    priors = population(store, chosen)
    deviations, compared = _deviations(store, whole, parts, priors, chosen)
    kind = _kind(whole, priors)
    return Profile(whole, parts, kind, _predictability(store, whole, model), deviations, compared)


def above(share: Share, prior: Prior) -> float:
    """The posterior probability that a player's share is above the population's mean."""
    return float(1.0 - betainc(prior.a + share.made, prior.b + share.of - share.made, prior.mean))


def discoveries(chances: Sequence[float], false_share: float = FALSE_SHARE) -> NDArray[np.bool_]:
    """Which of many findings to tell, given the chance of each to be wrong (Benjamini and Hochberg 1995)."""
    values = np.asarray(chances, np.float64)
    order = np.argsort(values, kind="stable")
    allowed = false_share * np.arange(1, len(values) + 1) / max(1, len(values))
    passed = np.flatnonzero(values[order] <= allowed)
    told = np.zeros(len(values), bool)
    if len(passed):
        told[order[: passed[-1] + 1]] = True
    return told


def _kind(whole: Numbers, priors: dict[str, Prior]) -> Kind:
    loose, aggressive = (above(whole.shares[name], priors[name]) for name in ("vpip", "aggression_factor"))
    return Kind(loose >= 0.5, aggressive >= 0.5, max(loose, 1 - loose), max(aggressive, 1 - aggressive))


def _deviations(
    store: Store, whole: Numbers, parts: Sequence[Numbers], priors: dict[str, Prior], chosen: Filter
) -> tuple[list[Deviation], int]:
    places = population_parts(store, "position", chosen)
    found: list[tuple[Share, str | None, float, float]] = []
    for numbers in (whole, *parts):
        for number in NUMBERS:
            share, prior = numbers.shares[number.name], priors[number.name]
            if numbers.part is not None:
                prior = places[numbers.part][number.name]
                share = _against(share, prior)
            if share.of < LEAST_CHANCES:
                continue
            higher = above(share, prior)
            deviation = math.sqrt(prior.mean * (1 - prior.mean) / (prior.a + prior.b + 1))
            near = share.ci95[0] - prior.mean if higher > 0.5 else prior.mean - share.ci95[1]
            found.append((share, numbers.part, max(higher, 1 - higher), near / deviation))
    told = discoveries([2 * (1 - sure) for _, _, sure, _ in found])
    kept = sorted((row for row, keep in zip(found, told, strict=True) if keep), key=lambda row: -row[3])
    who = store.find_player(whole.player, whole.room)[0]
    deviations = []
    for share, part, sure, spreads in kept:
        hands = _examples(store, who, share, part, chosen)
        deviations.append(Deviation(share, part, sure, spreads, [h for h, _ in hands], [f for _, f in hands]))
    return deviations, len(found)


def _against(share: Share, prior: Prior) -> Share:
    """The share beside another population."""
    estimate, ci95 = posterior(share.made, share.of, prior)
    return Share(share.number, share.made, share.of, estimate, ci95, prior.mean)


def _examples(store: Store, who: int, share: Share, part: str | None, chosen: Filter) -> list[tuple[str, str]]:
    """The latest hands that show a deviation."""
    number: Number = share.number
    where, values = chosen.sql()
    did = ">" if share.estimate > share.population else "<="
    half = f"({number.of}) / 2.0"
    at = f"AND {SPLITS['position']} = ?" if part is not None else ""
    query = f"""
        SELECT h.name, f.path || ', line ' || h.line FROM (
            SELECT hand FROM seats
            WHERE player = ? AND {where} {at} AND ({number.of}) > 0 AND ({number.made}) {did} {half}) s
        JOIN hands h USING (hand) JOIN files f USING (file) ORDER BY h.time DESC, h.hand DESC LIMIT {EXAMPLES}"""
    return [(name, place) for name, place in store.rows(query, [who, *values, *([part] if part is not None else [])])]


def _predictability(store: Store, whole: Numbers, model: ActionModel) -> Predictability | None:
    """How well he is predicted in hands that the model was not trained on; None if there are none."""
    line = timeline(joined(list(stored_history(store, whole.player, whole.room))))
    found = follow(model, line, digest(whole.room, whole.player))
    if not len(found.done):
        return None
    each = np.arange(len(found.done))
    loss, public = (-np.log(np.maximum(said[each, found.done], _LEAST)) for said in (found.likely, found.public))
    _, hand = np.unique(found.hand, return_inverse=True)
    counts = np.bincount(hand).astype(np.float64)

    def over_hands(values: Any) -> Interval:
        units = np.stack([np.bincount(hand, values), counts], axis=1)
        if len(units) < 2:
            return -math.inf, math.inf
        return jackknife_interval(units, lambda mean: float(mean[0] / mean[1]))[1]

    return Predictability(
        len(found.done),
        float((found.likely.argmax(axis=1) == found.done).mean()),
        float(loss.mean()),
        over_hands(loss),
        float(public.mean()),
        float((public - loss).mean()),
        over_hands(public - loss),
    )
