"""The Agent Modeling Laboratory of the POM report (appendix D) without its screen: sets of patterns, two networks, training.

A bench holds a *training* set, a *validation* set and a *reference* set, each from some hands of one player of the store. An
epoch trains the hand network on the training patterns whose cards were shown, and the action network on all of them; after
it both are measured on all three sets. A bench can be stepped, run, stopped and gone on with at any epoch.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.back_propagation import Settings, generalisation, prune
from nemesis.believe.opponent_model import StaticModel, static_model_from
from nemesis.believe.perceptron import ACTIVATIONS, NetworkError, Perceptron, new_perceptron
from nemesis.believe.pom_patterns import ACTIONS, INPUTS, POTENCY, Patterns, patterns_of
from nemesis.observe.store import Store
from nemesis.observe.stored_hands import chosen_history
from nemesis.runtime.limits import SEED, Limit

SETS = ("training", "validation", "reference")
NETWORKS = {"APN": "action network (APN)", "HPN": "hand network (HPN)"}
MOST_HANDS = 2000
"""Hands of a player that are loaded, the latest."""
EPOCHS = Limit("epochs", 1, 20_000)
HIDDEN = Limit("hidden nodes", 1, 60)
ROUNDS = Limit("hands of a set", 1, MOST_HANDS)
MOST_BYTES = 2_000_000
"""Of a network's file."""


class Counts(NamedTuple):
    """What the store has of a player: the source's #G, #R and #A."""

    hands: int
    streets: int
    actions: int


@dataclass(frozen=True)
class Chosen:
    """What the control panel says: the networks' shape, how they learn and when they stop."""

    hidden: int = 5
    activation: str = "sigmoid"
    gradient: float = 0.25
    rate: float = 0.3
    momentum: float = 0.15
    adaptive: bool = True
    patience: int = 50
    prune_below: float = 0.0
    max_error: float = 0.1
    min_generalisation: float = 1.0
    epochs: int = 300
    seed: int = 0

    def __post_init__(self) -> None:
        HIDDEN.check(self.hidden)
        EPOCHS.check(self.epochs)
        SEED.check(self.seed)
        if self.activation not in ACTIVATIONS:
            raise NetworkError(f"there is no activation {self.activation!r}; choose one of {', '.join(ACTIVATIONS)}")
        if not 0.01 <= self.gradient <= 10 or not 0 <= self.min_generalisation <= 1:
            raise NetworkError("a gradient lies between 0.01 and 10, a generalisation between 0 and 1")
        if self.settings.epochs != self.epochs:  # making them checks them
            raise NetworkError(f"{self.epochs} epochs cannot be trained")

    @property
    def settings(self) -> Settings:
        """The settings of the training itself."""
        return Settings(
            self.rate, self.momentum, self.max_error, self.epochs, self.adaptive, self.patience, self.prune_below
        )


class Loaded(NamedTuple):
    """A set: whose hands, which, and the patterns."""

    player: str
    first: int
    """The number of the first hand among the player's, from 0."""
    hands: int
    patterns: Patterns


class Point(NamedTuple):
    """How a network stood after an epoch; NaN where a set is empty."""

    epoch: int
    error: float
    training: float
    validation: float
    reference: float


