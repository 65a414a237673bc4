"""Local best response: a lower bound of what can be taken from a compiled agent at heads-up hold'em (Lisý, Bowling 2017).

The responder keeps the agent's range (`asked_range`). At its own turn it compares folding, calling and a few raises as if
both only checked and called afterwards; a raise also wins the pot as often as the range folds to it, which is asked too.
It never sees the agent's cards, and what it takes is measured by play on both sides of the same deals, so the figure is a
lower bound however rough the estimates are. When all chips are in before the river, the pot is divided by equity, which
has the same mean and less spread.

The agent begins every hand with the memory it has when it sits down, so a model that learns from hand to hand is met in
its first hand.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.interval import Interval, mean_interval
from nemesis.observe.view import NOT_YET, look, look_around
from nemesis.play.blocks import in_blocks
from nemesis.play.luck import equity_before_flop, equity_on
from nemesis.play.workers import Workers, run_blocks
from nemesis.respond.agent import Agent, CompiledAgent, Memory, call_act
from nemesis.respond.by_name import agent as named_agent
from nemesis.rules.betting import CALL, FOLD, RAISE, divide, new_hand, post_and_open, take
from nemesis.rules.canonical import HOLES
from nemesis.rules.deal import Bank, Dealer, empty_bank, fill_bank, new_dealer
from nemesis.rules.game import Game, GameError
from nemesis.rules.holdings import rate_holdings, roll_out, shown_on
from nemesis.runtime.chance import GOLDEN, nth, scramble, uniform
from nemesis.runtime.compiled import inlined, njit
from nemesis.runtime.streams import Stream, derived_seed, stream_key
from nemesis.solve.asked_range import (
    MOST_CELLS,
    Asked,
    ask_folds,
    asked_range,
    begin,
    drop_seen,
    narrow,
    note_action,
    note_street,
    tell,
)

BOARDS = 24
"""Ways to deal the rest of the board that a call is judged by."""
RAISES = (1.0, np.inf)
"""What the responder considers, in pots; the last is all in."""
_BLOCK = 50


class Room(NamedTuple):
    """Working space: the betting, the deals, the responder's equity by holding, and the agent's memory."""

    hand: NDArray[np.void]
    dealt: Bank
    equities: NDArray[np.float64]
    memory: Memory


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
    if not isinstance(agent, CompiledAgent):
        raise ValueError(f"{agent.name} has no local best response here: it must be compiled to be asked so often")
    if agent.template.size * (1 if agent.hears else HOLES) > MOST_CELLS:
        raise ValueError(
            f"{agent.name} remembers {agent.template.size:,} numbers, too many for a copy for every holding"
        )
    return agent


def _play(name: str, game: Game, seed: int, numbers: range) -> NDArray[np.float64]:
    """Chips a hand of the responder by deal, the mean of both positions."""
    agent = check_agent(named_agent(name, game), game)
    agent.sit(game, 0)
    dealer = new_dealer(game, derived_seed(seed, Stream.LOCAL_RESPONSE))
    asked = asked_range(agent, game)
    room = Room(new_hand(), empty_bank(game, len(numbers)), np.zeros(HOLES), asked.template.copy())
    won = np.zeros((len(numbers), 2))
    key = stream_key(seed, Stream.LOCAL_RESPONSE, 1)
    stacks = np.array(game.stacks, np.int64)
    blind = game.big_blind or game.bets[0]
    play_deals(game.compiled(), stacks, dealer, blind, numbers.start, key, asked, room, won)
    means: NDArray[np.float64] = won.mean(axis=1)
    return means


@njit(error_model="numpy", nogil=True)
def play_deals(
    rules: NDArray[np.void],
    stacks: NDArray[np.int64],
    dealer: Dealer,
    blind: int,
    first: int,
    key: int,
    asked: Asked,
    room: Room,
    won: NDArray[np.float64],
) -> None:
    """Play every deal in both positions. Writes `won` (deal, position of the responder)."""
    r = rules[0]
    h = room.hand[0]
    v = asked.views[0]
    seat_at = asked.seats.seat_at
    after = room.hand.copy()
    deals = won.shape[0]
    fill_bank(dealer.plan, dealer.tables, dealer.key, first, 0, deals, room.dealt)
    for row in range(deals):
        holes, board = room.dealt.holes[row], room.dealt.boards[row]
        for me in range(2):
            number = 2 * (first + row) + me
            draws = np.uint64(nth(key, number))
            post_and_open(r, stacks, h)
            begin_hand(asked, room, number, blind, board, me)
            street = np.int64(-1)
            while h.over == 0:
                if h.street != street:
                    street = np.int64(h.street)
                    drop_seen(asked, holes[me, 0], holes[me, 1], board, shown_on(street))
                    rate_holdings(dealer.tables, board, int(street), asked.wins, asked.strengths)
                    if street > 0:
                        note_street(asked, h, board, shown_on(street))
                        tell_both(asked, 1 - me, room.memory)
                draws += GOLDEN
                if h.actor == me:
                    chosen = respond(r, asked, room, row, me, dealer, draws)
                    after[0] = room.hand[0]
                    done = take(r, after[0], chosen)
                else:
                    look_around(r, h, seat_at, room.dealt, row, v)
                    look(r, h, seat_at, room.dealt, row, v)
                    chosen = call_act(asked.act, asked.views, room.memory, uniform(scramble(draws)))
                    after[0] = room.hand[0]
                    done = take(r, after[0], chosen)
                    narrow(r, room.hand, asked, done)
                v.last[h.actor] = min(done, RAISE)
                note_action(asked, h, done, after[0].pot)
                tell_both(asked, 1 - me, room.memory)
                room.hand[0] = after[0]
            divide(h, room.dealt.ranks, row)
            won[row, me] = h.payoff[me]
            if h.live & (h.live - 1) != 0 and street < 3:
                share = equity(holes, board, me, int(street), dealer, draws)
                won[row, me] = (2.0 * share - 1.0) * min(h.spent[0], h.spent[1])


@inlined
def begin_hand(asked: Asked, room: Room, number: Any, blind: Any, board: Any, me: Any) -> None:
    """The blinds are posted: the agent, as it is when it sits down, and its twin are told of the hand."""
    v = asked.views[0]
    v.hand = number
    v.big_blind = blind
    v.board_count = 0
    for seat in range(2):
        v.last[seat] = NOT_YET
    for i in range(5):
        v.board[i] = NOT_YET
        asked.bank.boards[0, i] = board[i]
    begin(asked, room.hand[0], number, blind)
    room.memory[:] = asked.template
    tell_both(asked, 1 - me, room.memory)


@inlined
def tell_both(asked: Asked, seat: Any, memory: Any) -> None:
    """Tell the agent and its twin of the event. Writes both memories."""
    if asked.hears != 0:
        tell(asked, seat, memory)
        tell(asked, seat, asked.memories[0])


@njit(error_model="numpy", nogil=True)
def equity(holes: Any, board: Any, me: int, street: int, dealer: Dealer, key: Any) -> Any:
    """The share of the pot that the responder wins on average when the rest of the board is dealt."""
    cards = np.empty(4, np.uint8)
    for i in range(2):
        cards[i], cards[2 + i] = holes[me, i], holes[1 - me, i]
    if street == 0:
        return equity_before_flop(cards, key + GOLDEN, dealer.tables.evaluator)
    return equity_on(cards, board, 2 + street, dealer.tables.evaluator)


@njit(error_model="numpy", nogil=True)
def respond(r: Any, asked: Asked, room: Room, row: int, me: int, dealer: Dealer, key: Any) -> Any:
    """The responder's action: the best of folding, calling and its raises, if both only check and call afterwards."""
    h = room.hand[0]
    v = asked.views[0]
    own = room.dealt.holes[row, me]
    roll_out(
        dealer.tables.evaluator, asked.cards, asked.weights, own[0], own[1], room.dealt.boards[row], h.street, BOARDS,
        key, room.equities,
    )  # fmt: skip
    total, ahead = 0.0, 0.0
    for hole in range(HOLES):
        total += asked.weights[hole]
        ahead += asked.weights[hole] * room.equities[hole]
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
        asked.tried[0] = room.hand[0]
        done = take(r, asked.tried[0], max(to, RAISE))
        t = asked.tried[0]
        if t.over != 0:
            continue
        look_around(r, t, asked.seats.seat_at, room.dealt, row, v)
        last = v.last[me]
        v.last[me] = RAISE
        note_action(asked, h, done, t.pot)
        ask_folds(r, asked.tried, asked, False)
        v.last[me] = last
        folded, stays, ahead = 0.0, 0.0, 0.0
        for hole in range(HOLES):
            folded += asked.weights[hole] * asked.answers[hole]
            going_on = asked.weights[hole] * (1.0 - asked.answers[hole])
            stays += going_on
            ahead += going_on * room.equities[hole]
        folded /= total
        put = to - h.wager[me]
        win = ahead / stays if stays > 0.0 else 0.5
        worth = folded * h.pot + (1.0 - folded) * (win * (h.pot + t.to_call) - (1.0 - win) * put)
        if worth > best:
            best, chosen = worth, np.int64(max(to, RAISE))
    return chosen
