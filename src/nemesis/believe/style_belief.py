"""Which style does each opponent play? Bayes' rule over named styles, one observed action at a time.

An action table says how often each style folds, calls or bets. Every style starts equally likely, and each action multiplies
a style's probability by how often that style does such a thing (Baker 2010, sections 4.2.4 and 7.5). What an action is
compared with is the belief's *variant*; `docs/explanation/style-beliefs.md` explains the four and what each is worth.
`window` looks only at the last actions, so that a change of style is noticed. Unlike the source's, no probability becomes
zero, so that no style is ruled out for ever.

A belief is a block of an agent's flat memory, made by `belief_block`. Kernels call `see(memory, at, event[0])` when
they watch and `believed(memory, at, seat, style)` when they act, with `at` where the block starts; `heard_by` says
which events to ask for. `StyleBelief` is the same block and the same kernels for Python.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from nemesis.believe.action_table import DEFAULT_FLOOR, VARIANTS, Variant
from nemesis.believe.action_table import ActionTable as ActionTable
from nemesis.believe.calibration import BeliefScore, score_posteriors
from nemesis.believe.situation import (
    FORCED,
    NOTHING_YET,
    SHOWN,
    SITUATIONS,
    facing,
    previous_action,
    shown_row,
    situation_row,
    strength_of,
)
from nemesis.observe.event import ACTS, SHOWS, WATCH, Event, new_events
from nemesis.observe.hand import Hand
from nemesis.observe.retell import retell
from nemesis.observe.tape_of_hands import tape_of
from nemesis.observe.taped_players import around
from nemesis.rules.betting import CALL
from nemesis.rules.game import MAX_SEATS
from nemesis.runtime.compiled import MEMORY_ARRAY, entry, inlined, njit
from nemesis.runtime.memory import CELL, REST, Layout

PLAIN, STREET, SITUATION, SHOWDOWN = range(4)
"""The variants by number."""

_SMALLEST = 1e-250
_OFTEN = 32  # rows of a window multiplied before normalising, so that the product cannot vanish
_MOST = 24  # actions of one seat in one hand that a showdown can still reconsider
_OPPONENTS = 16


class Places(NamedTuple):
    """A block: its sizes, where the seats begin and how far they lie apart, and the action frequencies; then the seats."""

    seats: int = CELL
    styles: int = CELL
    streets: int = CELL
    window: int = CELL
    first_seat: int = CELL
    stride: int = CELL
    variant: int = CELL
    frequencies: int = REST


class Notes(NamedTuple):
    """What is kept of one seat's hand in play: by situation the first two, with showdowns all."""

    hand: int = CELL
    previous: int = CELL
    actions: int = CELL
    done: int = _MOST
    before: int = REST
    """what was believed before the hand"""


LAYOUT, NOTES = Layout(Places), Layout(Notes)
AT, NOTE = LAYOUT.at, NOTES.at


def belief_size(seats: int, styles: int, streets: int, window: int = 0, variant: Variant = "street") -> int:
    """How many floats a block takes."""
    return LAYOUT.size + _rows(streets, variant) * 3 * styles + seats * _stride(styles, window, variant)


def belief_block(
    table: ActionTable, seats: int, window: int = 0, variant: Variant = "plain", floor: float = DEFAULT_FLOOR
) -> NDArray[np.float64]:
    """A fresh belief about `seats` players, every style equally likely, as a block of memory.

    `window` 0 remembers every action, n only the last n of each seat that the variant looks at.
    """
    if not 1 <= seats <= MAX_SEATS:
        raise ValueError(f"a belief is about 1 to {MAX_SEATS} seats, not {seats}")
    if window < 0:
        raise ValueError(f"a window holds 0 (all) or more actions, not {window}")
    if variant not in VARIANTS:
        raise ValueError(f"there is no belief by {variant!r}; there are {', '.join(VARIANTS)}")
    rows = table.floored(floor, variant)
    styles, streets = len(table.styles), 1 if variant == "plain" else table.streets
    stride = _stride(styles, window, variant)
    head = LAYOUT.template(
        seats=seats, styles=styles, streets=streets, window=window, first_seat=LAYOUT.size + rows.size, stride=stride,
        variant=VARIANTS.index(variant), frequencies=rows.transpose(1, 2, 0),
    )  # fmt: skip
    block = np.concatenate([head, np.zeros(seats * stride)])
    for seat in range(seats):
        reset_seat(block, 0, seat)
    return block


