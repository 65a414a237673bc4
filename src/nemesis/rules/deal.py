"""A deal is everything chance decides for one hand, evaluated once.

Cards of every position and the whole board; each position's exact win probability and strength on every street; its
rank at showdown. Betting needs no more than these few numbers, so deals are drawn and evaluated first, many at a
time, into the rows of a *bank*, and hands are then played from it as often as one likes.

Deal `number` of `(game, seed)` is always the same cards: drawing is by counter (see `chance`). So the same hands can be
dealt to every candidate, with seats swapped, in any order, by any worker. A game for fewer players deals the first
positions of the same hands only if its board is drawn first: it is.

`win` is the probability of beating one uniformly random hand with the rest of the board rolled out; `strength` is the
same against the board as it stands. Ties count half in both.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.rules.canonical import CANONICAL_TABLES, CanonicalTables, canonical_tables
from nemesis.rules.evaluator import EVALUATOR_TABLES, EvaluatorTables, evaluator_tables
from nemesis.rules.game import Game
from nemesis.rules.holdem import HoldemNumbers, Wanted, fill_holdem_numbers
from nemesis.rules.strength import STRENGTH_TABLES, StrengthTables, strength_tables
from nemesis.runtime.chance import GOLDEN, below, folded, nth, scramble
from nemesis.runtime.compiled import inlined, njit

FACTS = frozenset({"win", "strength"})
CHUNK = 128

PLAN = np.dtype(
    (
        np.record,
        [
            ("holdem", np.int64),
            ("deck", np.int64),
            ("suits", np.int64),
            ("seats", np.int64),
            ("hole_cards", np.int64),
            ("board_cards", np.int64),
            ("board_street", np.int64),
            ("wants_win", np.int64),
            ("wants_strength", np.int64),
        ],
    )
)


class Bank(NamedTuple):
    """Rows of deals, by position. The arrays belong to the caller; `fill_bank` writes them."""

    holes: NDArray[np.uint8]
    boards: NDArray[np.uint8]
    ranks: NDArray[np.int32]
    win: NDArray[np.float32]
    strength: NDArray[np.float32]


class LookupTables(NamedTuple):
    """What evaluating a deal looks up: the hold'em tables, or a one-card game's small ones."""

    evaluator: EvaluatorTables
    canonical: CanonicalTables
    strength: StrengthTables
    small_win: NDArray[np.float32]  # street, card, board card (or the deck's size for none)
    small_strength: NDArray[np.float32]


class Dealer(NamedTuple):
    """Who deals: what to deal, the tables to look facts up in, and the key of the stream of deals."""

    plan: NDArray[np.void]
    tables: LookupTables
    key: int


def new_dealer(game: Game, seed: int, facts: Collection[str] = FACTS) -> Dealer:
    """The dealer of `(game, seed)` who works out the facts asked for."""
    return Dealer(plan_deals(game, facts), deal_tables(game, facts), deal_key(game, seed))


def plan_deals(game: Game, facts: Collection[str] = FACTS) -> NDArray[np.void]:
    """The one-element record that says what to deal and which facts to work out."""
    unknown = set(facts) - FACTS
    if unknown:
        raise ValueError(f"{sorted(unknown)} are not facts of a deal; known are {sorted(FACTS)}")
    plan = np.zeros(1, PLAN)
    plan["holdem"] = game.is_holdem
    plan["deck"], plan["suits"] = game.ranks * game.suits, game.suits
    plan["seats"], plan["hole_cards"] = game.seats, game.hole_cards
    plan["board_cards"] = sum(game.board_cards)
    plan["board_street"] = next((s for s, n in enumerate(game.board_cards) if n), game.streets)
    plan["wants_win"], plan["wants_strength"] = "win" in facts, "strength" in facts
    return plan


def deal_tables(game: Game, facts: Collection[str] = FACTS) -> LookupTables:
    """The tables that dealing this game needs; building the hold'em ones takes seconds the first time ever."""
    nothing = np.zeros((1, 1, 1), np.float32)
    small = (nothing, nothing) if game.is_holdem else _small_tables(game)
    return LookupTables(
        evaluator_tables() if game.is_holdem else _absent(EvaluatorTables, EVALUATOR_TABLES),
        canonical_tables() if game.is_holdem and facts else _absent(CanonicalTables, CANONICAL_TABLES),
        strength_tables() if game.is_holdem and facts else _absent(StrengthTables, STRENGTH_TABLES),
        *small,
    )


def _absent(kind: Any, compiled_type: Any) -> Any:
    """Empty arrays in place of tables that a game does not look at, of the same types, so no kernel is compiled twice."""
    return kind(*(np.zeros((0,) * array.ndim, str(array.dtype)) for array in compiled_type))


def empty_bank(game: Game, rows: int) -> Bank:
    """A bank with room for `rows` deals. Facts that are never filled stay NaN, so nobody can use them unnoticed."""
    shape = (rows, game.seats, game.streets)
    return Bank(
        np.zeros((rows, game.seats, game.hole_cards), np.uint8),
        np.zeros((rows, max(1, sum(game.board_cards))), np.uint8),
        np.zeros((rows, game.seats), np.int32),
        np.full(shape, np.nan, np.float32),
        np.full(shape, np.nan, np.float32),
    )


def deal_key(game: Game, seed: int) -> int:
    """The key of this game's stream of deals under `seed`."""
    return int(folded(seed, game.digest())[0])


def deal(game: Game, seed: int, first: int = 0, count: int = 1, facts: Collection[str] = FACTS) -> Bank:
    """Deals number `first` … `first + count - 1` of `(game, seed)`, with the facts asked for."""
    if count < 1 or first < 0:
        raise ValueError(f"cannot deal {count} hands from number {first}; both must be counts, the first at least 1")
    bank = empty_bank(game, count)
    fill_bank(plan_deals(game, facts), deal_tables(game, facts), deal_key(game, seed), first, 0, count, bank)
    return bank


