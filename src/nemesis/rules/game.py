"""A game is a value: who sits where, what is dealt, what may be bet.

In the spirit of an ACPC game definition, everything is said per *position*, not per chair: position 0 is first to act
after the first street and the last position has the button. Heads-up the blinds are reversed, as usual: the button
(position 1) posts the small blind and acts first before the flop. Which chair takes which position is the table's
business and changes from hand to hand.

Amounts are whole chips. `bets` is the fixed bet of each street in a limit game and the smallest bet otherwise.
A street's betting may be capped by a number of raises (`max_raises`) or by chips per player (`street_limit`).
"""

from __future__ import annotations

import dataclasses
import zlib
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from nemesis.rules.cards import card_text
from nemesis.runtime.limits import ENDLESS, MATCH_HANDS, MOST_CARDS, MOST_CHIPS, MOST_SUITS

MAX_SEATS = 10
MAX_STREETS = 4
STREETS = ("preflop", "flop", "turn", "river")
"""What the rounds of hold'em are called."""
UNCAPPED = 10**6

Structure = Literal["limit", "pot-limit", "no-limit"]
STRUCTURES: tuple[Structure, ...] = ("limit", "pot-limit", "no-limit")
LIMIT, POT_LIMIT, NO_LIMIT = range(len(STRUCTURES))
ShortRaises = Literal["full", "any"]
AFTER_BLINDS = -1

RULES = np.dtype(
    (
        np.record,
        [
            ("seats", np.int64),
            ("streets", np.int64),
            ("structure", np.int64),
            ("street_limit", np.int64),
            ("shared_limit", np.int64),
            ("any_raise_reopens", np.int64),
            ("posted", np.int64),  # antes and blinds together, if everyone can pay
            ("top_blind", np.int64),
            ("opener", np.int64),  # who acts first then
            ("antes", np.int64, (MAX_SEATS,)),
            ("blinds", np.int64, (MAX_SEATS,)),
            ("stacks", np.int64, (MAX_SEATS,)),
            ("bets", np.int64, (MAX_STREETS,)),
            ("max_raises", np.int64, (MAX_STREETS,)),
            ("first", np.int64, (MAX_STREETS,)),
            ("hole_cards", np.int64),
            ("board_cards", np.int64, (MAX_STREETS,)),
        ],
    )
)


class GameError(ValueError):
    """A game that cannot be played, with the reason."""


