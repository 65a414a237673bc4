"""What an agent may hold, judged by asking it: the range that a local best response plays against.

Each of the 1326 holdings has a weight: how likely the agent would have played so far with it. It is found by calling the
agent's own kernel with that holding and several values of its random number. A kernel may change its memory, so each
holding has a copy of its own.

An agent that watches events has a model in its memory, too large for so many copies. It is asked through one *twin*,
which is told the same events and never sees the agent's cards. The twin is asked with a few holdings, from weak to strong,
and those near them get the same answer; after each decision it goes on as with a holding that would have done what was
done. A range may be rough: it only makes the responder play worse.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.event import DEALT, STARTS, call_watch, new_events
from nemesis.observe.telling import note_before
from nemesis.observe.view import NOT_YET, look, new_view
from nemesis.respond.agent import CompiledAgent, call_act
from nemesis.rules.betting import FOLD, RAISE, new_hand, take
from nemesis.rules.canonical import HOLES, hole_cards
from nemesis.rules.deal import Bank, empty_bank
from nemesis.rules.game import Game
from nemesis.runtime.compiled import inlined, njit

DICE, TWIN_DICE = 6, 2
"""Values of its random number that an agent is asked with, and a twin."""
STEPS = 24
"""Holdings that a twin is asked with, from weak to strong."""
MOST_CELLS = 4_000_000
"""Of all copies of an agent's memory."""
_TINY = 1e-6


class Seats(NamedTuple):
    """Who sits in which position."""

    seat_at: NDArray[np.int64]


class Asked(NamedTuple):
    """The agent's kernels, the hand that is tried and its view and event, one deal for asking, and the range by holding."""

    act: int
    watch: int
    hears: int
    """Kinds of events, as bits."""
    seats: Seats
    tried: NDArray[np.void]
    views: NDArray[np.void]
    events: NDArray[np.void]
    bank: Bank
    cards: NDArray[np.uint8]
    weights: NDArray[np.float64]
    wins: NDArray[np.float64]
    strengths: NDArray[np.float64]
    answers: NDArray[np.float64]
    """How often each holding does what was asked."""
    memories: NDArray[np.float64]
    """One for every holding, or that of the twin."""
    template: NDArray[np.float64]


def asked_range(agent: CompiledAgent, game: Game) -> Asked:
    """Room for asking an agent."""
    size = max(1, agent.template.size)
    template = np.zeros(size)
    template[: agent.template.size] = agent.template
    numbers = [np.zeros(HOLES) for _ in range(4)]
    copies = 1 if agent.hears else HOLES
    hears = sum(1 << kind for kind in agent.hears)
    return Asked(
        agent.addresses[0], agent.addresses[1], hears, Seats(np.arange(2)), new_hand(), new_view(), new_events(),
        empty_bank(game, 1), hole_cards(), numbers[0], numbers[1], numbers[2], numbers[3],
        np.zeros((copies, size)), template,
    )  # fmt: skip


@inlined
def begin(asked: Asked, h: Any, number: Any, blind: Any) -> None:
    """A hand begins: the agent may hold anything and remembers what it does when it sits down."""
    for copy in range(asked.memories.shape[0]):
        asked.memories[copy, :] = asked.template
    for hole in range(HOLES):
        asked.weights[hole] = 1.0
    if asked.hears != 0:
        e = asked.events[0]
        e.kind = STARTS
        e.hand, e.seats, e.seat, e.position, e.street, e.pot, e.big_blind = number, 2, 1, 1, 0, h.pot, blind
        e.board_count = 0


@inlined
def tell(asked: Asked, me: Any, memory: Any) -> None:
    """Tell the agent, or its twin, of the event. Writes the memory."""
    if (asked.hears >> asked.events[0].kind) & 1:
        asked.events[0].me = me
        call_watch(asked.watch, asked.events, memory)


@inlined
def note_action(asked: Asked, h: Any, done: Any, pot: Any) -> None:
    """Fill the event of what the actor of `h` does, which brings the pot to `pot`."""
    e = asked.events[0]
    note_before(asked.seats, h, e)
    e.action = min(done, RAISE)
    e.amount = pot - h.pot
    e.to = h.wager[h.actor] + e.amount


@inlined
def note_street(asked: Asked, h: Any, board: Any, shown: Any) -> None:
    """Fill the event of a street that is dealt."""
    e = asked.events[0]
    e.kind = DEALT
    e.street, e.pot, e.seat, e.board_count = h.street, h.pot, NOT_YET, shown
    for i in range(shown):
        e.board[i] = board[i]


@inlined
def drop_seen(asked: Asked, one: Any, two: Any, board: Any, shown: Any) -> None:
    """Take the holdings out of the range that hold a card that is seen. Writes the weights."""
    for hole in range(HOLES):
        for i in range(2):
            card = asked.cards[hole, i]
            seen = card in (one, two)
            for j in range(shown):
                seen |= card == board[j]
            if seen:
                asked.weights[hole] = 0.0


