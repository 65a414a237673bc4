"""A finished hand as a record, and the same chips again by replaying it.

A `Hand` says what was dealt, what was done and, where the source says so, what everyone won. Who acted is
not stored: the betting engine knows. `decisions` walks a hand through that engine one choice at a time;
`replay` also divides the pots. Nothing is guessed on the way: an action that the engine would have changed
is an error.

At a showdown only hands that were shown can win. Where nobody showed who could claim a contested pot, or
the board was not recorded to its end, the chips cannot be divided, and the replay says so instead of naming
a winner.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.rules.betting import CALL, FOLD, HAND, begin, new_hand, settle, step
from nemesis.rules.cards import card_text
from nemesis.rules.deal import one_card_rank
from nemesis.rules.evaluator import hand_rank
from nemesis.rules.game import MAX_SEATS, Game
from nemesis.runtime.limits import ENDLESS

DEEP = ENDLESS
"""The stack of a player who cannot run out of chips."""
FACED = ("over", "actor", "street", "to_call", "pot", "min_to", "max_to")
"""The fields of the engine's record that a decision is made from."""


class HandError(ValueError):
    """A hand that cannot be read or did not happen under its rules, with the reason."""


@dataclass(frozen=True)
class Hand:
    """One finished hand, by position. `game` has the stacks, antes and blinds of this very hand."""

    game: Game
    hole: tuple[tuple[int, ...], ...]
    """The cards of each position, () where the source does not tell."""
    board: tuple[int, ...]
    actions: tuple[int, ...]
    """In the engine's numbers: 0 fold, 1 check or call, else raise to that many chips on this street."""
    shown: tuple[int, ...] = ()
    """The positions that turned their cards up, in order of position."""
    payoffs: tuple[int, ...] | None = None
    """What the source says each position won or lost, after the house took its rake."""
    winnings: tuple[int, ...] | None = None
    """What the source says each position took from the pots."""
    players: tuple[str, ...] = ()
    posts: tuple[int, ...] = ()
    """The positions whose blind is a post to come in, not theirs by turn."""
    dead_antes: bool = False
    """Whether antes belong to the main pot whole, even where others put in less."""
    scale: int = 1
    """How many of our chips one unit of the source is."""
    source: tuple[tuple[str, object], ...] = ()
    """What else the source tells, as names and values."""

    def __post_init__(self) -> None:
        check_hand(self)

    @property
    def name(self) -> str:
        """What a message calls this hand."""
        number = dict(self.source).get("hand")
        return "the hand" if number is None else f"hand {number}"

    @property
    def whole(self) -> bool:
        """Whether every amount is a whole number of the source's units, so that pots divide into those."""
        game = self.game
        results = (*(self.payoffs or ()), *(self.winnings or ()))
        raises = (action for action in self.actions if action > CALL)
        amounts = (*game.stacks, *game.antes, *game.blinds, *game.bets, *results, *raises)
        return not any(amount % self.scale for amount in amounts)


class Decision(NamedTuple):
    """What one position faced, and what it did."""

    actor: int
    street: int
    to_call: int
    pot: int
    min_to: int
    max_to: int
    action: int


@dataclass(frozen=True)
class Replay:
    """What the engine made of a hand. Without `payoffs` the winner cannot be known: `undecided` says why."""

    decisions: tuple[Decision, ...]
    spent: tuple[int, ...]
    uncalled: tuple[int, ...]
    """The chips that nobody called and that went back, by position; they are counted in `spent`."""
    payoffs: tuple[int, ...] | None
    undecided: str | None

    @property
    def winnings(self) -> tuple[int, ...] | None:
        """What each position took from the pots, without what nobody called."""
        if self.payoffs is None:
            return None
        return tuple(p + s - u for p, s, u in zip(self.payoffs, self.spent, self.uncalled, strict=True))