def deal_cards(
    game: Game,
    holes: Sequence[Sequence[Sequence[int]]],
    boards: Sequence[Sequence[int]],
    facts: Collection[str] = FACTS,
) -> Bank:
    """A bank of chosen cards: for each hand the cards of every position, and the whole board."""
    width = sum(game.board_cards)
    for hand, (hole, board) in enumerate(zip(holes, boards, strict=True)):
        dealt = [*board, *(card for cards in hole for card in cards)]
        if len(hole) != game.seats or any(len(cards) != game.hole_cards for cards in hole) or len(board) != width:
            raise ValueError(
                f"hand {hand} must deal {game.hole_cards} cards to {game.seats} positions and {width} to the board"
            )
        if len(set(dealt)) != len(dealt) or not all(0 <= card < game.ranks * game.suits for card in dealt):
            raise ValueError(f"hand {hand} deals {dealt}: not different cards of a deck of {game.ranks * game.suits}")
    bank = empty_bank(game, len(holes))
    bank.holes[:] = np.array(holes, np.uint8)
    if width:
        bank.boards[:] = np.array(boards, np.uint8)
    evaluate_rows(plan_deals(game, facts), deal_tables(game, facts), 0, len(holes), bank)
    return bank


@njit(error_model="numpy")
def fill_bank(
    plan: NDArray[np.void],
    tables: LookupTables,
    key: int,
    number: int,
    row: int,
    count: int,
    bank: Bank,
) -> None:
    """Draw and evaluate deals `number` … into rows `row` …. Writes `bank`."""
    draw_cards(plan, key, number, row, count, bank)
    evaluate_rows(plan, tables, row, count, bank)


@njit(error_model="numpy")
def evaluate_rows(plan: NDArray[np.void], tables: LookupTables, row: int, count: int, bank: Bank) -> None:
    """Work out ranks and the facts asked for from the cards in rows `row` …. Writes `bank`."""
    p = plan[0]
    end = row + count
    if p.holdem != 0:
        numbers = HoldemNumbers(bank.ranks[row:end], bank.win[row:end], bank.strength[row:end])
        wanted = Wanted(p.wants_win != 0, p.wants_strength != 0)
        fill_holdem_numbers(bank.holes[row:end], bank.boards[row:end], numbers, wanted, tables)
    else:
        fill_small(plan, tables, row, count, bank)


@inlined
def draw_cards(plan: NDArray[np.void], key: int, number: int, row: int, count: int, bank: Bank) -> None:
    """Shuffle only as much of the deck as is dealt: the board first, then the positions in order."""
    p = plan[0]
    deck = np.empty(64, np.uint8)
    for i in range(count):
        for card in range(p.deck):
            deck[card] = card
        state = nth(key, number + i)
        needed = p.board_cards + p.seats * p.hole_cards
        for dealt in range(needed):
            state += GOLDEN
            at = dealt + below(scramble(state), p.deck - dealt)
            card = deck[at]
            deck[at] = deck[dealt]
            if dealt < p.board_cards:
                bank.boards[row + i, dealt] = card
            else:
                mine = dealt - p.board_cards
                bank.holes[row + i, mine // p.hole_cards, mine % p.hole_cards] = card


@inlined
def one_card_rank(card: Any, board: Any, suits: Any, deck: Any) -> Any:
    """How a hand of one card ranks at showdown: a pair with the board card, then the higher card. No board is `deck`."""
    rank = card // suits
    return rank + deck if board // suits == rank else rank


@inlined
def fill_small(plan: NDArray[np.void], tables: LookupTables, row: int, count: int, bank: Bank) -> None:
    """Ranks and facts of a game of one hole card. Writes `bank`."""
    p = plan[0]
    for d in range(row, row + count):
        board = np.int64(bank.boards[d, 0]) if p.board_cards > 0 else np.int64(p.deck)
        for seat in range(p.seats):
            card = np.int64(bank.holes[d, seat, 0])
            bank.ranks[d, seat] = one_card_rank(card, board, p.suits, p.deck)
            for street in range(bank.win.shape[2]):
                seen = board if street >= p.board_street else np.int64(p.deck)
                bank.win[d, seat, street] = tables.small_win[street, card, seen]
                bank.strength[d, seat, street] = tables.small_strength[street, card, seen]


@lru_cache(maxsize=16)
def _small_tables(game: Game) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Win probability and strength by enumeration, indexed by street, card and the board card seen so far."""
    deck = game.ranks * game.suits
    win = np.full((game.streets, deck, deck + 1), np.nan, np.float32)
    strength = win.copy()
    dealt_on = next((s for s, n in enumerate(game.board_cards) if n), game.streets)

    def score(mine: int, theirs: int, board: int) -> float:
        ranks = (one_card_rank(card, board, game.suits, deck) for card in (mine, theirs))
        return float(0.5 + 0.5 * np.sign(np.subtract(*ranks)))

    for card in range(deck):
        others = [c for c in range(deck) if c != card]
        now = float(np.mean([score(card, rival, deck) for rival in others]))
        later = (
            float(np.mean([score(card, rival, board) for rival, board in permutations(others, 2)]))
            if dealt_on < game.streets
            else now
        )
        win[:dealt_on, card, deck], strength[:dealt_on, card, deck] = later, now
        for board in others if dealt_on < game.streets else ():
            rivals = [c for c in others if c != board]
            win[dealt_on:, card, board] = np.mean([score(card, rival, board) for rival in rivals])
    strength[dealt_on:] = win[dealt_on:]
    return win, strength