@dataclass
class Bench:
    """One visitor's networks and sets."""

    chosen: Chosen = field(default_factory=Chosen)
    sets: dict[str, Loaded] = field(default_factory=dict)
    curves: dict[str, list[Point]] = field(default_factory=lambda: {name: [] for name in NETWORKS})
    running: bool = False
    why: str = ""
    """Why training ended."""

    def __post_init__(self) -> None:
        self.renew()

    def renew(self) -> None:
        """Start from new random weights."""
        c = self.chosen
        shape: dict[str, Any] = {"hidden": c.hidden, "activation": c.activation, "gradient": c.gradient}
        hand = new_perceptron("HPN", INPUTS, POTENCY, c.seed, 0, **shape)
        action = new_perceptron("APN", (*INPUTS, *POTENCY), ACTIONS, c.seed, 1, **shape)
        self.model = StaticModel(c.settings, c.seed, hand=hand, action=action)
        self.curves = {name: [] for name in NETWORKS}
        self.running, self.why = False, ""

    def configure(self, **changes: Any) -> None:
        """Change what the control panel says; another shape or seed starts the networks anew, the rest goes on."""
        before, self.chosen = self.chosen, replace(self.chosen, **changes)
        if any(
            getattr(before, key) != getattr(self.chosen, key) for key in ("hidden", "activation", "gradient", "seed")
        ):
            self.renew()
        else:
            self.model.hand.settings = self.model.action.settings = self.chosen.settings
            self.why = ""

    def load(self, kind: str, loaded: Loaded) -> None:
        """Take patterns as one of `SETS`; the networks go on from where they are, as when a window moves."""
        if kind not in SETS:
            raise NetworkError(f"there is no set called {kind!r}; there are {', '.join(SETS)}")
        if not len(loaded.patterns.done):
            raise NetworkError(f"{loaded.player} decides nothing in these hands; choose others")
        self.sets[kind] = loaded
        self.model.hand.start_again()
        self.model.action.start_again()
        self.why = ""

    @property
    def epoch(self) -> int:
        """How many epochs the action network has learned."""
        return len(self.curves["APN"])

    def step(self) -> bool:
        """Train both networks for an epoch; False when training is to end, and `why` says why."""
        if "training" not in self.sets:
            raise NetworkError("load a training set first: choose a player and press train")
        patterns = self.sets["training"].patterns
        shown = patterns.shown
        if shown.any():
            told = self.model.hand.epoch(patterns.inputs[shown], patterns.potency[shown])
            self.curves["HPN"].append(self._point("HPN", told.error))
        told = self.model.action.epoch(self.model.inputs(patterns), patterns.actions)
        point = self._point("APN", told.error)
        self.curves["APN"].append(point)
        c = self.chosen
        if point.error <= c.max_error:
            self.why = f"the error is not above {c.max_error:g}"
        elif c.min_generalisation < 1 and point.validation >= c.min_generalisation:
            self.why = f"the generalisation is {c.min_generalisation:.0%} or more"
        elif self.epoch >= c.epochs:
            self.why = f"{c.epochs:,} epochs are used up"
        if self.why and c.prune_below:
            cut = prune(self.model.action.network, c.prune_below)
            self.why += f"; {cut:,} weak connections were cut"
        return not self.why

    def _point(self, network: str, error: float) -> Point:
        epoch = len(self.curves[network]) + 1
        return Point(epoch, error, *(self.generalises(network, kind) for kind in SETS))

    def generalises(self, network: str, kind: str) -> float:
        """How well a network does on a set: the share of actions it has right, or one minus the mean miss of potency."""
        if kind not in self.sets:
            return math.nan
        patterns = self.sets[kind].patterns
        if network == "APN":
            return generalisation(self.model.action.network, self.model.inputs(patterns), patterns.done)
        shown = patterns.shown
        if not shown.any():
            return math.nan
        said = self.model.hand.network.answer(patterns.inputs[shown])
        return 1.0 - float(np.abs(said - patterns.potency[shown]).mean())

    def network(self, name: str) -> Perceptron:
        """One of the two networks."""
        return self.model.action.network if name == "APN" else self.model.hand.network

    def shown_to(self, name: str, kind: str, at: int) -> NDArray[np.float64]:
        """What a network is shown of a pattern."""
        one = self.sets[kind].patterns.part(slice(at, at + 1))
        given: NDArray[np.float64] = self.model.inputs(one)[0] if name == "APN" else one.inputs[0]
        return given

    def export(self) -> bytes:
        """Both networks as JSON text."""
        return (json.dumps(self.model.to_json(), ensure_ascii=False, allow_nan=False) + "\n").encode()

    def adopt(self, text: bytes) -> None:
        """Take the networks of a file that `export` wrote; anything else is refused and changes nothing."""
        if len(text) > MOST_BYTES:
            raise NetworkError(f"a file of networks has at most {MOST_BYTES:,} bytes, not {len(text):,}")
        try:
            told = json.loads(text)
        except (ValueError, RecursionError):
            raise NetworkError("this file is not JSON; networks are exported as JSON") from None
        if not isinstance(told, Mapping):
            raise NetworkError("this file holds no networks: it is not a JSON object")
        found = static_model_from(told, self.chosen.settings)
        network = found.action.network
        self.chosen = replace(
            self.chosen, hidden=len(network.hidden), activation=network.activation, gradient=network.gradient
        )
        self.model = found
        self.curves = {name: [] for name in NETWORKS}
        self.running, self.why = False, ""


def counts_of(store: Store, players: list[int]) -> dict[int, Counts]:
    """#G, #R and #A of some players: hands, streets on which they acted, and actions."""
    if not players:
        return {}
    rows = store.rows(
        f"""SELECT player, count(DISTINCT hand), count(DISTINCT hand * 4 + street), count(*) FROM actions
        WHERE player IN ({", ".join(str(int(player)) for player in players)}) GROUP BY player"""
    )
    return {int(player): Counts(*map(int, rest)) for player, *rest in rows}


def latest_patterns(store: Store, player: int) -> Patterns:
    """The patterns of a player's latest hands, at most `MOST_HANDS`, in the order of time."""
    numbers = store.arrays(
        f"SELECT hand FROM seats WHERE player = ? ORDER BY time DESC, hand DESC LIMIT {MOST_HANDS}", [player]
    )["hand"]
    return patterns_of(next(chosen_history(store, np.sort(numbers))), player)


def window(player: str, patterns: Patterns, first: int, hands: int) -> Loaded:
    """The patterns of `hands` hands from the hand number `first` on."""
    ROUNDS.check(hands)
    first = max(0, min(first, max(0, patterns.rounds - 1)))
    part = patterns.between(first, first + hands)
    return Loaded(player, first, len(np.unique(part.round)), part)
