"""The cards of one hand as far as they are known, and what follows from them.

A table that somebody else deals tells its cards bit by bit: one's own when the hand begins, the board street by street,
other hands at the showdown. `fill` writes what is known into the only row of a bank, so that the loop can play on from it.
What is not known is a card outside the deck, and NaN.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate

import numpy as np

from nemesis.rules.deal import Bank, Dealer, evaluate_rows
from nemesis.rules.game import Game
from nemesis.runtime.compiled import entry

_UNKNOWN = 255


class KnownCards:
    """Ranks and facts of the hands that are known, worked out as the dealer works them out."""

    def __init__(self, game: Game, dealer: Dealer) -> None:
        self.game = game
        self.dealer = dealer
        self._deck = game.ranks * game.suits
        self._ends = list(accumulate(game.board_cards))
        self._banks = [_room_for(game, count) for count in range(game.seats + 1)]
        self._plans = [dealer.plan.copy() for _ in self._banks]
        for count, plan in enumerate(self._plans):
            plan["seats"] = count
        self._evaluate = entry(evaluate_rows, dealer.plan, dealer.tables, 0, 1, self._banks[-1])

    def evaluated(self, holes: Mapping[int, Sequence[int]], board: Sequence[int]) -> Bank:
        """The numbers of the hands, in their order, until the next call. Unused cards stand in for the board to come."""
        count, width = len(holes), self._ends[-1]
        bank = self._banks[count]
        if not count:
            return bank
        rest: Sequence[int] = ()
        if len(board) < width:
            used = {*board, *(card for cards in holes.values() for card in cards)}
            rest = [card for card in range(min(self._deck, width + len(used))) if card not in used]
        bank.holes[0] = list(holes.values())
        bank.boards[0, :width] = [*board, *rest][:width]
        self._evaluate(self._plans[count], self.dealer.tables, 0, 1, bank)
        return bank

    def fill(self, bank: Bank, holes: Mapping[int, Sequence[int]], board: Sequence[int]) -> None:
        """Write the hands, by position, and the board into row 0. Writes `bank`."""
        known = self.evaluated(holes, board)
        bank.holes.fill(_UNKNOWN)
        bank.boards.fill(_UNKNOWN)
        bank.ranks.fill(0)
        bank.win.fill(np.nan)
        bank.strength.fill(np.nan)
        bank.boards[0, : len(board)] = board
        streets = sum(end <= len(board) for end in self._ends)
        for at, (position, cards) in enumerate(holes.items()):
            bank.holes[0, position] = cards
            bank.ranks[0, position] = 1 + known.ranks[0, at]
            bank.win[0, position, :streets] = known.win[0, at, :streets]
            bank.strength[0, position, :streets] = known.strength[0, at, :streets]


def _room_for(game: Game, count: int) -> Bank:
    return Bank(
        np.zeros((1, count, game.hole_cards), np.uint8),
        np.zeros((1, max(1, sum(game.board_cards))), np.uint8),
        np.zeros((1, count), np.int32),
        np.full((1, count, game.streets), np.nan, np.float32),
        np.full((1, count, game.streets), np.nan, np.float32),
    )
