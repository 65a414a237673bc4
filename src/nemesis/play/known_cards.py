"""The cards of one hand as far as they are known, and what follows from them.

A table that somebody else deals tells its cards bit by bit: one's own when the hand begins, the board street by street,
other hands at the showdown. `fill` writes what is known into the only row of a bank, so that the loop can play on from it.
What is not known is a card outside the deck, and NaN.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from nemesis.rules.deal import Bank, Dealer, evaluate_rows
from nemesis.rules.game import Game
from nemesis.runtime.compiled import entry, njit

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
        self._streets = [sum(end <= shown for end in self._ends) for shown in range(self._ends[-1] + 1)]
        self._positions = np.zeros(game.seats, np.int64)
        self._evaluate = entry(evaluate_rows, dealer.plan, dealer.tables, 0, 1, self._banks[-1])
        self._copy = entry(copy_known, self._banks[-1], self._positions, 0, 0, 0, self._banks[-1])

    def evaluated(self, holes: Mapping[int, Sequence[int]], board: Sequence[int]) -> Bank:
        """The numbers of the hands, in their order, until the next call. Unused cards stand in for the board to come."""
        count, width = len(holes), self._ends[-1]
        bank = self._banks[count]
        rest: Sequence[int] = ()
        if len(board) < width:
            used = {*board, *(card for cards in holes.values() for card in cards)}
            rest = [card for card in range(min(self._deck, width + len(used))) if card not in used]
        bank.boards[0, :width] = [*board, *rest][:width]
        if count:
            bank.holes[0] = list(holes.values())
            self._evaluate(self._plans[count], self.dealer.tables, 0, 1, bank)
        return bank

    def fill(self, bank: Bank, holes: Mapping[int, Sequence[int]], board: Sequence[int]) -> None:
        """Write the hands, by position, and the board into row 0. Writes `bank`."""
        known = self.evaluated(holes, board)
        self._positions[: len(holes)] = list(holes)
        self._copy(known, self._positions, len(holes), len(board), self._streets[len(board)], bank)


def _room_for(game: Game, count: int) -> Bank:
    return Bank(
        np.zeros((1, count, game.hole_cards), np.uint8),
        np.zeros((1, max(1, sum(game.board_cards))), np.uint8),
        np.zeros((1, count), np.int32),
        np.full((1, count, game.streets), np.nan, np.float32),
        np.full((1, count, game.streets), np.nan, np.float32),
    )


@njit(error_model="numpy")
def copy_known(
    known: Bank, positions: NDArray[np.int64], hands: int, board_cards: int, streets: int, bank: Bank
) -> None:
    """The hands, at their positions, and the board so far, on so many streets; the rest is unknown. Writes `bank`."""
    holes, boards, ranks, win, strength = bank
    holes[:] = _UNKNOWN
    boards[:] = _UNKNOWN
    ranks[:] = 0
    win[:] = np.nan
    strength[:] = np.nan
    for i in range(board_cards):
        boards[0, i] = known.boards[0, i]
    for hand in range(hands):
        position = positions[hand]
        ranks[0, position] = 1 + known.ranks[0, hand]
        for i in range(holes.shape[2]):
            holes[0, position, i] = known.holes[0, hand, i]
        for street in range(streets):
            win[0, position, street] = known.win[0, hand, street]
            strength[0, position, street] = known.strength[0, hand, street]
