"""Which style does each opponent play? Bayes' rule over named styles, one observed action at a time.

From document 000, sections 4.2.4 and 7.5: an *action table* says how often each style folds, calls or bets; every style
starts equally likely, and each action multiplies its probability by how often that style does this. Checks that cost
nothing tell nothing and are disregarded; everything else is *informative*. Section 7.5 looks only at the last few
actions (`window`) so that a change of style is noticed, section 7.6 keeps a table for every street (`per_street`).

A style acts according to what it faces, and the table knows only the average. Against someone who never bets, all
that is left of a player without its free checks are its bets, and anybody looks aggressive.

We depart in one place: nothing ever becomes impossible. No entry of a table is below a small floor, and no posterior
below 1e-250, where the source's reaches zero and stays there.

A belief lives in a block of an agent's flat memory, made by `belief_block` and copied into the agent's template:

    header | table [street, action, style] | per seat: posterior, and with a window the ring of its last actions

Kernels call `see(memory, at, event[0])` from their watch and `believed(memory, at, seat, style)` when they act, with `at`
where the block starts. `StyleBelief` is the same block and the same kernels for Python.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from nemesis.believe.calibration import BeliefScore, score_posteriors
from nemesis.observe.event import ACTS, EVENT_ARRAY, Event, new_events
from nemesis.observe.hand import Hand, decisions
from nemesis.rules.betting import CALL, RAISE
from nemesis.rules.compiled import entry, inlined, njit
from nemesis.rules.game import MAX_SEATS, MAX_STREETS

ACTIONS = ("fold", "call", "bet")
DEFAULT_FLOOR = 0.001

SEATS, STYLES, STREETS, WINDOW, FIRST_SEAT, STRIDE, HEADER = range(7)
"""Places in the header of a block; after it comes the table of probabilities."""

_SMALLEST = 1e-250
_OFTEN = 32  # rows of a window multiplied before normalising, so that the product cannot vanish

_MEMORY_ARRAY = types.Array(types.float64, 1, "C")


@dataclass(frozen=True, eq=False)
class ActionTable:
    """P(fold, call, bet | style, street) among informative actions, and how it was found.

    `counts` is what was counted, by the same axes; it weighs the streets when they are pooled. Without it (a table from
    print) every street weighs the same.
    """

    styles: tuple[str, ...]
    probabilities: NDArray[np.float64]
    how: Mapping[str, Any] = field(default_factory=dict)
    counts: NDArray[np.int64] | None = None

    def __post_init__(self) -> None:
        probabilities = np.asarray(self.probabilities, np.float64)
        object.__setattr__(self, "probabilities", probabilities)
        object.__setattr__(self, "styles", tuple(self.styles))
        shape = probabilities.shape
        if len(shape) != 3 or shape[0] != len(self.styles) or not 1 <= shape[1] <= MAX_STREETS or shape[2] != 3:
            raise ValueError(
                f"an action table of {len(self.styles)} styles has probabilities of shape {shape}; it needs "
                f"({len(self.styles)}, streets, 3)"
            )
        if len(set(self.styles)) != len(self.styles) or len(self.styles) < 2:
            raise ValueError(f"an action table needs two or more different styles, not {', '.join(self.styles)}")
        if not (probabilities >= 0).all() or not np.allclose(probabilities.sum(axis=2), 1.0, atol=0.02):
            raise ValueError("each row of an action table (fold, call, bet) must be three shares that sum to 1")
        if self.counts is not None and self.counts.shape != shape:
            raise ValueError(f"an action table of shape {shape} cannot have counts of shape {self.counts.shape}")

    @classmethod
    def from_counts(
        cls, styles: Iterable[str], counts: NDArray[np.int64], how: Mapping[str, Any] | None = None
    ) -> ActionTable:
        """The shares of what was counted; a street nobody reached gets the style's shares over all streets."""
        counts = np.asarray(counts, np.int64)
        pooled = counts.sum(axis=1, keepdims=True)
        if not pooled.sum(axis=2).all():
            silent = [style for style, seen in zip(styles, pooled.sum(axis=(1, 2)), strict=True) if seen == 0]
            raise ValueError(f"no informative action of {', '.join(silent)} was seen, so nothing can be said about it")
        filled = np.where(counts.sum(axis=2, keepdims=True) > 0, counts, pooled).astype(np.float64)
        return cls(tuple(styles), filled / filled.sum(axis=2, keepdims=True), how or {}, counts)

    @property
    def streets(self) -> int:
        """How many streets the table tells apart."""
        return int(self.probabilities.shape[1])

    def pooled(self) -> ActionTable:
        """The same table with all streets taken together."""
        if self.streets == 1:
            return self
        if self.counts is not None:
            return ActionTable.from_counts(self.styles, self.counts.sum(axis=1, keepdims=True), self.how)
        return ActionTable(self.styles, self.probabilities.mean(axis=1, keepdims=True), self.how)

    def floored(self, floor: float = DEFAULT_FLOOR) -> NDArray[np.float64]:
        """The probabilities with none below (about) `floor`, each row summing to 1."""
        if not 0 < floor < 1 / 3:
            raise ValueError(f"the floor of an action table must lie between 0 and 1/3, not {floor}")
        raised = np.maximum(self.probabilities, floor)
        floored: NDArray[np.float64] = raised / raised.sum(axis=2, keepdims=True)
        return floored

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values."""
        return {
            "styles": list(self.styles),
            "actions": list(ACTIONS),
            "probabilities": np.round(self.probabilities, 6).tolist(),
            "counts": None if self.counts is None else self.counts.tolist(),
            "how": dict(self.how),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ActionTable:
        """From what `to_json` gave; a `ValueError` says what is missing or wrong."""
        missing = {"styles", "probabilities"} - set(data)
        if missing:
            raise ValueError(f"this is not an action table: it has no {' and no '.join(sorted(missing))}")
        counts = data.get("counts")
        if counts is not None:
            return cls.from_counts(tuple(data["styles"]), np.array(counts, np.int64), data.get("how", {}))
        return cls(tuple(data["styles"]), np.array(data["probabilities"], np.float64), data.get("how", {}))


def belief_size(seats: int, styles: int, streets: int, window: int = 0) -> int:
    """How many floats a block takes. `streets` is 1 for a belief that pools them."""
    return HEADER + streets * 3 * styles + seats * _stride(styles, window)


def belief_block(
    table: ActionTable, seats: int, window: int = 0, per_street: bool = False, floor: float = DEFAULT_FLOOR
) -> NDArray[np.float64]:
    """A fresh belief about `seats` players, every style equally likely, as a block of memory.

    `window` 0 remembers every action, n only the last n informative ones of each seat.
    """
    if not 1 <= seats <= MAX_SEATS:
        raise ValueError(f"a belief is about 1 to {MAX_SEATS} seats, not {seats}")
    if window < 0:
        raise ValueError(f"a window holds 0 (all) or more actions, not {window}")
    used = table if per_street else table.pooled()
    styles, streets = len(used.styles), used.streets
    block = np.zeros(belief_size(seats, styles, streets, window))
    first, stride = HEADER + streets * 3 * styles, _stride(styles, window)
    block[:HEADER] = (seats, styles, streets, window, first, stride)
    block[HEADER:first] = used.floored(floor).transpose(1, 2, 0).ravel()
    for seat in range(seats):
        posterior = first + seat * stride
        block[posterior : posterior + styles] = 1 / styles
    return block


def _stride(styles: int, window: int) -> int:
    return styles + (1 + window if window else 0)


@inlined
def see(memory: NDArray[np.float64], at: int, e: Any) -> None:
    """Learn from an event, if it is an informative action of another seat. Writes the block at `at`."""
    if e.kind == ACTS and e.seat != e.me and (e.to_call > 0 or e.action != CALL):
        learn_action(memory, at, e.seat, e.street, e.action)


@inlined
def learn_action(memory: NDArray[np.float64], at: int, seat: int, street: int, action: int) -> None:
    """Bayes' rule for one informative action. Writes the block at `at`."""
    if seat < 0 or seat >= memory[at + SEATS]:
        return
    styles: Any = np.int64(memory[at + STYLES])
    window = np.int64(memory[at + WINDOW])
    last_street: Any = np.int64(memory[at + STREETS]) - 1
    row: Any = HEADER + ((street if street < last_street else last_street) * 3 + action) * styles
    mine = posterior_at(memory, at, seat)
    if window == 0:
        for style in range(styles):
            memory[mine + style] *= memory[at + row + style]
    else:
        ring = mine + styles
        seen = np.int64(memory[ring])
        memory[ring] = seen + 1
        memory[ring + 1 + seen % window] = row
        for style in range(styles):
            memory[mine + style] = 1.0
        for i in range(min(seen + 1, window)):
            row = at + np.int64(memory[ring + 1 + i])
            for style in range(styles):
                memory[mine + style] *= memory[row + style]
            if i % _OFTEN == _OFTEN - 1:
                normalise(memory, mine, styles)
    normalise(memory, mine, styles)


