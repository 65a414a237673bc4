"""Does a player fold more than the price allows? How often it folds to each kind of bet, beside break-even.

A bet of b into a pot of p pays at once, whatever the hand, if more than b / (p + b) of the answers are folds. Whoever folds
more often than that, on some street, at some depth, can be beaten by betting anything there. Bets are told apart by street,
by what they risk (`RISKS`) and by the big blinds in the pot before them (`DEPTHS`); they come from somebody who bets any
hand (`respond.known_counters.prober`), so that nothing but the price is told by them.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from nemesis.measure.interval import Interval, share_interval
from nemesis.observe.tape import Tape
from nemesis.play.match import play_lineups
from nemesis.respond.agent import CompiledAgent
from nemesis.respond.known_counters import prober
from nemesis.rules.betting import FOLD, RAISE
from nemesis.rules.game import STREETS, Game

RISKS = (0.0, 0.4, 0.58, 0.74, 0.9, 1.0)
"""Edges of what a bet risks, b / (p + b): a third for half a pot, a half for a pot, two thirds for two."""
DEPTHS = (0.0, 8.0, 30.0, 100.0, 1e9)
"""Edges of the pot before the bet, in big blinds; the last is more than any pot."""


@dataclass(frozen=True)
class Defence:
    """Bets of one kind: how many there were, what share was folded to, and what share would make any bet pay."""

    street: str
    depth: tuple[float, float]
    bets: int
    folded: float
    ci95: Interval
    break_even: float

    @property
    def folds_too_much(self) -> bool:
        """Whether more is folded than the price allows, beyond the interval."""
        return self.ci95[0] > self.break_even


def defences(game: Game, agent: CompiledAgent, matches: int, hands: int = 1000, *, seed: int) -> list[Defence]:
    """What a player does against bets that mean nothing, from both seats; kinds of fewer than 100 bets are left out."""
    seats = np.tile([[0, 1], [1, 0]], (matches, 1))
    numbers = np.repeat(np.arange(matches), 2)
    played = play_lineups(game, [prober(game), agent], seats, numbers, hands=hands, seed=seed, taping=True)
    assert played.tape is not None
    return folds_to_bets(played.tape, 0, game.big_blind)


def folds_to_bets(tape: Tape, bettor: int, big_blind: int) -> list[Defence]:
    """By street, risk and depth, the answers to the bets of one of the tape's players, heads-up."""
    actions = tape.actions
    player = tape.hands["player"][actions["hand"], actions["position"]]
    bets = np.flatnonzero((actions["action"] == RAISE) & (player == bettor))
    bets = bets[bets + 1 < len(actions)]
    bets = bets[actions["hand"][bets] == actions["hand"][bets + 1]]
    bet, answer = actions[bets], actions[bets + 1]
    folded = answer["action"] == FOLD
    risk = bet["amount"] / (bet["amount"] + bet["pot"])
    depth = bet["pot"] / big_blind
    found = []
    for street, name in enumerate(STREETS):
        for low, high in pairwise(RISKS):
            for shallow, deep in pairwise(DEPTHS):
                kind = (bet["street"] == street) & (low <= risk) & (risk < high) & (shallow <= depth) & (depth < deep)
                count = int(kind.sum())
                if count >= 100:
                    share, ci95 = share_interval(int(folded[kind].sum()), count)
                    found.append(Defence(name, (shallow, deep), count, share, ci95, float(risk[kind].mean())))
    return found