def check_hand(hand: Hand) -> None:
    """Raise `HandError` if cards, players or positions do not fit the game."""
    game = hand.game
    if len(hand.hole) != game.seats:
        raise HandError(f"{hand.name} has hole cards for {len(hand.hole)} positions of {game.seats}")
    for position, cards in enumerate(hand.hole):
        if cards and len(cards) != game.hole_cards:
            raise HandError(f"{hand.name} gives p{position + 1} {len(cards)} cards, not {game.hole_cards}")
    dealt = [*hand.board, *(card for cards in hand.hole for card in cards)]
    if len(set(dealt)) != len(dealt):
        twice = next(card for card in dealt if dealt.count(card) > 1)
        raise HandError(f"{hand.name} deals the card {card_text(twice)} twice")
    if dealt and not 0 <= min(dealt) <= max(dealt) < game.ranks * game.suits:
        raise HandError(f"{hand.name} has a card that is not in the deck of {game.ranks * game.suits}")
    if len(hand.board) not in (sizes := list(accumulate(game.board_cards))):
        raise HandError(f"{hand.name} has {len(hand.board)} board cards; streets end at {sizes}")
    for field in ("payoffs", "winnings", "players"):
        values = getattr(hand, field)
        if values and len(values) != game.seats:
            raise HandError(f"{hand.name} has {len(values)} {field} for {game.seats} positions")
    if hand.actions and max(hand.actions) > DEEP:
        raise HandError(f"{hand.name} raises to {max(hand.actions)}; amounts stay below {DEEP}")
    if any(not 0 <= p < game.seats or not hand.hole[p] for p in hand.shown):
        raise HandError(f"{hand.name} says that positions {hand.shown} showed cards that it does not tell")
    if str(hand.scale).rstrip("0") != "1":
        raise HandError(f"{hand.name} has a scale of {hand.scale}; a unit is 1, 10, 100, … chips")


def decisions(hand: Hand) -> Iterator[Decision]:
    """Every choice of the hand in order, as the engine offered it; `HandError` where it allows it not."""
    yield from _play(hand, new_hand())


def replay(hand: Hand) -> Replay:
    """Play the hand again through the engine and divide the chips."""
    record = new_hand()
    walked = tuple(_play(hand, record))
    spent = record["spent"][0].copy()
    bets = spent - _antes(hand) if hand.dead_antes else spent
    called = np.sort(bets)[-2]
    live = [p for p in range(hand.game.seats) if int(record["live"][0]) >> p & 1]
    undecided = _undecided(hand, live, bets)
    return Replay(
        decisions=walked,
        spent=tuple(spent[: hand.game.seats].tolist()),
        uncalled=tuple(np.maximum(bets[: hand.game.seats] - called, 0).tolist()),
        payoffs=None if undecided else _divide(hand, record, live),
        undecided=undecided,
    )


def showdown_rank(game: Game, hole: Sequence[int], board: Sequence[int]) -> int:
    """How strong the cards are at the end of this game; more is better."""
    if game.is_holdem:
        return int(hand_rank((*hole, *board)))
    deck = game.ranks * game.suits
    return int(one_card_rank(hole[0], board[0] if board else deck, game.suits, deck))


def _play(hand: Hand, record: NDArray[np.void]) -> Iterator[Decision]:
    """Walk through the actions. Writes `record`."""
    rules = hand.game.compiled()
    begin(rules, np.array(hand.game.stacks, np.int64), record)
    needed = list(accumulate(hand.game.board_cards))
    numbers = record.view(np.int64)
    places = _places()
    for at, action in enumerate(hand.actions, 1):
        over, actor, street, to_call, pot, min_to, max_to = numbers[places].tolist()
        if over:
            raise HandError(f"{hand.name} goes on with action {at} of {len(hand.actions)} after its end")
        if len(hand.board) < needed[street]:
            raise HandError(f"{hand.name} bets on street {street + 1} with only {len(hand.board)} board cards")
        faced = Decision(actor, street, to_call, pot, min_to, max_to, action)
        if step(rules, record, action) != action:
            raise HandError(
                f"{hand.name} has p{actor + 1} {action_text(hand, action)} as action {at}; "
                f"legal was to {_legal(hand, faced)}"
            )
        yield faced
    if not record["over"][0]:
        actor = int(record["actor"][0]) + 1
        raise HandError(f"{hand.name} ends after {len(hand.actions)} actions when p{actor} must act")