@inlined
def normalise(memory: NDArray[np.float64], start: int, styles: int) -> None:
    """Make the weights from `start` on sum to 1, none so small that it could never grow again. Writes them."""
    total = 0.0
    for style in range(styles):
        total += memory[start + style]
    scale = 1.0 / total
    for style in range(styles):
        memory[start + style] = max(memory[start + style] * scale, _SMALLEST)


@inlined
def posterior_at(memory: NDArray[np.float64], at: int, seat: int) -> Any:
    """Where the posterior of `seat` begins, one number per style."""
    return at + np.int64(memory[at + FIRST_SEAT]) + seat * np.int64(memory[at + STRIDE])


@inlined
def believed(memory: NDArray[np.float64], at: int, seat: int, style: int) -> Any:
    """The probability that `seat` plays `style`."""
    return memory[posterior_at(memory, at, seat) + style]


@inlined
def likeliest(memory: NDArray[np.float64], at: int, seat: int) -> Any:
    """The style that `seat` most probably plays; of equals the first."""
    mine = posterior_at(memory, at, seat)
    best: Any = np.int64(0)
    for style in range(1, np.int64(memory[at + STYLES])):
        if memory[mine + style] > memory[mine + best]:
            best = np.int64(style)
    return best


@inlined
def reset_seat(memory: NDArray[np.float64], at: int, seat: int) -> None:
    """Forget what was seen of `seat`. Writes the block at `at`."""
    styles = np.int64(memory[at + STYLES])
    mine = posterior_at(memory, at, seat)
    for style in range(styles):
        memory[mine + style] = 1.0 / styles
    if memory[at + WINDOW] > 0:
        memory[mine + styles] = 0.0


