"""What the cards brought, hand by hand, so that it can be taken out of a result without changing its mean.

The chance terms of AIVAT (Burch et al. 2018). When cards fall, the value of the hand changes by V(after) - E[V(after)],
whose mean is 0 whatever V is, as long as V was fixed beforehand and the expectation is exact or sampled independently. Here
V is linear in the *equity* e of one hand against the other, V = c (2e - 1), and dealing keeps the mean of e, so the term of
a street is 2c (e after - e before). The coefficient c depends on what was known before the cards fell: the street, the pot
and how good both hands were. Equities are counted on flop and turn, and before the flop estimated on boards drawn for the
purpose. The hole cards themselves bring a term that is odd in the two hands, and so of mean 0.

Once nobody can act any more, c is the whole pot: that alone is the *all-in adjustment*. The other coefficients were fitted
by least squares to hands of the players that ship (`fit`), are kept in a file, and its digest is told with every result.
Where one player's policy is known, all of this is averaged over what it may have held (`play.averaged_terms`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.tape import Tape
from nemesis.play.averaged_terms import average_terms
from nemesis.play.luck_terms import (
    AVERAGED,
    FEATURES,
    HOLE,
    MATCHES_APART,
    PER_POT,
    Floats,
    note_hole_terms,
    note_street_terms,
)
from nemesis.respond.agent import Agent
from nemesis.respond.solved_player import SolvedPlayer
from nemesis.rules.canonical import flop_code, hole_index, turn_code
from nemesis.rules.cards import DECK
from nemesis.rules.deal import LookupTables, deal_tables
from nemesis.rules.equity import count_showdowns
from nemesis.rules.evaluator import EMPTY_HAND, rank_of
from nemesis.rules.game import Game, GameError
from nemesis.rules.strength import flop_win, turn_win
from nemesis.runtime.atomic import write_json
from nemesis.runtime.chance import GOLDEN, below, nth, scramble
from nemesis.runtime.compiled import njit
from nemesis.runtime.streams import Stream, stream_key

FILE = Path(__file__).parent / "luck.json"
BOARDS = 300
"""Boards that are drawn for an equity before the flop."""

Kind = Literal["all-in", "aivat"]
KINDS: tuple[Kind, ...] = ("all-in", "aivat")

_SAID = 1000.0


@dataclass(frozen=True, eq=False)
class ValueFunction:
    """The coefficients of all terms, those of terms averaged over a known player's holdings, and the digest of both."""

    coefficients: Floats
    averaged: Floats

    @property
    def digest(self) -> str:
        """Twelve digits that stand for these coefficients and no others."""
        return hashlib.sha256(np.concatenate([self.coefficients, self.averaged]).tobytes()).hexdigest()[:12]


@lru_cache(maxsize=2)
def value_function(kind: Kind) -> ValueFunction:
    """The frozen one of this kind."""
    plain, averaged = np.zeros(FEATURES), np.zeros(AVERAGED)
    if kind == "aivat":
        kept = json.loads(FILE.read_text(encoding="utf-8"))
        plain[1:], averaged[1:] = kept["coefficients"], kept["averaged"]
    plain[0] = averaged[0] = 1.0
    return ValueFunction(plain, averaged)


def check_luck(game: Game) -> None:
    """Raise a sentence if luck cannot be taken out of this game."""
    if not game.is_holdem or game.seats != 2:
        raise GameError(f"the luck of the cards is taken out of heads-up hold'em; {game.name} is another game")


def luck(tape: Tape, seed: int, kind: Kind, first: int = 0, agents: Sequence[Agent] = ()) -> Floats:
    """By hand, the chips that the cards brought to position 0; `first` is the number of the tape's first match.

    Given the tape's agents, AIVAT also takes out which holding a solved player happened to have.
    """
    value = value_function(kind)
    known = [number for number, agent in enumerate(agents) if isinstance(agent, SolvedPlayer)]
    if kind != "aivat" or not known:
        found: Floats = terms(tape, seed, first) @ value.coefficients
        return found
    agent = agents[known[0]]
    assert isinstance(agent, SolvedPlayer)
    check_luck(tape.games[-1])
    mean, averaged = average_terms(tape, agent.book, known_positions(tape, known[0]), seed, first)
    brought: Floats = tape.hands["payoffs"][:, 0] - mean + averaged @ value.averaged
    return brought


def known_positions(tape: Tape, player: int) -> NDArray[np.int64]:
    """By hand, the position of one of the tape's two players."""
    found: NDArray[np.int64] = (tape.hands["player"][:, :2] == player).argmax(axis=1)
    return found


def terms(tape: Tape, seed: int, first: int = 0) -> Floats:
    """Every term of every hand, in chips, with a coefficient of 1: (hands, `FEATURES`)."""
    game = tape.games[-1]
    check_luck(game)
    out = np.zeros((len(tape), FEATURES))
    blinds = np.array([a + b for a, b in zip(game.antes, game.blinds, strict=True)], np.int64)
    key = stream_key(seed, Stream.LUCK)
    big_blind = float(game.big_blind or game.bets[0])
    fill_terms(tape.hands, tape.actions, blinds, big_blind, key, first, deal_tables(game), out)
    return out