@dataclass(frozen=True)
class Game:
    """The rules of one game. Build one with `holdem`, by name, or from an ACPC game definition."""

    name: str
    structure: Structure
    stacks: tuple[int, ...]
    antes: tuple[int, ...]
    blinds: tuple[int, ...]
    bets: tuple[int, ...]
    first: tuple[int, ...]
    max_raises: tuple[int, ...] = ()
    street_limit: int = 0
    shared_limit: bool = False
    short_raises: ShortRaises = "full"
    ranks: int = 13
    suits: int = 4
    hole_cards: int = 2
    board_cards: tuple[int, ...] = (0, 3, 1, 1)
    match_hands: int = 1000
    freeze_out: bool = False
    about: str = ""

    def __post_init__(self) -> None:
        check_game(self)

    @property
    def seats(self) -> int:
        """How many players are dealt in."""
        return len(self.stacks)

    @property
    def streets(self) -> int:
        """How many rounds of betting there are."""
        return len(self.bets)

    @property
    def is_holdem(self) -> bool:
        """Whether hands are the best five of two hole and five board cards from the full deck."""
        return (self.ranks, self.suits, self.hole_cards, self.board_cards) == (13, 4, 2, (0, 3, 1, 1))

    @property
    def big_blind(self) -> int:
        """The largest blind, or 0 in a game without blinds."""
        return max(self.blinds)

    @property
    def unit(self) -> tuple[str, float]:
        """The unit of results and how many of it one chip is."""
        return ("mBB/hand", 1000.0 / self.big_blind) if self.big_blind else ("chips/hand", 1.0)

    @property
    def cards_dealt(self) -> int:
        """Hole cards of every seat and the whole board."""
        return self.seats * self.hole_cards + sum(self.board_cards)

    def card_name(self, card: int) -> str:
        """A card as people write it: As in hold'em, 7 in one-card, K or Ks in the games of three ranks."""
        rank, suit = divmod(card, self.suits)
        if self.ranks == 13:
            return card_text(card)
        letter = "JQK"[rank] if self.ranks == 3 else str(rank + 1)
        return letter + ("cdhs"[suit] if self.suits > 1 else "")

    def digest(self) -> int:
        """What decides the deals: cards and seats, not stakes. Games that deal alike deal the same hands."""
        return zlib.crc32(repr((self.ranks, self.suits, self.hole_cards, self.board_cards)).encode())

    def seated(self, seats: int, stack: int | None = None) -> Game:
        """The same game for another number of players, with the blinds where they then belong."""
        if not 2 <= seats <= MAX_SEATS:
            raise GameError(_seats_sentence(self.name, seats))
        small, big = sorted(self.blinds)[-2:]
        return dataclasses.replace(
            self,
            stacks=(self.stacks[0] if stack is None else stack,) * seats,
            antes=(self.antes[0],) * seats,
            blinds=blind_positions(small, big, seats),
            first=tuple(0 if street or self.first[0] == 0 else AFTER_BLINDS for street in range(self.streets)),
        )

    def by_players(self) -> tuple[Game, ...]:
        """The game for every number of players up to its seats, at that index; nobody and one play by its own rules."""
        fewer = tuple(self.seated(players) for players in range(2, self.seats))
        return (self, self, *fewer, self)

    def compiled(self) -> NDArray[np.void]:
        """The one-element record of these rules that the betting engine reads."""
        rules = np.zeros(1, RULES)
        rules["seats"], rules["streets"] = self.seats, self.streets
        rules["structure"] = STRUCTURES.index(self.structure)
        rules["street_limit"], rules["shared_limit"] = self.street_limit, self.shared_limit
        rules["any_raise_reopens"] = self.short_raises == "any"
        rules["hole_cards"] = self.hole_cards
        top = max(self.blinds)
        last_blind = max(position for position, blind in enumerate(self.blinds) if blind == top)
        rules["posted"], rules["top_blind"] = sum(self.antes) + sum(self.blinds), top
        rules["opener"] = self.first[0] if self.first[0] != AFTER_BLINDS else (last_blind + 1) % self.seats
        caps = self.max_raises or (UNCAPPED,) * self.streets
        for field, values in (
            ("antes", self.antes),
            ("blinds", self.blinds),
            ("stacks", self.stacks),
            ("bets", self.bets),
            ("max_raises", caps),
            ("first", self.first),
            ("board_cards", self.board_cards),
        ):
            rules[field][0, : len(values)] = values
        return rules


def blind_positions(small: int, big: int, seats: int) -> tuple[int, ...]:
    """Who posts: the two first positions, or heads-up the button the small one."""
    return (big, small) if seats == 2 else (small, big) + (0,) * (seats - 2)


def holdem(
    name: str,
    structure: Structure,
    seats: int,
    blinds: tuple[int, int],
    stack: int,
    *,
    bets: tuple[int, ...] | None = None,
    max_raises: tuple[int, ...] = (),
    street_limit: int = 0,
    ante: int = 0,
    match_hands: int = 1000,
    about: str = "",
) -> Game:
    """Texas hold'em with the usual positions. `bets` is the big blind on every street unless given."""
    if not 2 <= seats <= MAX_SEATS:
        raise GameError(_seats_sentence(name, seats))
    small, big = blinds
    return Game(
        name=name,
        structure=structure,
        stacks=(stack,) * seats,
        antes=(ante,) * seats,
        blinds=blind_positions(small, big, seats),
        bets=bets or (big,) * MAX_STREETS,
        first=(AFTER_BLINDS, 0, 0, 0),
        max_raises=max_raises,
        street_limit=street_limit,
        match_hands=match_hands,
        about=about,
    )


