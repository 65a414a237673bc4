"""Matches written down: every hand as a record that replays to the same chips, for files and for study."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from nemesis.observe.hand import Hand, decisions, replay
from nemesis.play.loop import NO_ACTION
from nemesis.play.match import DEFAULT_TIME_LIMIT, Arena
from nemesis.respond.agent import Agent
from nemesis.rules.deal import Bank, deal
from nemesis.rules.game import Game


def record_match(
    game: Game,
    agents: Sequence[Agent],
    hands: int,
    *,
    seed: int = 0,
    bank: Bank | None = None,
    time_limit: float = DEFAULT_TIME_LIMIT,
) -> list[Hand]:
    """Play one match of `hands` hands (stacks reset every hand), agent `i` in seat `i`, and return its hands.

    The cards are deals 0, 1, … of `(game, seed)`, or those of `bank` when given.
    """
    if bank is None:
        facts = frozenset[str]().union(*(agent.facts for agent in agents))
        bank = deal(game, seed, 0, hands, facts)
    arena = Arena(game, agents, seed, bank, taping=True)
    lineups = arena.lineups(np.arange(game.seats)[None, :], np.zeros(1, np.int64), hands, False)
    arena.play_with_python(lineups, 0, agents, hands, False, time_limit)
    ends = [-1, *(i for i, cell in enumerate(arena.tape) if cell == NO_ACTION)]
    names = [agent.name for agent in agents]
    return [
        _hand(game, bank, number, tuple(arena.tape[before + 1 : end]), names)
        for number, (before, end) in enumerate(pairwise(ends))
    ]


def _hand(game: Game, bank: Bank, number: int, actions: tuple[int, ...], names: Sequence[str]) -> Hand:
    """Hand `number` of a match: the first position belongs to the seat of that number."""
    seats = game.seats
    order = [(number + position) % seats for position in range(seats)]
    shown: tuple[int, ...] = ()
    dealt = Hand(
        game=dataclasses.replace(game, stacks=tuple(game.stacks[seat] for seat in order)),
        hole=tuple(tuple(cards.tolist()) for cards in bank.holes[number]),
        board=tuple(bank.boards[number, : sum(game.board_cards)].tolist()),
        actions=actions,
        players=tuple(names[seat] for seat in order),
        source=(("hand", number + 1),),
    )
    folded = {decision.actor for decision in decisions(dealt) if decision.action == 0}
    if len(folded) < seats - 1:
        shown = tuple(position for position in range(seats) if position not in folded)
    finished = dataclasses.replace(dealt, shown=shown, board=_seen_board(dealt, bool(shown)))
    return dataclasses.replace(finished, payoffs=replay(finished).payoffs)


def _seen_board(hand: Hand, showdown: bool) -> tuple[int, ...]:
    """The board as far as it was dealt: whole at a showdown, else up to the street where the hand ended."""
    if showdown:
        return hand.board
    street = max((decision.street for decision in decisions(hand)), default=0)
    return hand.board[: sum(hand.game.board_cards[: street + 1])]