def heard_by(variant: Variant) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """The kinds of events and the facts of shown hands that a belief learns from."""
    return ((ACTS, SHOWS), ("win",)) if variant == "showdown" else ((ACTS,), ())


def _rows(streets: int, variant: Variant) -> int:
    return streets * {"plain": 1, "street": 1, "situation": SITUATIONS, "showdown": SITUATIONS + SHOWN}[variant]


def _stride(styles: int, window: int, variant: Variant) -> int:
    notes = {"plain": 0, "street": 0, "situation": NOTE.actions, "showdown": NOTE.before + styles}[variant]
    return styles + (1 + window if window else 0) + notes


@inlined
def see(memory: NDArray[np.float64], at: int, e: Any) -> None:
    """Learn from an event, if it is an action or a shown hand of another seat. Writes the block at `at`."""
    if e.seat == e.me or e.seat < 0 or e.seat >= memory[at + AT.seats]:
        return
    if e.kind == ACTS:
        if memory[at + AT.variant] < SITUATION:
            if e.to_call > 0 or e.action != CALL:
                learn_action(memory, at, e.seat, e.street, e.action)
        else:
            faced = facing(e.to_call, e.max_to)
            learn_situation(memory, at, e.seat, e.hand, e.street, faced, e.opponents, e.action)
    elif e.kind == SHOWS:
        learn_shown(memory, at, e.seat, e.hand, e.win)


@inlined
def learn_action(memory: NDArray[np.float64], at: int, seat: int, street: int, action: int) -> None:
    """Bayes' rule for one informative action, plain or by street. Writes the block at `at`."""
    if 0 <= seat < memory[at + AT.seats]:
        learn_row(memory, at, seat, street_of(memory, at, street), action)


@inlined
def street_of(memory: NDArray[np.float64], at: int, street: int) -> Any:
    """The street as far as the table tells them apart."""
    last: Any = np.int64(memory[at + AT.streets]) - 1
    return street if street < last else last


@inlined
def learn_row(memory: NDArray[np.float64], at: int, seat: int, number: int, action: int) -> None:
    """Bayes' rule for an action in a row of the table. Writes the block at `at`."""
    styles: Any = np.int64(memory[at + AT.styles])
    window = np.int64(memory[at + AT.window])
    row = AT.frequencies + (number * 3 + action) * styles
    mine = posterior_at(memory, at, seat)
    if window == 0:
        for style in range(styles):
            memory[mine + style] *= memory[at + row + style]
        normalise(memory, mine, styles)
    else:
        ring = mine + styles
        seen = np.int64(memory[ring])
        memory[ring] = seen + 1
        memory[ring + 1 + seen % window] = row
        look_back(memory, at, mine)


@inlined
def look_back(memory: NDArray[np.float64], at: int, mine: int) -> None:
    """The posterior at `mine` from the actions in its window alone. Writes it."""
    styles: Any = np.int64(memory[at + AT.styles])
    window = np.int64(memory[at + AT.window])
    ring = mine + styles
    for style in range(styles):
        memory[mine + style] = 1.0
    for i in range(min(np.int64(memory[ring]), window)):
        row = at + np.int64(memory[ring + 1 + i])
        for style in range(styles):
            memory[mine + style] *= memory[row + style]
        if i % _OFTEN == _OFTEN - 1:
            normalise(memory, mine, styles)
    normalise(memory, mine, styles)