def fit(x: Floats, won: Floats) -> Floats:
    """The coefficients of the terms `x` that leave the least spread in what position 0 won, all but the all-in term's.

    Where there are few hands they stay near what a pot is worth that is just shown down, as if so many hands had said so.
    """
    y = won - x[:, 0]
    x = x[:, 1:]
    usual = np.zeros(x.shape[1])
    usual[HOLE : FEATURES - 1 : PER_POT] = 1.0
    sizes = (x**2).sum(axis=0) / np.maximum((x != 0).sum(axis=0), 1)
    weights = np.diag(_SAID * sizes + 1e-6)
    found: Floats = usual + np.linalg.solve(x.T @ x + weights, x.T @ (y - x @ usual))
    return found


def save_fit(made: str, **coefficients: Floats) -> None:
    """Freeze coefficients in the file that ships, by name; those of other names stay."""
    kept = json.loads(FILE.read_text(encoding="utf-8"))
    rounded = {name: [float(f"{number:.5g}") for number in numbers] for name, numbers in coefficients.items()}
    write_json(FILE, {**kept, **rounded, "made": made})


@njit(error_model="numpy", nogil=True)
def equity_before_flop(holes: Any, key: Any, evaluator: Any) -> Any:
    """The share of boards, drawn at random, that the first of two holes wins."""
    keys, bits = evaluator.keys, evaluator.bits
    dead = bits[holes[0]] | bits[holes[1]] | bits[holes[2]] | bits[holes[3]]
    won = 0
    state = key
    for _ in range(BOARDS):
        seen = dead
        board = EMPTY_HAND
        for _ in range(5):
            state += GOLDEN
            card = below(scramble(state), DECK)
            while bits[card] & seen:
                state += GOLDEN
                card = below(scramble(state), DECK)
            seen |= bits[card]
            board += keys[card]
        ours = rank_of(board + keys[holes[0]] + keys[holes[1]], seen & ~(bits[holes[2]] | bits[holes[3]]), evaluator)
        theirs = rank_of(board + keys[holes[2]] + keys[holes[3]], seen & ~(bits[holes[0]] | bits[holes[1]]), evaluator)
        won += int(ours > theirs) + int(ours >= theirs)
    return won / (2.0 * BOARDS)


@njit(error_model="numpy", nogil=True)
def equity_on(holes: Any, board: Any, dealt: Any, evaluator: Any) -> Any:
    """The share of the pot that the first of two holes wins on average, so many board cards being known."""
    known = np.empty(2 + dealt, np.uint8)
    known[0], known[1] = holes[0], holes[1]
    for i in range(dealt):
        known[2 + i] = board[i]
    other = np.empty((1, 2), np.uint8)
    other[0, 0], other[0, 1] = holes[2], holes[3]
    tally = np.zeros((1, 3), np.int64)
    count_showdowns(known, other, tally, evaluator)
    return (tally[0, 0] + 0.5 * tally[0, 1]) / (tally[0, 0] + tally[0, 1] + tally[0, 2])


@njit(error_model="numpy", nogil=True)
def fill_terms(
    hands: NDArray[np.void],
    actions: NDArray[np.void],
    blinds: NDArray[np.int64],
    big_blind: float,
    key: int,
    first_match: int,
    tables: LookupTables,
    out: Floats,
) -> None:
    """Write the terms of every hand to its row of `out`."""
    evaluator, canonical, strength = tables.evaluator, tables.canonical, tables.strength
    holes = np.empty(4, np.uint8)
    board = np.empty(5, np.uint8)
    spent = np.zeros(2)
    for at in range(hands.size):
        d = hands[at]
        for i in range(4):
            holes[i] = d.hole[i]
        dealt = 0
        for i in range(5):
            if d.board[i] >= 0:
                board[i] = d.board[i]
                dealt += 1
        first, second = hole_index(holes[0], holes[1]), hole_index(holes[2], holes[3])
        mine, theirs = strength.preflop[first], strength.preflop[second]
        draw = nth(key, (first_match + d.match) * MATCHES_APART + d.hand)
        before = equity_before_flop(holes, np.uint64(draw), evaluator)
        note_hole_terms(out[at], big_blind, before, mine, theirs)
        for p in range(2):
            spent[p] = min(blinds[p], d.stacks[p])
        done = 0
        for street in range(1, 4):
            if dealt < 2 + street:
                break
            while done < d.actions and actions[d.first + done].street < street:
                a = actions[d.first + done]
                spent[a.position] += a.amount
                done += 1
            after = equity_on(holes, board, 2 + street, evaluator)
            change = after - before
            before = after
            contested = 2.0 * min(spent[0], spent[1])
            if done == d.actions:
                out[at, 0] += contested * change
                continue
            note_street_terms(out[at], street, contested, big_blind, change, mine, theirs)
            if street == 1:
                code = flop_code(board[0], board[1], board[2], canonical)
                mine, theirs = flop_win(code, first, canonical, strength), flop_win(code, second, canonical, strength)
            elif street == 2:
                code = turn_code(board[0], board[1], board[2], board[3], canonical)
                mine, theirs = turn_win(code, first, canonical, strength), turn_win(code, second, canonical, strength)
