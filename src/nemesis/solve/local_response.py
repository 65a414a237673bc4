"""Local best response: a lower bound of what can be taken from a compiled agent at heads-up hold'em (Lisý, Bowling 2017).

The responder keeps the agent's range: for each of the 1326 holdings how likely the agent would have played so far with it,
found by asking the agent's own kernel with that holding and several values of its random number. At its own turn it compares
folding, calling and a few raises as if both only checked and called afterwards; a raise also wins the pot as often as
the range folds to it, which is asked in the same way. It never sees the agent's cards, and what it takes is
measured by play on both sides of the same deals, so the figure is a lower bound however rough the estimates are.

The agent begins every hand with the memory it has when it sits down, one copy for every holding, so a model that learns from
hand to hand is met in its first hand. An agent that watches events is refused: its copies would have to be told them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.interval import Interval, mean_interval
from nemesis.observe.view import NOT_YET, look, look_around, new_view
from nemesis.play.blocks import in_blocks
from nemesis.play.workers import Workers, run_blocks
from nemesis.respond.agent import Agent, CompiledAgent, Memory, call_act
from nemesis.respond.by_name import agent as named_agent
from nemesis.rules.betting import CALL, FOLD, RAISE, divide, new_hand, post_and_open, take
from nemesis.rules.canonical import HOLES, flop_code, hole_cards, turn_code
from nemesis.rules.cards import DECK
from nemesis.rules.deal import Bank, Dealer, empty_bank, fill_bank, new_dealer
from nemesis.rules.evaluator import EMPTY_HAND, rank_of
from nemesis.rules.game import Game, GameError
from nemesis.rules.strength import flop_strength, flop_win, turn_strength, turn_win
from nemesis.rules.tabulate import RIVER_HALVES, half_wins_of_all_holes
from nemesis.runtime.chance import GOLDEN, below, nth, scramble, uniform
from nemesis.runtime.compiled import inlined, njit
from nemesis.runtime.streams import Stream, derived_seed, stream_key

DICE = 6
"""Values of its random number that the agent is asked with."""
BOARDS = 24
"""Ways to deal the rest of the board that a call is judged by."""
RAISES = (1.0, np.inf)
"""What the responder considers, in pots; the last is all in."""
MOST_CELLS = 4_000_000
"""Of all copies of the agent's memory."""
_BLOCK = 50
_TINY = 1e-6


class Room(NamedTuple):
    """What a hand is played on: the betting and a copy of it, the view, one deal for asking, and the range by holding."""

    hand: NDArray[np.void]
    tried: NDArray[np.void]
    views: NDArray[np.void]
    asked: Bank
    dealt: Bank
    cards: NDArray[np.uint8]
    weights: NDArray[np.float64]
    wins: NDArray[np.float64]
    strengths: NDArray[np.float64]
    equities: NDArray[np.float64]
    folds: NDArray[np.float64]
    memories: NDArray[np.float64]
    memory: NDArray[np.float64]