@inlined
def learn_situation(
    memory: NDArray[np.float64], at: int, seat: int, hand: int, street: int, faced: int, opponents: int, action: int
) -> None:
    """Bayes' rule for one action in its situation. Writes the block at `at`."""
    if faced == FORCED:
        return
    street = street_of(memory, at, street)
    styles: Any = np.int64(memory[at + AT.styles])
    mine = posterior_at(memory, at, seat)
    notes = notes_at(memory, at, mine)
    keeps = memory[at + AT.variant] == SHOWDOWN
    if memory[notes + NOTE.hand] != hand:
        memory[notes + NOTE.hand] = hand
        memory[notes + NOTE.previous] = NOTHING_YET
        if keeps:
            memory[notes + NOTE.actions] = 0.0
            for style in range(styles):
                memory[notes + NOTE.before + style] = memory[mine + style]
    previous: Any = np.int64(memory[notes + NOTE.previous])
    number = situation_row(street, faced, previous, opponents)
    memory[notes + NOTE.previous] = previous_action(action)
    learn_row(memory, at, seat, number, action)
    if keeps:
        count = np.int64(memory[notes + NOTE.actions])
        if count < _MOST:
            known = shown_row(street, faced, 0) * 3 + action
            memory[notes + NOTE.done + count] = known * _OPPONENTS + opponents
            memory[notes + NOTE.actions] = count + 1
        else:
            row = at + AT.frequencies + (number * 3 + action) * styles
            base = notes + NOTE.before
            for style in range(styles):
                memory[base + style] *= memory[row + style]
            normalise(memory, base, styles)


@inlined
def learn_shown(memory: NDArray[np.float64], at: int, seat: int, hand: int, win: NDArray[np.float64]) -> None:
    """A hand was shown that beats one random hand with probability `win`, by street: reconsider what was done with it.

    Writes the block at `at`. Without the win probabilities (they are NaN if nobody asked for them), and in variants that
    do not look at shown hands, nothing changes.
    """
    if memory[at + AT.variant] != SHOWDOWN:
        return
    styles: Any = np.int64(memory[at + AT.styles])
    window = np.int64(memory[at + AT.window])
    mine = posterior_at(memory, at, seat)
    notes = notes_at(memory, at, mine)
    count = np.int64(memory[notes + NOTE.actions])
    if memory[notes + NOTE.hand] != hand:
        return
    for i in range(count):
        street = np.int64(memory[notes + NOTE.done + i]) // (_OPPONENTS * 3 * SHOWN)
        if win[street] != win[street]:
            return
    base = notes + NOTE.before
    situations = np.int64(memory[at + AT.streets]) * SITUATIONS
    if window == 0:
        for style in range(styles):
            memory[mine + style] = memory[base + style]
    for i in range(count):
        done: Any = np.int64(memory[notes + NOTE.done + i])
        known = done // _OPPONENTS
        street = known // (3 * SHOWN)
        strength = strength_of(win[street], done % _OPPONENTS)
        row = AT.frequencies + (situations * 3 + known + 3 * strength) * styles
        if window == 0:
            for style in range(styles):
                memory[mine + style] *= memory[at + row + style]
            normalise(memory, mine, styles)
        else:
            ring = mine + styles
            seen = np.int64(memory[ring])
            place = seen - count + i
            if place >= seen - window:
                memory[ring + 1 + place % window] = row
    if window > 0:
        look_back(memory, at, mine)
    memory[notes + NOTE.actions] = 0.0


@inlined
def notes_at(memory: NDArray[np.float64], at: int, mine: int) -> Any:
    """Where a seat's notes on the hand in play begin, behind its posterior at `mine` and its window."""
    window = np.int64(memory[at + AT.window])
    return mine + np.int64(memory[at + AT.styles]) + (1 + window if window > 0 else 0)


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
    return at + np.int64(memory[at + AT.first_seat]) + seat * np.int64(memory[at + AT.stride])