def check_game(game: Game) -> None:
    """Raise `GameError` with a sentence if this game cannot be dealt or bet."""
    seats, streets = game.seats, game.streets
    if not 2 <= seats <= MAX_SEATS:
        raise GameError(_seats_sentence(game.name, seats))
    if not 1 <= streets <= MAX_STREETS:
        raise GameError(f"{game.name} has {streets} streets; a game has 1 to {MAX_STREETS}")
    if game.structure not in STRUCTURES:
        raise GameError(f"{game.structure!r} is not a betting structure; choose one of {', '.join(STRUCTURES)}")
    for field, length in (("antes", seats), ("blinds", seats), ("first", streets), ("board_cards", streets)):
        if len(getattr(game, field)) != length:
            raise GameError(f"{game.name} gives {len(getattr(game, field))} {field}; it needs {length}")
    if game.max_raises and len(game.max_raises) != streets:
        raise GameError(f"{game.name} gives {len(game.max_raises)} max_raises; it needs {streets}, one per street")
    for field in ("stacks", "bets", "antes", "blinds", "board_cards", "max_raises", "first"):
        _check_amounts(game, field, getattr(game, field))
    _check_amounts(game, "street_limit", (game.street_limit,))
    if not any(game.antes) and not any(game.blinds):
        raise GameError(f"{game.name} has neither antes nor blinds, so there is nothing to play for")
    if any(not AFTER_BLINDS <= position < seats for position in game.first):
        raise GameError(f"{game.name} has first {game.first}; a position is 0 to {seats - 1}")
    if game.structure != "limit" and min(game.bets) < 2:
        raise GameError(
            f"{game.name} has a smallest bet of 1 chip; outside limit games bets start at 2 chips, so scale the chips up"
        )
    if not 1 <= game.suits <= MOST_SUITS or not 1 <= game.ranks * game.suits <= MOST_CARDS:
        raise GameError(
            f"{game.name} has a deck of {game.ranks} ranks and {game.suits} suits; at most {MOST_SUITS} suits and "
            f"{MOST_CARDS} cards can be dealt"
        )
    if game.cards_dealt > game.ranks * game.suits:
        raise GameError(
            f"{game.name} needs {game.cards_dealt} cards for {seats} seats; its deck has {game.ranks * game.suits}"
        )
    if not game.is_holdem and (game.hole_cards != 1 or sum(game.board_cards) > 1):
        raise GameError(
            f"{game.name} deals {game.hole_cards} hole and {sum(game.board_cards)} board cards from a deck of "
            f"{game.ranks}x{game.suits}; known are hold'em and games of one hole card with at most one board card"
        )
    try:
        MATCH_HANDS.check(game.match_hands)
    except ValueError as error:
        raise GameError(f"{game.name}: {error}") from None


def _check_amounts(game: Game, field: str, amounts: tuple[int, ...]) -> None:
    """Amounts are whole, none negative, and none so large that pots and payoffs could not be counted."""
    for amount in amounts:
        if isinstance(amount, bool) or not isinstance(amount, int | np.integer):
            raise GameError(f"{game.name} has {field} {amounts}; amounts are whole numbers")
        if amount > MOST_CHIPS and not (field == "stacks" and amount == ENDLESS):
            raise GameError(f"{game.name} has {field} above {MOST_CHIPS:,}, the most that is counted")
        if amount <= 0 and field in ("stacks", "bets"):
            raise GameError(f"{game.name} has {field} {amounts}; each must be at least 1 chip")
        if amount < 0 and field != "first":
            raise GameError(f"{game.name} has {field} {amounts}; none may be negative")


def _seats_sentence(name: str, seats: int) -> str:
    return f"{name} cannot be dealt to {seats} seats; 2 to {MAX_SEATS} can play"