def local_response(
    agent: str,
    game: Game,
    deals: int,
    *,
    seed: int = 0,
    workers: Workers = 1,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> tuple[float, Interval]:
    """What the local best response takes from the agent of this name a hand, in the game's unit; two hands a deal."""
    check_agent(named_agent(agent, game), game)
    if deals < 1:
        raise ValueError(f"{deals} deals measure nothing; play at least 1")
    won: list[NDArray[np.float64]] = []
    for part in run_blocks(partial(_play, agent, game, seed), in_blocks(range(deals), _BLOCK), workers):
        won.append(part)
        progress(sum(map(len, won)), deals)
    return mean_interval(np.concatenate(won) * game.unit[1])


def check_agent(agent: Agent, game: Game) -> CompiledAgent:
    """The agent, if it can be asked; a sentence says why it cannot."""
    if not game.is_holdem or game.seats != 2 or game.freeze_out:
        raise GameError(f"local best responses are for heads-up hold'em; {game.name} is another game")
    if not isinstance(agent, CompiledAgent) or agent.hears:
        raise ValueError(f"{agent.name} has no local best response here: it must be compiled and watch no events")
    if agent.template.size * HOLES > MOST_CELLS:
        raise ValueError(
            f"{agent.name} remembers {agent.template.size:,} numbers, too many for a copy for every holding"
        )
    return agent


def _play(name: str, game: Game, seed: int, numbers: range) -> NDArray[np.float64]:
    """Chips a hand of the responder by deal, the mean of both positions."""
    agent = check_agent(named_agent(name, game), game)
    agent.sit(game, 0)
    dealer = new_dealer(game, derived_seed(seed, Stream.LOCAL_RESPONSE))
    size = max(1, agent.template.size)
    room = Room(
        new_hand(), new_hand(), new_view(), empty_bank(game, 1), empty_bank(game, len(numbers)),
        hole_cards(), np.zeros(HOLES), np.zeros(HOLES), np.zeros(HOLES), np.zeros(HOLES), np.zeros(HOLES),
        np.zeros((HOLES, size)), np.zeros(size),
    )  # fmt: skip
    won = np.zeros((len(numbers), 2))
    key = stream_key(seed, Stream.LOCAL_RESPONSE, 1)
    stacks = np.array(game.stacks, np.int64)
    template = np.zeros(size)
    template[: agent.template.size] = agent.template
    blind = game.big_blind or game.bets[0]
    play_deals(game.compiled(), stacks, dealer, agent.addresses[0], template, blind, numbers.start, key, room, won)
    means: NDArray[np.float64] = won.mean(axis=1)
    return means


@njit(error_model="numpy", nogil=True)
def play_deals(
    rules: NDArray[np.void],
    stacks: NDArray[np.int64],
    dealer: Dealer,
    act: int,
    template: Memory,
    blind: int,
    first: int,
    key: int,
    room: Room,
    won: NDArray[np.float64],
) -> None:
    """Play every deal in both positions. Writes `won` (deal, position of the responder)."""
    r = rules[0]
    h = room.hand[0]
    v = room.views[0]
    seat_at = np.arange(2)
    deals = won.shape[0]
    fill_bank(dealer.plan, dealer.tables, dealer.key, first, 0, deals, room.dealt)
    for row in range(deals):
        for me in range(2):
            number = 2 * (first + row) + me
            draws = np.uint64(nth(key, number))
            post_and_open(r, stacks, h)
            v.hand = number
            v.big_blind = blind
            v.board_count = 0
            for seat in range(2):
                v.last[seat] = NOT_YET
            for i in range(5):
                v.board[i] = NOT_YET
                room.asked.boards[0, i] = room.dealt.boards[row, i]
            room.memory[:] = template
            for hole in range(HOLES):
                room.memories[hole, :] = template
                room.weights[hole] = 1.0
            street = np.int64(-1)
            while h.over == 0:
                if h.street != street:
                    street = np.int64(h.street)
                    drop_seen(room, row, me, street)
                    rate(dealer, room, row, int(street))
                if h.actor == me:
                    draws += GOLDEN
                    chosen = respond(r, room, row, me, act, dealer, draws, seat_at)
                    v.last[me] = min(take(r, h, chosen), RAISE)
                    continue
                look_around(r, h, seat_at, room.dealt, row, v)
                look(r, h, seat_at, room.dealt, row, v)
                draws += GOLDEN
                chosen = call_act(act, room.views, room.memory, uniform(scramble(draws)))
                room.tried[0] = room.hand[0]
                done = take(r, room.tried[0], chosen)
                narrow(r, room, 1 - me, act, done, seat_at)
                take(r, h, chosen)
                v.last[1 - me] = min(done, RAISE)
            divide(h, room.dealt.ranks, row)
            won[row, me] = h.payoff[me]


@inlined
def drop_seen(room: Room, row: Any, me: Any, street: Any) -> None:
    """Take the holdings out of the range that hold a card the responder sees. Writes the weights."""
    shown = 0 if street == 0 else 2 + street
    for hole in range(HOLES):
        for i in range(2):
            card = room.cards[hole, i]
            seen = card == room.dealt.holes[row, me, 0] or card == room.dealt.holes[row, me, 1]
            for j in range(shown):
                seen |= card == room.dealt.boards[row, j]
            if seen:
                room.weights[hole] = 0.0


@njit(error_model="numpy", nogil=True)
def rate(dealer: Dealer, room: Room, row: int, street: int) -> None:
    """Every holding's win probability and strength on the board as it stands. Writes both."""
    canonical, strength = dealer.tables.canonical, dealer.tables.strength
    board = room.dealt.boards[row]
    if street == 3:
        halves, scratch = np.empty(HOLES, np.int32), np.empty((6, HOLES), np.int32)
        half_wins_of_all_holes(board, halves, scratch, dealer.tables.evaluator)
        for hole in range(HOLES):
            room.wins[hole] = room.strengths[hole] = halves[hole] / RIVER_HALVES
        return
    flop = flop_code(board[0], board[1], board[2], canonical)
    turn = turn_code(board[0], board[1], board[2], board[3], canonical)
    for hole in range(HOLES):
        if street == 0:
            room.wins[hole] = room.strengths[hole] = strength.preflop[hole]
        elif street == 1:
            room.wins[hole] = flop_win(flop, hole, canonical, strength)
            room.strengths[hole] = flop_strength(flop, hole, canonical, strength)
        else:
            room.wins[hole] = turn_win(turn, hole, canonical, strength)
            room.strengths[hole] = turn_strength(turn, hole, canonical, strength)


@inlined
def show(r: Any, h: Any, room: Room, hole: Any, seat_at: Any) -> None:
    """Fill the view of the hand's actor as if it had this holding."""
    p = h.actor
    room.asked.holes[0, p, 0] = room.cards[hole, 0]
    room.asked.holes[0, p, 1] = room.cards[hole, 1]
    room.asked.win[0, p, h.street] = room.wins[hole]
    room.asked.strength[0, p, h.street] = room.strengths[hole]
    look(r, h, seat_at, room.asked, 0, room.views[0])


@njit(error_model="numpy", nogil=True)
def narrow(r: Any, room: Room, position: int, act: int, done: int, seat_at: NDArray[np.int64]) -> None:
    """The agent did `done`: weigh every holding by how often it does that with it. Writes weights and memories."""
    h = room.hand[0]
    used = np.empty(room.memories.shape[1])
    kept = np.empty(room.memories.shape[1])
    for hole in range(HOLES):
        if room.weights[hole] == 0.0:
            continue
        show(r, h, room, hole, seat_at)
        same = 0
        for die in range(DICE):
            used[:] = room.memories[hole]
            chosen = call_act(act, room.views, used, (die + 0.5) / DICE)
            room.tried[0] = room.hand[0]
            alike = take(r, room.tried[0], chosen) == done
            if die == 0 or (alike and same == 0):
                kept[:] = used
            same += alike
        room.memories[hole, :] = kept
        room.weights[hole] *= max(same / DICE, _TINY)


@njit(error_model="numpy", nogil=True)
def roll_out(room: Room, row: int, me: int, street: int, dealer: Dealer, key: Any) -> None:
    """How often the responder's hand beats each holding when the rest of the board is dealt. Writes the equities."""
    evaluator = dealer.tables.evaluator
    keys, bits = evaluator.keys, evaluator.bits
    shown = 0 if street == 0 else 2 + street
    seen = bits[room.dealt.holes[row, me, 0]] | bits[room.dealt.holes[row, me, 1]]
    own, own_bits = keys[room.dealt.holes[row, me, 0]] + keys[room.dealt.holes[row, me, 1]], seen
    board, board_bits = EMPTY_HAND, np.uint64(0)
    for i in range(shown):
        board += keys[room.dealt.boards[row, i]]
        board_bits |= bits[room.dealt.boards[row, i]]
    counted = np.zeros(HOLES)
    room.equities[:] = 0.0
    state = key
    for _ in range(1 if street == 3 else BOARDS):
        full, full_bits = board, board_bits
        for _ in range(5 - shown):
            state += GOLDEN
            card = below(scramble(state), DECK)
            while bits[card] & (seen | full_bits):
                state += GOLDEN
                card = below(scramble(state), DECK)
            full += keys[card]
            full_bits |= bits[card]
        ours = rank_of(full + own, full_bits | own_bits, evaluator)
        for hole in range(HOLES):
            if room.weights[hole] == 0.0:
                continue
            theirs_bits = bits[room.cards[hole, 0]] | bits[room.cards[hole, 1]]
            if theirs_bits & full_bits:
                continue
            theirs_key = full + keys[room.cards[hole, 0]] + keys[room.cards[hole, 1]]
            theirs = rank_of(theirs_key, full_bits | theirs_bits, evaluator)
            counted[hole] += 1.0
            room.equities[hole] += 1.0 if ours > theirs else 0.5 if ours == theirs else 0.0
    for hole in range(HOLES):
        room.equities[hole] = room.equities[hole] / counted[hole] if counted[hole] > 0.0 else 0.5


@njit(error_model="numpy", nogil=True)
def folding(r: Any, room: Room, act: int, seat_at: NDArray[np.int64]) -> Any:
    """Write how often each holding folds to the raise that was tried."""
    h = room.tried[0]
    used = np.empty(room.memories.shape[1])
    for hole in range(HOLES):
        room.folds[hole] = 0.0
        if room.weights[hole] == 0.0:
            continue
        show(r, h, room, hole, seat_at)
        for die in range(DICE):
            used[:] = room.memories[hole]
            if call_act(act, room.views, used, (die + 0.5) / DICE) <= FOLD:
                room.folds[hole] += 1.0 / DICE
    return 0


@njit(error_model="numpy", nogil=True)
def respond(
    r: Any, room: Room, row: int, me: int, act: int, dealer: Dealer, key: Any, seat_at: NDArray[np.int64]
) -> Any:
    """The responder's action: the best of folding, calling and its raises, if both only check and call afterwards."""
    h = room.hand[0]
    v = room.views[0]
    roll_out(room, row, me, h.street, dealer, key)
    total, ahead = 0.0, 0.0
    for hole in range(HOLES):
        total += room.weights[hole]
        ahead += room.weights[hole] * room.equities[hole]
    win = ahead / total if total > 0.0 else 0.5
    best = 0.0
    chosen = np.int64(FOLD if h.to_call > 0 else CALL)
    called = win * h.pot - (1.0 - win) * h.to_call
    if called > best or h.to_call == 0:
        best, chosen = called, np.int64(CALL)
    if h.max_to == 0 or total == 0.0:
        return chosen
    before = np.int64(0)
    for size in RAISES:
        to = h.max_to
        if not np.isinf(size):
            to = min(h.max_to, max(h.min_to, h.bet + np.int64(size * (h.pot + h.to_call))))
        if to == before:
            continue
        before = to
        room.tried[0] = room.hand[0]
        take(r, room.tried[0], max(to, RAISE))
        t = room.tried[0]
        if t.over != 0:
            continue
        look_around(r, t, seat_at, room.dealt, row, v)
        last = v.last[me]
        v.last[me] = RAISE
        folding(r, room, act, seat_at)
        v.last[me] = last
        folded, stays, ahead = 0.0, 0.0, 0.0
        for hole in range(HOLES):
            folded += room.weights[hole] * room.folds[hole]
            going_on = room.weights[hole] * (1.0 - room.folds[hole])
            stays += going_on
            ahead += going_on * room.equities[hole]
        folded /= total
        put = to - h.wager[me]
        win = ahead / stays if stays > 0.0 else 0.5
        worth = folded * h.pot + (1.0 - folded) * (win * (h.pot + t.to_call) - (1.0 - win) * put)
        if worth > best:
            best, chosen = worth, np.int64(max(to, RAISE))
    return chosen