@inlined
def believed(memory: NDArray[np.float64], at: int, seat: int, style: int) -> Any:
    """The probability that `seat` plays `style`."""
    return memory[posterior_at(memory, at, seat) + style]


@inlined
def likeliest(memory: NDArray[np.float64], at: int, seat: int) -> Any:
    """The style that `seat` most probably plays; of equals the first."""
    mine = posterior_at(memory, at, seat)
    best: Any = np.int64(0)
    for style in range(1, np.int64(memory[at + AT.styles])):
        if memory[mine + style] > memory[mine + best]:
            best = np.int64(style)
    return best


@inlined
def reset_seat(memory: NDArray[np.float64], at: int, seat: int) -> None:
    """Forget what was seen of `seat`. Writes the block at `at`."""
    styles = np.int64(memory[at + AT.styles])
    mine = posterior_at(memory, at, seat)
    for style in range(styles):
        memory[mine + style] = 1.0 / styles
    if memory[at + AT.window] > 0:
        memory[mine + styles] = 0.0
    if memory[at + AT.variant] >= SITUATION:
        memory[notes_at(memory, at, mine) + NOTE.hand] = -1.0


@njit(WATCH, error_model="numpy")
def see_event(event: NDArray[np.void], memory: NDArray[np.float64]) -> None:
    """`see` as a model that watches; its memory is a block."""
    see(memory, 0, event[0])


@njit(types.void(MEMORY_ARRAY, types.int64), error_model="numpy")
def _forget(memory: NDArray[np.float64], seat: int) -> None:
    reset_seat(memory, 0, seat)


class StyleBelief:
    """A belief about the style of every seat, for Python. Recorded hands teach it by their events (`observe.retell`)."""

    def __init__(
        self,
        table: ActionTable,
        seats: int,
        window: int = 0,
        variant: Variant = "plain",
        floor: float = DEFAULT_FLOOR,
    ) -> None:
        self.table = table
        self.seats = seats
        self.memory = belief_block(table, seats, window, variant, floor)
        self._see = entry(see_event, new_events(), self.memory)

    def watch(self, event: Event) -> None:
        """Learn from an event at the table; whatever is not an informative action of another seat changes nothing."""
        self._see(event.record, self.memory)

    def posterior(self, seat: int) -> NDArray[np.float64]:
        """The probability of each style of the table, for the player in `seat`."""
        self._check(seat)
        styles = len(self.table.styles)
        start = int(self.memory[AT.first_seat]) + seat * int(self.memory[AT.stride])
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
    variant: Variant = "plain",
    floor: float = DEFAULT_FLOOR,
) -> BeliefScore:
    """How good the belief would have been on recorded hands whose players' true styles are known.

    Players are followed by name from hand to hand, others than those in `style_of` are ignored. Every informative action
    counts once, with the posterior after it.
    """
    unknown = sorted(set(style_of.values()) - set(table.styles))
    if unknown:
        raise ValueError(f"the table knows nothing of {', '.join(unknown)}; it has {', '.join(table.styles)}")
    tape, facts = tape_of(hands, ()), heard_by(variant)[1]
    posteriors: list[NDArray[np.float64]] = []
    truths: list[int] = []
    for name in sorted(set(style_of) & set(tape.players)):
        belief, own = StyleBelief(table, 1, window, variant, floor), around(tape, name)
        neighbour = np.zeros((len(own), own.seats), bool)
        neighbour[:, 1] = True
        told = retell(own, facts, neighbour).events
        for at in range(len(told)):
            event = Event(told[at : at + 1])
            belief.watch(event)
            if event.kind == ACTS and event.seat == 0 and (event.to_call > 0 or event.action != CALL):
                posteriors.append(belief.posterior(0))
                truths.append(table.styles.index(style_of[name]))
    if not truths:
        raise ValueError("these hands have no informative action of a player whose style is known")
    return score_posteriors(np.array(posteriors), np.array(truths))