@njit(types.void(EVENT_ARRAY, _MEMORY_ARRAY), error_model="numpy")
def _see_event(event: NDArray[np.void], memory: NDArray[np.float64]) -> None:
    see(memory, 0, event[0])


@njit(types.void(_MEMORY_ARRAY, types.int64), error_model="numpy")
def _forget(memory: NDArray[np.float64], seat: int) -> None:
    reset_seat(memory, 0, seat)


class StyleBelief:
    """A belief about the style of every seat, for Python: at the table (`watch`) and on recorded hands (`learn`)."""

    def __init__(
        self,
        table: ActionTable,
        seats: int,
        window: int = 0,
        per_street: bool = False,
        floor: float = DEFAULT_FLOOR,
    ) -> None:
        self.table = table
        self.seats = seats
        self.memory = belief_block(table, seats, window, per_street, floor)
        self._event = new_events()
        self._event["kind"], self._event["me"] = ACTS, -1
        self._see = entry(_see_event, self._event, self.memory)

    def watch(self, event: Event) -> None:
        """Learn from an event at the table; whatever is not an informative action of another seat changes nothing."""
        self._see(event.record, self.memory)

    def learn(self, action: int, street: int, to_call: int, seat: int) -> None:
        """Learn that `seat` chose `action` (0 fold, 1 check or call, 2 or more bet or raise) when it faced `to_call`."""
        self._check(seat)
        if action < 0 or not 0 <= street < MAX_STREETS:
            raise ValueError(
                f"action {action} on street {street} cannot happen; actions start at 0 and so do 4 streets"
            )
        record = self._event[0]
        record["seat"], record["street"], record["to_call"] = seat, street, to_call
        record["action"] = min(action, RAISE)
        self._see(self._event, self.memory)

    def posterior(self, seat: int) -> NDArray[np.float64]:
        """The probability of each style of the table, for the player in `seat`."""
        self._check(seat)
        styles = len(self.table.styles)
        start = int(self.memory[FIRST_SEAT]) + seat * int(self.memory[STRIDE])
        return self.memory[start : start + styles].copy()

    def forget(self, seat: int) -> None:
        """Make every style of `seat` equally likely again."""
        self._check(seat)
        _forget(self.memory, seat)

    def _check(self, seat: int) -> None:
        if not 0 <= seat < self.seats:
            raise ValueError(f"there is no seat {seat} in a belief about {self.seats} seats")


def score(
    table: ActionTable,
    hands: Iterable[Hand],
    style_of: Mapping[str, str],
    window: int = 0,
    per_street: bool = False,
    floor: float = DEFAULT_FLOOR,
) -> BeliefScore:
    """How good the belief would have been on recorded hands whose players' true styles are known.

    Players are followed by name from hand to hand, others than those in `style_of` are ignored. Every informative action
    counts once, with the posterior after it.
    """
    unknown = sorted(set(style_of.values()) - set(table.styles))
    if unknown:
        raise ValueError(f"the table knows nothing of {', '.join(unknown)}; it has {', '.join(table.styles)}")
    beliefs = {name: StyleBelief(table, 1, window, per_street, floor) for name in style_of}
    posteriors: list[NDArray[np.float64]] = []
    truths: list[int] = []
    for hand in hands:
        for faced in decisions(hand):
            name = hand.players[faced.actor] if hand.players else ""
            if name not in beliefs or (faced.to_call == 0 and faced.action == CALL):
                continue
            beliefs[name].learn(faced.action, faced.street, faced.to_call, 0)
            posteriors.append(beliefs[name].posterior(0))
            truths.append(table.styles.index(style_of[name]))
    if not truths:
        raise ValueError("these hands have no informative action of a player whose style is known")
    return score_posteriors(np.array(posteriors), np.array(truths))


def read_table(path: Path) -> ActionTable:
    """An action table from a JSON file."""
    import json

    try:
        data = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise ValueError(f"the action table {path.name} cannot be read: {error}") from None
    return ActionTable.from_json(data)