@cache
def _places() -> list[int]:
    """Where the fields of `FACED` stand among the record's numbers: faster than asking for each by name."""
    fields = HAND.fields
    assert fields is not None
    return [fields[name][1] // 8 for name in FACED]


def amount_text(hand: Hand, chips: int) -> str:
    """Chips in the units of the source: 150 chips at a scale of 100 are `1.5`."""
    whole, rest = divmod(abs(chips), hand.scale)
    places = len(str(hand.scale)) - 1
    text = f"{whole}.{str(rest).zfill(places).rstrip('0')}" if rest else str(whole)
    return f"-{text}" if chips < 0 else text


def action_text(hand: Hand, action: int) -> str:
    """An action in words and in the units of the source."""
    return {FOLD: "fold", CALL: "call"}.get(action) or f"raise to {amount_text(hand, action)}"


def _legal(hand: Hand, faced: Decision) -> str:
    passive = f"fold, call {amount_text(hand, faced.to_call)}" if faced.to_call else "check"
    if not faced.max_to:
        return passive
    low, high = amount_text(hand, faced.min_to), amount_text(hand, faced.max_to)
    return f"{passive} or raise to {low}" + (f" … {high}" if low != high else "")


def _antes(hand: Hand) -> NDArray[np.int64]:
    """What each position paid as an ante."""
    paid = np.zeros(MAX_SEATS, np.int64)
    paid[: hand.game.seats] = np.minimum(hand.game.antes, hand.game.stacks)
    return paid


def _undecided(hand: Hand, live: list[int], bets: NDArray[np.int64]) -> str | None:
    """Why the winner of some pot cannot be known, or None."""
    if len(live) == 1:
        return None
    if len(hand.board) < sum(hand.game.board_cards):
        return f"{hand.name} comes to a showdown, but its board ends after {len(hand.board)} cards"
    for level in {int(bets[p]) for p in live}:
        rivals = [p for p in live if bets[p] >= level]
        if len(rivals) > 1 and not set(rivals) & set(hand.shown):
            names = ", ".join(f"p{p + 1}" for p in rivals)
            return f"{hand.name} comes to a showdown, but of {names} nobody showed cards"
    return None


def _divide(hand: Hand, record: NDArray[np.void], live: list[int]) -> tuple[int, ...]:
    """Give the pots to the best hands shown. Writes `record`."""
    ranks = np.zeros(MAX_SEATS, np.int32)
    if len(live) > 1:
        for p in set(live) & set(hand.shown):
            ranks[p] = 1 + showdown_rank(hand.game, hand.hole[p], hand.board)
    chip = hand.scale if hand.scale > 1 and hand.whole else 1
    record["spent"] //= chip
    record["pot"] //= chip
    antes = _antes(hand) // chip
    if hand.dead_antes and len(live) > 1 and len(set(antes[: hand.game.seats].tolist())) > 1:
        _settle_dead_antes(record, ranks, live, antes)
    else:
        settle(record, ranks)
    return tuple((record["payoff"][0, : hand.game.seats] * chip).tolist())


def _settle_dead_antes(
    record: NDArray[np.void], ranks: NDArray[np.int32], live: list[int], antes: NDArray[np.int64]
) -> None:
    """Give all antes to the best hands, with the bets up to the shortest of them, then what lies above. Writes `record`."""
    spent = record["spent"][0].copy()
    pot = int(spent.sum())
    bets = spent - antes
    level = min(bets[p] for p in live if ranks[p] == ranks[live].max())
    above = np.maximum(bets - level, 0) if bets[live].max() > level else np.zeros_like(bets)
    won = np.zeros_like(spent)
    equal = np.zeros_like(spent)
    equal[live] = 1
    for stakes, chips in ((equal, pot - int(above.sum())), (above, int(above.sum()))):
        record["spent"], record["pot"] = stakes, chips
        settle(record, ranks)
        won += record["payoff"][0] + stakes
    record["spent"], record["pot"], record["payoff"] = spent, pot, won - spent