@inlined
def show(r: Any, h: Any, asked: Asked, hole: Any) -> None:
    """Fill the view of the hand's actor as if it had this holding."""
    p = h.actor
    asked.bank.holes[0, p, 0] = asked.cards[hole, 0]
    asked.bank.holes[0, p, 1] = asked.cards[hole, 1]
    asked.bank.win[0, p, h.street] = asked.wins[hole]
    asked.bank.strength[0, p, h.street] = asked.strengths[hole]
    look(r, h, asked.seats.seat_at, asked.bank, 0, asked.views[0])


@inlined
def would(r: Any, hand: Any, asked: Asked, memory: Any, chance: Any, scratch: Any) -> Any:
    """What the actor of a hand does, its view being filled. Writes the memory and the scratch hand."""
    chosen = call_act(asked.act, asked.views, memory, chance)
    scratch[0] = hand[0]
    return take(r, scratch[0], chosen)


@njit(error_model="numpy", nogil=True)
def narrow(r: Any, hand: NDArray[np.void], asked: Asked, done: int) -> None:
    """The agent, the hand's actor, does `done`: weigh every holding by how often it does that. Writes the range."""
    if asked.memories.shape[0] == 1:
        step_twin(r, hand, asked, done)
    else:
        answer_each(r, hand, asked, done, True)
    for hole in range(HOLES):
        asked.weights[hole] *= max(asked.answers[hole], _TINY)


@njit(error_model="numpy", nogil=True)
def ask_folds(r: Any, hand: NDArray[np.void], asked: Asked, event_told: bool) -> None:
    """How often each holding folds in this hand, of which the agent is the actor. Writes the answers."""
    if asked.memories.shape[0] == 1:
        answer_steps(r, hand, asked, FOLD, event_told)
    else:
        answer_each(r, hand, asked, FOLD, False)


@njit(error_model="numpy", nogil=True)
def answer_each(r: Any, hand: NDArray[np.void], asked: Asked, done: int, keeping: bool) -> None:
    """Ask with every holding and its own memory. Writes the answers, and the memories if they are kept."""
    h = hand[0]
    used, kept, scratch = np.empty(asked.template.size), np.empty(asked.template.size), new_scratch(hand)
    for hole in range(HOLES):
        asked.answers[hole] = 0.0
        if asked.weights[hole] == 0.0:
            continue
        show(r, h, asked, hole)
        same = 0
        for die in range(DICE):
            used[:] = asked.memories[hole]
            alike = would(r, hand, asked, used, (die + 0.5) / DICE, scratch) == done
            if die == 0 or (alike and same == 0):
                kept[:] = used
            same += alike
        asked.answers[hole] = same / DICE
        if keeping:
            asked.memories[hole, :] = kept


@njit(error_model="numpy", nogil=True)
def answer_steps(r: Any, hand: NDArray[np.void], asked: Asked, done: int, event_told: bool) -> Any:
    """Ask the twin with holdings from weak to strong, after telling it of the event if it does not know of it.

    Writes the answers; returns the holding in the middle of those that do `done`, or -1.
    """
    h = hand[0]
    live = np.flatnonzero(asked.weights > 0.0)
    if live.size == 0:
        return -1
    order = live[np.argsort(asked.strengths[live])]
    told, used, scratch = asked.memories[0].copy(), np.empty(asked.template.size), new_scratch(hand)
    if not event_told:
        tell(asked, h.actor, told)
    matching, found = 0.0, np.zeros(STEPS)
    for step in range(STEPS):
        first, last = step * order.size // STEPS, (step + 1) * order.size // STEPS
        if first == last:
            continue
        show(r, h, asked, order[(first + last) // 2])
        same = 0
        for die in range(TWIN_DICE):
            used[:] = told
            same += would(r, hand, asked, used, (die + 0.5) / TWIN_DICE, scratch) == done
        for place in range(first, last):
            asked.answers[order[place]] = same / TWIN_DICE
            found[step] += asked.weights[order[place]] * same / TWIN_DICE
        matching += found[step]
    so_far = 0.0
    for step in range(STEPS):
        so_far += found[step]
        if so_far > 0.0 and so_far >= matching / 2:
            return order[(step * order.size // STEPS + (step + 1) * order.size // STEPS) // 2]
    return -1


@njit(error_model="numpy", nogil=True)
def step_twin(r: Any, hand: NDArray[np.void], asked: Asked, done: int) -> None:
    """Weigh the holdings, and let the twin decide as with one that does what was done. Writes answers and memory."""
    hole = answer_steps(r, hand, asked, done, True)
    if hole < 0:
        return
    show(r, hand[0], asked, hole)
    used, scratch = np.empty(asked.template.size), new_scratch(hand)
    for die in range(TWIN_DICE):
        used[:] = asked.memories[0]
        if would(r, hand, asked, used, (die + 0.5) / TWIN_DICE, scratch) == done or die == TWIN_DICE - 1:
            asked.memories[0, :] = used
            return


@inlined
def new_scratch(hand: Any) -> Any:
    """A copy of a hand to try things on."""
    return hand.copy()
